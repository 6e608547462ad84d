package window

import (
	"testing"

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

// BenchmarkTumblingCount compares the operator with the hand-written loop; wanted is a ratio <= 1.3.
func BenchmarkTumblingCount(b *testing.B) {
	for _, keys := range []uint64{1e2, 1e4} {
		name := map[uint64]string{1e2: "1e2 keys", 1e4: "1e4 keys"}[keys]
		run := func(name string, element func(k int, ts int64), watermark func(wm int64)) {
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				for i := range uint64(b.N) {
					k, ts := benchInput(i, keys)
					element(k, ts)
					if i%512 == 511 {
						watermark(int64(i/10) - 1)
					}
				}
			})
		}
		e, w := handTumbling(emitCount)
		run("hand/"+name, e, w)
		tumbling := must(Tumbling(benchSize*ms, 0, true, Aligned))
		e, w = operatorTumbling(tumbling, EventTime())
		run("operator/"+name, e, w)
		e, w = operatorTumbling(tumbling, must(ContinuousEventTime(benchSize*ms)))
		run("general path/"+name, e, w)
		e, w = operatorTumbling(must(Session(benchSize*ms, true)), EventTime())
		run("session/"+name, e, w)
	}
}
