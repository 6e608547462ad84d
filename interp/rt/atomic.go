package rt

import (
	"reflect"
	"sync"
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
