package kernel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"flinkish/dataflow/job"
	"flinkish/repl/session"
)

// jobTable keeps every job of the session, oldest first.
type jobTable struct {
	mu  sync.Mutex
	all []entry
}

type entry struct {
	job.Job
	cell int
}

func (t *jobTable) add(j job.Job, cell int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, entry{j, cell})
}

func (t *jobTable) list() []entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]entry(nil), t.all...)
}

func (t *jobTable) len() int { return len(t.list()) }

func (t *jobTable) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = nil
}

// ids are those of the jobs from position from on.
func (t *jobTable) ids(from int) []string {
	var ids []string
	for _, j := range t.list()[from:] {
		ids = append(ids, j.ID())
	}
	return ids
}

func (t *jobTable) parallelism(from int) int {
	p := 0
	for _, j := range t.list()[from:] {
		for _, v := range j.Graph().Vertices {
			p = max(p, v.Parallelism)
		}
	}
	return p
}

// live are the jobs that are not terminal.
func (t *jobTable) live() []entry {
	var live []entry
	for _, j := range t.list() {
		if !j.Status().Terminal() {
			live = append(live, j)
		}
	}
	return live
}

// running names the jobs that wait for their turn.
func (t *jobTable) running() string {
	var names []string
	for _, j := range t.live() {
		if j.Deterministic() {
			names = append(names, fmt.Sprintf("%s (%.8s)", j.Name(), j.ID()))
		}
	}
	if len(names) == 1 {
		return "job " + names[0]
	}
	return "jobs " + strings.Join(names, ", ")
}

func (t *jobTable) cancelFrom(from int) {
	for _, j := range t.list()[from:] {
		if !j.Status().Terminal() {
			j.Cancel()
		}
	}
}

func (t *jobTable) cancelAll() { t.cancelFrom(0) }

// halt cancels the jobs of a cell that was stopped and waits until they have ended, or are given up as lost, which takes no
// longer than the engine's grace. It returns the words for the subtasks that do not end; empty if all do.
func (k *Kernel) halt(jobs []entry) string {
	for _, j := range jobs {
		j.Cancel()
	}
	stuck := lost(jobs)
	k.in.Drive() // what others do is not stopped
	switch len(stuck) {
	case 0:
		return ""
	case 1:
		return "a function of " + stuck[0] + " does not return; it goes on in the background"
	}
	return "functions of " + strings.Join(stuck, ", ") + " do not return; they go on in the background"
}

// lost waits until cancelled jobs have ended, or are given up. It names the subtasks that do not end.
func lost(jobs []entry) (tasks []string) {
	for _, j := range jobs {
		var lost *job.Lost
		if err := j.Wait(context.Background()); errors.As(err, &lost) {
			tasks = append(tasks, lost.Tasks...)
		}
	}
	return tasks
}

// find looks a job up by id, a unique prefix of it, its name (the latest of that name), or "" for the latest.
func (t *jobTable) find(name string) (entry, error) {
	all := t.list()
	if len(all) == 0 {
		return entry{}, fmt.Errorf("no job yet; :run submits the streams built so far")
	}
	if name == "" {
		return all[len(all)-1], nil
	}
	var byID []entry
	for _, j := range all {
		if strings.HasPrefix(j.ID(), name) {
			byID = append(byID, j)
		}
	}
	if len(byID) == 1 {
		return byID[0], nil
	}
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Name() == name {
			return all[i], nil
		}
	}
	if len(byID) > 1 {
		return entry{}, fmt.Errorf("%d jobs have an id that begins with %q; :jobs lists them", len(byID), name)
	}
	return entry{}, fmt.Errorf("no job is called %q; :jobs lists them", name)
}

// Jobs lists all jobs.
func (k *Kernel) Jobs() []session.Job {
	var out []session.Job
	for _, j := range k.jobs.list() {
		out = append(out, info(j, j.Metrics()))
	}
	return out
}

func info(j entry, m job.Metrics) session.Job {
	sj := session.Job{ID: j.ID(), Name: j.Name(), Status: string(m.Status), Done: m.Status.Terminal(),
		Deterministic: j.Deterministic(), Cell: j.cell, Steps: m.Steps, Now: m.Now}
	if err := j.Err(); err != nil {
		sj.Error = err.Error()
	}
	return sj
}

// Cancel asks a job to stop.
func (k *Kernel) Cancel(_ context.Context, name string) error {
	j, err := k.jobs.find(name)
	if err != nil {
		return err
	}
	j.Cancel()
	return nil
}

// Advance moves a deterministic job on.
func (k *Kernel) Advance(ctx context.Context, name string, max int) (int, error) {
	j, err := k.jobs.find(name)
	if err != nil || !j.Deterministic() {
		return 0, err
	}
	n := j.Job.Advance(ctx, max)
	k.tick()
	return n, nil
}

// Settle advances the background jobs.
func (k *Kernel) Settle(ctx context.Context, max int, on func(session.Event)) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.out.begin(on)
	defer k.out.end()
	k.out.background(true)
	if max == 0 {
		max = k.opt.Max
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	k.running.Store(&cancel)
	defer k.running.Store(nil)
	n, _ := k.settle(ctx, max)
	k.panicked(ctx, &session.Result{})
	k.tick()
	return n
}

// chunk is how many steps one job takes before the next one gets its turn: jobs may wait for each other.
const chunk = 4096

// driven reports whether there is a job that stands still unless somebody drives it.
func (t *jobTable) driven() bool {
	return slices.ContainsFunc(t.live(), func(j entry) bool { return j.Deterministic() })
}

// drive lets jobs be driven until done is called. When ctx ends before, cancel is to tell the jobs to stop, so that they do not
// fail when their functions end at the next loop turn.
func (k *Kernel) drive(ctx context.Context, cancel func()) (done func()) {
	stop := k.in.Drive()
	return whenDone(ctx, func() {
		cancel()
		stop()
	})
}

// settle takes at most max steps over all deterministic jobs and returns once none of them moves. It leaves one that waits for
// what only a cell can do. When ctx ends it halts all jobs; stuck is what halt says.
func (k *Kernel) settle(ctx context.Context, max int) (taken int, stuck string) {
	if k.ready() != nil {
		return 0, ""
	}
	live := k.jobs.live()
	defer k.drive(ctx, k.jobs.cancelAll)()
	taken = k.advanceAll(ctx, max)
	if ctx.Err() != nil {
		stuck = k.halt(live)
	}
	return taken, stuck
}

// advanceAll is settle without the end of ctx.
func (k *Kernel) advanceAll(ctx context.Context, max int) int {
	taken, waits := 0, map[string]bool{}
	for moved := true; moved && ctx.Err() == nil; {
		moved = false
		for _, j := range k.jobs.live() {
			if !j.Deterministic() || taken >= max || ctx.Err() != nil || waits[j.ID()] {
				continue
			}
			n, stuck := k.steps(ctx, j, min(chunk, max-taken))
			taken += n
			moved = moved || n > 0
			waits[j.ID()] = stuck
		}
	}
	return taken
}

// steps takes steps of one job; stuck reports that a function of it waits for a cell.
func (k *Kernel) steps(ctx context.Context, j entry, max int) (n int, stuck bool) {
	own, stop := context.WithCancel(ctx)
	defer stop()
	defer k.in.WhileDriving(stop)()
	n = j.Job.Advance(own, max)
	return n, own.Err() != nil && ctx.Err() == nil
}

// tick moves the session's clock to the latest time that a deterministic job reached.
func (k *Kernel) tick() {
	for _, j := range k.jobs.list() {
		if !j.Deterministic() {
			continue
		}
		for now := time.UnixMilli(j.Metrics().Now).UnixNano(); ; {
			have := k.clock.Load()
			if now <= have || k.clock.CompareAndSwap(have, now) {
				break
			}
		}
	}
}
