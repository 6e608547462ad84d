// Deferred calls, panics and recover. yaegi deadlocks when a deferred call runs a closure and drops the
// remaining ones when one panics, so a function with defer runs its body here.

package rt

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
)

// Defers holds the deferred calls of one function call.
type Defers struct {
	r     *Runtime
	calls []deferred
	done  bool
	// value is the panic on its way up; panicking tells that there is one.
	value     any
	panicking bool
}

type deferred struct {
	f        func()
	recovers bool // f itself may call recover
}

// Defer registers f. recovers says that f is, or may be, a function that calls recover itself.
func (d *Defers) Defer(f func(), recovers bool) {
	d.calls = append(d.calls, deferred{f, recovers})
}

// withDefers runs body and then what it deferred.
func (r *Runtime) withDefers(body func(*Defers)) {
	d := &Defers{r: r}
	defer d.run()
	body(d)
	d.done = true
}

func (d *Defers) run() {
	if x := recover(); x != nil {
		d.value, d.panicking = x, true
	}
	for len(d.calls) > 0 {
		c := d.calls[len(d.calls)-1]
		d.calls = d.calls[:len(d.calls)-1]
		d.call(c)
	}
	if d.panicking {
		panic(d.value)
	}
}

// call runs one deferred function; its own panic replaces the one on the way.
func (d *Defers) call(c deferred) {
	if c.recovers {
		prev := arm(d)
		defer disarm(prev)
	}
	defer func() {
		if x := recover(); x != nil {
			d.value, d.panicking = x, true
		}
	}()
	if c.f == nil {
		panic(errNil)
	}
	c.f()
}

// armed maps a goroutine to the Defers whose deferred function begins to run: only the function that was
// deferred itself may take it, not one that it calls.
var armed sync.Map // uintptr -> *Defers

func arm(d *Defers) (prev any) {
	g := getg()
	prev, _ = armed.Load(g)
	armed.Store(g, d)
	return prev
}

func disarm(prev any) {
	if prev == nil {
		armed.Delete(getg())
		return
	}
	armed.Store(getg(), prev)
}

// Recoverer is the right of one function call to recover.
type Recoverer struct{ d *Defers }

// Take is called at the entry of each function that calls recover.
func Take() *Recoverer {
	if d, ok := armed.LoadAndDelete(getg()); ok {
		return &Recoverer{d.(*Defers)}
	}
	return &Recoverer{}
}

// Recover is Go's recover. It does not see the panics that end a cell from outside.
func (t *Recoverer) Recover() any {
	d := t.d
	if d == nil || !d.panicking || d.value == any(ErrInterrupted) || d.value == any(ErrTooDeep) {
		return nil
	}
	d.panicking = false
	d.r.recovered()
	return Normal(d.value)
}

// What the body of a loop over a function is doing, beside the codes of the places that it may leave for: 0 says that
// it may be called, -1 and positive codes that it left.
const (
	InBody    = -2 // it runs, or a panic left it
	LoopLeft  = -3 // break
	LoopEnded = -4 // the loop itself is over
	LostPanic = -5 // the function ended although the body panicked
)

// body panics as Go does when a function that a loop ranges over calls the body, or ends, when it must not.
func body(state int) {
	switch state {
	case InBody:
		panic(runtimeError("range function continued iteration after loop body panic"))
	case LoopEnded:
		panic(runtimeError("range function continued iteration after whole loop exit"))
	case LostPanic:
		panic(runtimeError("range function recovered a loop body panic and did not resume panicking"))
	}
	panic(runtimeError("range function continued iteration after function for loop body returned false"))
}

const errNil runtimeError = "invalid memory address or nil pointer dereference"

// Normal turns the panics of package reflect, which yaegi runs on, into those of Go.
func Normal(x any) any {
	switch v := x.(type) {
	case reflect.Value: // how yaegi panics with a value in an interface
		if v.IsValid() && v.CanInterface() {
			return Normal(v.Interface())
		}
	case *reflect.ValueError:
		return errNil
	case *runtime.TypeAssertionError:
		return &TypeAssertionError{v.Error()}
	case string:
		if e := reflected(v); e != "" {
			return e
		}
	}
	return x
}

// reflected is Go's error for a panic of package reflect; empty if text is none.
func reflected(text string) runtimeError {
	switch {
	case strings.HasPrefix(text, "reflect.MakeSlice: negative len"):
		return "makeslice: len out of range"
	case strings.HasPrefix(text, "reflect.MakeSlice"):
		return "makeslice: cap out of range"
	case strings.HasPrefix(text, "reflect.Value.Slice"), strings.HasPrefix(text, "reflect.Value.SetLen"):
		return "slice bounds out of range"
	case strings.HasPrefix(text, "reflect: ") && strings.HasSuffix(text, "index out of range"):
		return "index out of range"
	case strings.HasPrefix(text, "reflect: call of"), strings.HasPrefix(text, "reflect: Call using zero Value"), strings.HasPrefix(text, "reflect: call to nil"),
		strings.HasPrefix(text, "reflect: Method on nil"), strings.HasPrefix(text, "reflect.Value."):
		return errNil
	}
	return ""
}

// PanicText is what Go would print after "panic: ", without a stack.
func PanicText(x any) string {
	x = Normal(x)
	if b, ok := AsBoxed(x); ok {
		if b.D.Method("Error") != nil || b.D.Method("String") != nil {
			return fmt.Sprintf("%v", b)
		}
		return GoTypeString(b.D.Type) + "(" + Describe(b.D.reg, b.D.Type, b.V) + ")"
	}
	switch v := x.(type) {
	case runtime.Error:
		return strings.TrimPrefix(v.Error(), "runtime error: ")
	case error, fmt.Stringer:
		return fmt.Sprint(v) // which bears a method that panics, as that of a nil pointer does
	case string:
		return v
	}
	return Describe(&Registry{}, anyType, x)
}

// tooDeep ends the goroutine of a cell: unwinding by a panic would take time at every one of its calls.
func (r *Runtime) tooDeep() {
	r.outMu.Lock()
	r.out = []any{ErrTooDeep}
	r.outMu.Unlock()
	runtime.Goexit()
}
