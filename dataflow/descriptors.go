package dataflow

// Err is the mistake in the making of the descriptor, such as a time to live that is not positive: a *GraphError, or nil.
// A state that is used with it ends the job.
func (d *ValueStateDescriptor[V]) Err() error { return d.ttl.mistake() }

// Err is the mistake in the making of the descriptor; see ValueStateDescriptor.Err.
func (d *ListStateDescriptor[V]) Err() error { return d.ttl.mistake() }

// Err is the mistake in the making of the descriptor; see ValueStateDescriptor.Err.
func (d *MapStateDescriptor[K, V]) Err() error { return d.ttl.mistake() }

// Err is the mistake in the making of the descriptor; see ValueStateDescriptor.Err.
func (d *ReducingStateDescriptor[V]) Err() error { return d.ttl.mistake() }

// Err is the mistake in the making of the descriptor; see ValueStateDescriptor.Err.
func (d *AggregatingStateDescriptor[IN, ACC, OUT]) Err() error { return d.ttl.mistake() }

func (t ttl) mistake() error {
	if t.err == "" {
		return nil
	}
	return &GraphError{Kind: "IllegalArgument", Call: "TTL", Msg: t.err}
}
