package task

import (
	"math/rand/v2"
	"slices"
	"testing"

	"flinkish/dataflow/internal/sched"
)

func TestTimersPopInOrderOfTimeThenRegistration(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		var q timers
		type entry struct {
			at  int64
			seq int
		}
		var want, got []entry
		var all []*timer
		for i := range 300 {
			e := entry{random.Int64N(40), i}
			all = append(all, q.add(e.at, 0, func() { got = append(got, e) }))
			want = append(want, e)
		}
		stopped := map[int]bool{}
		for range 200 {
			i := random.IntN(len(all))
			if q.stop(all[i]) == stopped[i] {
				t.Fatal("stop reported wrongly whether the timer was pending")
			}
			stopped[i] = true
		}
		want = slices.DeleteFunc(want, func(e entry) bool { return stopped[e.seq] })
		slices.SortStableFunc(want, func(a, b entry) int { return int(a.at - b.at) })
		for q.next() != sched.Never {
			_, f := q.pop()
			f()
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v\nwant %v", got, want)
		}
	}
}

func TestStoppedTimersDoNotPileUp(t *testing.T) {
	var q timers
	for i := range 10_000 {
		q.stop(q.add(int64(1_000_000+i), 0, func() {}))
	}
	if len(q.heap) > 200 {
		t.Errorf("got %d timers in the heap, want few", len(q.heap))
	}
}
