package window

import "flinkish/dataflow/internal/core"

// continuousEvent keeps the time of its next early firing in scope.next.
type continuousEvent[T any, W Window] struct {
	base[T, W]
	interval int64
}

func (t continuousEvent[T, W]) OnElement(_ T, ts int64, w W, c *TriggerContext[W]) Result {
	if w.MaxTimestamp() <= c.CurrentWatermark() {
		return Fire
	}
	c.RegisterEventTimeTimer(w.MaxTimestamp())
	if s := c.own(); !s.hasNext {
		t.arm(ts-ts%t.interval, w, c)
	}
	return Continue
}

func (t continuousEvent[T, W]) arm(from int64, w W, c *TriggerContext[W]) {
	s := c.own()
	s.next, s.hasNext = nextFiring(from, t.interval, w.MaxTimestamp()), true
	c.RegisterEventTimeTimer(s.next)
}

func (t continuousEvent[T, W]) OnEventTime(time int64, w W, c *TriggerContext[W]) Result {
	if time == w.MaxTimestamp() {
		return Fire
	}
	if s := c.own(); s.hasNext && s.next == time {
		if c.CurrentWatermark() == core.MaxWatermark && w.MaxTimestamp() == core.MaxWatermark {
			time = core.MaxWatermark - t.interval // the stream has ended: all intervals until the end of time would take for ever
		}
		t.arm(time, w, c)
		return Fire
	}
	return Continue
}

func (t continuousEvent[T, W]) Clear(_ W, c *TriggerContext[W]) {
	if s := *c.slot; s != nil && s.hasNext {
		c.DeleteEventTimeTimer(s.next)
		s.next, s.hasNext = 0, false
	}
}

func (t continuousEvent[T, W]) OnMerge(_ W, c *TriggerContext[W]) {
	if mergeNext(c) {
		c.RegisterEventTimeTimer(c.own().next)
	}
}

// nextFiring is an interval after from, or the end, which comes at the latest.
func nextFiring(from, interval, end int64) int64 {
	if next := from + interval; next >= from {
		return min(next, end)
	}
	return end
}

// mergeNext moves the earliest pending time of the merged windows to the new one, and reports
// whether there is any.
func mergeNext[W Window](c *TriggerContext[W]) bool {
	for _, old := range c.merged {
		if old == nil || !old.hasNext {
			continue
		}
		if s := c.own(); !s.hasNext || old.next < s.next {
			s.next, s.hasNext = old.next, true
		}
		old.next, old.hasNext = 0, false
	}
	return *c.slot != nil && (*c.slot).hasNext
}

// continuousProcessing keeps the time of its next firing in scope.next.
type continuousProcessing[T any, W Window] struct {
	base[T, W]
	interval int64
}

func (t continuousProcessing[T, W]) OnElement(_ T, _ int64, w W, c *TriggerContext[W]) Result {
	if s := c.own(); !s.hasNext {
		now := c.CurrentProcessingTime()
		t.arm(now-now%t.interval, w, c)
	}
	return Continue
}

func (t continuousProcessing[T, W]) arm(from int64, w W, c *TriggerContext[W]) {
	s := c.own()
	s.next, s.hasNext = nextFiring(from, t.interval, w.MaxTimestamp()), true
	c.RegisterProcessingTimeTimer(s.next)
}

// OnProcessingTime does not arm again at the window's end: min would give the same instant for ever.
func (t continuousProcessing[T, W]) OnProcessingTime(time int64, w W, c *TriggerContext[W]) Result {
	s := c.own()
	if !s.hasNext || s.next != time {
		return Continue
	}
	s.next, s.hasNext = 0, false
	if time < w.MaxTimestamp() {
		t.arm(time, w, c)
	}
	return Fire
}

func (t continuousProcessing[T, W]) Clear(_ W, c *TriggerContext[W]) {
	if s := *c.slot; s != nil && s.hasNext {
		c.DeleteProcessingTimeTimer(s.next)
		s.next, s.hasNext = 0, false
	}
}

// OnMerge takes over the pending time with a timer of its own: every record makes a session grow, which would else never
// fire.
func (t continuousProcessing[T, W]) OnMerge(_ W, c *TriggerContext[W]) {
	if mergeNext(c) {
		c.RegisterProcessingTimeTimer(c.own().next)
	}
}

// timeout keeps the time of its timer in scope.timeout. It cannot merge.
type timeout[T any, W Window] struct {
	inner Trigger[T, W]
	timeoutSpec
}

func (t timeout[T, W]) OnElement(v T, ts int64, w W, c *TriggerContext[W]) Result {
	r := t.inner.OnElement(v, ts, w, c)
	if r&Fire != 0 {
		t.Clear(w, c)
		return r
	}
	s := c.own()
	if s.hasTime && t.reset {
		c.DeleteProcessingTimeTimer(s.timeout)
		s.hasTime = false
	}
	if !s.hasTime {
		s.timeout, s.hasTime = c.CurrentProcessingTime()+t.timeoutSpec.timeout, true
		c.RegisterProcessingTimeTimer(s.timeout)
	}
	return r
}

func (t timeout[T, W]) OnEventTime(time int64, w W, c *TriggerContext[W]) Result {
	return t.expire(t.inner.OnEventTime(time, w, c), w, c)
}

func (t timeout[T, W]) OnProcessingTime(time int64, w W, c *TriggerContext[W]) Result {
	return t.expire(t.inner.OnProcessingTime(time, w, c), w, c)
}

// expire fires whatever the inner trigger said.
func (t timeout[T, W]) expire(r Result, w W, c *TriggerContext[W]) Result {
	if !t.noClear {
		t.Clear(w, c)
	}
	return r&Purge | Fire
}

func (t timeout[T, W]) Clear(w W, c *TriggerContext[W]) {
	if s := *c.slot; s != nil && s.hasTime {
		c.DeleteProcessingTimeTimer(s.timeout)
		s.timeout, s.hasTime = 0, false
	}
	t.inner.Clear(w, c)
}

// delta keeps the element of its last firing in the store. It cannot merge.
type delta[T any, W Window] struct{ deltaSpec[T] }

func (t delta[T, W]) OnElement(v T, _ int64, _ W, c *TriggerContext[W]) Result {
	last, err := c.Store().Value[[]T]("last-element", "")
	if err != nil {
		panic(err)
	}
	old, ok := last.Get()
	switch {
	case !ok:
		last.Update([]T{v})
		return Continue
	case t.deltaSpec.delta(old[0], v) > t.threshold:
		last.Update([]T{v})
		return Fire
	}
	return Continue
}
func (delta[T, W]) OnEventTime(int64, W, *TriggerContext[W]) Result      { return Continue }
func (delta[T, W]) OnProcessingTime(int64, W, *TriggerContext[W]) Result { return Continue }
func (delta[T, W]) Clear(_ W, c *TriggerContext[W]) {
	if s := *c.slot; s != nil && s.trigger != nil {
		s.trigger.Clear()
	}
}
