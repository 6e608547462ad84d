package rt

import (
	"reflect"
	"sync"
	"sync/atomic"
)

// AtomicPointer is what cells know as an atomic.Pointer of any type.
type AtomicPointer struct {
	mu sync.Mutex
	p  any
}

// Load gives the pointer; nil if none was stored.
func (a *AtomicPointer) Load() any {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.p
}

// Store sets the pointer.
func (a *AtomicPointer) Store(p any) { a.Swap(p) }

// Swap sets the pointer and gives the one before.
func (a *AtomicPointer) Swap(p any) (old any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	old, a.p = a.p, p
	return old
}

// CompareAndSwap sets the pointer if it is old, and tells whether it was.
func (a *AtomicPointer) CompareAndSwap(old, p any) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.p != old && !(isNilPointer(a.p) && isNilPointer(old)) {
		return false
	}
	a.p = p
	return true
}

func isNilPointer(p any) bool { return p == nil || reflect.ValueOf(p).IsNil() }

// storeValue is atomic.Value.Store.
func storeValue(v *atomic.Value, x any) {
	oneType(v, x, "store")
	v.Store(x)
}

// swapValue is atomic.Value.Swap.
func swapValue(v *atomic.Value, x any) any {
	oneType(v, x, "swap")
	return v.Swap(x)
}

// oneType is Go's panic for a value of another type than v has held: all boxes are of one.
func oneType(v *atomic.Value, x any, what string) {
	old, was := AsBoxed(v.Load())
	if b, is := AsBoxed(x); was && is && b.D != old.D {
		panic("sync/atomic: " + what + " of inconsistently typed value into Value")
	}
}
