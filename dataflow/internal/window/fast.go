package window

import "math"

// livePane returns the pane of a window, nil when the window is late. A pane that exists is not late, for
// it goes away in time.
func (o *Operator[K, T, A, W]) livePane(w W) *pane[W, A] {
	if p := o.panes.find(w); p != nil {
		return p
	}
	cleanup := o.cleanupTime(w)
	if cleanup <= o.wm {
		return nil
	}
	p := o.panes.make(w, cleanup)
	if p.end > o.wm {
		o.paneTimers.Register(p.end, 0, p)
	}
	if cleanup != math.MaxInt64 {
		o.paneTimers.Register(cleanup, 0, p)
	}
	return p
}

// addFast is the way of a record into a window that fires at its end in event time: what addPlain and the
// EventTimeTrigger do, with one timer for all keys of the window.
func (o *Operator[K, T, A, W]) addFast(p *pane[W, A], id int32, v T, ts int64) {
	c := p.cell(&o.panes, id, o.cfg.Keys)
	o.cfg.Contents.Add(&c.acc, c.has, v, ts)
	c.has = true
	if p.due <= o.wm {
		o.lateFast(p, c)
	}
}

// lateFast is for a record that came after the window fired. A window that fired before a restore fires again at
// the next watermark, since event time started anew.
func (o *Operator[K, T, A, W]) lateFast(p *pane[W, A], c *cell[A]) {
	if p.end > o.wm {
		p.due = p.end
		o.paneTimers.Register(p.end, 0, p)
		return
	}
	o.fire(c, p.w)
	if o.purge {
		c.purge()
	}
}

// advanceFast fires and ends the panes that the watermark reaches, in order of time, and in each
// pane the keys in the order in which they came.
func (o *Operator[K, T, A, W]) advanceFast(wm int64) {
	for {
		ts, ok := o.paneTimers.Peek()
		if !ok || ts > wm {
			return
		}
		_, _, p := o.paneTimers.Pop()
		end := ts == p.cleanup && ts != math.MaxInt64
		for i := range p.cells {
			o.timeCell(p, &p.cells[i], ts == p.end, end)
		}
		if end {
			o.panes.remove(p)
		}
	}
}

func (o *Operator[K, T, A, W]) timeCell(p *pane[W, A], c *cell[A], fire, end bool) {
	o.cfg.Keys.SetID(c.id)
	if fire && c.has {
		o.fire(c, p.w)
		if o.purge {
			c.purge()
		}
	}
	if !end {
		return
	}
	if o.cfg.Clear != nil {
		o.ctx.Key, o.ctx.Window, o.ctx.slot = o.cfg.Keys.Key(), p.w, &c.scope
		o.cfg.Clear(&o.ctx)
	}
	o.cfg.Keys.Release(c.id)
}
