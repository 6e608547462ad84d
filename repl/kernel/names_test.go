package kernel

import (
	"context"
	"strings"
	"testing"

	"flinkish/repl/session"
)

// The structs that a session runs with have other names for the fields that are not exported.
func TestFieldsAreSelectedByTheNamesThatTheCellGaveThem(t *testing.T) {
	s, l := start(t, session.Options{})
	run(t, s, l, "type T struct { id string; N int; Xmin int; in struct{ A int }; On struct{ b, C int } }\nts := env.FromData(T{N: 1, Xmin: 2})\nk := ts.KeyBy(func(t T) string { return t.id })")
	for _, tt := range []struct{ cell, want string }{
		{`ts.KeyByFields("id")`, "field id of T is not exported; begin its name with a capital, or select with a function"},
		{`ts.KeyByFields("Xid")`, `T has no field "Xid"; it has N, Xmin, On`},
		{`ts.KeyByFields("in.A")`, "field in of T is not exported"},
		{`ts.KeyByFields("On.b")`, "field b of the field On is not exported"},
		{`ts.KeyByFields("On.Xb")`, `the field On has no field "Xb"; it has C`},
		{`k.MinByField("id")`, "field id of T is not exported"},
		{`ts.FullWindowPartition().SortPartitionByField("Xid", Ascending)`, `T has no field "Xid"; it has N, Xmin, On`},
		{`ts.KeyByPositions(0)`, "T is not a tuple"},
		{`env.FromData(&T{}).KeyByFields("Xid")`, `T has no field "Xid"; it has N, Xmin, On`},
	} {
		r := s.Eval(context.Background(), session.Cell{Source: tt.cell}, l.event)
		if r.OK || !strings.Contains(r.Diagnostic.Message, tt.want) {
			t.Errorf("%s: got %v, want %s", tt.cell, r.Diagnostic, tt.want)
		}
	}
	l.take()
	run(t, s, l, `ts.KeyByFields("Xmin", "on.c").SumField("n").Print()`+"\nenv.Execute(ctx)")
	if got := l.take(); got != "stdout:{ 1 2 {0} {0 0}}\n" {
		t.Errorf("got %s", got)
	}
}

func TestDocumentationOfTypesAndOfNamesThatAreElsewhere(t *testing.T) {
	s, _ := start(t, session.Options{})
	for _, tt := range []struct{ name, want string }{
		{"Order", "Constants: Ascending, Descending."},
		{"TriggerResult", "Constants: Continue, "},
		{"TriggerResult", "type TriggerResult\n"},
		{"Window", "type Window\n"},
		{"DataStream.IntervalJoin", "DataStream has no IntervalJoin; there is :doc KeyedStream.IntervalJoin"},
		{"KeydStream", "did you mean :doc KeyedStream?"},
		{"Nope", "undefined: Nope"},
	} {
		text, err := s.Doc(context.Background(), tt.name)
		if err != nil {
			text = err.Error()
		}
		if !strings.Contains(text, tt.want) {
			t.Errorf("%s: got\n%s\nwant in it %s", tt.name, text, tt.want)
		}
	}
}

func TestAnInterruptedCellNamesTheFunctionThatDoesNotReturn(t *testing.T) {
	for _, engine := range []session.Engine{session.Deterministic, session.Parallel} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel() // the engine waits a while before it gives up
			s, l := start(t, session.Options{Engine: engine})
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			r := s.Eval(ctx, session.Cell{Source: "in, out := io.Pipe()\n" +
				`env.FromElements(1).Map(func(v int) int { fmt.Println("on"); in.Read(make([]byte, 1)); return v }).Name("reader").Print()` +
				"\nenv.Execute(ctx)"}, func(e session.Event) {
				if e.Text == "on\n" {
					cancel()
				}
			})
			const want = "interrupted, but a function of Source: Collection Source -> reader -> Sink: Print to Std. Out (1/1) does not return; it goes on in the background"
			if d := r.Diagnostic; r.OK || d == nil || d.Kind != session.Interrupted || d.Message != want || d.Stuck == "" {
				t.Errorf("got %+v, want %s", d, want)
			}
			l.take()
			run(t, s, l, "out.Close()")
		})
	}
}
