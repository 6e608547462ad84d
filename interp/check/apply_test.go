package check_test

import (
	"errors"
	"testing"

	"flinkish/interp/check"
)

// What a hint says to write must be right: the cell with the hint applied has no error at that place any more.
func TestAppliedHintsAreRight(t *testing.T) {
	applied := 0
	for _, w := range readWrong(t) {
		s := newSession(t)
		for _, b := range before {
			s.run(b)
		}
		_, err := s.Check("", 9, w.cell)
		var e *check.Error
		if !errors.As(err, &e) {
			continue
		}
		fixed, ok := e.Fix(w.cell)
		if !ok {
			continue
		}
		applied++
		_, err = s.Check("", 9, fixed)
		var again *check.Error
		if errors.As(err, &again) && again.Line == e.Line && again.Col <= e.Col {
			t.Errorf("%s: %s: %q became\n%s\n%v", w.name, w.says, w.hint, fixed, err)
		}
	}
	if applied < 20 {
		t.Errorf("%d hints could be applied, want 20 or more", applied)
	}
}

func TestAHintIsAppliedAtItsMark(t *testing.T) {
	for _, tt := range []struct{ name, cell, want string }{
		{"a name", "y := wrods", "y := words"},
		{"a method on a later line", "words.\n\tKeyByy(func(s string) string { return s })", "words.\n\tKeyBy(func(s string) string { return s })"},
		{"a function of a package", `x := strings.ToUper("a")`, `x := strings.ToUpper("a")`},
		{"a method in lower case", "words.map(func(s string) string { return s })", "words.Map(func(s string) string { return s })"},
		{"a conversion", "var i int64 = int32(1)", "var i int64 = int64(int32(1))"},
		{"another form of the call", "words.\n\tMap(func(s string) (int, error) { return len(s), nil }).\n\tPrint()", "words.\n\tMapE(func(s string) (int, error) { return len(s), nil }).\n\tPrint()"},
		{"an option around its value", `words.Print("out")`, `words.Print(Identifier("out"))`},
		{"a number in quotes", `env.SetParallelism("4")`, `env.SetParallelism(4)`},
		{"a number in quotes that is compared", `n == "1"`, `n == 1`},
		{"a result that is not given back", "words.Map(func(s string) int { len(s) })", "words.Map(func(s string) int { return len(s) })"},
		{"the context", "env.Execute()", "env.Execute(ctx)"},
		{"one mistake behind the other", "x := wrods.map(strings.ToUper).print()", "x := words.Map(strings.ToUpper).Print()"},
		{"the next line is wrong, too", "x := wrods\ny := nothing", "x := words\ny := nothing"},
		{"what is near does not fit", "words.SinkTo(Print)", ""},
		{"advice only", "words.Window(1)", ""},
	} {
		s := newSession(t)
		s.run(before[0])
		_, err := s.Check("", 9, tt.cell)
		var e *check.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: got %v, want an error", tt.name, err)
			continue
		}
		if got, _ := e.Fix(tt.cell); got != tt.want {
			t.Errorf("%s: got %q, want %q for %v", tt.name, got, tt.want, err)
		}
	}
}
