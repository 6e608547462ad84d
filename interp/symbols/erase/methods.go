// The methods of adapters, optional ones included.

package erase

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
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
	for _, name := range optionalNames(n) {
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
var Optional = []string{"Open", "Close", "InitializeState", "SnapshotState", "OnTimer", "Clear", "Finish", "TryCleanupOnError", "CanMerge", "OnMerge", "ProcessWatermark", "EndInput", "Committer", "GlobalCommitter", "PrepareCommit", "WriteWatermark", "DefaultTrigger", "MergeWindows", "Assign", "String"}

// contracts are the optional methods of the contracts of package connector, and the contracts that ask for them.
var contracts = map[string]map[string]string{
	"Sink":         {"Committer": "TwoPhaseSink", "GlobalCommitter": "GlobalCommittingSink"},
	"TwoPhaseSink": {"GlobalCommitter": "GlobalCommittingSink"},
	"Writer":       {"PrepareCommit": "CommittingWriter"},
}

// optionalNames are the optional methods of an interface. Each that a plan can show has String: an adapter is shown as its receiver.
func optionalNames(n *types.Named) []string {
	iface := Name(n.Obj())
	if inConnector(n) {
		return slices.Sorted(maps.Keys(contracts[iface]))
	}
	names := []string{"Open", "Close", "InitializeState", "SnapshotState"}
	if strings.HasSuffix(iface, "Function") && iface != "CheckpointedFunction" {
		names = append(names, "String")
	}
	switch iface {
	case "KeyedProcessFunction", "KeyedCoProcessFunction", "CoProcessFunction", "KeyedBroadcastProcessFunction":
		names = append(names, "OnTimer")
	case "ProcessWindowFunction", "ProcessAllWindowFunction":
		names = append(names, "Clear")
	case "OneInputOperator", "TwoInputOperator":
		names = append(names, "OnTimer", "ProcessWatermark", "EndInput")
	case "SinkFunction":
		names = append(names, "Finish", "WriteWatermark")
	case "OutputFormat":
		return []string{"TryCleanupOnError"}
	case "Trigger":
		return []string{"CanMerge", "OnMerge", "String"}
	case "Evictor":
		return []string{"String"}
	case "CheckpointedFunction", "InputFormat", "PeriodicAssigner", "PunctuatedAssigner", "WatermarkGenerator":
		return nil
	case "WindowAssigner":
		return []string{"DefaultTrigger", "MergeWindows", "Assign", "String"}
	}
	return names
}

// record stands for the record type in an optional method of an interface that does not have it as a parameter.
var record = types.NewTypeParam(types.NewTypeName(token.NoPos, nil, "T", nil), types.NewInterfaceType(nil, nil))

// Record is the type parameter that stands for the record type in m, which the method of the user decides; nil when there is none.
func Record(m Method) *types.TypeParam {
	if p := m.Signature.Params(); p.Len() > 0 && p.At(0).Type() == record {
		return record
	}
	return nil
}

// optional builds the signatures of the optional methods of n.
type optional struct{ n *types.Named }

func (o optional) signature(name string) (*types.Signature, error) {
	if inConnector(o.n) {
		return o.contract(name)
	}
	results := types.NewTuple(types.NewVar(token.NoPos, nil, "", types.Universe.Lookup("error").Type()))
	var params []*types.Var
	raw := Name(o.n.Obj()) == "OneInputOperator" || Name(o.n.Obj()) == "TwoInputOperator"
	if raw && (name == "OnTimer" || name == "ProcessWatermark" || name == "EndInput") {
		ctx, err := o.pointer("OperatorContext", "R")
		if err != nil {
			return nil, err
		}
		params = append(o.rawParams(name), param("ctx", ctx))
		return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), results, false), nil
	}
	switch name {
	case "String":
		results = types.NewTuple(param("", types.Typ[types.String]))
	case "Open":
		t, err := o.pointer("RuntimeContext")
		if err != nil {
			return nil, err
		}
		params = append(params, param("ctx", t))
	case "InitializeState", "SnapshotState":
		t, err := o.pointer(map[string]string{"InitializeState": "InitializationContext", "SnapshotState": "SnapshotContext"}[name])
		if err != nil {
			return nil, err
		}
		params = append(params, param("ctx", t))
	case "WriteWatermark":
		params = append(params, param("wm", types.Typ[types.Int64]))
	case "DefaultTrigger":
		t, err := o.named("AnyTrigger")
		if err != nil {
			return nil, err
		}
		results = types.NewTuple(param("", t))
	case "MergeWindows":
		w, ws := param("result", o.parameter("W")), types.NewSlice(o.parameter("W"))
		merge := types.NewSignatureType(nil, nil, nil, types.NewTuple(w, param("merged", ws)), nil, false)
		params, results = append(params, param("windows", ws), param("merge", merge)), nil
	case "Assign":
		ws := types.NewSlice(o.parameter("W"))
		params = append(params, param("v", record), param("ts", types.Typ[types.Int64]), param("now", types.Typ[types.Int64]), param("into", ws))
		results = types.NewTuple(param("", ws))
	case "CanMerge":
		results = types.NewTuple(types.NewVar(token.NoPos, nil, "", types.Typ[types.Bool]))
	case "OnMerge":
		ctx, err := o.pointer("TriggerContext")
		if err != nil {
			return nil, err
		}
		params, results = append(params, param("w", o.parameter("W")), param("ctx", ctx)), nil
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
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), results, false), nil
}

// contract is the signature that another contract has for the method; no type parameter is in it.
func (o optional) contract(name string) (*types.Signature, error) {
	obj := o.n.Obj().Pkg().Scope().Lookup(contracts[Name(o.n.Obj())][name])
	if obj == nil {
		return nil, fmt.Errorf("no contract asks for %s", name)
	}
	m, _, _ := types.LookupFieldOrMethod(obj.Type(), false, obj.Pkg(), name)
	f, ok := m.(*types.Func)
	if !ok {
		return nil, fmt.Errorf("%s has no method %s", obj.Name(), name)
	}
	return withoutRecv(f.Signature()), nil
}

// rawParams are the parameters of an optional method of a raw operator, before its context.
func (o optional) rawParams(name string) []*types.Var {
	switch {
	case name != "EndInput":
		return []*types.Var{param("ts", types.Typ[types.Int64])}
	case Name(o.n.Obj()) == "TwoInputOperator":
		return []*types.Var{param("input", types.Typ[types.Int])}
	}
	return nil
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
		tp := o.parameter(a)
		if tp == nil {
			return nil, fmt.Errorf("%s lacks the type parameter %s", o.n, a)
		}
		targs = append(targs, tp)
	}
	return types.Instantiate(nil, obj.Type(), targs, false)
}

// parameter is the type parameter of o.n with this name; nil without one.
func (o optional) parameter(name string) types.Type {
	for i := range o.n.TypeParams().Len() {
		if tp := o.n.TypeParams().At(i); tp.Obj().Name() == name {
			return tp
		}
	}
	return nil
}
