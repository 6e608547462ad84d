package window

// Contents says how the records of a window are kept: T is a record, A what is kept of all of them.
type Contents[T, A any] struct {
	// Add takes a record in. has is false for the first one, when *a is the zero A.
	Add func(a *A, has bool, v T, ts int64)
	// Merge takes what from holds into *into; merging windows only.
	Merge func(into, from *A)
}

// ListOf keeps every record, in the order of arrival.
func ListOf[T any]() Contents[T, []T] {
	return Contents[T, []T]{
		Add:   func(a *[]T, _ bool, v T, _ int64) { *a = append(*a, v) },
		Merge: func(into, from *[]T) { *into = append(*into, *from...) },
	}
}

// ReduceOf keeps the fold of the records with f.
func ReduceOf[T any](f func(a, b T) T) Contents[T, T] {
	return Contents[T, T]{
		Add: func(a *T, has bool, v T, _ int64) {
			if has {
				v = f(*a, v)
			}
			*a = v
		},
		Merge: func(into, from *T) { *into = f(*into, *from) },
	}
}

// AggregateOf keeps an accumulator. merge may be nil when windows do not merge.
func AggregateOf[T, A any](create func() A, add func(v T, acc A) A, merge func(a, b A) A) Contents[T, A] {
	return Contents[T, A]{
		Add: func(a *A, has bool, v T, _ int64) {
			if !has {
				*a = create()
			}
			*a = add(v, *a)
		},
		Merge: func(into, from *A) { *into = merge(*into, *from) },
	}
}

// cell is what an operator holds for one key in one window.
type cell[A any] struct {
	acc   A
	scope *scope
	id    int32 // of the key, in a pane; NoKey once the cell was dropped
	has   bool  // acc holds something
	timer bool  // the window's end has a timer
}

func (c *cell[A]) purge() {
	var zero A
	c.acc, c.has = zero, false
}
