package symbols_test

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"github.com/traefik/yaegi/interp"

	"flinkish/dataflow"
	"flinkish/interp/symbols"
	"flinkish/interp/symbols/erase"
)

const key = symbols.Library + "/dataflow"

func TestEveryPackageCanBeImported(t *testing.T) {
	im := symbols.NewImporter()
	n := 0
	for _, name := range im.Names() {
		for _, path := range im.Named(name) {
			n++
			if p, err := im.Import(path); err != nil || p.Name() != name || !im.Has(path) {
				t.Errorf("%s: got %v, %v", path, p, err)
			}
		}
	}
	if n < 100 {
		t.Errorf("got %d packages, want at least 100", n)
	}
	if got := im.Named("rand")[0]; got != "math/rand" {
		t.Errorf("rand means %s, want math/rand", got)
	}
	if _, err := im.Import("os/signal"); err == nil || err.Error() != "package os/signal is not available in a session" {
		t.Errorf("os/signal: got %v", err)
	}
}

// Lowering finds exports by the names of package erase; each of them must be there.
func TestErasedNamesAreExported(t *testing.T) {
	lib, err := symbols.NewImporter().Import(symbols.Library)
	if err != nil {
		t.Fatal(err)
	}
	has := func(name string, err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		} else if !symbols.Exports[key][name].IsValid() {
			t.Errorf("no export %s", name)
		}
	}
	for _, n := range lib.Scope().Names() {
		if !token.IsExported(n) {
			continue
		}
		switch o := lib.Scope().Lookup(n).(type) {
		case *types.Func:
			has(erase.FuncName(nil, o, sample(t, lib, o.Signature().TypeParams())))
		case *types.TypeName:
			named, ok := types.Unalias(o.Type()).(*types.Named)
			if !ok || n == "Window" || strings.HasPrefix(named.Obj().Pkg().Path(), symbols.Library+"/") && !o.IsAlias() {
				continue
			}
			checkType(t, lib, named, has)
		}
	}
}

func checkType(t *testing.T, lib *types.Package, n *types.Named, has func(string, error)) {
	if n.Obj().Pkg() != lib && !strings.Contains(n.Obj().Pkg().Path(), "/internal/") {
		return // of package graph or job, with exports of its own
	}
	if i, ok := n.Underlying().(*types.Interface); ok && !i.IsMethodSet() {
		return // a constraint: no value has it as its type
	}
	if n.TypeParams().Len() > 0 {
		in, err := types.Instantiate(nil, n.Origin(), list(sample(t, lib, n.TypeParams())), false)
		if err != nil {
			t.Error(err)
			return
		}
		n = in.(*types.Named)
	}
	has(erase.TypeName(n))
	if class, _ := erase.ClassOf(n.Origin()); class == erase.Adapter {
		has(erase.AdapterName(n))
	}
	for i := range n.NumMethods() {
		if m := n.Method(i); m.Exported() {
			has(erase.FuncName(n, m, sample(t, lib, m.Signature().TypeParams())))
		}
	}
}

// typeOfStd is a type of the standard library that is named with its package, such as time.Duration; a bare
// name is looked for in package time.
func typeOfStd(t *testing.T, name string) types.Type {
	pkg, base, dotted := strings.Cut(name, ".")
	if !dotted {
		pkg, base = "time", name
	}
	p, err := symbols.NewImporter().Import(pkg)
	if err != nil {
		t.Fatal(err)
	}
	return p.Scope().Lookup(base).Type()
}

// sample chooses a type argument for each parameter.
func sample(t *testing.T, lib *types.Package, tps *types.TypeParamList) *types.TypeList {
	var args []types.Type
	for i := range tps.Len() {
		choices, err := erase.Choices(tps.At(i))
		if err != nil {
			t.Error(err)
		}
		switch {
		case choices == nil:
			args = append(args, types.Typ[types.String])
		case lib.Scope().Lookup(choices[0]) != nil:
			args = append(args, lib.Scope().Lookup(choices[0]).Type())
		case types.Universe.Lookup(choices[0]) != nil:
			args = append(args, types.Universe.Lookup(choices[0]).Type())
		default:
			args = append(args, typeOfStd(t, choices[0]))
		}
	}
	if args == nil {
		return nil
	}
	// A *types.TypeList comes only from an instance.
	var params []*types.TypeParam
	for range args {
		params = append(params, types.NewTypeParam(types.NewTypeName(0, nil, "T", nil), types.Universe.Lookup("any").Type()))
	}
	n := types.NewNamed(types.NewTypeName(0, nil, "N", nil), types.Typ[types.Int], nil)
	n.SetTypeParams(params)
	in, err := types.Instantiate(nil, n, args, false)
	if err != nil {
		t.Fatal(err)
	}
	return in.(*types.Named).TypeArgs()
}

func list(l *types.TypeList) []types.Type {
	var ts []types.Type
	for i := range l.Len() {
		ts = append(ts, l.At(i))
	}
	return ts
}

// The interpreter calls generic methods as functions, and makes function objects of functions.
func TestTheInterpreterRunsAJobThroughTheExports(t *testing.T) {
	it := interp.New(interp.Options{})
	if err := it.Use(symbols.Exports); err != nil {
		t.Fatal(err)
	}
	if _, err := it.Eval(`package main
import "flinkish/dataflow"
type count struct { n int }
func clone(r any) any { c := *(r.(*count)); return &c }
func process(r any, v any, ctx *dataflow.ProcessContext, out dataflow.Collector) error {
	c := r.(*count)
	c.n += v.(int)
	out.Collect(c.n)
	return nil
}
func build(env *dataflow.StreamExecutionEnvironment) *dataflow.SingleOutputStreamOperator {
	src := dataflow.StreamExecutionEnvironment_FromElements(env, 1, 2, 3)
	double := dataflow.DataStreamSource_Map(src, func(v any) any { return v.(int) * 2 })
	return dataflow.SingleOutputStreamOperator_Process(double, dataflow.Adapt_ProcessFunction(&count{}, clone, process, nil, nil, nil, nil, nil))
}`); err != nil {
		t.Fatal(err)
	}
	v, err := it.Eval("main.build")
	if err != nil {
		t.Fatal(err)
	}
	build := v.Interface().(func(*dataflow.StreamExecutionEnvironment) *dataflow.SingleOutputStreamOperator[any])
	env := dataflow.NewEnv(dataflow.WithParallelism(1), dataflow.WithDeterministic(1))
	got, err := build(env).ExecuteAndCollectLimit(context.Background(), 10)
	if err != nil || fmt.Sprint(got) != "[2 6 12]" {
		t.Errorf("got %v, %v, want [2 6 12]", got, err)
	}
}

func TestAnAdapterCopiesItsReceiverAndKnowsItsMethods(t *testing.T) {
	make := symbols.Exports[key]["Adapt_ProcessFunction"].Interface().(func(any, func(any) any,
		func(any, any, *dataflow.ProcessContext, dataflow.Collector[any]) error,
		func(any, *dataflow.RuntimeContext) error, func(any) error,
		func(any, *dataflow.InitializationContext) error, func(any, *dataflow.SnapshotContext) error, func(any) string) dataflow.ProcessFunction[any, any])
	var calls []string
	f := make(1, func(r any) any { return r.(int) + 1 },
		func(r any, v any, _ *dataflow.ProcessContext, _ dataflow.Collector[any]) error {
			calls = append(calls, fmt.Sprint("process ", r, " ", v))
			return nil
		}, nil, func(r any) error { calls = append(calls, fmt.Sprint("close ", r)); return nil }, nil, nil, nil)
	type partial interface{ HasMethod(string) bool }
	for name, want := range map[string]bool{"Open": false, "Close": true, "ProcessElement": true, "Clone": true} {
		if got := f.(partial).HasMethod(name); got != want {
			t.Errorf("HasMethod(%s): got %v, want %v", name, got, want)
		}
	}
	c := reflect.ValueOf(f).MethodByName("Clone").Call(nil)[0].Interface()
	if err := c.(dataflow.ProcessFunction[any, any]).ProcessElement("v", nil, nil); err != nil {
		t.Error(err)
	}
	if err := f.(interface{ Close() error }).Close(); err != nil {
		t.Error(err)
	}
	if got, want := strings.Join(calls, ", "), "process 2 v, close 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDocs(t *testing.T) {
	for _, tt := range []struct{ name, declared, begin, has string }{
		{"KeyedStream.Map", "DataStream.Map", "Map ", ""},
		{"DataStream", "DataStream", "DataStream is a handle ", "\n"},
		{"Collector.Collect", "Collector.Collect", "Collect ", ""},
		{"strings.Fields", "strings.Fields", "Fields splits the string s ", "[unicode.IsSpace]"},
		{"math/rand/v2.Rand.IntN", "math/rand/v2.Rand.IntN", "IntN returns", ""},
		{"fmt", "fmt", "Package fmt implements", "%v"},
		{"io.ReadWriter.Read", "io.Reader.Read", "", ""},
	} {
		text, declared, ok := symbols.Doc(tt.name)
		if !ok || declared != tt.declared || !strings.HasPrefix(text, tt.begin) || !strings.Contains(text, tt.has) {
			t.Errorf("%s: got %q of %s, %v; want %q… of %s", tt.name, text, declared, ok, tt.begin, tt.declared)
		}
		if first := symbols.Synopsis(tt.name); len(first) > len(text) || strings.Contains(first, "\n") || first == "" && text != "" {
			t.Errorf("%s: got the first sentence %q", tt.name, first)
		}
	}
	if _, _, ok := symbols.Doc("Nope"); ok {
		t.Error("there is documentation for Nope")
	}
	if names := strings.Join(symbols.DocNames(), "\n") + "\n"; !strings.Contains(names, "NewEnv\n") || !strings.Contains(names, "DataStream.Filter\n") {
		t.Errorf("NewEnv or DataStream.Filter is not among the names: %.300s", names)
	}
}
