package dataflow

import (
	"time"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
	"flinkish/dataflow/internal/timer"
	"flinkish/dataflow/internal/watermark"
)

// IntervalJoin are two streams with the same keys whose records are paired by the distance of their timestamps
// (KeyedStream.IntervalJoin).
type IntervalJoin[A, B any, K comparable] struct {
	left       *KeyedStream[A, K]
	right      *KeyedStream[B, K]
	processing bool
}

// IntervalJoined is an IntervalJoin with its bounds (KeyedStream.IntervalJoined). Its setters change it.
type IntervalJoined[A, B any, K comparable] struct {
	join               *IntervalJoin[A, B, K]
	lower, upper       int64 // ms, of right - left
	wrong              bool  // the bounds crossed as they were given
	lowerOut, upperOut bool  // the bound itself is left out
	left               OutputTag[A]
	right              OutputTag[B] // for late records; id empty: they are dropped
}

// bounds are the least and the greatest distance of a pair. Bounds that are left out may cross; then nothing is joined.
func (j *IntervalJoined[A, B, K]) bounds() (lower, upper int64) {
	lower, upper = j.lower, j.upper
	if j.lowerOut {
		lower++
	}
	if j.upperOut {
		upper--
	}
	return lower, upper
}

// IntervalJoin pairs the records of this stream with those of o that have the same key and a timestamp nearby.
func (k *KeyedStream[T, K]) IntervalJoin[T1 any](o *KeyedStream[T1, K]) *IntervalJoin[T, T1, K] {
	if k.env.nilArg(o == nil, "IntervalJoin", "stream") {
		o = &KeyedStream[T1, K]{DataStream[T1]{env: k.env, tr: k.tr}}
	}
	if o.env != k.env {
		k.env.fail("IllegalArgument", k.tr.Name, "IntervalJoin", "the streams belong to different environments; build both from the same one")
	}
	return &IntervalJoin[T, T1, K]{left: k, right: o}
}

// InEventTime pairs by event time, which is the default.
func (j *IntervalJoin[A, B, K]) InEventTime() *IntervalJoin[A, B, K] {
	return &IntervalJoin[A, B, K]{j.left, j.right, false}
}

// InProcessingTime is refused by Between: interval joins know event time only.
func (j *IntervalJoin[A, B, K]) InProcessingTime() *IntervalJoin[A, B, K] {
	return &IntervalJoin[A, B, K]{j.left, j.right, true}
}

// Between sets the bounds, both included: left.ts + lower <= right.ts <= left.ts + upper. They are whole
// milliseconds.
func (j *IntervalJoin[A, B, K]) Between(lower, upper time.Duration) *IntervalJoined[A, B, K] {
	if j.processing {
		j.left.env.fail("UnsupportedTimeCharacteristic", j.left.tr.Name, "Between", "an interval join works in event time only; leave InProcessingTime out")
	}
	j.left.env.whole(j.left.tr.Name, "Between", "the lower bound", lower)
	j.left.env.whole(j.left.tr.Name, "Between", "the upper bound", upper)
	return &IntervalJoined[A, B, K]{join: j, lower: lower.Milliseconds(), upper: upper.Milliseconds(), wrong: lower > upper}
}

// LowerBoundExclusive leaves the lower bound itself out.
func (j *IntervalJoined[A, B, K]) LowerBoundExclusive() *IntervalJoined[A, B, K] {
	j.lowerOut = true
	return j
}

// UpperBoundExclusive leaves the upper bound itself out.
func (j *IntervalJoined[A, B, K]) UpperBoundExclusive() *IntervalJoined[A, B, K] {
	j.upperOut = true
	return j
}

// SideOutputLeftLateData sends late records of the left stream to a side output of the result. Without it they are
// dropped.
func (j *IntervalJoined[A, B, K]) SideOutputLeftLateData(tag OutputTag[A]) *IntervalJoined[A, B, K] {
	if checkTag(j.join.left.env, "SideOutputLeftLateData", tag) {
		j.left = tag
	}
	return j
}

// SideOutputRightLateData is SideOutputLeftLateData for the right stream.
func (j *IntervalJoined[A, B, K]) SideOutputRightLateData(tag OutputTag[B]) *IntervalJoined[A, B, K] {
	if checkTag(j.join.left.env, "SideOutputRightLateData", tag) {
		j.right = tag
	}
	return j
}

// ProcessJoinFunction is a function object for IntervalJoined.Process (Flink's class of the same name). It may have
// Open and Close.
type ProcessJoinFunction[A, B, R any] interface {
	// ProcessElement handles a pair; an error fails the job. ctx and out are valid during the call only.
	ProcessElement(left A, right B, ctx *ProcessJoinContext, out Collector[R]) error
}

// ProcessJoinContext is what a function may ask about the pair at hand (ProcessJoinFunction.Context).
type ProcessJoinContext struct {
	base        *opBase
	side        map[string]any
	left, right int64
}

// LeftTimestamp is the timestamp of the left record in milliseconds.
func (c *ProcessJoinContext) LeftTimestamp() int64 { return c.left }

// RightTimestamp is the timestamp of the right record in milliseconds.
func (c *ProcessJoinContext) RightTimestamp() int64 { return c.right }

// Timestamp is the later of the two, the timestamp of the results.
func (c *ProcessJoinContext) Timestamp() int64 { return max(c.left, c.right) }

// Output sends v to a side output, with the timestamp of the results.
func (c *ProcessJoinContext) Output[X any](tag OutputTag[X], v X) {
	output(c.base, c.side, tag, v, c.Timestamp())
}

type joinFunc[A, B, R any] func(left A, right B, ctx *ProcessJoinContext, out Collector[R]) error

// Process hands each pair to f. Each subtask works on its own copy of f. Results have the later of the two timestamps.
func (j *IntervalJoined[A, B, K]) Process[R any](f ProcessJoinFunction[A, B, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	j.join.left.env.checkFunction("Process", f)
	return intervalOperator(j, "Process", f, func(fn any) joinFunc[A, B, R] { return fn.(ProcessJoinFunction[A, B, R]).ProcessElement }, opts)
}

// ProcessFunc is Process with a plain function.
func (j *IntervalJoined[A, B, K]) ProcessFunc[R any](f func(left A, right B, ctx *ProcessJoinContext, out Collector[R]) error, opts ...TypeOption) *SingleOutputStreamOperator[R] {
	j.join.left.env.checkFunction("ProcessFunc", f)
	return intervalOperator(j, "ProcessFunc", nil, func(any) joinFunc[A, B, R] { return f }, opts)
}

func intervalOperator[A, B any, K comparable, R any](j *IntervalJoined[A, B, K], call string, fn any, bind func(any) joinFunc[A, B, R], opts []TypeOption) *SingleOutputStreamOperator[R] {
	e, left, right := j.join.left.env, &j.join.left.DataStream, &j.join.right.DataStream
	if j.wrong {
		e.fail("IllegalArgument", left.tr.Name, call, "the lower bound of an interval must not be above the upper one")
	}
	sameKeys(e, left.tr.Name, "IntervalJoin", left.keys, right.keys)
	t := &Transformation{Name: "Interval Join", Inputs: []*Transformation{left.tr, right.tr}, Keyed: true,
		Factory: &intervalFactory[A, B, K, R]{*j, fn, bind}}
	sendsLate(e, t, "SideOutputLeftLateData", j.left)
	sendsLate(e, t, "SideOutputRightLateData", j.right)
	return operator[R](e, t, opts)
}

type intervalFactory[A, B any, K comparable, R any] struct {
	j    IntervalJoined[A, B, K]
	fn   any
	bind func(any) joinFunc[A, B, R]
}

func (f *intervalFactory[A, B, K, R]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	keys := state.NewBackend[K]()
	fn := prototype(f.fn)
	o := &intervalOp{opBase: newBase(s, out, newRuntimeContext(s, &keys.Store), fn)}
	left, err := keys.Map[int64, []A]("left-buffer", "")
	if err != nil {
		return nil, err
	}
	right, err := keys.Map[int64, []B]("right-buffer", "")
	if err != nil {
		return nil, err
	}
	lower, upper := f.j.bounds()
	o.timers = timer.NewService(timer.Config[bool]{Keys: keys, OnEventTime: func(ts int64, isLeft bool) {
		if isLeft {
			left.Remove(ts - max(upper, 0))
		} else {
			right.Remove(ts - max(-lower, 0))
		}
	}})
	o.event = watermark.NewCombined(2, intervalTime{o})
	ctx := &ProcessJoinContext{base: &o.opBase, side: out.Side}
	c := &collector[R]{base: &o.opBase, emit: out.Main.(core.Emit[R])}
	join := f.bind(fn)
	pair := func(l A, r B, lts, rts int64) {
		ctx.left, ctx.right, c.ts = lts, rts, max(lts, rts)
		if err := join(l, r, ctx, c); err != nil {
			o.fail(err)
		}
	}
	in1 := intervalInput(o, keys, true, lateOutput(out.Side, f.j.left), left, right, lower, upper, pair)
	in2 := intervalInput(o, keys, false, lateOutput(out.Side, f.j.right), right, left, -upper, -lower,
		func(r B, l A, rts, lts int64) { pair(l, r, lts, rts) })
	return &core.Instance{Inputs: []any{in1, in2}, Op: o, Record: func() any { return o.last }, Counters: &o.n, Measure: measure(&o.n, keys, o.timers.Len), Ahead: keys.Ahead}, nil
}

// intervalInput handles one side: a record waits in its own buffer, and is paired with what waits in the other one
// between the bounds.
func intervalInput[X, Y any, K comparable](o *intervalOp, keys *state.Backend[K], isLeft bool, late core.Emit[X],
	own *state.Map[int64, []X], other *state.Map[int64, []Y], lower, upper int64, pair func(x X, y Y, xts, yts int64)) core.KeyedEmit[K, X] {
	return func(k K, v X, ts int64) {
		o.last = v
		o.enter()
		o.n.In++
		if ts == core.NoTimestamp {
			o.fail(&GraphError{Kind: "Flink", Call: "IntervalJoin", Msg: "the record has no timestamp, and an interval join needs one; call AssignTimestampsAndWatermarks before KeyBy"})
		}
		if ts < o.wm {
			if late != nil { // else it is dropped, and as in Flink no metric counts it
				late(v, ts)
				o.enter()
			}
			return
		}
		keys.SetCurrent(k)
		waiting, _ := own.Get(ts)
		own.Put(ts, append(waiting, v))
		from, to := shifted(ts, lower), shifted(ts, upper)
		for at, ys := range other.Entries() {
			if at < from || at > to {
				continue
			}
			for _, y := range ys {
				pair(v, y, ts, at)
			}
		}
		o.timers.RegisterEventTime(isLeft, shifted(ts, max(upper, 0)))
	}
}

// shifted is ts + by, or where time ends.
func shifted(ts, by int64) int64 {
	switch sum := ts + by; {
	case by > 0 && sum < ts:
		return core.MaxWatermark
	case by < 0 && sum > ts:
		return core.MinWatermark
	default:
		return sum
	}
}

// intervalOp is the control side of an interval join. A timer belongs to a side: true is the left one.
type intervalOp struct {
	opBase
	event  *watermark.Combined
	timers *timer.Service[bool]
	last   any
}

func (o *intervalOp) Watermark(input int, wm int64) { o.event.Watermark(input, wm) }
func (o *intervalOp) Status(input int, idle bool)   { o.event.Status(input, idle) }

// intervalTime receives the event time of both inputs together.
type intervalTime struct{ o *intervalOp }

func (t intervalTime) Watermark(wm int64) {
	t.o.wm = wm
	t.o.timers.AdvanceWatermark(wm)
	t.o.ctl.Watermark(wm)
}

func (t intervalTime) Status(idle bool) { t.o.ctl.Status(idle) }
