// Package watermark is event time: how the watermarks of several inputs are combined, how watermarks
// are made from records, and what the assignTimestampsAndWatermarks operator does. Everything here is
// passive: called, it returns; processing time is asked of a function given at construction.
package watermark

import "flinkish/dataflow/internal/core"

// Valve combines the channels of one input gate (StatusWatermarkValve). The output is the minimum over the
// aligned channels and never goes back. A channel is out of alignment while it is idle, and after it
// turned active again until its own watermark has caught up with the output.
type Valve struct {
	channels []channel
	active   int // channels that are not idle
	last     int64
	idle     bool
	out      core.Control
}

type channel struct {
	wm            int64
	idle, aligned bool
	gone          bool // of a Combined: removed
}

// NewValve returns a valve of n channels, all active and at MinWatermark, that sends to out.
func NewValve(n int, out core.Control) *Valve {
	v := &Valve{channels: make([]channel, n), active: n, last: core.MinWatermark, out: out}
	for i := range v.channels {
		v.channels[i] = channel{wm: core.MinWatermark, aligned: true}
	}
	return v
}

// Watermark says that channel ch reached wm. A watermark that does not advance its channel, and every
// watermark of an idle channel, is ignored.
func (v *Valve) Watermark(ch int, wm int64) {
	c := &v.channels[ch]
	if c.idle || wm <= c.wm {
		return
	}
	c.wm = wm
	if wm >= v.last {
		c.aligned = true
	}
	v.emit(v.min())
}

// Status says that channel ch turned idle or active. When the last channel turns idle, the greatest
// watermark of all channels goes out before the idleness.
func (v *Valve) Status(ch int, idle bool) {
	c := &v.channels[ch]
	if c.idle == idle {
		return
	}
	c.idle = idle
	if !idle {
		v.active++
		c.aligned = c.wm >= v.last
		if v.idle {
			v.idle = false
			v.out.Status(false)
		}
		v.emit(v.min()) // it may be the only one that is aligned, with a watermark that waited
		return
	}
	v.active--
	c.aligned = false
	if v.active > 0 {
		v.emit(v.min())
		return
	}
	v.emit(v.max())
	v.idle = true
	v.out.Status(true)
}

// Last is the watermark that went out last, MinWatermark before the first.
func (v *Valve) Last() int64 { return v.last }

// Idle reports whether every channel is idle.
func (v *Valve) Idle() bool { return v.idle }

// Channel is the watermark of one channel, whether it is idle, and whether it holds the output back.
func (v *Valve) Channel(ch int) (wm int64, idle, aligned bool) {
	c := v.channels[ch]
	return c.wm, c.idle, c.aligned
}

// min is the least watermark of the aligned channels; none gives MinWatermark, which is never sent.
func (v *Valve) min() int64 {
	m, any := core.MaxWatermark, false
	for i := range v.channels {
		if c := &v.channels[i]; c.aligned {
			m, any = min(m, c.wm), true
		}
	}
	if !any {
		return core.MinWatermark
	}
	return m
}

func (v *Valve) max() int64 {
	m := core.MinWatermark
	for i := range v.channels {
		m = max(m, v.channels[i].wm)
	}
	return m
}

func (v *Valve) emit(wm int64) {
	if wm > v.last {
		v.last = wm
		v.out.Watermark(wm)
	}
}
