// Package engine turns a JobGraph into running tasks and is the job.Job that the rest of the program
// holds: it builds edges and tasks, starts them on one of the two schedulers, collects the first failure,
// and sees to it that cancelling ends.
package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/exchange"
	"flinkish/dataflow/internal/sched"
	"flinkish/dataflow/internal/task"
	"flinkish/dataflow/job"
)

// Clock is real time: milliseconds for processing time in parallel mode, nanoseconds for the accounts,
// and timers.
type Clock = sched.Clock

// SystemClock is the machine's clock.
func SystemClock() Clock { return sched.System }

// DefaultGrace is how long a cancelled job may take to end before it is declared lost.
const DefaultGrace = 5 * time.Second

// Options are the settings of one job. The zero value runs in parallel on the machine's clock.
type Options struct {
	Name          string // empty: the graph's
	Deterministic bool
	// Seed decides the order of steps in deterministic mode, and in both where rebalance starts and
	// how shuffle spreads.
	Seed uint64
	// Number tells the jobs of one environment apart in deterministic ids: 0, 1, 2...
	Number uint64
	// Clock is real time; nil is the machine's. A deterministic job asks it only whether the grace
	// period is over.
	Clock Clock
	// Start is where the virtual clock of a deterministic job stands at first, ms since the epoch.
	Start     int64
	BatchSize int           // records in a batch; 0 is 512. At 1 every record is a step.
	Slots     int           // batches in a ring; 0 is 8
	Grace     time.Duration // 0 is DefaultGrace
	// Accumulators answers job.Job.Accumulators; nil answers none. ended: every subtask has ended.
	Accumulators func(ended bool) map[string]any
	// Shared is handed to every subtask (core.Subtask.Shared).
	Shared any
	// OnStep is called after each step of a deterministic job, before anybody who waits on it
	// looks. It must not call the job.
	OnStep func(job.Step)
	// OnFailure sees the failure of user code before anybody else does, in the goroutine in which the code
	// failed, and may reword its cause. It must not call the job.
	OnFailure func(*job.Failure)
}

func (o *Options) setDefaults(g *graph.JobGraph) {
	if o.Name == "" {
		o.Name = g.JobName
	}
	if o.Clock == nil {
		o.Clock = sched.System
	}
	if o.BatchSize <= 0 {
		o.BatchSize = exchange.DefaultBatchSize
	}
	if o.Slots <= 0 {
		o.Slots = exchange.DefaultSlots
	}
	if o.Grace <= 0 {
		o.Grace = DefaultGrace
	}
}

// Submit builds the job and, in parallel mode, starts it. A deterministic job takes its first step when
// somebody drives it. The error of a factory (such as a failing Clone) is returned, and nothing runs.
func Submit(g *graph.JobGraph, o Options) (job.Job, error) {
	if g == nil || len(g.Vertices) == 0 {
		return nil, errors.New("engine: the job graph has no vertices")
	}
	for _, v := range g.Vertices {
		if v.Parallelism < 1 || v.Parallelism > v.MaxParallelism {
			return nil, fmt.Errorf("engine: task %q: parallelism must be 1 to its max parallelism %d, got %d", v.Name, v.MaxParallelism, v.Parallelism)
		}
	}
	o.setDefaults(g)
	j := newJob(g, o)
	if err := j.build(); err != nil {
		return nil, err
	}
	j.start()
	return j, nil
}

// build makes subtasks, then edges, then tasks: a task needs both ends of its edges.
func (j *run) build() error {
	subs := make([][]*core.Subtask, len(j.g.Vertices))
	for i, v := range j.g.Vertices {
		subs[i] = j.subtasks(i, v)
	}
	edges, err := j.connect(subs)
	if err != nil {
		return err
	}
	j.tasks = make([][]*task.Task, len(j.g.Vertices))
	for i, v := range j.g.Vertices {
		for _, s := range subs[i] {
			t, err := j.task(v, s, edges)
			if err != nil {
				j.discard()
				return err
			}
			j.tasks[i] = append(j.tasks[i], t)
		}
	}
	return nil
}

func (j *run) subtasks(index int, v *graph.Vertex) []*core.Subtask {
	subs := make([]*core.Subtask, v.Parallelism)
	for i := range subs {
		subs[i] = &core.Subtask{
			JobID: j.id, JobName: j.o.Name, TaskName: v.Name,
			Index: i, Parallelism: v.Parallelism, MaxParallelism: v.MaxParallelism,
			Seed: mix(j.o.Seed, uint64(index)+1, uint64(i)+1), Shared: j.o.Shared,
		}
		if s := j.g.Stream; s != nil {
			subs[i].WatermarkInterval = s.WatermarkInterval.Milliseconds()
			subs[i].Batch, subs[i].SortMemory = s.Batch, s.SortMemory
			if s.Batch {
				subs[i].WatermarkInterval = 0
			}
		}
		subs[i].PreKeyed = v.Chain[0].T.PreKeyed
	}
	return subs
}

func (j *run) connect(subs [][]*core.Subtask) (map[*graph.Edge]core.Edge, error) {
	index := map[*graph.Vertex]int{}
	for i, v := range j.g.Vertices {
		index[v] = i
	}
	edges := map[*graph.Edge]core.Edge{}
	for i, v := range j.g.Vertices {
		j.outEdges = append(j.outEdges, nil)
		for n, je := range v.Out {
			e := je.Edge
			spec := core.EdgeSpec{
				Kind: e.Partitioning, Producers: subs[i], Consumers: subs[index[je.To]],
				MaxParallelism: je.To.MaxParallelism, BatchSize: j.o.BatchSize, Slots: j.o.Slots, Blocking: je.Blocking,
				Seed: mix(j.o.Seed, uint64(i)+1<<32, uint64(n)),
			}
			if j.bufferTimeout(e.From) == 0 && !je.Blocking {
				spec.BatchSize = 1 // Flink: 0 flushes after each record
			}
			keyer, keyed := e.Payload.(core.Keyer)
			if keyed {
				edges[e] = keyer.Connect(spec)
			} else {
				spec.Custom = e.Payload
				mover := e.From.T.Mover
				if e.Tag != "" {
					mover = e.From.T.Movers[e.Tag]
				}
				if mover == nil {
					return nil, fmt.Errorf("engine: output %q of operator %q has no type to ship", e.Tag, e.From.Name)
				}
				edges[e] = mover.Connect(spec)
			}
			j.outEdges[i] = append(j.outEdges[i], outEdge{stream: e, net: edges[e], to: je.To})
		}
	}
	return edges, nil
}

func (j *run) task(v *graph.Vertex, s *core.Subtask, edges map[*graph.Edge]core.Edge) (*task.Task, error) {
	cfg := task.Config{Vertex: v, Sub: s, Edges: edges, Host: j, Batch: j.o.BatchSize}
	if j.o.Deterministic {
		cfg.Random = rand.New(rand.NewPCG(s.Seed, 2))
	}
	var t *task.Task
	cfg.Thread = j.spawn(sched.Spec{
		Name: v.Name, Index: s.Index, Parallelism: s.Parallelism, Signal: &s.Signal,
		Run: func() { t.Run() },
	})
	t, err := task.New(cfg)
	return t, err
}

// discard closes the operators of a job that will not run.
func (j *run) discard() {
	for _, ts := range j.tasks {
		for _, t := range ts {
			t.Discard()
		}
	}
}

// bufferTimeout is how long records of n may wait in a batch; negative: until it is full.
func (j *run) bufferTimeout(n *graph.Node) time.Duration {
	if d := n.T.BufferTimeout; d != graph.DefaultBufferTimeout {
		return d
	}
	if j.g.Stream == nil {
		return 100 * time.Millisecond
	}
	return j.g.Stream.BufferTimeout
}

// flushInterval is half of the smallest buffer timeout: a record waits at most two of them.
func (j *run) flushInterval() time.Duration {
	var least time.Duration
	for _, out := range j.outEdges {
		for _, e := range out {
			if d := j.bufferTimeout(e.stream.From); d > 0 && (least == 0 || d < least) {
				least = d
			}
		}
	}
	if least == 0 || j.g.Stream != nil && j.g.Stream.Batch {
		return 0
	}
	return max(time.Millisecond, least/2)
}

// mix folds numbers into one seed (splitmix64).
func mix(parts ...uint64) uint64 {
	var h uint64
	for _, p := range parts {
		h += p + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}
