// Package time in a cell: whatever waits, waits by the clock of the session.

package interp

import (
	"context"
	"testing"
)

func TestTimersTellTheTimeOfTheSession(t *testing.T) {
	s, out, _ := virtual(t)
	const cell = `
func clocks() {
	start := time.Now()
	p := start
	tk := time.NewTicker(50 * time.Millisecond)
	for i := 0; i < 3; i++ {
		t := <-tk.C
		fmt.Println("tick", (t.Sub(p)))
		p = t
	}
	tk.Reset(100 * time.Millisecond)
	t := <-tk.C
	fmt.Println("after reset", (t.Sub(p)))
	tk.Stop()
	select {
	case <-tk.C:
		fmt.Println("ticks though stopped")
	case <-time.After(150 * time.Millisecond):
		fmt.Println("stopped", (time.Since(start)))
	}
	tm := time.NewTimer(time.Hour)
	fmt.Println(tm.Stop(), tm.Stop(), tm.Reset(20*time.Millisecond))
	fmt.Println("timer", ((<-tm.C).Sub(start)))
	fmt.Println(tm.Stop(), tm.Reset(10*time.Millisecond))
	time.Sleep(30 * time.Millisecond)
	fmt.Println(tm.Stop())
	select {
	case <-tm.C:
		fmt.Println("stale")
	default:
		fmt.Println("none")
	}
	var wg sync.WaitGroup
	s := time.Now()
	for i := 1; i <= 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			time.Sleep(time.Duration(i) * 30 * time.Millisecond)
			fmt.Println("worker", i, (time.Since(s)))
		}()
	}
	wg.Wait()
	fmt.Println((time.Since(s)))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	child, c2 := context.WithCancel(ctx)
	defer c2()
	dl, ok := ctx.Deadline()
	fmt.Println(ok, (time.Until(dl)))
	s = time.Now()
	<-child.Done()
	fmt.Println((time.Since(s)), ctx.Err(), child.Err(), context.Cause(child), errors.Is(ctx.Err(), context.DeadlineExceeded))
	ctx, cancel = context.WithTimeoutCause(context.Background(), 20*time.Millisecond, errors.New("too slow"))
	defer cancel()
	select {
	case <-ctx.Done():
		fmt.Println(ctx.Err(), context.Cause(ctx))
	case <-time.After(time.Second):
		fmt.Println("late")
	}
	ctx, cancel = context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	fmt.Println(ctx.Err())
	cancel()
	ctx, cancel = context.WithTimeout(context.Background(), time.Hour)
	in, cin := context.WithTimeout(ctx, 2*time.Hour)
	d1, _ := ctx.Deadline()
	d2, _ := in.Deadline()
	fmt.Println(d1.Equal(d2))
	cancel()
	fmt.Println(ctx.Err(), in.Err())
	cin()
	done := make(chan bool)
	s = time.Now()
	af := time.AfterFunc(40*time.Millisecond, func() { fmt.Println("func", (time.Since(s))); done <- true })
	<-done
	fmt.Println(af.Stop(), af.Reset(10*time.Millisecond))
	<-done
	af2 := time.AfterFunc(10*time.Millisecond, func() { fmt.Println("never") })
	defer af2.Stop()
	stop := af2.Stop
	fmt.Println(stop())
	time.Sleep(20 * time.Millisecond)
	n := 0
	for range time.Tick(10 * time.Millisecond) {
		if n++; n == 5 {
			break
		}
	}
	select {
	case <-time.After(200 * time.Millisecond):
		fmt.Println("two")
	case <-time.After(100 * time.Millisecond):
		fmt.Println("one")
	}
	func() {
		defer func() { fmt.Println(recover()) }()
		time.NewTicker(0)
	}()
	type job struct{ *time.Timer }
	j := job{time.NewTimer(time.Second)}
	fmt.Println(j.Stop(), j.Reset(10*time.Millisecond))
	<-j.C
	limiter := make(chan time.Time, 3)
	go func() {
		for t := range time.Tick(20 * time.Millisecond) {
			limiter <- t
		}
	}()
	s = time.Now()
	for range 4 {
		<-limiter
	}
	fmt.Println((time.Since(s)))
}
clocks()`
	if _, err := s.Eval(context.Background(), Cell{Number: 1, Source: cell}); err != nil {
		t.Fatal(err)
	}
	const want = `tick 50ms
tick 50ms
tick 50ms
after reset 100ms
stopped 400ms
true false false
timer 420ms
false false
true
none
worker 1 30ms
worker 2 60ms
worker 3 90ms
90ms
true 50ms
50ms context deadline exceeded context deadline exceeded context deadline exceeded true
context deadline exceeded too slow
context deadline exceeded
true
context canceled context canceled
func 40ms
false false
func 50ms
true
one
non-positive interval for NewTicker
true false
80ms
`
	if got := out.String(); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}

func TestATickerGoesOnInTheNextCell(t *testing.T) {
	s, out, _ := virtual(t)
	for i, cell := range []string{"tk := time.NewTicker(time.Hour)\nt0 := <-tk.C", "t1 := <-tk.C\nfmt.Println(t1.Sub(t0))\ntk.Stop()"} {
		if _, err := s.Eval(context.Background(), Cell{Number: i + 1, Source: cell}); err != nil {
			t.Fatal(err)
		}
	}
	if got := out.String(); got != "1h0m0s\n" {
		t.Errorf("printed %q, want 1h0m0s", got)
	}
}

func TestALoopThatWaitsForTheClockEnds(t *testing.T) {
	s, out, _ := virtual(t)
	const cell = `
t0 := time.Now()
for time.Since(t0) < 20*time.Millisecond {
}
fmt.Println(time.Since(t0).Round(time.Millisecond))`
	if _, err := s.Eval(context.Background(), Cell{Number: 1, Source: cell}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "20ms\n" {
		t.Errorf("printed %q, want 20ms", got)
	}
}

func TestTimersStopThroughAnInterface(t *testing.T) {
	s, out, _ := virtual(t)
	const cell = `
func through() {
	var st interface{ Stop() bool } = time.NewTimer(time.Hour)
	f := time.NewTimer(time.Hour).Stop
	var tk interface {
		Stop()
		Reset(time.Duration)
	} = time.NewTicker(time.Hour)
	tk.Reset(time.Minute)
	t0 := time.Now()
	fmt.Println(st.Stop(), f(), (<-tk.(*time.Ticker).C).Sub(t0))
	tk.Stop()
}
through()`
	if _, err := s.Eval(context.Background(), Cell{Number: 1, Source: cell}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "true true 1m0s\n" {
		t.Errorf("printed %q, want true true 1m0s", got)
	}
}
