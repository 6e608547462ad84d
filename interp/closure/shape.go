// Direct calls. Go passes arguments by what they are made of, not by their type: all pointers alike, all strings
// alike. So a function can be called as one of the same shape, without reflection.

package closure

import (
	"go/types"
	"reflect"
	"unsafe"
)

// shape spells a signature: S string, I 64-bit integer, W 32-bit integer, Y byte, F float64, B bool, P pointer
// or a struct of one, L slice, E error, A any, ? anything else.
func shape(t reflect.Type) string {
	var b []byte
	for i := range t.NumIn() {
		b = append(b, letter(t.In(i)))
	}
	b = append(b, '>')
	for i := range t.NumOut() {
		b = append(b, letter(t.Out(i)))
	}
	return string(b)
}

func letter(t reflect.Type) byte {
	switch t.Kind() {
	case reflect.String:
		return 'S'
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return 'I'
	case reflect.Int32:
		return 'W'
	case reflect.Uint8:
		return 'Y'
	case reflect.Float64:
		return 'F'
	case reflect.Bool:
		return 'B'
	case reflect.Pointer:
		return 'P'
	case reflect.Slice:
		return 'L'
	case reflect.Interface:
		if t == reflect.TypeFor[error]() {
			return 'E'
		}
		if t == reflect.TypeFor[any]() {
			return 'A'
		}
	case reflect.Struct: // a handle of state
		if t.NumField() == 1 && t.Field(0).Type.Kind() == reflect.Pointer {
			return 'P'
		}
	}
	return '?'
}

// as is fn as a function of type F, which must have the same shape.
func as[F any](fn reflect.Value) F {
	x := fn.Interface()
	return *(*F)(unsafe.Pointer(&(*eface)(unsafe.Pointer(&x)).data))
}

type ptr = unsafe.Pointer

// direct is a call of a function of a shape that we know.
func (c *compiler) direct(fn reflect.Value, args []value, results *types.Tuple) (called, bool) {
	for i, a := range args {
		if c.reflect(a.typ) != fn.Type().In(i) {
			return called{}, false
		}
	}
	for i := range results.Len() {
		if c.reflect(results.At(i).Type()) != fn.Type().Out(i) {
			return called{}, false
		}
	}
	sh := shape(fn.Type())
	var r value
	switch results.Len() {
	case 0:
		return direct0(sh, fn, args)
	case 1:
		r = value{typ: types.Unalias(results.At(0).Type())}
		r.k = kindOf(r.typ)
	case 2:
		return c.directPair(sh, fn, args, results)
	default:
		return called{}, false
	}
	ok := false
	switch sh[len(sh)-1] {
	case 'S':
		r.s, ok = giveString(sh, fn, args)
	case 'B':
		r.b, ok = giveBool(sh, fn, args)
	case 'I':
		r.i, ok = giveInt(sh, fn, args)
	case 'F':
		r.f, ok = giveFloat(sh, fn, args)
	case 'L':
		r.p, ok = c.giveSlice(sh, fn, args, r.typ)
	case 'W':
		r.i, ok = giveRune(sh, fn, args)
	case 'A', 'P':
		r.p, ok = c.giveWord(sh, fn, args, r.typ)
	}
	if !ok {
		return called{}, false
	}
	return called{results: []value{r}}, true
}

func pointer(v value) func(*frame) ptr {
	p := v.p
	return func(f *frame) ptr { return *(*ptr)(p(f)) }
}

func giveString(sh string, fn reflect.Value, a []value) (func(*frame) string, bool) {
	switch sh {
	case "S>S":
		g, x := as[func(string) string](fn), a[0].s
		return func(f *frame) string { return g(x(f)) }, true
	case "SS>S":
		g, x, y := as[func(a, b string) string](fn), a[0].s, a[1].s
		return func(f *frame) string { s := x(f); return g(s, y(f)) }, true
	case "SSS>S":
		g, x, y, z := as[func(a, b, c string) string](fn), a[0].s, a[1].s, a[2].s
		return func(f *frame) string { s := x(f); t := y(f); return g(s, t, z(f)) }, true
	case "SSSI>S":
		g, x, y, z, n := as[func(a, b, c string, n int) string](fn), a[0].s, a[1].s, a[2].s, a[3].i
		return func(f *frame) string { s := x(f); t := y(f); u := z(f); return g(s, t, u, int(n(f))) }, true
	case "LS>S":
		g, x, y := as[func(words, string) string](fn), a[0].p, a[1].s
		return func(f *frame) string { s := *(*words)(x(f)); return g(s, y(f)) }, true
	case "I>S":
		g, x := as[func(int64) string](fn), a[0].i
		return func(f *frame) string { return g(x(f)) }, true
	case "II>S":
		g, x, y := as[func(a, b int64) string](fn), a[0].i, a[1].i
		return func(f *frame) string { n := x(f); return g(n, y(f)) }, true
	case "B>S":
		g, x := as[func(bool) string](fn), a[0].b
		return func(f *frame) string { return g(x(f)) }, true
	case "FYII>S":
		g, x, y, n, m := as[func(float64, byte, int, int) string](fn), a[0].f, a[1].i, a[2].i, a[3].i
		return func(f *frame) string { v := x(f); b := byte(y(f)); p := int(n(f)); return g(v, b, p, int(m(f))) }, true
	case "P>S":
		g, x := as[func(ptr) string](fn), pointer(a[0])
		return func(f *frame) string { return g(x(f)) }, true
	case "PS>S":
		g, x, y := as[func(ptr, string) string](fn), pointer(a[0]), a[1].s
		return func(f *frame) string { p := x(f); return g(p, y(f)) }, true
	case "PSS>S":
		g, x, y, z := as[func(p ptr, a, b string) string](fn), pointer(a[0]), a[1].s, a[2].s
		return func(f *frame) string { p := x(f); s := y(f); return g(p, s, z(f)) }, true
	}
	return nil, false
}

func giveBool(sh string, fn reflect.Value, a []value) (func(*frame) bool, bool) {
	switch sh {
	case "S>B":
		g, x := as[func(string) bool](fn), a[0].s
		return func(f *frame) bool { return g(x(f)) }, true
	case "SS>B":
		g, x, y := as[func(a, b string) bool](fn), a[0].s, a[1].s
		return func(f *frame) bool { s := x(f); return g(s, y(f)) }, true
	case "SW>B":
		g, x, y := as[func(string, rune) bool](fn), a[0].s, a[1].i
		return func(f *frame) bool { s := x(f); return g(s, rune(y(f))) }, true
	case "W>B":
		g, x := as[func(rune) bool](fn), a[0].i
		return func(f *frame) bool { return g(rune(x(f))) }, true
	case "F>B":
		g, x := as[func(float64) bool](fn), a[0].f
		return func(f *frame) bool { return g(x(f)) }, true
	case "FI>B":
		g, x, y := as[func(float64, int) bool](fn), a[0].f, a[1].i
		return func(f *frame) bool { v := x(f); return g(v, int(y(f))) }, true
	case "P>B":
		g, x := as[func(ptr) bool](fn), pointer(a[0])
		return func(f *frame) bool { return g(x(f)) }, true
	case "PA>B":
		g, x, y := as[func(ptr, any) bool](fn), pointer(a[0]), a[1].p
		return func(f *frame) bool { p := x(f); return g(p, *(*any)(y(f))) }, true
	case "PS>B":
		g, x, y := as[func(ptr, string) bool](fn), pointer(a[0]), a[1].s
		return func(f *frame) bool { p := x(f); return g(p, y(f)) }, true
	}
	return nil, false
}

func giveInt(sh string, fn reflect.Value, a []value) (func(*frame) int64, bool) {
	switch sh {
	case "S>I":
		g, x := as[func(string) int64](fn), a[0].s
		return func(f *frame) int64 { return g(x(f)) }, true
	case "SS>I":
		g, x, y := as[func(a, b string) int64](fn), a[0].s, a[1].s
		return func(f *frame) int64 { s := x(f); return g(s, y(f)) }, true
	case "SY>I":
		g, x, y := as[func(string, byte) int64](fn), a[0].s, a[1].i
		return func(f *frame) int64 { s := x(f); return g(s, byte(y(f))) }, true
	case "SW>I":
		g, x, y := as[func(string, rune) int64](fn), a[0].s, a[1].i
		return func(f *frame) int64 { s := x(f); return g(s, rune(y(f))) }, true
	case "I>I":
		g, x := as[func(int64) int64](fn), a[0].i
		return func(f *frame) int64 { return g(x(f)) }, true
	case "II>I":
		g, x, y := as[func(a, b int64) int64](fn), a[0].i, a[1].i
		return func(f *frame) int64 { n := x(f); return g(n, y(f)) }, true
	case "P>I":
		g, x := as[func(ptr) int64](fn), pointer(a[0])
		return func(f *frame) int64 { return g(x(f)) }, true
	case "F>I":
		g, x := as[func(float64) int64](fn), a[0].f
		return func(f *frame) int64 { return g(x(f)) }, true
	}
	return nil, false
}

func giveFloat(sh string, fn reflect.Value, a []value) (func(*frame) float64, bool) {
	switch sh {
	case "F>F":
		g, x := as[func(float64) float64](fn), a[0].f
		return func(f *frame) float64 { return g(x(f)) }, true
	case "FF>F":
		g, x, y := as[func(a, b float64) float64](fn), a[0].f, a[1].f
		return func(f *frame) float64 { v := x(f); return g(v, y(f)) }, true
	case "I>F":
		g, x := as[func(int64) float64](fn), a[0].i
		return func(f *frame) float64 { return g(x(f)) }, true
	}
	return nil, false
}

func giveRune(sh string, fn reflect.Value, a []value) (func(*frame) int64, bool) {
	if sh == "W>W" {
		g, x := as[func(rune) rune](fn), a[0].i
		return func(f *frame) int64 { return int64(g(rune(x(f)))) }, true
	}
	return nil, false
}

// direct0 is a call without results.
func direct0(sh string, fn reflect.Value, a []value) (called, bool) {
	switch sh {
	case "P>":
		g, x := as[func(ptr)](fn), pointer(a[0])
		return called{do: func(f *frame) { g(x(f)) }}, true
	case "PI>":
		g, x, y := as[func(ptr, int64)](fn), pointer(a[0]), a[1].i
		return called{do: func(f *frame) { p := x(f); g(p, y(f)) }}, true
	case "PA>":
		g, x, y := as[func(ptr, any)](fn), pointer(a[0]), a[1].p
		return called{do: func(f *frame) { p := x(f); g(p, *(*any)(y(f))) }}, true
	case "PAA>":
		g, x, y, z := as[func(p ptr, k, v any)](fn), pointer(a[0]), a[1].p, a[2].p
		return called{do: func(f *frame) { p := x(f); k := *(*any)(y(f)); g(p, k, *(*any)(z(f))) }}, true
	}
	return called{}, false
}

// giveWord leaves a pointer or an any in a variable of its own.
func (c *compiler) giveWord(sh string, fn reflect.Value, a []value, t types.Type) (func(*frame) ptr, bool) {
	if sh != "P>A" && sh != "P>P" {
		return nil, false
	}
	x, off := pointer(a[0]), c.slot(c.reflect(t))
	if sh == "P>P" {
		g := as[func(ptr) ptr](fn)
		return func(f *frame) ptr {
			p := unsafe.Add(f.mem, off)
			*(*ptr)(p) = g(x(f))
			return p
		}, true
	}
	g := as[func(ptr) any](fn)
	return func(f *frame) ptr {
		p := unsafe.Add(f.mem, off)
		*(*any)(p) = g(x(f))
		return p
	}, true
}

// giveSlice leaves a slice in a variable of its own.
func (c *compiler) giveSlice(sh string, fn reflect.Value, a []value, t types.Type) (func(*frame) ptr, bool) {
	var call func(*frame) words
	switch sh {
	case "S>L":
		g, x := as[func(string) words](fn), a[0].s
		call = func(f *frame) words { return g(x(f)) }
	case "SS>L":
		g, x, y := as[func(a, b string) words](fn), a[0].s, a[1].s
		call = func(f *frame) words { s := x(f); return g(s, y(f)) }
	case "SSI>L":
		g, x, y, n := as[func(a, b string, n int) words](fn), a[0].s, a[1].s, a[2].i
		call = func(f *frame) words { s := x(f); t := y(f); return g(s, t, int(n(f))) }
	case "PS>L":
		g, x, y := as[func(ptr, string) words](fn), pointer(a[0]), a[1].s
		call = func(f *frame) words { p := x(f); return g(p, y(f)) }
	case "PSI>L":
		g, x, y, n := as[func(ptr, string, int) words](fn), pointer(a[0]), a[1].s, a[2].i
		call = func(f *frame) words { p := x(f); s := y(f); return g(p, s, int(n(f))) }
	default:
		return nil, false
	}
	off := c.slot(c.reflect(t))
	return func(f *frame) ptr {
		p := unsafe.Add(f.mem, off)
		*(*words)(p) = call(f)
		return p
	}, true
}

// directPair is a call with two results, which it leaves in variables.
func (c *compiler) directPair(sh string, fn reflect.Value, a []value, results *types.Tuple) (called, bool) {
	var do func(f *frame, x, y ptr)
	switch sh {
	case "S>IE":
		g, x := as[func(string) (int64, error)](fn), a[0].s
		do = func(f *frame, p, q ptr) { *(*int64)(p), *(*error)(q) = g(x(f)) }
	case "SI>FE":
		g, x, n := as[func(string, int) (float64, error)](fn), a[0].s, a[1].i
		do = func(f *frame, p, q ptr) { s := x(f); *(*float64)(p), *(*error)(q) = g(s, int(n(f))) }
	case "SII>IE":
		g, x, n, m := as[func(string, int, int) (int64, error)](fn), a[0].s, a[1].i, a[2].i
		do = func(f *frame, p, q ptr) { s := x(f); b := int(n(f)); *(*int64)(p), *(*error)(q) = g(s, b, int(m(f))) }
	case "S>BE":
		g, x := as[func(string) (bool, error)](fn), a[0].s
		do = func(f *frame, p, q ptr) { *(*bool)(p), *(*error)(q) = g(x(f)) }
	case "SS>SB":
		g, x, y := as[func(a, b string) (string, bool)](fn), a[0].s, a[1].s
		do = func(f *frame, p, q ptr) { s := x(f); *(*string)(p), *(*bool)(q) = g(s, y(f)) }
	case "PS>IE":
		g, x, y := as[func(ptr, string) (int64, error)](fn), pointer(a[0]), a[1].s
		do = func(f *frame, p, q ptr) { t := x(f); *(*int64)(p), *(*error)(q) = g(t, y(f)) }
	case "PW>IE":
		g, x, y := as[func(ptr, rune) (int64, error)](fn), pointer(a[0]), a[1].i
		do = func(f *frame, p, q ptr) { t := x(f); *(*int64)(p), *(*error)(q) = g(t, rune(y(f))) }
	case "P>IB":
		g, x := as[func(ptr) (int64, bool)](fn), pointer(a[0])
		do = func(f *frame, p, q ptr) { *(*int64)(p), *(*bool)(q) = g(x(f)) }
	case "P>AB":
		g, x := as[func(ptr) (any, bool)](fn), pointer(a[0])
		do = func(f *frame, p, q ptr) { *(*any)(p), *(*bool)(q) = g(x(f)) }
	case "PA>AB":
		g, x, y := as[func(ptr, any) (any, bool)](fn), pointer(a[0]), a[1].p
		do = func(f *frame, p, q ptr) { t := x(f); *(*any)(p), *(*bool)(q) = g(t, *(*any)(y(f))) }
	default:
		return called{}, false
	}
	offs, vs := c.resultTemps(results)
	x, y := offs[0], offs[1]
	return called{results: vs, do: func(f *frame) { do(f, unsafe.Add(f.mem, x), unsafe.Add(f.mem, y)) }}, true
}
