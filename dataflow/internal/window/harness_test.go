package window

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"flinkish/dataflow/internal/state"
)

// rec is the record of these tests.
type rec struct {
	k string
	v int
}

const s = time.Second
const ms = time.Millisecond

// harness drives one operator with a script and writes down what comes out. A script is a list of
// key:value@timestamp (without @ there is no timestamp), wm=N, pt=N (set the processing time and fire), restore.
type harness struct {
	out  []string
	late []string
	now  int64
	op   interface {
		OnElement(k string, v rec, ts int64)
		OnWatermark(wm int64)
		AdvanceProcessingTime(now int64)
		Timers() int
	}
	keys    *state.Backend[string]
	dropped func() uint64
	restore func() // goes on with a new operator that has a snapshot of this one
}

type setup[W Window] struct {
	assigner Assigner[W]
	trigger  TriggerSpec
	evictor  EvictorSpec
	lateness int64
	noLate   bool // no late output
	bounds   bool // results name the window's bounds, and are key-sum
}

func must[X any](x X, err error) X {
	if err != nil {
		panic(err)
	}
	return x
}

func (c setup[W]) text(k string, sum int, w W) string {
	if tw, ok := any(w).(TimeWindow); ok && c.bounds {
		return fmt.Sprintf("%s-%d[%d,%d)", k, sum, tw.Start, tw.End)
	}
	return fmt.Sprintf("%s:%d", k, sum)
}

// start builds the operator; it is what all kinds of contents share.
func start[W Window, A any](h *harness, c setup[W], contents Contents[rec, A], fire func(*Context[string, W], *A) bool) {
	spec := c.trigger
	if spec == nil {
		spec = c.assigner.(interface{ DefaultTrigger() TriggerSpec }).DefaultTrigger()
	}
	cfg := Config[string, rec, A, W]{
		Assigner: c.assigner, Trigger: must(BuildTrigger[rec, W](spec, nil)), Contents: contents, Lateness: c.lateness,
		Now: func() int64 { return h.now }, Fire: fire,
	}
	if !c.noLate {
		cfg.Late = func(k string, v rec, ts int64) { h.late = append(h.late, fmt.Sprintf("%s:%d@%d", k, v.v, ts)) }
	}
	fresh := func() *Operator[string, rec, A, W] {
		h.keys = state.NewBackend[string]()
		cfg.Keys = h.keys
		op := NewOperator(cfg)
		h.op, h.dropped = op, func() uint64 { return op.LateDropped }
		return op
	}
	op := fresh()
	h.restore = func() {
		s := must(op.Snapshot())
		op = fresh()
		if err := op.Restore(s); err != nil {
			panic(err)
		}
	}
}

func (c setup[W]) emit(h *harness, ctx *Context[string, W], sum int) {
	h.out = append(h.out, fmt.Sprintf("%s@%d", c.text(ctx.Key, sum, ctx.Window), ctx.Window.MaxTimestamp()))
}

// reducing sums incrementally, listing sums a list when the window fires, or what the evictor left.
func (c setup[W]) reducing() *harness {
	h := &harness{}
	start(h, c, ReduceOf(func(a, b rec) rec { return rec{a.k, a.v + b.v} }), func(ctx *Context[string, W], a *rec) bool {
		c.emit(h, ctx, a.v)
		return true
	})
	return h
}

func (c setup[W]) aggregating() *harness {
	h := &harness{}
	agg := AggregateOf(func() int { return 0 }, func(r rec, n int) int { return n + r.v }, func(a, b int) int { return a + b })
	start(h, c, agg, func(ctx *Context[string, W], a *int) bool {
		c.emit(h, ctx, *a)
		return true
	})
	return h
}

func (c setup[W]) listing() *harness {
	h := &harness{}
	if c.evictor == nil {
		start(h, c, ListOf[rec](), func(ctx *Context[string, W], a *[]rec) bool {
			n := 0
			for _, r := range *a {
				n += r.v
			}
			c.emit(h, ctx, n)
			return true
		})
		return h
	}
	ev := must(BuildEvictor[rec, W](c.evictor, nil))
	start(h, c, EvictingList[rec](), Evicting(ev, func(ctx *Context[string, W], es []Timestamped[rec]) {
		n := 0
		for _, e := range es {
			n += e.Value.v
		}
		c.emit(h, ctx, n)
	}))
	return h
}

func (h *harness) run(script string) {
	for _, f := range strings.Fields(script) {
		switch {
		case strings.HasPrefix(f, "wm="):
			wm := atoi(f[3:])
			h.op.OnWatermark(wm)
			h.out = append(h.out, f)
		case strings.HasPrefix(f, "pt="):
			h.now = atoi(f[3:])
			h.op.AdvanceProcessingTime(h.now)
		case f == "restore":
			h.restore()
		default:
			f, at, timed := strings.Cut(f, "@")
			k, v, _ := strings.Cut(f, ":")
			ts := int64(-1 << 63)
			if timed {
				ts = atoi(at)
			}
			h.op.OnElement(k, rec{k, int(atoi(v))}, ts)
		}
	}
}

func atoi(s string) int64 {
	if s == "MAX" {
		return 1<<63 - 1
	}
	return must(strconv.ParseInt(s, 10, 64))
}

// normal sorts the results between two watermarks: the order of keys in one firing is free.
func normal(out []string) string {
	out = slices.Clone(out)
	from := 0
	for i := 0; i <= len(out); i++ {
		if i == len(out) || strings.HasPrefix(out[i], "wm=") {
			slices.Sort(out[from:i])
			from = i + 1
		}
	}
	return strings.Join(out, " ")
}

func (h *harness) check(t *testing.T, name, want, late string) {
	t.Helper()
	want = normal(strings.Fields(strings.ReplaceAll(want, "MAX", "9223372036854775807")))
	got := strings.ReplaceAll(normal(h.out), "wm=MAX", "wm=9223372036854775807")
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", name, got, want)
	}
	if got := strings.Join(h.late, " "); got != late {
		t.Errorf("%s: late got %q, want %q", name, got, late)
	}
}
