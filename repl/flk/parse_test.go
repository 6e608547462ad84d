package flk

import (
	"strings"
	"testing"
	"time"
)

const lesson = "---\nflk: 1\ntitle: A lesson\nseed: 42\nclock: virtual 2024-01-01T10:00:00Z\nparallelism: 2\n" +
	"size: 80x24\nredact: \\d+ms wall => <wall>\nparams: least=50 name=\"a b\"\n---\n# Title\n\nText.\n\n" +
	"```file {name=a/clicks.csv}\nts,page\n```\n\n```go {#source timeout=5s hide}\nx := 1\nx\n```\n\n" +
	"```out {match=perkey(page) stream=result}\n1\n```\n~~~flk\n:graph\n~~~\n```out\n...\n```\n" +
	"```go {error}\ny\n```\n```error\nundefined\n```\n```js {1,3}\nprose\n```\n"

func mustParse(t *testing.T, text string) *Document {
	t.Helper()
	d, err := Parse("lesson.flk", text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestParseALesson(t *testing.T) {
	d := mustParse(t, lesson)
	h := d.Header
	if h.Title != "A lesson" || h.Seed != 42 || h.Parallelism != 2 || h.Size != "80x24" ||
		!h.Clock.Equal(time.Date(2024, 1, 1, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("header: %+v", h)
	}
	if len(h.Params) != 2 || h.Params[0] != (Param{"least", "50"}) || h.Params[1] != (Param{"name", `"a b"`}) {
		t.Errorf("params: %v", h.Params)
	}
	if len(h.Redact) != 1 || h.Redact[0].Text != "<wall>" {
		t.Errorf("redact: %v", h.Redact)
	}
	var kinds []string
	for _, b := range d.Blocks {
		kinds = append(kinds, b.Kind.String())
	}
	if got, want := strings.Join(kinds, " "), "prose file prose go prose out flk out go error prose"; got != want {
		t.Errorf("kinds: got %s, want %s", got, want)
	}
	source, out := d.Blocks[3], d.Blocks[5]
	if source.Name != "source" || source.Timeout != 5*time.Second || !source.Hide || source.Number != 1 || source.Line != 19 {
		t.Errorf("cell: %+v", source)
	}
	if source.Body != "x := 1\nx\n" {
		t.Errorf("body: %q", source.Body)
	}
	if out.Match != (Match{PerKey, "page"}) || out.Stream != "result" || out.Of != source {
		t.Errorf("out: %+v", out)
	}
	if e := d.Blocks[9]; e.Match.Mode != Subset || !e.Of.MayFail {
		t.Errorf("error: %+v", e)
	}
}

func TestWhatIsProse(t *testing.T) {
	for name, text := range map[string]string{
		"an unknown fence":                     "```js\nx\n```\n",
		"an unknown fence with attributes":     "```python {.numberLines}\nx\n```\n",
		"an indented code block":               "    ```go\n    x\n    ```\n",
		"a fence in a comment":                 "<!--\n```go\nx\n```\n-->\n",
		"a fence inside a longer fence":        "````markdown\n```go\nx\n```\n````\n",
		"a span of code":                       "```go``` is a word\n",
		"a near word without attributes":       "```goo\nx\n```\n",
		"a last line without an end":           "text",
		"an unknown fence that is never ended": "```text\nx\n",
	} {
		if cells := mustParse(t, text).Cells(); len(cells) > 0 {
			t.Errorf("%s: %d cells", name, len(cells))
		}
	}
}

func TestSyntaxErrorsNamePlaceAndWayOut(t *testing.T) {
	head := "---\nflk: 1\n---\n"
	for _, c := range []struct{ name, text, want string }{
		{"a near word with attributes", head + "```goo {x=1\n```\n", "t.flk:4:4: unknown fence \"goo\"|did you mean go?|the fences are go, flk, out"},
		{"an unknown attribute", head + "```go {bogus=1}\n1\n```\n", "t.flk:4:8: unknown attribute \"bogus\" of a go block|#name, hide, skip="},
		{"a near attribute", head + "```go {skpi=1}\n1\n```\n", "t.flk:4:8: |did you mean skip?"},
		{"an open list", head + "```go {#a\n1\n```\n", "t.flk:4:10: the attribute list is not closed"},
		{"text after the list", head + "```go {#a} b\n1\n```\n", "t.flk:4:12: unexpected \"b\" after the attribute list"},
		{"no list", head + "```go a=1\n1\n```\n", "t.flk:4:7: expected {attributes}"},
		{"an open quote", head + "```go {skip=\"x}\n1\n```\n", "t.flk:4:8: the quoted value is not closed"},
		{"a missing value", head + "```go {timeout=}\n1\n```\n", "t.flk:4:8: a value is missing"},
		{"a value too many", head + "```go {hide=1}\n1\n```\n", "t.flk:4:8: attribute \"hide\" takes no value"},
		{"an attribute twice", head + "```go {hide hide}\n1\n```\n", "t.flk:4:13: attribute \"hide\" is given twice"},
		{"a time that is none", head + "```go {timeout=5}\n1\n```\n", "t.flk:4:8: timeout must be a positive time such as 5s, got \"5\""},
		{"an unknown mode", head + "```go\n1\n```\n```out {match=exat}\n```\n", "t.flk:7:9: unknown match mode \"exat\": did you mean exact?"},
		{"a bad pattern", head + "```go\n1\n```\n```out\na\n<<(>>\n```\n", "t.flk:9:1: pattern <<(>>: "},
		{"an open block", head + "text\n```go\n1\n", "t.flk:5:1: this go block is never closed|end it with ```"},
		{"an expectation without a cell", head + "```out\n1\n```\n", "t.flk:4:1: this out block has no cell above"},
		{"an unknown cell", head + "```go {#a}\n1\n```\n```out {for=b}\n```\n", "t.flk:7:1: no cell \"b\" above"},
		{"a name twice", head + "```go {#a}\n1\n```\n```go {#a}\n1\n```\n", "t.flk:7:1: cell \"a\" is also at line 4"},
		{"a file without a name", head + "```file\n1\n```\n", "t.flk:4:8: a file block needs a name"},
		{"a file outside", head + "```file {name=../x}\n1\n```\n", "t.flk:4:10: file name must lie below the document"},
		{"an unknown key", "---\nflk: 1\nsede: 4\n---\n", "t.flk:3:1: unknown header key \"sede\"|did you mean seed?"},
		{"a wrong value", "---\nflk: 1\nseed: x\n---\n", "t.flk:3:7: seed must be a positive integer, got \"x\""},
		{"no version", "---\ntitle: x\n---\n", "t.flk:1:1: the header lacks the format version|flk: 1"},
		{"another version", "---\nflk: 2\n---\n", "t.flk:2:6: format version must be 1, got \"2\""},
		{"an open header", "---\nflk: 1\n", "t.flk:1:1: the header is never closed"},
		{"no text", head + "a\xffb", "t.flk:4:2: not UTF-8 text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("t.flk", c.text)
			if err == nil {
				t.Fatal("no error")
			}
			for _, w := range strings.Split(c.want, "|") {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("got:\n%v\nwant: %s", err, w)
				}
			}
		})
	}
}

func TestEveryErrorIsReported(t *testing.T) {
	_, err := Parse("t.flk", "```go {a}\n```\n```go {b}\n```\n")
	if l, ok := err.(ErrorList); !ok || len(l) != 2 {
		t.Errorf("got %v", err)
	}
}

func TestOnlyTheBytesOfChangedBlocksChange(t *testing.T) {
	text := "a\r\n\r\n  ```go\r\n  1\r\n  ```   \r\n  ~~~~out  {match=exact}\r\n  old\r\n  ~~~~~\r\nend"
	d := mustParse(t, text)
	if d.String() != text {
		t.Fatalf("got %q", d.String())
	}
	for _, b := range d.Blocks {
		if b.Kind == Out {
			b.SetLines([]string{"new", "~~~~"})
		}
	}
	want := strings.Replace(text, "  ~~~~out  {match=exact}\r\n  old\r\n  ~~~~~\r\n",
		"  ~~~~~out  {match=exact}\r\n  new\r\n  ~~~~\r\n  ~~~~~~\r\n", 1)
	if got := d.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if _, err := Parse("t.flk", d.String()); err != nil {
		t.Error(err)
	}
}

func FuzzParseAndPrintIsIdentity(f *testing.F) {
	f.Add(lesson)
	f.Add("```out\n```")
	f.Add("---\n---\n<!-- ```go -->\n```go {#a b=\"\\\"\"}\n```\n")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse("t.flk", text)
		if err != nil {
			for _, e := range err.(ErrorList) {
				if e.Line < 1 || e.Col < 1 {
					t.Errorf("no place: %v", e)
				}
			}
			return
		}
		if d.String() != text {
			t.Errorf("got %q, want %q", d.String(), text)
		}
		for _, b := range d.Blocks {
			if b.Kind == Out {
				b.SetLines(append(b.Lines(), "```", "new"))
			}
		}
		if again, err := Parse("t.flk", d.String()); err != nil {
			t.Errorf("a rewritten document does not parse: %v", err)
		} else if again.String() != d.String() {
			t.Error("a rewritten document is not stable")
		}
	})
}
