package window

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"flinkish/dataflow/internal/state"
)

// splitmix makes the keys and the disorder.
func splitmix(i uint64) uint64 {
	i += 0x9e3779b97f4a7c15
	i = (i ^ i>>30) * 0xbf58476d1ce4e5b9
	i = (i ^ i>>27) * 0x94d049bb133111eb
	return i ^ i>>31
}

const (
	benchSize  = 10_000 // ms
	benchDelay = 2_000  // ms of disorder
)

// benchInput is record i: one a tenth of a millisecond, out of order within benchDelay. A watermark follows
// every 512 records.
func benchInput(i, keys uint64) (k int, ts int64) {
	r := splitmix(i)
	return int(r % keys), int64(i/10) + benchDelay - int64(r>>40%benchDelay)
}

var counted int64

// handTumbling is what one would write without an engine: a map for each window.
//
//go:noinline
func handTumbling(emit func(k int, start, n int64)) (element func(k int, ts int64), watermark func(wm int64)) {
	windows := map[int64]map[int]int64{}
	wm := int64(-1 << 62)
	element = func(k int, ts int64) {
		start := ts - (ts%benchSize+benchSize)%benchSize
		if start+benchSize-1 <= wm {
			return
		}
		w := windows[start]
		if w == nil {
			w = map[int]int64{}
			windows[start] = w
		}
		w[k]++
	}
	watermark = func(now int64) {
		wm = now
		for start, w := range windows {
			if start+benchSize-1 <= wm {
				for k, n := range w {
					emit(k, start, n)
				}
				delete(windows, start)
			}
		}
	}
	return element, watermark
}

//go:noinline
func emitCount(_ int, _, n int64) { counted += n }

func operatorTumbling(a Assigner[TimeWindow], trigger TriggerSpec) (element func(k int, ts int64), watermark func(wm int64)) {
	op := NewOperator(Config[int, int, int64, TimeWindow]{
		Assigner: a, Trigger: must(BuildTrigger[int, TimeWindow](trigger, nil)), Keys: state.NewBackend[int](),
		Contents: AggregateOf(func() int64 { return 0 }, func(_ int, n int64) int64 { return n + 1 }, func(a, b int64) int64 { return a + b }),
		Now:      func() int64 { return 0 },
		Fire: func(ctx *Context[int, TimeWindow], n *int64) bool {
			emitCount(ctx.Key, ctx.Window.Start, *n)
			return true
		},
	})
	return func(k int, ts int64) { op.OnElement(k, 0, ts) }, op.OnWatermark
}

// BenchmarkTumblingCount compares the operator with the hand-written loop. Rounds alternate, for the machine is
// noisy; x is the median of operator / hand, wanted <= 1.3 for the tumbling window.
func BenchmarkTumblingCount(b *testing.B) {
	for _, keys := range []uint64{1e2, 1e4} {
		tumbling := must(Tumbling(benchSize*ms, 0, true, Aligned))
		for name, make := range map[string]func() (func(k int, ts int64), func(wm int64)){
			"tumbling": func() (func(k int, ts int64), func(wm int64)) { return operatorTumbling(tumbling, EventTime()) },
			"general": func() (func(k int, ts int64), func(wm int64)) {
				return operatorTumbling(tumbling, must(ContinuousEventTime(benchSize*ms)))
			},
			"session": func() (func(k int, ts int64), func(wm int64)) {
				return operatorTumbling(must(Session(benchSize*ms, true)), EventTime())
			},
		} {
			b.Run(fmt.Sprintf("%s/%d keys", name, keys), func(b *testing.B) { compareWithHand(b, keys, make) })
		}
	}
}

func compareWithHand(b *testing.B, keys uint64, make func() (func(k int, ts int64), func(wm int64))) {
	const round = 200_000
	run := func(from uint64, element func(k int, ts int64), watermark func(wm int64)) float64 {
		start := time.Now()
		for i := from; i < from+round; i++ {
			k, ts := benchInput(i, keys)
			element(k, ts)
			if i%512 == 511 {
				watermark(int64(i/10) - 1)
			}
		}
		return float64(time.Since(start).Nanoseconds()) / round
	}
	handElement, handWatermark := handTumbling(emitCount)
	element, watermark := make()
	var hand, ours []float64
	for i := uint64(0); b.Loop(); i += round {
		hand = append(hand, run(i, handElement, handWatermark))
		ours = append(ours, run(i, element, watermark))
	}
	slices.Sort(hand)
	slices.Sort(ours)
	h, o := hand[len(hand)/2], ours[len(ours)/2]
	b.ReportMetric(h, "ns/hand")
	b.ReportMetric(o, "ns/operator")
	b.ReportMetric(o/h, "x")
}
