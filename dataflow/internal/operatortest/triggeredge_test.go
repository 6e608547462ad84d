package operatortest_test

import (
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/conformance"
)

// coded is a trigger that does what the record says, 0 to 3 for the four results, and the same at the end of the window, where
// atEnd is added. It can merge.
type coded[W Window] struct{ atEnd TriggerResult }

func (c coded[W]) OnElement(v ev, _ int64, w W, ctx *TriggerContext) TriggerResult {
	ctx.RegisterEventTimeTimer(w.MaxTimestamp())
	return TriggerResult(v.V % 4)
}
func (c coded[W]) OnEventTime(ts int64, w W, _ *TriggerContext) TriggerResult {
	if ts == w.MaxTimestamp() {
		return c.atEnd
	}
	return Continue
}
func (coded[W]) OnProcessingTime(int64, W, *TriggerContext) TriggerResult { return Continue }
func (coded[W]) Clear(w W, ctx *TriggerContext)                           { ctx.DeleteEventTimeTimer(w.MaxTimestamp()) }
func (coded[W]) CanMerge() bool                                           { return true }
func (coded[W]) OnMerge(w W, ctx *TriggerContext)                         { ctx.RegisterEventTimeTimer(w.MaxTimestamp()) }

func codedTime(end TriggerResult) AnyTrigger { return CustomTrigger(coded[TimeWindow]{end}) }

func TestResultsOfTriggers(t *testing.T) {
	tumbling := func(t AnyTrigger, e AnyEvictor) func(a, b *DataStream[ev]) conformance.Handle {
		return windows(TumblingEventTime(5*ms), func(w *timeWindows) {
			if w.Trigger(t).AllowedLateness(10 * ms); e != nil {
				w.Evictor(e)
			}
		})
	}
	sessions := func(t AnyTrigger, e AnyEvictor) func(a, b *DataStream[ev]) conformance.Handle {
		return windows(EventTimeSession(3*ms), func(w *timeWindows) {
			if w.Trigger(t).AllowedLateness(10 * ms); e != nil {
				w.Evictor(e)
			}
		})
	}
	for _, c := range []specCase{
		{name: "continue", build: tumbling(codedTime(Continue), nil), script: "a0@1 a4@2 wm=4 wm=99", want: ""},
		{name: "fire keeps the records", build: tumbling(codedTime(Fire), nil), script: "a0@1 a1@2 a4@3 wm=4", want: "[0,5)a0+a1@4 [0,5)a0+a1+a4@4"},
		{name: "purge drops them, with the record at hand", build: tumbling(codedTime(Fire), nil), script: "a0@1 a2@2 wm=4", want: ""},
		{name: "purge is no end", build: tumbling(codedTime(Fire), nil), script: "a0@1 a2@2 a4@3 wm=4", want: "[0,5)a4@4"},
		{name: "fire and purge", build: tumbling(codedTime(Fire), nil), script: "a0@1 a3@2 a4@3 wm=4", want: "[0,5)a0+a3@4 [0,5)a4@4"},
		{name: "fire and purge at the end leaves nothing for what is late", build: tumbling(codedTime(FireAndPurge), nil), script: "a0@1 wm=4 a1@2", want: "[0,5)a0@4 [0,5)a1@4"},
		{name: "fire at the end leaves all for what is late", build: tumbling(codedTime(Fire), nil), script: "a0@1 wm=4 a1@2", want: "[0,5)a0@4 [0,5)a0+a1@4"},
		{name: "purge at the end fires nothing", build: tumbling(codedTime(Purge), nil), script: "a0@1 wm=4 a1@2", want: "[0,5)a1@4"},
		{name: "each key by itself", build: tumbling(codedTime(Fire), nil), script: "a0@1 b0@1 a2@2 wm=4", want: "[0,5)b0@4"},
		{name: "a session: continue", build: sessions(codedTime(Continue), nil), script: "a0@1 a4@2 wm=99", want: ""},
		{name: "a session: fire keeps the records when it grows", build: sessions(codedTime(Fire), nil), script: "a0@1 a1@2 a4@4 wm=6", want: "[1,5)a0+a1@4 [1,7)a0+a1+a4@6"},
		{name: "a session: purge is no end", build: sessions(codedTime(Fire), nil), script: "a0@1 a2@2 a4@4 wm=6", want: "[1,7)a4@6"},
		{name: "a session: purge, then nothing", build: sessions(codedTime(Fire), nil), script: "a0@1 a2@2 wm=6", want: ""},
		{name: "a session: fire and purge", build: sessions(codedTime(Fire), nil), script: "a0@1 a3@2 a4@4 wm=6", want: "[1,5)a0+a3@4 [1,7)a4@6"},
		{name: "a session: fire and purge at the end", build: sessions(codedTime(FireAndPurge), nil), script: "a0@1 wm=3 a1@2", want: "[1,4)a0@3 [1,5)a1@4"},
		{name: "two sessions meet, one was purged", build: sessions(codedTime(Fire), nil), script: "a2@1 a0@7 a4@4 wm=9", want: "[1,10)a0+a4@9"},
		{name: "two sessions meet, both were purged", build: sessions(codedTime(Fire), nil), script: "a2@1 a2@7 a4@4 wm=9", want: "[1,10)a4@9"},
		{name: "a purge takes both sessions that meet", build: sessions(codedTime(Fire), nil), script: "a0@1 a0@7 a2@4 wm=9", want: ""},
		{name: "fire and purge of two sessions that meet", build: sessions(codedTime(Fire), nil), script: "a0@1 a4@7 a3@4 wm=9", want: "[1,10)a0+a4+a3@9"},
		{name: "with an evictor: fire keeps what it left", build: tumbling(codedTime(Fire), CountEvictor(2)), script: "a0@1 a4@2 a1@3 wm=4", want: "[0,5)a4+a1@4 [0,5)a4+a1@4"},
		{name: "with an evictor: fire and purge", build: tumbling(codedTime(Fire), CountEvictor(2)), script: "a0@1 a4@2 a3@3 a8@3 wm=4", want: "[0,5)a4+a3@4 [0,5)a8@4"},
		{name: "with an evictor afterwards: fire and purge", build: tumbling(codedTime(Fire), CountEvictor(1, After(true))), script: "a0@1 a4@2 a3@3 a8@3 wm=4", want: "[0,5)a0+a4+a3@4 [0,5)a8@4"},
		{name: "with an evictor: purge", build: tumbling(codedTime(Fire), CountEvictor(2)), script: "a0@1 a2@2 a4@3 wm=4", want: "[0,5)a4@4"},
		{name: "with an evictor: a session that meets another", build: sessions(codedTime(Fire), CountEvictor(3)), script: "a0@1 a4@7 a8@8 a3@4 a12@5 wm=10", want: "[1,11)a4+a8+a3@10 [1,11)a12@10"},
		{name: "the global window: fire, purge, both", build: global(CustomTrigger(coded[GlobalWindow]{Fire}), nil), script: "a0 a1 a2 a4 a3 a8 end", want: "a0+a1@MAX a4+a3@MAX a8@MAX"},
	} {
		t.Run(c.name, c.run)
	}
}

func TestOddTriggersAndEvictors(t *testing.T) {
	all := func(_, _ ev) float64 { return 1 }
	lasting := func(t AnyTrigger) func(a, b *DataStream[ev]) conformance.Handle {
		return windows(TumblingEventTime(5*ms), func(w *timeWindows) { w.Trigger(t) })
	}
	timeout := func(t AnyTrigger, opts ...TimeoutOption) AnyTrigger {
		return ProcessingTimeoutTrigger(t, 100*ms, opts...)
	}
	for _, c := range []specCase{
		{name: "a count of nothing fires each record", build: global(CountTrigger(0), nil), script: "a1 a2", want: "a1@MAX a1+a2@MAX"},
		{name: "a count below nothing, too", build: global(PurgingTrigger(CountTrigger(-1)), nil), script: "a1 a2", want: "a1@MAX a2@MAX"},
		{name: "an evictor that keeps less than nothing", build: global(CountTrigger(2), CountEvictor(-1)), script: "a1 a2 a3 a4", want: "@MAX @MAX"},
		{name: "an evictor of no time keeps nothing", build: global(CountTrigger(2), TimeEvictor(0)), script: "a1@1 a2@2 a3@2 a4@2", want: "@MAX @MAX"},
		{name: "an evictor of no time afterwards", build: global(CountTrigger(2), TimeEvictor(0, After(true))), script: "a1@1 a2@2 a3@2 a4@2", want: "a1+a2@MAX a3+a4@MAX"},
		{name: "times are ignored afterwards, too, when the first record has none", build: global(CountTrigger(2), TimeEvictor(5*ms, After(true))),
			script: "a1 a2@100 a3@1 a4@200", want: "a1+a2@MAX a1+a2+a3+a4@MAX"},
		{name: "records without times are all kept", build: global(CountTrigger(2), TimeEvictor(0)), script: "a1 a2 a3 a4", want: "a1+a2@MAX a1+a2+a3+a4@MAX"},
		{name: "a delta may take the last record itself", build: global(CountTrigger(2), DeltaEvictor(1, all)), script: "a1 a2 a3 a4", want: "@MAX @MAX"},
		{name: "a delta below its threshold takes none", build: global(CountTrigger(2), DeltaEvictor(1.5, all)), script: "a1 a2 a3 a4", want: "a1+a2@MAX a1+a2+a3+a4@MAX"},
		{name: "the trigger of the end never fires windows that end before it", build: lasting(EndOfStreamTrigger()), script: "a1@1 a2@7 end", want: ""},
		{name: "the trigger of the end and sessions that lateness keeps", build: windows(EventTimeSession(3*ms), func(w *timeWindows) {
			w.Trigger(EndOfStreamTrigger()).AllowedLateness(1<<63 - 1)
		}), script: "a1@9223372036854775000 a2@9223372036854775002 wm=9223372036854775500 end", want: "[9223372036854775000,9223372036854775005)a1+a2@9223372036854775004"},
		{name: "a trigger that never fires", build: windows(EventTimeSession(3*ms), func(w *timeWindows) { w.Trigger(NeverTrigger()) }), script: "a1@1 a2@2 end", want: ""},
		{name: "a purge of what never fires", build: lasting(PurgingTrigger(NeverTrigger())), script: "a1@1 end", want: ""},
		{name: "a continuous trigger on the global window ends with the stream", build: global(ContinuousEventTimeTrigger(3*ms), nil),
			script: "a1@1 wm=4 a2@5 wm=6 end", want: "a1@MAX a1+a2@MAX a1+a2@MAX a1+a2@MAX"},
		{name: "and leaves nothing when it purges", build: global(PurgingTrigger(ContinuousEventTimeTrigger(3*ms)), nil),
			script: "a1@1 wm=4 a2@5 end", want: "a1@MAX a2@MAX"},
		{name: "a delta is kept for each window", build: lasting(DeltaTrigger(2, func(last, v ev) float64 { return float64(v.V - last.V) })),
			script: "a1@1 a5@6 a3@2 a4@3 a8@7 wm=9", want: "[0,5)a1+a3+a4@4 [5,10)a5+a8@9"},
		{name: "a timeout fires a purging count without purging", build: global(timeout(PurgingTrigger(CountTrigger(3))), nil),
			script: "pt=0 a1 a2 pt=100 a3 a4 a5 a6 pt=500", want: "a1+a2@MAX a1+a2+a3+a4+a5@MAX a6@MAX"},
		{name: "a purge around a timeout purges at both", build: global(PurgingTrigger(timeout(CountTrigger(3))), nil),
			script: "pt=0 a1 a2 pt=100 a3 a4 a5 a6 pt=500", want: "a1+a2@MAX a3+a4+a5@MAX a6@MAX"},
		{name: "each record begins the timeout anew", build: global(timeout(CountTrigger(9), ResetOnNewRecord(true)), nil),
			script: "pt=0 a1 pt=60 a2 pt=159 a3 pt=258 a4 pt=357 pt=358 pt=999", want: "a1+a2+a3+a4@MAX"},
		{name: "a timeout of each key", build: global(timeout(CountTrigger(9)), nil), script: "pt=0 a1 pt=50 b2 pt=100 pt=150", want: "a1@MAX b2@MAX"},
		{name: "a timeout that is behind the end of its window", build: lasting(timeout(EventTimeTrigger())), script: "pt=0 a1@1 wm=4 pt=500", want: "[0,5)a1@4"},
		{name: "a count in a session that was purged begins anew with it", build: windows(EventTimeSession(3*ms), func(w *timeWindows) { w.Trigger(PurgingTrigger(CountTrigger(2))) }),
			script: "a1@1 a2@2 a3@3 a4@4 a5@5", want: "[1,5)a1+a2@4 [1,7)a3+a4@6"},
	} {
		t.Run(c.name, c.run)
	}
}
