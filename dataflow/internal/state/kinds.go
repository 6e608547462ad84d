package state

// Reducing is a ReducingState: the fold of the values of each key.
type Reducing[V any] struct {
	cells *Value[V]
	f     func(a, b V) V
	noNil bool
}

// Get returns the fold of the current key, and whether anything was added.
func (r *Reducing[V]) Get() (V, bool) { return r.cells.Get() }

// Add folds x in; the first value is kept as it is. Nil clears, as in Flink.
func (r *Reducing[V]) Add(x V) {
	if r.noNil && isNil(x) {
		r.Clear()
	} else if p, was := r.cells.Ref(); was {
		*p = r.f(*p, x)
	} else {
		*p = x
	}
}

// Clear forgets the fold of the current key.
func (r *Reducing[V]) Clear() { r.cells.Clear() }

// IsSet reports whether anything was added for the current key, expired or not. It is no read.
func (r *Reducing[V]) IsSet() bool { return r.cells.IsSet() }

// Aggregate is an AggregateFunction as plain functions. Merge is needed by merging windows only.
type Aggregate[In, Acc, Out any] struct {
	Create func() Acc
	Add    func(x In, acc Acc) Acc
	Result func(acc Acc) Out
	Merge  func(a, b Acc) Acc
}

// Aggregating is an AggregatingState: an accumulator for each key.
type Aggregating[In, Acc, Out any] struct {
	cells *Value[Acc]
	f     Aggregate[In, Acc, Out]
	noNil bool
}

// Get returns the result for the current key, and whether anything was added.
func (a *Aggregating[In, Acc, Out]) Get() (out Out, ok bool) {
	if acc, ok := a.cells.Get(); ok {
		return a.f.Result(acc), true
	}
	return out, false
}

// Add takes x into the accumulator. Nil clears, as in Flink.
func (a *Aggregating[In, Acc, Out]) Add(x In) {
	if a.noNil && isNil(x) {
		a.Clear()
		return
	}
	p, was := a.cells.Ref()
	if !was {
		*p = a.f.Create()
	}
	*p = a.f.Add(x, *p)
}

// MergeFrom takes the accumulator that o has for its current key into that of the current key.
func (a *Aggregating[In, Acc, Out]) MergeFrom(o *Aggregating[In, Acc, Out]) {
	acc, ok := o.cells.Get()
	if !ok {
		return
	}
	p, was := a.cells.Ref()
	if was {
		acc = a.f.Merge(*p, acc)
	}
	*p = acc
}

// Clear forgets the accumulator of the current key.
func (a *Aggregating[In, Acc, Out]) Clear() { a.cells.Clear() }

// IsSet reports whether anything was added for the current key, expired or not. It is no read, and asks for no result.
func (a *Aggregating[In, Acc, Out]) IsSet() bool { return a.cells.IsSet() }
