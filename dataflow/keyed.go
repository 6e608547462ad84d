package dataflow

import (
	"reflect"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/exchange"
	"flinkish/dataflow/internal/keygroup"
	"flinkish/dataflow/internal/state"
)

// KeyedStream is a stream partitioned by key (Flink's KeyedStream). Records with equal keys meet in the same
// subtask, the one that Flink would choose. The operators of DataStream work on it as well,
// with keyed state at hand; their results are not keyed any more.
type KeyedStream[T any, K comparable] struct{ DataStream[T] }

// keying is the key of a stream of T, for code that does not know the key's type.
type keying[T any] interface {
	keyType() Type
	goType() reflect.Type
	// backend makes the keyed state of one operator instance.
	backend() (keyBackend, *state.Store)
	// input makes the KeyedEmit of an operator: it sets the key in b, then calls in.
	input(b keyBackend, in core.Emit[T]) any
	// enter returns what sets the key of v in b, outside of an input.
	enter(b keyBackend) func(v T)
	// grouped makes the KeyedEmit of an operator that groups by the bytes of the key.
	grouped(in func(key []byte, v T, ts int64)) any
}

// keyBackend is a *state.Backend of some key type.
type keyBackend interface {
	state.Keys
	Len() int
	LookAhead() any // for core.Instance.Ahead
}

// keySpec is the key of a keyed stream.
type keySpec[T any, K comparable] struct {
	sel func(T) K
	typ Type
}

func (k *keySpec[T, K]) keyType() Type        { return k.typ }
func (k *keySpec[T, K]) goType() reflect.Type { return reflect.TypeFor[K]() }

// keyedBy reports whether k makes keys of type K, which the program knows as t.
func keyedBy[T any, K comparable](k keying[T], t Type) bool {
	spec, ok := k.(*keySpec[T, K])
	return ok && (t == TypeOf[K]() || !typesDiffer(spec.typ, t))
}

func (k *keySpec[T, K]) backend() (keyBackend, *state.Store) {
	b := state.NewBackend[K]()
	return b, &b.Store
}

func (k *keySpec[T, K]) input(b keyBackend, in core.Emit[T]) any {
	keys := b.(*state.Backend[K])
	return core.KeyedEmit[K, T](func(k K, v T, ts int64) {
		keys.SetCurrent(k)
		in(v, ts)
	})
}

func (k *keySpec[T, K]) enter(b keyBackend) func(v T) {
	keys := b.(*state.Backend[K])
	return func(v T) { keys.SetCurrent(k.sel(v)) }
}

// keyBound runs an operator that does not know about keys on a keyed stream: its functions find keyed state.
type keyBound[T any] struct {
	unaryFactory
	keys keying[T]
}

func (f *keyBound[T]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	b, store := f.keys.backend()
	inst, err := f.build(s, out, newRuntimeContext(s, store))
	if err != nil {
		return nil, err
	}
	inst.Inputs[0] = f.keys.input(b, inst.Inputs[0].(core.Emit[T]))
	inst.Measure, inst.Ahead = measure(inst.Counters, b, nil), b.LookAhead()
	return inst, nil
}

// KeyBy partitions the stream by f(v), which must depend on v alone. Key types are basic types and
// structs of them; others are an error here. The sender evaluates f, once for each record. A panic of f fails the job with a
// Runtime error around the cause, a nil key with NullPointer.
func (d *DataStream[T]) KeyBy[K comparable](f func(T) K, opts ...KeyOption) *KeyedStream[T, K] {
	typ := TypeOf[K]()
	for _, o := range opts {
		o(&typ)
	}
	if d.env.nilArg(f == nil, "KeyBy", "key selector") {
		f = func(T) (k K) { return k }
	}
	return keyed(d, "KeyBy", f, typ)
}

func keyed[T any, K comparable](d *DataStream[T], call string, f func(T) K, typ Type) *KeyedStream[T, K] {
	if rt := dynamic(typ); rt != nil {
		if err := keygroup.CheckKeyType(rt); err != nil {
			d.env.blame(d.tr.Name, call, err)
		}
	}
	keyer := exchange.Keyed(f, keygroup.HasherOf[K]())
	return keyedView(d, call, graph.Hash, keyer, f, typ)
}

// keyedView makes the keyed stream whose records reach their consumer as p says.
func keyedView[T any, K comparable](d *DataStream[T], call string, p graph.Partitioning, keyer core.Keyer, f func(T) K, typ Type) *KeyedStream[T, K] {
	t := d.env.transformation(&Transformation{Kind: graph.Partition, Name: "Partition", Inputs: []*Transformation{d.tr},
		Parallelism: d.tr.Parallelism, Out: d.tr.Out, Key: typ, Partitioning: p, Payload: keyer, Call: call})
	return &KeyedStream[T, K]{DataStream[T]{env: d.env, tr: t, keys: &keySpec[T, K]{f, typ}}}
}

// KeyType describes the keys.
func (k *KeyedStream[T, K]) KeyType() Type { return k.tr.Key }

// KeyedProcessFunction is a function object for ProcessKeyed (Flink's class of the same name). It may have
// Open, Close and
//
//	OnTimer(ts int64, ctx *OnTimerContext[K], out Collector[R]) error
type KeyedProcessFunction[K comparable, T, R any] interface {
	// ProcessElement handles v with its key set: it may read and write state, set timers, and send
	// results to out and to side outputs. ctx and out are valid during the call only.
	ProcessElement(v T, ctx *KeyedContext[K], out Collector[R]) error
}

// onTimer is the optional method of a KeyedProcessFunction.
type onTimer[K comparable, R any] interface {
	OnTimer(ts int64, ctx *OnTimerContext[K], out Collector[R]) error
}

// ProcessKeyed hands each record to f with keyed state and timers at hand. Each subtask works on its own
// copy of f. Results carry the timestamp of the record or of the event timer; those of a
// processing timer carry none.
func (k *KeyedStream[T, K]) ProcessKeyed[R any](f KeyedProcessFunction[K, T, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	k.env.checkFunction("ProcessKeyed", f, optional[func(int64, *OnTimerContext[K], Collector[R]) error]("OnTimer"))
	return keyedOperator[T, R](&k.DataStream, "KeyedProcess", &processKeyed[K, T, R]{object: f}, opts)
}

// ProcessKeyedFunc is ProcessKeyed with a plain function; it gets its state from the context.
func (k *KeyedStream[T, K]) ProcessKeyedFunc[R any](f func(v T, ctx *KeyedContext[K], out Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	k.env.checkFunction("ProcessKeyedFunc", f)
	each := func(v T, ctx *KeyedContext[K], out Collector[R]) error { f(v, ctx, out); return nil }
	return keyedOperator[T, R](&k.DataStream, "KeyedProcess", &processKeyed[K, T, R]{plain: each}, opts)
}

// keyedOperator makes an operator that handles the keys of d itself.
func keyedOperator[T, R any](d *DataStream[T], name string, f core.Factory, opts []TypeOption) *SingleOutputStreamOperator[R] {
	t := &Transformation{Name: name, Inputs: []*Transformation{d.tr}, Factory: f, Keyed: true}
	return operator[R](d.env, t, opts)
}
