package window

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"flinkish/dataflow/internal/state"
)

// stateful is an operator whose function counts its calls in window and global state, and that writes down
// every call.
func stateful(a Assigner[TimeWindow], trigger TriggerSpec, log *[]string) *Operator[string, rec, []rec, TimeWindow] {
	count := func(s *state.Store) int {
		v := must(s.Value[int]("calls", ""))
		v.Update(v.Value() + 1)
		return v.Value()
	}
	return NewOperator(Config[string, rec, []rec, TimeWindow]{
		Assigner: a, Trigger: must(BuildTrigger[rec, TimeWindow](trigger, nil)), Contents: ListOf[rec](), Keys: state.NewBackend[string](),
		Now: func() int64 { return 0 }, Lateness: 100,
		Fire: func(ctx *Context[string, TimeWindow], a *[]rec) bool {
			*log = append(*log, fmt.Sprintf("%s[%d) window %d global %d", ctx.Key, ctx.Window.Start, count(ctx.WindowStore()), count(ctx.GlobalStore())))
			return true
		},
		Clear: func(ctx *Context[string, TimeWindow]) {
			*log = append(*log, fmt.Sprintf("clear %s[%d)", ctx.Key, ctx.Window.Start))
		},
	})
}

func TestWindowAndGlobalState(t *testing.T) {
	for name, trigger := range map[string]TriggerSpec{"fast": EventTime(),
		"general": Custom[rec, TimeWindow](&wrapped{must(BuildTrigger[rec, TimeWindow](EventTime(), nil))})} {
		var log []string
		op := stateful(must(Tumbling(10*ms, 0, true, Aligned)), trigger, &log)
		op.OnElement("a", rec{}, 1)
		op.OnElement("b", rec{}, 2)
		op.OnWatermark(9)
		op.OnElement("a", rec{}, 3)
		op.OnElement("a", rec{}, 11)
		op.OnWatermark(19)
		op.OnWatermark(1000)
		want := "a[0) window 1 global 1|b[0) window 1 global 1|a[0) window 2 global 2|a[10) window 1 global 3|clear a[0)|clear b[0)|clear a[10)"
		if got := strings.Join(log, "|"); got != want {
			t.Errorf("%s path:\n got %s\nwant %s", name, got, want)
		}
	}
}

// panicOf returns the error that f panics with.
func panicOf(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}

func TestMergingWindowsHaveNoWindowState(t *testing.T) {
	var log []string
	op := stateful(must(Session(10*ms, true)), EventTime(), &log)
	op.OnElement("a", rec{}, 1)
	if err := panicOf(func() { op.OnWatermark(50) }); err == nil || !strings.Contains(err.Error(), "merging windows") {
		t.Errorf("got %v", err)
	}
}

// shrinking merges all windows into one that ends with the first.
type shrinking struct{}

func (shrinking) IsEventTime() bool { return true }
func (shrinking) AssignWindows(ts, _ int64, into []TimeWindow) []TimeWindow {
	return append(into, TimeWindow{ts, ts + 10})
}
func (shrinking) MergeWindows(ws []TimeWindow, merge func(TimeWindow, []TimeWindow)) {
	if len(ws) > 1 {
		merge(TimeWindow{0, 1}, ws)
	}
}

func TestAMergeMustNotEndBeforeTheWatermark(t *testing.T) {
	h := setup[TimeWindow]{assigner: shrinking{}, trigger: EventTime()}.reducing()
	h.run("a:1@20 wm=25")
	if err := panicOf(func() { h.run("a:1@24") }); err == nil || !strings.Contains(err.Error(), "at or before the watermark 25") {
		t.Errorf("got %v", err)
	}
}

func TestDynamicSessions(t *testing.T) {
	gaps := func(r rec) time.Duration { return time.Duration(r.v) * ms }
	h := setup[TimeWindow]{assigner: DynamicSession(gaps, true), bounds: true}
	for name, h := range map[string]*harness{"fast": h.reducing(), "general": general(h)} {
		// 5 and 3 make [0,8); then 8 at 0 gives exactly [0,8) again, whose contents must not be lost
		h.run("a:5@0 a:3@5 a:8@0 wm=7 wm=20")
		h.check(t, name, "a-16[0,8)@7 wm=7 wm=20", "")
	}
	if err := panicOf(func() { h.reducing().run("a:0@0") }); err == nil || !strings.Contains(err.Error(), "gap must be positive") {
		t.Errorf("got %v", err)
	}
}

// everySecond is a user's trigger: it counts in its own state, and adds the counts up when windows merge.
type everySecond struct{}

func (everySecond) OnElement(_ rec, _ int64, _ TimeWindow, c *TriggerContext[TimeWindow]) Result {
	n := must(c.Store().Value[int]("n", ""))
	if n.Update(n.Value() + 1); n.Value()%2 == 0 {
		return FireAndPurge
	}
	return Continue
}
func (everySecond) OnEventTime(int64, TimeWindow, *TriggerContext[TimeWindow]) Result {
	return Continue
}
func (everySecond) OnProcessingTime(int64, TimeWindow, *TriggerContext[TimeWindow]) Result {
	return Continue
}
func (everySecond) Clear(_ TimeWindow, c *TriggerContext[TimeWindow]) { c.Store().Clear() }
func (everySecond) CanMerge() bool                                    { return true }
func (everySecond) OnMerge(_ TimeWindow, c *TriggerContext[TimeWindow]) {
	sum := 0
	for _, s := range c.Merged() {
		sum += must(s.Value[int]("n", "")).Value()
	}
	must(c.Store().Value[int]("n", "")).Update(sum)
}

func TestACustomTriggerKeepsStatePerKeyAndWindow(t *testing.T) {
	spec := Custom[rec, TimeWindow](everySecond{})
	h := setup[TimeWindow]{assigner: must(Tumbling(10*ms, 0, true, Aligned)), trigger: spec, bounds: true}.reducing()
	h.run("a:1@0 b:1@0 a:1@11 a:2@1 a:4@2 b:2@3 wm=5 wm=MAX")
	h.check(t, "tumbling", "a-3[0,10)@9 b-3[0,10)@9 wm=5 wm=MAX", "")
	if h.keys.Len() != 0 || h.op.Timers() != 0 {
		t.Errorf("%d keys and %d timers left", h.keys.Len(), h.op.Timers())
	}
	h = setup[TimeWindow]{assigner: must(Session(10*ms, true)), trigger: spec, bounds: true}.reducing()
	h.run("a:1@0 a:2@30 a:4@20 a:8@10 wm=MAX") // the last one connects one record with two that were purged
	h.check(t, "session", "a-6[20,40)@39 a-9[0,40)@39 wm=MAX", "")
}

// The sum that a session holds after a merge: contents of the earlier session come first.
func TestMergedContentsStandInTheOrderOfTheSessions(t *testing.T) {
	for name, trigger := range map[string]TriggerSpec{"fast": EventTime(),
		"general": Custom[rec, TimeWindow](&wrapped{must(BuildTrigger[rec, TimeWindow](EventTime(), nil))})} {
		var got string
		op := NewOperator(Config[string, rec, []rec, TimeWindow]{
			Assigner: must(Session(10*ms, true)), Trigger: must(BuildTrigger[rec, TimeWindow](trigger, nil)), Contents: ListOf[rec](),
			Keys: state.NewBackend[string](), Now: func() int64 { return 0 },
			Fire: func(_ *Context[string, TimeWindow], a *[]rec) bool {
				for _, r := range *a {
					got += fmt.Sprint(r.v)
				}
				return true
			},
		})
		for i, ts := range []int64{40, 20, 0, 10, 30} {
			op.OnElement("a", rec{v: i + 1}, ts)
		}
		op.OnWatermark(100)
		if got != "32415" {
			t.Errorf("%s: got %s, want 32415", name, got)
		}
	}
}

// A global window never goes away by itself, so the end of its key must take it along: with an end of time beyond the
// end of time, windows of event time, too.
func TestTheEndOfAKeyTakesItsWindowsAlong(t *testing.T) {
	global := setup[GlobalWindow]{assigner: Global(false), trigger: Count(3)}.reducing()
	kept := setup[TimeWindow]{assigner: must(Tumbling(10*ms, 0, true, Aligned)), lateness: 1<<63 - 1}.reducing()
	for name, h := range map[string]*harness{"global": global, "kept for ever": kept} {
		for _, script := range []string{"a:1@1 a:2@2", "b:1@1", "a:4@1 a:5@1 a:6@1"} {
			h.run(script + " wm=MAX")
			h.op.(interface{ EndKey() }).EndKey()
			h.op.OnWatermark(-1 << 63)
			if h.keys.Len() != 0 || h.op.Timers() != 0 {
				t.Errorf("%s, after %s: %d keys and %d timers left", name, script, h.keys.Len(), h.op.Timers())
			}
		}
	}
	global.check(t, "global", "wm=MAX wm=MAX a:15@MAX wm=MAX", "")
	kept.check(t, "kept for ever", "a:3@9 wm=MAX b:1@9 wm=MAX a:15@9 wm=MAX", "")
}
