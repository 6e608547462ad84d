package dataflow

import (
	"time"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/fault"
	"flinkish/dataflow/internal/watermark"
)

// This file is the alignment of sources by their watermarks: who is ahead waits.

// defaultAlignmentInterval is how often the sources of a group are compared unless the program says otherwise.
const defaultAlignmentInterval = time.Second

// WithWatermarkAlignment holds the sources of one group together: a split whose watermark is ahead of the slowest source
// subtask of the group by more than drift is not read until the others have caught up. Subtasks that are idle or have
// ended hold nobody back. interval is how often the group is compared, 1 s unless given; in between, and between two
// watermarks of a split, it may get further ahead. All are whole milliseconds.
//
// It works in FromSource only, and not in BATCH mode, which has no watermarks; AssignTimestampsAndWatermarks ignores it, as
// in Flink. A source of the group that makes no watermarks holds the others back until it ends.
func (s WatermarkStrategy[T]) WithWatermarkAlignment(group string, drift time.Duration, interval ...time.Duration) WatermarkStrategy[T] {
	every := defaultAlignmentInterval
	if len(interval) > 0 {
		every = interval[0]
	}
	switch {
	case group == "":
		return s.refuse("IllegalArgument", "the watermark alignment needs a group")
	case drift < time.Millisecond:
		return s.refuse("IllegalArgument", "the drift of a watermark alignment must be positive (at least 1ms), got "+fault.Bare(drift))
	case every < time.Millisecond:
		return s.refuse("IllegalArgument", "the interval of a watermark alignment must be positive (at least 1ms), got "+fault.Bare(every))
	}
	s.inner.Align = &watermark.AlignmentParams{Group: group, Drift: drift.Milliseconds(), Interval: every.Milliseconds()}
	return s.reject(fault.WholeMillis("the drift of a watermark alignment", drift)).
		reject(fault.WholeMillis("the interval of a watermark alignment", every))
}

// alignment is the group of the job with this name; every source subtask of it gets the same one.
func (j *jobShared) alignment(group string) *watermark.Alignment {
	j.sharedMu.Lock()
	defer j.sharedMu.Unlock()
	if j.aligned == nil {
		j.aligned = map[string]*watermark.Alignment{}
	}
	if j.aligned[group] == nil {
		j.aligned[group] = &watermark.Alignment{}
	}
	return j.aligned[group]
}

// aligner is the part of one source subtask in the alignment of its group. It belongs to the goroutine of the subtask.
type aligner struct {
	params *watermark.AlignmentParams // nil: the source waits for nobody
	group  *watermark.Alignment
	member int
	limit  int64
	stop   func() bool
}

func newAligner(p *watermark.AlignmentParams, s *core.Subtask, shared *jobShared) *aligner {
	a := &aligner{limit: core.MaxWatermark}
	if p != nil && !s.Batch {
		a.params, a.group = p, shared.alignment(p.Group)
		a.member = a.group.Join()
	}
	return a
}

// start compares the subtask, whose event time is event, with its group once per interval.
func (a *aligner) start(s *core.Subtask, event *watermark.Combined) {
	if a.params == nil {
		return
	}
	a.stop = s.Runtime.After(s.Now()+a.params.Interval, func() {
		a.group.Report(a.member, event.Last(), event.Idle())
		a.limit = a.group.Limit(a.params.Drift)
		a.start(s, event)
	})
}

// leave ends the part; it may be called again.
func (a *aligner) leave() {
	if a.stop != nil {
		a.stop()
	}
	if a.params != nil {
		a.group.Leave(a.member)
	}
}

// heldClock is the processing time of one split, which stands still while the split must wait: waiting is not idling.
type heldClock struct {
	now  func() int64
	held bool
	from int64 // ms, while held
	lost int64 // ms in all that the split was held before
}

// hold says whether the split must wait now.
func (c *heldClock) hold(held bool) {
	if held == c.held {
		return
	}
	c.held = held
	if held {
		c.from = c.now()
	} else {
		c.lost += c.now() - c.from
	}
}

// Now is the time of the split in milliseconds.
func (c *heldClock) Now() int64 {
	if c.held {
		return c.from - c.lost
	}
	return c.now() - c.lost
}
