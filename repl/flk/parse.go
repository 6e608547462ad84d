package flk

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"flinkish/interp/spell"
)

// parser goes over a document line by line.
type parser struct {
	doc   *Document
	lines []string // with their ends
	at    int      // index of the next line
	prose strings.Builder
	start int // line where the prose began, from 1
	errs  ErrorList

	cells int               // so far
	last  *Block            // the cell above
	names map[string]*Block // cells by name
}

// Parse reads a document. path is used in errors only. The error is an ErrorList with everything that is wrong.
func Parse(path, text string) (*Document, error) {
	p := &parser{
		doc:   &Document{Path: path, Header: defaultHeader()},
		lines: strings.SplitAfter(text, "\n"),
		start: 1,
		names: map[string]*Block{},
	}
	if p.lines[len(p.lines)-1] == "" {
		p.lines = p.lines[:len(p.lines)-1]
	}
	if !p.checkText(text) {
		return nil, p.errs
	}
	p.header()
	for p.at < len(p.lines) {
		p.block()
	}
	p.flush()
	if len(p.errs) > 0 {
		return nil, p.errs
	}
	return p.doc, nil
}

func (p *parser) fail(line, col int, hint, format string, args ...any) {
	p.errs = append(p.errs, &SyntaxError{p.doc.Path, line, col, fmt.Sprintf(format, args...), hint})
}

// checkText refuses what cannot be text: everything after it may count on valid UTF-8.
func (p *parser) checkText(text string) bool {
	if utf8.ValidString(text) && !strings.Contains(text, "\x00") {
		return true
	}
	for i, l := range p.lines {
		for j := 0; j < len(l); {
			r, n := utf8.DecodeRuneInString(l[j:])
			if r == 0 || r == utf8.RuneError && n == 1 {
				p.fail(i+1, j+1, "save the file as UTF-8", "not UTF-8 text")
				return false
			}
			j += n
		}
	}
	return false
}

// take moves the next line to the prose.
func (p *parser) take() {
	if p.prose.Len() == 0 {
		p.start = p.at + 1
	}
	p.prose.WriteString(p.lines[p.at])
	p.at++
}

// flush makes a block of the prose so far.
func (p *parser) flush() {
	if p.prose.Len() > 0 {
		p.doc.Blocks = append(p.doc.Blocks, &Block{Kind: Prose, Raw: p.prose.String(), Line: p.start})
		p.prose.Reset()
	}
}

// block reads one fenced block, one comment or one line of prose.
func (p *parser) block() {
	line := p.lines[p.at]
	f, info, ok := openFence(line)
	switch {
	case ok:
		p.fenced(f, info)
	case strings.HasPrefix(strings.TrimLeft(line, " "), "<!--"):
		p.comment()
	default:
		p.take()
	}
}

// comment passes over an HTML comment, so that a cell in it does not run.
func (p *parser) comment() {
	rest := strings.SplitN(p.lines[p.at], "<!--", 2)[1]
	p.take()
	for !strings.Contains(rest, "-->") && p.at < len(p.lines) {
		rest = p.lines[p.at]
		p.take()
	}
}

// openFence reads the opening line of a fenced block: its form, and the text after the fence.
func openFence(line string) (f fence, info string, ok bool) {
	rest := strings.TrimLeft(line, " ")
	f.indent = len(line) - len(rest)
	if f.indent > 3 || rest == "" || rest[0] != '`' && rest[0] != '~' {
		return f, "", false
	}
	f.char = rest[0]
	f.n = len(rest) - len(strings.TrimLeft(rest, string(f.char)))
	info = strings.TrimRight(rest[f.n:], "\r\n")
	if f.n < 3 || f.char == '`' && strings.Contains(info, "`") {
		return f, "", false
	}
	f.open, f.eol = line, "\n"
	if strings.HasSuffix(line, "\r\n") {
		f.eol = "\r\n"
	}
	return f, info, true
}

// closes reports whether the line ends the block.
func (f *fence) closes(line string) bool {
	line = strings.TrimRight(line, "\r\n")
	rest := strings.TrimLeft(line, " ")
	return len(line)-len(rest) <= 3 && closing(rest, f.char) >= f.n
}

// fenced reads a block from its opening fence on.
func (p *parser) fenced(f fence, info string) {
	line := p.at + 1
	kind := p.kindOf(line, f, info)
	from, to := p.at, p.at+1
	for to < len(p.lines) && !f.closes(p.lines[to]) {
		to++
	}
	if to == len(p.lines) {
		if kind != Prose {
			p.fail(line, f.indent+1, "end it with "+strings.Repeat(string(f.char), f.n)+" on a line of its own",
				"this %s block is never closed", kind)
		}
		for p.at < len(p.lines) {
			p.take()
		}
		return
	}
	if kind == Prose {
		for p.at <= to {
			p.take()
		}
		return
	}
	p.flush()
	f.close = p.lines[to]
	b := &Block{Kind: kind, Line: line, Raw: strings.Join(p.lines[from:to+1], ""), fence: f}
	var body strings.Builder
	for _, l := range p.lines[from+1 : to] {
		body.WriteString(strings.TrimRight(dedent(l, f.indent), "\r\n") + "\n")
	}
	b.Body = body.String()
	p.at = to + 1
	p.attributes(b, info)
	p.place(b)
	p.doc.Blocks = append(p.doc.Blocks, b)
}

// dedent removes up to n blanks.
func dedent(l string, n int) string {
	for n > 0 && strings.HasPrefix(l, " ") {
		l, n = l[1:], n-1
	}
	return l
}

// fenceWords are the words that mean something, as hints list them.
var fenceWords = []string{"go", "flk", "out", "error", "keys", "screen", "file"}

// word is the first word of the text after a fence.
func word(info string) string {
	info = strings.TrimLeft(info, " \t")
	if i := strings.IndexAny(info, " \t{"); i >= 0 {
		return info[:i]
	}
	return info
}

// kindOf is what the word of a fence means. Other words are prose, but one that is nearly ours and has attributes is
// a slip: as prose its cell would silently not run.
func (p *parser) kindOf(line int, f fence, info string) Kind {
	w := word(info)
	for k, name := range kindWords {
		if name == w {
			return k
		}
	}
	near := spell.Nearest(w, fenceWords)
	if w != "" && near != "" && strings.Contains(info, "{") {
		col := strings.Index(f.open, w) + 1
		p.fail(line, col, suggest(w, "the fences are", fenceWords), "unknown fence %q with attributes", w)
	}
	return Prose
}

// place numbers a cell, and ties an expectation to its cell.
func (p *parser) place(b *Block) {
	switch {
	case b.IsCell():
		p.cells++
		b.Number = p.cells
		p.last = b
		if b.Name == "" {
			return
		}
		if o := p.names[b.Name]; o != nil {
			p.fail(b.Line, 1, "names of cells are unique in a document", "cell %q is also at line %d", b.Name, o.Line)
		}
		p.names[b.Name] = b
	case b.IsExpectation():
		b.Of = p.last
		if b.For != "" {
			if b.Of = p.names[b.For]; b.Of == nil {
				p.fail(b.Line, 1, "for= names a cell above by its #name", "no cell %q above", b.For)
			}
			return
		}
		if b.Of == nil {
			p.fail(b.Line, 1, "put it below the cell whose output it expects", "this %s block has no cell above", b.Kind)
		}
	}
}
