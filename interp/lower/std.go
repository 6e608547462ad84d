// Calls of the standard library. Most are made as they are; the table says which need to know the user's
// types or the session.

package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"strings"
)

// replaced maps functions and variables to their form in the runtime.
var replaced = map[string]string{
	"errors.Is": "rtǃ.ErrorIs",
	"fmt.Print": "rtǃ.Print", "fmt.Println": "rtǃ.Println", "fmt.Printf": "rtǃ.Printf",
	"fmt.Sprint": "rtǃ.Sprint", "fmt.Fprint": "rtǃ.Fprint", "fmt.Append": "rtǃ.Append",
	"fmt.Sprintf": "rtǃ.Sprintf", "fmt.Fprintf": "rtǃ.Fprintf", "fmt.Errorf": "rtǃ.Errorf", "fmt.Appendf": "rtǃ.Appendf",
	"fmt.Sscan": "rtǃ.Sscan", "fmt.Sscanf": "rtǃ.Sscanf", "fmt.Sscanln": "rtǃ.Sscanln", "fmt.Fscan": "rtǃ.Fscan", "fmt.Fscanf": "rtǃ.Fscanf", "fmt.Fscanln": "rtǃ.Fscanln",
	"fmt.Scan": "rtǃ.Scan", "fmt.Scanf": "rtǃ.Scanf", "fmt.Scanln": "rtǃ.Scanln",
	"context.WithValue":     "rtǃ.WithValue",
	"encoding/json.Marshal": "rtǃ.MarshalJSON", "encoding/json.MarshalIndent": "rtǃ.MarshalIndent",
	"time.Now": "rtǃ.Now", "time.Since": "rtǃ.Since", "time.Until": "rtǃ.Until", "time.Sleep": "rtǃ.Sleep", "time.After": "rtǃ.After", "time.AfterFunc": "rtǃ.AfterFunc",
	"time.Tick": "rtǃ.Tick", "time.NewTimer": "rtǃ.NewTimer", "time.NewTicker": "rtǃ.NewTicker",
	"context.WithTimeout": "rtǃ.WithTimeout", "context.WithTimeoutCause": "rtǃ.WithTimeoutCause", "context.WithDeadline": "rtǃ.WithDeadline", "context.WithDeadlineCause": "rtǃ.WithDeadlineCause",
	"reflect.TypeOf": "rtǃ.ReflectType", "reflect.ValueOf": "rtǃ.ReflectValue",
	"strings.Repeat": "rtǃ.Repeat", "bytes.Repeat": "rtǃ.RepeatBytes",
	"bufio.NewReaderSize": "rtǃ.NewReaderSize", "bufio.NewWriterSize": "rtǃ.NewWriterSize", "container/ring.New": "rtǃ.NewRing", "math/rand.Perm": "rtǃ.Perm", "math/rand/v2.Perm": "rtǃ.Perm2",
	"reflect.MakeSlice": "rtǃ.MakeSlice", "reflect.MakeChan": "rtǃ.MakeChan",
	"os.OpenFile": "rtǃ.OpenFile", "os.NewFile": "rtǃ.NewFile", "os.FindProcess": "rtǃ.FindProcess", "os.Exit": "rtǃ.Exit", "log.Fatal": "rtǃ.Fatal", "log.Fatalln": "rtǃ.Fatal", "log.Fatalf": "rtǃ.Fatalf",
	"log.New": "rtǃ.NewLog", "log.Default": "rtǃ.Log", "log.SetOutput": "rtǃ.LogTo", "log.Printf": "rtǃ.Logf", "log.Print": "rtǃ.LogPrint", "log.SetFlags": "rtǃ.LogFlags",
	"log/slog.NewTextHandler": "rtǃ.NewTextLog", "log/slog.NewJSONHandler": "rtǃ.NewJSONLog",
	"log/slog.New": "rtǃ.NewSlog", "log/slog.Default": "rtǃ.Slog", "log/slog.SetDefault": "rtǃ.SetSlog",
	"flag.Parse": "rtǃ.ParseFlags", "flag.PrintDefaults": "rtǃ.PrintFlags", "flag.NewFlagSet": "rtǃ.NewFlags", "flag.TextVar": "rtǃ.TextVar", "flag.CommandLine": "rtǃ.Flags()", "flag.Usage": "rtǃ.Flags().Usage",
}

// defaults maps functions to the session's value whose methods stand for them: Go has one for the process.
var defaults = []struct {
	pkg, value string
	functions  *regexp.Regexp
}{
	{"math/rand", "rtǃ.Rand()", regexp.MustCompile(`^([^N]|N([^e]|$))`)}, // all but New...
	{"math/rand/v2", "rtǃ.Rand2()", regexp.MustCompile(`^([^N]|N([^e]|$))`)},
	{"log", "rtǃ.Log()", regexp.MustCompile(`^(Flags|Output|Panic.*|Prefix|Print.*|SetPrefix|Writer)$`)},
	{"log/slog", "rtǃ.Slog()", regexp.MustCompile(`^(Debug|Info|Warn|Error|Log|With)(Context|Attrs)?$`)},
	{"flag", "rtǃ.Flags()", regexp.MustCompile(`^(Arg|Args|Lookup|NArg|NFlag|Parsed|Set|Visit|VisitAll)$`)},
	{"flag", "rtǃ.NewFlag()", regexp.MustCompile(`^(.*Var|Bool|Duration|Float64|U?[Ii]nt(64)?|String|.*Func)$`)},
}

// guardedInterfaces are methods of interfaces like those in rt.GuardedMethods.
var guardedInterfaces = map[string]string{
	"(sync.Locker).Lock": "rtǃ.LockAny", "(sync.Locker).Unlock": "rtǃ.UnlockAny", "(io.Writer).Write": "rtǃ.WriteAny", "(io.StringWriter).WriteString": "rtǃ.WriteStringAny", "(io.Closer).Close": "rtǃ.CloseAny",
}

// rawArgs lists functions whose any arguments must be the bare value.
var rawArgs = map[string]bool{
	"sort.Slice": true, "sort.SliceStable": true, "sort.SliceIsSorted": true, "encoding/binary.Read": true, "encoding/binary.Write": true,
	"encoding/binary.Size": true,
}

// refused lists what a session cannot allow, with the reason.
var refused = map[string]string{
	"runtime.Goexit":             "runtime.Goexit would end the session's own goroutine",
	"runtime.Breakpoint":         "runtime.Breakpoint is not available in a cell: it would end the session",
	"runtime.LockOSThread":       "runtime.LockOSThread would take the thread on which the jobs of the session take turns",
	"runtime.UnlockOSThread":     "runtime.UnlockOSThread has nothing to undo: LockOSThread is not available in a cell",
	"runtime.SetFinalizer":       "runtime.SetFinalizer is not available in a cell: the runtime does not know its pointers",
	"runtime.AddCleanup":         "runtime.AddCleanup is not available in a cell: the runtime does not know its pointers",
	"runtime.Caller":             "runtime.Caller is not available in a cell: it would name lines of the interpreter",
	"runtime.Callers":            "runtime.Callers is not available in a cell: it would name lines of the interpreter",
	"runtime.Stack":              "runtime.Stack is not available in a cell: it would name lines of the interpreter",
	"runtime.FuncForPC":          "runtime.FuncForPC is not available in a cell: it would name functions of the interpreter",
	"runtime/debug.Stack":        "debug.Stack is not available in a cell: it would name lines of the interpreter",
	"runtime/debug.PrintStack":   "debug.PrintStack is not available in a cell: it would name lines of the interpreter",
	"os.StartProcess":            "os.StartProcess is not available in a cell",
	"log/slog.SetLogLoggerLevel": "slog.SetLogLoggerLevel is not available in a cell: slog.SetDefault sets a logger with a level",
}

// writesTo lists functions of os that change the file that an argument names: its position.
var writesTo = map[string][]int{
	"os.Create": {0}, "os.WriteFile": {0}, "os.CreateTemp": {0}, "os.MkdirTemp": {0}, "os.Mkdir": {0}, "os.MkdirAll": {0}, "os.Remove": {0},
	"os.RemoveAll": {0}, "os.Rename": {0, 1}, "os.Truncate": {0}, "os.Chmod": {0}, "os.Symlink": {0, 1}, "os.Link": {0, 1}, "os.Chdir": {0},
	"io/ioutil.WriteFile": {0}, "io/ioutil.TempFile": {0}, "io/ioutil.TempDir": {0},
	"os.Chown": {0}, "os.Lchown": {0}, "os.Chtimes": {0}, "os.CopyFS": {0}, "os.OpenRoot": {0},
}

// guarded checks the paths that a function writes to.
func guarded(full string, args []string) []string {
	check := "rtǃ.Path("
	if strings.Contains(full, "Temp") {
		check = "rtǃ.TempPath("
	}
	for _, i := range writesTo[full] {
		if i < len(args) {
			args[i] = check + args[i] + ")"
		}
	}
	return args
}

// noReflect lists functions that would show the user's types as yaegi's.
var noReflect = map[string]bool{"reflect.ValueOf": true}

// blind lists the packages that look into their arguments by reflection and would see the interpreter's types.
var blind = map[string]bool{"encoding/xml": true, "encoding/gob": true}

func fullName(o types.Object) string { return o.Pkg().Path() + "." + o.Name() }

// target is the text by which a compiled function is called.
func (e *emitter) target(at ast.Node, f *types.Func) string {
	full := fullName(f)
	if why := refused[full]; why != "" {
		return e.fail(at, "%s", why)
	}
	if r := replaced[full]; r != "" {
		return r
	}
	for _, d := range defaults {
		if d.pkg == f.Pkg().Path() && d.functions.MatchString(f.Name()) {
			return d.value + "." + f.Name()
		}
	}
	return e.l.alias(f.Pkg()) + "." + f.Name()
}

func (e *emitter) stdCall(c *ast.CallExpr, f *types.Func, sig *types.Signature) string {
	full := fullName(f)
	e.unseen(c, full)
	switch {
	case blind[f.Pkg().Path()] && e.anyUser(c):
		return e.fail(c, "package %s does not see the types of a cell", f.Pkg().Name())
	case full == "errors.As":
		return e.errorsAs(c)
	case full == "encoding/json.Unmarshal":
		return e.l.alias(f.Pkg()) + ".Unmarshal(" + e.expr(c.Args[0]) + ", " + e.jsonTarget(c.Args[1]) + ")"
	case noReflect[full] && e.l.needsBox(e.typeOf(c.Args[0])):
		return e.fail(c, "%s.%s does not see the types of a cell", f.Pkg().Name(), f.Name())
	case f.Pkg().Path() == "reflect" && full != "reflect.TypeOf":
		return e.target(c, f) + "(" + strings.Join(e.compiledTypes(c, sig, full), ", ") + ")"
	case rawArgs[full]:
		return e.target(c, f) + "(" + strings.Join(e.rawList(c, sig), ", ") + ")"
	case writesTo[full] != nil:
		return e.target(c, f) + "(" + strings.Join(guarded(full, e.args(c, sig, false)), ", ") + ")"
	}
	if args, ok := e.lookedInto(c, f, sig); ok {
		return e.target(c, f) + "(" + strings.Join(args, ", ") + ")"
	}
	return e.apply(c, sig, e.target(c, f), "", "", false)
}

// compiledTypes are the arguments of a function of package reflect that makes values, which it cannot of the types of cells.
func (e *emitter) compiledTypes(c *ast.CallExpr, sig *types.Signature, full string) []string {
	args := e.args(c, sig, false)
	for i := range min(len(args), sig.Params().Len()) {
		if types.TypeString(sig.Params().At(i).Type(), nil) == "reflect.Type" {
			args[i] = "rtǃ.CompiledType(" + quote(full) + ", " + args[i] + ")"
		}
	}
	return args
}

// rawList are the arguments without boxes.
func (e *emitter) rawList(c *ast.CallExpr, sig *types.Signature) []string {
	var r []string
	for i, a := range c.Args {
		var pt types.Type
		switch n := sig.Params().Len(); {
		case sig.Variadic() && i >= n-1:
			pt = nil
		default:
			pt = sig.Params().At(i).Type()
		}
		if pt != nil && (!isIface(pt) || pt.Underlying().(*types.Interface).NumMethods() > 0) {
			r = append(r, e.exprTo(a, pt))
			continue
		}
		v := e.value(a)
		if isIface(e.typeOf(a)) {
			v = "rtǃ.Unbox(" + v + ")"
		}
		r = append(r, v)
	}
	if c.Ellipsis.IsValid() {
		r[len(r)-1] += "..."
	}
	return r
}

// stdMethod handles methods of compiled types that need a policy.
func (e *emitter) stdMethod(c *ast.CallExpr, cl callee, sig *types.Signature) (string, bool) {
	if cl.f.Pkg() == nil {
		return "", false
	}
	full := fullName(cl.f)
	e.unseen(c, full)
	switch {
	case blind[cl.f.Pkg().Path()] && e.anyUser(c):
		e.fail(c, "package %s does not see the types of a cell", cl.f.Pkg().Name())
	case rawArgs[full]:
		return cl.text + "(" + strings.Join(e.rawList(c, sig), ", ") + ")", true
	}
	if args, ok := e.lookedInto(c, cl.f, sig); ok {
		return cl.text + "(" + strings.Join(args, ", ") + ")", true
	}
	return "", false
}

// anyUser reports whether an argument of c is of a type of the cells.
func (e *emitter) anyUser(c *ast.CallExpr) bool {
	for _, a := range c.Args {
		if e.l.needsBox(e.typeOf(a)) {
			return true
		}
	}
	return false
}

// holdsAny reports whether t points to an any or to a list of them, where pointers of the cells may be that one can decode into.
func holdsAny(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	t = p.Elem()
	if s, ok := t.(*types.Slice); ok {
		t = s.Elem()
	}
	return isIface(t)
}

// jsonTarget is a pointer to decode into.
func (e *emitter) jsonTarget(x ast.Expr) string {
	t := e.typeOf(x)
	if isIface(t) || holdsAny(t) {
		return "rtǃ.JSONInto(" + e.value(x) + ")"
	}
	if !e.l.needsBox(t) {
		return e.value(x)
	}
	e.descParts(t)
	return "rtǃ.JSONTarget(" + e.desc(t) + ", " + e.value(x) + ")"
}

func (e *emitter) errorsAs(c *ast.CallExpr) string {
	if isIface(e.typeOf(c.Args[1])) {
		return "rtǃ.AsAny(" + strings.Join(e.args(c, e.typeOf(c.Fun).Underlying().(*types.Signature), true), ", ") + ")"
	}
	p, ok := e.typeOf(c.Args[1]).Underlying().(*types.Pointer)
	if !ok {
		return e.fail(c, "the second argument of errors.As must be a pointer")
	}
	t := e.sub(p.Elem())
	if !isIface(t) && !e.l.needsBox(t) {
		return e.l.alias(e.l.stdPkg("errors", c, e)) + ".As(" + e.exprTo(c.Args[0], types.Universe.Lookup("error").Type()) + ", " + e.value(c.Args[1]) + ")"
	}
	h := e.l.helper(e, "errorsAs", t, func(n string) string {
		tt := e.typ(t)
		v := "v.(" + tt + ")"
		switch {
		case isIface(t):
			v = e.unboxed("v", t)
		case e.opaque(t):
			v = "v"
		}
		target := e.conv("p", types.NewPointer(t), types.NewInterfaceType(nil, nil), c)
		return fmt.Sprintf("func %s(e error, p *%s) bool { v, ok, set := rtǃ.As(e, %s, %s); if ok && !set { *p = %s }; return ok }\n", n, tt, e.desc(t), target, v)
	})
	return h + "(" + e.exprTo(c.Args[0], types.Universe.Lookup("error").Type()) + ", " + e.expr(c.Args[1]) + ")"
}

// stdPkg is the package that a selector of c names.
func (l *Lowerer) stdPkg(path string, c *ast.CallExpr, e *emitter) *types.Package {
	return e.info.Uses[identOf(c.Fun)].Pkg()
}
