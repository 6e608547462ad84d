package window

import (
	"strings"
	"testing"

	"flinkish/dataflow/internal/fault"
)

// script is the input of many cases.
const eight = `key2:1@3999 key2:1@3000 key1:1@20 key1:1@0 key1:1@999 key2:1@1998 key2:1@1999 key2:1@1000 `

func TestTimeWindows(t *testing.T) {
	tumbling := func(size int64) Assigner[TimeWindow] {
		return must(Tumbling(ms*duration(size), 0, true, Aligned))
	}
	session := func() Assigner[TimeWindow] { return must(Session(3*s, true)) }
	const sessionScript = `key2:1@1000 wm=1999 key2:1@2000 wm=4998 key2:1@4500 key2:1@8500 wm=7400 key2:1@7000 wm=11501
		key2:1@11600 wm=14600 key2:1@10000 key2:1@14500 wm=20000 wm=100000`
	cases := []struct {
		name       string
		setup      setup[TimeWindow]
		in         string
		want, late string
	}{
		{"a watermark fires exactly the sliding windows whose end it reached",
			setup[TimeWindow]{assigner: must(Sliding(3*s, s, 0, true))},
			eight + "wm=999 wm=1999 wm=2999 wm=3999 wm=4999 wm=5999 wm=6999 wm=7999",
			`key1:3@999 wm=999 key1:3@1999 key2:3@1999 wm=1999 key1:3@2999 key2:3@2999 wm=2999 key2:5@3999 wm=3999
			 key2:2@4999 wm=4999 key2:2@5999 wm=5999 wm=6999 wm=7999`, ""},
		{"a tumbling window fires at end - 1 and not before",
			setup[TimeWindow]{assigner: tumbling(3000)},
			eight + "wm=999 wm=1999 wm=2999 wm=3999 wm=4999 wm=5999 wm=6999 wm=7999",
			`wm=999 wm=1999 key1:3@2999 key2:3@2999 wm=2999 wm=3999 wm=4999 key2:2@5999 wm=5999 wm=6999 wm=7999`, ""},
		{"sessions of a key that do not touch stay apart",
			setup[TimeWindow]{assigner: session(), bounds: true},
			`key2:1@0 key2:2@1000 key2:3@2500 key1:1@10 key1:2@1000 key1:3@2500 key2:4@5501 key2:5@6000 key2:5@6000
			 key2:6@6050 wm=12000 key2:10@15000 key2:20@15000 wm=17999`,
			`key1-6[10,5500)@5499 key2-6[0,5500)@5499 key2-20[5501,9050)@9049 wm=12000 key2-30[15000,18000)@17999 wm=17999`, ""},
		{"touching sessions merge",
			setup[TimeWindow]{assigner: session(), bounds: true}, "a:1@0 a:2@3000 wm=6000", "a-3[0,6000)@5999 wm=6000", ""},
		{"an allowed late record fires at once, alone after a purge",
			setup[TimeWindow]{assigner: tumbling(2000), trigger: Purging(EventTime()), lateness: 500},
			`key2:1@500 wm=1500 key2:1@1300 wm=2300 key2:1@1997 wm=6000 key2:1@1998 wm=7000`,
			`wm=1500 key2:2@1999 wm=2300 key2:1@1999 wm=6000 wm=7000`, "key2:1@1998"},
		{"an allowed late record fires at once, with the earlier ones where nothing was purged",
			setup[TimeWindow]{assigner: tumbling(2000), lateness: 500, noLate: true},
			`key2:1@500 wm=1500 key2:1@1300 wm=2300 key2:1@1997 wm=6000 key2:1@1998 wm=7000`,
			`wm=1500 key2:2@1999 wm=2300 key2:3@1999 wm=6000 wm=7000`, ""},
		{"a window is late as soon as the watermark is its last millisecond",
			setup[TimeWindow]{assigner: tumbling(2000)},
			`key2:1@1000 wm=1985 key2:1@1980 wm=1999 key2:1@1998 key2:1@2001 wm=2999 wm=3999`,
			`wm=1985 key2:2@1999 wm=1999 wm=2999 key2:1@3999 wm=3999`, "key2:1@1998"},
		{"late records do not merge with finished sessions nor with each other",
			setup[TimeWindow]{assigner: session(), trigger: Purging(EventTime()), bounds: true},
			strings.Replace(sessionScript, "key2:1@10000", "key2:1@10000 key2:1@10100", 1),
			`wm=1999 wm=4998 wm=7400 key2-5[1000,11500)@11499 wm=11501 key2-1[11600,14600)@14599 wm=14600
			 key2-1[14500,17500)@17499 wm=20000 wm=100000`, "key2:1@10000 key2:1@10100"},
		{"with lateness 0 a session that accumulates acts like one that purges",
			setup[TimeWindow]{assigner: session(), bounds: true}, sessionScript,
			`wm=1999 wm=4998 wm=7400 key2-5[1000,11500)@11499 wm=11501 key2-1[11600,14600)@14599 wm=14600
			 key2-1[14500,17500)@17499 wm=20000 wm=100000`, "key2:1@10000"},
		{"a late record bridges two sessions that lateness kept",
			setup[TimeWindow]{assigner: session(), lateness: 10000, bounds: true}, sessionScript,
			`wm=1999 wm=4998 wm=7400 key2-5[1000,11500)@11499 wm=11501 key2-1[11600,14600)@14599 wm=14600
			 key2-7[1000,14600)@14599 key2-8[1000,17500)@17499 wm=20000 wm=100000`, ""},
		{"a late record joins the session that a short lateness kept, and it alone",
			setup[TimeWindow]{assigner: session(), lateness: 10, bounds: true}, sessionScript,
			`wm=1999 wm=4998 wm=7400 key2-5[1000,11500)@11499 wm=11501 key2-1[11600,14600)@14599 wm=14600
			 key2-2[10000,14600)@14599 key2-3[10000,17500)@17499 wm=20000 wm=100000`, ""},
		{"a late record joins a session that was purged, which goes on from there",
			setup[TimeWindow]{assigner: session(), trigger: Purging(EventTime()), lateness: 10, bounds: true}, sessionScript,
			`wm=1999 wm=4998 wm=7400 key2-5[1000,11500)@11499 wm=11501 key2-1[11600,14600)@14599 wm=14600
			 key2-1[10000,14600)@14599 key2-1[10000,17500)@17499 wm=20000 wm=100000`, ""},
		{"a record is late for some of its windows, and then for all",
			setup[TimeWindow]{assigner: must(Sliding(3*s, s, 0, true))},
			`key2:1@1000 wm=1999 key2:1@2000 wm=3000 key1:1@3001 key2:1@2400 key2:1@2400 key1:1@3001 key2:1@3900 wm=6000
			 key1:1@3001 wm=25000`,
			`key2:1@1999 wm=1999 key2:2@2999 wm=3000 key1:2@3999 key2:5@3999 key1:2@4999 key2:4@4999 key1:2@5999 key2:1@5999
			 wm=6000 wm=25000`, "key1:1@3001"},
		{"sliding windows of processing time close one by one",
			setup[TimeWindow]{assigner: must(Sliding(3*s, s, 0, false))},
			`pt=3 key2:1@MAX pt=1000 key2:1@MAX key2:1@MAX pt=2000 key1:1@MAX key1:1@MAX pt=3000 key1:1@MAX key1:1@MAX key1:1@MAX pt=7000`,
			`key2:1@999 key2:3@1999 key1:2@2999 key2:3@2999 key1:5@3999 key2:2@3999 key1:5@4999 key1:3@5999`, ""},
		{"cleanup of a tumbling window emits nothing",
			setup[TimeWindow]{assigner: tumbling(2000), lateness: 1}, `key2:1@1000 wm=1599 wm=1999 wm=2000 wm=5000`,
			`wm=1599 key2:1@1999 wm=1999 wm=2000 wm=5000`, ""},
		{"cleanup of a session emits nothing",
			setup[TimeWindow]{assigner: session(), lateness: 10}, `key2:1@1000 wm=4998 wm=14600`, `key2:1@3999 wm=4998 wm=14600`, ""},
		{"tumbling windows of processing time ignore timestamps",
			setup[TimeWindow]{assigner: must(Tumbling(3*s, 0, false, Aligned))},
			`pt=3 key2:1@MAX key2:1@7000 key2:1@7000 key1:1@7000 key1:1@7000 pt=5000 key1:1@7000 key1:1@7000 key1:1@7000 pt=7000`,
			`key2:3@2999 key1:2@2999 key1:3@5999`, ""},
		{"sessions of processing time merge by the clock",
			setup[TimeWindow]{assigner: must(Session(3*s, false))},
			`pt=3 key2:1@1 pt=1000 key2:1@1002 pt=5000 key2:1@5000 key2:1@5000 key1:1@5000 key1:1@5000 key1:1@5000 pt=10000`,
			`key2:2@3999 key2:2@7999 key1:3@7999`, ""},
		{"lateness is judged by the operator's watermark, not by key",
			setup[TimeWindow]{assigner: tumbling(1)}, `1:1@1 wm=1 2:2@2 wm=2 5:5@5 wm=5 3:3@3 4:4@4 wm=MAX`,
			`1:1@1 wm=1 2:2@2 wm=2 5:5@5 wm=5 wm=MAX`, "3:3@3 4:4@4"},
		{"a record that belongs to no window is late only when its own time is over",
			setup[TimeWindow]{assigner: must(Sliding(s, 3*s, 0, true))}, `a:1@1500 wm=2000 a:1@1500 a:1@2500 wm=3000`, `wm=2000 wm=3000`, "a:1@1500"},
		{"windows of negative time work",
			setup[TimeWindow]{assigner: tumbling(5000)}, `a:1@-1 a:1@-5000 a:1@-5001 wm=-5001 wm=-1`, `a:1@-5001 wm=-5001 a:2@-1 wm=-1`, ""},
		{"a count trigger on sessions adds the counts of merged sessions",
			setup[TimeWindow]{assigner: session(), trigger: Count(3), bounds: true}, `a:1@0 a:1@5000 a:1@2500 wm=9000`, `a-3[0,8000)@7999 wm=9000`, ""},
		{"early firings come at the multiples of the interval and at the end",
			setup[TimeWindow]{assigner: tumbling(5000), trigger: must(ContinuousEventTime(2 * s))},
			`a:1@100 wm=1999 wm=2000 a:1@2100 wm=4000 wm=4999 wm=9000`, `wm=1999 a:1@4999 wm=2000 a:2@4999 wm=4000 a:2@4999 wm=4999 wm=9000`, ""},
		{"early firings by the clock stop at the window's end",
			setup[TimeWindow]{assigner: tumbling(5000), trigger: must(ContinuousProcessingTime(2 * s))},
			`pt=100 a:1@100 pt=2000 a:1@100 pt=4000 pt=4999 pt=8000 wm=9000`, `a:1@4999 a:2@4999 a:2@4999 wm=9000`, ""},
	}
	for _, c := range cases {
		for kind, make := range map[string]func() *harness{"reduce": c.setup.reducing, "aggregate": c.setup.aggregating, "list": c.setup.listing} {
			h := make()
			h.run(c.in)
			h.check(t, c.name+" ("+kind+")", c.want, c.late)
		}
		// the same with the general path: a custom trigger is not recognised
		if trigger := c.setup.trigger; trigger == nil && c.setup.assigner.IsEventTime() {
			c.setup.trigger = Custom[rec, TimeWindow](&wrapped{must(BuildTrigger[rec, TimeWindow](EventTime(), nil))})
			h := c.setup.reducing()
			h.run(c.in)
			h.check(t, c.name+" (general path)", c.want, c.late)
		}
	}
}

// wrapped hides a trigger from the fast path.
type wrapped struct{ Trigger[rec, TimeWindow] }

func (w *wrapped) CanMerge() bool { return true }
func (w *wrapped) OnMerge(tw TimeWindow, c *TriggerContext[TimeWindow]) {
	w.Trigger.(MergingTrigger[TimeWindow]).OnMerge(tw, c)
}

func TestGlobalWindows(t *testing.T) {
	delta := func(v, last rec) float64 { return float64(last.v - v.v) }
	cases := []struct {
		name     string
		setup    setup[GlobalWindow]
		in, want string
	}{
		{"a purging count trigger starts at zero again, for each key",
			setup[GlobalWindow]{trigger: Purging(Count(4))},
			`key2:1@3000 key2:1@3999 key1:1@20 key1:1@0 key1:1@999 key2:1@1998 key2:1@1999 key2:1@1000 key1:1@10999
			 key2:1@1000 key2:1@1000 key2:1@1000`, `key2:4@MAX key1:4@MAX key2:4@MAX`},
		{"a count trigger does not clear the contents",
			setup[GlobalWindow]{trigger: Count(2)}, `a:1@1 a:1@2 a:1@3 a:1@4 a:1@5`, `a:2@MAX a:4@MAX`},
		{"a count evictor keeps the last n: countWindow(4, 2)",
			setup[GlobalWindow]{trigger: Count(2), evictor: CountEvictor(4, false)},
			`key2:1@3000 key2:1@3999 key1:1@20 key1:1@0 key1:1@999 key2:1@1998 key2:1@1999 key2:1@1000 key1:1@10999 key2:1@1000`,
			`key2:2@MAX key1:2@MAX key2:4@MAX key1:4@MAX key2:4@MAX`},
		{"a time evictor does nothing without timestamps",
			setup[GlobalWindow]{trigger: Count(2), evictor: TimeEvictor(2*s, true)}, `a:1 a:1 a:1 a:1`, `a:2@MAX a:4@MAX`},
		{"a time evictor tests every element, and its bound is inclusive",
			setup[GlobalWindow]{trigger: Count(4), evictor: TimeEvictor(2*s, false)}, `a:1@3000 a:2@999 a:4@1000 a:8@1001`, `a:9@MAX`},
		{"a delta evictor after the function removes for the next firing",
			setup[GlobalWindow]{trigger: Count(2), evictor: DeltaEvictor(2, delta, true)},
			`key2:1@3000 key2:4@3999 key1:1@20 key1:1@0 key1:5@999 key2:5@1998 key2:6@1999 key2:1@1000 key1:9@10999 key2:10@1000`,
			`key2:5@MAX key1:2@MAX key2:15@MAX key1:16@MAX key2:22@MAX`},
		{"a count window that is not full is never emitted",
			setup[GlobalWindow]{trigger: Purging(Count(3))}, `a:1 a:1 a:1 a:1 wm=MAX`, `a:3@MAX wm=MAX`},
		{"the default trigger never fires", setup[GlobalWindow]{}, `a:1 a:1 wm=MAX`, `wm=MAX`},
		{"the end-of-stream trigger fires once, at MAX",
			setup[GlobalWindow]{assigner: Global(true)}, `a:1@1 a:1@2 wm=5 wm=MAX`, `wm=5 a:2@MAX wm=MAX`},
		{"a delta trigger fires above the threshold, and then measures from there",
			setup[GlobalWindow]{trigger: Delta(2, delta2)}, `a:1 a:3 a:4 a:6 a:7`, `a:8@MAX a:21@MAX`},
		{"a continuous trigger fires each key from its first record on, whatever comes later",
			setup[GlobalWindow]{trigger: must(ContinuousEventTime(3 * s))},
			`key1:1@0 key2:1@3000 key2:1@3999 key1:1@20 key1:1@999 key2:1@1998 key2:1@1999 key2:1@1000 wm=1000 wm=2000 wm=3000
			 wm=4000 wm=5000 wm=6000 wm=7000 wm=8000`,
			`wm=1000 wm=2000 key1:3@MAX wm=3000 wm=4000 wm=5000 key1:3@MAX key2:5@MAX wm=6000 wm=7000 wm=8000`},
		{"a timeout fires what a count trigger would keep waiting",
			setup[GlobalWindow]{trigger: Purging(ProcessingTimeout(Count(3), 100*ms, false, true))},
			`pt=0 a:1 pt=50 a:1 pt=99 pt=100 a:1 a:1 a:1 pt=300`, `a:2@MAX a:3@MAX`},
		{"a timeout may start anew with each record",
			setup[GlobalWindow]{trigger: Purging(ProcessingTimeout(Count(9), 100*ms, true, true))},
			`pt=0 a:1 pt=50 a:1 pt=100 a:1 pt=150 pt=200 pt=300`, `a:3@MAX`},
	}
	for _, c := range cases {
		if c.setup.assigner == nil {
			c.setup.assigner = Global(false)
		}
		makers := []func() *harness{c.setup.listing}
		if c.setup.evictor == nil {
			makers = append(makers, c.setup.reducing)
		}
		for _, make := range makers {
			h := make()
			h.run(c.in)
			h.check(t, c.name, c.want, "")
		}
	}
}

func delta2(old, new rec) float64 { return float64(new.v - old.v) }

func TestEvictorOnTimeWindows(t *testing.T) {
	h := setup[TimeWindow]{assigner: must(Tumbling(4*s, 0, true, Aligned)), evictor: CountEvictor(4, false)}.listing()
	h.run(`key1:1@10 key1:1@100 wm=1999 key1:1@1997 key1:1@1998 key1:1@2310 key1:1@2310 key2:1@2310 key2:1@2310 wm=3999`)
	h.check(t, "only the last four are summed", `wm=1999 key1:4@3999 key2:2@3999 wm=3999`, "")
}

func TestNothingIsLeftBehind(t *testing.T) {
	for name, h := range map[string]*harness{
		"tumbling":   setup[TimeWindow]{assigner: must(Tumbling(2*s, 0, true, Aligned)), lateness: 700}.reducing(),
		"session":    setup[TimeWindow]{assigner: must(Session(2*s, true)), lateness: 700}.listing(),
		"continuous": setup[TimeWindow]{assigner: must(Sliding(4*s, s, 0, true)), trigger: must(ContinuousEventTime(s)), lateness: 5}.reducing(),
		"count":      setup[GlobalWindow]{assigner: Global(false), trigger: Purging(Count(1))}.reducing(),
	} {
		h.run(`a:1@0 b:1@10 a:1@1500 wm=1999 a:1@1998 c:1@9000 wm=MAX`)
		if n, k := h.op.Timers(), h.keys.Len(); n != 0 || k != 0 {
			t.Errorf("%s: got %d timers and %d keys after the end, want none", name, n, k)
		}
	}
}

func TestLateRecordsAreCountedWithoutALateOutput(t *testing.T) {
	h := setup[TimeWindow]{assigner: must(Tumbling(2*s, 0, true, Aligned)), noLate: true}.reducing()
	h.run(`a:1@0 wm=5000 a:1@0 a:1@1`)
	if got := h.dropped(); got != 2 {
		t.Errorf("got %d dropped, want 2", got)
	}
}

func TestARecordWithoutTimestampNamesTheRemedy(t *testing.T) {
	defer func() {
		err, _ := recover().(*fault.Error)
		if err == nil || err.Kind != "Runtime" || !strings.Contains(err.Error(), "AssignTimestampsAndWatermarks") {
			t.Errorf("got %v", err)
		}
	}()
	setup[TimeWindow]{assigner: must(Tumbling(2*s, 0, true, Aligned))}.reducing().run("a:1")
}

func TestTriggerOnElementPastWatermark(t *testing.T) {
	op := setup[TimeWindow]{assigner: must(Tumbling(2*ms, 0, true, Aligned)), lateness: 100}.reducing()
	op.run("wm=2 x:1@1 x:1@2")
	op.check(t, "the window that is over fires on the element, the other waits", "wm=2 x:1@1", "")
	if got := op.op.Timers(); got != 3 {
		t.Errorf("got %d timers, want 3: cleanup of both windows, end of the second", got)
	}
}

func TestPurgingMapsFiringOnly(t *testing.T) {
	for in, want := range map[Result]Result{Continue: Continue, Fire: FireAndPurge, Purge: Purge, FireAndPurge: FireAndPurge} {
		if got := purged(in); got != want {
			t.Errorf("purging %v: got %v, want %v", in, got, want)
		}
	}
}

func TestMergingNeedsATriggerThatCanMerge(t *testing.T) {
	a := must(Session(s, true))
	for spec, ok := range map[TriggerSpec]bool{EventTime(): true, Purging(Count(2)): true, ProcessingTimeout(Count(2), s, false, true): false} {
		tr := must(BuildTrigger[rec, TimeWindow](spec, nil))
		if err := CheckMerging[rec, TimeWindow](a, tr, spec.String()); (err == nil) != ok {
			t.Errorf("%s: got %v", spec, err)
		}
	}
	if _, err := BuildTrigger[int, TimeWindow](Delta(2, delta2), nil); err == nil {
		t.Error("a delta trigger for another type was accepted")
	}
}
