// Turns: a cell and the goroutines that it starts run one at a time. Go ends the process when two goroutines write one
// map at once, or one reads what another writes; here such a program runs on, in an order that Go allows as well.
//
// A turn ends when its goroutine blocks in a call that the runtime knows, and, after a while, at a turn of a loop or
// a call. A goroutine that blocks where the runtime does not know of it loses its turn when its patience is over, and
// asks for it again at its next loop or call.

package rt

import (
	"slices"
	"sync"
	"time"
)

const (
	// turnSlice is how long a turn lasts when others wait.
	turnSlice = time.Millisecond
	// turnPatience is how many slices a turn may go on that cannot be ended.
	turnPatience = 10
)

// turns says which goroutine runs.
type turns struct {
	mu       sync.Mutex
	holder   uintptr // 0: nobody runs
	changes  int     // of holder
	queue    []waiter
	moved    stopper // hears when the holder changes
	watching bool
}

// waiter is a goroutine that waits for its turn; ch is closed when it has it.
type waiter struct {
	g  uintptr
	ch chan struct{}
}

// take waits until it is the calling goroutine's turn.
func (r *Runtime) take() {
	t, g := &r.turns, getg()
	t.mu.Lock()
	switch t.holder {
	case g:
		t.mu.Unlock()
		return
	case 0:
		t.give(g)
		t.mu.Unlock()
		return
	}
	r.await(g)
}

// await joins the queue; it is called with mu held, and releases it.
func (r *Runtime) await(g uintptr) {
	t := &r.turns
	w := waiter{g, make(chan struct{})}
	t.queue = append(t.queue, w)
	if !t.watching {
		t.watching = true
		go r.watchTurns()
	}
	t.mu.Unlock()
	for {
		stop := r.stopper.wait()
		if r.stoppedHere() {
			t.leave(w)
			panic(ErrInterrupted)
		}
		select {
		case <-w.ch:
			return
		case <-stop:
		}
	}
}

// leave takes a waiter out of the queue; one whose turn has come meanwhile passes it on.
func (t *turns) leave(w waiter) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue = slices.DeleteFunc(t.queue, func(q waiter) bool { return q == w })
	if t.holder == w.g {
		t.next()
	}
}

func (t *turns) give(g uintptr) {
	t.holder = g
	t.changes++
	t.moved.wake()
}

// next gives the turn to the one that waits longest.
func (t *turns) next() {
	if len(t.queue) == 0 {
		t.give(0)
		return
	}
	w := t.queue[0]
	t.queue = t.queue[1:]
	t.give(w.g)
	close(w.ch)
}

// drop ends the turn of the calling goroutine, and reports whether it had it.
func (r *Runtime) drop() bool {
	t, g := &r.turns, getg()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.holder != g {
		return false
	}
	t.next()
	return true
}

// yield lets others run when they have waited long enough. Goroutines that take no part go on.
func (r *Runtime) yield() {
	t, g := &r.turns, getg()
	t.mu.Lock()
	waits := len(t.queue) > 0
	switch {
	case t.holder == g && waits:
		t.next()
		r.lower()
		r.await(g)
		return
	case t.holder != g && waits && r.takesPart():
		r.await(g)
		return
	}
	t.mu.Unlock()
	if !waits {
		r.lower()
	}
}

// lower, which may be called with mu held, takes the flag down that asks for the end of a turn.
func (r *Runtime) lower() {
	r.runMu.Lock()
	r.turn = false
	r.flag()
	r.runMu.Unlock()
}

// takesPart reports whether the calling goroutine is one of a cell.
func (r *Runtime) takesPart() bool {
	r.runMu.Lock()
	defer r.runMu.Unlock()
	return r.runs[getg()] != nil
}

// watchTurns asks for the end of a turn that lasts too long, as long as somebody waits.
func (r *Runtime) watchTurns() {
	t, seen, held := &r.turns, -1, 0
	for {
		time.Sleep(turnSlice)
		t.mu.Lock()
		if len(t.queue) == 0 {
			t.watching = false
			t.mu.Unlock()
			return
		}
		if t.changes != seen {
			seen, held = t.changes, 0
		}
		// One that still runs is left alone for longer: it may be in the middle of what two must not do at once.
		if held++; held > turnPatience && (!busy() || held > 20*turnPatience) || t.holder == 0 {
			t.next()
		}
		t.mu.Unlock()
		r.runMu.Lock()
		r.turn = true
		r.flag()
		r.runMu.Unlock()
	}
}
