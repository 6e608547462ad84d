// Parsing: chunks become items with positions in the cell.

package check

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// source is the cell being checked.
type source struct {
	name   string
	number int
	src    string
	file   string // the file name of its positions
	fset   *token.FileSet
	texts  map[*token.File]string // what was parsed, for the text of a node
}

// newSource names the file of a cell "cellN"; lowering and run-time errors use that name too.
func newSource(fset *token.FileSet, name string, number int, src string) *source {
	return &source{name, number, src, fmt.Sprintf("cell%d", number), fset, map[*token.File]string{}}
}

// parse turns the cell into items. In lenient mode it keeps what it could parse and reports nothing.
func (s *source) parse(lenient bool) ([]*Item, *Error) {
	sc := scanSource(s.src)
	if e := s.scanErrors(sc); e != nil && !lenient {
		return nil, e
	}
	if e := s.directive(); e != nil && !lenient {
		return nil, e
	}
	var items []*Item
	for i, c := range sc.chunks(s.file) {
		if e := s.misplaced(c, i == 0, sc.program()); e != nil && !lenient {
			return nil, e
		}
		its, err := s.parseChunk(c)
		if err != nil && !lenient {
			return nil, err
		}
		for _, it := range its {
			if fd, ok := it.Decl.(*ast.FuncDecl); ok && fd.Body == nil && !lenient {
				return nil, s.bodiless(fd)
			}
		}
		items = append(items, its...)
	}
	return items, nil
}

// misplaced is the error of a chunk that cannot stand where it does: a program has declarations only.
func (s *source) misplaced(c chunk, first, program bool) *Error {
	msg := "non-declaration statement outside function body"
	clause := c.keyword == token.PACKAGE
	switch {
	case clause && first, !clause && (!program || c.decl || c.keyword == token.VAR):
		return nil
	case clause && !program:
		msg = "package statement must be first"
	}
	e := s.errorAt(c.line, c.col, c.col+len(c.keyword.String()), "syntax error: "+msg)
	e.Kind = SyntaxError
	return e.syntaxHint()
}

// bodiless is the error of a function that ends with its line.
func (s *source) bodiless(fd *ast.FuncDecl) *Error {
	e := s.errorPos(fd.Name.Pos(), fd.Name.End(), "syntax error: function "+fd.Name.Name+" has no body")
	e.Kind = SyntaxError
	return e.syntaxHint()
}

// scanErrors reports what go/parser would explain badly: bad tokens and brackets that do not match.
func (s *source) scanErrors(sc *scan) *Error {
	if len(sc.errs) > 0 {
		return s.syntax(sc.errs[0].off, sc.errs[0].off+1, sc.errs[0].msg)
	}
	if t := sc.extra; t != nil {
		msg := fmt.Sprintf("unexpected %s", t.tok)
		e := s.syntax(t.off, t.end, msg+" closes nothing")
		if n := len(sc.open); n > 0 {
			l, c := lineCol(s.src, sc.open[n-1].off)
			e = s.syntax(t.off, t.end, fmt.Sprintf("%s: the %s of %d:%d is still open", msg, sc.open[n-1].tok, l, c))
		}
		return e
	}
	if n := len(sc.open); n > 0 {
		t := sc.open[n-1]
		return s.syntax(t.off, t.end, fmt.Sprintf("this %s is never closed", t.tok))
	}
	return nil
}

func (s *source) syntax(from, to int, msg string) *Error {
	l, c := lineCol(s.src, from)
	e := s.errorAt(l, c, c+max(1, to-from), msg)
	e.Kind = SyntaxError
	e.Msg = "syntax error: " + msg
	return e.syntaxHint()
}

func (s *source) errorAt(line, col, end int, msg string) *Error {
	return &Error{Cell: s.name, Number: s.number, Line: line, Col: col, EndCol: max(col+1, end), Kind: TypeError, Msg: msg, Source: s.line(line)}
}

// errorPos is an error at positions of the file set; positions outside of the cell become its begin.
func (s *source) errorPos(pos, end token.Pos, msg string) *Error {
	p := s.fset.Position(pos)
	if p.Filename != s.file {
		return s.errorAt(1, 1, 2, msg)
	}
	to := p.Column + 1
	if q := s.fset.Position(end); end.IsValid() && q.Filename == s.file {
		if to = q.Column; q.Line > p.Line {
			to = len(s.line(p.Line)) + 1
		}
	}
	return s.errorAt(p.Line, p.Column, to, msg)
}

// line is the text of line n, from 1.
func (s *source) line(n int) string {
	lines := strings.Split(s.src, "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSuffix(lines[n-1], "\r")
}

const parseMode = parser.SkipObjectResolution | parser.AllErrors

func (s *source) parseChunk(c chunk) ([]*Item, *Error) {
	at := fmt.Sprintf("/*line %s:%d:%d*/", s.file, c.line, c.col)
	text := "package main; func _() {" + at + c.text + "\n}"
	switch {
	case strings.HasPrefix(c.text, "package"):
		text = at + c.text
	case c.decl:
		text = "package main;" + at + c.text
	}
	f, err := parser.ParseFile(s.fset, s.file, text, parseMode)
	if f != nil {
		s.texts[s.fset.File(f.FileStart)] = text
	}
	var items []*Item
	switch {
	case f == nil:
	case c.decl:
		for _, d := range f.Decls {
			items = append(items, declItems(d)...)
		}
	case len(f.Decls) > 0:
		if fd, ok := f.Decls[0].(*ast.FuncDecl); ok && fd.Body != nil {
			for _, st := range fd.Body.List {
				items = append(items, stmtItems(st)...)
			}
		}
	}
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return items, s.parseError(list, c)
	}
	return items, nil
}

// parseError words the first error of the parser for a cell.
func (s *source) parseError(list scanner.ErrorList, c chunk) *Error {
	e := list[0]
	line, col, msg := e.Pos.Line, e.Pos.Column, e.Msg
	if line > c.endLine || strings.HasSuffix(msg, "found 'EOF'") { // met the brace that we added
		line = c.endLine
		col = len(strings.TrimRight(s.line(line), " \t")) + 1
		if line == c.line { // other chunks may follow on the line
			col = min(col, c.col+len(c.text))
		}
		if i := strings.Index(msg, ", found "); i >= 0 {
			msg = msg[:i] + ", found the end of the statement"
		}
	}
	r := s.errorAt(line, col, col+1, "syntax error: "+msg)
	r.Kind, r.More = SyntaxError, 0
	return r.syntaxHint()
}

func declItems(d ast.Decl) []*Item {
	if fd, ok := d.(*ast.FuncDecl); ok {
		return []*Item{{Kind: FuncItem, Decl: fd}}
	}
	g, ok := d.(*ast.GenDecl)
	if !ok {
		return nil
	}
	switch g.Tok {
	case token.IMPORT:
		return []*Item{{Kind: ImportItem, Decl: g}}
	case token.TYPE:
		return []*Item{{Kind: TypeItem, Decl: g}}
	case token.CONST:
		return []*Item{{Kind: ConstItem, Decl: g}}
	}
	var items []*Item
	for _, sp := range g.Specs {
		if vs, ok := sp.(*ast.ValueSpec); ok {
			items = append(items, &Item{Kind: VarItem, Spec: vs})
		}
	}
	return items
}

func stmtItems(st ast.Stmt) []*Item {
	switch st := st.(type) {
	case *ast.EmptyStmt:
		return nil
	case *ast.DeclStmt:
		return declItems(st.Decl)
	case *ast.AssignStmt:
		if st.Tok == token.DEFINE {
			if vs := defineSpec(st); vs != nil {
				return []*Item{{Kind: VarItem, Spec: vs}}
			}
		}
	}
	return []*Item{{Kind: StmtItem, Stmt: st}}
}

// defineSpec is x, y := f() as a variable declaration; nil when go/types should refuse it as it stands.
func defineSpec(a *ast.AssignStmt) *ast.ValueSpec {
	vs := &ast.ValueSpec{Values: a.Rhs}
	named := false
	for _, l := range a.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			return nil
		}
		named = named || id.Name != "_"
		vs.Names = append(vs.Names, id)
	}
	if !named {
		return nil
	}
	return vs
}

// text is the source of a node as it was parsed.
func (s *source) text(n ast.Node) string {
	f := s.fset.File(n.Pos())
	t, ok := s.texts[f]
	if !ok {
		return ""
	}
	from, to := f.Offset(n.Pos()), f.Offset(n.End())
	return t[from:min(to, len(t))]
}
