// Flags whose values are of types of the cells.

package rt

import (
	"encoding"
	"flag"
)

// textFlag is a flag that reads and writes itself, as that of FlagSet.TextVar.
type textFlag struct{ p encoding.TextUnmarshaler }

// Set reads the text.
func (t *textFlag) Set(s string) error { return t.p.UnmarshalText([]byte(s)) }

// Get gives the pointer.
func (t *textFlag) Get() any { return t.p }

// String writes the text; it is empty for a value that cannot be written.
func (t *textFlag) String() string {
	v, _ := t.p.(encoding.TextMarshaler)
	if b, ok := AsBoxed(t.p); ok {
		if f, ok := b.D.Method("MarshalText").(func(any) ([]byte, error)); ok {
			v = boxedText{b, f}
		}
	}
	if v == nil {
		return ""
	}
	text, err := v.MarshalText()
	if err != nil {
		return ""
	}
	return string(text)
}

// boxedText writes a value of the cells.
type boxedText struct {
	b     Boxed
	write func(any) ([]byte, error)
}

// MarshalText calls the user's.
func (t boxedText) MarshalText() ([]byte, error) { return t.write(t.b) }

// textVarOf is FlagSet.TextVar, which compares the types of the two values.
func textVarOf(fs *flag.FlagSet, p encoding.TextUnmarshaler, name string, value encoding.TextMarshaler, usage string) {
	if _, ok := AsBoxed(p); !ok {
		fs.TextVar(p, name, value, usage)
		return
	}
	text, err := value.MarshalText()
	if err == nil {
		err = p.UnmarshalText(text)
	}
	if err != nil {
		panic(err)
	}
	fs.Var(&textFlag{p}, name, usage)
}

// textVar is flag.TextVar.
func (r *Runtime) textVar(p encoding.TextUnmarshaler, name string, value encoding.TextMarshaler, usage string) {
	textVarOf(r.newFlag(), p, name, value, usage)
}
