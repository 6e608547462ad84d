// Package erase says how the interpreter sees the generic library: which types exist for it, and under
// which names. The generator of package symbols and the lowering of cells both follow it.
//
// A type parameter is erased to any. Two kinds cannot be: a window, whose instances are its values, and
// a parameter whose constraint is a list of types. For those there is one export for each type that a
// session supports, and its name is a suffix of the export's: WindowedStream__TimeWindow.
package erase

import (
	"fmt"
	"go/types"
	"strings"
)

// Class is what a named type of the library is to the interpreter.
type Class uint8

// The classes.
const (
	Plain   Class = iota // not generic: used as it is
	Handle               // opaque, erased: DataStream[T] is DataStream[any]
	Value                // a struct of exported fields: made anew for its type arguments, as Tuple2[string, int]
	Adapter              // an interface that users implement: exported with a function that makes one of funcs
	Reader               // an interface that only the library implements: erased as a handle
)

// readers are the interfaces that users call and do not implement.
var readers = map[string]bool{"Stream": true, "Collector": true, "WatermarkOutput": true, "AnyTrigger": true, "AnyEvictor": true, "Tuple": true, "Window": true, "BroadcastStateDescriptor": true, "StateDescriptor": true}

// suffixes of the names of interfaces that users implement.
var adapters = []string{"Accumulator", "Function", "Generator", "Assigner", "Trigger", "Evictor", "Format", "Operator"}

// connector is the package of the contracts of sources and sinks: users implement every interface in it.
const connector = "flinkish/dataflow/connector"

func inConnector(n *types.Named) bool {
	return n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == connector
}

// ComesBack reports whether values of the interface n come back to the methods of its user, who may ask for their type: the
// adapter then keeps the type of its receiver.
func ComesBack(n *types.Named) bool {
	return inConnector(n) && n.Obj().Name() == "Split" || n.Obj().Name() == "Accumulator"
}

// ClassOf classifies a type of the library; the error is for an interface that it does not know.
func ClassOf(n *types.Named) (Class, error) {
	name := Name(n.Obj())
	switch u := n.Underlying().(type) {
	case *types.Interface:
		if inConnector(n) {
			return Adapter, nil
		}
		if readers[name] {
			return Reader, nil
		}
		for _, s := range adapters {
			if strings.HasSuffix(name, s) {
				return Adapter, nil
			}
		}
		return Plain, fmt.Errorf("interface %s is neither a reader nor an adapter", name)
	case *types.Struct:
		if n.TypeParams().Len() == 0 {
			return Plain, nil
		}
		for i := range u.NumFields() {
			if !u.Field(i).Exported() || u.Field(i).Embedded() {
				return Handle, nil
			}
		}
		if u.NumFields() == 0 {
			return Handle, nil
		}
		return Value, nil
	}
	if n.TypeParams().Len() > 0 {
		return Handle, nil
	}
	return Plain, nil
}

// Name is what the library calls a type: an internal type goes by its published name.
func Name(o *types.TypeName) string {
	if o.Pkg() != nil {
		if n, ok := published[o.Pkg().Path()+"."+o.Name()]; ok {
			return n
		}
	}
	return o.Name()
}

// Windows are the window types that a session supports.
var Windows = []string{"TimeWindow", "GlobalWindow"}

// Basics are the types that stand for a parameter whose constraint is a list of types.
var Basics = []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "float32", "float64", "string"}

// Choices are the type arguments that a parameter is exported with: nil for one that is erased to any.
func Choices(tp *types.TypeParam) ([]string, error) {
	c := tp.Constraint()
	if n, ok := types.Unalias(c).(*types.Named); ok && Name(n.Obj()) == "Window" {
		return Windows, nil
	}
	it, ok := c.Underlying().(*types.Interface)
	if !ok {
		return nil, fmt.Errorf("constraint %s of %s", c, tp)
	}
	if it.NumMethods() > 0 {
		return nil, fmt.Errorf("constraint %s of %s has methods", c, tp)
	}
	if it.IsMethodSet() || it.NumEmbeddeds() == 0 {
		return nil, nil
	}
	if n, ok := types.Unalias(it.EmbeddedType(0)).(*types.Named); ok && it.NumEmbeddeds() == 1 && n.String() == "time.Duration" {
		return []string{"time.Duration"}, nil
	}
	var list []string
	for _, b := range Basics {
		if types.Satisfies(types.Universe.Lookup(b).Type(), it) {
			list = append(list, b)
		}
	}
	if types.Satisfies(types.NewInterfaceType(nil, nil), it) { // comparable
		return nil, nil
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("constraint %s of %s allows no basic type", c, tp)
	}
	return list, nil
}

// suffix is what the argument of one parameter adds to a name.
func suffix(tp *types.TypeParam, arg types.Type) (string, error) {
	choices, err := Choices(tp)
	if err != nil || choices == nil {
		return "", err
	}
	name := ""
	switch t := types.Unalias(arg).(type) {
	case *types.Named:
		if t.String() == choices[0] {
			return Suffix(t.String()), nil
		}
		name = Name(t.Obj())
		if b, ok := t.Underlying().(*types.Basic); ok {
			name = b.Name()
		}
	case *types.Basic:
		name = t.Name()
	}
	for _, c := range choices {
		if c == name {
			return Suffix(c), nil
		}
	}
	return "", fmt.Errorf("a session supports %s here, not %s", strings.Join(choices, ", "), arg)
}

// Suffix is what the choice c adds to a name: its package is left out.
func Suffix(c string) string { return "__" + c[strings.LastIndexByte(c, '.')+1:] }

func suffixes(tps *types.TypeParamList, args *types.TypeList) (string, error) {
	s := ""
	for i := range tps.Len() {
		if i >= args.Len() {
			return s, nil
		}
		x, err := suffix(tps.At(i), args.At(i))
		if err != nil {
			return "", err
		}
		s += x
	}
	return s, nil
}

// TypeName is the export of a type of the library, such as KeyedStream or WindowedStream__TimeWindow.
func TypeName(n *types.Named) (string, error) {
	s, err := suffixes(n.Origin().TypeParams(), n.TypeArgs())
	return Name(n.Obj()) + s, err
}

// FuncName is the export of a function of the library called with type arguments targs, or of the
// method f of a value or pointer of type recv, promoted methods included. Methods take the receiver, as a
// pointer unless it is a value type, as first argument.
func FuncName(recv *types.Named, f *types.Func, targs *types.TypeList) (string, error) {
	own, err := suffixes(f.Signature().TypeParams(), targs)
	if err != nil || recv == nil {
		return f.Name() + own, err
	}
	s, err := suffixes(recv.Origin().TypeParams(), recv.TypeArgs())
	return Name(recv.Obj()) + "_" + f.Name() + s + own, err
}

// AdapterName is the export of the function that makes an implementation of the interface n. Its
// parameters are the receiver, a function that copies a receiver (nil: it is shared), and one function
// for each of Methods(n), which takes the receiver first; nil stands for an optional method that is not there.
func AdapterName(n *types.Named) (string, error) {
	s, err := TypeName(n)
	return "Adapt_" + s, err
}
