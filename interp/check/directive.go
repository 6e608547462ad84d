// Directives: comments that tell the compiler something that the code does not say.

package check

import (
	"go/scanner"
	"go/token"
	"strings"
)

// directives are those that change what a program does, with the way out. The others, such as go:noinline, go:generate
// and the go:build of a file that is run by its name, change nothing for go run either.
var directives = []struct{ begin, instead string }{
	{"//go:embed", "read the file, as with os.ReadFile"},
	{"//go:linkname", "call what the package exports"},
	{"//go:wasmimport", ""},
	{"//go:wasmexport", ""},
	{"//go:cgo_", ""},
	{"//go:debug", ""},
	{"//line", "leave it out: lines count from the first of the cell"},
	{"/*line", "leave it out: lines count from the first of the cell"},
}

// directive is the error of the first comment that would change what the cell means; nil: there is none.
func (s *source) directive() *Error {
	if !strings.Contains(s.src, "//go:") && !strings.Contains(s.src, "//line ") && !strings.Contains(s.src, "/*line ") {
		return nil
	}
	f := token.NewFileSet().AddFile("", -1, len(s.src))
	var sc scanner.Scanner
	sc.Init(f, []byte(s.src), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, t, text := sc.Scan()
		if t == token.EOF {
			return nil
		}
		if t != token.COMMENT {
			continue
		}
		for _, d := range directives {
			if !isDirective(text, d.begin) {
				continue
			}
			line, col := lineCol(s.src, f.Offset(pos))
			text, _, _ = strings.Cut(text, "\n")
			e := s.errorAt(line, col, col+len(text), "a cell cannot have the directive "+strings.Fields(text[2:])[0])
			e.Kind, e.Hint = Unsupported, d.instead
			return e
		}
	}
}

// isDirective tells a directive from prose: a line directive ends with a number.
func isDirective(comment, begin string) bool {
	rest, ok := strings.CutPrefix(comment, begin)
	switch {
	case !ok:
		return false
	case strings.HasSuffix(begin, "line"):
		rest = strings.TrimSuffix(strings.TrimRight(rest, " \r"), "*/")
		i := strings.LastIndexByte(rest, ':')
		return i > 0 && rest[0] == ' ' && i+1 < len(rest) && strings.Trim(rest[i+1:], "0123456789") == ""
	}
	return rest == "" || rest[0] == ' ' || rest[0] == '\t' || strings.HasSuffix(begin, "_")
}
