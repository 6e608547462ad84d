package window

import "flinkish/dataflow/internal/core"

// base answers CONTINUE to everything and can merge.
type base[T any, W Window] struct{}

func (base[T, W]) OnElement(T, int64, W, *TriggerContext[W]) Result     { return Continue }
func (base[T, W]) OnEventTime(int64, W, *TriggerContext[W]) Result      { return Continue }
func (base[T, W]) OnProcessingTime(int64, W, *TriggerContext[W]) Result { return Continue }
func (base[T, W]) Clear(W, *TriggerContext[W])                          {}
func (base[T, W]) CanMerge() bool                                       { return true }
func (base[T, W]) OnMerge(W, *TriggerContext[W])                        {}

type never[T any, W Window] struct{ base[T, W] }

type endOfStream[T any, W Window] struct{ base[T, W] }

func (endOfStream[T, W]) OnElement(_ T, _ int64, _ W, c *TriggerContext[W]) Result {
	c.RegisterEventTimeTimer(core.MaxWatermark)
	return Continue
}
func (endOfStream[T, W]) OnEventTime(time int64, _ W, _ *TriggerContext[W]) Result {
	if time == core.MaxWatermark {
		return Fire
	}
	return Continue
}
func (endOfStream[T, W]) OnMerge(_ W, c *TriggerContext[W]) {
	c.RegisterEventTimeTimer(core.MaxWatermark)
}
func (endOfStream[T, W]) Clear(_ W, c *TriggerContext[W]) { c.DeleteEventTimeTimer(core.MaxWatermark) }

type eventTime[T any, W Window] struct{ base[T, W] }

func (eventTime[T, W]) OnElement(_ T, _ int64, w W, c *TriggerContext[W]) Result {
	if w.MaxTimestamp() <= c.CurrentWatermark() {
		return Fire
	}
	c.RegisterEventTimeTimer(w.MaxTimestamp())
	return Continue
}
func (eventTime[T, W]) OnEventTime(time int64, w W, _ *TriggerContext[W]) Result {
	if time == w.MaxTimestamp() {
		return Fire
	}
	return Continue
}
func (eventTime[T, W]) Clear(w W, c *TriggerContext[W]) { c.DeleteEventTimeTimer(w.MaxTimestamp()) }
func (eventTime[T, W]) OnMerge(w W, c *TriggerContext[W]) {
	if w.MaxTimestamp() > c.CurrentWatermark() {
		c.RegisterEventTimeTimer(w.MaxTimestamp())
	}
}

type processingTime[T any, W Window] struct{ base[T, W] }

func (processingTime[T, W]) OnElement(_ T, _ int64, w W, c *TriggerContext[W]) Result {
	c.RegisterProcessingTimeTimer(w.MaxTimestamp())
	return Continue
}
func (processingTime[T, W]) OnProcessingTime(int64, W, *TriggerContext[W]) Result { return Fire }
func (processingTime[T, W]) Clear(w W, c *TriggerContext[W]) {
	c.DeleteProcessingTimeTimer(w.MaxTimestamp())
}
func (processingTime[T, W]) OnMerge(w W, c *TriggerContext[W]) {
	if w.MaxTimestamp() > c.CurrentProcessingTime() {
		c.RegisterProcessingTimeTimer(w.MaxTimestamp())
	}
}

type count[T any, W Window] struct {
	base[T, W]
	n int64
}

func (t count[T, W]) OnElement(_ T, _ int64, _ W, c *TriggerContext[W]) Result {
	s := c.own()
	s.count++
	if s.count < t.n {
		return Continue
	}
	s.count = 0
	return Fire
}
func (count[T, W]) Clear(_ W, c *TriggerContext[W]) {
	if s := *c.slot; s != nil {
		s.count = 0
	}
}
func (count[T, W]) OnMerge(_ W, c *TriggerContext[W]) {
	for _, s := range c.merged {
		if s != nil && s.count > 0 {
			c.own().count += s.count
			s.count = 0
		}
	}
}

type purging[T any, W Window] struct{ inner Trigger[T, W] }

func purged(r Result) Result {
	if r&Fire != 0 {
		return FireAndPurge
	}
	return r
}
func (t purging[T, W]) OnElement(v T, ts int64, w W, c *TriggerContext[W]) Result {
	return purged(t.inner.OnElement(v, ts, w, c))
}
func (t purging[T, W]) OnEventTime(time int64, w W, c *TriggerContext[W]) Result {
	return purged(t.inner.OnEventTime(time, w, c))
}
func (t purging[T, W]) OnProcessingTime(time int64, w W, c *TriggerContext[W]) Result {
	return purged(t.inner.OnProcessingTime(time, w, c))
}
func (t purging[T, W]) Clear(w W, c *TriggerContext[W]) { t.inner.Clear(w, c) }
func (t purging[T, W]) CanMerge() bool                  { return canMerge[T, W](t.inner) }
func (t purging[T, W]) OnMerge(w W, c *TriggerContext[W]) {
	any(t.inner).(MergingTrigger[W]).OnMerge(w, c)
}
