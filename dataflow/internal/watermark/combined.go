package watermark

import "flinkish/dataflow/internal/core"

// Combined is the event time of an operator with several inputs, or of a source with several splits
// (CombinedWatermarkStatus): the minimum over the inputs that are not idle; the maximum over all once every
// one is idle. Unlike in a Valve, an input that turns active again takes part at once, so it holds
// the output until it has caught up.
type Combined struct {
	inputs []channel
	last   int64
	idle   bool
	out    core.Control
}

// NewCombined returns the event time of n inputs, all active and at MinWatermark, that sends to out.
func NewCombined(n int, out core.Control) *Combined {
	c := &Combined{inputs: make([]channel, n), last: core.MinWatermark, out: out}
	for i := range c.inputs {
		c.inputs[i].wm = core.MinWatermark
	}
	return c
}

// Add makes one more input, active and at MinWatermark, and returns its number. Event time waits for it, and does not go
// back.
func (c *Combined) Add() int {
	c.inputs = append(c.inputs, channel{wm: core.MinWatermark})
	c.update()
	return len(c.inputs) - 1
}

// Remove takes an input out of the combination. When none is left, the output is idle and its event time stays.
func (c *Combined) Remove(input int) {
	c.inputs[input].gone = true
	c.update()
}

// Watermark says that the given input reached wm. The input counts as active again.
func (c *Combined) Watermark(input int, wm int64) {
	if wm == core.MinWatermark {
		c.reset()
		return
	}
	in := &c.inputs[input]
	in.wm = max(in.wm, wm)
	in.idle = false
	c.update()
}

// reset goes back to the start, as BATCH mode does after each key: MinWatermark never comes otherwise.
func (c *Combined) reset() {
	for i := range c.inputs {
		c.inputs[i].wm = core.MinWatermark
	}
	if c.last != core.MinWatermark {
		c.last = core.MinWatermark
		c.out.Watermark(core.MinWatermark)
	}
}

// Status says that the given input turned idle or active.
func (c *Combined) Status(input int, idle bool) {
	c.inputs[input].idle = idle
	c.update()
}

// Last is the watermark that went out last, MinWatermark before the first.
func (c *Combined) Last() int64 { return c.last }

// Idle reports whether every input is idle.
func (c *Combined) Idle() bool { return c.idle }

func (c *Combined) update() {
	low, high, idle := core.MaxWatermark, core.MinWatermark, true
	for _, in := range c.inputs {
		if in.gone {
			continue
		}
		high = max(high, in.wm)
		if !in.idle {
			low, idle = min(low, in.wm), false
		}
	}
	wm := low
	if idle {
		wm = high
	}
	if c.idle && !idle {
		c.idle = false
		c.out.Status(false)
	}
	if wm > c.last {
		c.last = wm
		c.out.Watermark(wm)
	}
	if idle && !c.idle {
		c.idle = true
		c.out.Status(true)
	}
}
