package operatortest_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	. "flinkish/dataflow"
)

// bumped adds one to the value of a record.
func bumped(v ev) ev { return ev{v.K, v.V + 1, v.T} }

func below(n int) func(v ev) bool { return func(v ev) bool { return v.V < n } }

// sorted runs a job and shows its records in a fixed order.
func sorted[R any](t *testing.T, s *SingleOutputStreamOperator[R]) string {
	t.Helper()
	got, err := s.ExecuteAndCollectLimit(context.Background(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, v := range got {
		all = append(all, fmt.Sprint(v))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// TestALoopFeedsBackTheWayOfItsInput: the records that are fed back are partitioned as those of the input are, whatever the
// partitioner of the feedback is.
func TestALoopFeedsBackTheWayOfItsInput(t *testing.T) {
	for want, partition := range map[string]func(s *DataStream[ev]) *DataStream[ev]{
		"REBALANCE": func(s *DataStream[ev]) *DataStream[ev] { return s.Rebalance() },
		"HASH":      func(s *DataStream[ev]) *DataStream[ev] { return &s.KeyBy(key).DataStream },
		"CUSTOM": func(s *DataStream[ev]) *DataStream[ev] {
			return s.PartitionCustom(func(k string, n int) int { return len(k) % n }, key)
		},
		"FORWARD": func(s *DataStream[ev]) *DataStream[ev] { return s },
	} {
		e := NewEnv(WithParallelism(2), WithDeterministic(1))
		it := partition(&e.FromElements(ev{"a", 1, 0}, ev{"b", 3, 0}).Map(same).DataStream).Iterate(MaxWait(100 * ms))
		m := it.Map(bumped).Name("m")
		it.CloseWith(m.Filter(below(4)).Shuffle())
		g, err := e.JobGraph()
		if err != nil {
			t.Fatal(err)
		}
		if text := g.String(); !strings.Contains(text, fmt.Sprintf("m -> Filter x2 <-%s- 2 <-%s- 1", want, want)) || !strings.Contains(text, " x2 <-SHUFFLE- 3") {
			t.Errorf("%s: got\n%s", want, g)
		}
		if got := sorted(t, m); got != "a2 a3 a4 b4" {
			t.Errorf("%s: got %s", want, got)
		}
	}
}

// spaced is a source of records a second apart.
type spaced struct{ ks string }

func (s spaced) Run(ctx *SourceContext[ev]) error {
	for i, k := range s.ks {
		ctx.CollectWithTimestamp(ev{string(k), 0, int64(i)}, int64(i))
		ctx.Sleep(1000 * ms)
	}
	return nil
}

func TestLoopsAsTheyAreDescribed(t *testing.T) {
	env := func() *StreamExecutionEnvironment { return NewEnv(WithParallelism(1), WithDeterministic(1)) }
	t.Run("a loop is over when nothing was fed back for the time, though the input goes on", func(t *testing.T) {
		it := env().AddSource(spaced{"abc"}).Iterate(MaxWait(1500 * ms))
		m := it.Map(bumped)
		it.CloseWith(m.Filter(func(v ev) bool { return v.V < 2 && v.K != "b" })) // c comes 2000 ms after a went round
		if got := sorted(t, m); got != "a1 a2 b1 c1" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("each record that is fed back starts the time anew", func(t *testing.T) {
		it := env().AddSource(spaced{"abc"}).Iterate(MaxWait(1500 * ms))
		m := it.Map(bumped)
		it.CloseWith(m.Filter(below(2)))
		if got := sorted(t, m); got != "a1 a2 b1 b2 c1 c2" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("a loop may be closed by several streams", func(t *testing.T) {
		it := env().FromElements(ev{"a", 0, 0}).Iterate(MaxWait(100 * ms))
		m := it.Map(bumped)
		it.CloseWith(m.Filter(below(2)))
		it.CloseWith(m.Filter(func(v ev) bool { return v.V == 1 }).Map(func(v ev) ev { return ev{"b", v.V + 5, 0} }))
		if got := sorted(t, m); got != "a1 a2 b7" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("a loop closed by itself goes on until the job is cancelled", func(t *testing.T) {
		it := env().FromElements(ev{"a", 0, 0}).Iterate()
		it.CloseWith(it)
		got, err := it.Map(same).ExecuteAndCollectLimit(context.Background(), 5)
		if err != nil || len(got) != 5 {
			t.Errorf("got %v, %v", got, err)
		}
	})
	t.Run("what is fed back does not hold back event time", func(t *testing.T) {
		it := withTimes(&env().FromElements(ev{"a", 1, 1}, ev{"a", 2, 9}).DataStream).Iterate(MaxWait(100 * ms))
		it.CloseWith(it.Filter(func(v ev) bool { return false }))
		if got := sorted(t, members(it.KeyBy(key).Window(TumblingEventTime(5*ms)))); got != "a1 a2" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("feedback of another type is the second input alone", func(t *testing.T) {
		it := env().FromElements(ev{"a", 1, 0}).Iterate(MaxWait(100 * ms)).WithFeedbackType[string]()
		m := it.Map(func(v ev) string { return "in " + v.String() }, func(s string) string { return s + "!" })
		it.CloseWith(m.Filter(func(s string) bool { return len(s) < 7 }))
		if got := sorted(t, m); got != "in a1 in a1! in a1!! in a1!!!" && got != "in a1 in a1! in a1!!" {
			t.Errorf("got %s", got)
		}
	})
}
