package flk

import (
	"slices"
	"strings"
	"testing"
)

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "|")
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name, match, want, got string
		ok                     bool
	}{
		{"exact takes the same lines", "exact", "a|b", "a|b", true},
		{"exact ignores blanks at the end of a line", "exact", "a  |b", "a|b\t", true},
		{"exact keeps blanks at the start", "exact", "a", " a", false},
		{"exact refuses another order", "exact", "a|b", "b|a", false},
		{"exact refuses a missing line", "exact", "a|b", "a", false},
		{"exact refuses a line too many", "exact", "a", "a|b", false},
		{"nothing is not an empty line", "exact", "", "", true},
		{"a gap takes any lines", "exact", "a|...|d", "a|b|c|d", true},
		{"a gap takes no line", "exact", "a|...|d", "a|d", true},
		{"a gap at the end", "exact", "a|...", "a|b|c", true},
		{"a gap does not excuse what follows", "exact", "a|...|d", "a|b|c", false},
		{"two gaps may have to look far", "exact", "...|x|y|...|x", "x|x|y|x|x", true},
		{"a pattern inside a line", "exact", "took <<\\d+>> ms", "took 12 ms", true},
		{"a pattern is anchored", "exact", "<<\\d+>>", "12 ms", false},
		{"the rest of a pattern line is literal", "exact", "a.b <<*>>", "axb c", false},
		{"a star is anything", "exact", "a<<*>>z", "a..z", true},
		{"alternatives stay inside their pattern", "exact", "x<<a|b>>y", "xay", false}, // | splits lines in this table
		{"a literal line comes first", "exact", "<<\\d>>", "<<\\d>>", true},
		{"a literal gap", "exact", "...", "...", true},
		{"unordered takes any order", "unordered", "a|b|a", "b|a|a", true},
		{"unordered counts", "unordered", "a|b", "a|b|b", false},
		{"unordered misses", "unordered", "a|b|b", "a|b", false},
		{"unordered with a gap takes more", "unordered", "b|...", "a|b|c", true},
		{"unordered patterns exchange lines", "unordered", "<<.*>>|<<a.*>>", "ab|x", true},
		{"unordered patterns do not share a line", "unordered", "<<a.*>>|<<a.*>>", "ab|x", false},
		{"unordered leaves the literal line to the literal", "unordered", "<<a*>>|a", "a|aa", true},
		{"regex is anchored at both ends", "regex", "a+", "aab", false},
		{"regex takes each line", "regex", "a+|b?", "aaa|b", true},
		{"regex takes a literal line with signs", "regex", "(a", "(a", true},
		{"regex knows gaps", "regex", "a+|...", "a|x|y", true},
		{"subset ignores others and order", "subset", "c|a", "a|b|c", true},
		{"subset wants each line", "subset", "a|d", "a|b|c", false},
		{"subset wants a line as often as it says", "subset", "a|a", "a|b", false},
		{"sequence lets others lie between", "sequence", "a|c", "a|b|c", true},
		{"sequence keeps the order", "sequence", "c|a", "a|b|c", false},
		{"sequence needs every line", "sequence", "a|d", "a|b|c", false},
		{"perkey is free between keys", "perkey(1)", "(a,1)|(b,1)|(a,2)", "(b,1)|(a,1)|(a,2)", true},
		{"perkey keeps the order inside a key", "perkey(1)", "(a,1)|(a,2)", "(a,2)|(a,1)", false},
		{"perkey reads tables with a header", "perkey(page)", "page  n|home  1|cart  1", "page  n|cart  1|home  1", true},
		{"perkey reads field names", "perkey(Text)", "{Text:a N:1}|{Text:b N:1}", "{Text:b N:1}|{Text:a N:1}", true},
		{"perkey takes no line of another key", "perkey(1)", "a 1", "a 1|b 1", false},
		{"perkey with a gap takes other keys", "perkey(1)", "a 1|...", "b 1|a 1", true},
		{"final folds to the last line of a key", "final(1)", "a 3|b 1", "a 1|b 1|a 2|a 3", true},
		{"final folds both sides", "final(1)", "a 1|a 3", "a 2|a 3", true},
		{"final sees a wrong last line", "final(1)", "a 2", "a 2|a 3", false},
		{"hash counts lines and bytes", "hash", "2 lines sha256 911169ddc146f21ad0c4bbb9e14f6c87b1bc35d2a31c8d5bd2b5f0ca9f4fa0b9", "a|c", false},
		{"hash of the same lines", "hash", "1 lines sha256 87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7", "a", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := ParseMatch(c.match)
			if err != nil {
				t.Fatal(err)
			}
			d := m.Compare(lines(c.want), lines(c.got))
			if d.OK() != c.ok {
				t.Errorf("%s: want %q, got %q: ok %v\n%v", c.match, c.want, c.got, d.OK(), d)
			}
			again := m.Rewrite(lines(c.want), lines(c.got))
			if d := m.Compare(again, lines(c.got)); !d.OK() {
				t.Errorf("rewritten as %q does not match %q: %v", again, c.got, d)
			}
			if twice := m.Rewrite(again, lines(c.got)); !slices.Equal(twice, again) {
				t.Errorf("rewriting twice: %q, then %q", again, twice)
			}
		})
	}
}

func TestRewriteKeepsWhatStillMatches(t *testing.T) {
	for _, c := range []struct{ name, match, want, got, rewritten string }{
		{"a changed line beside a pattern", "exact", "n <<\\d+>>|x 1", "n 7|x 2", "n <<\\d+>>|x 2"},
		{"a gap that still covers", "exact", "a|...|y", "a|b|c|z", "a|...|z"},
		{"unordered is written sorted", "unordered", "z|a", "c|z|b", "b|c|z"},
		{"a regex is quoted", "regex", "a+|c", "aa|b.", "a+|b\\."},
		{"a subset changes what is missing", "subset", "b 1", "a 1|b 2", "b 2"},
		{"perkey comes in the order of the output", "perkey(1)", "a 1|b <<.>>", "b 1|a 2", "b <<.>>|a 2"},
		{"final is folded", "final(1)", "a 9", "a 1|a 2|b 1", "a 2|b 1"},
		{"a line that is no pattern is quoted", "exact", "x", "<<(>>", "<<[<]{2}>>(>>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := ParseMatch(c.match)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(m.Rewrite(lines(c.want), lines(c.got)), "|"); got != c.rewritten {
				t.Errorf("got %q, want %q", got, c.rewritten)
			}
		})
	}
}

func TestADiffNamesWantThenGot(t *testing.T) {
	d := Match{Mode: Exact}.Compare([]string{"a", "43", "z"}, []string{"a", "42", "z"})
	var b strings.Builder
	for _, l := range d {
		b.WriteString(string(l.Op) + l.Want + l.Got + "|")
	}
	if got, want := b.String(), " aa|-43|+42| zz|"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestALongOutputIsComparedWithoutATable(t *testing.T) {
	var want, got []string
	for i := range 5000 {
		want, got = append(want, string(rune('a'+i%26))), append(got, string(rune('b'+i%26)))
	}
	if d := (Match{Mode: Exact}).Compare(want, got); d.OK() {
		t.Error("5000 lines that differ are taken as equal")
	}
}

func TestMatchModesAreNamedWhenUnknown(t *testing.T) {
	for in, want := range map[string]string{
		"exat":      "did you mean exact?",
		"perkey":    "needs its key column",
		"perkey()":  "needs its key column",
		"exact(1)":  "takes no column",
		"something": "the modes are exact, unordered",
	} {
		_, err := ParseMatch(in)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", in, err, want)
		}
	}
}
