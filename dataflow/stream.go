package dataflow

import (
	"time"

	"flinkish/dataflow/graph"
)

// Stream is every handle with records of type T: an input of Union, Connect, Join and CloseWith.
type Stream[T any] interface{ asDataStream() *DataStream[T] }

// DataStream is a handle on a stream of records of type T (Flink's DataStream). Many handles may share
// one Transformation. A handle may be used by one goroutine at a time.
type DataStream[T any] struct {
	env  *StreamExecutionEnvironment
	tr   *Transformation
	keys keying // set on a keyed stream only
}

// SingleOutputStreamOperator is the result of an operator: a stream whose operator can be named, scaled
// and placed (Flink's class of the same name).
type SingleOutputStreamOperator[T any] struct{ DataStream[T] }

// DataStreamSource is the stream of a source (Flink's DataStreamSource).
type DataStreamSource[T any] struct{ SingleOutputStreamOperator[T] }

// SideOutputDataStream is the stream of one side output (Flink's SideOutputDataStream).
type SideOutputDataStream[T any] struct{ DataStream[T] }

// DataStreamSink is the end of a stream (Flink's DataStreamSink).
type DataStreamSink[T any] struct {
	env *StreamExecutionEnvironment
	tr  *Transformation
}

// Transformation is one step of the program as data.
type Transformation = graph.Transformation

// Type describes the records of a stream.
type Type = graph.Type

// GraphError is an error of the program's graph; see graph.Error.
type GraphError = graph.GraphError

// DefaultBufferTimeout means: as the environment says (Flink's -1).
const DefaultBufferTimeout = graph.DefaultBufferTimeout

// FlushAlways sends every record at once.
const FlushAlways time.Duration = 0

// keying knows how to run an operator with the keys of a keyed stream.
type keying interface{}

func (d *DataStream[T]) asDataStream() *DataStream[T] { return d }
