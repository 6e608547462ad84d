package dataflow

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/engine"
	"flinkish/dataflow/job"
)

// ExecuteOption configures one execution.
type ExecuteOption func(*executeOptions)

type executeOptions struct{ name string }

// JobName names the job; the default is "Flink Streaming Job".
func JobName(name string) ExecuteOption { return func(o *executeOptions) { o.name = name } }

// Execute runs everything that was built since the last execution, waits for the end, and returns the result. It
// fails with the first mistake of building the program, a *GraphError, or a *job.Failure. Cancelling
// ctx cancels the job. Afterwards the program is empty, also after a failure; handles on streams stay
// usable, and operators added to them run the whole way from the sources again. A job that cannot read a cache is
// tried once more without it.
func (e *StreamExecutionEnvironment) Execute(ctx context.Context, opts ...ExecuteOption) (*JobExecutionResult, error) {
	r, err := e.result(ctx, opts)
	for _, f := range e.executed {
		f(r, err)
	}
	return r, err
}

func (e *StreamExecutionEnvironment) result(ctx context.Context, opts []ExecuteOption) (*JobExecutionResult, error) {
	program, collecting := e.registered, e.collecting
	c, err := e.execute(ctx, opts)
	if err != nil && dropLost(err) && len(collecting) == 0 {
		e.registered = program
		c, err = e.execute(ctx, opts)
	}
	if err != nil {
		return nil, err
	}
	return c.result()
}

// execute is one try of Execute.
func (e *StreamExecutionEnvironment) execute(ctx context.Context, opts []ExecuteOption) (*JobClient, error) {
	c, err := e.ExecuteAsync(ctx, opts...)
	if err != nil {
		return nil, err
	}
	if err := c.job.Wait(ctx); err != nil {
		c.job.Cancel() // a no-op unless it was ctx that ended
		return nil, err
	}
	return c, nil
}

// ExecuteAsync is Execute without waiting: it returns once the job is submitted. ctx is for the submission
// and for reading collected streams; it does not cancel the job. A deterministic job advances only
// while somebody waits on it or reads its streams.
func (e *StreamExecutionEnvironment) ExecuteAsync(ctx context.Context, opts ...ExecuteOption) (*JobClient, error) {
	collecting := e.collecting
	jg, err := e.JobGraph(opts...)
	e.registered, e.collecting = nil, nil
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	j, err := engine.Submit(jg, e.engineOptions())
	if err != nil {
		return nil, &GraphError{Kind: "Flink", Call: "Execute", Msg: fmt.Sprintf("the job %q could not be submitted: %v", jg.JobName, err), Err: err}
	}
	e.submitted++
	e.track(j)
	for _, c := range collecting {
		c.buf.bind(ctx, j)
	}
	for _, f := range e.listeners {
		f(j)
	}
	return &JobClient{j}, nil
}

// track keeps the jobs that still run, so that Close can cancel them.
func (e *StreamExecutionEnvironment) track(j job.Job) {
	running := e.jobs[:0]
	for _, o := range e.jobs {
		if !o.Status().Terminal() {
			running = append(running, o)
		}
	}
	e.jobs = append(running, j)
}

func (e *StreamExecutionEnvironment) engineOptions() engine.Options {
	a := e.newShared()
	o := engine.Options{Deterministic: e.deterministic, Seed: e.seed, Number: uint64(e.submitted), BatchSize: e.batchSize,
		Shared: a, Accumulators: a.values, OnFailure: e.onFailure}
	switch {
	case !e.deterministic:
		o.Seed = rand.Uint64()
		if e.now != nil {
			o.Clock = clock{engine.SystemClock(), e.now}
		}
	case e.now != nil:
		o.Start = e.now().UnixMilli()
	}
	return o
}

// clock is the engine's clock with the processing time of the environment.
type clock struct {
	engine.Clock
	now func() time.Time
}

func (c clock) Now() int64 { return c.now().UnixMilli() }

// StreamGraph returns the program as a graph of operators. The program stays as it is.
func (e *StreamExecutionEnvironment) StreamGraph(opts ...ExecuteOption) (*graph.StreamGraph, error) {
	if e.err != nil {
		return nil, e.err
	}
	batch := e.mode == Batch || e.mode == Automatic && graph.AllBounded(e.registered)
	o := executeOptions{name: "Flink Streaming Job"}
	if batch {
		o.name = "Flink Batch Job"
	}
	if e.jobName != "" {
		o.name = e.jobName
	}
	for _, f := range opts {
		f(&o)
	}
	program, full := e.cachePlan(batch)
	return graph.Generate(program, graph.Config{Instead: full, JobName: o.name, Chaining: e.chaining, SameMax: e.sameMax, Batch: batch,
		MaxParallelism: e.maxParallelism, BufferTimeout: e.bufferTimeout, WatermarkInterval: e.watermarkInterval, SortMemory: e.memory.keyed,
		IndexPrefix: e.indexPrefix, Descriptions: e.descriptions, RequireUIDs: e.requireUIDs,
		NoIterations: e.checkpoints.Enabled() && !e.checkpoints.forced})
}

// JobGraph returns the program as a graph of chains, as the engine runs it. The program stays as it is.
func (e *StreamExecutionEnvironment) JobGraph(opts ...ExecuteOption) (*graph.JobGraph, error) {
	g, err := e.StreamGraph(opts...)
	if err != nil {
		return nil, err
	}
	return graph.JobGraphOf(g)
}

// ExecutionPlan returns the plan as Flink's JSON (getExecutionPlan). The program stays as it is.
func (e *StreamExecutionEnvironment) ExecutionPlan() (string, error) {
	g, err := e.StreamGraph()
	if err != nil {
		return "", err
	}
	return g.Plan(), nil
}

// JobStatus is the state of a job, with Flink's names.
type JobStatus = job.Status

// JobClient is the handle of a submitted job (Flink's JobClient). It is safe for concurrent use.
type JobClient struct{ job job.Job }

// ID is the id of the job: 32 hex digits.
func (c *JobClient) ID() string { return c.job.ID() }

// Status is the state of the job.
func (c *JobClient) Status(context.Context) (JobStatus, error) { return c.job.Status(), nil }

// Cancel asks the job to stop, dropping data in flight, and waits until it has, or ctx is done. It fails when the job
// had ended otherwise before; a job that was cancelled may be cancelled again.
func (c *JobClient) Cancel(ctx context.Context) error {
	if s := c.job.Status(); s.Terminal() && s != job.Canceled {
		return &GraphError{Kind: "FlinkJobTerminatedWithoutCancellation", Call: "Cancel",
			Msg: "the job " + c.job.Name() + " ended as " + string(s) + " before; there is nothing to cancel"}
	}
	c.job.Cancel()
	return c.job.Wait(ctx)
}

// Result waits for the end of the job and returns its result; it fails unless the job has finished, and when its accumulators
// could not be merged.
func (c *JobClient) Result(ctx context.Context) (*JobExecutionResult, error) {
	if err := c.job.Wait(ctx); err != nil {
		return nil, err
	}
	return c.result()
}

func (c *JobClient) result() (*JobExecutionResult, error) {
	if s := c.job.Status(); s != job.Finished {
		return nil, &GraphError{Kind: "JobCancellation", Call: "Execute", Msg: "the job " + c.job.Name() + " ended as " + string(s) + ", without a result"}
	}
	values, err := merged(c.job.Accumulators())
	if err != nil {
		return nil, err
	}
	return &JobExecutionResult{c.job.ID(), c.job.Metrics().Runtime, values}, nil
}

// Accumulators returns the accumulators as they are now; those of the program's own kinds once the job has ended. It fails when
// some could not be merged.
func (c *JobClient) Accumulators(context.Context) (map[string]any, error) {
	return merged(c.job.Accumulators())
}

// Job is the job as screens see it.
func (c *JobClient) Job() job.Job { return c.job }

// JobExecutionResult is the result of a job that has finished (Flink's class of the same name).
type JobExecutionResult struct {
	id           string
	runtime      time.Duration
	accumulators map[string]any
}

// JobID is the id of the job.
func (r *JobExecutionResult) JobID() string { return r.id }

// NetRuntime is how long the job ran.
func (r *JobExecutionResult) NetRuntime() time.Duration { return r.runtime }

// AllAccumulators are the accumulators, merged over the subtasks.
func (r *JobExecutionResult) AllAccumulators() map[string]any { return r.accumulators }

// Accumulator is one accumulator, and whether it exists.
func (r *JobExecutionResult) Accumulator(name string) (any, bool) {
	v, ok := r.accumulators[name]
	return v, ok
}
