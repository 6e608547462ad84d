package core

// Mover knows one record type T, and does for the untyped wiring what needs T: it is
// implemented once, generically, by package exchange.
type Mover interface {
	// Tee returns one Emit[T] that calls each of outs (each an Emit[T]) in order; there is at least one.
	Tee(outs []any) any
	// Drop returns an Emit[T] for an output that nobody reads. It adds to n.
	Drop(n *uint64) any
	// Connect makes the network edge of a stream of T with the given shape.
	Connect(spec EdgeSpec) Edge
}

// Keyer knows T and the key type K of a keyed edge. It is the payload of a HASH partitioner, and of the
// FORWARD one that reinterpretAsKeyedStream makes.
type Keyer interface {
	// Bind turns the KeyedEmit[K, T] of a keyed operator into the Emit[T] that a chained producer
	// calls; the key is computed there, in the subtask s. The Emit[T] of an operator that takes no keys, which reads a
	// union of keyed streams, is returned as it is, and chooser is nil.
	Bind(s *Subtask, in any) (emit any, chooser Chooser)
	// Connect makes the network edge that ships each record with its key.
	Connect(spec EdgeSpec) Edge
}

// EdgeSpec is the shape of one network edge between two vertices.
type EdgeSpec struct {
	Kind           Partitioning
	Producers      []*Subtask // all producing subtasks, by index
	Consumers      []*Subtask
	MaxParallelism int // key groups of the consumer
	BatchSize      int // records in a batch
	Slots          int // batches in a ring: the credit
	// Blocking: the consumers see nothing before the producers have ended, and these never wait for room.
	Blocking bool
	Custom   any // CUSTOM: func(v T, n int, c *Choice) int, see Choice
	Seed     uint64
}

// Edge is one network edge; its two ends are used by many subtasks.
type Edge interface {
	// Writer is the end of one producer.
	Writer(producer int) Writer
	// Reader is the end of one consumer. in is the consumer's Emit[T] or KeyedEmit[K, T]; ahead is an Instance.Ahead.
	Reader(consumer int, in, ahead any) Reader
}

// Choice is which function of the user chooses the way of a record now. It tells whose fault a failure is.
type Choice uint8

const (
	NoChoice Choice = iota
	Selector        // a key selector
	Chosen          // a partitioner, after the key selector. The one that calls both sets it between them
)

// Chooser is what calls the functions that choose the way of a record.
type Chooser interface {
	// Choosing returns the record whose way is being chosen, and by what. All calls come from the subtask's goroutine.
	Choosing() (record any, by Choice)
}

// Writer is the producing end of an edge in one subtask.
type Writer interface {
	Control
	Chooser
	// Emit is the Emit[T] that puts a record into the batch of its channel.
	Emit() any
	// Flush sends every batch that holds something.
	Flush()
	// End sends the end of data on every channel and flushes.
	End()
	// Sample returns the most recent records that left here, newest last. The caller owns the
	// slice. Safe from every goroutine.
	Sample(n int) []Sample
	// Count is the number of records that left here. A broadcast record counts once.
	Count() uint64
}

// Reader is the consuming end of an edge in one subtask: one channel for each connected producer.
type Reader interface {
	Channels() int
	// Ready reports whether some open channel of this reader has a batch.
	Ready() bool
	// Read delivers one batch of one channel and calls mark for each mark where it lies
	// between the records. pick chooses among n ready channels. It reports false when nothing was ready.
	Read(pick func(n int) int, mark func(channel int, m Mark)) bool
	// Queued is the number of batches waiting, and the capacity. Safe from every goroutine.
	Queued() (n, capacity int)
	// Count is the number of records that were delivered.
	Count() uint64
	// Release lets go of the consumer; nothing is read any more. Queued and Count stay.
	Release()
}

// Mark is a control element between two records of a channel.
type Mark struct {
	Pos  int // before the record at this position of the batch
	Kind MarkKind
	Time int64 // watermark, or checkpoint id
}

// MarkKind is the kind of a Mark.
type MarkKind uint8

const (
	MarkWatermark MarkKind = iota
	MarkIdle
	MarkActive
	MarkBarrier
	MarkEnd
)

// Sample is one sampled record.
type Sample struct {
	Value     any
	Timestamp int64
	Key       any // nil on an unkeyed edge
	Channel   int
}

// Partitioning is how the records of an edge are spread over the consuming subtasks.
type Partitioning uint8

const (
	Unspecified Partitioning = iota // FORWARD when parallelism is equal, else REBALANCE
	Forward
	Rebalance
	Rescale
	Shuffle
	Broadcast
	Global
	Hash
	Custom
)

// String is Flink's word for it, as it stands on an edge of the plan.
func (p Partitioning) String() string {
	return [...]string{"", "FORWARD", "REBALANCE", "RESCALE", "SHUFFLE", "BROADCAST", "GLOBAL", "HASH", "CUSTOM"}[p]
}

// Pointwise reports whether a producer is linked to a subset of the consumers only.
func (p Partitioning) Pointwise() bool { return p == Forward || p == Rescale }
