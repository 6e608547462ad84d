package apitest_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/job"
)

// What a function may ask its runtime context, and when; and what becomes of errors at the end.

// adding is an AggregateFunction.
type adding struct{}

func (adding) CreateAccumulator() int { return 0 }
func (adding) Add(v, acc int) int     { return acc + v }
func (adding) GetResult(acc int) int  { return acc }
func (adding) Merge(a, b int) int     { return a + b }

// asks is everything that a runtime context answers.
var asks = map[string]func(ctx *RuntimeContext){
	"JobInfo":              func(ctx *RuntimeContext) { ctx.JobInfo() },
	"TaskInfo":             func(ctx *RuntimeContext) { ctx.TaskInfo() },
	"MetricGroup":          func(ctx *RuntimeContext) { ctx.MetricGroup() },
	"AddAccumulator":       func(ctx *RuntimeContext) { ctx.AddAccumulator("a", NewIntCounter()) },
	"GetAccumulator":       func(ctx *RuntimeContext) { ctx.GetAccumulator("a") },
	"IntCounter":           func(ctx *RuntimeContext) { ctx.IntCounter("i") },
	"LongCounter":          func(ctx *RuntimeContext) { ctx.LongCounter("l") },
	"DoubleCounter":        func(ctx *RuntimeContext) { ctx.DoubleCounter("d") },
	"Histogram":            func(ctx *RuntimeContext) { ctx.Histogram("h") },
	"DistributedCache":     func(ctx *RuntimeContext) { ctx.DistributedCache() },
	"GlobalJobParameters":  func(ctx *RuntimeContext) { ctx.GlobalJobParameters() },
	"IsObjectReuseEnabled": func(ctx *RuntimeContext) { ctx.IsObjectReuseEnabled() },
	"State":                func(ctx *RuntimeContext) { ctx.State(NewValueStateDescriptor[int]("v")) },
	"ListState":            func(ctx *RuntimeContext) { ctx.ListState(NewListStateDescriptor[int]("li")) },
	"MapState":             func(ctx *RuntimeContext) { ctx.MapState(NewMapStateDescriptor[int, int]("m")) },
	"ReducingState": func(ctx *RuntimeContext) {
		ctx.ReducingState(NewReducingStateDescriptor("r", func(a, b int) int { return a + b }))
	},
	"AggregatingState": func(ctx *RuntimeContext) { ctx.AggregatingState(NewAggregatingStateDescriptor("g", adding{})) },
}

func TestAContextThatIsNotThereAnswersNothing(t *testing.T) {
	for name, ask := range asks {
		for _, ctx := range []*RuntimeContext{nil, {}} {
			e := env()
			e.FromElements(1).MapRich(&onOpen{func(*RuntimeContext) { ask(ctx) }})
			_, err := e.Execute(context.Background())
			mistake(t, err, "IllegalState", "not initialised")
			if t.Failed() {
				t.Fatal(name)
			}
		}
	}
}

// curious asks its context for everything at one time of its life.
type curious struct {
	at  string
	ctx *RuntimeContext
}

func (c *curious) ask(at string) error {
	if at != c.at {
		return nil
	}
	for _, ask := range asks {
		ask(c.ctx)
	}
	return nil
}

func (c *curious) Open(ctx *RuntimeContext) error { c.ctx = ctx; return c.ask("open") }
func (c *curious) Map(v int) (int, error)         { return v, c.ask("map") }
func (c *curious) Close() error                   { return c.ask("close") }

func TestAContextAnswersForAsLongAsTheFunctionLives(t *testing.T) {
	for _, at := range []string{"open", "map", "close"} {
		t.Run(at, func(t *testing.T) {
			e := env()
			e.FromElements(1).KeyBy(one).MapRich(&curious{at: at})
			if _, err := e.Execute(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
}

// chained runs three functions in one chain, which fail as they are told to, and shows the diary and the failure.
func chained(t *testing.T, fails [3]string) (string, error) {
	t.Helper()
	d, e := &diary{}, env()
	e.FromElements(1).MapRich(&lived{d, "a", fails[0]}).Name("a").MapRich(&lived{d, "b", fails[1]}).Name("b").AddSink(&lived{d, "c", fails[2]}).Name("c")
	_, err := e.Execute(context.Background())
	return d.String(), err
}

func TestErrorsThatComeWhileAJobFailsAreKept(t *testing.T) {
	const all = "c.open b.open a.open a.map b.map c.invoke c.finish a.close b.close c.close"
	for _, c := range []struct {
		name        string
		fails       [3]string
		did         string
		first, then string
	}{
		{"the only one", [3]string{"", "close", ""}, all, "b close", ""},
		{"the first of two", [3]string{"close", "", "close"}, all, "a close", "c close"},
		{"the first of three", [3]string{"close", "close", "close"}, all, "a close", "b close, c close"},
		{"after a failing record", [3]string{"close", "map", "close"}, "c.open b.open a.open a.map b.map a.close b.close c.close", "b map", "a close, c close"},
		{"after one that did not open", [3]string{"close", "open", "close"}, "c.open b.open a.close b.close c.close", "b open", "a close, c close"},
	} {
		t.Run(c.name, func(t *testing.T) {
			did, err := chained(t, c.fails)
			if did != c.did {
				t.Errorf("got  %s\nwant %s", did, c.did)
			}
			var f *job.Failure
			if !errors.As(err, &f) {
				t.Fatalf("got %v", err)
			}
			words := func(f *job.Failure) string {
				return f.Operator[len(f.Operator)-1:] + strings.TrimPrefix(f.Cause.Error(), "wrong")
			}
			if got := words(f); got != c.first {
				t.Errorf("the failure is %s, want %s", got, c.first)
			}
			var then []string
			for _, s := range f.Suppressed {
				then = append(then, words(s))
			}
			if got := strings.Join(then, ", "); got != c.then {
				t.Errorf("kept are %s, want %s", got, c.then)
			}
			if more := strings.Contains(err.Error(), "; and then "); more != (c.then != "") {
				t.Errorf("the words are %v", err)
			}
		})
	}
}
