package dataflow

import "flinkish/dataflow/internal/core"

// ConnectedStreams are two streams, perhaps of different types, that one operator reads and that share its
// state (Flink's ConnectedStreams). The order between the two is not defined.
type ConnectedStreams[A, B any] struct {
	first  *DataStream[A]
	second *DataStream[B]
}

// Connect joins this stream with another one for an operator that reads both.
func (d *DataStream[T]) Connect[R any](o Stream[R]) *ConnectedStreams[T, R] {
	if d.env.nilArg(o == nil, "Connect", "stream") {
		return &ConnectedStreams[T, R]{first: d, second: &DataStream[R]{env: d.env, tr: d.tr}}
	}
	s := o.asDataStream()
	if s.env != d.env {
		d.env.fail("IllegalArgument", d.tr.Name, "Connect", "the streams belong to different environments; build both from the same one")
	}
	return &ConnectedStreams[T, R]{first: d, second: s}
}

// Env is the environment that the streams belong to.
func (c *ConnectedStreams[A, B]) Env() *StreamExecutionEnvironment { return c.first.env }

// First is the first stream.
func (c *ConnectedStreams[A, B]) First() *DataStream[A] { return c.first }

// Second is the second stream.
func (c *ConnectedStreams[A, B]) Second() *DataStream[B] { return c.second }

// KeyBy keys both streams: records of both with equal keys meet in one subtask and share its keyed state.
func (c *ConnectedStreams[A, B]) KeyBy[K comparable](f func(A) K, g func(B) K, opts ...KeyOption) *ConnectedStreams[A, B] {
	return &ConnectedStreams[A, B]{first: &c.first.KeyBy(f, opts...).DataStream, second: &c.second.KeyBy(g, opts...).DataStream}
}

// CoMapFunction is a function object for MapRich (Flink's CoMapFunction). It may have Open and Close.
type CoMapFunction[A, B, R any] interface {
	// Map1 returns the result for a record of the first stream.
	Map1(v A) (R, error)
	// Map2 returns the result for a record of the second stream.
	Map2(v B) (R, error)
}

// CoFlatMapFunction is a function object for FlatMapRich (Flink's CoFlatMapFunction). It may have Open and Close.
type CoFlatMapFunction[A, B, R any] interface {
	// FlatMap1 sends the results for a record of the first stream to out.
	FlatMap1(v A, out Collector[R]) error
	// FlatMap2 sends the results for a record of the second stream to out.
	FlatMap2(v B, out Collector[R]) error
}

// CoProcessFunction is a function object for Process (Flink's CoProcessFunction). It may have Open, Close and, when both
// streams are keyed,
//
//	OnTimer(ts int64, ctx *CoOnTimerContext, out Collector[R]) error
type CoProcessFunction[A, B, R any] interface {
	// ProcessElement1 handles a record of the first stream.
	ProcessElement1(v A, ctx *ProcessContext, out Collector[R]) error
	// ProcessElement2 handles a record of the second stream.
	ProcessElement2(v B, ctx *ProcessContext, out Collector[R]) error
}

// KeyedCoProcessFunction is a function object for ProcessKeyed (Flink's class of the same name). It may have Open, Close
// and OnTimer, as a KeyedProcessFunction.
type KeyedCoProcessFunction[K comparable, A, B, R any] interface {
	// ProcessElement1 handles a record of the first stream with its key set.
	ProcessElement1(v A, ctx *KeyedContext[K], out Collector[R]) error
	// ProcessElement2 handles a record of the second stream with its key set.
	ProcessElement2(v B, ctx *KeyedContext[K], out Collector[R]) error
}

// Map makes one record of each record of either stream.
func (c *ConnectedStreams[A, B]) Map[R any](f func(A) R, g func(B) R, opts ...TypeOption) *SingleOutputStreamOperator[R] {
	c.Env().checkFunction("Map", f)
	c.Env().checkFunction("Map", g)
	return connected[A, B, R](c, "Co-Map", nil, func(any) (coFunc[A, R], coFunc[B, R]) {
		return func(v A, _ *ProcessContext, out Collector[R]) error { out.Collect(f(v)); return nil },
			func(v B, _ *ProcessContext, out Collector[R]) error { out.Collect(g(v)); return nil }
	}, opts)
}

// MapE is Map with functions that may fail; their error fails the job.
func (c *ConnectedStreams[A, B]) MapE[R any](f func(A) (R, error), g func(B) (R, error), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	c.Env().checkFunction("MapE", f)
	c.Env().checkFunction("MapE", g)
	return connected[A, B, R](c, "Co-Map", nil, func(any) (coFunc[A, R], coFunc[B, R]) { return mapped(f), mapped(g) }, opts)
}

// MapRich is Map with a function object. Each subtask works on its own copy of f.
func (c *ConnectedStreams[A, B]) MapRich[R any](f CoMapFunction[A, B, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	c.Env().checkFunction("MapRich", f)
	return connected[A, B, R](c, "Co-Map", f, func(fn any) (coFunc[A, R], coFunc[B, R]) {
		f := fn.(CoMapFunction[A, B, R])
		return mapped(f.Map1), mapped(f.Map2)
	}, opts)
}

func mapped[T, R any](f func(T) (R, error)) coFunc[T, R] {
	return func(v T, _ *ProcessContext, out Collector[R]) error {
		r, err := f(v)
		if err == nil {
			out.Collect(r)
		}
		return err
	}
}

// FlatMap makes any number of records of each record of either stream.
func (c *ConnectedStreams[A, B]) FlatMap[R any](f func(A, Collector[R]), g func(B, Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	c.Env().checkFunction("FlatMap", f)
	c.Env().checkFunction("FlatMap", g)
	return connected[A, B, R](c, "Co-Flat Map", nil, func(any) (coFunc[A, R], coFunc[B, R]) {
		return func(v A, _ *ProcessContext, out Collector[R]) error { f(v, out); return nil },
			func(v B, _ *ProcessContext, out Collector[R]) error { g(v, out); return nil }
	}, opts)
}

// FlatMapE is FlatMap with functions that may fail; their error fails the job.
func (c *ConnectedStreams[A, B]) FlatMapE[R any](f func(A, Collector[R]) error, g func(B, Collector[R]) error, opts ...TypeOption) *SingleOutputStreamOperator[R] {
	c.Env().checkFunction("FlatMapE", f)
	c.Env().checkFunction("FlatMapE", g)
	return connected[A, B, R](c, "Co-Flat Map", nil, func(any) (coFunc[A, R], coFunc[B, R]) {
		return func(v A, _ *ProcessContext, out Collector[R]) error { return f(v, out) },
			func(v B, _ *ProcessContext, out Collector[R]) error { return g(v, out) }
	}, opts)
}

// FlatMapRich is FlatMap with a function object. Each subtask works on its own copy of f.
func (c *ConnectedStreams[A, B]) FlatMapRich[R any](f CoFlatMapFunction[A, B, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	c.Env().checkFunction("FlatMapRich", f)
	return connected[A, B, R](c, "Co-Flat Map", f, func(fn any) (coFunc[A, R], coFunc[B, R]) {
		f := fn.(CoFlatMapFunction[A, B, R])
		return func(v A, _ *ProcessContext, out Collector[R]) error { return f.FlatMap1(v, out) },
			func(v B, _ *ProcessContext, out Collector[R]) error { return f.FlatMap2(v, out) }
	}, opts)
}

// Type1 describes the records of the first stream.
func (c *ConnectedStreams[A, B]) Type1() Type { return c.first.Type() }

// Type2 describes the records of the second stream.
func (c *ConnectedStreams[A, B]) Type2() Type { return c.second.Type() }

// Process hands each record of either stream to f. Each subtask works on its own copy of f. Timers can be set when both
// streams are keyed.
func (c *ConnectedStreams[A, B]) Process[R any](f CoProcessFunction[A, B, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	c.Env().checkFunction("Process", f, optional[func(int64, *CoOnTimerContext, Collector[R]) error]("OnTimer"))
	return connected[A, B, R](c, "Co-Process", f, func(fn any) (coFunc[A, R], coFunc[B, R]) {
		f := fn.(CoProcessFunction[A, B, R])
		return f.ProcessElement1, f.ProcessElement2
	}, opts)
}

// ProcessKeyed hands each record of either stream to f, with keyed state and timers at hand. Both streams must be
// keyed by the same type. Each subtask works on its own copy of f.
func (c *ConnectedStreams[A, B]) ProcessKeyed[K comparable, R any](f KeyedCoProcessFunction[K, A, B, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	e := c.Env()
	e.checkFunction("ProcessKeyed", f, optional[func(int64, *OnTimerContext[K], Collector[R]) error]("OnTimer"))
	k := keyParam[K](e)
	if !keyedBy[A, K](c.first.keys, k) || !keyedBy[B, K](c.second.keys, k) {
		e.fail("UnsupportedOperation", c.first.tr.Name, "ProcessKeyed", "both streams must be keyed by %s; call KeyBy on the connected streams first", k)
	}
	return coOperator[A, B, R](c, "Co-Keyed-Process", &coKeyed[K, A, B, R]{f}, opts)
}

// coOperator registers an operator that reads both streams.
func coOperator[A, B, R any](c *ConnectedStreams[A, B], name string, f core.Factory, opts []TypeOption) *SingleOutputStreamOperator[R] {
	e := c.Env()
	sameKeys(e, c.first.tr.Name, "Connect", c.first.keys, c.second.keys)
	t := &Transformation{Name: name, Inputs: []*Transformation{c.first.tr, c.second.tr}, Factory: f,
		Keyed: c.first.keys != nil || c.second.keys != nil}
	return operator[R](e, t, opts)
}

// sameKeys refuses two keyed streams whose keys have different types.
func sameKeys[A, B any](e *StreamExecutionEnvironment, op, call string, k keying[A], l keying[B]) {
	if k != nil && l != nil && (k.goType() != l.goType() || typesDiffer(k.keyType(), l.keyType())) {
		e.fail("UnsupportedOperation", op, call, "the keys of the two streams have different types, %s and %s; key both by the same type", k.keyType(), l.keyType())
	}
}

func connected[A, B, R any](c *ConnectedStreams[A, B], name string, fn any, bind func(fn any) (coFunc[A, R], coFunc[B, R]), opts []TypeOption) *SingleOutputStreamOperator[R] {
	return coOperator[A, B, R](c, name, &coPlain[A, B, R]{c.first.keys, c.second.keys, fn, bind}, opts)
}
