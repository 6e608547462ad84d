// Package task runs the chain of one subtask: it builds the operators from the end of the chain to its
// head, feeds them from the network or lets the source run, gives them processing-time timers, ends
// them in Flink's order, and turns whatever goes wrong in user code into the failure of the job.
package task

import (
	"math/rand/v2"
	"sync/atomic"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/sched"
)

// Host is the job as its tasks see it.
type Host interface {
	// Fail ends the job with err. The first call wins. Safe from every goroutine.
	Fail(err error)
	// Progress is called by a task after each batch and before each wait.
	Progress()
}

// Config is what a task is built of.
type Config struct {
	Vertex *graph.Vertex
	Sub    *core.Subtask
	// Edges holds the network edges by the stream edge that they carry. An edge that is not in here
	// lies inside the chain.
	Edges  map[*graph.Edge]core.Edge
	Thread sched.Thread
	Host   Host
	Batch  int // polls of a source, or batches of input, between two publications and yields
	// Random chooses among ready inputs; nil is round robin.
	Random *rand.Rand
}

// Task is one subtask of a vertex. Its methods belong to the goroutine that runs it, except View and
// Samples.
type Task struct {
	cfg  Config
	sub  *core.Subtask
	host Host

	ops      []*operator // in chain order
	writers  []core.Writer
	choosers []chooser // of all edges that leave an operator of the chain
	inputs   []*input
	readers  []*gateReader
	open     int // channels that have not ended
	turn     int // round robin over readers
	pick     func(n int) int

	thread   sched.Thread
	timers   timers
	armed    int64  // the alarm that was asked for
	polls    int    // of a source, since the last yield
	granted  int    // polls that the source counts itself
	early    int    // polls that were published one by one
	quiesced bool   // timers do not fire any more
	phase    string // for messages: "open", "", "finish", "close"
	shipping bool   // Ship is under way

	watermark     atomic.Int64
	recIn, recOut atomic.Uint64
	anyReady      func() bool
	samples       *samples // of a chain without network edges; nil otherwise
}

// operator is one node of the chain in this subtask.
type operator struct {
	node *graph.Node
	inst *core.Instance
	// batch is the control side in BATCH mode, when the operator has keyed inputs.
	batch *batchOp
	// given tells how many records the operator gave to its main output: what its first reader has taken. It is nil
	// without a main output.
	given   func() uint64
	dropped uint64 // records of a main output that nobody reads

	in, out, late, keys, timers atomic.Uint64 // published
}

// Run is the life of the subtask, from Open to Close. It does not panic.
func (t *Task) Run() {
	done := false
	defer t.closeAll()
	defer t.settle(&done)
	t.live()
	done = true
}

func (t *Task) live() {
	if t.stopping() {
		return
	}
	t.openAll()
	if run := t.ops[0].inst.Run; run != nil {
		t.produce(run)
	} else {
		t.consume()
	}
	t.finishAll()
	for _, w := range t.writers {
		w.End()
	}
	t.publish()
}

// openAll opens from the end of the chain to its head: who emits while it opens finds everybody ready.
func (t *Task) openAll() {
	t.phase = "open"
	for i := len(t.ops) - 1; i >= 0; i-- {
		t.sub.Op = int32(i)
		if err := t.ops[i].inst.Op.Open(); err != nil {
			t.Fail(err)
		}
	}
	t.sub.Op = 0
	t.phase = ""
}

// produce runs a source to its end. The end of a source is the end of event time.
func (t *Task) produce(run func() error) {
	err := run()
	if t.stopping() {
		panic(core.Unwind{})
	}
	t.sub.Op = 0
	if err != nil {
		t.Fail(err)
	}
	t.inputs[0].control.Watermark(core.MaxWatermark)
}

// finishAll ends the operators from head to end. Processing-time timers that are still pending are
// dropped, as in Flink.
func (t *Task) finishAll() {
	t.quiesced = true
	t.timers = timers{}
	t.arm()
	t.phase = "finish"
	for i, o := range t.ops {
		t.sub.Op = int32(i)
		if i > 0 {
			o.inst.Op.EndInput(0)
		}
		t.sub.Op = int32(i)
		o.inst.Op.Finish()
	}
	t.phase = ""
}

// closeAll closes every operator, whatever happened before, each on its own.
func (t *Task) closeAll() {
	t.quiesced = true
	t.phase = "close"
	t.publish()
	for i, o := range t.ops {
		t.sub.Op = int32(i)
		t.closeOne(o)
	}
	t.release()
	t.host.Progress()
}

// release lets go of the operators: a handle of an ended job must not keep its state alive.
func (t *Task) release() {
	for _, o := range t.ops {
		o.inst, o.given, o.batch = nil, nil, nil
	}
	for _, in := range t.inputs {
		in.op, in.control = nil, nil
	}
	for _, r := range t.readers {
		r.Release()
	}
	if t.samples != nil {
		t.samples.from = nil
	}
	t.timers = timers{}
	t.sub.Metrics.Freeze()
}

func (t *Task) closeOne(o *operator) {
	done := false
	defer t.settle(&done)
	if err := o.inst.Op.Close(); err != nil {
		t.host.Fail(t.failure(err, ""))
	}
	done = true
}

// Discard closes the operators of a task that never ran.
func (t *Task) Discard() { t.closeAll() }

func (t *Task) stopping() bool { return t.sub.Signal.Load()&core.SignalStop != 0 }
