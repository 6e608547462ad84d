package state

import (
	"fmt"

	"flinkish/dataflow/internal/fault"
)

// NoKey is the id when there is no current key.
const NoKey int32 = -1

// foreignKey is the current id while the key belongs to another subtask: every access of state panics.
const foreignKey int32 = -2

// queued marks, in a reference count, an id that waits in pending.
const queued = 1 << 31

// Keys is a backend as timers and windows see it: ids only.
type Keys interface {
	// SetID makes the key with this id the current one.
	SetID(id int32)
	// ClearCurrent leaves no current key.
	ClearCurrent()
	// Current returns the id of the current key; it panics with a *fault.Error when there is none.
	Current() int32
	// HasCurrent reports whether there is a current key.
	HasCurrent() bool
	// Retain keeps an id from being given to another key until Release is called as often.
	Retain(id int32)
	// Release takes one Retain back.
	Release(id int32)
}

// ids is the half of a backend that needs no key type: the current id, and what refers to each.
type ids struct {
	cur     int32
	refs    []uint32 // by id; nil in a scope, where nothing is counted
	pending []int32  // ids that were without reference at some time; each stands here once
	live    int      // ids with a reference

	guard   Guard
	foreign string // why the current key is not ours
}

// Guard tells which keys a backend owns: those of the key groups First to Last of Groups. The zero Guard owns all.
type Guard struct{ First, Last, Groups int }

func (g Guard) owns(group int) bool { return g.First <= group && group <= g.Last }

func (d *ids) current(state string) int32 {
	if d.cur < 0 {
		if d.cur == foreignKey {
			panic(notOurs(state, d.foreign))
		}
		panic(noKey(state))
	}
	return d.cur
}

func (d *ids) used(id int32) bool { return d.refs[id]&^queued != 0 }

func (d *ids) retain(id int32) {
	if d.refs == nil {
		return
	}
	if !d.used(id) {
		d.live++
	}
	d.refs[id]++
}

func (d *ids) release(id int32) {
	if d.refs == nil {
		return
	}
	d.refs[id]--
	if !d.used(id) {
		d.live--
		d.queue(id)
	}
}

func (d *ids) queue(id int32) {
	if d.refs[id]&queued == 0 {
		d.refs[id] |= queued
		d.pending = append(d.pending, id)
	}
}

// noKey is the panic of an access to keyed state while there is no current key, as in Open or on the broadcast side.
func noKey(state string) *fault.Error {
	return fault.New("NullPointer", "", "no key set: %s can be read and written only while an element or a timer of a keyed stream is processed, not in Open or Close", inWords(state))
}

// notOurs is the panic of an access to keyed state for a key that another subtask owns.
func notOurs(state, why string) *fault.Error {
	return fault.New("IllegalArgument", "ReinterpretAsKeyedStream", "%s cannot be used: %s; the hash code of the key is unstable, or ReinterpretAsKeyedStream was used on a stream that is not partitioned by this key: use KeyBy instead", inWords(state), why)
}

// inWords is a state in words; the name may be empty.
func inWords(state string) string {
	if state == "" {
		return "keyed state"
	}
	return fmt.Sprintf("keyed state %q", state)
}
