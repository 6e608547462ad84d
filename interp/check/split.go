// Splitting: a cell is a run of chunks that go/parser can parse one by one.

package check

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strings"
)

// tok is one token of a cell. A semicolon that the scanner inserted has the literal "\n" and no width.
type tok struct {
	off, end int
	tok      token.Token
	lit      string
}

func (t tok) newline() bool { return t.tok == token.SEMICOLON && t.lit == "\n" }

// scan is a tokenised cell.
type scan struct {
	src   string
	toks  []tok
	errs  []scanError
	open  []tok // brackets that were not closed
	extra *tok  // the first bracket that closes nothing
}

type scanError struct {
	off int
	msg string
}

func scanSource(src string) *scan {
	s := &scan{src: src}
	f := token.NewFileSet().AddFile("", -1, len(src))
	var sc scanner.Scanner
	sc.Init(f, []byte(src), func(p token.Position, msg string) {
		s.errs = append(s.errs, scanError{p.Offset, msg})
	}, 0)
	for {
		p, t, lit := sc.Scan()
		if t == token.EOF {
			break
		}
		off := f.Offset(p)
		n := len(lit)
		switch {
		case t == token.SEMICOLON && lit == "\n":
			n = 0
		case n == 0 || t == token.SEMICOLON:
			n = len(t.String())
		}
		s.toks = append(s.toks, tok{off, min(off+n, len(src)), t, lit})
	}
	s.match()
	return s
}

// match pairs the brackets.
func (s *scan) match() {
	pair := map[token.Token]token.Token{token.RPAREN: token.LPAREN, token.RBRACK: token.LBRACK, token.RBRACE: token.LBRACE}
	for i, t := range s.toks {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			s.open = append(s.open, t)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			n := len(s.open)
			if n == 0 || s.open[n-1].tok != pair[t.tok] {
				s.extra = &s.toks[i]
				return
			}
			s.open = s.open[:n-1]
		}
	}
}

// last is the last token that is no inserted semicolon; nil: there is none.
func (s *scan) last() *tok {
	for i := len(s.toks) - 1; i >= 0; i-- {
		if !s.toks[i].newline() {
			return &s.toks[i]
		}
	}
	return nil
}

// Incomplete reports whether src needs more lines to be a cell: it has an open bracket, raw string or
// comment, ends in an operator, or is a program whose func main is still to come.
func Incomplete(src string) bool {
	s := scanSource(src)
	for _, e := range s.errs {
		switch e.msg {
		case "raw string literal not terminated", "comment not terminated":
			return true
		}
	}
	if len(s.errs) > 0 || s.extra != nil {
		return false
	}
	if len(s.open) > 0 {
		return true
	}
	last := s.last()
	if last == nil {
		return false
	}
	return wantsMore(last.tok) || s.toks[0].tok == token.PACKAGE && !s.hasMain()
}

// wantsMore reports whether a cell cannot end after t.
func wantsMore(t token.Token) bool {
	switch t {
	case token.INC, token.DEC, token.RPAREN, token.RBRACK, token.RBRACE, token.SEMICOLON, token.ILLEGAL:
		return false
	case token.BREAK, token.CONTINUE, token.FALLTHROUGH, token.RETURN:
		return false
	}
	return t.IsOperator() || t.IsKeyword()
}

func (s *scan) hasMain() bool {
	depth := 0
	for i, t := range s.toks {
		switch t.tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		case token.FUNC:
			if depth == 0 && i+1 < len(s.toks) && s.toks[i+1].lit == "main" {
				return true
			}
		}
	}
	return false
}

// chunk is one top-level piece of a cell with its place in it.
type chunk struct {
	text      string
	line, col int
	endLine   int
	decl      bool        // import, const, type, func
	keyword   token.Token // the first token
}

// chunks cuts the cell at the semicolons of depth 0 that are not part of a for, if or switch header.
// file is the name that positions carry.
func (s *scan) chunks(file string) []chunk {
	var out []chunk
	depth, start := 0, 0
	header := false
	for i, t := range s.toks {
		switch t.tok {
		case token.FOR, token.IF, token.SWITCH:
			header = header || depth == 0
		case token.LBRACE:
			if depth == 0 && header && !s.literalBrace(i) {
				header = false
			}
			depth++
		case token.LPAREN, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		case token.SEMICOLON:
			// A newline ends even a header that lacks its block: go/parser then says so.
			if depth <= 0 && (!header || t.newline()) && !s.leadingDot(i) {
				out = s.cut(out, start, i, file)
				start, header = i+1, false
			}
		}
	}
	return s.cut(out, start, len(s.toks), file)
}

// leadingDot reports whether token i is a newline before a line that goes on with a dot. The dot of an import stands before
// a path.
func (s *scan) leadingDot(i int) bool {
	if !s.toks[i].newline() || i+1 >= len(s.toks) || s.toks[i+1].tok != token.PERIOD {
		return false
	}
	return i+2 >= len(s.toks) || s.toks[i+2].tok != token.STRING
}

// literalBrace reports whether the brace at i, met in a statement header, opens a composite literal such
// as []T{ or map[K]V{ and not the block.
func (s *scan) literalBrace(i int) bool {
	j := i - 1
	for ; j >= 0; j-- {
		switch s.toks[j].tok {
		case token.IDENT, token.PERIOD, token.MUL:
			continue
		case token.STRUCT:
			return true
		}
		break
	}
	if j < 0 || s.toks[j].tok != token.RBRACK {
		return false
	}
	for depth := 0; j >= 0; j-- {
		switch s.toks[j].tok {
		case token.RBRACK:
			depth++
		case token.LBRACK:
			depth--
		}
		if depth == 0 {
			break
		}
	}
	if j < 1 {
		return false
	}
	switch s.toks[j-1].tok { // an index needs an operand before its bracket
	case token.IDENT, token.RPAREN, token.RBRACK, token.RBRACE, token.STRING:
		return false
	}
	return true
}

// cut appends the chunk of tokens [from, to).
func (s *scan) cut(out []chunk, from, to int, file string) []chunk {
	ts := s.toks[from:to]
	if len(ts) == 0 {
		return out
	}
	var b strings.Builder
	a, z := ts[0].off, ts[len(ts)-1].end
	pos := a
	for i, t := range ts { // a leading-dot chain: drop the newline, keep the positions
		if i+1 < len(ts) && s.leadingDot(from+i) {
			l, c := lineCol(s.src, ts[i+1].off)
			fmt.Fprintf(&b, "%s /*line %s:%d:%d*/", s.src[pos:t.off], file, l, c)
			pos = ts[i+1].off
		}
	}
	b.WriteString(s.src[pos:z])
	c := chunk{text: b.String(), decl: isDecl(ts), keyword: ts[0].tok}
	c.line, c.col = lineCol(s.src, a)
	c.endLine, _ = lineCol(s.src, z)
	return append(out, c)
}

// isDecl reports whether a chunk is an import, const, type or func declaration. Variables are parsed as
// statements.
func isDecl(ts []tok) bool {
	switch ts[0].tok {
	case token.IMPORT, token.CONST, token.TYPE, token.PACKAGE:
		return true
	case token.FUNC:
	default:
		return false
	}
	if len(ts) > 1 && ts[1].tok == token.IDENT {
		return true
	}
	depth := 0
	for i := 1; i < len(ts); i++ { // func (r T) name( or name[: a method, no literal
		switch ts[i].tok {
		case token.LPAREN:
			depth++
		case token.RPAREN:
			depth--
		}
		if depth == 0 {
			return i+2 < len(ts) && ts[i+1].tok == token.IDENT && (ts[i+2].tok == token.LPAREN || ts[i+2].tok == token.LBRACK)
		}
	}
	return false
}

// lineCol turns a byte offset into a line and a column in bytes, both from 1.
func lineCol(src string, off int) (int, int) {
	return 1 + strings.Count(src[:off], "\n"), off - strings.LastIndex(src[:off], "\n")
}

// program reports whether the cell is a whole program: it has a package clause.
func (s *scan) program() bool { return len(s.toks) > 0 && s.toks[0].tok == token.PACKAGE }
