// Which functions of the standard library may be called directly: those that neither know the session nor call
// back.

package closure

import (
	"fmt"
	"go/ast"
	"go/types"
)

// packages lists the packages whose functions are called as they are.
var packages = map[string]bool{
	"strings": true, "strconv": true, "math": true, "math/bits": true, "unicode": true, "unicode/utf8": true, "regexp": true,
	"bytes": true, "time": true, "path": true, "html": true, "errors": true,
}

// session lists what the session replaces, by name: clocks, and requests for memory that it bounds.
var session = map[string]bool{
	"Now": true, "Since": true, "Until": true, "Sleep": true, "After": true, "AfterFunc": true, "Tick": true, "NewTimer": true,
	"NewTicker": true, "Repeat": true, "Grow": true, "As": true,
}

// Pure reports whether compiled functions may call f.
func Pure(f *types.Func) bool {
	if f.Pkg() == nil {
		return false
	}
	if f.Pkg().Path() == "fmt" {
		return f.Name() == "Sprintf" || f.Name() == "Sprint"
	}
	return packages[f.Pkg().Path()] && !session[f.Name()]
}

// sprint is fmt.Sprintf or fmt.Sprint of values whose types fmt sees as the user does.
func (c *compiler) sprint(x *ast.CallExpr, name string) called {
	args := x.Args
	var format func(*frame) string
	if name == "Sprintf" {
		format, args = c.exprTo(args[0], types.Typ[types.String]).s, args[1:]
	}
	var gs []func(*frame) any
	for _, a := range args {
		gs = append(gs, c.plain(a))
	}
	r := value{typ: types.Typ[types.String], k: kString, s: func(f *frame) string {
		var how string
		if format != nil {
			how = format(f)
		}
		list := make([]any, len(gs))
		for i, g := range gs {
			list[i] = g(f)
		}
		if format == nil {
			return fmt.Sprint(list...)
		}
		return fmt.Sprintf(how, list...)
	}}
	return called{results: []value{r}}
}

// plain is x as an any that others see as the user does: of a basic type, or a number of package time.
func (c *compiler) plain(x ast.Expr) func(*frame) any {
	t := types.Default(c.typeOf(x))
	n, named := t.(*types.Named)
	if kindOf(t) == kMem || named && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() != "time" {
		c.refuse("a %s as an any", t)
	}
	return c.boxed(c.exprTo(x, t))
}

// Known reports whether compiled functions may hold values of the types of a package.
func Known(p *types.Package) bool { return packages[p.Path()] }
