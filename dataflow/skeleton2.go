package dataflow

import (
	"iter"
	"time"
)

func (c *RuntimeContext) IntCounter(name string) *IntCounter { return nil }

type IntCounter struct{ n int64 }

func (c *IntCounter) Add(n int64)  {}
func (c *IntCounter) Local() int64 { return 0 }

type evictorOptions struct{}

type ProcessAllWindowFunction[T, R any, W Window] interface {
	Process(ctx *ProcessWindowContext[W], vs iter.Seq[T], out Collector[R]) error
}

func (w *WindowedStream[T, K, W]) Sum(pos int) *SingleOutputStreamOperator[T]          { return nil }
func (w *WindowedStream[T, K, W]) SumField(name string) *SingleOutputStreamOperator[T] { return nil }
func (w *WindowedStream[T, K, W]) Min(pos int) *SingleOutputStreamOperator[T]          { return nil }
func (w *WindowedStream[T, K, W]) MinField(name string) *SingleOutputStreamOperator[T] { return nil }
func (w *WindowedStream[T, K, W]) Max(pos int) *SingleOutputStreamOperator[T]          { return nil }
func (w *WindowedStream[T, K, W]) MaxField(name string) *SingleOutputStreamOperator[T] { return nil }
func (w *WindowedStream[T, K, W]) MinBy(pos int, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}
func (w *WindowedStream[T, K, W]) MinByField(name string, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}
func (w *WindowedStream[T, K, W]) MaxBy(pos int, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}
func (w *WindowedStream[T, K, W]) MaxByField(name string, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}

type AllWindowedStream[T any, W Window] struct{}

func (w *AllWindowedStream[T, W]) Trigger(t AnyTrigger) *AllWindowedStream[T, W]            { return w }
func (w *AllWindowedStream[T, W]) Evictor(e AnyEvictor) *AllWindowedStream[T, W]            { return w }
func (w *AllWindowedStream[T, W]) AllowedLateness(d time.Duration) *AllWindowedStream[T, W] { return w }
func (w *AllWindowedStream[T, W]) SideOutputLateData(tag OutputTag[T]) *AllWindowedStream[T, W] {
	return w
}
func (w *AllWindowedStream[T, W]) Reduce(f func(a, b T) T) *SingleOutputStreamOperator[T] { return nil }
func (w *AllWindowedStream[T, W]) ReduceWith[R any](f func(a, b T) T, wf ProcessAllWindowFunction[T, R, W], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (w *AllWindowedStream[T, W]) Aggregate[ACC, R any](f AggregateFunction[T, ACC, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (w *AllWindowedStream[T, W]) AggregateWith[ACC, V, R any](f AggregateFunction[T, ACC, V], wf ProcessAllWindowFunction[V, R, W], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (w *AllWindowedStream[T, W]) Apply[R any](f func(w W, vs iter.Seq[T], out Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (w *AllWindowedStream[T, W]) Process[R any](f ProcessAllWindowFunction[T, R, W], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (w *AllWindowedStream[T, W]) Sum(pos int) *SingleOutputStreamOperator[T]          { return nil }
func (w *AllWindowedStream[T, W]) SumField(name string) *SingleOutputStreamOperator[T] { return nil }
func (w *AllWindowedStream[T, W]) Min(pos int) *SingleOutputStreamOperator[T]          { return nil }
func (w *AllWindowedStream[T, W]) MinField(name string) *SingleOutputStreamOperator[T] { return nil }
func (w *AllWindowedStream[T, W]) Max(pos int) *SingleOutputStreamOperator[T]          { return nil }
func (w *AllWindowedStream[T, W]) MaxField(name string) *SingleOutputStreamOperator[T] { return nil }
func (w *AllWindowedStream[T, W]) MinBy(pos int, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}
func (w *AllWindowedStream[T, W]) MinByField(name string, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}
func (w *AllWindowedStream[T, W]) MaxBy(pos int, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}
func (w *AllWindowedStream[T, W]) MaxByField(name string, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}

// Connected streams.
type ConnectedStreams[A, B any] struct{}
type CoMapFunction[A, B, R any] interface {
	Map1(v A) (R, error)
	Map2(v B) (R, error)
}
type CoFlatMapFunction[A, B, R any] interface {
	FlatMap1(v A, out Collector[R]) error
	FlatMap2(v B, out Collector[R]) error
}
type CoProcessFunction[A, B, R any] interface {
	ProcessElement1(v A, ctx *ProcessContext, out Collector[R]) error
	ProcessElement2(v B, ctx *ProcessContext, out Collector[R]) error
}
type KeyedCoProcessFunction[K comparable, A, B, R any] interface {
	ProcessElement1(v A, ctx *KeyedContext[K], out Collector[R]) error
	ProcessElement2(v B, ctx *KeyedContext[K], out Collector[R]) error
}

func (c *ConnectedStreams[A, B]) KeyBy[K comparable](f func(A) K, g func(B) K, opts ...KeyOption) *ConnectedStreams[A, B] {
	return c
}
func (c *ConnectedStreams[A, B]) Env() *StreamExecutionEnvironment { return nil }
func (c *ConnectedStreams[A, B]) First() *DataStream[A]            { return nil }
func (c *ConnectedStreams[A, B]) Second() *DataStream[B]           { return nil }
func (c *ConnectedStreams[A, B]) Map[R any](f func(A) R, g func(B) R, opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (c *ConnectedStreams[A, B]) FlatMap[R any](f func(A, Collector[R]), g func(B, Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (c *ConnectedStreams[A, B]) Process[R any](f CoProcessFunction[A, B, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (c *ConnectedStreams[A, B]) ProcessKeyed[K comparable, R any](f KeyedCoProcessFunction[K, A, B, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
