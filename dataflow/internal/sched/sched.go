// Package sched runs subtasks. It is the one seam between parallel execution (a goroutine for each
// subtask, wall clock) and deterministic execution (one subtask at a time, in an order that a seed
// decides, with a virtual clock). Everything above sees only Thread.
package sched

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"flinkish/dataflow/internal/core"
)

// Never is an alarm that does not go off.
const Never int64 = math.MaxInt64

// Thread is what a subtask may ask of its scheduler. All methods but Wake belong to the subtask.
type Thread interface {
	// Now is the processing time in milliseconds since the epoch.
	Now() int64
	// Wait suspends the subtask until ready reports true, and reports false when the scheduler is
	// stopping. ready may be called from another goroutine while the subtask is suspended.
	Wait(w Wait, ready func() bool) bool
	// Wake makes the subtask look at its condition again. Safe from every goroutine.
	Wake()
	// Yield ends a step of a deterministic scheduler. It reports false when it is stopping.
	Yield() bool
	// Alarm asks for SignalTimer once the processing time is at or past at, instead of the alarm
	// asked for before. Never asks for none.
	Alarm(at int64)
}

// Wait describes a suspension.
type Wait struct {
	Reason core.Reason
	// Attentive: a signal ends the wait as well.
	Attentive bool
	// Outside: what is waited for comes from outside of the job, so a standstill is no deadlock.
	Outside bool
}

// Spec describes a subtask to a scheduler.
type Spec struct {
	Name               string // of the task
	Index, Parallelism int
	Signal             *atomic.Uint32 // where the scheduler sets the bits of core.Subtask.Signal
	Run                func()         // must not panic
}

// Label is the subtask as messages name it, such as `Map (2/4)`.
func (s Spec) Label() string { return fmt.Sprintf("%s (%d/%d)", s.Name, s.Index+1, s.Parallelism) }

// Usage tells what one subtask does now and what it did with its time: nanoseconds in parallel mode,
// steps in deterministic mode, so that the numbers of a repeated run repeat.
type Usage struct {
	Label               string
	Reason              core.Reason
	Outside             bool
	Total               int64
	Idle, BackPressured int64
}

// Clock is the real time of a parallel scheduler, passed in so that nothing here reads one.
type Clock interface {
	// Now is milliseconds since the epoch.
	Now() int64
	// Nanos is a monotonic time for measuring, from an arbitrary start.
	Nanos() int64
	// AfterFunc runs f on another goroutine after d; stop makes a pending call void.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// standstill lists every subtask that has not ended and what it waits for.
func standstill(all []Usage) string {
	var b strings.Builder
	for _, u := range all {
		if u.Reason == core.Done {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("; ")
		}
		what := map[core.Reason]string{
			core.Running: "is running", core.IdleInput: "waits for input", core.BackPressured: "waits for room downstream",
		}[u.Reason]
		b.WriteString(u.Label + " " + what)
	}
	return b.String()
}
