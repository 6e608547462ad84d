package dataflow

import (
	"iter"
	"reflect"
	"time"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/exchange"
	"flinkish/dataflow/internal/keygroup"
)

// This file is what Join and CoGroup share. Two hidden Map operators put the records of both streams into one type,
// the union of the two is keyed and windowed, and the operator takes the sides apart again. The nodes in between are
// made without streams of that type: such a stream would have a Join of its own, and so on without end.

// TaggedUnion is a record of one of two streams (CoGroupedStreams.TaggedUnion): what the trigger or evictor of a join
// sees.
type TaggedUnion[A, B any] struct {
	a      A
	b      B
	second bool
}

// IsOne reports whether the record is one of the first stream.
func (t TaggedUnion[A, B]) IsOne() bool { return !t.second }

// One is the record of the first stream, the zero value when it is one of the second.
func (t TaggedUnion[A, B]) One() A { return t.a }

// Two is the record of the second stream, the zero value when it is one of the first.
func (t TaggedUnion[A, B]) Two() B { return t.b }

// taggedType is the type of the tagged records.
type taggedType[A, B any] struct{ first, second Type }

func (t taggedType[A, B]) String() string {
	return "TaggedUnion[" + t.first.String() + ", " + t.second.String() + "]"
}
func (t taggedType[A, B]) Reflect() reflect.Type { return reflect.TypeFor[TaggedUnion[A, B]]() }
func (t taggedType[A, B]) Format(v any) string {
	u, ok := v.(TaggedUnion[A, B])
	switch {
	case !ok:
		return javaText(v)
	case u.second:
		return t.second.Format(u.b)
	}
	return t.first.Format(u.a)
}

// pairing is the two streams.
type pairing[A, B any] struct {
	first  *DataStream[A]
	second *DataStream[B]
	call   string
}

func pairOf[A, B any](d *DataStream[A], o Stream[B], call string) *pairing[A, B] {
	p := &pairing[A, B]{first: d, call: call}
	if d.env.nilArg(o == nil, call, "stream") {
		p.second = &DataStream[B]{env: d.env, tr: d.tr}
		return p
	}
	p.second = o.asDataStream()
	if p.second.env != d.env {
		d.env.fail("IllegalArgument", d.tr.Name, call, "the streams belong to different environments; build both from the same one")
	}
	return p
}

// keyedPairing also has the keys.
type keyedPairing[A, B any, K comparable] struct {
	*pairing[A, B]
	key1 func(A) K
	key2 func(B) K
	typ  Type
}

func whereOf[A, B any, K comparable](p *pairing[A, B], f func(A) K, opts []KeyOption) *keyedPairing[A, B, K] {
	k := &keyedPairing[A, B, K]{pairing: p, key1: f, typ: TypeOf[K]()}
	for _, o := range opts {
		o(&k.typ)
	}
	e := p.first.env
	if e.nilArg(f == nil, "Where", "key selector") {
		k.key1 = func(A) (none K) { return none }
	}
	if rt := dynamic(k.typ); rt != nil {
		if err := keygroup.CheckKeyType(rt); err != nil {
			e.blame(p.first.tr.Name, "Where", err)
		}
	}
	return k
}

func (k *keyedPairing[A, B, K]) equalTo(f func(B) K) *keyedPairing[A, B, K] {
	c := *k
	c.key2 = f
	if k.first.env.nilArg(f == nil, "EqualTo", "key selector") {
		c.key2 = func(B) (none K) { return none }
	}
	return &c
}

// windowedPairing also has the windows. Its setters return changed copies.
type windowedPairing[A, B any, K comparable, W Window] struct {
	k    *keyedPairing[A, B, K]
	spec windowSpec[TaggedUnion[A, B], W]
}

func pairWindows[A, B any, K comparable, W Window](k *keyedPairing[A, B, K], a WindowAssigner[W]) windowedPairing[A, B, K, W] {
	p := windowedPairing[A, B, K, W]{k: k}
	p.spec.assign(p.env(), k.call, "Window", a)
	return p
}

func (p windowedPairing[A, B, K, W]) env() *StreamExecutionEnvironment { return p.k.first.env }

func (p windowedPairing[A, B, K, W]) trigger(t AnyTrigger) windowedPairing[A, B, K, W] {
	p.spec.setTrigger(p.env(), p.k.call, t)
	return p
}

func (p windowedPairing[A, B, K, W]) evictor(v AnyEvictor) windowedPairing[A, B, K, W] {
	p.spec.setEvictor(p.env(), p.k.call, v)
	return p
}

func (p windowedPairing[A, B, K, W]) lateness(d time.Duration) windowedPairing[A, B, K, W] {
	p.spec.setLateness(p.env(), p.k.call, d)
	return p
}

// pairFunc gets the records of both sides of a window.
type pairFunc[A, B, R any] func(as iter.Seq[A], bs iter.Seq[B], out Collector[R]) error

// tag makes the hidden Map that marks the records of one side.
func tag[T, U any](d *DataStream[T], typ Type, mark func(T) U) *Transformation {
	d.env.checkFunction("Map", mark)
	t := &Transformation{Kind: graph.Operator, Name: "Map", Inputs: []*Transformation{d.tr}, Parallelism: d.tr.Parallelism,
		Factory: d.factory(&function[T, U, func(T) U]{mark, wireMap[T, U]}), Keyed: d.keys != nil, Out: typ, Mover: moverOf[U]()}
	d.env.transformation(t)
	d.env.register(t)
	return t
}

// tagged makes the nodes that bring both streams together by key.
func (k *keyedPairing[A, B, K]) tagged() *Transformation {
	typ := taggedType[A, B]{k.first.tr.Out, k.second.tr.Out}
	one := tag(k.first, typ, func(v A) TaggedUnion[A, B] { return TaggedUnion[A, B]{a: v} })
	two := tag(k.second, typ, func(v B) TaggedUnion[A, B] { return TaggedUnion[A, B]{b: v, second: true} })
	e := k.first.env
	both := e.transformation(&Transformation{Kind: graph.Union, Name: "Union", Inputs: []*Transformation{one, two},
		Parallelism: one.Parallelism, Out: typ})
	keyer := exchange.Keyed(func(t TaggedUnion[A, B]) K {
		if t.second {
			return k.key2(t.b)
		}
		return k.key1(t.a)
	}, keygroup.HasherOf[K]())
	return e.transformation(&Transformation{Kind: graph.Partition, Name: "Partition", Inputs: []*Transformation{both},
		Parallelism: both.Parallelism, Out: typ, Key: k.typ, Partitioning: graph.Hash, Payload: keyer, Call: "Where"})
}

// pairOperator makes a join or coGroup. fn is the function object, nil for a plain function; bind makes the function of it
// that a subtask calls.
func pairOperator[A, B any, K comparable, W Window, R any](p windowedPairing[A, B, K, W], fn any, bind func(fn any) pairFunc[A, B, R], opts []TypeOption) *SingleOutputStreamOperator[R] {
	f := &windowFactory[K, TaggedUnion[A, B], []TaggedUnion[A, B], TaggedUnion[A, B], R, W]{
		spec: p.spec, fn: fn,
		bind: func(fn any) windowFunc[K, TaggedUnion[A, B], R, W] {
			call := bind(fn)
			return func(_ K, _ *ProcessWindowContext[W], vs iter.Seq[TaggedUnion[A, B]], out Collector[R]) error {
				return call(firsts(vs), seconds(vs), out)
			}
		},
		fold: listOf[TaggedUnion[A, B]],
	}
	t := &Transformation{Name: className(p.spec.assigner), Inputs: []*Transformation{p.k.tagged()}, Factory: core.Factory(f), Keyed: true}
	p.spec.describe(t, "CoGroupWindowFunction")
	return operator[R](p.env(), t, opts)
}

func firsts[A, B any](vs iter.Seq[TaggedUnion[A, B]]) iter.Seq[A] {
	return func(yield func(A) bool) {
		vs(func(t TaggedUnion[A, B]) bool { return t.second || yield(t.a) })
	}
}

func seconds[A, B any](vs iter.Seq[TaggedUnion[A, B]]) iter.Seq[B] {
	return func(yield func(B) bool) {
		vs(func(t TaggedUnion[A, B]) bool { return !t.second || yield(t.b) })
	}
}
