package window

import (
	"math"
	"slices"

	"flinkish/dataflow/internal/state"
	"flinkish/dataflow/internal/timer"
)

// quick is the state of an operator whose windows are event-time sessions that fire at their end. It does what
// merging.go and the EventTimeTrigger do, without moving a timer each time a session grows: a session has a
// timer at some time up to the one it needs, and moves it on when it fires too early.
type quick[W Window, A any] struct {
	column *state.Value[[]*quickSession[A]] // of a key, in order of time, never touching each other
	timers *timer.Queue[*quickSession[A]]
	to     func(TimeWindow) W
	from   func(W) TimeWindow
}

type quickSession[A any] struct {
	TimeWindow
	cell  cell[A]
	fired bool // its end was reached; it waits for late records only
	dead  bool // gone; timers that still point here do nothing
}

// quickSessions returns the fast path for sessions, nil where the general one is needed.
func quickSessions[W Window, A any](a Assigner[W], keys *state.Store) *quick[W, A] {
	if _, ok := any(a).(interface{ timeSessions() }); !ok || !a.IsEventTime() {
		return nil
	}
	same := any(func(w TimeWindow) TimeWindow { return w })
	return &quick[W, A]{column: keys.Column[[]*quickSession[A]]("windows"), timers: timer.NewQueue[*quickSession[A]](),
		to: same.(func(TimeWindow) W), from: same.(func(W) TimeWindow)}
}

// addQuick puts a record into the session that its window w makes, joins or connects. It reports false when the
// window was late.
func (o *Operator[K, T, A, W]) addQuick(id int32, w TimeWindow, v T, ts int64) bool {
	s := o.sessionFor(id, w)
	if s == nil {
		return false
	}
	o.add(&s.cell, v, ts)
	switch {
	case !s.fired:
	case s.MaxTimestamp() > o.wm: // it fired before a restore; event time started anew
		s.fired = false
		o.quick.timers.Register(s.MaxTimestamp(), id, s)
	default:
		o.fireQuick(s)
	}
	return true
}

// sessionFor finds the session that covers w, after it has grown and taken in the others that w touches.
func (o *Operator[K, T, A, W]) sessionFor(id int32, w TimeWindow) *quickSession[A] {
	all := o.quick.column.Value()
	first := 0
	for first < len(all) && all[first].End < w.Start {
		first++
	}
	if first == len(all) || all[first].Start > w.End {
		return o.newQuick(id, w, first)
	}
	s, next := all[first], first+1
	end := s.End
	s.TimeWindow = s.Cover(w)
	for next < len(all) && all[next].Start <= w.End {
		o.joinContents(&s.cell, &all[next].cell)
		s.TimeWindow = s.Cover(all[next].TimeWindow)
		all[next].dead = true
		next++
	}
	if next > first+1 {
		o.quick.column.Update(slices.Delete(all, first+1, next))
	}
	if s.End != end && s.fired && s.MaxTimestamp() > o.wm { // it is to fire again, maybe before its timer
		s.fired = false
		o.quick.timers.Register(s.MaxTimestamp(), id, s)
	}
	return s
}

// newQuick makes a session at place at, nil if it would be late.
func (o *Operator[K, T, A, W]) newQuick(id int32, w TimeWindow, at int) *quickSession[A] {
	s := &quickSession[A]{TimeWindow: w, fired: w.MaxTimestamp() <= o.wm}
	due := o.due(s)
	if due <= o.wm {
		return nil
	}
	p, _ := o.quick.column.Ref()
	*p = slices.Insert(*p, at, s)
	if due != math.MaxInt64 {
		o.quick.timers.Register(due, id, s)
	}
	return s
}

// due is when something is to happen to a session: at its end it fires, after the lateness it goes.
func (o *Operator[K, T, A, W]) due(s *quickSession[A]) int64 {
	if !s.fired {
		return s.MaxTimestamp()
	}
	return o.lastTime(s.MaxTimestamp())
}

func (o *Operator[K, T, A, W]) fireQuick(s *quickSession[A]) {
	if s.cell.has {
		o.fire(&s.cell, o.quick.to(s.TimeWindow))
	}
	if o.purge {
		s.cell.purge()
	}
}

// advanceQuick fires and ends the sessions that the watermark reaches, in order of time.
func (o *Operator[K, T, A, W]) advanceQuick(wm int64) {
	q := o.quick.timers
	for {
		ts, ok := q.Peek()
		if !ok || ts > wm {
			return
		}
		ts, id, s := q.Pop()
		if s.dead {
			continue
		}
		if ts == o.due(s) {
			o.cfg.Keys.SetID(id)
			if !s.fired {
				s.fired = true
				o.fireQuick(s)
			}
			if ts == o.due(s) && ts != math.MaxInt64 {
				o.endQuick(s)
				continue
			}
		}
		if due := o.due(s); due != math.MaxInt64 {
			q.Register(due, id, s)
		}
	}
}

// endQuick ends a session of the current key.
func (o *Operator[K, T, A, W]) endQuick(s *quickSession[A]) {
	s.cell.purge()
	if o.cfg.Clear != nil {
		o.ctx.Key, o.ctx.Window, o.ctx.slot = o.cfg.Keys.Key(), o.quick.to(s.TimeWindow), &s.cell.scope
		o.cfg.Clear(&o.ctx)
	}
	s.dead = true
	all := o.quick.column.Value()
	all = slices.DeleteFunc(all, func(x *quickSession[A]) bool { return x == s })
	if len(all) == 0 {
		o.quick.column.Clear()
	} else {
		o.quick.column.Update(all)
	}
}
