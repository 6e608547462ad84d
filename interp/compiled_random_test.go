package interp

import (
	"flag"
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
	jobs, start := uint64(5), time.Now()
	if *randomFor > 0 {
		jobs = 1 << 62
	}
	refusals := map[string]int{}
	var forms [2]*functions
	done, tried, stayed, failing, wrong := 0, 0, 0, 0, 0
	for seed := *randomFrom; seed < *randomFrom+jobs && (*randomFor == 0 || time.Since(start) < *randomFor); seed++ {
		if done%sessionJobs == 0 {
			forms = [2]*functions{newRandomForm(t, false), newRandomForm(t, true)}
		}
		done++
		decls, job := randomJob(seed)
		got, ok := runJob(t, forms[0], decls, job, seed)
		want, _ := runJob(t, forms[1], decls, job, seed)
		if !ok {
			wrong++
			continue
		}
		tried += forms[0].tried
		for _, r := range strings.Split(strings.TrimSuffix(got.refused, "\n"), "\n") {
			if refusals[r]++; r != "" {
				stayed++
			}
		}
		if (got.err == nil) != (want.err == nil) || got.err == nil && got.out != want.out || got.place != want.place {
			t.Errorf("seed %d: got %v %s\n%s\nwant %v %s\n%s\n%s\n%s", seed, got.err, got.place, got.out, want.err, want.place, want.out, decls, job)
		}
		if want.err != nil {
			failing++
		}
	}
	if wrong*10 > done {
		t.Errorf("%d of %d jobs do not compile", wrong, done)
	}
	t.Logf("%d jobs, of which %d fail; %d of %d functions stayed interpreted: %v", done, failing, stayed, tried, refusals)
}

func newRandomForm(t *testing.T, interpreted bool) *functions {
	f := newFunctions(t, interpreted)
	if r := f.run(jobTypes); r.err != nil {
		t.Fatal(r.err)
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
