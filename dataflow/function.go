package dataflow

import (
	"fmt"
	"reflect"
)

// A function object may have these methods beside the one that its interface asks for. A method with one
// of the names and another signature is refused when the object is given to the API.
type (
	opener interface {
		Open(ctx *RuntimeContext) error
	}
	closer interface{ Close() error }
	// partial is an object whose methods do not all mean something, such as an adapter of the session.
	partial interface{ HasMethod(name string) bool }
	// adapter is an object that stands for another one, as those of the session do.
	adapter interface{ Receiver() any }
)

// lifecycle is what a subtask calls around the records.
type lifecycle struct {
	initialize func(ctx *InitializationContext) error // before open
	open       func(ctx *RuntimeContext) error
	snapshot   func(ctx *SnapshotContext) error
	close      func() error
}

func lifecycleOf(fn any) lifecycle {
	l := lifecycle{
		initialize: func(*InitializationContext) error { return nil }, open: func(*RuntimeContext) error { return nil },
		snapshot: func(*SnapshotContext) error { return nil }, close: func() error { return nil },
	}
	if c, ok := fn.(CheckpointedFunction); ok && hasMethod(fn, "InitializeState") {
		l.initialize, l.snapshot = c.InitializeState, c.SnapshotState
	}
	if o, ok := fn.(opener); ok && hasMethod(fn, "Open") {
		l.open = o.Open
	}
	if c, ok := fn.(closer); ok && hasMethod(fn, "Close") {
		l.close = c.Close
	}
	return l
}

// hasMethod reports whether a method that fn has is really there.
func hasMethod(fn any, name string) bool {
	p, ok := fn.(partial)
	return !ok || p.HasMethod(name)
}

// isRich reports whether fn has a life cycle of its own.
func isRich(fn any) bool {
	_, open := fn.(opener)
	_, closes := fn.(closer)
	return open && hasMethod(fn, "Open") || closes && hasMethod(fn, "Close")
}

// prototype returns the copy of a function object that one subtask works on: what its Clone method
// returns, or a shallow copy of what it points to. Functions and plain values are shared as they are.
func prototype[F any](fn F) F {
	v := reflect.ValueOf(any(fn))
	if !v.IsValid() || v.Kind() == reflect.Func {
		return fn
	}
	if hasMethod(any(fn), "Clone") {
		if m := v.MethodByName("Clone"); m.IsValid() && m.Type().NumIn() == 0 && m.Type().NumOut() == 1 {
			if c, ok := m.Call(nil)[0].Interface().(F); ok {
				return c
			}
		}
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return fn
	}
	c := reflect.New(v.Elem().Type())
	c.Elem().Set(v.Elem())
	return c.Interface().(F)
}

// signature is an optional method of a function object.
type signature struct {
	name string
	typ  reflect.Type // of the bound method
}

func optional[F any](name string) signature { return signature{name, reflect.TypeFor[F]()} }

// life are the optional methods of every function object.
var life = []signature{
	optional[func(*RuntimeContext) error]("Open"), optional[func() error]("Close"),
	optional[func(*InitializationContext) error]("InitializeState"), optional[func(*SnapshotContext) error]("SnapshotState"),
}

// checkFunction refuses a nil function, and an object with an optional method of the wrong form.
func (e *StreamExecutionEnvironment) checkFunction(call string, fn any, also ...signature) bool {
	if nothing(fn) {
		return !e.nilArg(true, call, "function")
	}
	if reflect.ValueOf(fn).Kind() == reflect.Func {
		return true
	}
	if err := wrongMethods(fn, append(life[:len(life):len(life)], also...)...); err != nil {
		e.blame("", call, err)
		return false
	}
	return true
}

// wrongMethods is the mistake of an object with an optional method that would never be called.
func wrongMethods(fn any, optional ...signature) error {
	v := reflect.ValueOf(fn)
	for _, s := range optional {
		if msg := wrongMethod(v, s); msg != "" && hasMethod(fn, s.name) {
			return kindError("InvalidProgram", "%s", msg)
		}
	}
	return nil
}

// nilFunction is the mistake of a function that is nil, for what is made before there is an environment to keep it.
func nilFunction(what string) error { return kindError("NullPointer", "the %s must not be nil", what) }

// nothing reports whether there is nothing to call in fn, which may be an adapter of the session.
func nothing(fn any) bool {
	a, ok := fn.(adapter)
	return isNil(reflect.ValueOf(fn)) || ok && isNil(reflect.ValueOf(a.Receiver()))
}

// isNil reports whether there is nothing to call in v.
func isNil(v reflect.Value) bool {
	return !v.IsValid() || (v.Kind() == reflect.Func || v.Kind() == reflect.Pointer) && v.IsNil()
}

func wrongMethod(v reflect.Value, s signature) string {
	name := typeName(v.Type())
	if m := v.MethodByName(s.name); m.IsValid() {
		if m.Type() == s.typ {
			return ""
		}
		return fmt.Sprintf("method %s of %s is %s, which would never be called; it must be %s", s.name, name, typeName(m.Type()), typeName(s.typ))
	}
	if v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface {
		if _, ok := reflect.PointerTo(v.Type()).MethodByName(s.name); ok {
			return fmt.Sprintf("method %s of %s has a pointer receiver and would never be called; pass &%s{...}", s.name, name, name)
		}
	}
	return ""
}
