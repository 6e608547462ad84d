package apitest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	. "flinkish/dataflow"
	"flinkish/dataflow/job"
)

func one(v int) int { return v }

// TestMistakesAreErrorsAtTheCall is the last column of the API's tables where an error comes at the call.
func TestMistakesAreErrorsAtTheCall(t *testing.T) {
	type stream = *DataStreamSource[int]
	for _, c := range []struct {
		name, kind, says string
		do               func(e *StreamExecutionEnvironment, s stream)
	}{
		{"connect nothing", "NullPointer", "stream", func(_ *StreamExecutionEnvironment, s stream) { s.Connect[int](nil) }},
		{"connect no broadcast stream", "NullPointer", "ConnectBroadcast", func(_ *StreamExecutionEnvironment, s stream) { s.ConnectBroadcast[int](nil) }},
		{"broadcast a keyed stream", "UnsupportedOperation", "keyed", func(_ *StreamExecutionEnvironment, s stream) { s.KeyBy(one).Broadcast() }},
		{"shuffle a keyed stream", "UnsupportedOperation", "keyed", func(_ *StreamExecutionEnvironment, s stream) { s.KeyBy(one).Shuffle() }},
		{"forward a keyed stream", "UnsupportedOperation", "keyed", func(_ *StreamExecutionEnvironment, s stream) { s.KeyBy(one).Forward() }},
		{"rescale a keyed stream", "UnsupportedOperation", "keyed", func(_ *StreamExecutionEnvironment, s stream) { s.KeyBy(one).Rescale() }},
		{"send a keyed stream to one subtask", "UnsupportedOperation", "keyed", func(_ *StreamExecutionEnvironment, s stream) { s.KeyBy(one).Global() }},
		{"partition a keyed stream", "UnsupportedOperation", "keyed", func(_ *StreamExecutionEnvironment, s stream) {
			s.KeyBy(one).PartitionCustom(func(k, n int) int { return k % n }, one)
		}},
		{"partition by a position out of range", "IndexOutOfBounds", "position 0 only", func(_ *StreamExecutionEnvironment, s stream) {
			s.PartitionCustomByPosition(func(k, n int) int { return k % n }, 1)
		}},
		{"partition without a partitioner", "NullPointer", "partitioner", func(_ *StreamExecutionEnvironment, s stream) { s.PartitionCustom(nil, one) }},
		{"key by no function", "NullPointer", "must not be nil", func(_ *StreamExecutionEnvironment, s stream) { s.KeyBy[int](nil) }},
		{"key by an unknown field", "InvalidFieldReference", "no field", func(_ *StreamExecutionEnvironment, s stream) { s.KeyByFields("name") }},
		{"project no fields", "IllegalArgument", "25 fields", func(_ *StreamExecutionEnvironment, s stream) { s.Project[int]() }},
		{"project what is no tuple", "IllegalArgument", "int is not a tuple", func(_ *StreamExecutionEnvironment, s stream) { s.Project(0) }},
		{"sum an unknown field", "InvalidFieldReference", `int has no field "N"`, func(_ *StreamExecutionEnvironment, s stream) { s.KeyBy(one).SumField("N") }},
		{"sum a position out of range", "IndexOutOfBounds", "got 2", func(_ *StreamExecutionEnvironment, s stream) { s.KeyBy(one).Sum(2) }},
		{"a count window of nothing", "IllegalArgument", "positive", func(_ *StreamExecutionEnvironment, s stream) { s.CountWindowAll(0) }},
		{"a count window that does not slide", "IllegalArgument", "positive", func(_ *StreamExecutionEnvironment, s stream) { s.KeyBy(one).CountWindow(1, CountSlide(0)) }},
		{"a time window of nothing", "IllegalArgument", "size must be positive", func(_ *StreamExecutionEnvironment, s stream) { s.TimeWindowAll(0) }},
		{"an offset as large as the window", "IllegalArgument", "offset", func(_ *StreamExecutionEnvironment, s stream) {
			s.WindowAll(TumblingEventTime(time.Second, Offset(-time.Second)))
		}},
		{"an offset as large as the slide", "IllegalArgument", "offset", func(_ *StreamExecutionEnvironment, s stream) {
			s.KeyBy(one).Window(SlidingProcessingTime(2*time.Second, time.Second, Offset(time.Second)))
		}},
		{"a session without a gap", "IllegalArgument", "gap", func(_ *StreamExecutionEnvironment, s stream) { s.KeyBy(one).Window(ProcessingTimeSession(0)) }},
		{"no assigner", "NullPointer", "assigner", func(_ *StreamExecutionEnvironment, s stream) { s.KeyBy(one).Window[TimeWindow](nil) }},
		{"no trigger", "NullPointer", "trigger", func(_ *StreamExecutionEnvironment, s stream) {
			s.KeyBy(one).Window(TumblingEventTime(time.Second)).Trigger(nil)
		}},
		{"no evictor", "NullPointer", "evictor", func(_ *StreamExecutionEnvironment, s stream) {
			s.WindowAll(TumblingEventTime(time.Second)).Evictor(nil)
		}},
		{"timers of a raw operator need no key, but a nil operator is none", "NullPointer", "function", func(_ *StreamExecutionEnvironment, s stream) { s.Transform[int]("raw", nil) }},
		{"a peer without a port", "IllegalArgument", "host:port", func(_ *StreamExecutionEnvironment, s stream) {
			s.WriteToSocket("localhost", func(int) ([]byte, error) { return nil, nil })
		}},
		{"a port out of range", "IllegalArgument", "65535", func(e *StreamExecutionEnvironment, _ stream) { e.SocketTextStream("localhost:65536") }},
		{"a retry that is none", "IllegalArgument", "max retry", func(e *StreamExecutionEnvironment, _ stream) { e.SocketTextStream("localhost:1", MaxRetry(-2)) }},
		{"asynchronous state on streams of which one is not keyed", "UnsupportedOperation", "keyed", func(_ *StreamExecutionEnvironment, s stream) {
			s.KeyBy(one).Connect(s).Transform[int]("two", &two{})
			s.KeyBy(one).Connect(s).EnableAsyncState()
		}},
		{"asynchronous state without a key", "UnsupportedOperation", "KeyBy", func(_ *StreamExecutionEnvironment, s stream) { s.Map(one).EnableAsyncState() }},
		{"a buffer timeout below the default", "IllegalArgument", "-2ms", func(_ *StreamExecutionEnvironment, s stream) { s.Map(one).SetBufferTimeout(-2 * time.Millisecond) }},
		{"a sink with no subtask", "IllegalArgument", "got 0", func(_ *StreamExecutionEnvironment, s stream) { s.Print().SetParallelism(0) }},
		{"the environment's key groups", "IllegalArgument", "32768", func(e *StreamExecutionEnvironment, _ stream) { e.SetMaxParallelism(0) }},
		{"a watermark interval below zero", "IllegalArgument", "negative", func(e *StreamExecutionEnvironment, _ stream) { e.SetAutoWatermarkInterval(-1) }},
		{"a collection of nothing", "IllegalArgument", "at least one", func(e *StreamExecutionEnvironment, _ stream) { e.FromData[int]() }},
		{"an empty slice", "IllegalArgument", "at least one", func(e *StreamExecutionEnvironment, _ stream) { e.FromSlice([]int{}) }},
		{"no sequence", "NullPointer", "sequence", func(e *StreamExecutionEnvironment, _ stream) { e.FromSeq[int](nil) }},
		{"no source function", "NullPointer", "function", func(e *StreamExecutionEnvironment, _ stream) { e.AddSource[int](nil) }},
		{"no source", "NullPointer", "source", func(e *StreamExecutionEnvironment, _ stream) { e.FromSource[int](nil, NoWatermarks[int](), "x") }},
		{"no sink", "NullPointer", "sink", func(_ *StreamExecutionEnvironment, s stream) { s.SinkTo(nil) }},
		{"no sink function", "NullPointer", "function", func(_ *StreamExecutionEnvironment, s stream) { s.AddSink(nil) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := env()
			c.do(e, e.FromElements(1))
			mistake(t, e.Err(), c.kind, c.says)
		})
	}
}

// onOpen does something when it is opened.
type onOpen struct{ do func(ctx *RuntimeContext) }

func (o *onOpen) Open(ctx *RuntimeContext) error { o.do(ctx); return nil }
func (o *onOpen) Map(v int) (int, error)         { return v, nil }

// TestMistakesThatOnlyARunFinds is the last column of the API's tables where an error comes in a running task.
func TestMistakesThatOnlyARunFinds(t *testing.T) {
	type stream = *DataStreamSource[int]
	opened := func(do func(ctx *RuntimeContext)) func(s stream) *SingleOutputStreamOperator[int] {
		return func(s stream) *SingleOutputStreamOperator[int] { return s.MapRich(&onOpen{do}) }
	}
	for _, c := range []struct {
		name, kind, says string
		do               func(s stream) *SingleOutputStreamOperator[int]
	}{
		{"an accumulator twice", "UnsupportedOperation", "exists already", opened(func(ctx *RuntimeContext) {
			ctx.AddAccumulator("a", NewIntCounter())
			ctx.AddAccumulator("a", NewIntCounter())
		})},
		{"an accumulator that is none", "NullPointer", "accumulator a must not be nil", opened(func(ctx *RuntimeContext) { ctx.AddAccumulator("a", nil) })},
		{"an accumulator that is a nil pointer", "NullPointer", "accumulator a must not be nil", opened(func(ctx *RuntimeContext) { ctx.AddAccumulator("a", (*LongCounter)(nil)) })},
		{"a runtime context that is not that of Open", "IllegalState", "not initialised", opened(func(*RuntimeContext) { new(RuntimeContext).TaskInfo() })},
		{"no runtime context", "IllegalState", "not initialised", opened(func(*RuntimeContext) { (*RuntimeContext)(nil).IntCounter("n") })},
		{"a state of no runtime context", "IllegalState", "not initialised", opened(func(*RuntimeContext) {
			(*RuntimeContext)(nil).State(NewValueStateDescriptor[int]("v"))
		})},
		{"metrics of no runtime context", "IllegalState", "not initialised", opened(func(*RuntimeContext) { (*RuntimeContext)(nil).MetricGroup() })},
		{"a state without a descriptor", "NullPointer", "descriptor must not be nil", opened(func(ctx *RuntimeContext) { ctx.State[int](nil) })},
		{"a map state without a descriptor", "NullPointer", "descriptor must not be nil", opened(func(ctx *RuntimeContext) { ctx.MapState[int, int](nil) })},
		{"an unknown cached file", "IllegalArgument", "no cached file x", opened(func(ctx *RuntimeContext) { ctx.DistributedCache().File("x") })},
		{"a state without a name", "NullPointer", "name", func(s stream) *SingleOutputStreamOperator[int] {
			return s.KeyBy(one).MapRich(&onOpen{func(ctx *RuntimeContext) { ctx.State(NewValueStateDescriptor[int]("")) }})
		}},
		{"a side output without an id", "IllegalArgument", "NewOutputTag", func(s stream) *SingleOutputStreamOperator[int] {
			return s.ProcessFunc(func(v int, ctx *ProcessContext, _ Collector[int]) { ctx.Output(OutputTag[int]{}, v) })
		}},
		{"a timer without a key", "UnsupportedOperation", "timer", func(s stream) *SingleOutputStreamOperator[int] {
			return s.ProcessFunc(func(v int, ctx *ProcessContext, _ Collector[int]) { ctx.TimerService().RegisterEventTimeTimer(1) })
		}},
		{"an event-time window of records without timestamps", "Runtime", "AssignTimestampsAndWatermarks", func(s stream) *SingleOutputStreamOperator[int] {
			return s.WindowAll(TumblingEventTime(time.Second)).Reduce(func(a, b int) int { return a + b })
		}},
		{"a dynamic gap that is not positive", "IllegalArgument", "gap must be positive", func(s stream) *SingleOutputStreamOperator[int] {
			return s.WindowAll(EventTimeSessionDynamic(func(int) time.Duration { return 0 })).Reduce(func(a, b int) int { return a + b })
		}},
		{"a file that exists", "IO", "exists already", func(s stream) *SingleOutputStreamOperator[int] {
			path := t.TempDir() + "/f"
			store(t, path, "")
			s.WriteAsText(path)
			return s.Map(one)
		}},
		{"a peer that is not there", "IO", "WriteToSocket", func(s stream) *SingleOutputStreamOperator[int] {
			s.WriteToSocket("127.0.0.1:1", func(int) ([]byte, error) { return nil, nil })
			return s.Map(one)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := env()
			c.do(e.FromElements(1))
			_, err := e.Execute(context.Background())
			mistake(t, err, c.kind, c.says)
			if f := (*job.Failure)(nil); !errors.As(err, &f) {
				t.Errorf("got %v, which is no failure of a job", err)
			}
		})
	}
}

func TestAccessors(t *testing.T) {
	e := env()
	keyed := e.FromElements(3).KeyBy(func(v int) int { return v + 1 })
	if got := keyed.KeySelector()(4); got != 5 {
		t.Errorf("key selector: got %d, want 5", got)
	}
	w, all := keyed.Window(TumblingEventTime(time.Second)), e.FromElements(1).WindowAll(TumblingEventTime(time.Second))
	if w.Env() != e || all.Env() != e || w.InputType().String() != "int" || all.InputType().String() != "int" || w.EnableAsyncState() != w {
		t.Errorf("windows: got %v, %v", w.InputType(), all.InputType())
	}
	op := keyed.EnableAsyncState().Map(one).EnableAsyncState().MetricVariable("k", "v")
	if got := op.Transformation().MetricVariables["k"]; got != "v" || op.MinResources().String() != "UNKNOWN" || op.PreferredResources() != (ResourceSpec{}) {
		t.Errorf("got %q, %v, %v", got, op.MinResources(), op.PreferredResources())
	}
	if got := op.Print().MetricVariable("k", "w").Transformation().MetricVariables["k"]; got != "w" {
		t.Errorf("sink: got %q", got)
	}
	if got := (ResourceSpec{CPUCores: 1, HeapMemory: 5}).String(); got != "ResourceSpec{cpu=1.0, heap=5}" {
		t.Errorf("got %s", got)
	}
	keyed.Connect(keyed).EnableAsyncState()
	if e.Err() != nil {
		t.Error(e.Err())
	}
}
