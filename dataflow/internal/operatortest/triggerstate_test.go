package operatortest_test

import (
	"testing"

	. "flinkish/dataflow"
)

// adder is an AggregateFunction that sums up.
type adder struct{}

func (adder) CreateAccumulator() int { return 0 }
func (adder) Add(v ev, acc int) int  { return acc + v.V }
func (adder) GetResult(acc int) int  { return acc }
func (adder) Merge(a, b int) int     { return a + b }
func ofTen(sum int, set bool) bool   { return set && sum >= 10 }

// The states that a trigger may keep.
var (
	inValue       = NewValueStateDescriptor[int]("value")
	inList        = NewListStateDescriptor[ev]("list")
	inMap         = NewMapStateDescriptor[string, int]("map")
	inReducing    = NewReducingStateDescriptor("reducing", func(a, b int) int { return a + b })
	inAggregating = NewAggregatingStateDescriptor[ev, int, int]("aggregating", adder{})
)

// sumTrigger fires when the values of the records come to ten; sum adds one and says so.
type sumTrigger struct {
	sum    func(v ev, ctx *TriggerContext) bool
	merged StateDescriptor
}

func (t sumTrigger) OnElement(v ev, _ int64, _ TimeWindow, ctx *TriggerContext) TriggerResult {
	if t.sum(v, ctx) {
		return Fire
	}
	return Continue
}
func (sumTrigger) OnEventTime(int64, TimeWindow, *TriggerContext) TriggerResult { return Continue }
func (sumTrigger) OnProcessingTime(int64, TimeWindow, *TriggerContext) TriggerResult {
	return Continue
}
func (sumTrigger) CanMerge() bool                              { return true }
func (t sumTrigger) OnMerge(_ TimeWindow, ctx *TriggerContext) { ctx.MergePartitionedState(t.merged) }
func (sumTrigger) Clear(TimeWindow, *TriggerContext)           {}

// TestStatesOfATriggerMerge: two sessions become one by a third record; lists, folds and accumulators are taken over, the
// others cannot be.
func TestStatesOfATriggerMerge(t *testing.T) {
	value := func(v ev, ctx *TriggerContext) bool {
		s := ctx.State(inValue)
		s.Update(s.Value() + v.V)
		return ofTen(s.Get())
	}
	list := func(v ev, ctx *TriggerContext) bool {
		s, sum := ctx.ListState(inList), 0
		s.Add(v)
		for v := range s.Get() {
			sum += v.V
		}
		return ofTen(sum, true)
	}
	mapped := func(v ev, ctx *TriggerContext) bool {
		s := ctx.MapState(inMap)
		sum, _ := s.Get(v.K)
		s.Put(v.K, sum+v.V)
		return ofTen(s.Get(v.K))
	}
	reducing := func(v ev, ctx *TriggerContext) bool {
		s := ctx.ReducingState(inReducing)
		s.Add(v.V)
		return ofTen(s.Get())
	}
	aggregating := func(v ev, ctx *TriggerContext) bool {
		s := ctx.AggregatingState(inAggregating)
		s.Add(v)
		return ofTen(s.Get())
	}
	const merging, want = "a2@1 b3@1 a5@9 a3@5", "[1,14)a2+a5+a3@13"
	for _, c := range []struct {
		name        string
		trigger     sumTrigger
		want, fails string
	}{
		{"a list", sumTrigger{list, inList}, want, ""},
		{"a fold", sumTrigger{reducing, inReducing}, want, ""},
		{"an accumulator", sumTrigger{aggregating, inAggregating}, want, ""},
		{"a value", sumTrigger{value, inValue}, "", "IllegalArgument|value state value cannot be merged"},
		{"a map", sumTrigger{mapped, inMap}, "", "IllegalArgument|map state map cannot be merged"},
		{"nothing", sumTrigger{value, nil}, "", "NullPointer|descriptor must not be nil"},
		{"another state than the one in use", sumTrigger{list, inReducing}, "", ""},
	} {
		t.Run(c.name, specCase{script: merging, want: c.want, fails: c.fails,
			build: windows(EventTimeSession(5*ms), func(w *timeWindows) { w.Trigger(CustomTrigger(c.trigger)) })}.run)
	}
	for name, sum := range map[string]func(ev, *TriggerContext) bool{"value": value, "map": mapped} {
		t.Run("in one window a "+name+" is kept", specCase{script: "a2@1 b9@1 a8@3 a1@7", want: "[0,5)a2+a8@4",
			build: windows(TumblingEventTime(5*ms), func(w *timeWindows) { w.Trigger(CustomTrigger(sumTrigger{sum, nil})) })}.run)
	}
}

// claiming says that it can merge, and has no method for it.
type claiming struct{}

func (claiming) OnElement(ev, int64, TimeWindow, *TriggerContext) TriggerResult    { return Continue }
func (claiming) OnEventTime(int64, TimeWindow, *TriggerContext) TriggerResult      { return Continue }
func (claiming) OnProcessingTime(int64, TimeWindow, *TriggerContext) TriggerResult { return Continue }
func (claiming) CanMerge() bool                                                    { return true }
func (claiming) Clear(TimeWindow, *TriggerContext)                                 {}

func TestATriggerThatOnlySaysThatItCanMerge(t *testing.T) {
	specCase{script: "a1@1 a2@2", fails: "UnsupportedOperation|claiming|OnMerge",
		build: windows(EventTimeSession(5*ms), func(w *timeWindows) { w.Trigger(CustomTrigger(claiming{})) })}.run(t)
}
