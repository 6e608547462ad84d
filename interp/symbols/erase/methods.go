// The methods of adapters, optional ones included.

package erase

import (
	"fmt"
	"go/token"
	"go/types"
)

// Method is one method of an adapter. Signature has no receiver and is written in the type parameters
// of the interface's origin.
type Method struct {
	Name      string
	Optional  bool
	Signature *types.Signature
}

// Methods lists the methods of an interface of class Adapter: those that it asks for by name, then the
// optional ones.
func Methods(n *types.Named) ([]Method, error) {
	n = n.Origin()
	it, ok := n.Underlying().(*types.Interface)
	if !ok {
		return nil, fmt.Errorf("%s is no interface", n)
	}
	var list []Method
	for i := range it.NumMethods() {
		m := it.Method(i)
		if !m.Exported() {
			return nil, fmt.Errorf("%s has the method %s, which users cannot write", n, m.Name())
		}
		list = append(list, Method{m.Name(), false, withoutRecv(m.Signature())})
	}
	o := optional{n}
	for _, name := range optionalNames(Name(n.Obj())) {
		sig, err := o.signature(name)
		if err != nil {
			return nil, err
		}
		list = append(list, Method{name, true, sig})
	}
	return list, nil
}

func withoutRecv(s *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())
}

// Optional names every optional method that a function object of the library may have.
var Optional = []string{"Open", "Close", "OnTimer", "Clear", "Finish", "TryCleanupOnError"}

func optionalNames(iface string) []string {
	names := []string{"Open", "Close"}
	switch iface {
	case "KeyedProcessFunction", "KeyedCoProcessFunction", "CoProcessFunction", "KeyedBroadcastProcessFunction":
		names = append(names, "OnTimer")
	case "ProcessWindowFunction", "ProcessAllWindowFunction":
		names = append(names, "Clear")
	case "SinkFunction":
		names = append(names, "Finish")
	case "OutputFormat":
		return []string{"TryCleanupOnError"}
	case "InputFormat", "PeriodicAssigner", "PunctuatedAssigner", "WatermarkGenerator", "Trigger", "Evictor", "WindowAssigner":
		return nil
	}
	return names
}

// optional builds the signatures of the optional methods of n.
type optional struct{ n *types.Named }

func (o optional) signature(name string) (*types.Signature, error) {
	errType := types.NewVar(token.NoPos, nil, "", types.Universe.Lookup("error").Type())
	var params []*types.Var
	switch name {
	case "Open":
		t, err := o.pointer("RuntimeContext")
		if err != nil {
			return nil, err
		}
		params = append(params, param("ctx", t))
	case "OnTimer":
		ctx, err := o.onTimerContext()
		if err != nil {
			return nil, err
		}
		out, err := o.named("Collector", "R")
		if err != nil {
			return nil, err
		}
		params = append(params, param("ts", types.Typ[types.Int64]), param("ctx", ctx), param("out", out))
	case "Clear":
		ctx, err := o.pointer("ProcessWindowContext", "W")
		if err != nil {
			return nil, err
		}
		params = append(params, param("ctx", ctx))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), types.NewTuple(errType), false), nil
}

// onTimerContext is the context of OnTimer.
func (o optional) onTimerContext() (types.Type, error) {
	switch Name(o.n.Obj()) {
	case "CoProcessFunction":
		return o.pointer("CoOnTimerContext")
	case "KeyedBroadcastProcessFunction":
		return o.pointer("BroadcastOnTimerContext", "K")
	}
	return o.pointer("OnTimerContext", "K")
}

func param(name string, t types.Type) *types.Var { return types.NewParam(token.NoPos, nil, name, t) }

func (o optional) pointer(name string, args ...string) (types.Type, error) {
	t, err := o.named(name, args...)
	if err != nil {
		return nil, err
	}
	return types.NewPointer(t), nil
}

// named is a type of the library at the type parameters of o.n with these names.
func (o optional) named(name string, args ...string) (types.Type, error) {
	obj := o.n.Obj().Pkg().Scope().Lookup(name)
	if obj == nil {
		return nil, fmt.Errorf("the library has no type %s", name)
	}
	if len(args) == 0 {
		return obj.Type(), nil
	}
	var targs []types.Type
	for _, a := range args {
		for i := range o.n.TypeParams().Len() {
			if tp := o.n.TypeParams().At(i); tp.Obj().Name() == a {
				targs = append(targs, tp)
			}
		}
	}
	if len(targs) != len(args) {
		return nil, fmt.Errorf("%s lacks a type parameter of %v", o.n, args)
	}
	return types.Instantiate(nil, obj.Type(), targs, false)
}
