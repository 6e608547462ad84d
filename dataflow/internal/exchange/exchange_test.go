package exchange

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/keygroup"
)

// fake is a runtime without a scheduler: a wait for credit is an error of the test, unless credit says
// how to make room.
type fake struct {
	core.Runtime
	credit  func()
	wakes   int
	failure error
	attends int
}

func (f *fake) Wake()   { f.wakes++ }
func (f *fake) Attend() { f.attends++ }
func (f *fake) Ship()   {}
func (f *fake) Fail(e error) {
	f.failure = e
	panic(core.Unwind{})
}

func (f *fake) Credit(ready func() bool) {
	for !ready() {
		if f.credit == nil {
			panic(core.Unwind{})
		}
		f.credit()
	}
}

func subtasks(n int) []*core.Subtask {
	all := make([]*core.Subtask, n)
	for i := range all {
		f := &fake{}
		all[i] = &core.Subtask{Index: i, Parallelism: n, Runtime: f, Hooks: f}
	}
	return all
}

func spec(kind core.Partitioning, producers, consumers int) core.EdgeSpec {
	return core.EdgeSpec{
		Kind: kind, Producers: subtasks(producers), Consumers: subtasks(consumers),
		MaxParallelism: 128, BatchSize: 4, Slots: 100, Seed: 1,
	}
}

// drain reads everything that waits at a reader, and notes marks as they come.
func drain(r core.Reader, note func(string)) {
	for r.Read(nil, func(ch int, m core.Mark) { note(fmt.Sprintf("%d:mark %d %d", ch, m.Kind, m.Time)) }) {
	}
}

// targets sends 0..n-1 from one producer and returns, for each record, the consumer that got it.
func targets(t *testing.T, s core.EdgeSpec, producer, n int) []int {
	t.Helper()
	e := Of[int]().Connect(s)
	w := e.Writer(producer)
	emit := w.Emit().(core.Emit[int])
	for i := range n {
		emit(i, core.NoTimestamp)
	}
	w.Flush()
	got := slices.Repeat([]int{-1}, n)
	for c := range s.Consumers {
		drain(e.Reader(c, core.Emit[int](func(v int, _ int64) { got[v] = c }), nil), func(string) {})
	}
	return got
}

func TestPartitioningsChooseTheirChannels(t *testing.T) {
	tests := []struct {
		name string
		spec core.EdgeSpec
		want []int
	}{
		{"forward keeps the index", spec(core.Forward, 3, 3), []int{1, 1, 1, 1, 1, 1}},
		{"global sends to the first", spec(core.Global, 3, 3), []int{0, 0, 0, 0, 0, 0}},
		{"rescale starts at the first local channel", spec(core.Rescale, 2, 5), []int{4, 3, 4, 3, 4, 3}},
		{"unspecified with equal parallelism is forward", spec(core.Unspecified, 2, 2), []int{1, 1, 1}},
	}
	for _, tt := range tests {
		if got := targets(t, tt.spec, 1, len(tt.want)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestRebalanceStartsAtASeededChannelAndCountsUp(t *testing.T) {
	starts := map[int]bool{}
	for seed := range uint64(50) {
		s := spec(core.Rebalance, 2, 3)
		s.Seed = seed
		got := targets(t, s, 1, 9)
		if again := targets(t, s, 1, 9); !slices.Equal(got, again) {
			t.Errorf("seed %d: got %v, then %v", seed, got, again)
		}
		for i := 1; i < len(got); i++ {
			if got[i] != (got[i-1]+1)%3 {
				t.Fatalf("seed %d: got %v, want counting up", seed, got)
			}
		}
		starts[got[0]] = true
	}
	if len(starts) != 3 {
		t.Errorf("got starts %v, want all three channels", starts)
	}
}

func TestShuffleSpreadsAndRepeatsWithItsSeed(t *testing.T) {
	got := targets(t, spec(core.Shuffle, 1, 4), 0, 400)
	if again := targets(t, spec(core.Shuffle, 1, 4), 0, 400); !slices.Equal(got, again) {
		t.Error("the same seed shuffled in another way")
	}
	var count [4]int
	for _, c := range got {
		count[c]++
	}
	for c, n := range count {
		if n < 60 || n > 140 {
			t.Errorf("consumer %d got %d of 400 records, want about 100", c, n)
		}
	}
}

func TestCustomPartitionerChoosesAndIsChecked(t *testing.T) {
	s := spec(core.Custom, 1, 3)
	s.Custom = func(v, n int, _ *core.Choice) int { return (v + 1) % n }
	if got := targets(t, s, 0, 4); !slices.Equal(got, []int{1, 2, 0, 1}) {
		t.Errorf("got %v, want [1 2 0 1]", got)
	}
	s.Custom = func(v, n int, _ *core.Choice) int { return n }
	defer func() {
		if recover() != (core.Unwind{}) {
			t.Error("a channel out of range did not fail the job")
		}
		got := s.Producers[0].Runtime.(*fake).failure
		if want := "ArrayIndexOutOfBounds: the partitioner returned 3 for 3 subtasks; it must return 0 to 2"; got == nil || got.Error() != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}()
	targets(t, s, 0, 1)
}

func TestBroadcastReachesEveryConsumerAndCountsOnce(t *testing.T) {
	e := Of[int]().Connect(spec(core.Broadcast, 1, 3))
	w := e.Writer(0)
	for i := range 5 {
		w.Emit().(core.Emit[int])(i, 7)
	}
	w.Flush()
	for c := range 3 {
		var got []int
		r := e.Reader(c, core.Emit[int](func(v int, _ int64) { got = append(got, v) }), nil)
		drain(r, func(string) {})
		if !slices.Equal(got, []int{0, 1, 2, 3, 4}) || r.Count() != 5 {
			t.Errorf("consumer %d: got %v, count %d", c, got, r.Count())
		}
	}
	if w.Count() != 5 {
		t.Errorf("got count %d, want 5", w.Count())
	}
}

func TestKeyedEdgeShipsTheKeyToTheOwnerOfItsGroup(t *testing.T) {
	calls := 0
	key := func(v string) string { calls++; return v }
	s := spec(core.Hash, 1, 4)
	e := Keyed(key, keygroup.HasherOf[string]()).Connect(s)
	w := e.Writer(0)
	// Subtasks of four that Flink gives these keys.
	want := map[string]int{"a": 2, "b": 0, "c": 1, "d": 2, "A": 3, "hello": 1, "world": 2, "é": 0, "日本": 2}
	for _, v := range []string{"a", "b", "c", "d", "A", "hello", "world", "é", "日本"} {
		w.Emit().(core.Emit[string])(v, core.NoTimestamp)
	}
	w.Flush()
	n := 0
	for c := range 4 {
		drain(e.Reader(c, core.KeyedEmit[string, string](func(k, v string, _ int64) {
			n++
			if k != v || want[v] != c {
				t.Errorf("%q with key %q came to subtask %d, want %d", v, k, c, want[v])
			}
		}), nil), func(string) {})
	}
	if n != len(want) || calls != len(want) {
		t.Errorf("got %d records and %d calls of the selector, want %d", n, calls, len(want))
	}
}

func TestANilKeyFailsTheJob(t *testing.T) {
	s := spec(core.Hash, 1, 2)
	e := Keyed(func(v any) any { return nil }, keygroup.HasherOf[any]()).Connect(s)
	defer func() {
		_ = recover()
		if got := s.Producers[0].Runtime.(*fake).failure; !errors.Is(got, errNoKey) {
			t.Errorf("got %v, want %v", got, errNoKey)
		}
	}()
	e.Writer(0).Emit().(core.Emit[any])(1, 0)
}

func TestMarksStandWhereTheyWereSent(t *testing.T) {
	for _, batch := range []int{1, 2, 3, 100} {
		s := spec(core.Global, 1, 2)
		s.BatchSize = batch
		e := Of[string]().Connect(s)
		w := e.Writer(0)
		emit := w.Emit().(core.Emit[string])
		emit("a", core.NoTimestamp)
		w.Watermark(5)
		w.Watermark(6)
		emit("b", 7)
		emit("c", core.NoTimestamp)
		w.Status(true)
		w.Status(false)
		w.End()
		var got []string
		note := func(s string) { got = append(got, s) }
		r := e.Reader(0, core.Emit[string](func(v string, ts int64) {
			if ts == core.NoTimestamp {
				note(v)
			} else {
				note(fmt.Sprint(v, "@", ts))
			}
		}), nil)
		drain(r, note)
		want := []string{"a", "0:mark 0 5", "0:mark 0 6", "b@7", "c", "0:mark 1 0", "0:mark 2 0", "0:mark 4 0"}
		if !slices.Equal(got, want) {
			t.Errorf("batch %d: got %q, want %q", batch, got, want)
		}
		got = nil
		drain(e.Reader(1, core.Emit[string](func(string, int64) {}), nil), note)
		if len(got) != 5 {
			t.Errorf("batch %d: the consumer without records got marks %q, want five", batch, got)
		}
	}
}

func TestAFullRingAsksForCreditAndReusesItsBatches(t *testing.T) {
	s := spec(core.Forward, 1, 1)
	s.BatchSize, s.Slots = 2, 2
	e := Of[int]().Connect(s)
	var got []int
	r := e.Reader(0, core.Emit[int](func(v int, _ int64) { got = append(got, v) }), nil)
	waits := 0
	s.Producers[0].Hooks.(*fake).credit = func() {
		waits++
		if n, c := r.Queued(); n == 0 || c != 2 {
			t.Fatalf("got %d of %d batches while waiting for credit", n, c)
		}
		r.Read(nil, nil)
	}
	emit := e.Writer(0).Emit().(core.Emit[int])
	for i := range 20 {
		emit(i, core.NoTimestamp)
	}
	drain(r, nil)
	if len(got) != 20 || !slices.IsSorted(got) {
		t.Errorf("got %v, want 0 to 19", got)
	}
	if waits == 0 {
		t.Error("the producer never waited")
	}
	// Ring and hand hold three batches by now: nothing is left to allocate.
	allocs := testing.AllocsPerRun(100, func() {
		for i := range 16 {
			emit(i, core.NoTimestamp)
		}
		got = got[:0]
	})
	if allocs > 0 {
		t.Errorf("got %v allocations for 16 records, want none", allocs)
	}
}

func TestReadersTakeChannelsByTurnsOrAsToldAndLookAtTheSignal(t *testing.T) {
	s := spec(core.Global, 3, 1)
	e := Of[int]().Connect(s)
	for round := range 2 {
		for p := range 3 {
			e.Writer(p).Emit().(core.Emit[int])(10*p+round, 0)
			e.Writer(p).Flush()
		}
	}
	var got []int
	r := e.Reader(0, core.Emit[int](func(v int, _ int64) { got = append(got, v) }), nil)
	for range 3 {
		r.Read(nil, nil)
	}
	if !slices.Equal(got, []int{0, 10, 20}) {
		t.Errorf("got %v, want one of each channel", got)
	}
	s.Consumers[0].Signal.Store(core.SignalTimer)
	r.Read(func(n int) int { return n - 1 }, nil)
	if got[3] != 21 {
		t.Errorf("got %d, want the record of the channel that was picked", got[3])
	}
	if s.Consumers[0].Hooks.(*fake).attends != 1 {
		t.Error("the reader did not attend to the signal")
	}
}

func TestSamplesAreTheLastRecordsThatLeft(t *testing.T) {
	s := spec(core.Hash, 1, 2)
	e := Keyed(func(v int) int { return v % 2 }, keygroup.HasherOf[int]()).Connect(s)
	w := e.Writer(0)
	for i := range 200 {
		w.Emit().(core.Emit[int])(i, int64(1000+i))
	}
	w.Flush()
	for _, smp := range w.Sample(3) {
		v := smp.Value.(int)
		if v < 190 || smp.Timestamp != int64(1000+v) || smp.Key != v%2 {
			t.Errorf("got %+v, want one of the last records with its key", smp)
		}
	}
	if n := len(w.Sample(1000)); n != keptSamples {
		t.Errorf("got %d samples, want %d", n, keptSamples)
	}
	if n := len(w.Sample(0)); n != 0 {
		t.Errorf("got %d samples, want none", n)
	}
}

func TestTeeCallsEveryConsumerInOrder(t *testing.T) {
	for n := range 4 {
		var got, want []int
		var outs []any
		for i := range n {
			outs = append(outs, core.Emit[int](func(v int, _ int64) { got = append(got, i*10+v) }))
			want = append(want, i*10+7)
		}
		Of[int]().Tee(outs).(core.Emit[int])(7, 0)
		if !slices.Equal(got, want) {
			t.Errorf("%d consumers: got %v, want %v", n, got, want)
		}
	}
}
