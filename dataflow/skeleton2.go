package dataflow

import (
	"iter"
	"time"
)

func (c *RuntimeContext) IntCounter(name string) *IntCounter { return nil }

type IntCounter struct{ n int64 }

func (c *IntCounter) Add(n int64)  {}
func (c *IntCounter) Local() int64 { return 0 }

// Windows.
type Window interface{ MaxTimestamp() int64 }
type TimeWindow struct{ Start, End int64 }

func (w TimeWindow) MaxTimestamp() int64 { return w.End - 1 }

type GlobalWindow struct{}

func (w GlobalWindow) MaxTimestamp() int64 { return 1<<63 - 1 }

type WindowAssigner[W Window] interface {
	AssignWindows(ts, now int64, into []W) []W
	IsEventTime() bool
}
type AssignerOption func(*assignerOptions)
type assignerOptions struct{}
type WindowStagger uint8

const (
	Aligned WindowStagger = iota
	Random
	Natural
)

func Offset(d time.Duration) AssignerOption  { return nil }
func Stagger(s WindowStagger) AssignerOption { return nil }
func TumblingEventTime(size time.Duration, opts ...AssignerOption) WindowAssigner[TimeWindow] {
	return nil
}
func TumblingProcessingTime(size time.Duration, opts ...AssignerOption) WindowAssigner[TimeWindow] {
	return nil
}
func SlidingEventTime(size, slide time.Duration, opts ...AssignerOption) WindowAssigner[TimeWindow] {
	return nil
}
func SlidingProcessingTime(size, slide time.Duration, opts ...AssignerOption) WindowAssigner[TimeWindow] {
	return nil
}
func EventTimeSession(gap time.Duration) WindowAssigner[TimeWindow]      { return nil }
func ProcessingTimeSession(gap time.Duration) WindowAssigner[TimeWindow] { return nil }
func EventTimeSessionDynamic[T any](gap func(v T) time.Duration) WindowAssigner[TimeWindow] {
	return nil
}
func ProcessingTimeSessionDynamic[T any](gap func(v T) time.Duration) WindowAssigner[TimeWindow] {
	return nil
}
func GlobalWindows() WindowAssigner[GlobalWindow]            { return nil }
func GlobalWindowsEndOfStream() WindowAssigner[GlobalWindow] { return nil }

type TriggerResult uint8

const (
	Continue TriggerResult = iota
	Fire
	Purge
	FireAndPurge
)

type AnyTrigger interface{ isTrigger() }
type Trigger[T any, W Window] interface {
	OnElement(v T, ts int64, w W, ctx *TriggerContext) TriggerResult
	OnEventTime(ts int64, w W, ctx *TriggerContext) TriggerResult
	OnProcessingTime(ts int64, w W, ctx *TriggerContext) TriggerResult
	Clear(w W, ctx *TriggerContext)
}
type TriggerContext struct{}

func (c *TriggerContext) CurrentWatermark() int64              { return 0 }
func (c *TriggerContext) CurrentProcessingTime() int64         { return 0 }
func (c *TriggerContext) RegisterEventTimeTimer(ts int64)      {}
func (c *TriggerContext) RegisterProcessingTimeTimer(ts int64) {}
func (c *TriggerContext) DeleteEventTimeTimer(ts int64)        {}
func (c *TriggerContext) DeleteProcessingTimeTimer(ts int64)   {}
func (c *TriggerContext) State[V any](d *ValueStateDescriptor[V]) ValueState[V] {
	return ValueState[V]{}
}

func CustomTrigger[T any, W Window](t Trigger[T, W]) AnyTrigger                   { return nil }
func EventTimeTrigger() AnyTrigger                                                { return nil }
func ProcessingTimeTrigger() AnyTrigger                                           { return nil }
func CountTrigger(n int64) AnyTrigger                                             { return nil }
func PurgingTrigger(t AnyTrigger) AnyTrigger                                      { return nil }
func ContinuousEventTimeTrigger(d time.Duration) AnyTrigger                       { return nil }
func ContinuousProcessingTimeTrigger(d time.Duration) AnyTrigger                  { return nil }
func DeltaTrigger[T any](threshold float64, f func(last, v T) float64) AnyTrigger { return nil }
func ProcessingTimeoutTrigger(t AnyTrigger, d time.Duration, opts ...TimeoutOption) AnyTrigger {
	return nil
}
func NeverTrigger() AnyTrigger       { return nil }
func EndOfStreamTrigger() AnyTrigger { return nil }

type TimeoutOption func(*timeoutOptions)
type timeoutOptions struct{}

func ResetOnNewRecord(on bool) TimeoutOption { return nil }
func ClearOnTimeout(on bool) TimeoutOption   { return nil }

type AnyEvictor interface{ isEvictor() }
type Timestamped[T any] struct {
	Value     T
	Timestamp int64
}
type Evictor[T any, W Window] interface {
	EvictBefore(vs []Timestamped[T], w W) []Timestamped[T]
	EvictAfter(vs []Timestamped[T], w W) []Timestamped[T]
}
type EvictorOption func(*evictorOptions)
type evictorOptions struct{}

func After(on bool) EvictorOption                                   { return nil }
func CustomEvictor[T any, W Window](e Evictor[T, W]) AnyEvictor     { return nil }
func CountEvictor(n int64, opts ...EvictorOption) AnyEvictor        { return nil }
func TimeEvictor(d time.Duration, opts ...EvictorOption) AnyEvictor { return nil }
func DeltaEvictor[T any](threshold float64, f func(v, last T) float64, opts ...EvictorOption) AnyEvictor {
	return nil
}

type CountOption func(*int64)

func CountSlide(n int64) CountOption { return nil }

type ProcessWindowFunction[T, R any, K comparable, W Window] interface {
	Process(k K, ctx *ProcessWindowContext[W], vs iter.Seq[T], out Collector[R]) error
}
type ProcessAllWindowFunction[T, R any, W Window] interface {
	Process(ctx *ProcessWindowContext[W], vs iter.Seq[T], out Collector[R]) error
}
type ProcessWindowContext[W Window] struct{}

func (c *ProcessWindowContext[W]) Window() (w W)                       { return }
func (c *ProcessWindowContext[W]) CurrentProcessingTime() int64        { return 0 }
func (c *ProcessWindowContext[W]) CurrentWatermark() int64             { return 0 }
func (c *ProcessWindowContext[W]) Output[X any](tag OutputTag[X], v X) {}
func (c *ProcessWindowContext[W]) GlobalState() *KeyedStateStore       { return nil }
func (c *ProcessWindowContext[W]) WindowState() *KeyedStateStore       { return nil }

type KeyedStateStore struct{}

func (c *KeyedStateStore) State[V any](d *ValueStateDescriptor[V]) ValueState[V] {
	return ValueState[V]{}
}
func (c *KeyedStateStore) ListState[V any](d *ListStateDescriptor[V]) ListState[V] {
	return ListState[V]{}
}
func (c *KeyedStateStore) MapState[MK comparable, V any](d *MapStateDescriptor[MK, V]) MapState[MK, V] {
	return MapState[MK, V]{}
}

type WindowedStream[T any, K comparable, W Window] struct{}

func (w *WindowedStream[T, K, W]) Trigger(t AnyTrigger) *WindowedStream[T, K, W]            { return w }
func (w *WindowedStream[T, K, W]) Evictor(e AnyEvictor) *WindowedStream[T, K, W]            { return w }
func (w *WindowedStream[T, K, W]) AllowedLateness(d time.Duration) *WindowedStream[T, K, W] { return w }
func (w *WindowedStream[T, K, W]) SideOutputLateData(tag OutputTag[T]) *WindowedStream[T, K, W] {
	return w
}
func (w *WindowedStream[T, K, W]) Reduce(f func(a, b T) T) *SingleOutputStreamOperator[T] { return nil }
func (w *WindowedStream[T, K, W]) ReduceWith[R any](f func(a, b T) T, wf ProcessWindowFunction[T, R, K, W], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (w *WindowedStream[T, K, W]) Aggregate[ACC, R any](f AggregateFunction[T, ACC, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (w *WindowedStream[T, K, W]) AggregateWith[ACC, V, R any](f AggregateFunction[T, ACC, V], wf ProcessWindowFunction[V, R, K, W], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (w *WindowedStream[T, K, W]) Apply[R any](f func(k K, w W, vs iter.Seq[T], out Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
}
func (w *WindowedStream[T, K, W]) Process[R any](f ProcessWindowFunction[T, R, K, W], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return nil
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
