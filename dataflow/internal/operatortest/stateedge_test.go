package operatortest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/conformance"
)

// Keyed state, operation by operation, and timers at odd times.

// onFirst runs what a record of each key does to state, and emits what it says.
func onFirst[S any](open func(ctx *RuntimeContext) S, do func(s S, say func(any))) func(a, b *DataStream[ev]) conformance.Handle {
	var s S
	return keyedBy(hooked{
		open: func(ctx *RuntimeContext) { s = open(ctx) },
		element: func(_ ev, _ *KeyedContext[string], out Collector[string]) {
			do(s, func(v any) { out.Collect(fmt.Sprint(v)) })
		},
	})
}

func said[V any](v V, ok bool) string { return fmt.Sprintf("%v,%v", v, ok) }

// ends is an AggregateFunction over pointers.
type ends struct{}

func (ends) CreateAccumulator() []int { return nil }
func (ends) Add(v *int, acc []int) []int {
	return append(acc, *v)
}
func (ends) GetResult(acc []int) []int { return acc }
func (ends) Merge(a, b []int) []int    { return append(a, b...) }

func TestStatesAsTheyAreDescribed(t *testing.T) {
	value := func(do func(s ValueState[int], say func(any))) func(a, b *DataStream[ev]) conformance.Handle {
		return onFirst(func(ctx *RuntimeContext) ValueState[int] { return ctx.State(NewValueStateDescriptor[int]("v")) }, do)
	}
	list := func(do func(s ListState[*int], say func(any))) func(a, b *DataStream[ev]) conformance.Handle {
		return onFirst(func(ctx *RuntimeContext) ListState[*int] { return ctx.ListState(NewListStateDescriptor[*int]("l")) }, do)
	}
	mapped := func(do func(s MapState[string, *int], say func(any))) func(a, b *DataStream[ev]) conformance.Handle {
		return onFirst(func(ctx *RuntimeContext) MapState[string, *int] {
			return ctx.MapState(NewMapStateDescriptor[string, *int]("m"))
		}, do)
	}
	folding := func(do func(s ReducingState[*int], say func(any))) func(a, b *DataStream[ev]) conformance.Handle {
		return onFirst(func(ctx *RuntimeContext) ReducingState[*int] {
			return ctx.ReducingState(NewReducingStateDescriptor("r", func(a, b *int) *int { return new(*a*10 + *b) }))
		}, do)
	}
	aggregating := func(do func(s AggregatingState[*int, []int], say func(any))) func(a, b *DataStream[ev]) conformance.Handle {
		return onFirst(func(ctx *RuntimeContext) AggregatingState[*int, []int] {
			return ctx.AggregatingState(NewAggregatingStateDescriptor("g", ends{}))
		}, do)
	}
	content := func(s ListState[*int]) string {
		var all []string
		for v := range s.Get() {
			all = append(all, fmt.Sprint(*v))
		}
		return strings.Join(all, "+") + ";"
	}
	number := func(v *int, ok bool) string {
		if v == nil {
			return fmt.Sprint("nil,", ok)
		}
		return said(*v, ok)
	}
	one, two, three := new(1), new(2), new(3)
	for _, c := range []specCase{
		{name: "a value that is not set, set, cleared twice", build: value(func(s ValueState[int], say func(any)) {
			say(said(s.Get()))
			say(s.Value())
			s.Update(0)
			say(said(s.Get()))
			s.Update(7)
			say(s.Value())
			s.Clear()
			s.Clear()
			say(said(s.Get()))
			say(s.Value())
		}), script: "a1 b1", want: "0,false 0 0,true 7 0,false 0 0,false 0 0,true 7 0,false 0"},
		{name: "a list that is empty, filled, replaced, cleared", build: list(func(s ListState[*int], say func(any)) {
			say(content(s))
			s.AddAll(nil)
			s.AddAll([]*int{})
			say(content(s))
			s.Add(one)
			s.AddAll([]*int{two, one})
			say(content(s))
			s.Update([]*int{three})
			say(content(s))
			s.Update([]*int{})
			say(content(s))
			s.Add(two)
			s.Update(nil)
			say(content(s))
			s.Add(two)
			s.Clear()
			s.Clear()
			say(content(s))
		}), script: "a1 b1", want: "; ; 1+2+1; 3; ; ; ; ; ; 1+2+1; 3; ; ; ;"},
		{name: "a list takes no nil", build: list(func(s ListState[*int], _ func(any)) { s.Add(nil) }), script: "a1", fails: "NullPointer|l"},
		{name: "nor several with one", build: list(func(s ListState[*int], _ func(any)) { s.AddAll([]*int{one, nil}) }), script: "a1", fails: "NullPointer|l"},
		{name: "nor an update with one", build: list(func(s ListState[*int], _ func(any)) { s.Update([]*int{nil}) }), script: "a1", fails: "NullPointer|l"},
		{name: "a map: a nil value is one", build: mapped(func(s MapState[string, *int], say func(any)) {
			say(number(s.Get("x")))
			s.PutAll(nil)
			s.Remove("x")
			say(s.IsEmpty())
			s.Put("x", nil)
			say(number(s.Get("x")))
			say(s.Contains("x"))
			say(s.IsEmpty())
			s.PutAll(map[string]*int{"z": three, "y": two})
			say(slices.Collect(s.Keys()))
			n := 0
			for range s.Entries() {
				n++
			}
			say(n)
			s.Clear()
			s.Clear()
			say(s.IsEmpty())
			say(len(slices.Collect(s.Values())))
		}), script: "a1", want: "nil,false true nil,true true false [x y z] 3 true 0"},
		{name: "a fold: nil clears it", build: folding(func(s ReducingState[*int], say func(any)) {
			say(number(s.Get()))
			s.Add(one)
			s.Add(two)
			say(number(s.Get()))
			s.Add(nil)
			say(number(s.Get()))
			s.Add(three)
			say(number(s.Get()))
			s.Clear()
			s.Clear()
			say(number(s.Get()))
		}), script: "a1", want: "nil,false 12,true nil,false 3,true nil,false"},
		{name: "an accumulator: nil clears it", build: aggregating(func(s AggregatingState[*int, []int], say func(any)) {
			say(said(s.Get()))
			s.Add(one)
			s.Add(two)
			say(said(s.Get()))
			s.Add(nil)
			say(said(s.Get()))
			s.Add(three)
			say(said(s.Get()))
			s.Clear()
			say(said(s.Get()))
		}), script: "a1", want: "[],false [1 2],true [],false [3],true [],false"},
		{name: "one name is one state", build: onFirst(func(ctx *RuntimeContext) [2]ValueState[int] {
			return [2]ValueState[int]{ctx.State(NewValueStateDescriptor[int]("v")), ctx.State(NewValueStateDescriptor[int]("v"))}
		}, func(s [2]ValueState[int], say func(any)) {
			s[0].Update(s[1].Value() + 1)
			say(s[1].Value())
		}), script: "a1 a1 b1", want: "1 2 1"},
		{name: "one name, another type, asked for later", build: keyedBy(hooked{
			open: func(ctx *RuntimeContext) { ctx.State(NewValueStateDescriptor[int]("v")) },
			element: func(_ ev, ctx *KeyedContext[string], _ Collector[string]) {
				ctx.MapState(NewMapStateDescriptor[string, *int]("v"))
			},
		}), script: "a1", fails: "StateMigration|\"v\" is a ValueState"},
	} {
		t.Run(c.name, c.run)
	}
}

func TestMistakesWithStatesInOpen(t *testing.T) {
	for _, c := range []specCase{
		{name: "one name, another kind", build: onFirst(func(ctx *RuntimeContext) ListState[*int] {
			ctx.State(NewValueStateDescriptor[int]("v"))
			return ctx.ListState(NewListStateDescriptor[*int]("v"))
		}, func(ListState[*int], func(any)) {}), fails: "StateMigration|\"v\" is a ValueState"},
		{name: "one name, another type", build: onFirst(func(ctx *RuntimeContext) ValueState[string] {
			ctx.State(NewValueStateDescriptor[int]("v"))
			return ctx.State(NewValueStateDescriptor[string]("v"))
		}, func(ValueState[string], func(any)) {}), fails: "StateMigration|\"v\" is a ValueState"},
		{name: "a state in Open has no key", build: keyedBy(hooked{
			open:    func(ctx *RuntimeContext) { ctx.State(NewValueStateDescriptor[int]("v")).Update(1) },
			element: func(ev, *KeyedContext[string], Collector[string]) {},
		}), fails: "NullPointer|no key set"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := NewEnv(WithParallelism(1))
			_, err := conformance.NewOperator(c.build(&e.FromData(ev{}).DataStream, nil))
			for part := range strings.SplitSeq(c.fails, "|") {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("got the error %v, want %q", err, part)
				}
			}
		})
	}
}

func TestTimersAtOddTimes(t *testing.T) {
	const least, last = "-9223372036854775808", "9223372036854775807"
	rest := func(int64, *TimerService) {}
	// both sets a timer of each domain at its value for k, and takes the one of event time back for d.
	both := keyedBy(hooked{
		element: func(v ev, ctx *KeyedContext[string], _ Collector[string]) {
			s, ts := ctx.TimerService(), int64(v.V)
			s.RegisterEventTimeTimer(ts)
			s.RegisterEventTimeTimer(ts)
			s.RegisterProcessingTimeTimer(ts)
			if v.K == "d" {
				s.DeleteEventTimeTimer(ts)
				s.DeleteEventTimeTimer(ts)
				s.DeleteEventTimeTimer(ts + 1)
			}
		},
		timer: func(ts int64, ctx *OnTimerContext[string], out Collector[string]) {
			out.Collect(fmt.Sprint(ctx.CurrentKey(), ctx.TimeDomain().String()[:1], ts))
		},
	})
	for _, c := range []specCase{
		{name: "the least time of event time fires at the first watermark", build: timed(EventTime, rest), script: "a" + least + " a-5 wm=-9", want: "aE" + least},
		{name: "the least time of the clock fires at once", build: timed(ProcessingTime, rest), script: "pt=5 a" + least + " pt=6", want: "aP" + least},
		{name: "the last time of the clock never comes", build: timed(ProcessingTime, rest), script: "a" + last + " pt=99 end", want: ""},
		{name: "a timer that was set twice is taken back at once, in its domain", build: both, script: "a5 d5 e5 wm=5 pt=5", want: "aE5@5 eE5@5 aP5 dP5 eP5"},
		{name: "a timer takes itself back in vain", build: timed(EventTime, func(ts int64, s *TimerService) { s.DeleteEventTimeTimer(ts) }), script: "a5 wm=9 wm=10", want: "aE5@5"},
		{name: "a timer of event time sets one of the clock at the end, which is over", build: timed(EventTime, func(ts int64, s *TimerService) { s.RegisterProcessingTimeTimer(1) }),
			script: "pt=7 a5 end", want: "aE5@5"},
		{name: "a timer at the end of event time sets one behind it, which fires", build: timed(EventTime, func(ts int64, s *TimerService) {
			if ts == 5 {
				s.RegisterEventTimeTimer(100)
			}
		}), script: "a5 end", want: "aE5@5 aE100@100"},
		{name: "a timer of now waits for the next millisecond", build: timed(ProcessingTime, rest), script: "pt=5 a5 pt=6", want: "aP5"},
	} {
		t.Run(c.name, c.run)
	}
}
