package apitest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	. "flinkish/dataflow"
)

// counted has a metric of each kind.
type counted struct {
	seen  *Counter
	rate  *Meter
	sizes *MetricHistogram
	last  int
}

func (c *counted) Open(ctx *RuntimeContext) error {
	g := ctx.MetricGroup()
	c.seen, c.rate = g.Counter("seen"), g.Meter("rate")
	c.sizes = g.AddGroup("in").Histogram("sizes")
	g.AddGroupValue("kind", "int").Gauge("last", func() any { return c.last })
	g.Gauge("broken", func() any { panic("no") })
	g.Counter("seen").Inc(100) // a name of an operator is taken once
	in := g.AddGroupValue("kind", "int")
	said(fmt.Sprint(in.ScopeComponents()), in.AllVariables(), in.MetricIdentifier("last"))
	return nil
}

// said is called by Open.
var said = func(scope string, vars map[string]string, id string) {}

func (c *counted) Map(v int) (int, error) {
	c.seen.Inc()
	c.seen.Inc(2, 3)
	c.seen.Dec(4)
	c.rate.MarkEvent()
	c.sizes.Update(int64(v))
	c.last = v
	return v, nil
}

// userMetrics runs the job of e, whose name is job, and lists what its functions counted.
func userMetrics(t *testing.T, e *StreamExecutionEnvironment) (list []string) {
	t.Helper()
	c, err := e.ExecuteAsync(context.Background(), JobName("job"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Result(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, v := range c.Job().Metrics().Vertices {
		for _, s := range v.Subtasks {
			for _, u := range s.User {
				list = append(list, fmt.Sprintf("%s %s %s = %v", u.Operator, u.Kind, u.Name, u.Value))
			}
		}
	}
	return list
}

func TestMetricsOfFunctionsAreAmongTheNumbersOfTheJob(t *testing.T) {
	var scope, id string
	var vars map[string]string
	said = func(s string, v map[string]string, i string) { scope, vars, id = s, v, i }
	defer func() { said = func(string, map[string]string, string) {} }()
	e := env()
	e.FromElements(10, 20, 30).MapRich(&counted{}).Name("count").MetricVariable("team", "a").AddSinkFunc(func(int) error { return nil })
	got := userMetrics(t, e)
	want := `count counter seen = 6
count meter rate = 3, 0/s
count histogram in.sizes = count 3, min 10, mean 20, p50 20, p95 30, p99 30, max 30
count gauge kind.int.last = 30
count gauge broken = panic: no`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if scope != "[job count 0 kind int]" || id != "job.count.0.kind.int.last" {
		t.Errorf("scope %s, identifier %s", scope, id)
	}
	if vars["<operator_name>"] != "count" || vars["<team>"] != "a" || vars["<kind>"] != "int" || vars["<subtask_index>"] != "0" || vars["<job_name>"] != "job" {
		t.Errorf("variables %v", vars)
	}
}

// paced marks one event a second.
type paced struct{ rate *Meter }

func (p *paced) Open(ctx *RuntimeContext) error { p.rate = ctx.MetricGroup().Meter("rate"); return nil }
func (p *paced) Run(ctx *SourceContext[int]) error {
	for i := range 120 {
		p.rate.MarkEvent(2)
		ctx.Collect(i)
		ctx.Sleep(1e9)
	}
	return nil
}

func TestTheRateOfAMeterIsThatOfTheLastMinute(t *testing.T) {
	e := env()
	e.AddSource(&paced{}).AddSinkFunc(func(int) error { return nil })
	c, err := e.ExecuteAsync(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Result(context.Background()); err != nil {
		t.Fatal(err)
	}
	m := c.Job().Metrics().Vertices[0].Subtasks[0].User[0].Value.(MeterStatistics)
	if m.Count != 240 || m.Rate < 1.9 || m.Rate > 2.1 {
		t.Errorf("got %v, want 240 events and 2 a second", m)
	}
}

// metering is a trigger that fires for every record and counts them.
type metering struct{ seen *Counter }

func (m *metering) OnElement(_ int, _ int64, _ GlobalWindow, ctx *TriggerContext) TriggerResult {
	if m.seen == nil {
		m.seen = ctx.MetricGroup().AddGroup("trigger").Counter("seen")
	}
	m.seen.Inc()
	return FireAndPurge
}
func (m *metering) OnEventTime(int64, GlobalWindow, *TriggerContext) TriggerResult {
	return Continue
}
func (m *metering) OnProcessingTime(int64, GlobalWindow, *TriggerContext) TriggerResult {
	return Continue
}
func (m *metering) Clear(GlobalWindow, *TriggerContext) {}

func TestATriggerHasTheMetricsOfItsOperator(t *testing.T) {
	e := env()
	e.FromElements(1, 2, 3).WindowAll(GlobalWindows()).Trigger(PurgingTrigger(CustomTrigger(&metering{}))).
		Reduce(func(a, b int) int { return a + b }).Name("sum").AddSinkFunc(func(int) error { return nil })
	if got := userMetrics(t, e); fmt.Sprint(got) != "[sum counter trigger.seen = 3]" {
		t.Errorf("got %v", got)
	}
}
