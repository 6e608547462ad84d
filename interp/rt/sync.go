// Calls of package sync as cells make them: what they start does not end the process, and what waits
// lets others run.

package rt

import (
	"reflect"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// awaits calls wait, which takes its time, in a goroutine of its own, so that a cell that is stopped need not stay for it.
// What wait does after that, undo takes back.
func (r *Runtime) awaits(wait, undo func()) {
	defer r.blocks()()
	done, over := make(chan any, 1), false
	go func() {
		defer func() { done <- recover() }()
		wait()
	}()
	defer func() {
		if !over {
			go func() {
				if <-done == nil {
					undo()
				}
			}()
		}
	}()
	for !over {
		select {
		case x := <-done:
			if over = true; x != nil {
				panic(x)
			}
		case <-r.stopping():
		}
	}
}

func (r *Runtime) lock(m *sync.Mutex) {
	if !m.TryLock() {
		r.awaits(m.Lock, m.Unlock)
	}
}

func (r *Runtime) lockRW(m *sync.RWMutex) {
	if !m.TryLock() {
		r.awaits(m.Lock, m.Unlock)
	}
}

func (r *Runtime) lockR(m *sync.RWMutex) {
	if !m.TryRLock() {
		r.awaits(m.RLock, m.RUnlock)
	}
}

func (r *Runtime) lockAny(l sync.Locker) {
	switch m := l.(type) {
	case *sync.Mutex:
		r.lock(m)
	case *sync.RWMutex:
		r.lockRW(m)
	default:
		l.Lock()
	}
}

// glance is how often a wait for a group looks by itself: what takes no turns, such as a job, may have ended it.
const glance = 5 * time.Millisecond

// waitGroup is WaitGroup.Wait. It waits beside the group, not in it: a cell that was stopped there would be counted among those
// that wait even after the variable has got a new group, and be woken in place of another.
func (r *Runtime) waitGroup(g *sync.WaitGroup) {
	if members(g) > 0 {
		defer r.blocks()()
	}
	for {
		moved := r.turns.moved.wait()
		if members(g) == 0 {
			g.Wait() // ends at once, and orders what the others wrote before what follows
			return
		}
		select {
		case <-moved:
		case <-time.After(glance):
		case <-r.stopping():
		}
	}
}

// members is the counter of a group: the upper half of its state.
func members(g *sync.WaitGroup) int32 {
	state := reflect.ValueOf(g).Elem().FieldByName("state").FieldByName("v")
	return int32(atomic.LoadUint64((*uint64)(unsafe.Pointer(state.UnsafeAddr()))) >> 32)
}

// groupGo is WaitGroup.Go. Who waits for the group finds the panic of f noted.
func (r *Runtime) groupGo(g *sync.WaitGroup, f func()) {
	g.Add(1)
	r.goStart(func() {
		defer g.Done()
		r.noting(f)
	})
}

// waitCond is Cond.Wait, with a panic in place of the end of the process when the lock is not held.
func (r *Runtime) waitCond(c *sync.Cond) {
	if m, ok := c.L.(interface{ TryLock() bool }); ok && m.TryLock() {
		c.L.Unlock()
		panic(runtimeError("sync: unlock of unlocked mutex"))
	}
	r.awaits(c.Wait, c.L.Unlock)
}
