package operatortest_test

import (
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/conformance"
	"flinkish/dataflow/internal/window"
)

// The corners of windows: where two rules meet, and where a bound is reached.

func TestWindowsAtTheirBounds(t *testing.T) {
	lateness := func(d duration) func(w *timeWindows) { return func(w *timeWindows) { w.AllowedLateness(d) } }
	for _, c := range []specCase{
		{name: "a record between the windows becomes late with its lateness", build: windows(SlidingEventTime(2*ms, 5*ms), lateness(3*ms)),
			script: "wm=5 a1@3 wm=6 a2@3", want: "", dropped: 1},
		{name: "a negative offset of sliding windows", build: windows(SlidingEventTime(4*ms, 2*ms, Offset(-1*ms)), func(w *timeWindows) { w.Trigger(CountTrigger(1)) }),
			script: "a1@0 a2@-4", want: "[-1,3)a1@2 [-3,1)a1@0 [-5,-1)a2@-2 [-7,-3)a2@-4"},
		{name: "a lateness beyond the end of time keeps the window until then", build: windows(TumblingEventTime(5*ms), lateness(1<<63-1)),
			script: "a1@9223372036854775000 wm=9223372036854775004 a2@9223372036854775001 end",
			want:   "[9223372036854775000,9223372036854775005)a1@9223372036854775004 [9223372036854775000,9223372036854775005)a1+a2@9223372036854775004"},
		{name: "a late record goes to those of its windows that are open", build: windows(SlidingEventTime(6*ms, 3*ms), nil),
			script: "wm=5 a1@4 wm=20", want: "[3,9)a1@8"},
		{name: "a record merges into a session that has fired", build: windows(EventTimeSession(3*ms), lateness(10*ms)),
			script: "a1@1 wm=5 a2@3", want: "[1,4)a1@3 [1,6)a1+a2@5"},
		{name: "a late session begins while lateness lasts, and not after it", build: windows(EventTimeSession(3*ms), lateness(5*ms)),
			script: "wm=20 a1@15 a2@10", want: "[15,18)a1@17", dropped: 1},
		{name: "a session that fired moves its end when it grows", build: windows(EventTimeSession(5*ms), lateness(20*ms)),
			script: "a1@1 wm=6 a2@5 wm=8 wm=9 wm=12", want: "[1,6)a1@5 [1,10)a1+a2@9"},
		{name: "a record inside a session that fired fires it again", build: windows(EventTimeSession(5*ms), lateness(20*ms)),
			script: "a1@1 a2@4 wm=9 a3@2", want: "[1,9)a1+a2@8 [1,9)a1+a2+a3@8"},
		{name: "sessions of different keys do not touch", build: windows(EventTimeSession(5*ms), nil),
			script: "a1@1 b2@3 a3@5 end", want: "[3,8)b2@7 [1,10)a1+a3@9"},
		{name: "a session without a time begins where time begins", build: windows(EventTimeSession(3*ms), nil),
			script: "a1 wm=0", want: "[-9223372036854775808,-9223372036854775805)a1@-9223372036854775806"},
		{name: "a gap of one", build: windows(EventTimeSession(ms), nil), script: "a1@1 a2@2 a3@4 end", want: "[1,3)a1+a2@2 [4,5)a3@4"},
		{name: "a long gap covers later records with short ones", build: windows(EventTimeSessionDynamic(func(v ev) duration { return duration(v.V) * ms }), nil),
			script: "a9@0 a1@3 a1@12 a2@9 wm=30", want: "[0,11)a9+a1+a2@10 [12,13)a1@12"},
		{name: "a gap of processing time by the record", build: windows(ProcessingTimeSessionDynamic(func(v ev) duration { return duration(v.V) * ms }), nil),
			script: "pt=0 a5 pt=3 a9 pt=11", want: "[0,12)a5+a9@11"},
		{name: "a window of natural stagger begins with the first record", build: windows(TumblingProcessingTime(10*ms, Stagger(Natural)), nil),
			script: "pt=13 a1 pt=21 a2 pt=22 a3 pt=23 b4 pt=40", want: "[13,23)a1+a2@22 [13,23)a3@22 [23,33)b4@32"},
		{name: "natural stagger is taken from the clock for event time, too", build: windows(TumblingEventTime(10*ms, Stagger(Natural)), nil),
			script: "pt=13 a1@2 pt=18 a2@3 wm=50", want: "[-7,3)a1@2 [3,13)a2@12"},
		{name: "stagger adds to the offset", build: windows(TumblingEventTime(10*ms, Offset(4*ms), Stagger(Natural)), nil),
			script: "pt=13 a1@2 wm=50", want: "[-3,7)a1@6"},
		{name: "an offset of processing time", build: windows(TumblingProcessingTime(10*ms, Offset(-2*ms)), nil),
			script: "pt=7 a1 pt=8 a2 pt=30", want: "[-2,8)a1@7 [8,18)a2@17"},
		{name: "sliding windows of processing time", build: windows(SlidingProcessingTime(4*ms, 2*ms), nil),
			script: "pt=1 a1 pt=2 a2 pt=9", want: "[-2,2)a1@1 [0,4)a1+a2@3 [2,6)a2@5"},
		{name: "lateness has no effect on processing time", build: windows(TumblingProcessingTime(10*ms), lateness(50*ms)),
			script: "pt=3 a1 pt=9 a2 pt=10 a3 pt=99", want: "[0,10)a1@9 [0,10)a2@9 [10,20)a3@19"},
		{name: "each key has its own windows", build: windows(TumblingEventTime(5*ms), nil),
			script: "a1@1 b2@1 wm=4 b3@6 end", want: "[0,5)a1@4 [0,5)b2@4 [5,10)b3@9"},
		{name: "a window behind the watermark of the end is late", build: windows(TumblingEventTime(5*ms), nil), script: "wm=9223372036854775807 a1@1", want: "", dropped: 1},
		{name: "what is late leaves by the side with its time", build: func(s, _ *DataStream[ev]) conformance.Handle {
			out := s.KeyBy(key).Window(EventTimeSession(3 * ms)).SideOutputLateData(late)
			results := bounds(out).(*SingleOutputStreamOperator[string])
			results.GetSideOutput(late)
			return results
		}, script: "a1@9 wm=12 a2@7 a3@8 a4@30 end", want: "[9,12)a1@11 [30,33)a4@32 late: a2@7 a3@8"},
		{name: "an evictor, lateness and late records of one window", build: func(s, _ *DataStream[ev]) conformance.Handle {
			w := s.KeyBy(key).Window(TumblingEventTime(5 * ms)).Evictor(CountEvictor(2)).AllowedLateness(5 * ms).SideOutputLateData(late)
			results := bounds(w).(*SingleOutputStreamOperator[string])
			results.GetSideOutput(late)
			return results
		}, script: "a1@1 a2@2 a3@3 wm=4 a4@4 wm=8 a5@0 wm=9 a6@1 end", want: "[0,5)a2+a3@4 [0,5)a3+a4@4 [0,5)a4+a5@4 late: a6@1"},
		{name: "an evictor, lateness and late records of a session", build: func(s, _ *DataStream[ev]) conformance.Handle {
			w := s.KeyBy(key).Window(EventTimeSession(3 * ms)).Evictor(TimeEvictor(2*ms, After(true))).AllowedLateness(5 * ms).SideOutputLateData(late)
			results := bounds(w).(*SingleOutputStreamOperator[string])
			results.GetSideOutput(late)
			return results
		}, script: "a1@1 a2@3 wm=5 a3@5 wm=11 a4@6 a5@8 a6@6 wm=15 a7@6 a8@1",
			want: "[1,6)a1+a2@5 [1,8)a2+a3@7 [1,9)a3+a4@8 [1,11)a3+a4+a5@10 [1,11)a5+a6@10 late: a7@6 a8@1"},
	} {
		t.Run(c.name, c.run)
	}
}

func TestTriggersAtTheirBounds(t *testing.T) {
	trigger := func(t AnyTrigger, lateness duration) func(w *timeWindows) {
		return func(w *timeWindows) { w.Trigger(t).AllowedLateness(lateness) }
	}
	ten, five := TumblingEventTime(10*ms), TumblingEventTime(5*ms)
	timeout := func(n int64, opts ...TimeoutOption) AnyTrigger {
		return ProcessingTimeoutTrigger(CountTrigger(n), 100*ms, opts...)
	}
	for _, c := range []specCase{
		{name: "a continuous trigger that purges has nothing left for the end", build: windows(ten, trigger(PurgingTrigger(ContinuousEventTimeTrigger(3*ms)), 0)),
			script: "a1@1 wm=3 a2@4 wm=20", want: "[0,10)a1@9 [0,10)a2@9"},
		{name: "a continuous trigger rounds times before zero up past the next multiple", build: windows(ten, trigger(ContinuousEventTimeTrigger(3*ms), 0)),
			script: "a1@-8 wm=-6 a2@-7 wm=-3 wm=0", want: "[-10,0)a1+a2@-1 [-10,0)a1+a2@-1"},
		{name: "a continuous trigger makes up for each interval that a watermark jumps over", build: windows(ten, trigger(ContinuousEventTimeTrigger(3*ms), 5*ms)),
			script: "a1@1 wm=9 a2@2", want: "[0,10)a1@9 [0,10)a1@9 [0,10)a1@9 [0,10)a1+a2@9"},
		{name: "an interval longer than the window fires at its end", build: windows(five, trigger(ContinuousEventTimeTrigger(99*ms), 0)),
			script: "a1@1 wm=3 wm=4 wm=200", want: "[0,5)a1@4"},
		{name: "continuous sessions keep the earlier of their two next firings", build: windows(EventTimeSession(5*ms), trigger(ContinuousEventTimeTrigger(4*ms), 0)),
			script: "a1@7 a2@1 a3@6 wm=3 wm=4 wm=7 wm=8 wm=20", want: "[1,12)a2+a1+a3@11 [1,12)a2+a1+a3@11 [1,12)a2+a1+a3@11"},
		{name: "a continuous trigger on the clock never ends on the global window", build: global(ContinuousProcessingTimeTrigger(3*ms), nil),
			script: "pt=1 a1 pt=3 a2 pt=6 pt=9", want: "a1@MAX a1+a2@MAX a1+a2@MAX"},
		{name: "a continuous trigger on the clock that purges stays silent without records", build: global(PurgingTrigger(ContinuousProcessingTimeTrigger(3*ms)), nil),
			script: "pt=1 a1 pt=3 a2 pt=6 pt=9 pt=12", want: "a1@MAX a2@MAX"},
		{name: "a continuous trigger on the clock fires at multiples and at the end", build: windows(TumblingProcessingTime(10*ms), trigger(ContinuousProcessingTimeTrigger(5*ms), 0)),
			script: "pt=0 a1 pt=2 a2 pt=5 pt=7 a3 pt=9 pt=10 a4 pt=15 pt=18 a5 pt=20",
			want:   "[0,10)a1+a2@9 [0,10)a1+a2+a3@9 [10,20)a4@19 [10,20)a4+a5@19"},
		{name: "a continuous trigger on the clock in windows of event time", build: windows(ten, trigger(ContinuousProcessingTimeTrigger(5*ms), 0)),
			script: "pt=0 a1@1 a2@7 pt=5 a3@8 pt=10 a4@12 pt=15", want: "[0,10)a1+a2@9 [0,10)a1+a2+a3@9 [10,20)a4@19"},
		{name: "a session that grows keeps its next firing by the clock", build: windows(ProcessingTimeSession(10*ms), trigger(ContinuousProcessingTimeTrigger(5*ms), 0)),
			script: "pt=0 a1 pt=2 a2 pt=5 pt=9 pt=10 pt=15 pt=99", want: "[0,12)a1+a2@11 [0,12)a1+a2@11 [0,12)a1+a2@11"},
		{name: "two sessions that meet fire at the earlier of their two times", build: windows(EventTimeSession(10*ms), trigger(ContinuousProcessingTimeTrigger(4*ms), 0)),
			script: "pt=1 a1@1 pt=5 a2@21 pt=6 a3@11 pt=7 pt=8", want: "[1,11)a1@10 [1,31)a1+a2+a3@30"},
		{name: "records are counted in each of their windows", build: windows(SlidingEventTime(4*ms, 2*ms), trigger(CountTrigger(2), 0)),
			script: "a1@1 a2@2 a3@3", want: "[0,4)a1+a2@3 [2,6)a2+a3@5"},
		{name: "a record that merges two sessions fires for the sum of their counts", build: windows(EventTimeSession(3*ms), trigger(CountTrigger(3), 0)),
			script: "a1@1 a2@7 a3@4 a4@5", want: "[1,10)a1+a2+a3@9"},
		{name: "event time fires the global window at the end of time", build: global(EventTimeTrigger(), nil), script: "a1 wm=5 a2 end", want: "a1+a2@MAX"},
		{name: "the clock fires windows of event time", build: windows(five, trigger(ProcessingTimeTrigger(), 0)), script: "a1@1 pt=3 pt=4 wm=9", want: "[0,5)a1@4"},
		{name: "the watermark clears what the clock would have fired", build: windows(five, trigger(ProcessingTimeTrigger(), 0)), script: "a1@1 wm=4 pt=9", want: ""},
		{name: "event time fires windows of the clock, at once behind the watermark", build: windows(TumblingProcessingTime(10*ms), trigger(EventTimeTrigger(), 0)),
			script: "pt=3 a1 wm=9 a2 pt=20", want: "[0,10)a1@9 [0,10)a1+a2@9"},
		{name: "an end-of-stream trigger never sees the end of a window that closes", build: windows(five, trigger(EndOfStreamTrigger(), 0)), script: "a1@1 wm=4 a2@6 end", want: ""},
		{name: "a trigger that never fires", build: windows(five, trigger(NeverTrigger(), 9*ms)), script: "a1@1 wm=4 a2@1 end", want: ""},
		{name: "a timeout keeps the count if it is told to", build: global(timeout(3, ClearOnTimeout(false)), nil),
			script: "pt=0 a1 a2 pt=100 a3 a4 pt=500", want: "a1+a2@MAX a1+a2+a3@MAX a1+a2+a3+a4@MAX"},
		{name: "a timeout begins the count anew", build: global(timeout(3), nil), script: "pt=0 a1 a2 pt=100 a3 a4 pt=500", want: "a1+a2@MAX a1+a2+a3+a4@MAX"},
		{name: "a timeout that clears nothing is not set again", build: global(timeout(9, ClearOnTimeout(false)), nil), script: "pt=0 a1 pt=100 a2 pt=500", want: "a1@MAX"},
		{name: "a full count takes the timeout away", build: global(timeout(2), nil), script: "pt=0 a1 a2 pt=500", want: "a1+a2@MAX"},
		{name: "a timeout begins with the first record", build: global(timeout(9), nil), script: "pt=0 a1 pt=60 a2 pt=99 a3 pt=100 pt=500", want: "a1+a2+a3@MAX"},
		{name: "a timeout fires at every timer of event time, that of the cleanup, too", build: windows(five, trigger(ProcessingTimeoutTrigger(EventTimeTrigger(), 100*ms), 3*ms)),
			script: "pt=0 a1@1 wm=4 wm=7 pt=999", want: "[0,5)a1@4 [0,5)a1@4"},
		{name: "a delta is measured from the record that fired last", build: global(PurgingTrigger(DeltaTrigger(2, func(last, v ev) float64 { return float64(v.V - last.V) })), nil),
			script: "a1 a3 a4 a5 a6 a7", want: "a1+a3+a4@MAX a5+a6+a7@MAX"},
		{name: "a purge inside a purge is one", build: global(PurgingTrigger(PurgingTrigger(CountTrigger(2))), nil), script: "a1 a2 a3 a4", want: "a1+a2@MAX a3+a4@MAX"},
	} {
		t.Run(c.name, c.run)
	}
}

func TestEvictorsAtTheirBounds(t *testing.T) {
	distance := func(v, last ev) float64 { return max(float64(v.V-last.V), float64(last.V-v.V)) }
	firing := func(n int64, e AnyEvictor) func(a, b *DataStream[ev]) conformance.Handle {
		return global(CountTrigger(n), e)
	}
	folded := func(fold func(w *WindowedStream[ev, string, GlobalWindow]) conformance.Handle) func(a, b *DataStream[ev]) conformance.Handle {
		return func(a, _ *DataStream[ev]) conformance.Handle {
			return fold(a.KeyBy(key).Window(GlobalWindows()).Trigger(CountTrigger(2)).Evictor(CountEvictor(3)))
		}
	}
	for _, c := range []specCase{
		{name: "an evictor of all but nothing", build: windows(TumblingEventTime(5*ms), func(w *timeWindows) { w.Evictor(CountEvictor(0)) }), script: "a1@1 a2@2 wm=4", want: "[0,5)@4"},
		{name: "a count after the function", build: firing(1, CountEvictor(2, After(true))), script: "a1 a2 a3 a4", want: "a1@MAX a1+a2@MAX a1+a2+a3@MAX a2+a3+a4@MAX"},
		{name: "times are ignored when the first record has none", build: firing(3, TimeEvictor(5*ms)), script: "a1 a2@100 a3@1", want: "a1+a2+a3@MAX"},
		{name: "the time of the newest record less the span is gone", build: firing(3, TimeEvictor(5*ms)), script: "a1@5 a2@6 a3@10", want: "a2+a3@MAX"},
		{name: "the span is taken from the newest record after the function, too", build: firing(2, TimeEvictor(20*ms, After(true))),
			script: "a1@10 a2@40 a3@35 a4@21 a5@11 a6@12", want: "a1+a2@MAX a2+a3+a4@MAX a2+a3+a4+a5+a6@MAX"},
		{name: "a delta is taken to the last record", build: firing(3, DeltaEvictor(3, distance)), script: "a1 a5 a4", want: "a5+a4@MAX"},
		{name: "what has no distance stays", build: firing(3, DeltaEvictor(3, func(v, last ev) float64 { return math.NaN() })), script: "a1 a5 a4", want: "a1+a5+a4@MAX"},
		{name: "a delta after the function", build: firing(2, DeltaEvictor(3, distance, After(true))), script: "a1 a5 a6 a9", want: "a1+a5@MAX a5+a6+a9@MAX"},
		{name: "a purge takes what the evictor left", build: global(PurgingTrigger(CountTrigger(2)), CountEvictor(1)), script: "a1 a2 a3 a4", want: "a2@MAX a4@MAX"},
		{name: "a reduce is computed anew from what is left", build: folded(func(w *WindowedStream[ev, string, GlobalWindow]) conformance.Handle { return w.Reduce(sumOf) }),
			script: "a1 a2 a3 a4", want: "a3@MAX a9@MAX"},
		{name: "an aggregate is computed anew from what is left", build: folded(func(w *WindowedStream[ev, string, GlobalWindow]) conformance.Handle { return w.Aggregate(concat{}) }),
			script: "a1 a2 a3 a4", want: "<a1a2>@MAX <a2a3a4>@MAX"},
		{name: "a session keeps what its evictor left when it grows", build: windows(EventTimeSession(3*ms), func(w *timeWindows) { w.Trigger(CountTrigger(2)).Evictor(CountEvictor(1)) }),
			script: "a1@1 a2@2 a3@3 a4@4", want: "[1,5)a2@4 [1,7)a4@6"},
	} {
		t.Run(c.name, c.run)
	}
}

// noted is a trigger that writes down its calls; it purges at 9 and fires at 8.
type noted struct{ log *[]string }

func (n noted) note(format string, args ...any) {
	*n.log = append(*n.log, fmt.Sprintf(format, args...))
}

func (n noted) OnElement(v ev, _ int64, w TimeWindow, ctx *TriggerContext) TriggerResult {
	n.note("E%d", v.V)
	ctx.RegisterEventTimeTimer(w.MaxTimestamp())
	switch v.V {
	case 9:
		return Purge
	case 8:
		return Fire
	}
	return Continue
}

func (n noted) OnEventTime(ts int64, w TimeWindow, _ *TriggerContext) TriggerResult {
	n.note("T%d", ts)
	if ts == w.MaxTimestamp() {
		return Fire
	}
	return Continue
}

func (n noted) OnProcessingTime(int64, TimeWindow, *TriggerContext) TriggerResult { return Continue }

func (n noted) Clear(w TimeWindow, ctx *TriggerContext) {
	n.note("C[%d,%d)", w.Start, w.End)
	ctx.DeleteEventTimeTimer(w.MaxTimestamp())
}

func (n noted) CanMerge() bool { return true }

func (n noted) OnMerge(w TimeWindow, ctx *TriggerContext) {
	n.note("M[%d,%d)", w.Start, w.End)
	ctx.RegisterEventTimeTimer(w.MaxTimestamp())
}

func TestATriggerIsCalledInOrder(t *testing.T) {
	for _, c := range []struct {
		specCase
		assigner WindowAssigner[TimeWindow]
		lateness duration
		calls    string
	}{
		{specCase{name: "the timer of the cleanup is seen before the end", script: "a1@1 wm=4 wm=7 wm=20", want: "[0,5)a1@4"}, TumblingEventTime(5 * ms), 3 * ms, "E1 T4 T7 C[0,5)"},
		{specCase{name: "a fire and the end in one", script: "a1@1 wm=4", want: "[0,5)a1@4"}, TumblingEventTime(5 * ms), 0, "E1 T4 C[0,5)"},
		{specCase{name: "a purge leaves the window, which fires nothing", script: "a1@1 a9@2 wm=4", want: ""}, TumblingEventTime(5 * ms), 0, "E1 E9 T4 C[0,5)"},
		{specCase{name: "a purge takes the record itself", script: "a1@1 a9@2 a8@3 wm=4", want: "[0,5)a8@4 [0,5)a8@4"}, TumblingEventTime(5 * ms), 0, "E1 E9 E8 T4 C[0,5)"},
		{specCase{name: "a merge comes first, then the old window goes, then the record is seen", script: "a1@1 a2@3 a3@2 wm=5", want: "[1,6)a1+a2+a3@5"},
			EventTimeSession(3 * ms), 0, "E1 M[1,6) C[1,4) E2 E3 T5 C[1,6)"},
		{specCase{name: "a late record is not seen", script: "wm=4 a1@1", want: "", dropped: 1}, TumblingEventTime(5 * ms), 0, ""},
		{specCase{name: "a window is asked for each of its records", script: "a1@3 wm=20", want: "[0,4)a1@3 [2,6)a1@5"}, SlidingEventTime(4*ms, 2*ms), 0, "E1 E1 T3 C[0,4) T5 C[2,6)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log []string
			c.build = windows(c.assigner, func(w *timeWindows) { w.Trigger(CustomTrigger(noted{&log})).AllowedLateness(c.lateness) })
			c.run(t)
			if got := strings.Join(log, " "); got != c.calls {
				t.Errorf("got the calls %s, want %s", got, c.calls)
			}
		})
	}
}

// decades is an assigner of the program with a trigger of its own.
type decades struct{}

func (decades) AssignWindows(ts, _ int64, into []TimeWindow) []TimeWindow {
	return append(into, TimeWindow{Start: ts / 10 * 10, End: ts/10*10 + 10})
}
func (decades) IsEventTime() bool          { return true }
func (decades) DefaultTrigger() AnyTrigger { return PurgingTrigger(CountTrigger(2)) }

// spans is one whose windows depend on the record, and grow together when they touch.
type spans struct{ decades }

func (spans) Assign(v ev, ts, _ int64, into []TimeWindow) []TimeWindow {
	return append(into, TimeWindow{Start: ts, End: ts + int64(v.V)})
}
func (spans) DefaultTrigger() AnyTrigger { return EventTimeTrigger() }
func (spans) MergeWindows(ws []TimeWindow, merge func(TimeWindow, []TimeWindow)) {
	window.MergeTimeWindows(ws, merge)
}

func TestAssignersOfTheProgram(t *testing.T) {
	for _, c := range []specCase{
		{name: "the trigger is that of the assigner", build: windows(decades{}, nil), script: "a1@1 a2@11 a3@2 a4@3 a5@4 end", want: "[0,10)a1+a3@9 [0,10)a4+a5@9"},
		{name: "unless there is another one", build: windows(decades{}, func(w *timeWindows) { w.Trigger(EventTimeTrigger()) }), script: "a1@1 a2@11 end", want: "[0,10)a1@9 [10,20)a2@19"},
		{name: "the record decides, and windows merge", build: windows(spans{}, nil), script: "a5@1 a3@20 a2@4 a4@22 end", want: "[1,6)a5+a2@5 [20,26)a3+a4@25"},
	} {
		t.Run(c.name, c.run)
	}
}

// Assigners and triggers with a method that would never be called.
type (
	badDefault  struct{ decades }
	badWindows  struct{ decades }
	badAssign   struct{ decades }
	badCanMerge struct{ noted }
)

func (badDefault) DefaultTrigger() TriggerResult         { return Fire }
func (badWindows) MergeWindows([]TimeWindow)             {}
func (badAssign) Assign(v string, ts int64) []TimeWindow { return nil }
func (badCanMerge) CanMerge() string                     { return "yes" }

func TestMethodsThatWouldNeverBeCalled(t *testing.T) {
	for name, do := range map[string]func(k *KeyedStream[ev, string]){
		"DefaultTrigger": func(k *KeyedStream[ev, string]) { k.Window[TimeWindow](badDefault{}) },
		"MergeWindows":   func(k *KeyedStream[ev, string]) { k.Window[TimeWindow](badWindows{}) },
		"Assign":         func(k *KeyedStream[ev, string]) { k.Window[TimeWindow](badAssign{}) },
		"CanMerge": func(k *KeyedStream[ev, string]) {
			k.Window(EventTimeSession(ms)).Trigger(CustomTrigger[ev, TimeWindow](badCanMerge{}))
		},
	} {
		p := newProgram()
		do(p.a.KeyBy(key))
		if err := p.env.Err(); err == nil || !strings.Contains(err.Error(), "InvalidProgram") || !strings.Contains(err.Error(), "method "+name+" of ") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Fold states of window functions.
var (
	seenAll = NewAggregatingStateDescriptor("all", concat{})
	seenMax = NewReducingStateDescriptor("max", func(a, b int) int { return max(a, b) })
)

// perWindow counts the firings of a window in its own state and those of the key in the other one, and tells when the window goes.
type perWindow struct{}

var firings = NewValueStateDescriptor[int]("firings")

func (perWindow) Process(_ string, ctx *ProcessWindowContext[TimeWindow], vs iter.Seq[ev], out Collector[string]) error {
	own, all := ctx.WindowState().State(firings), ctx.GlobalState().State(firings)
	own.Update(own.Value() + 1)
	all.Update(all.Value() + 1)
	ctx.WindowState().ReducingState(seenMax).Add(own.Value())
	ctx.GlobalState().AggregatingState(seenAll).Add(ev{})
	if top, _ := ctx.WindowState().ReducingState(seenMax).Get(); top != own.Value() {
		return fmt.Errorf("the reducing state of the window is %d", top)
	}
	if text, _ := ctx.GlobalState().AggregatingState(seenAll).Get(); len(text) != len("<>")+len("0")*all.Value() {
		return fmt.Errorf("the aggregating state of the key is %s", text)
	}
	out.Collect(fmt.Sprintf("%d/%d:%s", own.Value(), all.Value(), texts(vs)))
	return nil
}

func (perWindow) Clear(ctx *ProcessWindowContext[TimeWindow]) error {
	ctx.WindowState().State(firings).Clear()
	ctx.WindowState().ReducingState(seenMax).Clear()
	return nil
}

// one shows what a window function gets.
type one struct{}

func (one) Process(_ string, ctx *ProcessWindowContext[TimeWindow], vs iter.Seq[string], out Collector[string]) error {
	for v := range vs {
		out.Collect(fmt.Sprint(v, " at ", ctx.CurrentWatermark()))
	}
	return nil
}

func TestFunctionsOfWindows(t *testing.T) {
	counting := func(a WindowAssigner[TimeWindow]) func(s, _ *DataStream[ev]) conformance.Handle {
		return func(s, _ *DataStream[ev]) conformance.Handle {
			return s.KeyBy(key).Window(a).Trigger(CountTrigger(1)).Process(perWindow{})
		}
	}
	for _, c := range []specCase{
		{name: "state of a window is apart from that of its key", build: counting(TumblingEventTime(5 * ms)),
			script: "a1@1 a2@6 a3@2 b4@1 wm=4 a5@6", want: "1/1:a1@4 1/2:a2@9 2/3:a1+a3@4 1/1:b4@4 2/4:a2+a5@9"},
		{name: "state of a window is refused where windows merge", build: counting(EventTimeSession(5 * ms)), script: "a1@1", fails: "UnsupportedOperation|merg"},
		{name: "a function after an aggregate gets its one result", build: func(s, _ *DataStream[ev]) conformance.Handle {
			return s.KeyBy(key).Window(TumblingEventTime(5*ms)).AggregateWith(concat{}, one{})
		}, script: "a1@1 a2@2 wm=7", want: "<a1a2> at 7@4"},
		{name: "accumulators of sessions are merged", build: func(s, _ *DataStream[ev]) conformance.Handle {
			return s.KeyBy(key).Window(EventTimeSession(3 * ms)).Aggregate(concat{})
		}, script: "a1@7 a2@1 a3@4 end", want: "<a2a1a3>@9"},
		{name: "windows without a key are one", build: func(s, _ *DataStream[ev]) conformance.Handle {
			return s.WindowAll(TumblingEventTime(5 * ms)).Reduce(sumOf)
		}, script: "a1@1 b2@2 wm=4 c3@1", want: "a3@4", dropped: 1},
		{name: "counts without a key", build: func(s, _ *DataStream[ev]) conformance.Handle {
			return s.CountWindowAll(2).Reduce(sumOf)
		}, script: "a1 b2 c3 end", want: "a3@MAX"},
		{name: "the greatest of a window, the later one", build: func(s, _ *DataStream[ev]) conformance.Handle {
			return s.WindowAll(TumblingEventTime(5*ms)).MaxByField("V", First(false))
		}, script: "a5@1 b5@2 c4@3 end", want: "b5@4"},
		{name: "the least of a window, the earlier one", build: func(s, _ *DataStream[ev]) conformance.Handle {
			return s.WindowAll(TumblingEventTime(5 * ms)).MinByField("V")
		}, script: "c6@0 a5@1 b5@2 end", want: "a5@4"},
	} {
		t.Run(c.name, c.run)
	}
}

// oneOfAll emits the last record of a window, textOfAll its text.
type oneOfAll struct{}

func (oneOfAll) Process(_ *ProcessWindowContext[TimeWindow], vs iter.Seq[ev], out Collector[ev]) error {
	for v := range vs {
		out.Collect(v)
	}
	return nil
}

type textOfAll struct{}

func (textOfAll) Process(_ *ProcessWindowContext[TimeWindow], vs iter.Seq[string], out Collector[string]) error {
	for v := range vs {
		out.Collect(v)
	}
	return nil
}

func TestWindowsWithoutAKeyAreNamedAsInFlink(t *testing.T) {
	e := NewEnv(WithParallelism(1))
	all := func() *AllWindowedStream[ev, TimeWindow] {
		return e.FromElements(ev{}).WindowAll(TumblingEventTime(5 * ms))
	}
	for _, c := range []struct {
		tr          *Transformation
		full        bool
		state, call string
	}{
		{all().Reduce(sumOf).Transformation(), false, "Reducing", "reduce"},
		{all().ReduceWith(sumOf, oneOfAll{}).Transformation(), true, "Reducing", "reduceWith"},
		{all().Aggregate(concat{}).Transformation(), true, "Aggregating", "aggregate"},
		{all().AggregateWith(concat{}, textOfAll{}).Transformation(), false, "Aggregating", "aggregateWith"},
		{all().Process(oneOfAll{}).Transformation(), true, "List", "process"},
		{all().Apply(func(_ TimeWindow, _ iter.Seq[ev], _ Collector[string]) {}).Transformation(), true, "List", "apply"},
		{all().ApplyE(func(_ TimeWindow, _ iter.Seq[ev], _ Collector[string]) error { return nil }).Transformation(), true, "List", "applyE"},
		{all().MaxField("V").Transformation(), false, "Reducing", "maxField"},
		{all().Evictor(CountEvictor(2)).Reduce(sumOf).Transformation(), false, "List", "reduce"},
		{all().Evictor(CountEvictor(2)).Aggregate(concat{}).Transformation(), true, "List", "aggregate"},
	} {
		evictor := ""
		if c.state == "List" && (c.call == "reduce" || c.call == "aggregate") {
			evictor = "CountEvictor(2), "
		}
		begin := "TriggerWindow(TumblingEventTimeWindows(5), " + c.state + "StateDescriptor{name=window-contents}, EventTimeTrigger(), " +
			evictor + "AllWindowedStream." + c.call + "(windowedge_test.go:"
		if !strings.HasPrefix(c.tr.Description, begin) {
			t.Errorf("%s: got %s", c.call, c.tr.Description)
		}
		if want := map[bool]string{true: c.tr.Description, false: "TumblingEventTimeWindows"}[c.full]; c.tr.Name != want {
			t.Errorf("%s: got the name %s", c.call, c.tr.Name)
		}
	}
}
