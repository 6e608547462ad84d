package dataflow

// StateDescriptor names a state of a key, of any kind (Flink's StateDescriptor): a *ValueStateDescriptor, *ListStateDescriptor,
// *MapStateDescriptor, *ReducingStateDescriptor or *AggregatingStateDescriptor.
type StateDescriptor interface {
	// Err is the mistake in the making of the descriptor, a *GraphError or nil.
	Err() error
	// described is the name of the state, its type as users know it, and its time to live.
	described() (name, typ string, life ttl)
	// merge adds what from has under this descriptor to what into has.
	merge(into, from *stateAccess)
}

func (d *ValueStateDescriptor[V]) described() (name, typ string, life ttl) {
	return d.name, d.typ.String(), d.ttl
}
func (d *ListStateDescriptor[V]) described() (name, typ string, life ttl) {
	return d.name, d.typ.String(), d.ttl
}
func (d *MapStateDescriptor[K, V]) described() (name, typ string, life ttl) {
	return d.name, "map[" + d.key.String() + "]" + d.value.String(), d.ttl
}
func (d *ReducingStateDescriptor[V]) described() (name, typ string, life ttl) {
	return d.name, d.typ.String(), d.ttl
}
func (d *AggregatingStateDescriptor[IN, ACC, OUT]) described() (name, typ string, life ttl) {
	return d.name, d.typ.String(), d.ttl
}

func (d *ValueStateDescriptor[V]) merge(into, _ *stateAccess) {
	into.fail(notMergeable("value", d.name))
}

func (d *MapStateDescriptor[K, V]) merge(into, _ *stateAccess) {
	into.fail(notMergeable("map", d.name))
}

func (d *ListStateDescriptor[V]) merge(into, from *stateAccess) {
	into.list(d).l.AddAll(from.list(d).l.Slice())
}

func (d *ReducingStateDescriptor[V]) merge(into, from *stateAccess) {
	if v, ok := from.reducing(d).Get(); ok {
		into.reducing(d).Add(v)
	}
}

func (d *AggregatingStateDescriptor[IN, ACC, OUT]) merge(into, from *stateAccess) {
	into.accumulator(d).MergeFrom(from.accumulator(d))
}

func notMergeable(kind, name string) error {
	return &GraphError{Kind: "IllegalArgument", Call: "MergePartitionedState",
		Msg: "the " + kind + " state " + name + " cannot be merged; keep it in a list, a reducing or an aggregating state"}
}

// Err is the mistake in the making of the descriptor, such as an empty name, or a time to live that is not positive: a
// *GraphError, or nil. A state that is used with it ends the job.
func (d *ValueStateDescriptor[V]) Err() error {
	if d == nil {
		return noDescriptor
	}
	return descriptorError("NewValueStateDescriptor", d.name, d.ttl)
}

// Err is the mistake in the making of the descriptor; see ValueStateDescriptor.Err.
func (d *ListStateDescriptor[V]) Err() error {
	if d == nil {
		return noDescriptor
	}
	return descriptorError("NewListStateDescriptor", d.name, d.ttl)
}

// Err is the mistake in the making of the descriptor; see ValueStateDescriptor.Err.
func (d *MapStateDescriptor[K, V]) Err() error {
	if d == nil {
		return noDescriptor
	}
	return descriptorError("NewMapStateDescriptor", d.name, d.ttl)
}

// Err is the mistake in the making of the descriptor, such as no function; see ValueStateDescriptor.Err.
func (d *ReducingStateDescriptor[V]) Err() error {
	if d == nil {
		return noDescriptor
	}
	if d.f == nil {
		return &GraphError{Kind: "NullPointer", Call: "NewReducingStateDescriptor", Msg: "the reduce function must not be nil"}
	}
	return descriptorError("NewReducingStateDescriptor", d.name, d.ttl)
}

// Err is the mistake in the making of the descriptor, such as a function with a life cycle; see ValueStateDescriptor.Err.
func (d *AggregatingStateDescriptor[IN, ACC, OUT]) Err() error {
	if d == nil {
		return noDescriptor
	}
	switch {
	case nothing(d.f):
		return &GraphError{Kind: "NullPointer", Call: "NewAggregatingStateDescriptor", Msg: "the aggregate function must not be nil"}
	case isRich(d.f):
		return &GraphError{Kind: "UnsupportedOperation", Call: "NewAggregatingStateDescriptor",
			Msg: "the function of a state must not have Open or Close; they would never be called"}
	}
	return descriptorError("NewAggregatingStateDescriptor", d.name, d.ttl)
}

// noDescriptor is the mistake of a nil descriptor.
var noDescriptor = &GraphError{Kind: "NullPointer", Msg: "the state descriptor must not be nil; make it with NewValueStateDescriptor or one of its siblings"}

func descriptorError(call, name string, t ttl) error {
	switch {
	case name == "":
		return &GraphError{Kind: "NullPointer", Call: call, Msg: "a state needs a name"}
	case t.err != "":
		return &GraphError{Kind: "IllegalArgument", Call: "TTL", Msg: "state " + name + ": " + t.err}
	}
	return nil
}
