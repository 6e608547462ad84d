package interp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func eval(t *testing.T, s *Session, src string) Result {
	t.Helper()
	r, err := s.Eval(context.Background(), Cell{Number: 1, Source: src})
	if err != nil {
		t.Fatalf("%s\n%v", src, err)
	}
	return r
}

func TestInterruptStopsACellAndKeepsItsValues(t *testing.T) {
	for name, src := range map[string]string{
		"a loop":            `for { n++ }`,
		"a loop over int":   `for range 1 << 60 { n++ }`,
		"a blocked receive": `n++; <-make(chan int)`,
		"a blocked select":  `n++; select {}`,
		"a sleep":           `n++; time.Sleep(time.Hour)`,
		"a recover":         `n++; func() { defer func() { recover() }(); for {} }()`,
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newSession(t)
			eval(t, s, `n := 0`)
			started := make(chan bool)
			done := make(chan error)
			go func() {
				close(started)
				_, err := s.Eval(context.Background(), Cell{Number: 2, Source: src})
				done <- err
			}()
			<-started
			for {
				s.Interrupt() // until the cell runs and stops: it may not have begun
				select {
				case err := <-done:
					if !errors.Is(err, ErrInterrupted) {
						t.Fatalf("error %v, want interrupted", err)
					}
				case <-time.After(time.Millisecond):
					continue
				}
				break
			}
			eval(t, s, `n += 1000`)
			r := eval(t, s, `n > 1000 || n == 1000`)
			if r.Values[0].Text != "true" {
				t.Errorf("n > 1000 is %s", r.Values[0].Text)
			}
		})
	}
}

func TestAContextStopsACell(t *testing.T) {
	s, _ := newSession(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := s.Eval(ctx, Cell{Number: 1, Source: `for {}`})
	if !errors.Is(err, ErrInterrupted) {
		t.Errorf("error %v, want interrupted", err)
	}
}

func TestValuesSurviveANewInterpreter(t *testing.T) {
	s, out := newSession(t)
	eval(t, s, "type W struct{ T string; n int }\nfunc (w W) String() string { return w.T + \"!\" }\nws := []W{{\"a\", 1}}\nf := func(w W) W { w.n++; return w }\nm := map[string]*W{\"k\": &ws[0]}")
	s.back.rebuild()
	out.Reset()
	eval(t, s, `ws = append(ws, f(ws[0])); m["k"].n = 7; fmt.Println(ws, ws[1].n, m["k"].n)`)
	if got := out.String(); got != "[a! a!] 2 7\n" {
		t.Errorf("after the rebuild: %q", got)
	}
}

func TestARunErrorPointsAtTheStatement(t *testing.T) {
	s, _ := newSession(t)
	eval(t, s, "func at(xs []int, i int) int {\n\tn := len(xs)\n\t_ = n\n\treturn xs[i]\n}")
	_, err := s.Eval(context.Background(), Cell{Number: 2, Source: "x := 1\nat(nil, x)"})
	var re *RunError
	if !errors.As(err, &re) {
		t.Fatalf("error %v", err)
	}
	if re.Number != 1 || re.Line != 4 || !strings.Contains(re.Source, "return xs[i]") || !strings.Contains(re.Msg, "index out of range") {
		t.Errorf("%+v", *re)
	}
	if strings.Contains(re.Msg, "reflect") || strings.Contains(re.Msg, "goroutine") {
		t.Errorf("message of the machinery: %s", re.Msg)
	}
}

func TestVarsCompletionAndTypes(t *testing.T) {
	s, _ := newSession(t)
	eval(t, s, "type P struct{ X int }\np := P{3}\nxs := []P{p}\nconst most = 7\nfunc twice(p P) int { return 2 * p.X }")
	var got strings.Builder
	for _, v := range s.Vars() {
		fmt.Fprintf(&got, "%s %s|%s|%s|%d\n", v.Kind, v.Name, v.Type, v.Text, v.Cell)
	}
	if want := "type P|struct{X int}||1\nconst most|untyped int|7|1\nvar p|P|{X:3}|1\nfunc twice|func(p P) int||1\nvar xs|[]P|[{X:3}]|1\n"; got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
	if typ, err := s.TypeOf("xs[0].X"); typ != "int" || err != nil {
		t.Errorf("type %s, %v", typ, err)
	}
	if s.Incomplete("x := 1") || !s.Incomplete("func f() {") {
		t.Error("incomplete")
	}
}

func TestResetForgets(t *testing.T) {
	s, _ := newSession(t)
	eval(t, s, "x := 1")
	if err := s.Reset(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Eval(context.Background(), Cell{Number: 1, Source: "x"}); err == nil {
		t.Error("x is still known")
	}
}

func TestUntrustedCellsCannotReachOut(t *testing.T) {
	s, err := New(Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []string{"import \"os/exec\"\nexec.Command(\"id\")", "os.Exit(1)"} {
		if _, err := s.Eval(context.Background(), Cell{Number: 1, Source: src}); err == nil {
			t.Errorf("%s ran", src)
		}
	}
}

// TestALibraryValueWithNilPartsIsShown: a part whose String cannot take nil prints as with fmt.
func TestALibraryValueWithNilPartsIsShown(t *testing.T) {
	s, _ := newSession(t)
	got := eval(t, s, `env.FromData(1).Transformation()`).Values[0].Text
	if !strings.HasPrefix(got, "&{ID:") || !strings.Contains(got, "Name:Collection Source") || !strings.Contains(got, "<nil>") {
		t.Errorf("got %s", got)
	}
}

func TestAContextOfTheProgramsOwnStaysInCtx(t *testing.T) {
	s, _ := newSession(t)
	show := func(src, want string) {
		t.Helper()
		if r := eval(t, s, src); len(r.Values) != 1 || r.Values[0].Text != want {
			t.Errorf("%s is %+v, want %s", src, r.Values, want)
		}
	}
	show(`ctx.Value("k") == nil`, "true")
	eval(t, s, `ctx := context.WithValue(ctx, "k", 1)`)
	show(`ctx.Value("k")`, "1")
	eval(t, s, `ctx, cancel := context.WithCancelCause(ctx)`)
	eval(t, s, `cancel(io.EOF)`)
	show(`fmt.Sprint(ctx.Value("k"), ctx.Err(), context.Cause(ctx))`, "1 context canceled EOF")
	if err := s.Reset(); err != nil {
		t.Fatal(err)
	}
	show(`ctx.Err() == nil`, "true")
}
