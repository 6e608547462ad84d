package differential

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"sort"
	"strings"
	"testing"
	"time"
)

var toReduce = flag.String("reduce", "", "a file with a program that prints something else as cells: make it smaller")

// candidates is how many programs are compared at a time.
const candidates = 60

// An edit replaces a part of a program.
type edit struct {
	from, to int
	text     string
}

func (e edit) apply(src string) string { return src[:e.from] + e.text + src[e.to:] }

// TestReduce makes a program that differs smaller as long as it differs, and prints what is left.
func TestReduce(t *testing.T) {
	if *toReduce == "" {
		t.Skip("needs a program: -reduce FILE")
	}
	b, err := os.ReadFile(*toReduce)
	if err != nil {
		t.Fatal(err)
	}
	src := string(b)
	limit = time.Second
	for {
		smaller := reduceOnce(t, src)
		if smaller == src {
			break
		}
		src = smaller
		fmt.Fprintf(os.Stderr, "%d bytes\n", len(src))
	}
	fmt.Print(src)
}

// reduceOnce tries all edits and applies as many of those that keep the difference as go together.
func reduceOnce(t *testing.T, src string) string {
	var good []edit
	for rest := edits(src); len(rest) > 0 && len(good) == 0; {
		var ps []string
		var es []edit
		for len(rest) > 0 && len(ps) < candidates {
			if text := rest[0].apply(src); valid(text) {
				ps, es = append(ps, text), append(es, rest[0])
			}
			rest = rest[1:]
		}
		for i, d := range differing(t, ps) {
			if d {
				good = append(good, es[i])
			}
		}
	}
	if len(good) == 0 {
		return src
	}
	var merged []edit
	for _, e := range good {
		free := true
		for _, m := range merged {
			free = free && (e.to <= m.from || e.from >= m.to)
		}
		if free {
			merged = append(merged, e)
		}
	}
	for n := len(merged); n > 1; n /= 2 {
		part := append([]edit{}, merged[:n]...)
		sort.Slice(part, func(i, j int) bool { return part[i].from > part[j].from })
		text := src
		for _, e := range part {
			text = e.apply(text)
		}
		if valid(text) && differing(t, []string{text})[0] {
			return text
		}
	}
	return good[0].apply(src)
}

// differing tells of each variant of a random program whether it prints something else as cells.
func differing(t *testing.T, srcs []string) []bool {
	var texts, calls []string
	for i, src := range srcs {
		old := prefixed.FindString(src)
		text := strings.ReplaceAll(src[len(helpers):strings.LastIndex(src, "func main()")], old, fmt.Sprintf("C%dx", i))
		texts, calls = append(texts, text), append(calls, fmt.Sprintf("C%dxMain", i))
	}
	r := make([]bool, len(srcs))
	for i, want := range nativeTexts(t, texts, calls) {
		got, err := runCells(forms[0].cells(srcs[i]))
		r[i] = err != nil || got != strings.ReplaceAll(want, fmt.Sprintf("C%dx", i), prefixed.FindString(srcs[i]))
	}
	return r
}

// prefixed finds what the names of a random program begin with.
var prefixed = regexp.MustCompile(`\bR\d+`)

func valid(src string) bool {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", "package main\nimport (\"errors\"; \"fmt\"; \"strings\")\nvar _, _, _ = fmt.Sprint, errors.Is, strings.Cut\n"+src, 0)
	if err != nil {
		return false
	}
	conf := types.Config{Importer: importer}
	p, err := conf.Check("main", fset, []*ast.File{f}, nil)
	return err == nil && strings.HasPrefix(src, helpers) && p.Scope().Lookup("main") != nil && strings.Contains(src, "Main() {\n")
}

// edits lists what may be taken from a program, the largest pieces first.
func edits(src string) []edit {
	const clause = "package main\n"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", clause+src, 0)
	if err != nil {
		return nil
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset - len(clause) }
	var r []edit
	cut := func(from, to token.Pos, text string) { r = append(r, edit{at(from), at(to), text}) }
	list := func(l []ast.Stmt) {
		for n := len(l); n > 0; n /= 2 {
			for i := 0; i+n <= len(l); i += n {
				cut(l[i].Pos(), l[i+n-1].End(), "")
			}
		}
	}
	for _, d := range f.Decls {
		cut(d.Pos(), d.End(), "")
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			list(n.List)
		case *ast.CaseClause:
			list(n.Body)
			if len(n.List) > 0 {
				cut(n.Pos(), n.End(), "")
			}
		case *ast.IfStmt:
			cut(n.Pos(), n.End(), src[at(n.Body.Pos()):at(n.Body.End())])
			if n.Else != nil {
				cut(n.Body.End(), n.Else.End(), "")
				cut(n.Pos(), n.End(), src[at(n.Else.Pos()):at(n.Else.End())])
			}
		case *ast.ForStmt:
			cut(n.Pos(), n.End(), src[at(n.Body.Pos()):at(n.Body.End())])
		case *ast.RangeStmt:
			cut(n.Pos(), n.End(), src[at(n.Body.Pos()):at(n.Body.End())])
		case *ast.BinaryExpr:
			cut(n.Pos(), n.X.Pos(), "")
			cut(n.X.End(), n.End(), "")
			cut(n.Pos(), n.Y.Pos(), "")
		case *ast.ParenExpr:
			cut(n.Pos(), n.End(), src[at(n.X.Pos()):at(n.X.End())])
		case *ast.CallExpr:
			for _, a := range n.Args {
				cut(n.Pos(), n.End(), src[at(a.Pos()):at(a.End())])
				if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "show" && len(n.Args) > 1 {
					cut(n.Args[0].End(), n.Args[len(n.Args)-1].End(), "")
					cut(n.Args[0].Pos(), n.Args[1].Pos(), "")
				}
			}
			if lit, ok := n.Fun.(*ast.FuncLit); ok && len(n.Args) == 0 {
				cut(n.Pos(), n.End(), src[at(lit.Body.Pos()):at(lit.Body.End())])
			}
		case *ast.Field:
			if len(n.Names) > 0 {
				cut(n.Pos(), n.End(), "")
			}
		}
		if x, ok := n.(ast.Expr); ok {
			if _, lit := n.(*ast.BasicLit); !lit {
				cut(x.Pos(), x.End(), "1")
				cut(x.Pos(), x.End(), "\"a\"")
				cut(x.Pos(), x.End(), "true")
			}
		}
		return true
	})
	var some []edit
	for _, e := range r {
		if e.from >= 0 && e.from < e.to && len(e.text) < e.to-e.from {
			some = append(some, e)
		}
	}
	sort.SliceStable(some, func(i, j int) bool {
		return some[i].to-some[i].from-len(some[i].text) > some[j].to-some[j].from-len(some[j].text)
	})
	return some
}
