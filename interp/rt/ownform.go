// Methods of the standard library that have a form of their own in a session. Lowering writes calls of that form; a call by
// way of an interface of the cells finds it here.

package rt

import (
	"io"
	"path"
	"reflect"
)

// GuardedMethods maps methods that can end the process, write past the session, wait, or look for the user's methods, to their form in Exports, which takes the receiver,
// a pointer, first.
var GuardedMethods = map[string]string{
	"(*sync.Mutex).Unlock": "Unlock", "(*sync.RWMutex).Unlock": "UnlockRW", "(*sync.RWMutex).RUnlock": "UnlockR",
	"(*sync.Mutex).Lock": "Lock", "(*sync.RWMutex).Lock": "LockRW", "(*sync.RWMutex).RLock": "LockR",
	"(*sync.WaitGroup).Wait": "WaitGroup", "(*sync.WaitGroup).Go": "GroupGo", "(*sync.Cond).Wait": "WaitCond",
	"(*time.Timer).Stop": "StopTimer", "(*time.Timer).Reset": "ResetTimer", "(*time.Ticker).Stop": "StopTicker", "(*time.Ticker).Reset": "ResetTicker",
	"(*flag.FlagSet).TextVar": "TextVarOf", "(*flag.FlagSet).PrintDefaults": "PrintFlagsOf", "(*sync/atomic.Value).Store": "StoreValue", "(*sync/atomic.Value).Swap": "SwapValue",
	"(*log.Logger).SetFlags": "LogFlagsOf", "(*log.Logger).Printf": "LogfTo", "(*log.Logger).Print": "LogPrintTo",
	"(*log.Logger).Fatal": "FatalTo", "(*log.Logger).Fatalln": "FatalTo", "(*log.Logger).Fatalf": "FatalfTo",
	"(*os.File).Write": "WriteFile", "(*os.File).WriteString": "WriteFileString", "(*os.File).Close": "CloseFile",
	"(*os.File).Chmod": "ChmodFile", "(*os.File).Chown": "ChownFile", "(*os.File).Chdir": "ChdirFile",
	"(*os.Process).Signal": "SignalProcess", "(*os.Process).Kill": "KillProcess",
	"(*text/template.Template).Execute": "ExecuteText", "(*text/template.Template).ExecuteTemplate": "ExecuteTextNamed", "(*text/template.Template).Funcs": "TextFuncs",
	"(*html/template.Template).Execute": "ExecuteHTML", "(*html/template.Template).ExecuteTemplate": "ExecuteHTMLNamed", "(*html/template.Template).Funcs": "HTMLFuncs",
	"(*encoding/json.Encoder).Encode": "EncodeJSON", "(*encoding/json.Decoder).Decode": "DecodeJSON",
	"(*encoding/json.Decoder).UseNumber": "UseNumber", "(*encoding/json.Decoder).DisallowUnknownFields": "DisallowUnknownFields",
	"(*math/rand.Rand).Perm": "PermOf", "(*math/rand/v2.Rand).Perm": "PermOf2",
	"(*math/big.Int).Lsh": "LshInt", "(*math/big.Int).SetBit": "SetBitInt", "(*math/big.Int).Exp": "ExpInt",
	"(*strings.Builder).Grow": "GrowBuilder", "(*bytes.Buffer).Grow": "GrowBuffer",
}

// find is the method called name of an interface value, as func(recv any, args...) results. What waits takes the turns and
// the clock of the session into account also by way of an interface.
func (r *Runtime) find(v any, name string) any {
	r.confine(v, name)
	if m := r.ownForm(v, name); m != nil {
		return m
	}
	if v != nil {
		if m, ok := reflect.TypeOf(v).MethodByName(name); ok && writes(m.Type) {
			return adapted(m.Func, func(any) reflect.Value { return reflect.ValueOf(v) }, r.passWriter)
		}
	}
	return Find(v, name)
}

// writes reports whether a function of type t takes a writer.
func writes(t reflect.Type) bool {
	for in := range t.Ins() {
		if in == reflect.TypeFor[io.Writer]() {
			return true
		}
	}
	return false
}

// passWriter is argument v for compiled code, which would write past the session.
func (r *Runtime) passWriter(v reflect.Value) reflect.Value {
	if w, ok := v.Interface().(io.Writer); ok && v.Type() == reflect.TypeFor[io.Writer]() {
		return reflect.ValueOf(r.writer(w))
	}
	return v
}

func (r *Runtime) ownForm(v any, name string) any {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer || t.Elem().PkgPath() == "" {
		return nil
	}
	own := GuardedMethods["(*"+t.Elem().PkgPath()+"."+t.Elem().Name()+")."+name]
	if own == "" {
		return nil
	}
	r.exportsOnce.Do(func() { r.exports = r.Exports() })
	return adapted(r.exports[own], func(any) reflect.Value { return reflect.ValueOf(v) }, nil)
}

// foreign adapts a compiled method to func(recv any, args...).
func foreign(v any, name string) any {
	m := reflect.ValueOf(v).MethodByName(name)
	if !m.IsValid() {
		panic(noMethod(v, name))
	}
	t := reflect.TypeOf(v)
	method, _ := t.MethodByName(name)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var pass func(reflect.Value) reflect.Value
	if pkg := t.PkgPath(); !Sees[pkg] {
		pass = passedTo(pkg, path.Base(pkg)+"."+name)
	}
	return adapted(method.Func, func(r any) reflect.Value { return reflect.ValueOf(Unbox(r)) }, pass)
}

// adapted is f, which takes its receiver first, as func(recv any, args...) results. Lowered code knows no variadic functions:
// the last argument is a slice. pass, if not nil, is what an argument goes through.
func adapted(f reflect.Value, recv func(any) reflect.Value, pass func(reflect.Value) reflect.Value) any {
	t := f.Type()
	in, out := []reflect.Type{reflect.TypeFor[any]()}, []reflect.Type{}
	for i := 1; i < t.NumIn(); i++ {
		in = append(in, t.In(i))
	}
	for i := range t.NumOut() {
		out = append(out, t.Out(i))
	}
	return reflect.MakeFunc(reflect.FuncOf(in, out, false), func(args []reflect.Value) []reflect.Value {
		args[0] = recv(args[0].Interface())
		for i := 1; pass != nil && i < len(args); i++ {
			args[i] = pass(args[i])
		}
		if t.IsVariadic() {
			return f.CallSlice(args)
		}
		return f.Call(args)
	}).Interface()
}

// Sees are the packages that take values of the cells in their boxes: they pass them on, ask for methods that a box has, or
// are called by way of the runtime.
var Sees = map[string]bool{
	"fmt": true, "log": true, "errors": true, "context": true, "sync": true, "sync/atomic": true, "sort": true, "reflect": true, "runtime": true,
	"container/heap": true, "container/list": true, "container/ring": true, "encoding/json": true, "encoding/binary": true,
	"text/template": true, "html/template": true, "flag": true, "iter": true, "maps": true, "slices": true, "cmp": true, "unique": true,
}

// passedTo is how an argument which is an any, or a list of them, gets to function call of a package that looks into it.
func passedTo(pkg, call string) func(reflect.Value) reflect.Value {
	one, each := func(x any) any { return nativeDeep(call, x) }, func(xs []any) []any { return nativeEach(call, xs) }
	if pkg == "log/slog" {
		one, each = logArg, logArgs
	}
	return func(v reflect.Value) reflect.Value {
		switch v.Type() {
		case reflect.TypeFor[any]():
			if x := one(v.Interface()); x != nil {
				return reflect.ValueOf(&x).Elem()
			}
		case reflect.TypeFor[[]any]():
			return reflect.ValueOf(each(v.Interface().([]any)))
		}
		return v
	}
}
