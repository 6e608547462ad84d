package window

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestARestoreChangesNothing: an operator that goes on from a snapshot, once it has the watermark again, does what the
// first one would have done.
func TestARestoreChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := ms * duration(rapid.Int64Range(1, 20).Draw(t, "size"))
		assigners := []Assigner[TimeWindow]{
			must(Tumbling(size, 0, true, Aligned)), must(Sliding(3*size, 2*size, 0, true)), must(Session(size, true)),
		}
		c := setup[TimeWindow]{assigner: rapid.SampledFrom(assigners).Draw(t, "assigner"), bounds: true,
			lateness: rapid.Int64Range(0, 30).Draw(t, "lateness"),
			trigger:  rapid.SampledFrom([]TriggerSpec{nil, Purging(EventTime()), Count(2), must(ContinuousEventTime(size / 2 * 2))}).Draw(t, "trigger")}
		es := script(t)
		cut := rapid.IntRange(0, len(es)-1).Draw(t, "cut")
		if _, ok := c.trigger.(continuousSpec); ok {
			// A record behind the watermark sets such a trigger a timer in the past. It goes off with the next
			// watermark, and after a restore that is the old one: only where none waits does nothing change.
			cut = behindRise(es, cut)
		}
		for name, make := range map[string]func() *harness{"reduce": c.reducing, "list": c.listing, "general": func() *harness { return general(c) }} {
			whole, parts := make(), make()
			whole.run(text(es))
			parts.run(text(es[:cut]))
			parts.restore()
			if wm := lastWatermark(es[:cut]); wm != math.MinInt64 {
				n := len(parts.out)
				parts.op.OnWatermark(wm)
				if len(parts.out) != n {
					t.Fatalf("%s: the old watermark fired again: %v", name, parts.out[n:])
				}
			}
			parts.run(tail(es, cut))
			if got, want := normal(parts.out), normal(whole.out); got != want {
				t.Fatalf("%s, %v, %v: with a restore after %d\n got %s\nwant %s", name, c.assigner, c.trigger, cut, got, want)
			}
			if !slices.Equal(parts.late, whole.late) {
				t.Fatalf("%s: late: got %v, want %v", name, parts.late, whole.late)
			}
			if n, k := parts.op.Timers(), parts.keys.Len(); n != whole.op.Timers() || k != whole.keys.Len() {
				t.Fatalf("%s: %d timers and %d keys left, without a restore %d and %d", name, n, k, whole.op.Timers(), whole.keys.Len())
			}
		}
	})
}

// behindRise is the first place from cut on that directly follows a watermark above all before it, or the start.
func behindRise(es []event, cut int) int {
	for cut > 0 && lastWatermark(es[:cut]) == lastWatermark(es[:cut-1]) {
		cut++
	}
	return cut
}

func lastWatermark(es []event) int64 {
	wm := int64(math.MinInt64)
	for _, e := range es {
		if e.wm {
			wm = max(wm, e.ts)
		}
	}
	return wm
}

// tail is the script from an event on, with the values that the records have in the whole one.
func tail(es []event, from int) string {
	return strings.Join(strings.Fields(text(es))[from:], " ")
}

func TestAWindowThatFiredFiresAgainAtTheNextWatermarkAfterARestore(t *testing.T) {
	for name, a := range map[string]Assigner[TimeWindow]{"tumbling": must(Tumbling(10*ms, 0, true, Aligned)), "session": must(Session(10*ms, true))} {
		for path, make := range map[string]func(setup[TimeWindow]) *harness{"fast": setup[TimeWindow].reducing, "general": general} {
			h := make(setup[TimeWindow]{assigner: a, lateness: 100})
			h.run("a:1@0 wm=20 restore a:2@0 wm=21 wm=200")
			h.check(t, name+" "+path, "a:1@9 wm=20 a:3@9 wm=21 wm=200", "")
			if h.op.Timers() != 0 || h.keys.Len() != 0 {
				t.Errorf("%s %s: %d timers and %d keys left", name, path, h.op.Timers(), h.keys.Len())
			}
		}
	}
}

func TestStateOfTriggersAndProcessingTimersSurviveARestore(t *testing.T) {
	h := setup[GlobalWindow]{assigner: Global(false), trigger: Purging(Count(3))}.reducing()
	h.run("a:1@0 b:1@0 a:1@0 restore a:1@0 b:1@0 restore b:1@0")
	h.check(t, "count", "a:3@MAX b:3@MAX", "")

	p := setup[TimeWindow]{assigner: must(Tumbling(10*ms, 0, false, Aligned))}.reducing()
	p.run("pt=3 a:1 restore a:2 pt=9 restore pt=10")
	p.check(t, "processing time", "a:3@9", "")

	d := setup[GlobalWindow]{assigner: Global(false), trigger: Delta(5, func(old, new rec) float64 { return float64(new.v - old.v) })}.reducing()
	d.run("a:1@0 restore a:7@0")
	d.check(t, "delta", "a:8@MAX", "")
}
