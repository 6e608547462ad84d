package operatortest_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/conformance"
)

// What the operator of windows promises to assigners, triggers and functions that a program brings along.

// bySelf is an assigner that asks each record for its windows, of event time.
type bySelf func(v ev, ts int64) []TimeWindow

func (f bySelf) Assign(v ev, ts, _ int64, into []TimeWindow) []TimeWindow {
	return append(into, f(v, ts)...)
}

func (bySelf) AssignWindows(_, _ int64, into []TimeWindow) []TimeWindow { return into } // Assign is called instead
func (bySelf) IsEventTime() bool                                        { return true }

// touching is bySelf with windows that grow together when they touch.
type touching struct{ bySelf }

func (touching) MergeWindows(ws []TimeWindow, merge func(result TimeWindow, merged []TimeWindow)) {
	ws = slices.Clone(ws)
	slices.SortFunc(ws, func(a, b TimeWindow) int { return int(a.Start - b.Start) })
	for len(ws) > 0 {
		all, n := ws[0], 1
		for n < len(ws) && all.Intersects(ws[n]) {
			all = all.Cover(ws[n])
			n++
		}
		if n > 1 {
			merge(all, ws[:n])
		}
		ws = ws[n:]
	}
}

func TestAssignersOfPrograms(t *testing.T) {
	atEnd := func(w *timeWindows) { w.Trigger(EventTimeTrigger()) }
	counting := func(w *timeWindows) { w.Trigger(CountTrigger(1)) }
	odd := bySelf(func(v ev, _ int64) []TimeWindow { return []TimeWindow{{Start: 0, End: 1 + int64(v.V%2)}} })
	both := bySelf(func(ev, int64) []TimeWindow { return []TimeWindow{{Start: 2, End: 4}, {Start: 0, End: 2}} })
	points := bySelf(func(v ev, ts int64) []TimeWindow { // 9 is a point in time, others are sessions of 30
		if v.V == 9 {
			return []TimeWindow{{Start: ts, End: ts}}
		}
		return []TimeWindow{{Start: ts, End: ts + 30}}
	})
	for _, c := range []specCase{
		{name: "a record without windows is late behind the watermark only", build: windows(bySelf(func(ev, int64) []TimeWindow { return nil }), atEnd),
			script: "wm=0 a1@5 wm=20 a2@10", want: "", dropped: 1},
		{name: "windows that overlap are apart", build: windows(odd, atEnd), script: "a1@0 a2@0 a4@0 a3@0 wm=0 wm=1", want: "[0,1)a2+a4@0 [0,2)a1+a3@1"},
		{name: "windows are taken in the order of the assigner", build: windows(both, counting), script: "a1@0", want: "[2,4)a1@3 [0,2)a1@1"},
		{name: "a record is in each of its windows, also when they become one", build: windows(touching{both}, atEnd), script: "a1@0 wm=3", want: "[0,4)a1+a1@3"},
		{name: "a point inside a session is in it, and changes nothing", build: windows(touching{points}, atEnd),
			script: "b1@0 b9@10 b9@25 a1@1 a2@10 a9@25 wm=99", want: "[0,30)b1+b9+b9@29 [1,40)a1+a2+a9@39"},
		{name: "a window that begins at a point is one with it", build: windows(touching{points}, atEnd), script: "a9@40 a1@40 wm=99", want: "[40,70)a9+a1@69"},
		{name: "an assigner without trigger never fires", build: windows(both, nil), script: "a1@0 wm=9 end", want: ""},
	} {
		t.Run(c.name, c.run)
	}
}

// acted is a trigger made of functions, of which timer and clear may be nil. It writes down which timers fire and which windows go.
type acted struct {
	log     *[]string
	element func(v ev, ctx *TriggerContext) TriggerResult
	timer   func(ts int64) TriggerResult
	clear   func(ctx *TriggerContext)
}

func (a acted) OnElement(v ev, _ int64, _ TimeWindow, ctx *TriggerContext) TriggerResult {
	return a.element(v, ctx)
}

func (a acted) fired(domain string, ts int64) TriggerResult {
	*a.log = append(*a.log, fmt.Sprint(domain, ts))
	if a.timer == nil {
		return Continue
	}
	return a.timer(ts)
}

func (a acted) OnEventTime(ts int64, _ TimeWindow, _ *TriggerContext) TriggerResult {
	return a.fired("E", ts)
}

func (a acted) OnProcessingTime(ts int64, _ TimeWindow, _ *TriggerContext) TriggerResult {
	return a.fired("P", ts)
}

func (a acted) Clear(w TimeWindow, ctx *TriggerContext) {
	*a.log = append(*a.log, fmt.Sprintf("C[%d,%d)", w.Start, w.End))
	if a.clear != nil {
		a.clear(ctx)
	}
}

func (acted) CanMerge() bool                      { return true }
func (acted) OnMerge(TimeWindow, *TriggerContext) {}

// TestTimersOfTriggers: the same in both domains; in the scripts, time is pt or wm, and P or E in the calls.
func TestTimersOfTriggers(t *testing.T) {
	sets := func(event bool, ts int64) func(ev, *TriggerContext) TriggerResult {
		return func(_ ev, ctx *TriggerContext) TriggerResult {
			if event {
				ctx.RegisterEventTimeTimer(ts)
			} else {
				ctx.RegisterProcessingTimeTimer(ts)
			}
			return Continue
		}
	}
	purging := func(f func(ev, *TriggerContext) TriggerResult) func(ev, *TriggerContext) TriggerResult {
		return func(v ev, ctx *TriggerContext) TriggerResult { f(v, ctx); return Purge }
	}
	always := func(int64) TriggerResult { return Fire }
	for _, event := range []bool{true, false} {
		tumbling, sessions, domain, step := TumblingProcessingTime(5*ms), ProcessingTimeSession(3*ms), "P", "pt="
		if event {
			tumbling, sessions, domain, step = TumblingEventTime(5*ms), EventTimeSession(3*ms), "E", "wm="
		}
		for _, c := range []struct {
			name     string
			assigner WindowAssigner[TimeWindow]
			trigger  acted
			script   string
			want     string
			calls    string
		}{
			{"the end of a window is a timer of it, and may fire it", tumbling, acted{element: func(ev, *TriggerContext) TriggerResult { return Continue }, timer: always},
				"a1@1 t=3 t=4 t=9", "[0,5)a1@4", "T4 C[0,5)"},
			{"a timer at the end is the one of the end", tumbling, acted{element: sets(event, 4), timer: always}, "a1@1 t=4 t=9", "[0,5)a1@4", "T4 C[0,5)"},
			{"a timer behind the end fires nothing any more", tumbling, acted{element: sets(event, 10), timer: always}, "a1@1 t=4 t=10", "[0,5)a1@4", "T4 C[0,5) T10"},
			{"a timer behind the end of a session is not seen", sessions, acted{element: sets(event, 10), timer: always}, "a1@1 t=3 t=10", "[1,4)a1@3", "T3 C[1,4)"},
			{"a timer that was taken back with the window is gone", tumbling, acted{element: sets(event, 10), clear: func(ctx *TriggerContext) {
				ctx.DeleteEventTimeTimer(10)
				ctx.DeleteProcessingTimeTimer(10)
			}}, "a1@1 t=4 t=10", "", "T4 C[0,5)"},
			{"timers of a window that was purged are seen, and find nothing", tumbling, acted{element: purging(sets(event, 2)), timer: always}, "a1@1 t=2 t=4", "", "T2 T4 C[0,5)"},
			{"a session that was purged is still there", sessions, acted{element: purging(sets(event, 2)), timer: always}, "a1@1 t=2 t=3", "", "T2 T3 C[1,4)"},
			{"a purge by a timer leaves nothing for the next one", tumbling, acted{element: sets(event, 2), timer: func(ts int64) TriggerResult {
				if ts == 2 {
					return Purge
				}
				return Fire
			}}, "a1@1 t=2 t=4", "", "T2 T4 C[0,5)"},
			{"a fire by a timer leaves all for the next one", tumbling, acted{element: sets(event, 2), timer: always}, "a1@1 t=2 t=4", "[0,5)a1@4 [0,5)a1@4", "T2 T4 C[0,5)"},
			{"each timer is seen once, in order", tumbling, acted{element: func(v ev, ctx *TriggerContext) TriggerResult {
				return sets(event, int64(v.V))(v, ctx)
			}}, "a3@1 a2@1 a3@1 t=1 t=3 t=4", "", "T2 T3 T4 C[0,5)"},
		} {
			t.Run(domain+": "+c.name, func(t *testing.T) {
				var log []string
				c.trigger.log = &log
				specCase{want: c.want, script: "pt=1 " + strings.ReplaceAll(c.script, "t=", step),
					build: windows(c.assigner, func(w *timeWindows) { w.Trigger(CustomTrigger(c.trigger)) })}.run(t)
				if got, want := strings.Join(log, " "), strings.ReplaceAll(c.calls, "T", domain); got != want {
					t.Errorf("got the calls %s, want %s", got, want)
				}
			})
		}
	}
}

// asking emits to the side what a window function is told, and tells when its window goes.
type asking struct{ log *[]string }

func (asking) Process(_ string, ctx *ProcessWindowContext[TimeWindow], vs iter.Seq[ev], out Collector[string]) error {
	out.Collect(texts(vs))
	out.Collect("again")
	ctx.Output(aside, fmt.Sprintf("wm %d pt %d", ctx.CurrentWatermark(), ctx.CurrentProcessingTime()))
	return nil
}

func (a asking) Clear(ctx *ProcessWindowContext[TimeWindow]) error {
	*a.log = append(*a.log, fmt.Sprintf("[%d,%d) wm %d pt %d", ctx.Window().Start, ctx.Window().End, ctx.CurrentWatermark(), ctx.CurrentProcessingTime()))
	return nil
}

func TestWindowFunctionsAreToldTheTime(t *testing.T) {
	asked := func(a WindowAssigner[TimeWindow], log *[]string) func(s, _ *DataStream[ev]) conformance.Handle {
		return func(s, _ *DataStream[ev]) conformance.Handle {
			out := s.KeyBy(key).Window(a).Trigger(CountTrigger(1)).AllowedLateness(20 * ms).Process(asking{log})
			out.GetSideOutput(aside)
			return out
		}
	}
	for _, c := range []struct {
		specCase
		assigner WindowAssigner[TimeWindow]
		goes     string
	}{
		{specCase{name: "event time", script: "pt=7 wm=10 a1@0 wm=100", want: "a1@4 again@4 aside: wm 10 pt 7@4"}, TumblingEventTime(5 * ms), "[0,5) wm 100 pt 7"},
		{specCase{name: "the clock", script: "wm=3 pt=10 a1@0 pt=100", want: "a1@14 again@14 aside: wm 3 pt 10@14"}, TumblingProcessingTime(5 * ms), "[10,15) wm 3 pt 100"},
		{specCase{name: "sessions", script: "pt=7 wm=2 a1@0 wm=100", want: "a1@4 again@4 aside: wm 2 pt 7@4"}, EventTimeSession(5 * ms), "[0,5) wm 100 pt 7"},
		{specCase{name: "a late record that is allowed at the limit", script: "wm=23 a1@0 wm=24 b1@0", want: "a1@4 again@4 aside: wm 23 pt 0@4", dropped: 1},
			TumblingEventTime(5 * ms), "[0,5) wm 24 pt 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log []string
			c.build = asked(c.assigner, &log)
			c.run(t)
			if got := strings.Join(log, " "); got != c.goes {
				t.Errorf("the window goes at %s, want %s", got, c.goes)
			}
		})
	}
}
