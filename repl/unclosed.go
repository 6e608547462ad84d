package repl

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strings"

	"flinkish/repl/session"
)

// unclosed finds what keeps src open at its end: the innermost open bracket, or a string or comment without end.
// It is nil when nothing is open.
func unclosed(src string) *session.Diagnostic {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var sc scanner.Scanner
	var bad *session.Diagnostic
	sc.Init(file, []byte(src), func(pos token.Position, msg string) {
		if bad == nil && strings.Contains(msg, "not terminated") {
			bad = openAt(src, pos, msg)
		}
	}, 0)
	type open struct {
		tok token.Token
		pos token.Pos
	}
	var stack []open
	for {
		pos, tok, _ := sc.Scan()
		switch tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			stack = append(stack, open{tok, pos})
		case token.RPAREN, token.RBRACE, token.RBRACK:
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
		case token.EOF:
			if bad == nil && len(stack) > 0 {
				last := stack[len(stack)-1]
				bad = openAt(src, fset.Position(last.pos), fmt.Sprintf("%q is never closed", last.tok))
			}
			return bad
		}
	}
}

func openAt(src string, pos token.Position, msg string) *session.Diagnostic {
	line := strings.Split(src, "\n")[pos.Line-1]
	return &session.Diagnostic{Kind: session.Compile, Line: pos.Line, Col: pos.Column, EndCol: pos.Column + 1,
		Message: msg, Source: line, Hint: "the input ended before this did"}
}
