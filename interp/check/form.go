// Forms: the overloads of a Java method have names of their own here, as in KeyBy, KeyByFields and KeyByPositions. A call
// that does not fit one of them may fit another.

package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

var (
	inCall      = regexp.MustCompile(`^in call to |^(?:not enough|too many) arguments in call to `)
	asArgument  = regexp.MustCompile(` as (\w+)(?:\[.*\])? value in argument to `)
	objectForms = map[string]string{ // what takes a function where the method takes an object
		"WindowedStream.Process": "Apply, without a context", "AllWindowedStream.Process": "Apply, without a context",
		"DataStream.SinkTo": "AddSinkFunc", "DataStream.AddSink": "AddSinkFunc",
	}
)

// mostMakers is how many names a hint lists.
const mostMakers = 4

// hintForm is for a call of the library whose arguments fit another method of the same family.
func (a *attempt) hintForm(te types.Error) (string, *replacement) {
	if a.c.lib == nil || !inCall.MatchString(te.Msg) && !strings.Contains(te.Msg, " value in argument to ") {
		return "", nil
	}
	call, sel := a.wrongCall(te)
	if call == nil {
		return "", nil
	}
	if form := a.otherForm(call, sel); form != "" {
		at := a.s.errorPos(sel.Sel.Pos(), sel.Sel.End(), "")
		return "did you mean " + form + "?", &replacement{at.Line, at.Col, at.EndCol, form}
	}
	if hint := a.hintAddress(te.Msg); hint != "" {
		return hint, nil
	}
	if made, arg := a.wrapped(call, te); made != "" {
		at := a.s.errorPos(arg.Pos(), arg.End(), "")
		return "did you mean " + made + "?", &replacement{at.Line, at.Col, at.EndCol, made}
	}
	if reason := a.misfit(call, sel, te); reason != "" {
		return reason, nil
	}
	return a.hintKind(call, sel), nil
}

// wrapped is the argument that the error is about as the argument of the function that makes what is wanted, if it fits.
func (a *attempt) wrapped(call *ast.CallExpr, te types.Error) (text string, at ast.Expr) {
	m := asArgument.FindStringSubmatch(a.c.plain(te.Msg))
	i := slices.IndexFunc(call.Args, func(x ast.Expr) bool { return x.Pos() == te.Pos })
	if m == nil || i < 0 {
		return "", nil
	}
	arg := call.Args[i]
	defer func() { call.Args[i] = arg }()
	for _, maker := range a.makers(m[1]) {
		name, isCall := strings.CutSuffix(maker, "(...)")
		f, ok := a.c.lib.Scope().Lookup(name).(*types.Func)
		if !isCall || !ok || f.Signature().Params().Len() != 1 || isDuration(f.Signature().Params().At(0).Type()) {
			continue // a bare number is no duration that anybody means
		}
		call.Args[i] = &ast.CallExpr{Fun: &ast.Ident{NamePos: arg.Pos(), Name: name}, Lparen: arg.Pos(), Args: []ast.Expr{arg}, Rparen: arg.End()}
		if a.fits(call) {
			return name + "(" + types.ExprString(arg) + ")", arg
		}
	}
	return "", nil
}

var port = regexp.MustCompile(`^cannot use (\d+) \(untyped int constant\) as SocketOption value`)

// hintAddress is for a port by itself.
func (a *attempt) hintAddress(msg string) string {
	if m := port.FindStringSubmatch(a.c.plain(msg)); m != nil {
		return fmt.Sprintf("the port belongs to the address, as in \"localhost:%s\"", m[1])
	}
	return ""
}

func isDuration(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Duration"
}

// hintKind is for a call whose arguments fit no form: it says which kind of argument there is a form for.
func (a *attempt) hintKind(call *ast.CallExpr, sel *ast.SelectorExpr) string {
	s := a.info.Selections[sel]
	if s == nil {
		return ""
	}
	f, ok := s.Obj().(*types.Func)
	if !ok || len(call.Args) == 0 || a.info.Types[call.Args[0]].Type == nil {
		return ""
	}
	name, arg := f.Name(), a.info.Types[call.Args[0]].Type
	_, isFunc := arg.Underlying().(*types.Signature)
	if form := objectForms[a.methodOf(sel)]; form != "" && isFunc {
		return name + " takes an object; for a function there is " + form
	}
	if rich := a.form(sel, func(m *types.Func) bool { return m.Name() == name+"Rich" }); rich != "" && !isFunc {
		return fmt.Sprintf("%s takes a function; for an object there is %s, see :doc %s", name, rich, rich)
	}
	n := f.Signature().Params().Len()
	if longer := a.form(sel, func(m *types.Func) bool { return required(m) == len(call.Args) }); longer != "" && n < len(call.Args) {
		return fmt.Sprintf("with %d arguments there is %s, see :doc %s", len(call.Args), longer, longer)
	}
	if n == 0 {
		return ""
	}
	want := libraryNamed(f.Signature().Params().At(0).Type())
	if is := libraryNamed(arg); want == nil || is != nil && is.Obj() == want.Obj() {
		return ""
	}
	if want.Obj().Name() == "KeyedStream" {
		return "key it, too: KeyBy gives a KeyedStream"
	}
	return a.madeBy(want.Obj().Name())
}

// required counts the arguments that f must have.
func required(f *types.Func) int {
	n := f.Signature().Params().Len()
	if f.Signature().Variadic() {
		n--
	}
	return n
}

// wrongCall is the innermost call of a library's method that the error is about.
func (a *attempt) wrongCall(te types.Error) (found *ast.CallExpr, callee *ast.SelectorExpr) {
	ast.Inspect(a.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || libraryNamed(a.info.Types[sel.X].Type) == nil {
			return true
		}
		named := calls(te.Msg, call) && call.Pos() <= te.Pos && te.Pos <= call.End()
		if named || call.Lparen < te.Pos && te.Pos <= call.Rparen {
			found, callee = call, sel
		}
		return true
	})
	return found, callee
}

// calls reports whether the message is about this call, and not about one that it is chained to.
func calls(msg string, call *ast.CallExpr) bool {
	if !inCall.MatchString(msg) {
		return false
	}
	rest, ok := strings.CutPrefix(inCall.ReplaceAllString(msg, ""), types.ExprString(call.Fun))
	return ok && (strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, "\n"))
}

// otherForm is the first method whose name begins with that of the called one and which takes the arguments.
func (a *attempt) otherForm(call *ast.CallExpr, sel *ast.SelectorExpr) string {
	name := sel.Sel.Name
	defer func() { sel.Sel.Name = name }()
	return a.form(sel, func(m *types.Func) bool {
		sel.Sel.Name = m.Name()
		return a.fits(call)
	})
}

// form is the first method that ok likes, of those whose name begins with that of sel.
func (a *attempt) form(sel *ast.SelectorExpr, ok func(*types.Func) bool) string {
	name := sel.Sel.Name
	for _, o := range a.c.members(a.info.Types[sel.X].Type) {
		m, isFunc := o.(*types.Func)
		if isFunc && m.Name() != name && strings.HasPrefix(m.Name(), name) && ok(m) {
			return m.Name()
		}
	}
	return ""
}

// fits reports whether x is right where it stands.
func (a *attempt) fits(x ast.Expr) bool {
	err := types.CheckExpr(a.c.fset, a.c.pkg, x.Pos(), x, newInfo())
	if err != nil && strings.Contains(err.Error(), "no position") { // behind the last declaration
		err = types.CheckExpr(a.c.fset, a.c.pkg, token.NoPos, x, newInfo())
	}
	return err == nil || strings.Contains(err.Error(), "declared and not used")
}

// methodOf names a method by the type that declares it.
func (a *attempt) methodOf(sel *ast.SelectorExpr) string {
	s := a.info.Selections[sel]
	if s == nil {
		return ""
	}
	f, ok := s.Obj().(*types.Func)
	if !ok {
		return ""
	}
	recv := libraryNamed(f.Signature().Recv().Type())
	if recv == nil {
		return ""
	}
	return recv.Obj().Name() + "." + f.Name()
}

// hintMaker is for an argument that must be of a type of the library, which functions of the library make.
func (a *attempt) hintMaker(te types.Error) string {
	m := asArgument.FindStringSubmatch(a.c.plain(te.Msg))
	if m == nil || a.c.lib == nil {
		return ""
	}
	return a.madeBy(m[1])
}

// madeBy names functions and constants of the library that are of one of its types: all when they are few.
func (a *attempt) madeBy(typ string) string {
	makers, write := a.makers(typ), "write "
	if len(makers) > mostMakers { // the usual ones have short names
		slices.SortStableFunc(makers, func(x, y string) int { return len(x) - len(y) })
		makers, write = makers[:mostMakers], "write for example "
	}
	switch last := len(makers) - 1; last {
	case -1:
		return ""
	case 0:
		return write + makers[0]
	default:
		return write + strings.Join(makers[:last], ", ") + " or " + makers[last]
	}
}

// makers lists the functions of the library that give a value of one of its types, as calls, and its constants.
func (a *attempt) makers(typ string) []string {
	var list []string
	for _, n := range exported(a.c.lib) {
		var t types.Type
		call := ""
		switch o := a.c.lib.Scope().Lookup(n).(type) {
		case *types.Const:
			t = o.Type()
		case *types.Func:
			if o.Signature().Results().Len() == 1 {
				t, call = o.Signature().Results().At(0).Type(), "(...)"
			}
		}
		if named := libraryNamed(t); named != nil && named.Obj().Name() == typ {
			list = append(list, n+call)
		}
	}
	return list
}
