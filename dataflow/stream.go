package dataflow

import (
	"fmt"
	"time"

	"flinkish/dataflow/graph"
)

// Stream is every handle with records of type T: an input of Union and Connect.
type Stream[T any] interface{ asDataStream() *DataStream[T] }

// DataStream is a handle on a stream of records of type T (Flink's DataStream). Many handles may share
// one Transformation. Handles belong to the goroutine of their environment.
//
// Records pass by reference inside a chain: a function must not change what a record points to after it
// emitted that record.
type DataStream[T any] struct {
	env  *StreamExecutionEnvironment
	tr   *Transformation
	keys keying[T] // of a keyed stream; nil otherwise
	loop *loop     // of an iterative stream; nil otherwise
}

// SingleOutputStreamOperator is the result of an operator: a stream whose operator can be named, scaled
// and placed (Flink's class of the same name).
type SingleOutputStreamOperator[T any] struct{ DataStream[T] }

// DataStreamSource is the stream of a source (Flink's DataStreamSource).
type DataStreamSource[T any] struct{ SingleOutputStreamOperator[T] }

// SideOutputDataStream is the stream of one side output (Flink's SideOutputDataStream).
type SideOutputDataStream[T any] struct{ DataStream[T] }

// Transformation is one step of the program as data.
type Transformation = graph.Transformation

// Type describes the records of a stream.
type Type = graph.Type

// GraphError is a mistake in how a program was put together.
type GraphError = graph.GraphError

// DefaultBufferTimeout means: as the environment says (Flink's -1).
const DefaultBufferTimeout = graph.DefaultBufferTimeout

// FlushAlways sends every record at once.
const FlushAlways time.Duration = 0

func (d *DataStream[T]) asDataStream() *DataStream[T] { return d }

// ID is the id of the transformation: unique in its environment, in program order from 1.
func (d *DataStream[T]) ID() int { return d.tr.ID }

// Parallelism is the parallelism of the operator behind the stream; a view reports its first input's.
func (d *DataStream[T]) Parallelism() int { return d.tr.Parallelism }

// Type describes the records of the stream. Reading it fixes it: Returns fails afterwards.
func (d *DataStream[T]) Type() Type {
	d.tr.OutRead = true
	return d.tr.Out
}

// Env is the environment that the stream belongs to.
func (d *DataStream[T]) Env() *StreamExecutionEnvironment { return d.env }

// Transformation is the step behind the stream.
func (d *DataStream[T]) Transformation() *Transformation { return d.tr }

// String is the name, the type and the parallelism of the stream.
func (d *DataStream[T]) String() string {
	return fmt.Sprintf("DataStream[%s] of %s, parallelism %d", d.tr.Out, d.tr.Name, d.tr.Parallelism)
}

// Union returns a view of this stream and the others: a consumer reads all of them, in no order between
// them. It makes no operator. A stream may be united with itself; every record then comes twice. Streams of any whose
// records were declared to be of different types are refused.
func (d *DataStream[T]) Union(others ...Stream[T]) *DataStream[T] {
	inputs := []*Transformation{d.tr}
	for _, o := range others {
		if d.env.nilArg(o == nil, "Union", "stream") {
			continue
		}
		s := o.asDataStream()
		if s.env != d.env {
			d.env.fail("IllegalArgument", d.tr.Name, "Union", "the streams belong to different environments; build both from the same one")
			continue
		}
		if typesDiffer(d.tr.Out, s.tr.Out) {
			d.env.fail("IllegalArgument", d.tr.Name, "Union", "the streams must have records of one type, got %s and %s; map the one to the type of the other", d.tr.Out, s.tr.Out)
			continue
		}
		inputs = append(inputs, s.tr)
	}
	t := d.env.transformation(&Transformation{Kind: graph.Union, Name: "Union", Inputs: inputs,
		Parallelism: d.tr.Parallelism, Out: d.tr.Out})
	return &DataStream[T]{env: d.env, tr: t}
}

// operator registers t, which makes records of type R, and returns its stream.
func operator[R any](e *StreamExecutionEnvironment, t *Transformation, opts []TypeOption) *SingleOutputStreamOperator[R] {
	t.Kind = graph.Operator
	t.Out = resultType[R](opts)
	t.Mover = moverOf[R]()
	e.transformation(t)
	e.register(t)
	return &SingleOutputStreamOperator[R]{DataStream[R]{env: e, tr: t}}
}

// unary makes an operator that reads d, with the keys of d when it is keyed.
func unary[T, R any](d *DataStream[T], name string, f unaryFactory, opts []TypeOption) *SingleOutputStreamOperator[R] {
	t := &Transformation{Name: name, Inputs: []*Transformation{d.tr}, Factory: d.factory(f), Keyed: d.keys != nil}
	return operator[R](d.env, t, opts)
}
