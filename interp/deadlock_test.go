// Cells that would wait for ever end, as Go ends such a program; cells that something may still wake do not.

package interp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"flinkish/dataflow"
	"flinkish/interp/rt"
)

// waiting is a session on a virtual clock, and what its cells print.
func waiting(t *testing.T) (*Session, *strings.Builder) {
	t.Helper()
	var clock atomic.Int64
	out := &strings.Builder{}
	s, err := New(Options{Stdout: out, Stderr: out, Deterministic: true, Env: dataflow.NewEnv(dataflow.WithDeterministic(1)),
		Now: func() time.Time { return time.Unix(0, clock.Load()).UTC() }, Advance: func(d time.Duration) { clock.Add(int64(d)) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, out
}

func TestACellThatWaitsForEverEndsWhereItWaits(t *testing.T) {
	for name, c := range map[string]struct {
		cell      string
		line, col int
		prints    string
	}{
		"a receive":                    {"ch := make(chan int)\nfmt.Println(1)\n<-ch", 3, 1, "1\n"},
		"a send":                       {"ch := make(chan int)\nch <- 1", 2, 1, ""},
		"a nil channel":                {"var ch chan int\n<-ch", 2, 1, ""},
		"a range over a channel":       {"ch := make(chan int, 2)\nch <- 1\nch <- 2\nfor v := range ch {\n\tfmt.Println(v)\n}", 4, 16, "1\n2\n"},
		"a select":                     {"a, b := make(chan int), make(chan int)\nselect {\ncase <-a:\ncase b <- 1:\n}", 4, 6, ""},
		"select without cases":         {"x := 1\nselect {}", 2, 1, ""},
		"a function":                   {"func f(c chan string) {\n\tdefer fmt.Println(\"Go does not print this\")\n\tc <- \"x\"\n}\nf(nil)", 3, 2, ""},
		"the same lock twice":          {"var mu sync.Mutex\nmu.Lock()\nmu.Lock()", 3, 1, ""},
		"a lock for reading":           {"var mu sync.RWMutex\nmu.Lock()\nmu.RLock()", 3, 1, ""},
		"a lock behind a reader":       {"var mu sync.RWMutex\nmu.RLock()\nmu.Lock()", 3, 1, ""},
		"a lock behind an interface":   {"var l sync.Locker = &sync.Mutex{}\nl.Lock()\nl.Lock()", 3, 1, ""},
		"a lock in a struct":           {"type box struct {\n\tsync.Mutex\n\tn int\n}\nvar b box\nb.Lock()\nb.Lock()", 7, 1, ""},
		"a method value":               {"var mu sync.Mutex\nlock := mu.Lock\nlock()\nlock()", 4, 1, ""},
		"a group that lacks a Done":    {"var wg sync.WaitGroup\nwg.Add(2)\ngo wg.Done()\nwg.Wait()", 4, 1, ""},
		"a condition":                  {"var mu sync.Mutex\nc := sync.NewCond(&mu)\nmu.Lock()\nc.Wait()", 4, 1, ""},
		"goroutines that wait as well": {"ch := make(chan int)\nvar wg sync.WaitGroup\nfor range 3 {\n\twg.Go(func() { ch <- 1 })\n}\nwg.Wait()", 6, 1, ""},
		"a goroutine that ends":        {"ch := make(chan int)\ngo func() { fmt.Println(\"ends\") }()\n<-ch", 3, 1, "ends\n"},
		"two locks in two orders":      {"var a, b sync.Mutex\na.Lock()\nc := make(chan bool)\ngo func() { b.Lock(); c <- true; a.Lock(); b.Unlock() }()\n<-c\nb.Lock()", 6, 1, ""},
		"a stopped timer":              {"tm := time.NewTimer(time.Hour)\ntm.Stop()\n<-tm.C", 3, 1, ""},
		"a ticker that nobody reads":   {"tk := time.NewTicker(time.Second)\n<-tk.C\nselect {}", 3, 1, ""},
		"a timer of another":           {"a, b := time.After(time.Hour), make(chan int)\n<-a\nfmt.Println(\"an hour\")\n<-b", 4, 1, "an hour\n"},
		"a timer that helps nobody":    {"time.AfterFunc(time.Hour, func() { fmt.Println(\"late\") })\nselect {}", 2, 1, "late\n"},
		"a context that nobody ends":   {"c, stop := context.WithCancel(context.Background())\ndefer stop()\n<-c.Done()", 3, 1, ""},
		"a context that has ended":     {"c, stop := context.WithTimeout(context.Background(), time.Hour)\ndefer stop()\n<-c.Done()\nselect {}", 4, 1, ""},
		"a function of a job":          {"ch := make(chan int)\nres, err := env.FromElements(1, 2).Map(func(x int) int { ch <- x; return x }).ExecuteAndCollect(ctx)\nfor v := range res.All() {\n\tfmt.Println(v)\n}", 2, 58, ""},
		"a program":                    {"package main\n\nfunc main() {\n\tdone := make(chan struct{})\n\tgo func() { <-done }()\n\t<-done\n}", 6, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, out := waiting(t)
			_, err := s.Eval(context.Background(), Cell{Number: 1, Source: c.cell})
			var re *RunError
			if !errors.As(err, &re) || !errors.Is(err, rt.ErrDeadlock) {
				t.Fatalf("error %v, want %v", err, rt.ErrDeadlock)
			}
			if c.line > 0 && (re.Line != c.line || re.Col != c.col) {
				t.Errorf("at %d:%d, want %d:%d", re.Line, re.Col, c.line, c.col)
			}
			if out.String() != c.prints {
				t.Errorf("printed %q, want %q", out, c.prints)
			}
		})
	}
}

func TestACellThatSomethingWakesGoesOn(t *testing.T) {
	for name, cell := range map[string]string{
		"a goroutine that takes its time": `ch := make(chan int)
go func() { n := 0; for i := range 300_000 { n += i }; ch <- n }()
<-ch`,
		"sleepers": `var wg sync.WaitGroup
for i := range 3 { wg.Go(func() { time.Sleep(time.Duration(i+1) * time.Hour) }) }
wg.Wait()`,
		"a ticker": `tk := time.NewTicker(time.Hour)
<-tk.C
<-tk.C`,
		"a sleeper beside a ticker that nobody reads": `tk := time.NewTicker(time.Millisecond)
var wg sync.WaitGroup
wg.Go(func() { time.Sleep(1000 * time.Hour) })
wg.Wait()
tk.Stop()`,
		"a ticker beside the context of the session": `tk := time.NewTicker(time.Hour)
defer tk.Stop()
var wg sync.WaitGroup
wg.Go(func() {
	for range 3 {
		select {
		case <-ctx.Done():
		case <-tk.C:
		}
	}
})
wg.Wait()`,
		"a function after a while": `ch := make(chan int)
time.AfterFunc(time.Hour, func() { ch <- 1 })
<-ch`,
		"a context with a deadline, and one that derives from it": `c, stop := context.WithTimeout(context.Background(), time.Hour)
defer stop()
d, end := context.WithCancel(c)
defer end()
<-d.Done()`,
		"a function after a context": `c, stop := context.WithCancel(context.Background())
ch := make(chan int)
context.AfterFunc(c, func() { ch <- 1 })
stop()
<-ch`,
		"a job in parallel": `p := NewEnv(WithParallelScheduler())
ch := make(chan int)
p.FromElements(1, 2).Map(func(x int) int { time.Sleep(100 * time.Millisecond); ch <- x; return x }).Print()
job, err := p.ExecuteAsync(context.Background())
a, b := <-ch, <-ch
job.Job().Wait(context.Background())`,
		"a reader of a pipe": `r, w := io.Pipe()
go func() { time.Sleep(200*time.Millisecond); fmt.Fprintln(w, "x"); w.Close() }()
b, err := io.ReadAll(r)`,
		"a pulled iterator": `next, stop := iter.Pull(func(yield func(int) bool) { time.Sleep(200*time.Millisecond); yield(1) })
defer stop()
next()`,
		"a lock that goes round": `var mu sync.Mutex
var wg sync.WaitGroup
n := 0
for range 20 { wg.Go(func() { for range 5 { mu.Lock(); n++; time.Sleep(time.Minute); mu.Unlock() } }) }
wg.Wait()
if n != 100 { panic(n) }`,
		"a condition": `var mu sync.Mutex
c, ready := sync.NewCond(&mu), false
go func() { time.Sleep(time.Hour); mu.Lock(); ready = true; mu.Unlock(); c.Broadcast() }()
mu.Lock()
for !ready { c.Wait() }
mu.Unlock()`,
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := waiting(t)
			if _, err := s.Eval(context.Background(), Cell{Number: 1, Source: cell}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestASessionGoesOnAfterADeadlock(t *testing.T) {
	s, out := waiting(t)
	for i, c := range []struct {
		cell string
		dead bool
	}{
		{"work := make(chan int)\ngo func() { for w := range work { fmt.Println(\"work\", w) } }()", false},
		{"other := make(chan int)\n<-other", true},
		{"work <- 1", false}, // what an earlier cell started is not stopped
		{"var wg sync.WaitGroup\nwg.Add(1)\nwg.Wait()", true},
		{"wg.Done()\nwg.Wait()", false},
		{"wg = sync.WaitGroup{}\nfor range 3 { wg.Go(func() { time.Sleep(time.Second) }) }\nwg.Wait()", false},
		{"var mu sync.Mutex\nmu.Lock()\nmu.Lock()", true},
		{"mu.Unlock()\nmu.Lock()\nmu.Unlock()\nfmt.Println(\"free\")", false},
		{"close(work)\nfmt.Println(\"end\")", false},
	} {
		_, err := s.Eval(context.Background(), Cell{Number: i + 1, Source: c.cell})
		if errors.Is(err, rt.ErrDeadlock) != c.dead || err != nil && !c.dead {
			t.Errorf("cell %d: error %v, want a deadlock: %t", i+1, err, c.dead)
		}
	}
	if got, want := fmt.Sprint(out), "work 1\nfree\nend\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	if n := s.hung.Load(); n != 0 {
		t.Errorf("%d cells hang", n)
	}
}

func TestACellThatWaitsForTheContextIsLeftAlone(t *testing.T) {
	s, _ := waiting(t)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	const cell = "c, stop := context.WithCancel(ctx)\ndefer stop()\n<-c.Done()\nselect {\ncase <-c.Done():\n}"
	if _, err := s.Eval(ctx, Cell{Number: 1, Source: cell}); errors.Is(err, rt.ErrDeadlock) {
		t.Error(err)
	}
}
