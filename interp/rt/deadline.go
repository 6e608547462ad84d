// Contexts that end at a time, on a virtual clock.

package rt

import (
	"context"
	"fmt"
	"reflect"
	"time"
	"unsafe"
)

// never is later than any program runs.
const never = 100 * 365 * 24 * time.Hour

func (r *Runtime) withTimeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return r.withDeadlineCause(parent, r.now().Add(d), nil)
}

func (r *Runtime) withTimeoutCause(parent context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	return r.withDeadlineCause(parent, r.now().Add(d), cause)
}

func (r *Runtime) withDeadline(parent context.Context, at time.Time) (context.Context, context.CancelFunc) {
	return r.withDeadlineCause(parent, at, nil)
}

// withDeadlineCause is context.WithDeadlineCause: one of Go's contexts, whose own timer is set off when the clock of the
// session is there. There is no other way to end one of Go's contexts, and what derives from it, as late.
func (r *Runtime) withDeadlineCause(parent context.Context, at time.Time, cause error) (context.Context, context.CancelFunc) {
	if parent == nil || !r.virtual() {
		r.rings(time.Until(at))
		return context.WithDeadlineCause(parent, at, cause)
	}
	if before, ok := parent.Deadline(); ok && before.Before(at) {
		return context.WithCancel(parent)
	}
	left := at.Sub(r.now())
	real := time.Now().Add(never)
	if left <= 0 {
		real = time.Time{}
	}
	ctx, cancel := context.WithDeadlineCause(timeless{parent}, real, cause)
	fields := reflect.ValueOf(ctx).Elem()
	*(*time.Time)(unsafe.Pointer(fields.FieldByName("deadline").UnsafeAddr())) = at
	alarm := *(**time.Timer)(unsafe.Pointer(fields.FieldByName("timer").UnsafeAddr()))
	if alarm == nil || left <= 0 {
		return ctx, cancel
	}
	t := &timer{fire: func(time.Time) {
		alarm.Reset(0)
		<-ctx.Done()
	}}
	r.start(t, left)
	unhook := context.AfterFunc(ctx, func() { r.cancel(t) })
	return ctx, func() {
		unhook()
		r.cancel(t)
		cancel()
	}
}

// timeless is a context without its deadline, which lies in another time.
type timeless struct{ context.Context }

// Deadline says that there is none.
func (timeless) Deadline() (time.Time, bool) { return time.Time{}, false }

// String is that of the context.
func (c timeless) String() string { return fmt.Sprint(c.Context) }
