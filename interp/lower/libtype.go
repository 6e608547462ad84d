// What the library is told of the types of a cell: sources, results, keys and state.

package lower

import (
	"fmt"
	"go/types"
	"strings"
)

// isSource reports whether a call makes a source whose element type the library cannot know.
func (e *emitter) isSource(t types.Type, osig *types.Signature) bool {
	if !mentionsTP(osig.Results().At(0).Type()) {
		return false
	}
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	n := isLib(p.Elem())
	return n != nil && n.Obj().Name() == "DataStreamSource"
}

func (e *emitter) typedSource(s string, t types.Type) string {
	et := isLib(t.(*types.Pointer).Elem()).TypeArgs().At(0)
	return e.l.helper(e, "source", et, func(n string) string {
		tt := e.typ(t)
		return fmt.Sprintf("func %s(x %s) %s { x.Transformation().SetType(%s); return x }\n", n, tt, tt, e.typeValue(et))
	}) + "(" + s + ")"
}

// typeValue is the text of a graph.Type that knows t as the user wrote it.
func (e *emitter) typeValue(t types.Type) string {
	t = e.sub(t)
	d := e.desc(t)
	e.descParts(t)
	e.l.helper(e, "reflect", t, func(n string) string {
		fmt.Fprintf(&e.l.out.inits, "rtǃ.SetReflect(%s, new(%s))\n", d, e.typ(t))
		return ""
	})
	return "rtǃ.TypeOf(" + d + ")"
}

// tellsKey are the methods whose type parameter K must be that of a key or field which the receiver has already.
var tellsKey = map[string]bool{"ProcessKeyed": true, "PartitionCustomByField": true, "PartitionCustomByPosition": true}

// keyTold is recv, of type *n, after the library was told the key type of the call that follows.
func (e *emitter) keyTold(recv string, n *types.Named, k types.Type) string {
	tt := "*" + e.libType(n)
	return e.l.helper(e, "key "+tt, k, func(h string) string {
		return fmt.Sprintf("func %s(x %s) %s { rtǃ.CallKey(x.Env(), %s); return x }\n", h, tt, tt, e.typeValue(k))
	}) + "(" + recv + ")"
}

// typeOption is the option that tells the library the type of results, keys or state; empty if the function
// takes none.
func (e *emitter) typeOption(osig, sig *types.Signature, targs *types.TypeList, text string) string {
	if !osig.Variadic() {
		return ""
	}
	last := osig.Params().At(osig.Params().Len() - 1).Type().(*types.Slice).Elem()
	n, ok := types.Unalias(last).(*types.Named)
	if !ok {
		return ""
	}
	df := e.l.aliasPath(libPath) + "."
	switch n.Obj().Name() {
	case "TypeOption":
		if t := e.optionType(osig, sig, targs); t != nil {
			return df + "WithType(" + e.typeValue(t) + ")"
		}
	case "KeyOption":
		if t := byName(osig, targs, "K"); t != nil {
			return df + "KeyType(" + e.typeValue(t) + ")"
		}
	case "MapTypeOption":
		return df + "WithTypes(" + e.typeValue(targs.At(0)) + ", " + e.typeValue(targs.At(1)) + ")"
	}
	return ""
}

// optionType is the type that a TypeOption of this call is about: the element of the resulting stream, else
// the accumulator, else the first type argument.
func (e *emitter) optionType(osig, sig *types.Signature, targs *types.TypeList) types.Type {
	if p, ok := e.sub(sig.Results().At(0).Type()).(*types.Pointer); ok {
		if n := isLib(p.Elem()); n != nil && strings.HasSuffix(n.Obj().Name(), "Operator") {
			return n.TypeArgs().At(0)
		}
	}
	if t := byName(osig, targs, "ACC"); t != nil {
		return t
	}
	if targs.Len() > 0 {
		return targs.At(0)
	}
	return nil
}

func byName(osig *types.Signature, targs *types.TypeList, name string) types.Type {
	for i := range osig.TypeParams().Len() {
		if osig.TypeParams().At(i).Obj().Name() == name && i < targs.Len() {
			return targs.At(i)
		}
	}
	return nil
}
