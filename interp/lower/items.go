// The items of a sub-cell: the statements and the value that it shows.

package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"flinkish/interp/check"
)

// items emits the statements and expressions of a sub-cell.
func (l *Lowerer) items(sub *check.Sub, show *check.Show, main *types.Func, p *Program) {
	an := analyseItems(sub, l.info, l.pkg)
	e := l.newEmitter(l.info, an, nil, nil)
	e.fn = &fnCtx{top: true}
	e.trace("the cell", p.Entry)
	code := &l.out.code
	if deferring(sub) {
		e.fn.defers = e.tmp("d")
		e.fn.synth = []local{{name: e.fn.defers, typ: "*rtǃ.Defers"}}
		defer func() {
			text := code.String()
			code.Reset()
			code.WriteString("rtǃ.WithDefers(" + e.maker("func("+e.fn.defers+" *rtǃ.Defers)", text, nil) + ")\n")
		}()
	}
	for _, it := range sub.Items {
		switch it.Kind {
		case check.VarItem:
			l.out.code.WriteString(e.checked(e.varItem(it)))
		case check.StmtItem:
			if x, ok := it.Stmt.(*ast.ExprStmt); ok && show != nil && show.Expr == x.X {
				l.out.code.WriteString(e.checked(e.show(x.X, show)))
				p.Shown = show.Types
				continue
			}
			l.out.code.WriteString(e.checked(e.stmt(it.Stmt, "")))
		}
	}
	for _, it := range sub.Items {
		if fd, ok := it.Decl.(*ast.FuncDecl); ok && it.Kind == check.FuncItem && fd.Recv == nil && fd.Name.Name == "init" {
			l.out.code.WriteString(l.instance(nil, it.Func.Origin(), nil).name + "()\n")
		}
	}
	if main != nil {
		in := l.instance(nil, main.Origin(), nil)
		l.out.code.WriteString(in.name + "()\n")
	}
}

// deferring reports whether a statement of the cell itself defers.
func deferring(sub *check.Sub) bool {
	for _, it := range sub.Items {
		if it.Kind == check.StmtItem && hasDefer(it.Stmt) {
			return true
		}
	}
	return false
}

// show hands the values of the last expression to the session.
func (e *emitter) show(x ast.Expr, show *check.Show) string {
	at := e.mark(x)
	for _, t := range show.Types {
		e.descParts(t)
	}
	if len(show.Types) == 1 {
		return at + "rtǃ.Out(" + e.value(x) + ")\n"
	}
	vs := e.temps(len(show.Types), "o")
	return "{\n" + at + strings.Join(vs, ", ") + " := " + e.multi(x) + "\nrtǃ.Out(" + strings.Join(vs, ", ") + ")\n}\n"
}

func (l *Lowerer) text(p *Program) string {
	var b strings.Builder
	b.WriteString("package main\n")
	for _, path := range l.out.imports {
		fmt.Fprintf(&b, "import %s %q\n", l.imports[path], path)
	}
	b.WriteString(l.out.decls.String())
	l.call(&b, &p.Init, l.out.inits.String())
	code := l.out.code.String()
	if code != "" {
		code = begin(code, false) + code
	}
	l.call(&b, &p.Entry, code)
	return b.String()
}

// alias is the name under which the session's texts import p: yaegi takes each import once.
func (l *Lowerer) alias(p *types.Package) string { return l.aliasPath(p.Path()) }

func (l *Lowerer) aliasPath(path string) string {
	a, ok := l.imports[path]
	if !ok {
		a = strings.NewReplacer("/", "_", "-", "_", ".", "_").Replace(path) + "ǃ"
		l.imports[path] = a
		l.out.imports = append(l.out.imports, path)
	}
	return a
}
