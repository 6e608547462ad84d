package dataflow

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"flinkish/dataflow/internal/core"
)

// MetricGroup is where a function registers metrics of its own (Flink's MetricGroup). They are part of the numbers of the job,
// for each subtask; values are taken over between batches of records and when the subtask ends. Two metrics of an operator must
// not have the same groups and name: the later one counts, but is not shown. Groups and metrics belong to the goroutine of the
// subtask.
type MetricGroup struct {
	sub    *core.Subtask
	op     int32
	groups []string
	vars   map[string]string // of the groups with a key
}

// MetricGroup is the group of the operator that the function runs in (getMetricGroup).
func (c *RuntimeContext) MetricGroup() *MetricGroup { return &MetricGroup{sub: c.task(), op: c.op} }

// AddGroup is the group of this name inside this one.
func (g *MetricGroup) AddGroup(name string) *MetricGroup {
	sub := *g
	sub.groups = append(slices.Clone(g.groups), name)
	return &sub
}

// AddGroupValue is the group value inside the group key inside this one; the pair is one of its variables too
// (addGroup(key, value)).
func (g *MetricGroup) AddGroupValue(key, value string) *MetricGroup {
	sub := g.AddGroup(key).AddGroup(value)
	sub.vars = maps.Clone(g.vars)
	if sub.vars == nil {
		sub.vars = map[string]string{}
	}
	sub.vars["<"+key+">"] = value
	return sub
}

// Counter registers a number that goes up and down.
func (g *MetricGroup) Counter(name string) *Counter {
	c := &Counter{}
	g.register(name, "counter", &counterSource{c: c})
	return c
}

// Gauge registers a value that f gives when it is asked for, on the goroutine of the subtask: after each batch of records.
func (g *MetricGroup) Gauge(name string, f func() any) {
	if f != nil {
		g.register(name, "gauge", &gaugeSource{f: f})
	}
}

// Meter registers a rate of events.
func (g *MetricGroup) Meter(name string) *Meter {
	m := newMeter()
	g.register(name, "meter", &meterSource{m: m})
	return m
}

// Histogram registers the distribution of a number.
func (g *MetricGroup) Histogram(name string) *MetricHistogram {
	h := &MetricHistogram{}
	g.register(name, "histogram", &histogramSource{h: h})
	return h
}

func (g *MetricGroup) register(name, kind string, s core.MetricSource) {
	g.sub.Metrics.Add(g.op, strings.Join(append(slices.Clone(g.groups), name), "."), kind, s)
}

// operator is what the chain knows of the operator of the group.
func (g *MetricGroup) operator() core.OperatorInfo {
	if int(g.op) < len(g.sub.Operators) {
		return g.sub.Operators[g.op]
	}
	return core.OperatorInfo{}
}

// ScopeComponents are the parts of the group's name: job, operator, subtask from 0, then the groups.
func (g *MetricGroup) ScopeComponents() []string {
	return append([]string{g.sub.JobName, g.operator().Name, strconv.Itoa(g.sub.Index)}, g.groups...)
}

// MetricIdentifier is the full name of a metric of this group, as in "Flink Streaming Job.Map.0.hits".
func (g *MetricGroup) MetricIdentifier(name string) string {
	return strings.Join(append(g.ScopeComponents(), name), ".")
}

// AllVariables are the variables of the group, such as <operator_name>, with those of MetricVariable and AddGroupValue.
func (g *MetricGroup) AllVariables() map[string]string {
	s, op := g.sub, g.operator()
	vars := map[string]string{"<job_id>": s.JobID, "<job_name>": s.JobName, "<task_name>": s.TaskName, "<operator_name>": op.Name,
		"<subtask_index>": strconv.Itoa(s.Index), "<task_attempt_num>": strconv.Itoa(s.Attempt)}
	for k, v := range op.Variables {
		vars["<"+k+">"] = v
	}
	maps.Copy(vars, g.vars)
	return vars
}
