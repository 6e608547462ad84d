package dataflow

import (
	"strings"
	"time"

	"flinkish/dataflow/graph"
)

// OpName is the name of the operator, without the prefix that the graph adds.
func (s *SingleOutputStreamOperator[T]) OpName() string { return s.tr.Name }

// Name names the operator in the graph, in metrics and in errors. Names may repeat.
func (s *SingleOutputStreamOperator[T]) Name(name string) *SingleOutputStreamOperator[T] {
	s.tr.Name = name
	return s
}

// UID sets the id by which the operator's state is found again; it must be unique in a job.
func (s *SingleOutputStreamOperator[T]) UID(uid string) *SingleOutputStreamOperator[T] {
	s.tr.UID = uid
	return s
}

// UIDHash sets a second id for finding the operator's state: 32 hex digits.
func (s *SingleOutputStreamOperator[T]) UIDHash(hash string) *SingleOutputStreamOperator[T] {
	setUIDHash(s.env, s.tr, hash)
	return s
}

// SetParallelism sets the number of subtasks, at least 1; -1 is the environment's.
func (s *SingleOutputStreamOperator[T]) SetParallelism(n int) *SingleOutputStreamOperator[T] {
	setParallelism(s.env, s.tr, n)
	s.loop.scale()
	return s
}

// SetMaxParallelism sets the number of key groups: 1 to 32768.
func (s *SingleOutputStreamOperator[T]) SetMaxParallelism(n int) *SingleOutputStreamOperator[T] {
	setMaxParallelism(s.env, s.tr, n)
	s.loop.scale()
	return s
}

// ForceNonParallel sets parallelism and max parallelism to 1, for good.
func (s *SingleOutputStreamOperator[T]) ForceNonParallel() *SingleOutputStreamOperator[T] {
	s.tr.Parallelism, s.tr.MaxParallelism, s.tr.NonParallel = 1, 1, true
	s.loop.scale()
	return s
}

// SetBufferTimeout sets how long the operator's task may hold a record back: 0 is not at all,
// DefaultBufferTimeout is as the environment says.
func (s *SingleOutputStreamOperator[T]) SetBufferTimeout(d time.Duration) *SingleOutputStreamOperator[T] {
	if d < DefaultBufferTimeout {
		s.env.fail("IllegalArgument", s.tr.Name, "SetBufferTimeout", "the buffer timeout must not be negative (DefaultBufferTimeout: the environment's), got %v", d)
	} else if s.env.whole(s.tr.Name, "SetBufferTimeout", "the buffer timeout", d) {
		s.tr.BufferTimeout = d
	}
	return s
}

// StartNewChain keeps the operator from being chained to its input. The last call of StartNewChain and
// DisableChaining wins.
func (s *SingleOutputStreamOperator[T]) StartNewChain() *SingleOutputStreamOperator[T] {
	s.chaining("StartNewChain", graph.Head)
	return s
}

// DisableChaining keeps the operator from being chained to its input and to its consumers.
func (s *SingleOutputStreamOperator[T]) DisableChaining() *SingleOutputStreamOperator[T] {
	s.chaining("DisableChaining", graph.Never)
	return s
}

func (s *SingleOutputStreamOperator[T]) chaining(call string, c graph.Chaining) {
	if s.tr.Virtual() {
		s.env.fail("UnsupportedOperation", s.tr.Name, call, "cannot set the chaining strategy of %s, which is no operator of its own; call %s on the operators before and after it", s.tr.Name, call)
		return
	}
	s.tr.Chaining = c
}

// SlotSharingGroup sets the group; operators of different groups are not chained. The default is the
// group that all inputs share, or "default". res is what its slots need, as RegisterSlotSharingGroup says.
func (s *SingleOutputStreamOperator[T]) SlotSharingGroup(name string, res ...ResourceSpec) *SingleOutputStreamOperator[T] {
	s.env.slotGroup(s.tr, name, res)
	return s
}

// Description sets the text that the plan and the screens show; it does not change the name.
func (s *SingleOutputStreamOperator[T]) Description(text string) *SingleOutputStreamOperator[T] {
	s.tr.Description = text
	return s
}

// Returns says what the records are. The type must fit T, and nothing may have used the stream before.
func (s *SingleOutputStreamOperator[T]) Returns(t Type) *SingleOutputStreamOperator[T] {
	if s.env.nilArg(t == nil, "Returns", "type") {
		return s
	}
	if !fits[T](t) {
		s.env.fail("IllegalArgument", s.tr.Name, "Returns", "the records are of type %s, not %s", TypeOf[T](), t)
		return s
	}
	if s.tr.OutRead {
		s.env.fail("IllegalState", s.tr.Name, "Returns", "the type of the records was used already, as %s; call Returns right after %s", s.tr.Out, s.tr.Name)
		return s
	}
	s.tr.Out = t
	return s
}

// GetSideOutput returns the records that the operator sent to the tag. It may be called again and again;
// what nobody asks for is dropped.
func (s *SingleOutputStreamOperator[T]) GetSideOutput[X any](tag OutputTag[X]) *SideOutputDataStream[X] {
	producers := s.tr.Producers() // how the main output is partitioned does not count
	t := &Transformation{Kind: graph.SideOutput, Name: "SideOutput", Inputs: producers,
		Parallelism: s.tr.Parallelism, Tag: tag.id, Out: tag.t}
	out := &SideOutputDataStream[X]{DataStream[X]{env: s.env, tr: s.env.transformation(t)}}
	if !checkTag(s.env, "GetSideOutput", tag) {
		return out
	}
	for _, t := range producers {
		askSideOutput(s.env, t, tag)
	}
	return out
}

// askSideOutput makes the operator t send what goes to the tag.
func askSideOutput[X any](e *StreamExecutionEnvironment, t *Transformation, tag OutputTag[X]) {
	other := func(t Type) bool { return t != nil && t.String() != tag.t.String() }
	if old := t.SideOut[tag.id]; other(old) {
		e.fail("UnsupportedOperation", t.Name, "GetSideOutput",
			"a side output with the id %q and the type %s was already requested, now with %s; use another id", tag.id, old, tag.t)
		return
	}
	if late := t.Late[tag.id]; other(late) {
		e.fail("UnsupportedOperation", t.Name, "GetSideOutput",
			"late records of the type %s go to the side output with the id %q, which is asked for with %s; use another id", late, tag.id, tag.t)
		return
	}
	if t.SideOut == nil {
		t.SideOut, t.Movers = map[string]Type{}, map[string]mover{}
	}
	t.SideOut[tag.id], t.Movers[tag.id] = tag.t, moverOf[X]()
}

// OutputTag names a side output with records of type T (Flink's OutputTag). Tags are equal when their ids
// are.
type OutputTag[T any] struct {
	id string
	t  Type
}

// NewOutputTag returns the tag with the given id, which must not be empty: using such a tag is an
// IllegalArgument error.
func NewOutputTag[T any](id string, opts ...TypeOption) OutputTag[T] {
	return OutputTag[T]{id: id, t: resultType[T](opts)}
}

// checkTag keeps the mistake of a tag that was not made with NewOutputTag, or with an empty id; it reports whether there is none.
func checkTag[X any](e *StreamExecutionEnvironment, call string, tag OutputTag[X]) bool {
	switch {
	case tag.t == nil:
		return !e.nilArg(true, call, "output tag")
	case tag.id == "":
		e.fail("IllegalArgument", "", call, "the id of the output tag is empty; give NewOutputTag a name")
		return false
	}
	return true
}

// ID is the id of the tag.
func (t OutputTag[T]) ID() string { return t.id }

// String is the id and the type.
func (t OutputTag[T]) String() string { return "OutputTag(" + t.id + ")" }

// SetType says what the records are; a session calls it.
func (t OutputTag[T]) SetType(typ Type) OutputTag[T] {
	t.t = typ
	return t
}

// DataStreamSink is the end of a stream (Flink's DataStreamSink).
type DataStreamSink[T any] struct {
	env    *StreamExecutionEnvironment
	tr     *Transformation
	writer *Transformation // of a sink of several operators, where tr is the committer; else nil
	global *Transformation // the global committer of such a sink; nil without one
}

// each changes the operators of the sink.
func (s *DataStreamSink[T]) each(f func(t *Transformation)) *DataStreamSink[T] {
	if s.writer != nil {
		f(s.writer)
	}
	f(s.tr)
	if s.global != nil {
		f(s.global)
	}
	return s
}

// Transformation is the step behind the sink.
func (s *DataStreamSink[T]) Transformation() *Transformation { return s.tr }

// Name names the sink.
func (s *DataStreamSink[T]) Name(name string) *DataStreamSink[T] {
	return s.each(func(t *Transformation) { t.Name = name })
}

// UID sets the id by which the sink's state is found again; it must be unique in a job.
func (s *DataStreamSink[T]) UID(uid string) *DataStreamSink[T] {
	s.tr.UID = uid
	if s.writer != nil {
		s.writer.UID, s.tr.UID = uid, "Sink Committer: "+uid
	}
	if s.global != nil {
		s.global.UID = "Sink " + uid + " Global Committer"
	}
	return s
}

// UIDHash sets a second id for finding the sink's state: 32 hex digits. A sink of SinkTo takes SinkUIDHashes instead.
func (s *DataStreamSink[T]) UIDHash(hash string) *DataStreamSink[T] {
	if s.tr.Part != "" {
		s.env.fail("UnsupportedOperation", s.tr.Name, "UIDHash", "a sink of SinkTo has several operators; give SinkTo the option SinkUIDHashes")
		return s
	}
	setUIDHash(s.env, s.tr, hash)
	return s
}

// SetParallelism sets the number of subtasks, at least 1; -1 is the environment's.
func (s *DataStreamSink[T]) SetParallelism(n int) *DataStreamSink[T] {
	return s.each(func(t *Transformation) {
		if t != s.global { // which has one subtask, whatever the sink has
			setParallelism(s.env, t, n)
		}
	})
}

// SetMaxParallelism sets the number of key groups: 1 to 32768.
func (s *DataStreamSink[T]) SetMaxParallelism(n int) *DataStreamSink[T] {
	return s.each(func(t *Transformation) {
		if t != s.global {
			setMaxParallelism(s.env, t, n)
		}
	})
}

// DisableChaining gives the sink a task of its own.
func (s *DataStreamSink[T]) DisableChaining() *DataStreamSink[T] {
	return s.each(func(t *Transformation) { t.Chaining = graph.Never })
}

// SlotSharingGroup sets the slot sharing group, and what its slots need.
func (s *DataStreamSink[T]) SlotSharingGroup(name string, res ...ResourceSpec) *DataStreamSink[T] {
	return s.each(func(t *Transformation) { s.env.slotGroup(t, name, res) })
}

// Description sets the text that the plan and the screens show.
func (s *DataStreamSink[T]) Description(text string) *DataStreamSink[T] {
	return s.each(func(t *Transformation) { t.Description = text })
}

func setUIDHash(e *StreamExecutionEnvironment, t *Transformation, hash string) {
	hash = strings.ToLower(hash)
	if !isUIDHash(hash) {
		e.fail("IllegalArgument", t.Name, "UIDHash", "a uid hash is 32 hex digits, got %q", hash)
		return
	}
	t.UIDHash = hash
}

func isUIDHash(hash string) bool {
	return len(hash) == 32 && strings.Trim(strings.ToLower(hash), "0123456789abcdef") == ""
}

func setParallelism(e *StreamExecutionEnvironment, t *Transformation, n int) {
	switch {
	case n == -1 && t.NonParallel:
		return
	case n == -1:
		t.Parallelism, t.ParallelismSet = e.parallelism, false
		return
	case n < 1:
		e.fail("IllegalArgument", t.Name, "SetParallelism", "the parallelism of an operator must be at least 1, or -1 for the environment's, got %d", n)
		return
	case t.NonParallel && n != 1 && t.Kind == graph.Source:
		e.fail("IllegalArgument", t.Name, "SetParallelism", "the source %q is not parallel: its parallelism is 1, got %d; FromData and FromSequence can be raised", t.Name, n)
		return
	case t.NonParallel && n != 1:
		e.fail("IllegalArgument", t.Name, "SetParallelism", "the operator %q is not parallel: its parallelism is 1, got %d", t.Name, n)
		return
	}
	t.Parallelism, t.ParallelismSet = n, true
}

func setMaxParallelism(e *StreamExecutionEnvironment, t *Transformation, n int) {
	if t.NonParallel && t.Kind != graph.Source && n != 1 {
		e.fail("IllegalArgument", t.Name, "SetMaxParallelism", "the operator %q is not parallel: its max parallelism is 1, got %d", t.Name, n)
		return
	}
	if e.checkMaxParallelism(t.Name, n) {
		t.MaxParallelism = n
	}
}
