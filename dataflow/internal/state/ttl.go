package state

import (
	"fmt"
	"math"
	"time"

	"flinkish/dataflow/internal/fault"
)

// TTL says when the values of a state expire (StateTtlConfig). Time is processing time.
type TTL struct {
	// Millis is the time to live in milliseconds, counted from the last write.
	Millis int64
	// OnRead makes reading count like writing (OnReadAndWrite).
	OnRead bool
	// ReturnExpired hands an expired value out as long as it is still there: once, since a read removes it
	// (ReturnExpiredIfNotCleanedUp).
	ReturnExpired bool
	// NoCleanup leaves expired values that nobody reads where they are (disableCleanupInBackground).
	NoCleanup bool
	// Step is how many cells each access looks at in passing; 0 is Flink's default, 5.
	Step int32
	// Now is the processing time in milliseconds.
	Now func() int64
}

// NewTTL returns a TTL with Flink's defaults. It fails unless d is at least a millisecond.
func NewTTL(d time.Duration, now func() int64) (TTL, error) {
	if d.Milliseconds() <= 0 {
		return TTL{}, fmt.Errorf("state: time to live must be positive (at least 1ms), got %s", fault.Bare(d))
	}
	return TTL{Millis: d.Milliseconds(), Now: now}, nil
}

// expired reports whether what was stamped at is over; a time beyond MaxInt64 never comes.
func (t *TTL) expired(at int64) bool {
	end := at + t.Millis
	if end < at {
		end = math.MaxInt64
	}
	return end <= t.Now()
}

// one returns the TTL of an optional argument.
func one(ttl []TTL) *TTL {
	if len(ttl) == 0 {
		return nil
	}
	return &ttl[0]
}

// stamps are the times of the cells of a column with a TTL.
type stamps struct {
	*TTL
	at    []int64 // by id
	sweep int32   // the id that background cleanup looks at next
}

func (s *stamps) set(id int32, now int64) {
	for int(id) >= len(s.at) {
		s.at = append(s.at, 0)
	}
	s.at[id] = now
}

// sweepStep is how many cells each access looks at in passing (Flink's default for heap state).
const sweepStep = 5

// cleanUp looks at a few cells beside the current one, and calls end for those that are in use.
func (s *stamps) cleanUp(n, current int32, end func(id int32)) {
	if s.NoCleanup || n == 0 {
		return
	}
	step := s.Step
	if step == 0 {
		step = sweepStep
	}
	for range min(step, n) {
		s.sweep = (s.sweep + 1) % n
		if s.sweep != current {
			end(s.sweep)
		}
	}
}

// read returns the value of a cell in use, unless it is expired.
func (v *Value[V]) read(id int32) (x V, ok bool) {
	x = *v.cell(id)
	if v.stamps.expired(v.stamps.at[id]) {
		v.clearID(id)
		if v.stamps.ReturnExpired {
			return x, true
		}
		var none V
		return none, false
	}
	if v.stamps.OnRead {
		v.stamps.at[id] = v.stamps.Now()
	}
	return x, true
}

// write stamps the cell of the current key, which is about to be written; an expired value is removed first.
func (v *Value[V]) write(id int32) {
	v.sweep()
	if v.Has(id) && v.stamps.expired(v.stamps.at[id]) {
		v.clearID(id)
	}
	v.stamps.set(id, v.stamps.Now())
}

func (v *Value[V]) sweep() {
	v.stamps.cleanUp(int32(len(v.stamps.at)), v.ids.cur, func(id int32) {
		if v.Has(id) && v.stamps.expired(v.stamps.at[id]) {
			v.clearID(id)
		}
	})
}
