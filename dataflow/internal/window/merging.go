package window

import "slices"

// sessionOf is a merging window of one key. Its window grows; what it holds stays.
type sessionOf[W Window, A any] struct {
	w    W
	cell cell[A]
}

// findSession returns the session of the current key with exactly this window, nil if there is none.
func (o *Operator[K, T, A, W]) findSession(w W) *sessionOf[W, A] {
	for _, s := range o.sessions.Value() {
		if s.w == w {
			return s
		}
	}
	return nil
}

// retire takes a session out of the list of the current key.
func (o *Operator[K, T, A, W]) retire(w W) {
	all := o.sessions.Value()
	all = slices.DeleteFunc(all, func(s *sessionOf[W, A]) bool { return s.w == w })
	o.setSessions(all)
}

func (o *Operator[K, T, A, W]) setSessions(all []*sessionOf[W, A]) {
	if len(all) == 0 {
		o.sessions.Clear()
		return
	}
	o.sessions.Update(all)
}

// addMerging is the way of a record into a window that merges. It reports false when the window was late.
func (o *Operator[K, T, A, W]) addMerging(id int32, w W, v T, ts int64) bool {
	s := o.merge(w)
	if o.isLate(s.w) {
		o.retire(s.w)
		return false
	}
	o.add(&s.cell, v, ts)
	if o.afterElement(&s.cell, s.w, v, ts) {
		o.registerCleanup(s.w)
	}
	return true
}

// merge finds the session that a new window belongs to, after it has grown together what belongs
// together (MergingWindowSet.addWindow).
func (o *Operator[K, T, A, W]) merge(w W) *sessionOf[W, A] {
	all := o.sessions.Value()
	if len(all) > 0 {
		if s := o.findSession(w); s != nil {
			return s // an equal window is no new window; merging would lose the mapping
		}
		windows := make([]W, 0, 4)
		for _, s := range all {
			windows = append(windows, s.w)
		}
		var found *sessionOf[W, A]
		o.merging.MergeWindows(append(windows, w), func(result W, merged []W) {
			if s := o.growTogether(result, merged, w); s != nil {
				found = s
			}
		})
		if found != nil {
			return found
		}
	}
	s := &sessionOf[W, A]{w: w}
	p, _ := o.sessions.Ref()
	*p = append(*p, s)
	return s
}

// growTogether makes one session of the merged windows. It returns it when w is among them.
func (o *Operator[K, T, A, W]) growTogether(result W, merged []W, w W) *sessionOf[W, A] {
	var target *sessionOf[W, A]
	var olds []*sessionOf[W, A]
	holds := false
	for _, m := range merged {
		if m == w {
			holds = true
		} else if s := o.findSession(m); s != nil {
			olds = append(olds, s)
		}
	}
	if len(olds) == 0 {
		return nil
	}
	target = olds[0]
	if len(olds) > 1 || target.w != result {
		o.mergeSessions(result, olds)
	}
	if !holds {
		return nil
	}
	return target
}

// mergeSessions puts the first session in the place of all: the trigger takes over its state and sets
// timers for the result, then the old windows lose theirs, then the contents join.
func (o *Operator[K, T, A, W]) mergeSessions(result W, olds []*sessionOf[W, A]) {
	o.checkMerge(result)
	o.trigger.merged = o.trigger.merged[:0]
	for _, s := range olds {
		o.trigger.merged = append(o.trigger.merged, s.cell.scope)
	}
	var fresh *scope
	o.trigger.window, o.trigger.slot = result, &fresh
	any(o.cfg.Trigger).(MergingTrigger[W]).OnMerge(result, &o.trigger)
	for _, s := range olds {
		o.trigger.window, o.trigger.slot = s.w, &s.cell.scope
		o.cfg.Trigger.Clear(s.w, &o.trigger)
		o.deleteCleanup(s.w)
	}
	o.trigger.merged = o.trigger.merged[:0]
	target := olds[0]
	target.w, target.cell.scope = result, fresh
	for _, s := range olds[1:] {
		o.joinContents(&target.cell, &s.cell)
		all := o.sessions.Value()
		o.setSessions(slices.DeleteFunc(all, func(x *sessionOf[W, A]) bool { return x == s }))
	}
}

func (o *Operator[K, T, A, W]) joinContents(into, from *cell[A]) {
	switch {
	case !from.has:
	case !into.has:
		into.acc, into.has = from.acc, true
	default:
		o.cfg.Contents.Merge(&into.acc, &from.acc)
	}
}

// checkMerge refuses a merge whose result would be over already.
func (o *Operator[K, T, A, W]) checkMerge(result W) {
	if o.event && o.isLate(result) {
		failf("UnsupportedOperation", "merging moved the end of an event-time window to %v, at or before the watermark %d; windows must not shrink when they merge", result, o.wm)
	}
	if !o.event && result.MaxTimestamp() <= o.cfg.Now() {
		failf("UnsupportedOperation", "merging moved the end of a processing-time window to %v, at or before the processing time %d; windows must not shrink when they merge", result, o.cfg.Now())
	}
}
