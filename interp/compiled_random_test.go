package interp

import (
	"flag"
	"regexp"
	"strings"
	"testing"
	"time"
)

var (
	randomFor  = flag.Duration("random", 0, "how long to run random functions of jobs in both forms")
	randomFrom = flag.Uint64("seed", 1, "the first seed of the random functions")
)

// sessionJobs is how many random jobs share a session.
const sessionJobs = 40

// TestRandomCompiledFunctions runs random functions of jobs compiled and interpreted. It says of each job that
// differs its seed and its text: keep it, made smaller, as a case of a table.
func TestRandomCompiledFunctions(t *testing.T) {
	c := comparison{t: t, make: func(interpreted bool) *functions { return newRandomForm(newFunctions(t, interpreted)) },
		job: randomJob, refusals: map[string]int{}}
	c.run()
}

// TestRandomCompiledFunctionsRunAtOnce does the same on the parallel engine, where several goroutines run the code
// of one function. Of several records that fail, another one may be the first.
func TestRandomCompiledFunctionsRunAtOnce(t *testing.T) {
	c := comparison{t: t, make: func(interpreted bool) *functions { return newRandomForm(newParallelFunctions(t, interpreted)) },
		job: parallelJob, unordered: true, refusals: map[string]int{}}
	c.run()
}

// comparison runs jobs in both forms.
type comparison struct {
	t         *testing.T
	make      func(interpreted bool) *functions
	job       func(seed uint64) (decls, job string)
	unordered bool // which record fails first is open
	forms     [2]*functions
	// how many jobs ran, failed and did not compile, and how many functions were tried and stayed interpreted
	done, failing, wrong, tried, stayed int
	refusals                            map[string]int
}

func (c *comparison) run() {
	jobs, start := uint64(5), time.Now()
	if *randomFor > 0 {
		jobs = 1 << 62
	}
	for seed := *randomFrom; seed < *randomFrom+jobs && (*randomFor == 0 || time.Since(start) < *randomFor); seed++ {
		c.seed(seed)
	}
	if c.wrong*10 > c.done {
		c.t.Errorf("%d of %d jobs do not compile", c.wrong, c.done)
	}
	c.t.Logf("%d jobs, of which %d fail; %d of %d functions stayed interpreted: %v", c.done, c.failing, c.stayed, c.tried, c.refusals)
}

func (c *comparison) seed(seed uint64) {
	c.t.Helper()
	if c.done%sessionJobs == 0 {
		c.forms = [2]*functions{c.make(false), c.make(true)}
	}
	c.done++
	decls, job := c.job(seed)
	got, ok := runJob(c.t, c.forms[0], decls, job, seed)
	want, _ := runJob(c.t, c.forms[1], decls, job, seed)
	if !ok {
		c.wrong++
		return
	}
	c.tried += c.forms[0].tried
	for _, r := range strings.Split(strings.TrimSuffix(got.refused, "\n"), "\n") {
		if c.refusals[r]++; r != "" {
			c.stayed++
		}
	}
	if want.err != nil {
		c.failing++
	}
	switch {
	case (got.err == nil) == (want.err == nil) && c.unordered && got.err != nil:
	case (got.err == nil) != (want.err == nil), got.err == nil && got.out != want.out, got.place != want.place, boom(got.err) != boom(want.err):
		c.t.Errorf("seed %d: got %v %s\n%s\nwant %v %s\n%s\n%s\n%s", seed, got.err, got.place, got.out, want.err, want.place, want.out, decls, job)
	}
}

var panicText = regexp.MustCompile(`(?s)boom.*`)

// boom is what a panic of the user says. Go's own panics say more when the function is compiled.
func boom(err error) string {
	if err == nil {
		return ""
	}
	return panicText.FindString(err.Error())
}

func newRandomForm(f *functions) *functions {
	if r := f.run(jobTypes); r.err != nil {
		f.t.Fatal(r.err)
	}
	return f
}

// runJob runs a job after its declarations; false when they are no Go.
func runJob(t *testing.T, f *functions, decls, job string, seed uint64) (outcome, bool) {
	t.Helper()
	if r := f.run(decls); r.err != nil {
		t.Logf("seed %d: the generator is wrong: %v", seed, r.err)
		return r, false
	}
	r := f.run(job)
	if r.err != nil && f.tried == 0 && !f.s.rt.Interpreted {
		t.Logf("seed %d: the generator is wrong: %v", seed, r.err)
		return r, false
	}
	return r, true
}
