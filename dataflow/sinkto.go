package dataflow

import (
	"fmt"

	"flinkish/dataflow/connector"
	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
)

// SinkOption changes SinkTo.
type SinkOption func(*sinkHashes)

type sinkHashes struct {
	writer, committer, global string
	bad                       string
}

// SinkUIDHashes sets second ids for finding the state of the writer, the committer and the global committer, 32 hex digits each;
// empty is none (CustomSinkOperatorUidHashes).
func SinkUIDHashes(writer, committer, globalCommitter string) SinkOption {
	return func(h *sinkHashes) {
		h.writer, h.committer, h.global = writer, committer, globalCommitter
		for _, hash := range []string{writer, committer, globalCommitter} {
			if hash != "" && !isUIDHash(hash) {
				h.bad = hash
			}
		}
	}
}

// SinkTo writes the records to a sink (sinkTo): one operator called "Sink: Writer"; for a connector.TwoPhaseSink a second one
// called "Sink: Committer"; for a connector.GlobalCommittingSink a third one, in one subtask, called "Sink: Global Committer". Name
// replaces the "Sink". What writers prepare is committed when the input ends. Name, parallelism, chaining, slot sharing group and
// description are those of all operators; the uid U of the sink is the one of the writer, the committer has "Sink Committer: U",
// the global committer "Sink U Global Committer".
func (d *DataStream[T]) SinkTo(s connector.Sink[T], opts ...SinkOption) *DataStreamSink[T] {
	d.env.nilArg(s == nil, "SinkTo", "sink")
	var h sinkHashes
	for _, o := range opts {
		o(&h)
	}
	two, commits := s.(connector.TwoPhaseSink[T])
	commits = commits && hasMethod(s, "Committer")
	all, global := s.(connector.GlobalCommittingSink[T])
	global = global && hasMethod(s, "GlobalCommitter")
	if global && !commits {
		d.env.fail("IllegalArgument", d.tr.Name, "SinkTo", "a sink with a global committer needs a committer; add the method Committer")
	}
	w := &Transformation{Kind: graph.Sink, Name: "Sink", Part: "Writer", Inputs: []*Transformation{d.tr},
		Factory: d.factory(&sinkWriter[T]{s, commits}), Keyed: d.keys != nil, Yielding: true, Out: d.tr.Out, Mover: moverOf[T](), UIDHash: h.writer}
	d.env.transformation(w)
	d.env.register(w)
	if h.bad != "" {
		d.env.failGraph(w, "SinkUIDHashes", "a uid hash is 32 hex digits, got %q", h.bad)
	}
	sink := &DataStreamSink[T]{env: d.env, tr: w}
	if commits {
		w.Kind, w.Out, w.Mover = graph.Operator, TypeOf[any](), moverOf[any]()
		sink.writer, sink.tr = w, sinkPart(d.env, w, "Committer", two.Committer, h.committer)
	}
	if global {
		sink.tr.Kind = graph.Operator
		sink.global = globalCommitter(d.env, sink.tr, all.GlobalCommitter, h.global)
	}
	return sink
}

// sinkPart makes an operator of a sink that gets committables.
func sinkPart(e *StreamExecutionEnvironment, in *Transformation, part string, open func(connector.WriterContext) (connector.Committer, error), hash string) *Transformation {
	t := e.transformation(&Transformation{Kind: graph.Sink, Name: "Sink", Part: part, Inputs: []*Transformation{in},
		Factory: plain{&sinkCommitter{open}}, Out: TypeOf[any](), Mover: moverOf[any](), UIDHash: hash})
	e.register(t)
	return t
}

func globalCommitter(e *StreamExecutionEnvironment, committer *Transformation, open func(connector.WriterContext) (connector.Committer, error), hash string) *Transformation {
	view := e.transformation(&Transformation{Kind: graph.Partition, Name: "Global", Partitioning: graph.Global, Inputs: []*Transformation{committer},
		Parallelism: committer.Parallelism, Out: committer.Out})
	t := sinkPart(e, view, "Global Committer", open, hash)
	t.Parallelism, t.MaxParallelism, t.NonParallel = 1, 1, true
	return t
}

// sinkWriter builds the writers of a sink.
type sinkWriter[T any] struct {
	sink   connector.Sink[T]
	commit bool
}

func (f *sinkWriter[T]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	o := &writerOp[T]{opBase: newBase(s, out, rt, nil), f: f}
	if f.commit {
		o.emit = out.Main.(core.Emit[any])
	}
	last := new(T)
	in := core.Emit[T](func(v T, ts int64) {
		*last = v
		s.Op = o.idx
		o.n.In++
		if err := o.w.Write(v, connector.WriteContext{Timestamp: ts, Watermark: o.wm}); err != nil {
			o.fail(err)
		}
	})
	return &core.Instance{Inputs: []any{in}, Op: o, Record: func() any { return *last }, Counters: &o.n}, nil
}

// writerOp is the control side of a writer.
type writerOp[T any] struct {
	opBase
	f    *sinkWriter[T]
	w    connector.Writer[T]
	emit core.Emit[any] // of committables; nil without a committer
}

func (o *writerOp[T]) Open() (err error) {
	o.enter()
	o.w, err = o.f.sink.Writer(connector.WriterContext{Subtask: o.sub.Index, Parallelism: o.sub.Parallelism})
	if _, ok := o.w.(connector.CommittingWriter[T]); err == nil && o.f.commit && !(ok && hasMethod(o.w, "PrepareCommit")) {
		err = fmt.Errorf("the writer of a sink with a committer must have the method PrepareCommit")
	}
	return err
}

func (o *writerOp[T]) Finish() {
	o.enter()
	if err := o.w.Flush(true); err != nil {
		o.fail(err)
	}
	if o.emit == nil {
		return
	}
	committables, err := o.w.(connector.CommittingWriter[T]).PrepareCommit()
	if err != nil {
		o.fail(err)
	}
	for _, c := range committables {
		o.emit(c, core.NoTimestamp)
		o.enter()
	}
}

func (o *writerOp[T]) Close() error {
	o.enter()
	if o.w == nil {
		return nil
	}
	return o.w.Close()
}

// sinkCommitter builds the committers of a sink.
type sinkCommitter struct {
	open func(connector.WriterContext) (connector.Committer, error)
}

func (f *sinkCommitter) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	o := &committerOp{opBase: newBase(s, out, rt, nil), f: f, emit: out.Main.(core.Emit[any])}
	in := core.Emit[any](func(v any, _ int64) {
		o.n.In++
		o.pending = append(o.pending, v)
	})
	return &core.Instance{Inputs: []any{in}, Op: o, Counters: &o.n}, nil
}

// committerOp collects what its writers prepared, commits it at the end, and sends it on to a global committer.
type committerOp struct {
	opBase
	f       *sinkCommitter
	c       connector.Committer
	emit    core.Emit[any]
	pending []any
}

func (o *committerOp) Open() (err error) {
	o.enter()
	o.c, err = o.f.open(connector.WriterContext{Subtask: o.sub.Index, Parallelism: o.sub.Parallelism})
	return err
}

func (o *committerOp) Finish() {
	o.enter()
	if len(o.pending) == 0 {
		return
	}
	if err := o.c.Commit(o.pending); err != nil {
		o.fail(err)
	}
	for _, c := range o.pending {
		o.emit(c, core.NoTimestamp)
		o.enter()
	}
}

func (o *committerOp) Close() error {
	o.enter()
	if o.c == nil {
		return nil
	}
	return o.c.Close()
}
