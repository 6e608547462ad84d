// Calls of package sync as cells make them: what they start does not end the process, and what waits
// lets others run.

package rt

import "sync"

func (r *Runtime) lock(m *sync.Mutex) {
	if !m.TryLock() {
		defer r.blocks()()
		m.Lock()
	}
}

func (r *Runtime) lockRW(m *sync.RWMutex) {
	if !m.TryLock() {
		defer r.blocks()()
		m.Lock()
	}
}

func (r *Runtime) lockR(m *sync.RWMutex) {
	if !m.TryRLock() {
		defer r.blocks()()
		m.RLock()
	}
}

func (r *Runtime) waitGroup(g *sync.WaitGroup) {
	defer r.blocks()()
	g.Wait()
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
	defer r.blocks()()
	c.Wait()
}
