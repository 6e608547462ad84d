package tui

import (
	"context"
	"fmt"
	"sync"

	"flinkish/repl/session"
)

// fake is a session with one scripted job: its numbers depend on the steps taken and on nothing else.
// Only the methods that a dashboard calls are there; another one fails the test by a nil dereference.
type fake struct {
	session.Session
	mu        sync.Mutex
	steps     uint64
	last      uint64 // the step that finishes the job
	status    string
	failure   string
	parallel  bool
	glyphs    session.Glyphs
	advances  []int // sizes that were asked for
	unwinds   int   // a cancelled job ends after so many
	broken    error // of Metrics
	panics    bool  // in Samples
	noSamples bool
}

func newFake() *fake {
	return &fake{status: "RUNNING", last: 100_000, glyphs: session.Unicode, steps: 41870}
}

const clicksID = "0123456789abcdef0123456789abcdef"

func (f *fake) Settings() session.Settings {
	return session.Settings{Engine: session.Deterministic, Seed: 42, Parallelism: 2, Glyphs: f.glyphs}
}

func (f *fake) Jobs() []session.Job {
	f.mu.Lock()
	defer f.mu.Unlock()
	return []session.Job{f.job()}
}

func (f *fake) job() session.Job {
	return session.Job{ID: clicksID, Name: "clicks-by-page", Status: f.status, Deterministic: !f.parallel, Steps: f.steps,
		Done: f.status == "FINISHED" || f.status == "CANCELED" || f.status == "FAILED", Now: start + int64(f.steps), Error: f.failure}
}

const start = 1704103189380 // 2024-01-01 09:59:49.380

func (f *fake) Graph(_ context.Context, job string) (session.Graph, error) {
	task := func(id, name string, par int, ops ...string) session.Task {
		t := session.Task{ID: id, Label: string(rune('A' + id[0] - 'a')), Name: name, Parallelism: par}
		for i, op := range ops {
			t.Operators = append(t.Operators, session.Operator{ID: i, Name: op, Depth: i, Type: "Click", Cell: "3"})
		}
		return t
	}
	return session.Graph{Job: clicksID, Name: "clicks-by-page",
		Tasks: []session.Task{
			task("a", "Source: clicks -> Parse -> Timestamps/WM", 2, "Source: clicks", "Parse", "Timestamps/WM"),
			task("b", "Source: users", 1, "Source: users"),
			task("c", "Enrich", 4, "Enrich"),
			task("d", "Window 10s sum -> Format", 4, "Window 10s sum", "Format"),
			task("e", "Sink: out", 1, "Sink: out"),
			task("f", "Sink: late", 1, "Sink: late"),
		},
		Edges: []session.Edge{
			{From: "a", To: "c", Partitioning: "HASH", Type: "Click"}, {From: "b", To: "c", Partitioning: "BROADCAST", Type: "User"},
			{From: "c", To: "d", Partitioning: "HASH"}, {From: "d", To: "e", Partitioning: "REBALANCE"},
			{From: "d", To: "f", Partitioning: "REBALANCE", Tag: "late"},
		}}, nil
}

func (f *fake) Metrics(_ context.Context, name string) (session.Metrics, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken != nil {
		return session.Metrics{}, f.broken
	}
	if name != "" && name != clicksID && name != clicksID[:8] {
		return session.Metrics{}, fmt.Errorf("no job is called %q; :jobs lists them", name)
	}
	wm := start + int64(f.steps) - 20_250
	sub := func(busy, blocked int, in, out uint64, wms ...int64) session.TaskMetrics {
		t := session.TaskMetrics{In: in, Out: out, Busy: busy, BackPressured: blocked, Idle: 1000 - busy - blocked, Watermark: wms[0]}
		n := uint64(len(wms))
		for i, w := range wms {
			t.Watermark = min(t.Watermark, w)
			t.Subtasks = append(t.Subtasks, session.SubtaskMetrics{Index: i, State: "busy", In: in / n, Out: out / n, Busy: busy,
				BackPressured: blocked, Idle: 1000 - busy - blocked, Queued: 8, QueueCap: 8, Watermark: w, Keys: 1200, Timers: 7})
		}
		return t
	}
	m := session.Metrics{Job: f.job(), Tasks: []session.TaskMetrics{
		sub(80, 920, 0, f.steps, wm, wm+6000), sub(20, 0, 0, 3, session.NoTime), sub(1000, 0, f.steps, f.steps-300, wm+1000, wm+1000, wm, wm+2000),
		sub(210, 0, f.steps-300, 18, wm, wm, wm, wm), sub(10, 0, 18, 0, wm), sub(0, 0, 2, 0, wm),
	}}
	for i := range m.Tasks {
		m.Tasks[i].ID = string(rune('a' + i))
	}
	m.Tasks[3].LateDropped = 2
	m.Tasks[0].Operators = []session.OperatorMetrics{{Name: "Source: clicks", Out: f.steps}, {Name: "Parse", In: f.steps, Out: f.steps}, {Name: "Timestamps/WM", In: f.steps, Out: f.steps}}
	return m, nil
}

func (f *fake) Samples(_ context.Context, _, task string, n int) ([]session.Sample, error) {
	if f.panics {
		panic("samples broke")
	}
	if f.noSamples {
		return nil, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []session.Sample
	for i := range min(n, 8) {
		list = append(list, session.Sample{Text: fmt.Sprintf("{User:u%d Page:/%s\n}", i, task), Type: "Click", Timestamp: start + 1000*int64(i), Subtask: i % 2})
	}
	list[7].Timestamp = session.NoTime
	return list, nil
}

func (f *fake) Advance(_ context.Context, _ string, max int) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.advances = append(f.advances, max)
	if f.status == "CANCELLING" && len(f.advances) > f.unwinds {
		f.status = "CANCELED"
	}
	if f.status != "RUNNING" {
		return 0, nil
	}
	n := min(uint64(max), f.last-f.steps)
	f.steps += n
	if f.steps == f.last {
		f.status = "FINISHED"
	}
	return int(n), nil
}

func (f *fake) Cancel(context.Context, string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status = "CANCELLING"
	return nil
}
