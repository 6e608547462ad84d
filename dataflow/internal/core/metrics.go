package core

import "sync"

// Metric is one metric that a function of a subtask registered.
type Metric struct {
	Op    int32  // position of the operator in the chain
	Name  string // with the names of its groups, as in "cache.hits"
	Kind  string // counter, gauge, meter, histogram
	Value any    // as it was when the task last published
}

// Registry holds the metrics of the functions of one subtask. Add and Publish belong to the subtask's goroutine, so that what
// a function counts needs no lock.
type Registry struct {
	read []func(now int64) any // by position in all

	mu  sync.Mutex // guards all
	all []Metric
}

// Add registers a metric; read is called whenever the task publishes. It reports false when the operator has one of that name.
func (r *Registry) Add(op int32, name, kind string, read func(now int64) any) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.all {
		if m.Op == op && m.Name == name {
			return false
		}
	}
	r.read = append(r.read, read)
	r.all = append(r.all, Metric{Op: op, Name: name, Kind: kind})
	return true
}

// Publish reads every metric; now is the processing time in milliseconds.
func (r *Registry) Publish(now func() int64) {
	if len(r.read) == 0 {
		return
	}
	at := now()
	values := make([]any, len(r.read))
	for i, read := range r.read { // without the lock: a gauge is code of the user
		values[i] = read(at)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, v := range values {
		r.all[i].Value = v
	}
}

// Values are the metrics as they were last published, in the order in which they were added. Safe from every goroutine.
func (r *Registry) Values() []Metric {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Metric(nil), r.all...)
}
