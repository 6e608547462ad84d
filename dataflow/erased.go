package dataflow

import (
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/engine"
	"flinkish/dataflow/job"
)

// Erased makes streams for a session, whose streams are all streams of any: the calls below have a result
// that is fixed to another type. Programs have no use for it.
type Erased struct{}

// ReadTextFile is StreamExecutionEnvironment.ReadTextFile.
func (Erased) ReadTextFile(e *StreamExecutionEnvironment, path string, opts ...FileOption) *DataStreamSource[any] {
	return textFile(e, path, opts, func(line string) any { return line })
}

// FromSequence is StreamExecutionEnvironment.FromSequence.
func (Erased) FromSequence(e *StreamExecutionEnvironment, from, to int64) *DataStreamSource[any] {
	return sequence(e, from, to, func(emit core.Emit[any]) core.Emit[int64] { return func(n, ts int64) { emit(n, ts) } })
}

// GenerateSequence is StreamExecutionEnvironment.GenerateSequence.
func (Erased) GenerateSequence(e *StreamExecutionEnvironment, from, to int64) *DataStreamSource[any] {
	return interleaved(e, from, to, func(n int64) any { return n })
}

// SocketTextStream is StreamExecutionEnvironment.SocketTextStream.
func (Erased) SocketTextStream(e *StreamExecutionEnvironment, addr string, opts ...SocketOption) *DataStreamSource[any] {
	return socketLines(e, addr, opts, func(line string) any { return line })
}

// KeyByFields is DataStream.KeyByFields.
func (Erased) KeyByFields(d Stream[any], expr ...string) *KeyedStream[any, any] {
	return keyByNames(d.asDataStream(), expr, untypedKey)
}

// KeyByPositions is DataStream.KeyByPositions.
func (Erased) KeyByPositions(d Stream[any], pos ...int) *KeyedStream[any, any] {
	return keyByNumbers(d.asDataStream(), pos, untypedKey)
}

// CoKeyByFields is ConnectedStreams.KeyByFields.
func (Erased) CoKeyByFields(c *ConnectedStreams[any, any], first, second []string) *ConnectedStreams[any, any] {
	return coKeyByNames(c, first, second, untypedKey)
}

// CoKeyByPositions is ConnectedStreams.KeyByPositions.
func (Erased) CoKeyByPositions(c *ConnectedStreams[any, any], first, second []int) *ConnectedStreams[any, any] {
	return coKeyByNumbers(c, first, second, untypedKey)
}

// Project is DataStream.Project.
func (Erased) Project(d Stream[any], fields ...int) *SingleOutputStreamOperator[any] {
	return project(d.asDataStream(), fields, untypedKey)
}

// CallKey says which type the type parameter K of the next call has in the cell, where the running program has any:
// ProcessKeyed, PartitionCustomByField and PartitionCustomByPosition.
func (Erased) CallKey(e *StreamExecutionEnvironment, k Type) { e.callKey = k }

// keyParam is the type that the caller has for K: in a session the one that CallKey gave.
func keyParam[K any](e *StreamExecutionEnvironment) Type {
	t := e.callKey
	e.callKey = nil
	if t == nil {
		return TypeOf[K]()
	}
	return t
}

func untypedKey(t Tuple) any { return t }

func tupleKey(t Tuple) Tuple { return t }

// OnFailure registers a function that may reword the cause of a job's failure: an interpreter's panics are not Go's. It
// runs in the goroutine in which user code failed. Jobs submitted later are affected.
func (Erased) OnFailure(e *StreamExecutionEnvironment, f func(*job.Failure)) { e.onFailure = f }

// OnCall registers a function that says which statement of a cell runs; what it says goes with the steps that are made meanwhile,
// and comes back in the failure of one of them.
func (Erased) OnCall(e *StreamExecutionEnvironment, f func() any) { e.place = f }

// Running is how many jobs of the process, of whatever environment, advance without being driven. Any goroutine may call it.
func (Erased) Running() int { return engine.Running() }

// Driving is how many deterministic jobs of the process take steps at the moment, and how many goroutines wait for that. Any
// goroutine may call it.
func (Erased) Driving() (jobs, waiters int) { return engine.Driving() }
