package watermark

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// sink writes down what comes out, as wm:N, IDLE and ACTIVE, and records as e:ts.
type sink struct{ got []string }

func (s *sink) Watermark(wm int64) { s.add("wm:%d", wm) }
func (s *sink) Status(idle bool) {
	if idle {
		s.add("IDLE")
	} else {
		s.add("ACTIVE")
	}
}
func (s *sink) add(f string, args ...any) { s.got = append(s.got, fmt.Sprintf(f, args...)) }

func (s *sink) check(t *testing.T, name, want string) {
	t.Helper()
	if got := strings.Join(s.got, " "); got != want {
		t.Errorf("%s: got %s, want %s", name, got, want)
	}
}

// feed runs a script of channel=watermark, channel=IDLE, channel=ACTIVE.
func feed(script string, watermark func(ch int, wm int64), status func(ch int, idle bool)) {
	for _, f := range strings.Fields(script) {
		ch, what, _ := strings.Cut(f, "=")
		n := int(ch[0] - '0')
		switch what {
		case "IDLE":
			status(n, true)
		case "ACTIVE":
			status(n, false)
		default:
			var wm int64
			fmt.Sscan(what, &wm)
			watermark(n, wm)
		}
	}
}

func TestValve(t *testing.T) {
	cases := []struct {
		name     string
		channels int
		in, want string
	}{
		{"the output is the minimum and only grows", 3, "0=0 1=0 2=0 0=12 2=8 2=10 1=15 2=17 0=20", "wm:0 wm:10 wm:12 wm:15"},
		{"a lower watermark of a channel is ignored", 2, "0=25 1=17 0=18 1=10 1=16", "wm:17"},
		{"a channel that turns idle no longer holds back", 3, "0=15 1=10 2=5 2=IDLE 1=IDLE", "wm:5 wm:10 wm:15"},
		{"when all are idle the greatest watermark goes first", 2, "0=5 1=9 0=IDLE 1=IDLE", "wm:5 wm:9 IDLE"},
		{"the greatest goes out even if the last channel to turn idle is behind", 2, "0=9 1=3 0=IDLE 1=IDLE", "wm:3 wm:9 IDLE"},
		{"watermarks of an idle channel are ignored", 1, "0=5 0=IDLE 0=7 0=ACTIVE 0=8", "wm:5 IDLE ACTIVE wm:8"},
		{"the first active channel makes the output active", 2, "0=IDLE 1=IDLE 0=ACTIVE 1=ACTIVE", "IDLE ACTIVE"},
		{"a channel that is behind after idleness does not hold back until it caught up", 2,
			"0=5 1=3 1=IDLE 1=ACTIVE 0=7 1=6 0=9 1=8 0=10 1=12", "wm:3 wm:5 wm:7 wm:9 wm:10"},
		{"no watermark before every channel has one", 2, "0=5", ""},
		{"a status that is not new is not sent on", 2, "0=ACTIVE 1=ACTIVE 1=IDLE 0=IDLE 0=IDLE 1=IDLE 1=ACTIVE 0=ACTIVE", "IDLE ACTIVE"},
		{"channels turn idle one by one", 3, "0=25 1=10 2=17 1=IDLE 2=IDLE", "wm:10 wm:17 wm:25"},
		{"a channel that caught up holds back again", 3, "0=10 1=7 2=3 2=IDLE 2=ACTIVE 2=5 2=9 1=12", "wm:3 wm:7 wm:9"},
		{"the last to turn idle may be behind and out of alignment", 3, "0=100 1=50 2=70 1=IDLE 1=ACTIVE 1=60 0=IDLE 2=IDLE 1=IDLE", "wm:50 wm:70 wm:100 IDLE"},
		{"a channel that is behind turns idle again", 2, "0=7 1=10 0=IDLE 0=ACTIVE 0=9 0=IDLE", "wm:7 wm:10"},
		{"nothing goes out while every active channel is behind", 3, "0=10 1=7 2=IDLE 2=ACTIVE 0=IDLE 1=IDLE", "wm:7"},
		{"a channel that is ahead when it turns active is heard at once", 3, "0=10 1=7 2=IDLE 2=ACTIVE 0=IDLE 1=IDLE 0=ACTIVE", "wm:7 wm:10"},
		{"the next watermark of one that was heard so is a new one", 3, "0=10 1=20 2=30 2=IDLE 0=IDLE 0=ACTIVE 1=IDLE 2=ACTIVE 2=31", "wm:10 wm:20 wm:30 wm:31"},
		{"what was heard so is not sent again when all turn idle", 3, "0=10 1=20 2=30 2=IDLE 0=IDLE 0=ACTIVE 1=IDLE 2=ACTIVE 0=IDLE 2=IDLE", "wm:10 wm:20 wm:30 IDLE"},
	}
	for _, c := range cases {
		s := &sink{}
		v := NewValve(c.channels, s)
		feed(c.in, v.Watermark, v.Status)
		s.check(t, c.name, c.want)
	}
}

func TestCombined(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"two inputs give the minimum", "0=10 1=5 1=20 0=12", "wm:5 wm:10 wm:12"},
		{"splits: an idle one is left out, all idle is idle", "0=2 1=5 0=IDLE 1=IDLE", "wm:2 wm:5 IDLE"},
		{"the greatest goes out before the idleness", "0=9 1=3 0=IDLE 1=IDLE", "wm:3 wm:9 IDLE"},
		{"an input that is active again holds back at once", "0=5 1=3 1=IDLE 0=7 1=ACTIVE 0=9 1=8", "wm:3 wm:5 wm:7 wm:8"},
		{"a watermark makes its input active", "0=1 1=1 0=IDLE 1=IDLE 1=4", "wm:1 IDLE ACTIVE wm:4"},
		{"an idle input that goes on behind the others takes nothing back", "0=2 1=5 0=IDLE 0=3", "wm:2 wm:5"},
		{"an idle input that goes on behind what went out makes the output active", "0=5 1=2 0=IDLE 1=IDLE 1=3", "wm:2 wm:5 IDLE ACTIVE"},
	}
	for _, c := range cases {
		s := &sink{}
		v := NewCombined(2, s)
		feed(c.in, v.Watermark, v.Status)
		s.check(t, c.name, c.want)
	}
}

func TestInputsComeAndGo(t *testing.T) {
	s := &sink{}
	c := NewCombined(0, s)
	high := c.Add()
	c.Watermark(high, 2)
	low := c.Add()
	c.Watermark(low, 1)
	c.Remove(high)
	s.check(t, "an input that comes late, and one that goes, take nothing back", "wm:2")
	c.Watermark(low, 7)
	c.Remove(low)
	s.check(t, "without inputs the output is idle and keeps its time", "wm:2 wm:7 IDLE")
	c.Watermark(c.Add(), 9)
	s.check(t, "a new input makes it active", "wm:2 wm:7 IDLE ACTIVE wm:9")
}

// raw takes what a generator offers, without the rule of Emission.
type raw struct{ sink }

func (r *raw) EmitWatermark(wm int64) { r.Watermark(wm) }
func (r *raw) MarkIdle()              { r.Status(true) }
func (r *raw) MarkActive()            { r.Status(false) }

func TestBoundedOutOfOrderness(t *testing.T) {
	maker, err := BoundedOutOfOrderness[int](9 * time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	r, g := &raw{}, maker()
	g.OnPeriodicEmit(r)
	for _, events := range [][]int64{{1337}, {1300, 1336}, {1409, 1400}} {
		for _, ts := range events {
			g.OnEvent(0, ts, r)
		}
		g.OnPeriodicEmit(r)
	}
	r.check(t, "max - delay - 1, MIN before the first event", fmt.Sprintf("wm:%d wm:1327 wm:1327 wm:1399", math.MinInt64))

	r, g = &raw{}, Monotonous[int]()
	for _, ts := range []int64{1337, 1340} {
		g.OnEvent(0, ts, r)
		g.OnPeriodicEmit(r)
	}
	r.check(t, "monotonous is bounded by 0", "wm:1336 wm:1339")

	if _, err := BoundedOutOfOrderness[int](-1); err == nil {
		t.Error("a negative out-of-orderness was accepted")
	}
	for _, d := range []time.Duration{0, -time.Millisecond} {
		if CheckIdleTimeout(d) == nil {
			t.Errorf("idle timeout %v was accepted", d)
		}
	}
}

// punctuated emits the timestamp of even values.
type punctuated struct{}

func (punctuated) OnEvent(v int, ts int64, out Output) {
	if v%2 == 0 {
		out.EmitWatermark(ts)
	}
}
func (punctuated) OnPeriodicEmit(Output) {}

func assigner(s *sink, st Strategy[int], now *int64) *Assigner[int] {
	return NewAssigner(st, func() int64 { return *now }, s)
}

// element does with a record what the operator does.
func element(s *sink, a *Assigner[int], v int, ts int64) {
	ts = a.Stamp(v, ts)
	s.add("e:%d", ts)
	a.OnEvent(v, ts)
}

func TestAssigner(t *testing.T) {
	var now int64
	value := func(v int, _ int64) int64 { return int64(v) }

	s := &sink{}
	a := assigner(s, Strategy[int]{New: Monotonous[int], Timestamp: value}, &now)
	a.OnTick()
	element(s, a, 2, 1)
	a.OnTick()
	a.OnWatermark(42)
	element(s, a, 4, 1)
	element(s, a, 3, 1)
	a.OnTick()
	a.OnTick()
	element(s, a, 9, 1)
	a.Finish()
	a.OnWatermark(math.MaxInt64)
	s.check(t, "watermarks come at ticks and at the end; upstream's are dropped but MAX", fmt.Sprintf("e:2 wm:1 e:4 e:3 wm:3 e:9 wm:8 wm:%d", math.MaxInt64))

	s = &sink{}
	a = assigner(s, Strategy[int]{New: func() Generator[int] { return punctuated{} }, Timestamp: value}, &now)
	for _, v := range []int{2, 0, 3, 4} {
		element(s, a, v, 0)
	}
	s.check(t, "the element goes first; a watermark that does not advance is dropped", "e:2 wm:2 e:0 e:3 e:4 wm:4")

	s = &sink{}
	a = assigner(s, Strategy[int]{New: None[int]}, &now)
	element(s, a, 1, 77)
	a.OnTick()
	a.Finish()
	s.check(t, "without a timestamp function the record keeps its own", "e:77")
}

func TestIdleness(t *testing.T) {
	var now int64
	s := &sink{}
	a := assigner(s, Strategy[int]{New: Monotonous[int], IdleTimeout: 100}, &now)
	tick := func(at int64) { now = at; a.OnTick() }
	element(s, a, 1, 1000)
	tick(50)  // sees the element
	tick(100) // the countdown begins
	tick(200) // exactly the timeout: not yet
	tick(201)
	tick(250)
	element(s, a, 1, 900) // an old element does not make it active
	tick(300)
	element(s, a, 1, 2000)
	tick(350)
	s.check(t, "idle after the timeout, active with the next watermark that advances", "e:1000 wm:999 IDLE e:900 e:2000 ACTIVE wm:1999")
}
