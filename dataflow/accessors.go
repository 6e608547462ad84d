package dataflow

// ResourceSpec is what an operator asks of the machine (Flink's ResourceSpec). The local engine reserves nothing, so it is
// always unknown.
type ResourceSpec struct {
	CPUCores   float64
	HeapMemory int64 // bytes
}

// String is UNKNOWN for the zero value, as in Flink.
func (r ResourceSpec) String() string {
	if r == (ResourceSpec{}) {
		return "UNKNOWN"
	}
	return "ResourceSpec{cpu=" + javaFloat(r.CPUCores, 64) + ", heap=" + itoa(int(r.HeapMemory)) + "}"
}

// MinResources is what the operator needs at least.
func (d *DataStream[T]) MinResources() ResourceSpec { return ResourceSpec{} }

// PreferredResources is what the operator would like to have.
func (d *DataStream[T]) PreferredResources() ResourceSpec { return ResourceSpec{} }

// MetricVariable adds a variable to the scope of the operator's metrics (addMetricVariable).
func (s *SingleOutputStreamOperator[T]) MetricVariable(key, value string) *SingleOutputStreamOperator[T] {
	s.tr.AddMetricVariable(key, value)
	return s
}

// MetricVariable adds a variable to the scope of the sink's metrics (addMetricVariable).
func (s *DataStreamSink[T]) MetricVariable(key, value string) *DataStreamSink[T] {
	s.tr.AddMetricVariable(key, value)
	return s
}

// EnableAsyncState marks the operator as one that may use asynchronous state; results do not change. The operator must
// be keyed.
func (s *SingleOutputStreamOperator[T]) EnableAsyncState() *SingleOutputStreamOperator[T] {
	if !s.tr.Keyed {
		s.env.fail("UnsupportedOperation", s.tr.Name, "EnableAsyncState", "%s is not keyed, so it has no state that could be asynchronous; call KeyBy before it", s.tr.Name)
	}
	return s
}

// EnableAsyncState marks the operators of the stream as ones that may use asynchronous state; results do not change.
func (k *KeyedStream[T, K]) EnableAsyncState() *KeyedStream[T, K] { return k }

// KeySelector is the function that the stream is keyed by.
func (k *KeyedStream[T, K]) KeySelector() func(v T) K { return k.keys.(*keySpec[T, K]).sel }

// EnableAsyncState marks the window operator as one that may use asynchronous state; results do not change.
func (w *WindowedStream[T, K, W]) EnableAsyncState() *WindowedStream[T, K, W] { return w }

// Env is the environment that the stream belongs to.
func (w *WindowedStream[T, K, W]) Env() *StreamExecutionEnvironment { return w.in.env }

// InputType describes the records of the windows.
func (w *WindowedStream[T, K, W]) InputType() Type { return w.in.tr.Out }

// Env is the environment that the stream belongs to.
func (w *AllWindowedStream[T, W]) Env() *StreamExecutionEnvironment { return w.keyed.in.env }

// InputType describes the records of the windows.
func (w *AllWindowedStream[T, W]) InputType() Type { return w.keyed.in.tr.Out }

// EnableAsyncState marks the operators of the streams as ones that may use asynchronous state; results do not change.
// Both streams must be keyed.
func (c *ConnectedStreams[A, B]) EnableAsyncState() *ConnectedStreams[A, B] {
	if c.first.keys == nil || c.second.keys == nil {
		c.Env().fail("UnsupportedOperation", c.first.tr.Name, "EnableAsyncState", "both streams must be keyed; call KeyBy on the connected streams first")
	}
	return c
}
