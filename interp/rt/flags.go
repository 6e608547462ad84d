// Flags whose values are of types of the cells.

package rt

import (
	"encoding"
	"flag"
	"fmt"
	"reflect"
	"strings"
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
	b, _ := AsBoxed(p)
	v, to := TypeName(value), reflect.ValueOf(b.V)
	if to.Kind() != reflect.Pointer {
		panic("variable value type must be a pointer")
	}
	if d, ok := AsBoxed(value); ok && "*"+v == TypeName(p) {
		to.Elem().Set(reflect.ValueOf(d.V))
	} else if ok && v == TypeName(p) {
		to.Elem().Set(reflect.ValueOf(d.V).Elem())
	} else {
		panic(fmt.Sprintf("default type does not match variable type: %v != %v", v, strings.TrimPrefix(TypeName(p), "*")))
	}
	fs.Var(&textFlag{p}, name, usage)
}

// textVar is flag.TextVar.
func (r *Runtime) textVar(p encoding.TextUnmarshaler, name string, value encoding.TextMarshaler, usage string) {
	textVarOf(r.newFlag(), p, name, value, usage)
}

// _boolFlag is a value of a user's type that needs no argument. The first field is the box: see unwrap.
type _boolFlag struct {
	IValue any
	flag.Value
	is func(any) bool
}

// IsBoolFlag calls the user's.
func (f _boolFlag) IsBoolFlag() bool { return f.is(f.IValue) }

// flagValue is w, the wrapper of b as a flag.Value, with the other method that package flag looks for.
func flagValue(w any, b Boxed) any {
	v, ok := w.(flag.Value)
	if is, has := method0[bool](b, "IsBoolFlag"); ok && has {
		return _boolFlag{b, v, is}
	}
	return w
}

// shownFlag stands for a value of a user's type where package flag prints its defaults: that makes a zero value of its type to see
// whether the default is one.
type shownFlag struct{ isBool bool }

func (f *shownFlag) String() string   { return "" }
func (f *shownFlag) Set(string) error { return nil }
func (f *shownFlag) IsBoolFlag() bool { return f.isBool }

// setFlag is a shownFlag whose default is no zero value.
type setFlag struct{ shownFlag }

func (f *setFlag) String() string { return "\x00" }

// printFlagsOf is FlagSet.PrintDefaults.
func printFlagsOf(fs *flag.FlagSet) {
	shown := flag.NewFlagSet(fs.Name(), flag.ContinueOnError)
	shown.SetOutput(fs.Output())
	var errs []error
	fs.VisitAll(func(f *flag.Flag) {
		b, ok := AsBoxed(f.Value)
		if !ok {
			shown.Var(f.Value, f.Name, f.Usage)
			shown.Lookup(f.Name).DefValue = f.DefValue
			return
		}
		is, isBool := f.Value.(interface{ IsBoolFlag() bool })
		v := shownFlag{isBool && is.IsBoolFlag()}
		zero, err := zeroText(b, f.Name)
		switch {
		case err != nil:
			errs = append(errs, err)
			shown.Var(&v, f.Name, f.Usage)
		case zero == f.DefValue:
			shown.Var(&v, f.Name, f.Usage)
		default:
			shown.Var(&setFlag{v}, f.Name, f.Usage)
			shown.Lookup(f.Name).DefValue = f.DefValue
		}
	})
	shown.PrintDefaults()
	if len(errs) > 0 {
		fmt.Fprintln(fs.Output())
	}
	for _, err := range errs {
		fmt.Fprintln(fs.Output(), err)
	}
}

// zeroText is what the String of the type of b says of a zero value, behind a new pointer if b is one.
func zeroText(b Boxed, name string) (text string, err error) {
	defer func() {
		if x := recover(); x != nil {
			if x == any(ErrInterrupted) {
				panic(x)
			}
			err = fmt.Errorf("panic calling String method on zero %s for flag %s: %v", strings.TrimPrefix(GoTypeString(b.D.Type), "*"), name, Normal(x))
		}
	}()
	zero := reflect.Zero(reflect.TypeOf(b.V))
	if zero.Kind() == reflect.Pointer {
		zero = reflect.New(zero.Type().Elem())
	}
	f, ok := method0[string](b, "String")
	if !ok {
		return "", nil
	}
	return f(Boxed{b.D, zero.Interface()}), nil
}

// commandLineVar is &flag.CommandLine.
func (r *Runtime) commandLineVar() **flag.FlagSet {
	r.commandLine()
	return &r.logs.flags
}

// printFlags is flag.PrintDefaults.
func (r *Runtime) printFlags() { printFlagsOf(r.commandLine()) }

// usageOf is what a set of flags prints when nobody says otherwise.
func usageOf(fs *flag.FlagSet) func() {
	return func() {
		if fs.Name() == "" {
			fmt.Fprintf(fs.Output(), "Usage:\n")
		} else {
			fmt.Fprintf(fs.Output(), "Usage of %s:\n", fs.Name())
		}
		printFlagsOf(fs)
	}
}
