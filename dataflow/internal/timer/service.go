package timer

import (
	"math"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
)

// Config is what a Service needs of its operator.
type Config[N comparable] struct {
	// Keys is the backend whose key is set while a timer fires, and that keeps the keys of timers.
	Keys state.Keys
	// OnEventTime is called for each event timer that is due, OnProcessingTime for each processing timer, with
	// its key set. Either may register and delete timers.
	OnEventTime, OnProcessingTime func(ts int64, ns N)
	// After calls f once the processing time is at or past at (core.Runtime.After). Without it,
	// processing timers fire only in AdvanceProcessingTime.
	After func(at int64, f func()) (stop func() bool)
	// Batch: a timer that is registered at MaxWatermark, so by a timer, is ignored, for the key has ended.
	Batch bool
}

// Service registers and fires the timers of one operator (InternalTimerService). Timers belong to the
// current key; there must be one when a timer is registered or deleted.
type Service[N comparable] struct {
	Config[N]
	event, processing *Queue[N]
	wm                int64
	stop              func() bool // of the pending call of After, nil if there is none
	firing            bool        // processing timers are being fired
	quiet             bool
}

// NewService returns a service without timers, at MinWatermark.
func NewService[N comparable](c Config[N]) *Service[N] {
	return &Service[N]{Config: c, event: NewQueue[N](), processing: NewQueue[N](), wm: core.MinWatermark}
}

// Watermark is the watermark that AdvanceWatermark got last.
func (s *Service[N]) Watermark() int64 { return s.wm }

// Len is the number of timers in both domains; a nil service has none.
func (s *Service[N]) Len() int {
	if s == nil {
		return 0
	}
	return s.event.Len() + s.processing.Len()
}

// RegisterEventTime sets a timer for event time ts, in milliseconds. A timer at or before the watermark
// fires at the next advance, not at once.
func (s *Service[N]) RegisterEventTime(ns N, ts int64) {
	s.register(s.event, ns, ts)
}

// DeleteEventTime removes the timer of the current key; none is a no-op.
func (s *Service[N]) DeleteEventTime(ns N, ts int64) { s.delete(s.event, ns, ts) }

// RegisterProcessingTime sets a timer for processing time ts, in milliseconds. It fires at the earliest one
// millisecond after ts, between two records; after Quiesce it is ignored.
func (s *Service[N]) RegisterProcessingTime(ns N, ts int64) {
	if s.quiet {
		return
	}
	head, any := s.processing.Peek()
	if s.register(s.processing, ns, ts) && !s.firing && (!any || ts < head) {
		s.arm()
	}
}

// DeleteProcessingTime removes the timer of the current key; none is a no-op.
func (s *Service[N]) DeleteProcessingTime(ns N, ts int64) { s.delete(s.processing, ns, ts) }

func (s *Service[N]) register(q *Queue[N], ns N, ts int64) bool {
	id := s.Keys.Current()
	if s.Batch && s.wm == core.MaxWatermark {
		return false
	}
	if !q.Register(ts, id, ns) {
		return false
	}
	s.Keys.Retain(id)
	return true
}

func (s *Service[N]) delete(q *Queue[N], ns N, ts int64) {
	if id := s.Keys.Current(); q.Delete(ts, id, ns) {
		s.Keys.Release(id)
	}
}

// AdvanceWatermark takes a watermark and fires every event timer that it reaches, in ascending
// time, also those that are registered meanwhile. The caller forwards the watermark afterwards.
func (s *Service[N]) AdvanceWatermark(wm int64) {
	s.wm = wm
	s.fire(s.event, wm, s.OnEventTime)
}

// AdvanceProcessingTime fires every processing timer with a time <= now.
func (s *Service[N]) AdvanceProcessingTime(now int64) {
	s.firing = true
	s.fire(s.processing, now, s.OnProcessingTime)
	s.firing = false
	s.arm()
}

func (s *Service[N]) fire(q *Queue[N], upTo int64, f func(ts int64, ns N)) {
	for {
		ts, ok := q.Peek()
		if !ok || ts > upTo {
			return
		}
		ts, id, ns := q.Pop()
		s.Keys.SetID(id)
		f(ts, ns)
		s.Keys.Release(id)
	}
}

// arm asks to be called for the first processing timer: one millisecond late, so that a window of
// processing time is closed only when its last millisecond is over. A timer at the end of time never comes, save in BATCH
// mode, where a key ends all its timers.
func (s *Service[N]) arm() {
	if s.After == nil {
		return
	}
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
	ts, ok := s.processing.Peek()
	if !ok || ts == math.MaxInt64 && !s.Batch {
		return
	}
	s.stop = s.After(max(ts, ts+1), func() {
		s.stop = nil
		s.AdvanceProcessingTime(ts)
	})
}

// Quiesce drops the processing timers, as at the end of the input; event timers stay.
func (s *Service[N]) Quiesce() {
	s.quiet = true
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
	for s.processing.Len() > 0 {
		_, id, _ := s.processing.Pop()
		s.Keys.Release(id)
	}
}
