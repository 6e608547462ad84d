package timer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"flinkish/dataflow/internal/fault"
	"flinkish/dataflow/internal/state"
)

type key struct {
	ts int64
	id int32
	ns string
}

// TestQueueIsASortedSet compares the queue with a plain slice under random operations.
func TestQueueIsASortedSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := NewQueue[string]()
		var model []key // in order of registration
		gen := rapid.Custom(func(t *rapid.T) key {
			return key{rapid.Int64Range(-3, 20).Draw(t, "ts"), rapid.Int32Range(0, 4).Draw(t, "id"), rapid.SampledFrom([]string{"", "a"}).Draw(t, "ns")}
		})
		for range rapid.IntRange(0, 300).Draw(t, "n") {
			k := gen.Draw(t, "timer")
			i := slices.Index(model, k)
			switch rapid.SampledFrom([]string{"register", "register", "delete", "pop"}).Draw(t, "op") {
			case "register":
				if got := q.Register(k.ts, k.id, k.ns); got != (i < 0) {
					t.Fatalf("Register(%v) = %v with the timer at %d", k, got, i)
				}
				if i < 0 {
					model = append(model, k)
				}
			case "delete":
				if got := q.Delete(k.ts, k.id, k.ns); got != (i >= 0) {
					t.Fatalf("Delete(%v) = %v with the timer at %d", k, got, i)
				}
				if i >= 0 {
					model = slices.Delete(model, i, i+1)
				}
			case "pop":
				if len(model) == 0 {
					continue
				}
				least := 0
				for j := range model {
					if model[j].ts < model[least].ts {
						least = j
					}
				}
				ts, id, ns := q.Pop()
				if got := (key{ts, id, ns}); got != model[least] {
					t.Fatalf("Pop() = %v, want %v", got, model[least])
				}
				model = slices.Delete(model, least, least+1)
			}
			if q.Len() != len(model) {
				t.Fatalf("Len() = %d, want %d", q.Len(), len(model))
			}
		}
	})
}

func TestDeletedTimersDoNotPileUp(t *testing.T) {
	q := NewQueue[struct{}]()
	for ts := range int64(10_000) {
		q.Register(ts+1_000_000, 1, struct{}{})
		q.Delete(ts+1_000_000, 1, struct{}{})
	}
	if len(q.heap) > 200 || len(q.entries) > 200 {
		t.Errorf("got %d places in the heap and %d entries for no timer", len(q.heap), len(q.entries))
	}
}

// fixture is a service over string keys that writes down what fires.
type fixture struct {
	*Service[struct{}]
	keys *state.Backend[string]
	got  []string
	on   func(domain string, ts int64)
}

func newFixture(after func(int64, func()) func() bool) *fixture {
	f := &fixture{keys: state.NewBackend[string]()}
	fire := func(domain string) func(int64, struct{}) {
		return func(ts int64, _ struct{}) {
			f.got = append(f.got, fmt.Sprintf("%s%s@%d", domain, f.keys.Key(), ts))
			if f.on != nil {
				f.on(domain, ts)
			}
		}
	}
	f.Service = NewService(Config[struct{}]{Keys: f.keys, OnEventTime: fire("E"), OnProcessingTime: fire("P"), After: after})
	return f
}

func (f *fixture) check(t *testing.T, want string) {
	t.Helper()
	if got := strings.Join(f.got, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	f.got = nil
}

var none struct{}

func TestEventTimers(t *testing.T) {
	f := newFixture(nil)
	f.keys.SetCurrent("x")
	for _, ts := range []int64{30, 10, 20, 10} {
		f.RegisterEventTime(none, ts)
	}
	f.keys.SetCurrent("y")
	f.RegisterEventTime(none, 10)
	f.DeleteEventTime(none, 20) // of another key: nothing
	f.RegisterEventTime(none, 25)
	f.DeleteEventTime(none, 25)
	f.AdvanceWatermark(9)
	f.check(t, "")
	f.AdvanceWatermark(100)
	f.check(t, "Ex@10 Ey@10 Ex@20 Ex@30")
	f.RegisterEventTime(none, 50) // before the watermark: waits for the next advance
	f.check(t, "")
	f.AdvanceWatermark(101)
	f.check(t, "Ex@50")
	if f.keys.Len() != 0 || f.Len() != 0 {
		t.Errorf("got %d keys and %d timers at the end, want none", f.keys.Len(), f.Len())
	}
}

func TestATimerSetWhileFiringFiresInTheSameAdvance(t *testing.T) {
	f := newFixture(nil)
	f.keys.SetCurrent("x")
	f.RegisterEventTime(none, 5)
	f.on = func(_ string, ts int64) {
		if ts < 8 {
			f.RegisterEventTime(none, ts+1)
		}
	}
	f.AdvanceWatermark(7)
	f.check(t, "Ex@5 Ex@6 Ex@7")
	f.AdvanceWatermark(8)
	f.check(t, "Ex@8")
}

func TestTheDomainsAreApart(t *testing.T) {
	f := newFixture(nil)
	f.keys.SetCurrent("x")
	f.RegisterEventTime(none, 5)
	f.RegisterProcessingTime(none, 5)
	f.AdvanceProcessingTime(5)
	f.AdvanceWatermark(6)
	f.check(t, "Px@5 Ex@5")
}

// clock calls back by hand.
type clock struct {
	at int64
	f  func()
}

func (c *clock) after(at int64, f func()) func() bool {
	c.at, c.f = at, f
	return func() bool { was := c.f != nil; c.f = nil; return was }
}

func (c *clock) advance(now int64) {
	for c.f != nil && c.at <= now {
		f := c.f
		c.f = nil
		f()
	}
}

func TestProcessingTimersAskTheClockForTheFirstOnly(t *testing.T) {
	c := &clock{}
	f := newFixture(c.after)
	f.keys.SetCurrent("x")
	f.RegisterProcessingTime(none, 20)
	if c.at != 21 {
		t.Errorf("asked for %d, want 21: a millisecond after the timer", c.at)
	}
	f.RegisterProcessingTime(none, 30)
	f.RegisterProcessingTime(none, 10)
	if c.at != 11 {
		t.Errorf("asked for %d, want 11", c.at)
	}
	c.advance(10)
	f.check(t, "")
	c.advance(25)
	f.check(t, "Px@10 Px@20")
	f.Quiesce()
	f.RegisterProcessingTime(none, 26)
	c.advance(100)
	f.check(t, "")
	if f.Len() != 0 || f.keys.Len() != 0 {
		t.Errorf("got %d timers and %d keys after Quiesce, want none", f.Len(), f.keys.Len())
	}
}

func TestATimerNeedsAKey(t *testing.T) {
	defer func() {
		if _, ok := recover().(*fault.Error); !ok {
			t.Error("no *fault.Error")
		}
	}()
	newFixture(nil).RegisterEventTime(none, 1)
}

func BenchmarkTimers(b *testing.B) {
	const n = 100_000
	for name, spread := range map[string]int64{"random": 1, "100 ends": n / 100} {
		b.Run(name, func(b *testing.B) {
			q := NewQueue[struct{}]()
			for range b.N {
				for i := range int64(n) {
					ts := i * 7919 % n / spread * spread
					q.Register(ts, int32(i/2), none)
				}
				for q.Len() > 0 {
					q.Pop()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/timer")
		})
	}
}
