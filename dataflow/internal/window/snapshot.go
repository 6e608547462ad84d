package window

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"flinkish/dataflow/internal/state"
	"flinkish/dataflow/internal/timer"
)

// snapshot is what an Operator held at one moment. The watermark is not part of it: event time starts anew.
type snapshot[A any, W Window] struct {
	keys   *state.Snapshot
	timers timer.Snapshot[W]
	cells  []savedCell[A, W] // of windows that do not merge, window by window; of sessions, key by key
	// ends are the timers of whole windows, or of sessions that fire at their end.
	ends []savedEnd
}

// savedCell is what one key holds in one window.
type savedCell[A any, W Window] struct {
	id      int32
	w       W
	acc     A
	has     bool
	timer   bool
	fired   bool // of a session that fires at its end
	scoped  bool // there is a scope
	scope   scope
	trigger *state.Snapshot // of the scope
	process *state.Snapshot
}

// savedEnd is a timer of the window, or session, of a cell.
type savedEnd struct {
	time int64
	cell int
}

// Snapshot returns the windows and timers as they are now.
func (o *Operator[K, T, A, W]) Snapshot() (any, error) {
	x := &snapshot[A, W]{keys: o.cfg.Keys.Snapshot(), timers: o.timers.Snapshot()}
	switch {
	case o.quick != nil:
		o.saveQuick(x)
	case o.merging != nil:
		o.saveSessions(x)
	default:
		o.savePanes(x)
	}
	return x, nil
}

// Restore takes a snapshot over into an operator without windows.
func (o *Operator[K, T, A, W]) Restore(s any) error {
	x, ok := s.(*snapshot[A, W])
	if !ok {
		return fmt.Errorf("window: the snapshot is not of this operator (%T); restore it into the one that made it", s)
	}
	return o.cfg.Keys.Restore(x.keys, func(id func(int32) int32) {
		o.timers.Restore(x.timers, id)
		switch {
		case o.quick != nil:
			o.loadQuick(x, id)
		case o.merging != nil:
			o.loadSessions(x, id)
		default:
			o.loadPanes(x, id)
		}
		o.cfg.Keys.ClearCurrent()
	})
}

func saveCell[A any, W Window](id int32, w W, c *cell[A]) savedCell[A, W] {
	s := savedCell[A, W]{id: id, w: w, has: c.has, timer: c.timer}
	if c.has {
		s.acc = state.Copier[A]()(c.acc)
	}
	if c.scope != nil {
		s.scoped, s.scope = true, *c.scope
		s.scope.trigger, s.scope.process = nil, nil
		if c.scope.trigger != nil {
			s.trigger = c.scope.trigger.Snapshot()
		}
		if c.scope.process != nil {
			s.process = c.scope.process.Snapshot()
		}
	}
	return s
}

func (s *savedCell[A, W]) load(c *cell[A]) {
	c.has, c.timer = s.has, s.timer
	if s.has {
		c.acc = state.Copier[A]()(s.acc)
	}
	if s.scoped {
		sc := s.scope
		sc.trigger, sc.process = loadScope(s.trigger), loadScope(s.process)
		c.scope = &sc
	}
}

func loadScope(x *state.Snapshot) *state.Store {
	if x == nil {
		return nil
	}
	s := state.NewScope()
	if err := s.Restore(x, nil); err != nil {
		panic(err)
	}
	return s
}

// savePanes saves windows that do not merge. On the fast path the order of the keys in a window counts, and the
// windows have their timers.
func (o *Operator[K, T, A, W]) savePanes(x *snapshot[A, W]) {
	var all []*pane[W, A]
	for _, p := range o.panes.byWindow {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *pane[W, A]) int {
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.start, b.start), cmp.Compare(fmt.Sprint(a.w), fmt.Sprint(b.w)))
	})
	first := map[*pane[W, A]]int{} // place of the first cell
	for _, p := range all {
		first[p] = len(x.cells)
		for i := range p.cells {
			if c := &p.cells[i]; c.id != state.NoKey {
				x.cells = append(x.cells, saveCell(c.id, p.w, c))
			}
		}
	}
	if o.fast {
		for _, t := range o.paneTimers.All() {
			x.ends = append(x.ends, savedEnd{t.Time, first[t.NS]})
		}
	}
}

func (o *Operator[K, T, A, W]) loadPanes(x *snapshot[A, W], id func(int32) int32) {
	for i := range x.cells {
		s := &x.cells[i]
		p := o.pane(s.w)
		s.load(p.cell(&o.panes, id(s.id), o.cfg.Keys))
		if o.fast {
			p.due = math.MinInt64
		}
	}
	for _, e := range x.ends {
		p := o.pane(x.cells[e.cell].w)
		o.paneTimers.Register(e.time, 0, p)
		if e.time == p.end {
			p.due = p.end
		}
	}
}

func (o *Operator[K, T, A, W]) saveSessions(x *snapshot[A, W]) {
	o.cfg.Keys.Each(func(id int32, _ K) bool {
		o.cfg.Keys.SetID(id)
		for _, s := range o.sessions.Value() {
			x.cells = append(x.cells, saveCell(id, s.w, &s.cell))
		}
		return true
	})
	o.cfg.Keys.ClearCurrent()
}

func (o *Operator[K, T, A, W]) loadSessions(x *snapshot[A, W], id func(int32) int32) {
	for i := range x.cells {
		s := &sessionOf[W, A]{w: x.cells[i].w}
		x.cells[i].load(&s.cell)
		o.cfg.Keys.SetID(id(x.cells[i].id))
		p, _ := o.sessions.Ref()
		*p = append(*p, s)
	}
}

func (o *Operator[K, T, A, W]) saveQuick(x *snapshot[A, W]) {
	at := map[*quickSession[A]]int{}
	o.cfg.Keys.Each(func(id int32, _ K) bool {
		o.cfg.Keys.SetID(id)
		for _, s := range o.quick.column.Value() {
			c := saveCell(id, o.quick.to(s.TimeWindow), &s.cell)
			c.fired = s.fired
			at[s] = len(x.cells)
			x.cells = append(x.cells, c)
		}
		return true
	})
	o.cfg.Keys.ClearCurrent()
	for _, t := range o.quick.timers.All() {
		if !t.NS.dead {
			x.ends = append(x.ends, savedEnd{t.Time, at[t.NS]})
		}
	}
}

func (o *Operator[K, T, A, W]) loadQuick(x *snapshot[A, W], id func(int32) int32) {
	all := make([]*quickSession[A], len(x.cells))
	for i := range x.cells {
		c := &x.cells[i]
		all[i] = &quickSession[A]{TimeWindow: o.quick.from(c.w), fired: c.fired}
		c.load(&all[i].cell)
		o.cfg.Keys.SetID(id(c.id))
		p, _ := o.quick.column.Ref()
		*p = append(*p, all[i])
	}
	for _, e := range x.ends {
		o.quick.timers.Register(e.time, id(x.cells[e.cell].id), all[e.cell])
	}
}
