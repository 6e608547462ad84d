// Package graph turns the calls of a program into Flink's StreamGraph and JobGraph: nodes, partitioners,
// chains, names and ids. It is untyped plain data: the typed parts of an operator travel through it as
// opaque values, and nothing here runs a record.
//
// The way is Transformation (one for each call) -> StreamGraph (one Node for each operator, one Edge for
// each connection) -> JobGraph (one Vertex for each chain).
package graph

import (
	"reflect"
	"time"

	"flinkish/dataflow/internal/core"
)

// Partitioning is how the records of an edge are spread over the consuming subtasks.
type Partitioning = core.Partitioning

// The partitionings, with Flink's names.
const (
	Unspecified = core.Unspecified
	Forward     = core.Forward
	Rebalance   = core.Rebalance
	Rescale     = core.Rescale
	Shuffle     = core.Shuffle
	Broadcast   = core.Broadcast
	Global      = core.Global
	Hash        = core.Hash
	Custom      = core.Custom
)

// Type describes the records of a stream to people and to the parts that must look inside a record.
// A compiled program gets one made by reflection; a session passes one that knows the type as the user
// wrote it.
type Type interface {
	// String is the type as the user would write it, such as Word or Tuple2[string, int].
	String() string
	// Reflect is the type that the running program uses for such a record.
	Reflect() reflect.Type
	// Format is the text of one record: its String or Error method if it has one, else the form
	// that Print documents.
	Format(v any) string
}

// Kind is what a transformation stands for.
type Kind uint8

const (
	Source     Kind = iota // no input
	Operator               // one or two inputs, runs code
	Sink                   // an operator without a result
	Partition              // a view of its input with another partitioner
	Union                  // a view of several inputs
	SideOutput             // a view of one output tag of its input
)

// Chaining is whether an operator may be chained to its neighbours.
type Chaining uint8

const (
	Always Chaining = iota
	Head            // not to its input
	Never
	HeadWithSources
)

// String is Flink's word for the strategy.
func (c Chaining) String() string {
	return [...]string{"ALWAYS", "HEAD", "NEVER", "HEAD_WITH_SOURCES"}[c]
}

// DescriptionMode is the form of the descriptions of vertices (pipeline.vertex-description-mode).
type DescriptionMode uint8

const (
	// Tree has a line for each operator of the chain. It is the default.
	Tree DescriptionMode = iota
	// Cascading is one line: "A -> (B , C)".
	Cascading
)

// Transformation is one step of a program, made by one call of the API. It is data: building a graph
// reads it and changes nothing. Only the goroutine that builds the program may write it.
type Transformation struct {
	ID          int // unique in its environment, in program order, from 1
	Kind        Kind
	Name        string
	Description string
	UID         string
	UIDHash     string // 32 hex digits
	Part        string // of a sink that runs as several operators: Writer, Committer; the name follows the sink's
	NoPrefix    bool   // of a Source: its name stands alone, without "Source: "

	Inputs []*Transformation // in the order of declaration; a two-input operator has its two here

	Parallelism    int
	ParallelismSet bool // by the user, on this operator
	MaxParallelism int  // 0: not set
	NonParallel    bool // parallelism is 1 and stays so
	Bounded        bool // of a source
	LegacySource   bool
	Yielding       bool // does not chain after a legacy source

	// Iteration is the loop that this is the head (a Source) or the tail (a Sink) of; 0: of none. Tail of the head is
	// the tail; nil: nothing is fed back yet.
	Iteration int
	Tail      *Transformation

	Chaining         Chaining
	SlotSharingGroup string
	BufferTimeout    time.Duration // milliseconds count; DefaultBufferTimeout: the environment's
	Keyed            bool          // the operator has keyed inputs
	SortsInput       bool          // the operator groups its keyed input by itself, so BATCH need not
	EmitsAtEnd       bool          // results come after the end of the input only (isOutputOnlyAfterEndOfStream)
	Mistake          *GraphError   // of its settings, found when the graph is generated; nil: none
	PreKeyed         bool          // of a Source: its records are keyed as they come, split by split
	Persistent       bool          // the operator keeps its input for later jobs

	Partitioning Partitioning // of a Partition
	Payload      any          // of a Partition: core.Keyer for Hash, see core.EdgeSpec.Custom for Custom
	Tag          string       // of a SideOutput

	Out     Type            // of the records; nil until known
	OutRead bool            // a consumer or the program has read Out, so that it cannot change any more
	SideOut map[string]Type // of the tags that were asked for
	Late    map[string]Type // of the tags that the operator sends late records to
	Key     Type            // of the key, on a Partition that keys

	Factory core.Factory          // of a Source, Operator or Sink
	Mover   core.Mover            // of the main output
	Movers  map[string]core.Mover // of the side outputs, by tag

	MetricVariables map[string]string // of the scope of its metrics

	Cell string // the cell that built it, for a session; empty in a program
	Call string // the call that says what the operator needs of its records, such as Window; empty: nothing special. Of a Partition: the call that made it
	Pos  string // file:line of the call
	// Place is the call in the words of a session, which alone reads it; nil in a program.
	Place any
}

// Virtual reports whether t is a view, which makes no node of its own.
func (t *Transformation) Virtual() bool {
	return t.Kind == Partition || t.Kind == Union || t.Kind == SideOutput
}

// Producers are the transformations that a reader of t gets its records from: t itself, or those that t is a view of.
func (t *Transformation) Producers() []*Transformation {
	if !t.Virtual() {
		return []*Transformation{t}
	}
	var all []*Transformation
	for _, in := range t.Inputs {
		all = append(all, in.Producers()...)
	}
	return all
}

// DefaultBufferTimeout means: as the environment says.
const DefaultBufferTimeout = -time.Millisecond

// AddMetricVariable adds a variable to the scope of the operator's metrics.
func (t *Transformation) AddMetricVariable(key, value string) {
	if t.MetricVariables == nil {
		t.MetricVariables = map[string]string{}
	}
	t.MetricVariables[key] = value
}
