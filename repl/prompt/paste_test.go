package prompt

import (
	"io"
	"strings"
	"testing"
)

// chunks reads as a terminal does: in pieces that end anywhere.
type chunks []string

func (c *chunks) Read(p []byte) (int, error) {
	if len(*c) == 0 {
		return 0, io.EOF
	}
	n := copy(p, (*c)[0])
	*c = (*c)[1:]
	return n, nil
}

func TestPasteIsTakenWhole(t *testing.T) {
	mark := string(pasteRune)
	for _, tt := range []struct {
		name  string
		in    chunks
		keys  string
		paste string // with the private-use runes back as newlines and tabs
	}{
		{"keys pass as they are", chunks{"abc\r"}, "abc\r", ""},
		{"an arrow key is no mark", chunks{"\x1b[A", "x"}, "\x1b[Ax", ""},
		{"a tab in a paste is text", chunks{"a\x1b[200~x\ty\x1b[201~b"}, "a" + mark + "b", "x\ty"},
		{"carriage returns are newlines", chunks{"\x1b[200~for {\r\tf()\r}\r\x1b[201~\r"}, mark + "\r", "for {\n\tf()\n}"},
		{"marks that come in pieces", chunks{"\x1b[20", "0~x\x1b[2", "01", "~"}, mark, "x"},
		{"an escape inside a paste does not reach the terminal", chunks{"\x1b[200~a\x1b[31mb\x1b[201~"}, mark, "a[31mb"},
		{"a transcript loses our prompts and the output", chunks{"\x1b[200~[1]> x := []int{\n...>   1,\n...> }\n[2]> x\n[1]\n\x1b[201~"}, mark, "x := []int{\n  1,\n}\nx"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &pasteFilter{in: &tt.in}
			got, err := io.ReadAll(f)
			if err != nil || string(got) != tt.keys {
				t.Errorf("keys: got %q, %v; want %q", got, err, tt.keys)
			}
			text := ""
			if len(f.pastes) > 0 {
				text = fromLine.Replace(string(f.pastes[0]))
			}
			if text != tt.paste {
				t.Errorf("paste: got %q, want %q", text, tt.paste)
			}
		})
	}
}

func TestPasteReplacesItsRuneAtTheCursor(t *testing.T) {
	f := &pasteFilter{pastes: [][]rune{[]rune("xyz")}}
	line, pos, ok := f.OnChange([]rune("a"+string(pasteRune)+"b"), 2, pasteRune)
	if !ok || string(line) != "axyzb" || pos != 4 {
		t.Errorf("got %q, %d, %v; want axyzb, 4, true", string(line), pos, ok)
	}
	if _, _, ok := f.OnChange([]rune("q"), 1, 'q'); ok {
		t.Error("a key was taken for a paste")
	}
}

func TestInputIsCutIntoCellsAndCommands(t *testing.T) {
	open := func(src string) bool { return strings.Count(src, "`")%2 == 1 }
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"one line", "a", []string{"a"}},
		{"cells around a command", "a\nb\n:graph\nc", []string{"a\nb", ":graph", "c"}},
		{"a colon inside a raw string is text", "s := `\n:x\n`", []string{"s := `\n:x\n`"}},
		{"only commands", ":a\n:b", []string{":a", ":b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := cut(tt.in, open); strings.Join(got, "|") != strings.Join(tt.want, "|") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
