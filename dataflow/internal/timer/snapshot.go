package timer

import "slices"

// Timer is one timer in a snapshot.
type Timer[N comparable] struct {
	Time int64 // ms
	ID   int32 // of the key
	NS   N
}

// Snapshot holds the timers of a Service.
type Snapshot[N comparable] struct{ Event, Processing []Timer[N] }

// All are the timers in the order in which they would come out.
func (q *Queue[N]) All() []Timer[N] {
	items := slices.DeleteFunc(slices.Clone(q.heap), func(it item) bool { return !q.entries[it.slot].live })
	slices.SortFunc(items, func(a, b item) int {
		if before(a, b) {
			return -1
		}
		return 1
	})
	all := make([]Timer[N], len(items))
	for i, it := range items {
		e := &q.entries[it.slot]
		all[i] = Timer[N]{e.ts, e.id, e.ns}
	}
	return all
}

// Snapshot returns the timers as they are now.
func (s *Service[N]) Snapshot() Snapshot[N] { return Snapshot[N]{s.event.All(), s.processing.All()} }

// Restore registers the timers of a snapshot; id gives the id that a key has now for the one it had.
func (s *Service[N]) Restore(x Snapshot[N], id func(old int32) int32) {
	for _, t := range x.Event {
		s.restore(s.event, t, id)
	}
	for _, t := range x.Processing {
		s.restore(s.processing, t, id)
	}
	s.arm()
}

func (s *Service[N]) restore(q *Queue[N], t Timer[N], id func(int32) int32) {
	if now := id(t.ID); q.Register(t.Time, now, t.NS) {
		s.Keys.Retain(now)
	}
}
