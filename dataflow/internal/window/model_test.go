package window

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// event is a record or, with wm set, a watermark.
type event struct {
	k  string
	ts int64
	wm bool
}

// script draws records of a few keys around a rising watermark, some of them late.
func script(t *rapid.T) (es []event) {
	at := int64(0)
	for range rapid.IntRange(1, 60).Draw(t, "n") {
		at += rapid.Int64Range(0, 15).Draw(t, "step")
		if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
			es = append(es, event{ts: at - 10, wm: true})
		} else {
			es = append(es, event{k: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key"), ts: at - rapid.Int64Range(0, 25).Draw(t, "delay")})
		}
	}
	return append(es, event{ts: math.MaxInt64, wm: true})
}

func text(es []event) string {
	var b strings.Builder
	for i, e := range es {
		if e.wm {
			fmt.Fprintf(&b, "wm=%d ", e.ts)
		} else {
			fmt.Fprintf(&b, "%s:%d@%d ", e.k, i+1, e.ts) // every value is another
		}
	}
	return b.String()
}

// TestTimeWindowsAgainstBruteForce: with lateness 0 each window must be emitted once, with exactly the records
// that were in time for it; a record in time for none of its windows, and late itself, is late.
func TestTimeWindowsAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(1, 20).Draw(t, "size")
		slide := rapid.Int64Range(1, 20).Draw(t, "slide")
		var a Assigner[TimeWindow] = must(Sliding(ms*duration(size), ms*duration(slide), 0, true))
		if rapid.Bool().Draw(t, "tumbling") {
			a, slide = must(Tumbling(ms*duration(size), 0, true, Aligned)), size
		}
		es := script(t)
		sums, wm := map[string]map[int64]int{}, int64(math.MinInt64) // by key and start
		var late []string
		for i, e := range es {
			if e.wm {
				wm = e.ts
				continue
			}
			skipped := true
			for start := e.ts - size + 1; start <= e.ts; start++ { // every window that could hold it
				if ((start%slide)+slide)%slide == 0 && start+size-1 > wm {
					if sums[e.k] == nil {
						sums[e.k] = map[int64]int{}
					}
					sums[e.k][start] += i + 1
					skipped = false
				}
			}
			if skipped && e.ts <= wm {
				late = append(late, fmt.Sprintf("%s:%d@%d", e.k, i+1, e.ts))
			}
		}
		var want []string
		for k, bystart := range sums {
			for start, sum := range bystart {
				want = append(want, fmt.Sprintf("%s-%d[%d,%d)@%d", k, sum, start, start+size, start+size-1))
			}
		}
		c := setup[TimeWindow]{assigner: a, bounds: true}
		for _, h := range []*harness{c.reducing(), c.listing(), general(c)} {
			h.run(text(es))
			compare(t, h, want, late)
		}
	})
}

// general is c without the fast paths.
func general(c setup[TimeWindow]) *harness {
	if c.trigger == nil {
		c.trigger = EventTime()
	}
	c.trigger = Custom[rec, TimeWindow](&wrapped{must(BuildTrigger[rec, TimeWindow](c.trigger, nil))})
	return c.reducing()
}

// TestFastPathsAgreeWithTheGeneralOne compares them on random input with late records.
func TestFastPathsAgreeWithTheGeneralOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := ms * duration(rapid.Int64Range(1, 20).Draw(t, "size"))
		assigners := []Assigner[TimeWindow]{
			must(Tumbling(size, 0, true, Aligned)), must(Sliding(3*size, 2*size, 0, true)), must(Session(size, true)),
			DynamicSession(func(r rec) time.Duration { return size + ms*duration(int64(r.v%3)) }, true),
		}
		c := setup[TimeWindow]{assigner: rapid.SampledFrom(assigners).Draw(t, "assigner"), bounds: true,
			lateness: rapid.Int64Range(0, 30).Draw(t, "lateness")}
		if rapid.Bool().Draw(t, "purging") {
			c.trigger = Purging(EventTime())
		}
		es := script(t)
		want := general(c)
		want.run(text(es))
		for name, h := range map[string]*harness{"reduce": c.reducing(), "list": c.listing()} {
			h.run(text(es))
			if got, want := normal(h.out), normal(want.out); got != want {
				t.Fatalf("%s, %v: fast and general path differ\n got %s\nwant %s", name, c.assigner, got, want)
			}
			if !slices.Equal(h.late, want.late) {
				t.Fatalf("%s: late: got %v, want %v", name, h.late, want.late)
			}
			if n, k := h.op.Timers(), h.keys.Len(); n != 0 || k != 0 {
				t.Fatalf("%d timers and %d keys left", n, k)
			}
		}
	})
}

// TestSessionsAgainstBruteForce: when nothing is late, the sessions of a key are its records cut
// wherever more than the gap lies between two neighbours in time.
func TestSessionsAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gap := rapid.Int64Range(1, 20).Draw(t, "gap")
		es := script(t)
		low := int64(math.MinInt64)
		// Move every record behind the watermark before it; one millisecond more, for a session that ended just
		// at the watermark is gone, and would touch a record at the next millisecond.
		for i := range es {
			if es[i].wm {
				low = es[i].ts
			} else if es[i].ts <= low+1 {
				es[i].ts = low + 2
			}
		}
		var want []string
		for _, k := range []string{"a", "b", "c"} {
			type stamped struct {
				ts int64
				v  int
			}
			var rs []stamped
			for i, e := range es {
				if !e.wm && e.k == k {
					rs = append(rs, stamped{e.ts, i + 1})
				}
			}
			slices.SortFunc(rs, func(a, b stamped) int { return int(a.ts - b.ts) })
			for len(rs) > 0 {
				n, sum := 1, rs[0].v
				for n < len(rs) && rs[n].ts-rs[n-1].ts <= gap {
					sum += rs[n].v
					n++
				}
				end := rs[n-1].ts + gap
				want = append(want, fmt.Sprintf("%s-%d[%d,%d)@%d", k, sum, rs[0].ts, end, end-1))
				rs = rs[n:]
			}
		}
		c := setup[TimeWindow]{assigner: must(Session(ms*duration(gap), true)), bounds: true}
		for _, h := range []*harness{c.reducing(), c.aggregating(), c.listing(), general(c)} {
			h.run(text(es))
			compare(t, h, want, nil)
		}
	})
}

// compare checks the results as a multiset, that none came before its time or after it, the late
// records, and that nothing stays behind.
func compare(t *rapid.T, h *harness, want, late []string) {
	var got []string
	wm := int64(math.MinInt64)
	for i, o := range h.out {
		if strings.HasPrefix(o, "wm=") {
			wm = atoi(o[3:])
			continue
		}
		got = append(got, o)
		next := int64(math.MaxInt64)
		for _, later := range h.out[i:] {
			if strings.HasPrefix(later, "wm=") {
				next = atoi(later[3:])
				break
			}
		}
		if _, at, _ := strings.Cut(o, "@"); atoi(at) <= wm || atoi(at) > next {
			t.Fatalf("%s was emitted between the watermarks %d and %d", o, wm, next)
		}
	}
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Fatalf("got %v\nwant %v", got, want)
	}
	if !slices.Equal(h.late, late) {
		t.Fatalf("late: got %v, want %v", h.late, late)
	}
	if n, k := h.op.Timers(), h.keys.Len(); n != 0 || k != 0 {
		t.Fatalf("%d timers and %d keys left", n, k)
	}
}
