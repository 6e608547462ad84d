package dataflow

import (
	"context"
	"io"
	"iter"
	"time"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/job"
)

type StreamExecutionEnvironment struct{ err error }
type EnvOption func(*StreamExecutionEnvironment)
type ExecuteOption func(*executeOptions)
type executeOptions struct{ name string }
type RuntimeMode uint8

const (
	Streaming RuntimeMode = iota
	Batch
	Automatic
)

func NewEnv(opts ...EnvOption) *StreamExecutionEnvironment { return &StreamExecutionEnvironment{} }
func WithParallelism(n int) EnvOption                      { return nil }
func WithDeterministic(seed uint64) EnvOption              { return nil }
func WithParallelScheduler() EnvOption                     { return nil }
func WithClock(now func() time.Time) EnvOption             { return nil }
func WithOutput(stdout, stderr io.Writer) EnvOption        { return nil }
func WithBatchSize(records int) EnvOption                  { return nil }
func JobName(name string) ExecuteOption                    { return nil }

func (e *StreamExecutionEnvironment) Configure(opts ...EnvOption) *StreamExecutionEnvironment {
	return e
}
func (e *StreamExecutionEnvironment) SetParallelism(n int) *StreamExecutionEnvironment    { return e }
func (e *StreamExecutionEnvironment) SetMaxParallelism(n int) *StreamExecutionEnvironment { return e }
func (e *StreamExecutionEnvironment) SetBufferTimeout(d time.Duration) *StreamExecutionEnvironment {
	return e
}
func (e *StreamExecutionEnvironment) SetRuntimeMode(m RuntimeMode) *StreamExecutionEnvironment {
	return e
}
func (e *StreamExecutionEnvironment) SetAutoWatermarkInterval(d time.Duration) *StreamExecutionEnvironment {
	return e
}
func (e *StreamExecutionEnvironment) DisableOperatorChaining() *StreamExecutionEnvironment { return e }
func (e *StreamExecutionEnvironment) Parallelism() int                                     { return 0 }
func (e *StreamExecutionEnvironment) MaxParallelism() int                                  { return 0 }
func (e *StreamExecutionEnvironment) ChainingEnabled() bool                                { return false }
func (e *StreamExecutionEnvironment) BufferTimeout() time.Duration                         { return 0 }
func (e *StreamExecutionEnvironment) Deterministic() bool                                  { return false }
func (e *StreamExecutionEnvironment) Err() error                                           { return e.err }
func (e *StreamExecutionEnvironment) TakeErr() error                                       { return nil }
func (e *StreamExecutionEnvironment) Close() error                                         { return nil }
func (e *StreamExecutionEnvironment) OnJob(f func(job.Job))                                {}
func (e *StreamExecutionEnvironment) SetCell(cell string)                                  {}
func (e *StreamExecutionEnvironment) RemoveCell(cell string)                               {}
func (e *StreamExecutionEnvironment) Execute(ctx context.Context, opts ...ExecuteOption) (*JobExecutionResult, error) {
	return nil, nil
}
func (e *StreamExecutionEnvironment) ExecuteAsync(ctx context.Context, opts ...ExecuteOption) (*JobClient, error) {
	return nil, nil
}
func (e *StreamExecutionEnvironment) ExecutionPlan() (string, error)                   { return "", nil }
func (e *StreamExecutionEnvironment) StreamGraph() (*graph.StreamGraph, error)         { return nil, nil }
func (e *StreamExecutionEnvironment) JobGraph() (*graph.JobGraph, error)               { return nil, nil }
func (e *StreamExecutionEnvironment) FromElements[T any](vs ...T) *DataStreamSource[T] { return nil }
func (e *StreamExecutionEnvironment) FromData[T any](vs ...T) *DataStreamSource[T]     { return nil }
func (e *StreamExecutionEnvironment) FromSlice[T any](vs []T) *DataStreamSource[T]     { return nil }
func (e *StreamExecutionEnvironment) FromSeq[T any](seq iter.Seq[T]) *DataStreamSource[T] {
	return nil
}
func (e *StreamExecutionEnvironment) FromSequence(from, to int64) *DataStreamSource[int64] {
	return nil
}
func (e *StreamExecutionEnvironment) ReadTextFile(path string) *DataStreamSource[string] { return nil }
func (e *StreamExecutionEnvironment) ReadCSV[T any](path string) *DataStreamSource[T]    { return nil }
func (e *StreamExecutionEnvironment) ReadJSONLines[T any](path string) *DataStreamSource[T] {
	return nil
}

type JobExecutionResult struct{}

func (r *JobExecutionResult) JobID() string                       { return "" }
func (r *JobExecutionResult) NetRuntime() time.Duration           { return 0 }
func (r *JobExecutionResult) AllAccumulators() map[string]any     { return nil }
func (r *JobExecutionResult) Accumulator(name string) (any, bool) { return nil, false }

type JobClient struct{}
type JobStatus = job.Status

func (c *JobClient) ID() string                                               { return "" }
func (c *JobClient) Status(ctx context.Context) (JobStatus, error)            { return "", nil }
func (c *JobClient) Cancel(ctx context.Context) error                         { return nil }
func (c *JobClient) Result(ctx context.Context) (*JobExecutionResult, error)  { return nil, nil }
func (c *JobClient) Accumulators(ctx context.Context) (map[string]any, error) { return nil, nil }
func (c *JobClient) Job() job.Job                                             { return nil }

type TypeOption func(*typeOptions)
type KeyOption func(*keyOptions)
type typeOptions struct{ t Type }
type keyOptions struct{ t Type }

func TypeOf[T any]() Type        { return nil }
func WithType(t Type) TypeOption { return nil }
func KeyType(t Type) KeyOption   { return nil }

type Collector[T any] interface{ Collect(v T) }

func (d *DataStream[T]) ID() int                                  { return 0 }
func (d *DataStream[T]) Parallelism() int                         { return 0 }
func (d *DataStream[T]) Type() Type                               { return nil }
func (d *DataStream[T]) Env() *StreamExecutionEnvironment         { return d.env }
func (d *DataStream[T]) Transformation() *Transformation          { return d.tr }
func (d *DataStream[T]) String() string                           { return "" }
func (d *DataStream[T]) Union(others ...Stream[T]) *DataStream[T] { return nil }
func (d *DataStream[T]) Connect[R any](o Stream[R]) *ConnectedStreams[T, R] {
	return nil
}
func (d *DataStream[T]) KeyBy[K comparable](f func(T) K, opts ...KeyOption) *KeyedStream[T, K] {
	return nil
}
func (d *DataStream[T]) KeyByPositions(pos ...int) *KeyedStream[T, Tuple]  { return nil }
func (d *DataStream[T]) KeyByFields(expr ...string) *KeyedStream[T, Tuple] { return nil }
func (d *DataStream[T]) PartitionCustom[K any](p func(key K, n int) int, key func(T) K) *DataStream[T] {
	return nil
}
func (d *DataStream[T]) Broadcast() *DataStream[T] { return nil }
func (d *DataStream[T]) Shuffle() *DataStream[T]   { return nil }
func (d *DataStream[T]) Forward() *DataStream[T]   { return nil }
func (d *DataStream[T]) Rebalance() *DataStream[T] { return nil }
func (d *DataStream[T]) Rescale() *DataStream[T]   { return nil }
func (d *DataStream[T]) Global() *DataStream[T]    { return nil }
func (d *DataStream[T]) Map[R any](f func(T) R, opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (d *DataStream[T]) MapE[R any](f func(T) (R, error), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (d *DataStream[T]) MapRich[R any](f MapFunction[T, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (d *DataStream[T]) FlatMap[R any](f func(T, Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (d *DataStream[T]) FlatMapE[R any](f func(T, Collector[R]) error, opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (d *DataStream[T]) FlatMapRich[R any](f FlatMapFunction[T, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (d *DataStream[T]) FlatMapSeq[R any](f func(T) iter.Seq[R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (d *DataStream[T]) Filter(f func(T) bool) *SingleOutputStreamOperator[T]           { return nil }
func (d *DataStream[T]) FilterE(f func(T) (bool, error)) *SingleOutputStreamOperator[T] { return nil }
func (d *DataStream[T]) FilterRich(f FilterFunction[T]) *SingleOutputStreamOperator[T]  { return nil }
func (d *DataStream[T]) Process[R any](f ProcessFunction[T, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (d *DataStream[T]) ProcessFunc[R any](f func(v T, ctx *ProcessContext, out Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (d *DataStream[T]) AssignTimestampsAndWatermarks(s WatermarkStrategy[T]) *SingleOutputStreamOperator[T] {
	return nil
}
func (d *DataStream[T]) WindowAll[W Window](a WindowAssigner[W]) *AllWindowedStream[T, W] { return nil }
func (d *DataStream[T]) CountWindowAll(n int64, opts ...CountOption) *AllWindowedStream[T, GlobalWindow] {
	return nil
}
func (d *DataStream[T]) Print(opts ...PrintOption) *DataStreamSink[T]      { return nil }
func (d *DataStream[T]) PrintToErr(opts ...PrintOption) *DataStreamSink[T] { return nil }
func (d *DataStream[T]) AddSink(f SinkFunction[T]) *DataStreamSink[T]      { return nil }
func (d *DataStream[T]) AddSinkFunc(f func(v T) error) *DataStreamSink[T]  { return nil }
func (d *DataStream[T]) ExecuteAndCollect(ctx context.Context, opts ...ExecuteOption) (*CloseableIterator[T], error) {
	return nil, nil
}
func (d *DataStream[T]) ExecuteAndCollectLimit(ctx context.Context, n int, opts ...ExecuteOption) ([]T, error) {
	return nil, nil
}
func (d *DataStream[T]) CollectAsync() *CloseableIterator[T]    { return nil }
func (d *DataStream[T]) CollectAsyncInto(c *StreamCollector[T]) {}

type MapFunction[T, R any] interface{ Map(v T) (R, error) }
type FlatMapFunction[T, R any] interface {
	FlatMap(v T, out Collector[R]) error
}
type FilterFunction[T any] interface{ Filter(v T) (bool, error) }
type ProcessFunction[T, R any] interface {
	ProcessElement(v T, ctx *ProcessContext, out Collector[R]) error
}
type KeyedProcessFunction[K comparable, T, R any] interface {
	ProcessElement(v T, ctx *KeyedContext[K], out Collector[R]) error
}
type SinkFunction[T any] interface {
	Invoke(v T, ctx *SinkContext) error
}
type SinkContext struct{}

func (c *SinkContext) CurrentProcessingTime() int64 { return 0 }
func (c *SinkContext) CurrentWatermark() int64      { return 0 }
func (c *SinkContext) Timestamp() (int64, bool)     { return 0, false }

type PrintOption func(*printOptions)
type printOptions struct{}

func Identifier(s string) PrintOption { return nil }

type CloseableIterator[T any] struct{}

func (it *CloseableIterator[T]) Next(ctx context.Context) (v T, ok bool, err error) { return }
func (it *CloseableIterator[T]) All() iter.Seq2[T, error]                           { return nil }
func (it *CloseableIterator[T]) Close() error                                       { return nil }

type StreamCollector[T any] struct{ it *CloseableIterator[T] }

func (c *StreamCollector[T]) Output() (*CloseableIterator[T], error) { return nil, nil }

func (s *SingleOutputStreamOperator[T]) OpName() string                                     { return "" }
func (s *SingleOutputStreamOperator[T]) Name(name string) *SingleOutputStreamOperator[T]    { return s }
func (s *SingleOutputStreamOperator[T]) UID(uid string) *SingleOutputStreamOperator[T]      { return s }
func (s *SingleOutputStreamOperator[T]) UIDHash(hash string) *SingleOutputStreamOperator[T] { return s }
func (s *SingleOutputStreamOperator[T]) SetParallelism(n int) *SingleOutputStreamOperator[T] {
	return s
}
func (s *SingleOutputStreamOperator[T]) SetMaxParallelism(n int) *SingleOutputStreamOperator[T] {
	return s
}
func (s *SingleOutputStreamOperator[T]) ForceNonParallel() *SingleOutputStreamOperator[T] { return s }
func (s *SingleOutputStreamOperator[T]) SetBufferTimeout(d time.Duration) *SingleOutputStreamOperator[T] {
	return s
}
func (s *SingleOutputStreamOperator[T]) StartNewChain() *SingleOutputStreamOperator[T]   { return s }
func (s *SingleOutputStreamOperator[T]) DisableChaining() *SingleOutputStreamOperator[T] { return s }
func (s *SingleOutputStreamOperator[T]) SlotSharingGroup(name string) *SingleOutputStreamOperator[T] {
	return s
}
func (s *SingleOutputStreamOperator[T]) Description(text string) *SingleOutputStreamOperator[T] {
	return s
}
func (s *SingleOutputStreamOperator[T]) Returns(t Type) *SingleOutputStreamOperator[T] { return s }
func (s *SingleOutputStreamOperator[T]) GetSideOutput[X any](tag OutputTag[X]) *SideOutputDataStream[X] {
	return nil
}
func (s *DataStreamSink[T]) Name(name string) *DataStreamSink[T]             { return s }
func (s *DataStreamSink[T]) UID(uid string) *DataStreamSink[T]               { return s }
func (s *DataStreamSink[T]) UIDHash(hash string) *DataStreamSink[T]          { return s }
func (s *DataStreamSink[T]) SetParallelism(n int) *DataStreamSink[T]         { return s }
func (s *DataStreamSink[T]) SetMaxParallelism(n int) *DataStreamSink[T]      { return s }
func (s *DataStreamSink[T]) DisableChaining() *DataStreamSink[T]             { return s }
func (s *DataStreamSink[T]) SlotSharingGroup(name string) *DataStreamSink[T] { return s }
func (s *DataStreamSink[T]) Description(text string) *DataStreamSink[T]      { return s }
func (s *DataStreamSink[T]) Transformation() *Transformation                 { return s.tr }

type OutputTag[T any] struct {
	id string
	t  Type
}

func NewOutputTag[T any](id string, opts ...TypeOption) OutputTag[T] { return OutputTag[T]{id: id} }
func (t OutputTag[T]) ID() string                                    { return t.id }
func (t OutputTag[T]) String() string                                { return "" }

type KeyedStream[T any, K comparable] struct{ DataStream[T] }

func (k *KeyedStream[T, K]) KeyType() Type                                          { return nil }
func (k *KeyedStream[T, K]) Reduce(f func(a, b T) T) *SingleOutputStreamOperator[T] { return nil }
func (k *KeyedStream[T, K]) ReduceE(f func(a, b T) (T, error)) *SingleOutputStreamOperator[T] {
	return nil
}
func (k *KeyedStream[T, K]) ReduceRich(f ReduceFunction[T]) *SingleOutputStreamOperator[T] {
	return nil
}
func (k *KeyedStream[T, K]) Sum(pos int) *SingleOutputStreamOperator[T]          { return nil }
func (k *KeyedStream[T, K]) SumField(name string) *SingleOutputStreamOperator[T] { return nil }
func (k *KeyedStream[T, K]) Min(pos int) *SingleOutputStreamOperator[T]          { return nil }
func (k *KeyedStream[T, K]) MinField(name string) *SingleOutputStreamOperator[T] { return nil }
func (k *KeyedStream[T, K]) Max(pos int) *SingleOutputStreamOperator[T]          { return nil }
func (k *KeyedStream[T, K]) MaxField(name string) *SingleOutputStreamOperator[T] { return nil }
func (k *KeyedStream[T, K]) MinBy(pos int, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}
func (k *KeyedStream[T, K]) MinByField(name string, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}
func (k *KeyedStream[T, K]) MaxBy(pos int, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}
func (k *KeyedStream[T, K]) MaxByField(name string, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}
func (k *KeyedStream[T, K]) ProcessKeyed[R any](f KeyedProcessFunction[K, T, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (k *KeyedStream[T, K]) ProcessKeyedFunc[R any](f func(v T, ctx *KeyedContext[K], out Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (k *KeyedStream[T, K]) Window[W Window](a WindowAssigner[W]) *WindowedStream[T, K, W] {
	return nil
}
func (k *KeyedStream[T, K]) CountWindow(n int64, opts ...CountOption) *WindowedStream[T, K, GlobalWindow] {
	return nil
}

type ByOption func(*bool)

func First(first bool) ByOption { return nil }

type ReduceFunction[T any] interface{ Reduce(a, b T) (T, error) }
type AggregateFunction[T, ACC, R any] interface {
	CreateAccumulator() ACC
	Add(v T, acc ACC) ACC
	GetResult(acc ACC) R
	Merge(a, b ACC) ACC
}
