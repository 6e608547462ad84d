package flk

import (
	"strings"
	"time"
)

// Document is one .flk file. Its blocks cover the file without a gap: their raw text, one after the other, is the file.
type Document struct {
	Path   string // as the user named it
	Header Header
	Blocks []*Block

	file string // absolute path, because a run changes the working directory
}

// Kind is what a block is.
type Kind uint8

// The kinds of blocks.
const (
	Prose    Kind = iota // the header, text and fences with a word of their own
	GoCell               // go: a cell
	Commands             // flk: commands, one a line
	Out                  // out: the expected output of a cell
	Error                // error: the expected diagnostic of a cell
	Keys                 // keys: keystrokes for a screen
	Screen               // screen: an expected screen
	File                 // file: input data
)

var kindWords = map[Kind]string{
	GoCell: "go", Commands: "flk", Out: "out", Error: "error", Keys: "keys", Screen: "screen", File: "file",
}

// String is the fence word, or prose.
func (k Kind) String() string {
	if w, ok := kindWords[k]; ok {
		return w
	}
	return "prose"
}

// Block is a stretch of a document. Only the fields that its kind has are set.
type Block struct {
	Kind Kind
	Raw  string // its bytes in the file, with the fences
	Line int    // of its first byte, from 1; of the fence, if it has one
	Body string // between the fences, without the fence's indentation; lines end in \n

	Name    string        // #name of a cell, name= of a file
	Number  int           // of a cell (go, flk, keys), from 1
	Hide    bool          // a cell that runs and is not shown
	NoEval  bool          // a cell that is shown and not run
	MayFail bool          // {error}: a cell that must fail
	Skip    string        // why a cell is not run; empty: it is
	XFail   string        // why the expectations of a cell fail; empty: they hold
	Timeout time.Duration // of a cell, wall time; 0: the header's

	Match  Match  // of an expectation
	For    string // name of the cell that an expectation is about; empty: the one above
	Stream string // stdout, result or job; empty: all three
	Of     *Block // the cell that an expectation is about

	Size   string // 100x30, of keys and screens
	View   string // of a screen
	Region string // x,y,w,h of a screen
	Style  bool   // a screen whose styles are compared too

	fence fence
}

// fence is how a block is fenced, so that a changed body can be written back alike.
type fence struct {
	indent int
	char   byte
	n      int
	open   string // the whole opening line
	close  string // the whole closing line
	eol    string
}

// IsCell reports whether the block is something that runs.
func (b *Block) IsCell() bool { return b.Kind == GoCell || b.Kind == Commands || b.Kind == Keys }

// IsExpectation reports whether the block says what a cell must show.
func (b *Block) IsExpectation() bool { return b.Kind == Out || b.Kind == Error || b.Kind == Screen }

// Lines are the lines of the body, without their ends.
func (b *Block) Lines() []string { return splitLines(b.Body) }

// BodyLine is the line of the file where the body starts.
func (b *Block) BodyLine() int { return b.Line + 1 }

// SetLines gives an expectation another body and changes nothing else of it; the fence grows where a line of the
// body would close it.
func (b *Block) SetLines(lines []string) {
	f := &b.fence
	n := f.n
	for _, l := range lines {
		n = max(n, 1+closing(l, f.char))
	}
	if n > f.n {
		longer := strings.Repeat(string(f.char), n-f.n)
		f.open = f.open[:f.indent] + longer + f.open[f.indent:]
		f.close = strings.Repeat(" ", f.indent) + longer + strings.TrimLeft(f.close, " ")
		f.n = n
	}
	var body, raw strings.Builder
	raw.WriteString(f.open)
	for _, l := range lines {
		body.WriteString(l + "\n")
		raw.WriteString(strings.Repeat(" ", f.indent) + l + f.eol)
	}
	raw.WriteString(f.close)
	b.Body, b.Raw = body.String(), raw.String()
}

// closing is the length of the run of fence characters if the line could close a fence, else 0.
func closing(line string, char byte) int {
	t := strings.Trim(line, " \t\r")
	if t == "" || strings.Trim(t, string(char)) != "" {
		return 0
	}
	return len(t)
}

// String is the text of the file: the bytes that were parsed, but for the bodies that SetLines changed.
func (d *Document) String() string {
	var b strings.Builder
	for _, bl := range d.Blocks {
		b.WriteString(bl.Raw)
	}
	return b.String()
}

// Cells are the blocks that run, in order.
func (d *Document) Cells() []*Block {
	var cells []*Block
	for _, b := range d.Blocks {
		if b.IsCell() {
			cells = append(cells, b)
		}
	}
	return cells
}

// splitLines splits text that ends in a newline, or not, into its lines.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}
