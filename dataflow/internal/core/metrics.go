package core

import "sync"

// Metric is one metric that a function of a subtask registered.
type Metric struct {
	Op    int32  // position of the operator in the chain
	Name  string // with the names of its groups, as in "cache.hits"
	Kind  string // counter, gauge, meter, histogram
	Value any    // as it was when the task last published
}

// MetricSource is where the value of a metric comes from. What only a reader needs, such as statistics or a value as any, is made
// in Value: a task publishes after every batch, and mostly nobody looks.
type MetricSource interface {
	// Publish copies the value to where Value finds it; now is the processing time in milliseconds. It is called by the
	// subtask's goroutine, so that what a function counts needs no lock.
	Publish(now int64)
	// Value is the value that was copied last. Safe from every goroutine.
	Value() any
}

// Registry holds the metrics of the functions of one subtask. Add, Publish and Freeze belong to the subtask's goroutine.
type Registry struct {
	mu  sync.Mutex // guards all against readers; only Add changes it
	all []registered
}

type registered struct {
	Metric
	source MetricSource
}

// Add registers a metric, which is not shown when the operator has one of that name already.
func (r *Registry) Add(op int32, name, kind string, s MetricSource) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.all {
		if m.Op == op && m.Name == name {
			return
		}
	}
	r.all = append(r.all, registered{Metric{Op: op, Name: name, Kind: kind}, s})
}

// Publish publishes every metric; now gives the processing time in milliseconds.
func (r *Registry) Publish(now func() int64) {
	if len(r.all) == 0 {
		return
	}
	at := now()
	for _, m := range r.all { // without the lock: a gauge is code of the user
		m.source.Publish(at)
	}
}

// Freeze keeps the values as they were last published and lets go of the functions that they came from.
func (r *Registry) Freeze() {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]registered, len(r.all)) // a new one: a reader may hold the old one
	for i, m := range r.all {
		all[i] = registered{m.Metric, frozen{m.source.Value()}}
	}
	r.all = all
}

// frozen is the value of a metric of a task that has ended.
type frozen struct{ value any }

func (frozen) Publish(int64) {}
func (f frozen) Value() any  { return f.value }

// Values are the metrics as they were last published, in the order in which they were added. Safe from every goroutine.
func (r *Registry) Values() []Metric {
	r.mu.Lock()
	all := r.all
	r.mu.Unlock()
	var values []Metric
	for _, m := range all {
		m.Value = m.source.Value()
		values = append(values, m.Metric)
	}
	return values
}
