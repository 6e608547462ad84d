package window

import "math"

// addFast is the way of a record into a window that fires at its end in event time: what addPlain and the
// EventTimeTrigger do, with one timer for all keys of the window.
func (o *Operator[K, T, A, W]) addFast(id int32, w W, v T, ts int64) {
	p := o.panes.get(w)
	c := p.at(id)
	if c == nil {
		if p.n == 0 {
			o.armPane(p)
		}
		c = p.cell(&o.panes, id, o.cfg.Keys)
		p.order = append(p.order, id)
	}
	o.cfg.Contents.Add(&c.acc, c.has, v, ts)
	c.has = true
	if p.end <= o.wm {
		o.fire(c, w)
		if o.purge {
			c.purge()
		}
	}
}

// armPane sets the timers of a new pane: for its firing, unless that time is over, and for its end.
func (o *Operator[K, T, A, W]) armPane(p *pane[W, A]) {
	if p.end > o.wm {
		o.paneTimers.Register(p.end, 0, p)
	}
	if t := o.cleanupTime(p.w); t != math.MaxInt64 {
		o.paneTimers.Register(t, 0, p)
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
		end := ts == o.cleanupTime(p.w) && ts != math.MaxInt64
		for _, id := range p.order {
			o.timePane(p, id, ts == p.end, end)
		}
		if end {
			p.order = nil
			o.panes.remove(p)
		}
	}
}

func (o *Operator[K, T, A, W]) timePane(p *pane[W, A], id int32, fire, end bool) {
	o.cfg.Keys.SetID(id)
	c := p.at(id)
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
	p.drop(id, o.cfg.Keys)
}
