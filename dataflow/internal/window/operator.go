package window

import (
	"math"

	"flinkish/dataflow/internal/state"
	"flinkish/dataflow/internal/timer"
)

// Config is what an Operator is made of. K is the key, T the record, A what is kept of a window's
// records, W the window.
type Config[K comparable, T, A any, W Window] struct {
	Assigner Assigner[W]
	Trigger  Trigger[T, W]
	Contents Contents[T, A]
	// Lateness is for how long after its end, in milliseconds of event time, a window takes late records.
	Lateness int64
	// Keys is the operator's keyed state, where the global state of window functions lives too.
	Keys *state.Backend[K]
	// Now is the processing time in milliseconds.
	Now func() int64
	// After calls f between two records once the processing time is at or past at; see timer.Config.
	After func(at int64, f func()) (stop func() bool)
	// Fire evaluates a window: it calls the user's function and emits the results, whose timestamp is
	// ctx.Window.MaxTimestamp(). It may change *a, and reports whether anything is left in it; ctx and
	// a are good during the call only.
	Fire func(ctx *Context[K, W], a *A) bool
	// Clear, if not nil, is called when a window of a key goes away (ProcessWindowFunction.clear).
	Clear func(ctx *Context[K, W])
	// Late, if not nil, gets the records that are too late; else they are counted in LateDropped.
	Late func(k K, v T, ts int64)
	// Seed is for assigners that stagger at random.
	Seed uint64
	// Batch: the records come key by key, with MaxWatermark after each; see timer.Config.
	Batch bool
}

// Context is what the function of a window may ask (ProcessWindowFunction.Context).
type Context[K comparable, W Window] struct {
	Key    K
	Window W
	op     interface {
		Watermark() int64
		now() int64
		globalStore() *state.Store
	}
	slot    **scope
	merging bool
}

// Watermark is the operator's watermark.
func (c *Context[K, W]) Watermark() int64 { return c.op.Watermark() }

// Now is the processing time in milliseconds.
func (c *Context[K, W]) Now() int64 { return c.op.now() }

// GlobalStore holds the state of the key over all windows.
func (c *Context[K, W]) GlobalStore() *state.Store { return c.op.globalStore() }

// WindowStore holds the state of the key in this window; Clear should clear it, and what it leaves goes with
// the window. It panics with an error for merging windows, as in Flink.
func (c *Context[K, W]) WindowStore() *state.Store {
	if c.merging {
		failf("UnsupportedOperation", "per-window state cannot be used with merging windows; use the global state")
	}
	if *c.slot == nil {
		*c.slot = &scope{}
	}
	if s := *c.slot; s.process == nil {
		s.process = state.NewScope()
	}
	return (*c.slot).process
}

// Operator is one instance of a window operator (WindowOperator, and EvictingWindowOperator with
// EvictingList and Evicting).
//
// Windows that do not merge are kept window by window (pane), each with the keys in it; merging windows key
// by key. When such windows fire at their end in event time, one timer serves all keys of a window.
type Operator[K comparable, T, A any, W Window] struct {
	// LateDropped counts the records that were dropped because they were late.
	LateDropped uint64

	cfg        Config[K, T, A, W]
	assign     func(v T, ts int64, into []W) []W
	event      bool
	merging    MergingAssigner[W] // nil when windows do not merge
	timers     *timer.Service[W]
	trigger    TriggerContext[W]
	ctx        Context[K, W]
	scratch    []W
	panes      panes[W, A]
	sessions   *state.Value[[]*sessionOf[W, A]]
	fast       bool // one timer a pane
	purge      bool // fast or quick, and firing purges
	tumbling   bool // fast, and a record of the same time belongs to the same window
	paneTimers *timer.Queue[*pane[W, A]]
	quick      *quick[W, A] // nil unless windows are sessions that fire at their end
	wm         int64
}

// NewOperator returns an operator without windows, at MinWatermark.
func NewOperator[K comparable, T, A any, W Window](c Config[K, T, A, W]) *Operator[K, T, A, W] {
	if a, ok := c.Assigner.(interface{ Instance(uint64) Assigner[W] }); ok {
		c.Assigner = a.Instance(c.Seed)
	}
	o := &Operator[K, T, A, W]{cfg: c, event: c.Assigner.IsEventTime(), wm: math.MinInt64}
	o.timers = timer.NewService(timer.Config[W]{Keys: c.Keys, After: c.After, Batch: c.Batch,
		OnEventTime:      func(ts int64, w W) { o.onTimer(ts, w, true) },
		OnProcessingTime: func(ts int64, w W) { o.onTimer(ts, w, false) }})
	o.trigger = TriggerContext[W]{timers: o.timers, now: c.Now}
	o.assign = assignFunc[T](c.Assigner, c.Now)
	o.panes.byWindow = map[W]*pane[W, A]{}
	atEnd, purge := firesAtEnd[T, W](c.Trigger)
	if m, ok := c.Assigner.(MergingAssigner[W]); ok {
		o.merging = m
		if atEnd {
			o.quick, o.purge = quickSessions[W, A](c.Assigner, &c.Keys.Store), purge
		}
		if o.quick == nil {
			o.sessions = c.Keys.Column[[]*sessionOf[W, A]]("windows")
		}
	} else if o.event {
		o.fast, o.purge = atEnd, purge
		_, tumbling := any(c.Assigner).(*tumbling)
		o.tumbling = o.fast && tumbling
		o.paneTimers = timer.NewQueue[*pane[W, A]]()
	}
	o.ctx = Context[K, W]{op: o, merging: o.merging != nil}
	return o
}

// firesAtEnd recognises the triggers that one timer a window can serve.
func firesAtEnd[T any, W Window](t Trigger[T, W]) (fast, purge bool) {
	if p, ok := t.(purging[T, W]); ok {
		_, ok = p.inner.(eventTime[T, W])
		return ok, true
	}
	_, ok := t.(eventTime[T, W])
	return ok, false
}

func assignFunc[T any, W Window](a Assigner[W], now func() int64) func(v T, ts int64, into []W) []W {
	if e, ok := a.(ElementAssigner[T, W]); ok {
		return func(v T, ts int64, into []W) []W { return e.Assign(v, ts, now(), into) }
	}
	if ignoresClock(a) {
		return func(_ T, ts int64, into []W) []W { return a.AssignWindows(ts, 0, into) }
	}
	return func(_ T, ts int64, into []W) []W { return a.AssignWindows(ts, now(), into) }
}

// Watermark is the watermark that OnWatermark got last.
func (o *Operator[K, T, A, W]) Watermark() int64 { return o.wm }

// Timers is the number of timers.
func (o *Operator[K, T, A, W]) Timers() int {
	n := o.timers.Len()
	if o.paneTimers != nil {
		n += o.paneTimers.Len()
	}
	if o.quick != nil {
		n += o.quick.timers.Len()
	}
	return n
}

func (o *Operator[K, T, A, W]) now() int64                { return o.cfg.Now() }
func (o *Operator[K, T, A, W]) globalStore() *state.Store { return &o.cfg.Keys.Store }

// OnElement puts a record into its windows; those whose trigger says so fire.
func (o *Operator[K, T, A, W]) OnElement(k K, v T, ts int64) {
	id := o.cfg.Keys.SetCurrent(k)
	if id < 0 {
		o.cfg.Keys.Current() // panics: the key is not ours
	}
	if o.tumbling {
		if p := o.panes.last; p != nil && p.start <= ts && ts <= p.end {
			o.addFast(p, id, v, ts)
			return
		}
	}
	o.scratch = o.assign(v, ts, o.scratch[:0])
	skipped := true
	for _, w := range o.scratch {
		switch {
		case o.quick != nil:
			skipped = !o.addQuick(id, o.quick.from(w), v, ts) && skipped
		case o.merging != nil:
			skipped = !o.addMerging(id, w, v, ts) && skipped
		case o.fast:
			if p := o.livePane(w); p != nil {
				skipped = false
				o.addFast(p, id, v, ts)
			}
		case !o.isLate(w):
			skipped = false
			o.addPlain(id, w, v, ts)
		}
	}
	if skipped && o.event && o.lastTime(ts) <= o.wm {
		if o.cfg.Late != nil {
			o.cfg.Late(k, v, ts)
		} else {
			o.LateDropped++
		}
	}
}

// OnWatermark fires what the watermark reaches. The caller forwards it afterwards.
func (o *Operator[K, T, A, W]) OnWatermark(wm int64) {
	o.wm = wm
	switch {
	case o.fast:
		o.advanceFast(wm)
	case o.quick != nil:
		o.advanceQuick(wm)
	default:
		o.timers.AdvanceWatermark(wm)
	}
}

// AdvanceProcessingTime fires processing timers with a time <= now; needed only without Config.After.
func (o *Operator[K, T, A, W]) AdvanceProcessingTime(now int64) { o.timers.AdvanceProcessingTime(now) }

// Quiesce drops the processing timers, as at the end of the input.
func (o *Operator[K, T, A, W]) Quiesce() { o.timers.Quiesce() }

// EndKey forgets the windows of the current key, whose input has ended: those that never go away by themselves. BATCH
// mode calls it.
func (o *Operator[K, T, A, W]) EndKey() {
	if !o.cfg.Keys.HasCurrent() {
		return
	}
	id := o.cfg.Keys.Current()
	for _, p := range o.panes.byWindow {
		if p.at(id) == nil {
			continue
		}
		p.drop(id, o.cfg.Keys)
		if p.n == 0 {
			o.panes.remove(p)
		}
	}
}

// cleanupTime is when a window goes away: at MaxInt64 never.
func (o *Operator[K, T, A, W]) cleanupTime(w W) int64 { return o.lastTime(w.MaxTimestamp()) }

// lastTime is when what ends at end, a window or a record, is late.
func (o *Operator[K, T, A, W]) lastTime(end int64) int64 {
	if !o.event {
		return end
	}
	if t := end + o.cfg.Lateness; t >= end {
		return t
	}
	return math.MaxInt64
}

// pane returns the pane of a window, made when there is none.
func (o *Operator[K, T, A, W]) pane(w W) *pane[W, A] {
	if p := o.panes.find(w); p != nil {
		return p
	}
	return o.panes.make(w, o.cleanupTime(w))
}

func (o *Operator[K, T, A, W]) isLate(w W) bool { return o.event && o.cleanupTime(w) <= o.wm }

// addPlain is the way of a record into a window that does not merge, with any trigger.
func (o *Operator[K, T, A, W]) addPlain(id int32, w W, v T, ts int64) {
	p := o.pane(w)
	c := p.cell(&o.panes, id, o.cfg.Keys)
	o.add(c, v, ts)
	if o.afterElement(c, w, v, ts) {
		o.cleanUp(c, w)
	}
	o.dropBlank(p, id, c, w)
}

func (o *Operator[K, T, A, W]) add(c *cell[A], v T, ts int64) {
	o.cfg.Contents.Add(&c.acc, c.has, v, ts)
	c.has = true
}

// afterElement asks the trigger about a record that was added, and does what it says. It reports false when
// there was nothing to fire on.
func (o *Operator[K, T, A, W]) afterElement(c *cell[A], w W, v T, ts int64) bool {
	o.trigger.window, o.trigger.slot = w, &c.scope
	r := o.cfg.Trigger.OnElement(v, ts, w, &o.trigger)
	if r&Fire != 0 {
		if !c.has {
			return false
		}
		o.fire(c, w)
	}
	if r&Purge != 0 {
		c.purge()
	}
	return true
}

// fire evaluates a window for the current key.
func (o *Operator[K, T, A, W]) fire(c *cell[A], w W) {
	o.ctx.Key, o.ctx.Window, o.ctx.slot = o.cfg.Keys.Key(), w, &c.scope
	if !o.cfg.Fire(&o.ctx, &c.acc) {
		c.purge()
	}
}

// cleanUp makes sure that a window that does not merge has a timer for its end.
func (o *Operator[K, T, A, W]) cleanUp(c *cell[A], w W) {
	if !c.timer {
		c.timer = true
		o.registerCleanup(w)
	}
}

func (o *Operator[K, T, A, W]) registerCleanup(w W) {
	switch t := o.cleanupTime(w); {
	case t == math.MaxInt64:
	case o.event:
		o.timers.RegisterEventTime(w, t)
	default:
		o.timers.RegisterProcessingTime(w, t)
	}
}

func (o *Operator[K, T, A, W]) deleteCleanup(w W) {
	switch t := o.cleanupTime(w); {
	case t == math.MaxInt64:
	case o.event:
		o.timers.DeleteEventTime(w, t)
	default:
		o.timers.DeleteProcessingTime(w, t)
	}
}

// onTimer is the way of a timer of one key and window: trigger first, then the end of the window.
func (o *Operator[K, T, A, W]) onTimer(ts int64, w W, event bool) {
	id := o.cfg.Keys.Current()
	var c *cell[A]
	var p *pane[W, A]
	if o.merging != nil {
		s := o.findSession(w)
		if s == nil {
			return
		}
		c = &s.cell
	} else {
		p = o.pane(w)
		c = p.cell(&o.panes, id, o.cfg.Keys)
	}
	o.trigger.window, o.trigger.slot = w, &c.scope
	var r Result
	if event {
		r = o.cfg.Trigger.OnEventTime(ts, w, &o.trigger)
	} else {
		r = o.cfg.Trigger.OnProcessingTime(ts, w, &o.trigger)
	}
	if r&Fire != 0 && c.has {
		o.fire(c, w)
	}
	if r&Purge != 0 {
		c.purge()
	}
	if event == o.event && ts == o.cleanupTime(w) {
		o.clearAll(c, w)
	}
	if p != nil {
		o.dropBlank(p, id, c, w)
	}
}

// clearAll ends a window for the current key.
func (o *Operator[K, T, A, W]) clearAll(c *cell[A], w W) {
	c.purge()
	o.trigger.window, o.trigger.slot = w, &c.scope
	o.cfg.Trigger.Clear(w, &o.trigger)
	if o.cfg.Clear != nil {
		o.ctx.Key, o.ctx.Window, o.ctx.slot = o.cfg.Keys.Key(), w, &c.scope
		o.cfg.Clear(&o.ctx)
	}
	c.scope = nil
	if o.merging != nil {
		o.retire(w)
	}
}

// dropBlank forgets a cell that holds nothing, as Flink holds nothing for it either.
func (o *Operator[K, T, A, W]) dropBlank(p *pane[W, A], id int32, c *cell[A], w W) {
	if !c.has && c.scope.blank() {
		p.drop(id, o.cfg.Keys)
		if p.n == 0 {
			o.panes.remove(p)
		}
	}
}
