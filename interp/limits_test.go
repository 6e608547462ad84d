// What a cell must not do to its session: end it, hang it, or go on after it was stopped.

package interp

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"flinkish/dataflow"
)

// virtual is a session on a virtual clock.
func virtual(t *testing.T) (*Session, *bytes.Buffer, *time.Time) {
	t.Helper()
	out, now := &bytes.Buffer{}, time.UnixMilli(0).UTC()
	s, err := New(Options{Stdout: out, Stderr: out, Deterministic: true, Seed: 1,
		Env:     dataflow.NewEnv(dataflow.WithDeterministic(1), dataflow.WithParallelism(1), dataflow.WithOutput(out, out)),
		Now:     func() time.Time { return now },
		Advance: func(d time.Duration) { now = now.Add(d) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, out, &now
}

func TestACellThatFailsLeavesTheSessionAlive(t *testing.T) {
	tests := []struct {
		name, cell string
		line, col  int
		msg        string
	}{
		{"a mutex that is not locked", "var mu sync.Mutex\nmu.Unlock()", 2, 1, "sync: unlock of unlocked mutex"},
		{"a deferred one", "func f() {\n\tvar mu sync.RWMutex\n\tmu.RLock()\n\tdefer mu.Unlock()\n}\nf()", 4, 8, "sync: Unlock of unlocked RWMutex"},
		{"one not held for reading", "var rw sync.RWMutex\nrw.RLock()\nrw.RUnlock()\nrw.RUnlock()", 4, 1, "sync: RUnlock of unlocked RWMutex"},
		{"a locker", "var l sync.Locker = &sync.Mutex{}\nl.Lock()\nl.Unlock()\nl.Unlock()", 4, 1, "sync: unlock of unlocked mutex"},
		{"a condition whose lock is not held", "c := sync.NewCond(&sync.Mutex{})\nc.Wait()", 2, 1, "sync: unlock of unlocked mutex"},
		{"a goroutine of a wait group", "var wg sync.WaitGroup\nwg.Go(func() { panic(\"lost\") })\nwg.Wait()", 2, 16, "panic in a goroutine: lost"},
		{"more memory than there is", "b := make([]byte, 1<<45)", 1, 6, "make([]byte, 35184372088832) asks for 32 TiB at once; a cell may have 2 GiB in one piece"},
		{"elements count with their size", "n := 1 << 30\nb := make([]int64, 0, n)", 2, 6, "asks for 8 GiB at once"},
		{"a string too", "s := strings.Repeat(\"abcd\", 1<<40)", 1, 6, "strings.Repeat asks for 4 TiB at once"},
		{"a number with too many digits", "x := big.NewInt(1)\ny := new(big.Int).Lsh(x, 1<<40)", 2, 6, "Lsh asks for 128 GiB at once"},
		{"a power without a modulus", "y := new(big.Int).Exp(big.NewInt(10), big.NewInt(1<<40), nil)", 1, 6, "Exp asks for 384 GiB at once"},
		{"the buffer of a reader", "r := bufio.NewReaderSize(os.Stdin, 1<<45)", 1, 6, "bufio.NewReaderSize asks for 32 TiB at once"},
		{"a permutation", "import \"math/rand\"\np := rand.Perm(1 << 40)", 2, 6, "Perm asks for 8 TiB at once"},
		{"a permutation by a generator", "import \"math/rand/v2\"\nr := rand.New(rand.NewPCG(1, 2))\np := r.Perm(1 << 40)", 3, 6, "Perm asks for 8 TiB at once"},
		{"a ring", "import \"container/ring\"\nr := ring.New(1 << 40)", 2, 6, "ring.New asks for 32 TiB at once"},
		{"a list made by reflection", "v := reflect.MakeSlice(reflect.TypeOf([]int{}), 0, 1<<40)", 1, 6, "reflect.MakeSlice asks for 8 TiB at once"},
		{"a negative length", "n := -1\nb := make([]int, n)", 2, 6, "makeslice: len out of range"},
		{"an index", "x := []int{1, 2}\ni := 5\nx[i]", 3, 1, "index out of range"},
		{"bounds", "x := []int{1, 2}\ni := 5\nx[1:i]", 3, 1, "slice bounds out of range"},
		{"endless recursion", "func inf(n int) int { return inf(n+1) + 1 }\n\ninf(0)", 3, 1, "stack overflow: recursion is too deep"},
		{"in a job", "env.FromElements(1, 0).Map(func(i int) int {\n\tif i == 1 { return i }\n\treturn 1 / i\n}).Print()\nenv.Execute(ctx)", 3, 9, "integer divide by zero"},
		{"an index in a job", "xs := []int{1, 2}\nenv.FromElements(0, 5).Map(func(i int) int {\n\tx := xs[i]\n\treturn x }).Print()\nenv.Execute(ctx)", 3, 2, "failed on record 5: index out of range"},
		{"the selector of KeyBy", "env.FromElements(1, 0).KeyBy(func(i int) int {\n\tn := 8 / i\n\treturn n }).Reduce(func(a, b int) int { return a }).Print()\nenv.Execute(ctx)", 2, 2, "the key selector behind it failed on record 0: Runtime: KeyBy: could not extract the key: integer divide"},
		{"the selector of PartitionCustom", "env.FromElements(5).PartitionCustom(func(k, n int) int { return 0 }, func(i int) int {\n\tpanic(\"sel\")\n}).Print()\nenv.Execute(ctx)", 2, 2, "the key selector behind it failed on record 5: Runtime: PartitionCustom: could not extract the key: sel"},
		{"a partitioner", "env.FromElements(5).PartitionCustom(func(k, n int) int {\n\tpanic(\"sel\")\n}, func(i int) int { return i }).Print()\nenv.Execute(ctx)", 2, 2, "the partitioner behind it failed on record 5: sel"},
		{"the index of a partitioner", "s := env.FromElements(5)\ns.PartitionCustom(func(k, n int) int { return n }, func(i int) int { return i }).Print()\nenv.Execute(ctx)", 2, 1, "the partitioner behind it failed on record 5: ArrayIndexOutOfBounds: PartitionCustom: the partitioner returned 1"},
		{"a nil pointer in a job", "type N struct { Next *N; V int }\nenv.FromElements(1).Map(func(i int) int {\n\tn := &N{}\n\treturn n.Next.V\n}).Print()\nenv.Execute(ctx)", 4, 9, "invalid memory address or nil pointer dereference"},
	}
	s, _, _ := virtual(t)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := s.Eval(context.Background(), Cell{Number: i + 1, Source: tt.cell})
			var e *RunError
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want a *RunError", err)
			}
			if e.Line != tt.line || e.Col != tt.col || !strings.Contains(e.Msg, tt.msg) {
				t.Errorf("%d:%d %s\nwant %d:%d %s", e.Line, e.Col, e.Msg, tt.line, tt.col, tt.msg)
			}
		})
	}
	if r, err := s.Eval(context.Background(), Cell{Number: 99, Source: "1 + 1"}); err != nil || r.Values[0].Text != "2" {
		t.Errorf("afterwards: %v, %v", r, err)
	}
}

func TestACellMayNotCallWhatWouldEndTheSession(t *testing.T) {
	tests := []struct{ name, cell, msg string }{
		{"the end of its goroutine", "runtime.Goexit()", "runtime.Goexit would end"},
		{"a trap", "runtime.Breakpoint()", "runtime.Breakpoint is not available in a cell"},
		{"a locked thread", "runtime.LockOSThread()", "runtime.LockOSThread would take the thread"},
		{"a locked thread in a job", "env.FromElements(1).Map(func(n int) int {\n\truntime.LockOSThread()\n\treturn n\n})", "runtime.LockOSThread would"},
		{"a deferred call", "func f() { defer runtime.UnlockOSThread() }", "runtime.UnlockOSThread has nothing to undo"},
		{"a function value", "lock := runtime.LockOSThread", "runtime.LockOSThread would"},
	}
	s, _, _ := virtual(t)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := s.Eval(context.Background(), Cell{Number: i + 1, Source: tt.cell})
			if err == nil || !strings.Contains(err.Error(), tt.msg) {
				t.Errorf("got %v, want %s", err, tt.msg)
			}
		})
	}
}

func TestAStoppedCellThatCannotEndDoesNotComeBack(t *testing.T) {
	s, out, _ := virtual(t)
	release := make(chan struct{})
	s.opt.Stdout, s.rt.Stdout = nil, blockOnce{out, release, s.Interrupt}
	_, err := s.Eval(context.Background(), Cell{Number: 1, Source: "n := 0\nfmt.Println(\"blocks\")\nfor { n++ }"})
	if !errors.Is(err, ErrInterrupted) || !strings.Contains(err.Error(), "line 2") {
		t.Fatalf("error %v, want an interruption that names line 2", err)
	}
	if s.Running() != 1 {
		t.Errorf("%d running, want 1", s.Running())
	}
	s.rt.Stdout = out
	if _, err := s.Eval(context.Background(), Cell{Number: 2, Source: "m := 0\nfor i := range 1000 { m += i }"}); err != nil {
		t.Fatalf("the next cell: %v", err)
	}
	close(release)
	for deadline := time.After(5 * time.Second); s.Running() > 0; {
		select {
		case <-deadline:
			t.Fatal("the stopped cell came back to life")
		case <-time.After(time.Millisecond):
		}
	}
}

// blockOnce stops the cell that writes, and does not come back before it is released.
type blockOnce struct {
	w       *bytes.Buffer
	release chan struct{}
	stop    func()
}

func (b blockOnce) Write(p []byte) (int, error) {
	b.stop()
	<-b.release
	return len(p), nil
}

func TestSleepingMovesTheVirtualClock(t *testing.T) {
	s, out, now := virtual(t)
	const cell = `
t0 := time.Now()
time.Sleep(time.Hour)
select {
case <-time.After(time.Hour):
}
fmt.Println(time.Since(t0))`
	if _, err := s.Eval(context.Background(), Cell{Number: 1, Source: cell}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "2h0m0s\n" || now.UnixMilli() != 2*3600*1000 {
		t.Errorf("printed %q, the clock shows %v; want 2h0m0s and 02:00", got, now)
	}
}

func TestSleepingInAJobMovesTheVirtualClock(t *testing.T) {
	s, out, now := virtual(t)
	const cell = `
xs, err := env.FromElements(1, 2).Map(func(x int) int { time.Sleep(time.Hour); return x }).ExecuteAndCollectLimit(ctx, 2)
fmt.Println(xs, err)`
	if _, err := s.Eval(context.Background(), Cell{Number: 1, Source: cell}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "[1 2] <nil>\n" || now.UnixMilli() != 2*3600*1000 {
		t.Errorf("printed %q, the clock shows %v; want [1 2] <nil> and 02:00", got, now)
	}
}

func TestAPanicBetweenCellsIsToldOnceAndFailsNoCell(t *testing.T) {
	s, _, _ := virtual(t)
	ctx, cancel := context.WithCancel(context.Background())
	const cell = "for range 2 {\n\tgo func() {\n\t\t<-ctx.Done()\n\t\tpanic(\"boom\")\n\t}()\n}"
	if _, err := s.Eval(ctx, Cell{Number: 1, Source: cell}); err != nil {
		t.Fatal(err)
	}
	cancel()
	for s.Running() > 0 {
		runtime.Gosched()
	}
	if r, err := s.Eval(context.Background(), Cell{Number: 2, Source: "x := 1\nx + 1"}); err != nil || r.Values[0].Text != "2" {
		t.Errorf("the cell after: %v, %v", r.Values, err)
	}
	var e *RunError
	if !errors.As(s.GoPanic(), &e) || e.Error() != "4:3: panic in a goroutine: boom" || e.Number != 1 || e.Source != "\t\tpanic(\"boom\")" {
		t.Errorf("got %#v", e)
	}
	if err := s.GoPanic(); err != nil {
		t.Errorf("a second time: %v", err)
	}
}

// The goroutine panics when the cell has run to its end but is not over: nothing is left that could fail.
func TestAPanicAfterTheLastStatementIsNotTheCells(t *testing.T) {
	s, _, _ := virtual(t)
	for n := range 20 {
		r, err := s.Eval(context.Background(), Cell{Number: n + 1, Source: "go func() { panic(\"late\") }()\n7"})
		if err != nil || r.Values[0].Text != "7" {
			t.Fatalf("got %v, %v", r.Values, err)
		}
		for s.Running() > 0 {
			runtime.Gosched()
		}
		if err := s.GoPanic(); err == nil || err.Error() != "1:13: panic in a goroutine: late" {
			t.Fatalf("got %v", err)
		}
	}
}

func TestGoroutinesThatShareAMapDoNotEndTheSession(t *testing.T) {
	for name, cell := range map[string]string{
		"two writers":           "m := map[int]int{}\nvar wg sync.WaitGroup\nfor i := range 4 { wg.Go(func() { for j := range 5000 { m[j%10] = i } }) }\nwg.Wait()\nlen(m)",
		"a reader and a writer": "m := map[int]int{0: 1}\ndone := make(chan bool)\ngo func() { for i := range 20000 { m[i%10] = i }; done <- true }()\nfor range 200 { for k := range m { _ = m[k] } }\n<-done\nlen(m)",
	} {
		t.Run(name, func(t *testing.T) {
			s, _, _ := virtual(t)
			r, err := s.Eval(context.Background(), Cell{Source: cell})
			if err != nil || len(r.Values) != 1 || r.Values[0].Text != "10" {
				t.Errorf("got %+v, %v, want 10", r, err)
			}
		})
	}
}

func TestHandlesShowNothing(t *testing.T) {
	s, _, _ := virtual(t)
	r, err := s.Eval(context.Background(), Cell{Number: 1, Source: "env.FromElements(1).ExecuteAndCollect(ctx)"})
	if err != nil || len(r.Values) != 0 {
		t.Errorf("an iterator: %v, %v", r.Values, err)
	}
	r, err = s.Eval(context.Background(), Cell{Number: 2, Source: "context.WithCancel(ctx)"})
	if err != nil || len(r.Values) != 0 {
		t.Errorf("a context: %v, %v", r.Values, err)
	}
}

func TestSubtasksDoNotWriteOneMapAtOnce(t *testing.T) {
	tests := []struct{ name, cell, want string }{
		{"a literal", "env.FromElements(1, 2).Map(func(x int) int { m[x]++; return x })", "writes map m,"},
		{"through a function", "func count(x int) { delete(m, x) }\nenv.FromElements(1, 2).Map(func(x int) int { count(x); return x })", "writes map m,"},
		{"a map of its own", "env.FromElements(1, 2).Map(func(x int) int { own := map[int]int{}; own[x]++; return x })", ""},
		{"a function object", "type counts struct{ seen map[int]int }\nfunc (c *counts) Map(x int) (int, error) { c.add(x); return x, nil }\n" +
			"func (c *counts) add(x int) { c.seen[x]++ }\nenv.FromElements(1, 2).MapRich(&counts{map[int]int{}})", "writes map c.seen,"},
		{"a function object that makes its map", "type opened struct{ seen map[int]int }\nfunc (c *opened) Open(ctx *RuntimeContext) error { c.seen = map[int]int{}; return nil }\n" +
			"func (c *opened) Map(x int) (int, error) { c.seen[x]++; return x, nil }\nenv.FromElements(1, 2).MapRich(&opened{})", ""},
		{"with a lock", "env.FromElements(1, 2).Map(func(x int) int { mu.Lock(); m[x]++; mu.Unlock(); return x })", ""},
	}
	s, err := New(Options{Env: dataflow.NewEnv(dataflow.WithParallelism(4))})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Eval(context.Background(), Cell{Number: 1, Source: "m := map[int]int{}\nvar mu sync.Mutex"}); err != nil {
		t.Fatal(err)
	}
	for i, tt := range tests {
		_, err := s.Eval(context.Background(), Cell{Number: i + 2, Source: tt.cell})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestAValueThatNobodyReadsToItsEndIsShownInPart(t *testing.T) {
	s, _, _ := virtual(t)
	for _, tt := range []struct{ cell, begin, end string }{
		{"make([]struct{}, 1<<62)", "[{} {} {} ", "{} … 4611686018426339328 more]"},
		{"make([]int8, 2<<20)", "[0 0 0 ", "0 … 1048576 more]"},
		{"make([]int8, 5)", "[0 0 0 0 0]", "[0 0 0 0 0]"},
	} {
		r, err := s.Eval(context.Background(), Cell{Number: 1, Source: tt.cell})
		if err != nil {
			t.Fatal(err)
		}
		text := r.Values[0].Text
		if !strings.HasPrefix(text, tt.begin) || !strings.HasSuffix(text, tt.end) {
			t.Errorf("%s: %s ... %s", tt.cell, text[:min(len(text), 20)], text[max(0, len(text)-40):])
		}
	}
}

func TestListsThatAreTooLargeAreRefusedWhereTheyAreWritten(t *testing.T) {
	s, _, _ := virtual(t)
	for _, tt := range []struct{ name, cell, want string }{
		{"a list with a huge index", "x := []int{1, 1 << 33: 5}", "1:15: a list of 8589934593 elements is too large for a cell"},
		{"in a function", "f := func() []int { return []int{\n1 << 40: 5} }", "2:1: a list of 1099511627777 elements is too large for a cell"},
		{"an array in a function", "func f() int {\n\tvar a [1 << 33]int\n\treturn a[0]\n}", "2:8: an array of 8589934592 elements is too large for a cell"},
		{"a large list", "len([]string{1 << 20: \"x\"})", ""},
		{"a length that is a constant", "len([1 << 40]byte{})", ""},
	} {
		_, err := s.Eval(context.Background(), Cell{Number: 1, Source: tt.cell})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
