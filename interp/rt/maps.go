package rt

import (
	"go/types"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
)

// Keys lists the keys of map m as a slice of its key type, in the order in which range visits them: by
// chance, or as the session's seed says.
func (r *Runtime) keys(m any) any {
	v := reflect.ValueOf(m)
	s := reflect.MakeSlice(reflect.SliceOf(v.Type().Key()), 0, v.Len())
	if !r.Deterministic {
		for it := v.MapRange(); it.Next(); {
			s = reflect.Append(s, it.Key())
		}
		return s.Interface()
	}
	keys := SortedKeys(v)
	rnd := rand.New(rand.NewPCG(uint64(r.Seed), r.ranges.Add(1)))
	rnd.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return reflect.Append(s, keys...).Interface()
}

// entries are the keys of a map and, for those that differ from themselves, their values.
type entries struct {
	m    reflect.Value
	keys any
	lost []reflect.Value
}

// entries are those that range over map m visits.
func (r *Runtime) entries(m any) entries {
	v := reflect.ValueOf(m)
	n := 0
	for it := v.MapRange(); it.Next(); {
		if !it.Key().Equal(it.Key()) {
			n++
		}
	}
	if n == 0 {
		return entries{v, r.keys(m), nil}
	}
	type entry struct{ k, v reflect.Value }
	var es []entry
	for it := v.MapRange(); it.Next(); {
		es = append(es, entry{it.Key(), it.Value()})
	}
	if r.Deterministic {
		slices.SortFunc(es, func(a, b entry) int {
			switch {
			case less(a.k, b.k) || !less(b.k, a.k) && less(a.v, b.v):
				return -1
			case less(b.k, a.k) || less(b.v, a.v):
				return 1
			}
			return 0
		})
		rnd := rand.New(rand.NewPCG(uint64(r.Seed), r.ranges.Add(1)))
		rnd.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
	}
	keys, lost := reflect.MakeSlice(reflect.SliceOf(v.Type().Key()), 0, len(es)), make([]reflect.Value, len(es))
	for i, e := range es {
		keys = reflect.Append(keys, e.k)
		if !e.k.Equal(e.k) {
			lost[i] = e.v
		}
	}
	return entries{v, keys.Interface(), lost}
}

// Keys are the keys, as a slice of their type.
func (e entries) Keys() any { return e.keys }

// Lost is the value of key i if the map, which has not been cleared, cannot find it.
func (e entries) Lost(i int) (any, bool) {
	if e.lost == nil || !e.lost[i].IsValid() || e.m.Len() == 0 {
		return nil, false
	}
	return e.lost[i].Interface(), true
}

// comparableKey is k, the key of a map of n elements whose keys are interfaces, or Go's panic when it cannot be one.
func comparableKey(k any, n int) any {
	if k == nil {
		return k
	}
	switch name := unhashable(reflect.ValueOf(k)); {
	case name == "":
		return k
	case n == 0:
		panic(plainError("hash of unhashable type: " + name))
	default:
		panic(runtimeError("hash of unhashable type " + name))
	}
}

// unhashable is the type in v that cannot be compared; empty if there is none.
func unhashable(v reflect.Value) string {
	if !v.IsValid() || v.Comparable() {
		return ""
	}
	if v.Kind() == reflect.Interface {
		return unhashable(v.Elem())
	}
	if v.CanInterface() {
		if b, ok := AsBoxed(v.Interface()); ok {
			if !types.Comparable(b.D.Type) {
				return GoTypeString(b.D.Type)
			}
			return unhashable(reflect.ValueOf(b.V))
		}
	}
	if !v.Type().Comparable() {
		return v.Type().String()
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if name := unhashable(v.Field(i)); name != "" {
				return name
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			if name := unhashable(v.Index(i)); name != "" {
				return name
			}
		}
	}
	return ""
}

// wrap turns v into interface pkg.name of the standard library. A box is put into the wrapper that yaegi's
// tables have for that interface.
func (r *Runtime) wrap(v any, pkg, name string) any {
	b, ok := AsBoxed(v)
	if !ok {
		return v
	}
	var t reflect.Type
	if r.WrapperType != nil {
		t = r.WrapperType(pkg, name)
	}
	if t == nil {
		panic(runtimeError("a value of type " + b.D.String() + " cannot be used as " + pkg + "." + name + " in a cell"))
	}
	w := Wrapper(t, b)
	if pkg == "io" && (name == "Reader" || name == "Writer") {
		return streams(w, b)
	}
	if pkg == "flag" && name == "Value" {
		return flagValue(w, b)
	}
	return w
}

// Wrapper puts a boxed value into a wrapper of yaegi's tables (such as _io_Reader), so that compiled code
// can call the user's methods through an interface of the standard library.
func Wrapper(wrapper reflect.Type, b Boxed) any {
	w := reflect.New(wrapper).Elem()
	w.Field(0).Set(reflect.ValueOf(b))
	for i := 1; i < wrapper.NumField(); i++ {
		f := wrapper.Field(i)
		name := strings.TrimPrefix(f.Name, "W")
		m := b.D.Method(name)
		if m == nil {
			if mv := reflect.ValueOf(b.V).MethodByName(name); mv.IsValid() {
				w.Field(i).Set(mv)
			}
			continue
		}
		mv := reflect.ValueOf(m)
		w.Field(i).Set(reflect.MakeFunc(f.Type, func(args []reflect.Value) []reflect.Value {
			return mv.Call(append([]reflect.Value{reflect.ValueOf(b)}, args...))
		}))
	}
	return w.Interface()
}
