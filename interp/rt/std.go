// Shims for the standard library: what prints, tells the time or ends the process.

package rt

import (
	"errors"
	"fmt"
	"go/types"
	"io"
	"log"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// lockedWriter serialises the writes of all goroutines of a session.
type lockedWriter struct {
	r *Runtime
	w io.Writer
}

func (l lockedWriter) Write(b []byte) (int, error) {
	l.r.ioMu.Lock()
	defer l.r.ioMu.Unlock()
	if l.w == nil || l.r.dead() {
		return len(b), nil
	}
	return l.w.Write(b)
}

// writer is where a cell's writes to w go: what it knows as the standard output is the session's.
func (r *Runtime) writer(w io.Writer) io.Writer {
	f, _ := w.(*os.File)
	switch {
	case f == nil:
	case f == os.Stdout:
		return r.stdout()
	case f == os.Stderr:
		return r.stderr()
	}
	return w
}

// writeAny is the method Write of an io.Writer.
func (r *Runtime) writeAny(w any, b []byte) (int, error) { return r.writer(w.(io.Writer)).Write(b) }

// writeStringAny is the method WriteString of an io.StringWriter.
func (r *Runtime) writeStringAny(w any, s string) (int, error) {
	if f, ok := w.(*os.File); ok {
		return r.writeFileString(f, s)
	}
	return w.(io.StringWriter).WriteString(s)
}

// closeAny is the method Close of an io.Closer.
func closeAny(c any) error {
	if f, ok := c.(*os.File); ok {
		return closeFile(f)
	}
	return c.(io.Closer).Close()
}

func (r *Runtime) writeFile(f *os.File, b []byte) (int, error) { return r.writer(f).Write(b) }

func (r *Runtime) writeFileString(f *os.File, s string) (int, error) {
	return io.WriteString(r.writer(f), s)
}

// closeFile leaves the standard files of the process open.
func closeFile(f *os.File) error {
	if f == os.Stdin || f == os.Stdout || f == os.Stderr {
		return nil
	}
	return f.Close()
}

func (r *Runtime) stdout() io.Writer { return lockedWriter{r, r.Stdout} }
func (r *Runtime) stderr() io.Writer { return lockedWriter{r, r.Stderr} }

func (r *Runtime) print(a ...any) (int, error) {
	return fprint(r.stdout(), a...)
}

func (r *Runtime) println(a ...any) (int, error) {
	mustEnd(a)
	return fmt.Fprintln(r.stdout(), a...)
}

func (r *Runtime) printf(f string, a ...any) (int, error) {
	return fprintf(r.stdout(), f, a...)
}

// runeString is string(n) of an integer that may be no rune.
func runeString(n int64) string {
	if n != int64(rune(n)) {
		n = utf8.RuneError
	}
	return string(rune(n))
}

func (r *Runtime) builtinPrint(a ...any) { fmt.Fprint(r.stderr(), spaced(a, "")) }

func (r *Runtime) builtinPrintln(a ...any) { fmt.Fprintln(r.stderr(), spaced(a, " ")) }

func spaced(a []any, sep string) string {
	var s []string
	for _, x := range a {
		s = append(s, fmt.Sprint(x))
	}
	return strings.Join(s, sep)
}

func sprintf(f string, a ...any) string {
	f, a = typeVerbs(f, a)
	return namedBoxes(fmt.Sprintf(f, a...), a)
}

func fprintf(w io.Writer, f string, a ...any) (int, error) {
	f, a = typeVerbs(f, a)
	if !anyBoxed(a) {
		return fmt.Fprintf(w, f, a...)
	}
	return w.Write([]byte(namedBoxes(fmt.Sprintf(f, a...), a)))
}

// namedBoxes is text with the types of the user where fmt names that of a box: in what it says of arguments without a
// verb, which are the last ones, and of wrong verbs.
func namedBoxes(text string, a []any) string {
	const box = "rt.Boxed="
	n := strings.Count(text, box)
	for i := len(a) - 1; i >= 0 && n > 0; i-- {
		if b, ok := AsBoxed(a[i]); ok {
			at := strings.LastIndex(text, box)
			text, n = text[:at]+GoTypeString(b.D.Type)+"="+text[at+len(box):], n-1
		}
	}
	return text
}

func sprint(a ...any) string { return fmt.Sprint(asStrings(a)...) }

func fprint(w io.Writer, a ...any) (int, error) { return fmt.Fprint(w, asStrings(a)...) }

func appendPrint(b []byte, a ...any) []byte { return fmt.Append(b, asStrings(a)...) }

// asStrings are operands of fmt.Print, which puts no space beside a string: one of the user's types must be a string there.
func asStrings(a []any) []any {
	mustEnd(a)
	copied := false
	for i, x := range a {
		b, ok := x.(Boxed)
		if !ok {
			continue
		}
		if t, ok := b.D.Type.Underlying().(*types.Basic); ok && t.Kind() == types.String {
			if !copied {
				a, copied = slices.Clone(a), true
			}
			a[i] = fmt.Sprint(b)
		}
	}
	return a
}

func errorf(f string, a ...any) error {
	f, a = typeVerbs(f, a)
	return fmt.Errorf(f, a...)
}

func appendf(b []byte, f string, a ...any) []byte {
	f, a = typeVerbs(f, a)
	return append(b, namedBoxes(fmt.Sprintf(f, a...), a)...)
}

// typeVerbs answers %T and %p for boxed values and those of ours, which fmt does not ask.
func typeVerbs(f string, a []any) (string, []any) {
	mustEnd(a)
	if !strings.ContainsAny(f, "Tp") || !anyBoxed(a) {
		return f, a
	}
	var b strings.Builder
	if strings.Contains(f, "[") {
		f, a = positional(f, a)
	}
	args := append([]any{}, a...)
	n := 0
	for i := 0; i < len(f); i++ {
		b.WriteByte(f[i])
		if f[i] != '%' {
			continue
		}
		i++
		for i < len(f) && strings.IndexByte("+-# 0123456789.[]*", f[i]) >= 0 {
			switch f[i] {
			case '*':
				n++
			case '[':
				if j := strings.IndexByte(f[i:], ']'); j > 0 {
					if k, err := strconv.Atoi(f[i+1 : i+j]); err == nil {
						n = k - 1
					}
				}
			}
			b.WriteByte(f[i])
			i++
		}
		if i == len(f) {
			break
		}
		switch {
		case f[i] == '%':
			b.WriteByte('%')
		case f[i] == 'T' && n < len(args):
			b.WriteByte('s')
			args[n] = typeText(TypeName(a[n]))
			n++
		case f[i] == 'p' && n < len(args):
			b.WriteByte('p')
			if x, ok := AsBoxed(a[n]); ok {
				switch x.D.Type.Underlying().(type) {
				case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature:
					args[n] = x.V
				}
			}
			n++
		default:
			b.WriteByte(f[i])
			n++
		}
	}
	return b.String(), args
}

// positional writes a format with explicit indexes such as %[1]v as one without, and repeats the arguments.
func positional(f string, a []any) (string, []any) {
	var b strings.Builder
	var args []any
	n := 0
	for i := 0; i < len(f); i++ {
		b.WriteByte(f[i])
		if f[i] != '%' {
			continue
		}
		for i++; i < len(f) && strings.IndexByte("+-# 0123456789.[]*", f[i]) >= 0; i++ {
			if f[i] == '[' {
				j := strings.IndexByte(f[i:], ']')
				k := 0
				if j > 0 {
					k, _ = strconv.Atoi(f[i+1 : i+j])
				}
				if k < 1 || k > len(a) {
					return f, a // fmt says what is wrong with it
				}
				n, i = k-1, i+j
				continue
			}
			b.WriteByte(f[i])
			if f[i] == '*' && n < len(a) {
				args = append(args, a[n])
				n++
			}
		}
		if i == len(f) {
			break
		}
		b.WriteByte(f[i])
		if f[i] != '%' {
			if n >= len(a) {
				return f, a
			}
			args = append(args, a[n])
			n++
		}
	}
	return b.String(), args
}

// typeText is a type name that prints as itself.
type typeText string

func anyBoxed(a []any) bool {
	for _, x := range a {
		if _, ok := AsBoxed(x); ok || standsFor(x) != "" {
			return true
		}
	}
	return false
}

func (r *Runtime) now() time.Time {
	if r.Now != nil {
		return r.Now()
	}
	return time.Now()
}

// rand1 and rand2 are the generators behind the package-level functions of math/rand and math/rand/v2.
func (r *Runtime) rand1() *rand.Rand {
	r.rndOnce.Do(r.seedRand)
	return r.rnd1
}

func (r *Runtime) rand2() *randv2.Rand {
	r.rndOnce.Do(r.seedRand)
	return r.rnd2
}

func (r *Runtime) seedRand() {
	seed := r.Seed
	if !r.Deterministic {
		seed = rand.Int63()
	}
	r.rnd1 = rand.New(&lockedSource{src: rand.NewSource(seed)})
	r.rnd2 = randv2.New(&lockedSource2{src: randv2.NewPCG(uint64(seed), 0)})
}

type lockedSource struct {
	mu  sync.Mutex
	src rand.Source
}

func (s *lockedSource) Int63() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.src.Int63()
}

func (s *lockedSource) Seed(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.src.Seed(n)
}

type lockedSource2 struct {
	mu  sync.Mutex
	src randv2.Source
}

func (s *lockedSource2) Uint64() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.src.Uint64()
}

// ErrExit is the panic value of a call that would end the process.
var ErrExit = errors.New("exit")

func exit(code int) {
	panic(fmt.Errorf("os.Exit(%d) would end the whole session: %w is not available in a cell", code, ErrExit))
}

func fatal(a ...any) {
	panic(fmt.Errorf("%s", strings.TrimSuffix(fmt.Sprintln(a...), "\n")))
}

func fatalf(f string, a ...any) { panic(fmt.Errorf("%s", sprintf(f, a...))) }

// fatalTo and fatalfTo are the methods of a logger, whose line the error of the cell is.
func fatalTo(_ *log.Logger, a []any)            { fatal(a...) }
func fatalfTo(_ *log.Logger, f string, a []any) { fatalf(f, a...) }

// check fails the cell at the statement that made the library refuse a call.
func (r *Runtime) check() {
	if r.Check == nil {
		return
	}
	if err := r.Check(); err != nil {
		panic(LibError{err})
	}
}

// LibError is the panic value of a cell whose call the library refused.
type LibError struct{ Err error }

func (e LibError) Error() string { return e.Err.Error() }

// Unwrap gives the library's error.
func (e LibError) Unwrap() error { return e.Err }

// Out is where what cells print goes; writes of several goroutines do not mix.
func Out(r *Runtime) io.Writer { return r.stdout() }

// Locked serialises the writes to w with those of r.
func Locked(r *Runtime, w io.Writer) io.Writer { return lockedWriter{r, w} }

// stdVar is a pointer to a variable of the standard library.
func (r *Runtime) stdVar(path, name string) any { return r.Symbol(path, name).Addr().Interface() }
