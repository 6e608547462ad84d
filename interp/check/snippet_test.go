package check_test

import (
	"slices"
	"strings"
	"testing"

	"flinkish/interp/check"
)

func TestSnippetsKnowTheElementType(t *testing.T) {
	s := newSession(t)
	s.run("type Word struct { Text string; N int }\nws := env.FromElements(Word{\"a\", 1})\nks := ws.KeyBy(func(w Word) string { return w.Text })")
	for _, c := range []struct{ name, src, word, want string }{
		{"a map", "ws.Ma", "Map", "Map(func(w Word) "},
		{"a filter", "ws.Fil", "Filter", "Filter(func(w Word) bool { return "},
		{"a flat map", "ws.FlatM", "FlatMap", "FlatMap(func(w Word, out Collector["},
		{"a reduce", "ks.Redu", "Reduce", "Reduce(func(a Word, b Word) Word { return "},
		{"a function of a package", "strings.FieldsF", "FieldsFunc", "FieldsFunc("},
		{"no function at all", "ws.Rebal", "Rebalance", ""},
	} {
		list := s.Complete(c.src, len(c.src))
		i := slices.IndexFunc(list, func(x check.Candidate) bool { return x.Text == c.word })
		if i < 0 || c.name != "a function of a package" && list[i].Snippet != c.want {
			t.Errorf("%s: got %v, want the snippet %q", c.name, list, c.want)
		}
	}
	for _, c := range []struct{ name, src, want string }{
		{"inside the brackets", "ws.Map(", "func(w Word) "},
		{"of an element type of the library", "env.FromElements(Tuple2[string, int]{\"a\", 1}).Filter(f", "func(t Tuple2[string, int]) bool { return "},
		{"after a leading dot", "ws.\n\tFlatMap(", "func(w Word, out Collector["},
		{"the second argument", "slices.SortFunc([]Word{}, ", "func("},
	} {
		list := s.Complete(c.src, len(c.src))
		if len(list) == 0 || list[0].Kind != "snippet" || !strings.HasPrefix(list[0].Text, c.want) {
			t.Errorf("%s: got %v, want first %q", c.name, list[:min(2, len(list))], c.want)
		}
	}
}

func TestCandidatesSayWhereTheirDocumentationIs(t *testing.T) {
	s := newSession(t)
	s.run("// twice doubles n. It never fails.\nfunc twice(n int) int { return 2 * n }\ntype Word struct{ N int }\n// Len counts.\nfunc (w Word) Len() int { return w.N }\nws := env.FromElements(1)\nw := Word{}")
	for _, c := range []struct{ src, key, doc string }{
		{"ws.Filte", "DataStream.Filter", ""}, {"strings.ToUppe", "strings.ToUpper", ""}, {"twic", "", "twice doubles n."}, {"w.Le", "", "Len counts."}, {"ForMonot", "ForMonotonousTimestamps", ""},
	} {
		list := s.Complete(c.src, len(c.src))
		if len(list) == 0 || list[0].Key != c.key || list[0].Doc != c.doc {
			t.Errorf("%s: got %+v, want key %q, doc %q", c.src, list[:min(1, len(list))], c.key, c.doc)
		}
	}
}

func TestSourceIsThatOfTheLatestDeclaration(t *testing.T) {
	s := newSession(t)
	s.run("x := 1; var y int = 2\n// f gives one.\n// Really.\nfunc f() int {\n\treturn 1\n}")
	s.run("type Word struct{ N int }\nfunc (w Word) Len() int { return w.N }")
	s.run("func f() int { return 2 }")
	s.run("func (w Word) Add() {}")
	for name, want := range map[string]string{
		"x": "x := 1", "y": "var y int = 2", "f": "func f() int { return 2 }", "Word.Len": "func (w Word) Len() int { return w.N }",
		"Word": "type Word struct{ N int }\n\nfunc (w Word) Add() {}\n\nfunc (w Word) Len() int { return w.N }", "fmt": "", "nothing": "",
	} {
		if got := s.Source(name); got != want {
			t.Errorf("Source(%s): got %q, want %q", name, got, want)
		}
	}
	s.run("type Word struct{ N, M int }") // without its methods
	if w, l, doc := s.Source("Word"), s.Source("Word.Len"), s.Comment("Word.Len"); w != "type Word struct{ N, M int }" || l+doc != "" {
		t.Errorf("after the type was declared again: %q, %q, %q", w, l, doc)
	}
}
