package flk

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Few different lines, so that they repeat, and patterns that overlap.
var (
	someWant = rapid.SliceOfN(rapid.SampledFrom([]string{"a 1", "a 2", "b 1", "", "...", "<<*>>", "a <<\\d>>", "<<[ab]>> 1", "k  v",
		"(a,1)", "k:7", "<<"}), 0, 7)
	someGot = rapid.SliceOfN(rapid.SampledFrom([]string{"a 1", "a 2", "b 1", "c 3", "", "...", "k  v", "(a,1)", "(b,1)", "k:7 v:1",
		"<<(>>", "a.b*"}), 0, 7)
	someMatch = rapid.SampledFrom([]Match{{Exact, ""}, {Unordered, ""}, {Regex, ""}, {Subset, ""}, {Sequence, ""}, {PerKey, "1"},
		{PerKey, "k"}, {Final, "1"}, {Final, "k"}, {Hash, ""}})
)

func TestARewrittenExpectationMatchesAndStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, got, m := someWant.Draw(t, "want"), someGot.Draw(t, "got"), someMatch.Draw(t, "match")
		once := m.Rewrite(want, got)
		if d := m.Compare(once, got); !d.OK() {
			t.Fatalf("%q does not match %q: %v", once, got, d)
		}
		if twice := m.Rewrite(once, got); !slices.Equal(once, twice) {
			t.Fatalf("rewritten %q, then %q", once, twice)
		}
	})
}

func TestAnOutputMatchesItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		got, m := someGot.Draw(t, "got"), someMatch.Draw(t, "match")
		if d := m.Compare(got, got); !d.OK() {
			t.Fatalf("%v", d)
		}
	})
}

func TestWhatExactTakesEveryModeTakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, got := someWant.Draw(t, "want"), someGot.Draw(t, "got")
		if !(Match{Mode: Exact}).Compare(want, got).OK() {
			return
		}
		for _, mode := range []Mode{Unordered, Subset, Sequence} {
			if d := (Match{Mode: mode}).Compare(want, got); !d.OK() {
				t.Fatalf("%s refuses %q for %q: %v", mode, want, got, d)
			}
		}
	})
}
