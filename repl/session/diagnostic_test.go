package session

import (
	"strings"
	"testing"
)

func TestALongLineIsCutAroundThePlace(t *testing.T) {
	long := "\tws := lines.FlatMap(func(s string, out Collector[string]) { 世界(s) }).KeyBy(nobody)"
	for _, tt := range []struct {
		name, token string
		width       int
		want        string
	}{
		{"a line that fits is as it is", "ws", 120, "    1 | " + long + "\n      | \t^^"},
		{"a place at the start", "lines", 40, "    1 |  ws := lines.FlatMap(func(s s...\n      |        ^^^^^"},
		{"a place in the middle", "Collector", 40, "    1 | ...ng, out Collector[string])...\n      |            ^^^^^^^^^"},
		{"a place at the end", "nobody", 40, "    1 | ...]) { 世界(s) }).KeyBy(nobody)\n      |                          ^^^^^^"},
		{"a place after wide characters", "s) }", 30, "    1 | ...世界(s) }).KeyBy...\n      |         ^^^^"},
		{"no room at all", "nobody", 5, "    1 | ...By(nob...\n      |       ^^^^^^"},
	} {
		at := strings.Index(long, tt.token)
		d := Diagnostic{Number: 1, Line: 1, Col: at + 1, EndCol: at + 1 + len(tt.token), Message: "m", Source: long}
		_, got, _ := strings.Cut(d.Fit(tt.width), "\n")
		if got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestDiagnosticPointsAtThePlace(t *testing.T) {
	for _, tt := range []struct {
		name string
		d    Diagnostic
		want string
	}{
		{"of a cell at the prompt", Diagnostic{Number: 3, Line: 2, Col: 3, EndCol: 6, Message: "no method Cnt", Source: "\t.Cnt()", Hint: "did you mean Count?"},
			"[3]:2:3: no method Cnt\n    2 | \t.Cnt()\n      | \t ^^^\n  hint: did you mean Count?"},
		{"of a document", Diagnostic{File: "a.flk", FileLine: 41, Number: 3, Line: 2, Col: 1, EndCol: 2, Message: "m", Source: "x"},
			"a.flk:41:1: m\n   41 | x\n      | ^"},
		{"of the first line of a cell from a pipe", Diagnostic{File: Stdin, FileLine: 4, Number: 2, Line: 1, Col: 5, Message: "m"}, "stdin:4:5: m"},
		{"of a later line of a cell from a pipe", Diagnostic{File: Stdin, FileLine: 5, Number: 2, Line: 2, Col: 5, Message: "m"}, "stdin:5:5 ([2]:2:5): m"},
		{"wide characters count by their width", Diagnostic{Number: 1, Line: 1, Col: 8, EndCol: 9, Message: "m", Source: "世界 + x"},
			"[1]:1:8: m\n    1 | 世界 + x\n      |      ^"},
		{"without a place", Diagnostic{Message: "m"}, "m"},
		{"a column past the end", Diagnostic{Number: 1, Line: 1, Col: 9, EndCol: 99, Message: "m", Source: "x"}, "[1]:1:9: m\n    1 | x\n      |  ^"},
	} {
		if got := tt.d.String(); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}
