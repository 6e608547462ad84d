package operatortest_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
)

// Built-in assigners and evictors of programs, where the numbers are odd: at the ends of time, with gaps that are none, with
// sizes that slides do not divide.

func TestAssignersAtTheEndsOfTime(t *testing.T) {
	const end = "wm=9223372036854775807"
	counting := func(w *timeWindows) { w.Trigger(CountTrigger(1)) }
	gap := func(v ev) duration { return duration(v.V) * ms }
	for _, c := range []specCase{
		{name: "the last window ends with time", build: windows(TumblingEventTime(5*ms), nil),
			script: "a1@9223372036854775806 a2@9223372036854775804 wm=9223372036854775804 " + end,
			want:   "[9223372036854775800,9223372036854775805)a2@9223372036854775804 [9223372036854775805,9223372036854775807)a1@9223372036854775806"},
		{name: "the first window begins with time", build: windows(TumblingEventTime(5*ms), nil),
			script: "a1@-9223372036854775807 a2@-9223372036854775804 wm=-9223372036854775805 wm=-9223372036854775800",
			want:   "[-9223372036854775808,-9223372036854775805)a1@-9223372036854775806 [-9223372036854775805,-9223372036854775800)a2@-9223372036854775801"},
		{name: "an offset does not leave time", build: windows(TumblingEventTime(5*ms, Offset(4*ms)), nil),
			script: "a1@-9223372036854775807 a2@9223372036854775806 wm=-9223372036854775000 " + end,
			want:   "[-9223372036854775808,-9223372036854775806)a1@-9223372036854775807 [9223372036854775804,9223372036854775807)a2@9223372036854775806"},
		{name: "a negative offset does not leave time", build: windows(TumblingEventTime(5*ms, Offset(-4*ms)), nil),
			script: "a1@-9223372036854775807 a2@9223372036854775806 wm=-9223372036854775000 " + end,
			want:   "[-9223372036854775808,-9223372036854775804)a1@-9223372036854775805 [9223372036854775806,9223372036854775807)a2@9223372036854775806"},
		{name: "sliding windows at the end", build: windows(SlidingEventTime(6*ms, 3*ms), counting),
			script: "a1@9223372036854775806", want: "[9223372036854775806,9223372036854775807)a1@9223372036854775806 [9223372036854775803,9223372036854775807)a1@9223372036854775806"},
		{name: "sliding windows at the beginning", build: windows(SlidingEventTime(6*ms, 3*ms), counting),
			script: "a1@-9223372036854775804",
			want:   "[-9223372036854775806,-9223372036854775800)a1@-9223372036854775801 [-9223372036854775808,-9223372036854775803)a1@-9223372036854775804"},
		{name: "a session at the end", build: windows(EventTimeSession(10*ms), nil), script: "a1@9223372036854775800 a2@9223372036854775806 a3@9223372036854775780 " + end,
			want: "[9223372036854775780,9223372036854775790)a3@9223372036854775789 [9223372036854775800,9223372036854775807)a1+a2@9223372036854775806"},
		{name: "a session of any trigger at the end", build: windows(EventTimeSession(10*ms), func(w *timeWindows) { w.Trigger(CountTrigger(2)) }),
			script: "a1@9223372036854775800 a2@9223372036854775806", want: "[9223372036854775800,9223372036854775807)a1+a2@9223372036854775806"},
		{name: "a gap that is greater than time", build: windows(EventTimeSessionDynamic(func(ev) duration { return 1<<63 - 1 }), nil),
			script: "a1@9223372036854000000 a2@9223372036854775000 " + end, want: "[9223372036854000000,9223372036854775807)a1+a2@9223372036854775806"},
		{name: "lateness does not leave time for a record between the windows", build: windows(SlidingEventTime(2*ms, 5*ms), func(w *timeWindows) { w.AllowedLateness(100 * ms) }),
			script: "wm=9223372036854775000 a1@9223372036854775799", want: ""},
		{name: "a continuous trigger at the end fires no more", build: windows(TumblingEventTime(50*ms), func(w *timeWindows) { w.Trigger(ContinuousEventTimeTrigger(30 * ms)) }),
			script: "a1@9223372036854775801 wm=9223372036854775802 wm=9223372036854775805 " + end, want: "[9223372036854775800,9223372036854775807)a1@9223372036854775806"},
		{name: "a gap of nothing", build: windows(EventTimeSessionDynamic(gap), nil), script: "a1@1 a0@2", fails: "IllegalArgument|gap must be positive"},
		{name: "a gap that goes back", build: windows(EventTimeSessionDynamic(gap), nil), script: "a-1@1", fails: "IllegalArgument|gap must be positive"},
		{name: "a gap of nothing on the clock", build: windows(ProcessingTimeSessionDynamic(gap), nil), script: "pt=5 a0", fails: "IllegalArgument|gap must be positive"},
		{name: "a gap of less than a millisecond", build: windows(EventTimeSessionDynamic(func(ev) duration { return time.Microsecond }), nil),
			script: "a1@1", fails: "IllegalArgument|gap must be positive"},
		{name: "a size that the slide does not divide", build: windows(SlidingEventTime(7*ms, 3*ms), nil), script: "a1@0 a2@5 wm=99",
			want: "[-6,1)a1@0 [-3,4)a1@3 [0,7)a1+a2@6 [3,10)a2@9"},
		{name: "the same on the clock", build: windows(SlidingProcessingTime(7*ms, 3*ms), nil), script: "pt=0 a1 pt=5 a2 pt=99",
			want: "[-6,1)a1@0 [-3,4)a1@3 [0,7)a1+a2@6 [3,10)a2@9"},
		{name: "sliding windows before zero", build: windows(SlidingEventTime(4*ms, 2*ms), nil), script: "a1@-1 wm=99", want: "[-4,0)a1@-1 [-2,2)a1@1"},
		{name: "a session before zero", build: windows(EventTimeSession(3*ms), nil), script: "a1@-1 a2@-4 a3@2 wm=99", want: "[-4,5)a1+a2+a3@4"},
		{name: "a record without a time has no sliding window", build: windows(SlidingEventTime(4*ms, 2*ms), nil), script: "a1", fails: "Runtime|timestamp"},
		{name: "a size of one", build: windows(TumblingEventTime(ms), nil), script: "a1@-1 a2@0 wm=-1 wm=0", want: "[-1,0)a1@-1 [0,1)a2@0"},
	} {
		t.Run(c.name, c.run)
	}
}

// TestARandomStaggerIsOneForTheWindowsOfASubtask: it is less than their size, and follows from the seed.
func TestARandomStaggerIsOneForTheWindowsOfASubtask(t *testing.T) {
	starts := map[int64]bool{}
	for range 8 {
		e := NewEnv(WithParallelism(1))
		d := drive(t, windows(TumblingEventTime(1000*ms, Stagger(Random)), nil)(&e.FromData(ev{}).DataStream, nil))
		for _, word := range strings.Fields("a1@0 a2@5000 a3@-3000 wm=99999") {
			d.step(t, word)
		}
		all := d.shown(false)
		if len(all) != 3 || d.Err != nil {
			t.Fatal(all, d.Err)
		}
		var grid int64
		for i, w := range all {
			var start, end int64
			if _, err := fmt.Sscanf(w, "[%d,%d)", &start, &end); err != nil || end-start != 1000 {
				t.Fatal(w, err)
			}
			if at := (start%1000 + 1000) % 1000; i == 0 {
				grid = at
			} else if at != grid {
				t.Errorf("the windows %v are not on one grid", all)
			}
		}
		starts[grid] = true
	}
	if len(starts) > 1 {
		t.Errorf("one subtask of one seed has the grids %v", starts)
	}
}

func TestTwoSubtasksStaggerApart(t *testing.T) {
	e := NewEnv(WithParallelism(2), WithDeterministic(1))
	keys := make([]int, 50)
	for i := range keys {
		keys[i] = i
	}
	at := ForMonotonousTimestamps[int]().WithTimestampAssigner(func(int, int64) int64 { return 5000 })
	starts, err := e.FromSlice(keys).AssignTimestampsAndWatermarks(at).KeyBy(func(k int) int { return k }).
		Window(TumblingEventTime(1000*ms, Stagger(Random))).
		Apply(func(_ int, w TimeWindow, _ iter.Seq[int], out Collector[int64]) { out.Collect(w.Start) }).
		ExecuteAndCollectLimit(context.Background(), len(keys))
	slices.Sort(starts)
	if grids := slices.Compact(slices.Clone(starts)); err != nil || len(starts) != len(keys) || len(grids) != 2 {
		t.Errorf("the windows of %d keys start at %v: %v; want one start for each of two subtasks", len(starts), grids, err)
	}
}

// letting is an evictor that writes down its calls. Before the function it lets those go that are even, afterwards those above 5.
type letting struct{ log *[]string }

func (l letting) note(when string, vs []Timestamped[ev], w TimeWindow, ctx *EvictorContext, keep func(v int) bool) (kept []Timestamped[ev]) {
	var all []string
	for _, v := range vs {
		all = append(all, fmt.Sprint(v.Value))
		if keep(v.Value.V) {
			kept = append(kept, v)
		}
	}
	*l.log = append(*l.log, fmt.Sprintf("%s[%d,%d)%s/%d/%d", when, w.Start, w.End, strings.Join(all, "+"), ctx.CurrentWatermark, ctx.CurrentProcessingTime))
	return kept
}

func (l letting) EvictBefore(vs []Timestamped[ev], w TimeWindow, ctx *EvictorContext) []Timestamped[ev] {
	return l.note("B", vs, w, ctx, func(v int) bool { return v%2 != 0 })
}

func (l letting) EvictAfter(vs []Timestamped[ev], w TimeWindow, ctx *EvictorContext) []Timestamped[ev] {
	return l.note("A", vs, w, ctx, func(v int) bool { return v <= 5 })
}

func TestAnEvictorIsCalledInOrder(t *testing.T) {
	for _, c := range []struct {
		specCase
		trigger AnyTrigger
		calls   string
	}{
		{specCase{name: "before and after the function, and what is left is there for the next time", script: "wm=-1 a1@1 a2@2 a7@3 pt=8 a3@4 wm=9",
			want: "[0,5)a1@4 [0,5)a1+a7+a3@4"}, CountTrigger(2), "B[0,5)a1+a2/-1/0 A[0,5)a1/-1/0 B[0,5)a1+a7+a3/-1/8 A[0,5)a1+a7+a3/-1/8"},
		{specCase{name: "the function is called for nothing, and so is the evictor after it", script: "wm=-1 a2@1 a4@2 wm=9", want: "[0,5)@4"},
			EventTimeTrigger(), "B[0,5)a2+a4/9/0 A[0,5)/9/0"},
		{specCase{name: "a purge takes what it left", script: "wm=-1 a1@1 a3@2 a5@3 a7@4 wm=9", want: "[0,5)a1+a3@4 [0,5)a5+a7@4"},
			PurgingTrigger(CountTrigger(2)), "B[0,5)a1+a3/-1/0 A[0,5)a1+a3/-1/0 B[0,5)a5+a7/-1/0 A[0,5)a5+a7/-1/0"},
		{specCase{name: "what left nothing is an empty window, which does not fire", script: "wm=-1 a7@1 wm=4", want: "[0,5)a7@4"}, CountTrigger(1), "B[0,5)a7/-1/0 A[0,5)a7/-1/0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log []string
			c.build = windows(TumblingEventTime(5*ms), func(w *timeWindows) { w.Trigger(c.trigger).Evictor(CustomEvictor[ev, TimeWindow](letting{&log})) })
			c.run(t)
			if got := strings.Join(log, " "); got != c.calls {
				t.Errorf("got the calls %s, want %s", got, c.calls)
			}
		})
	}
}
