package operatortest_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/conformance"
)

// The corners of joins.

func TestIntervalJoinsAtTheirBounds(t *testing.T) {
	between := func(lower, upper int, change func(j *IntervalJoined[ev, ev, string])) func(a, b *DataStream[ev]) conformance.Handle {
		return func(a, b *DataStream[ev]) conformance.Handle {
			j := a.KeyBy(key).IntervalJoin(b.KeyBy(key)).Between(duration(lower)*ms, duration(upper)*ms)
			if change != nil {
				change(j)
			}
			out := j.ProcessFunc(func(l, r ev, ctx *ProcessJoinContext, out Collector[string]) error {
				out.Collect(fmt.Sprintf("%v-%v(%d,%d,%d)", l, r, ctx.LeftTimestamp(), ctx.RightTimestamp(), ctx.Timestamp()))
				return nil
			})
			out.GetSideOutput(late)
			out.GetSideOutput(lateRight)
			return out
		}
	}
	exclusive := func(j *IntervalJoined[ev, ev, string]) { j.LowerBoundExclusive().UpperBoundExclusive() }
	lates := func(j *IntervalJoined[ev, ev, string]) {
		j.SideOutputLeftLateData(late).SideOutputRightLateData(lateRight)
	}
	for _, c := range []specCase{
		{name: "the lower bound left out", build: between(-2, 2, func(j *IntervalJoined[ev, ev, string]) { j.LowerBoundExclusive() }),
			script: "a0@10 R:a1@8 R:a2@9 R:a3@12 R:a4@13", want: "a0-a2(10,9,10)@10 a0-a3(10,12,12)@12"},
		{name: "the upper bound left out", build: between(-2, 2, func(j *IntervalJoined[ev, ev, string]) { j.UpperBoundExclusive() }),
			script: "a0@10 R:a1@8 R:a3@12 R:a4@11", want: "a0-a1(10,8,10)@10 a0-a4(10,11,11)@11"},
		{name: "bounds that meet join equal times", build: between(3, 3, nil), script: "R:a1@4 a0@1 R:a2@5", want: "a0-a1(1,4,4)@4"},
		{name: "bounds that meet and are left out join nothing", build: between(1, 1, exclusive), script: "a0@1 R:a1@1 R:a2@2 R:a3@3", want: ""},
		{name: "a record at the watermark is not late", build: between(0, 5, nil), script: "wm=5 a1@5 R:a2@5 R:a3@7", want: "a1-a2(5,5,5)@5 a1-a3(5,7,7)@7"},
		{name: "late records leave by the side of their stream", build: between(-5, 5, lates), script: "a1@9 wm=8 a2@7 R:a3@7 R:a4@8",
			want: "a1-a4(9,8,9)@9 late: a2@7 late right: a3@7"},
		{name: "a late record is neither joined nor counted", build: between(-5, 5, nil), script: "a1@9 wm=8 R:a3@7", want: ""},
		{name: "a bound is left out once", build: between(-2, 2, func(j *IntervalJoined[ev, ev, string]) { exclusive(j); exclusive(j) }),
			script: "a0@10 R:a1@8 R:a2@9 R:a3@11 R:a4@12", want: "a0-a2(10,9,10)@10 a0-a3(10,11,11)@11"},
		{name: "the left is kept until its last partner is in the past", build: between(0, 5, nil), script: "a1@1 wm=5 R:a2@6", want: "a1-a2(1,6,6)@6"},
		{name: "the left is gone when the watermark is at its upper bound", build: between(0, 5, nil), script: "a1@1 wm=6 R:a2@6", want: ""},
		{name: "the right is kept by the lower bound", build: between(-4, 0, nil), script: "R:a1@1 wm=4 a2@5 wm=5 a3@5", want: "a2-a1(5,1,5)@5"},
		{name: "the left is kept for its own time when all partners are earlier", build: between(-4, -1, nil), script: "a1@9 wm=8 R:a2@8 wm=9 R:a3@9", want: "a1-a2(9,8,9)@9"},
		{name: "times before zero", build: between(-2, 2, nil), script: "a1@-3 R:a2@-5 R:a3@-1 R:a4@0", want: "a1-a2(-3,-5,-3)@-3 a1-a3(-3,-1,-1)@-1"},
		{name: "the last times", build: between(-5, 5, nil), script: "a1@9223372036854775804 wm=9223372036854775803 R:a2@9223372036854775806",
			want: "a1-a2(9223372036854775804,9223372036854775806,9223372036854775806)@9223372036854775806"},
		{name: "the first times", build: between(-5, 5, nil), script: "R:a1@-9223372036854775806 wm=-9223372036854775806 a2@-9223372036854775804",
			want: "a2-a1(-9223372036854775804,-9223372036854775806,-9223372036854775804)@-9223372036854775804"},
		{name: "keys do not mix, and a record may have many partners", build: between(0, 0, nil), script: "a1@1 b2@1 R:a3@1 a4@1", want: "a1-a3(1,1,1)@1 a4-a3(1,1,1)@1"},
		{name: "the right needs the time of its records, too", build: between(0, 0, nil), script: "R:a1", fails: "Flink|timestamp", want: ""},
	} {
		t.Run(c.name, c.run)
	}
}

// TestIntervalsWhicheverSideIsFaster: records of 1 to 4 on both sides, one side ahead of the other.
func TestIntervalsWhicheverSideIsFaster(t *testing.T) {
	ahead := func(first, second, mark string) (script string) {
		for n := range 4 {
			script += fmt.Sprintf("%sa%d@%d wm%s=%d ", first, n+1, n+1, mark, n+1)
		}
		for n := range 4 {
			script += fmt.Sprintf("%sa%d@%d ", second, n+1, n+1)
		}
		return script
	}
	for _, c := range []struct {
		lower, upper     int
		noLower, noUpper bool // the bound itself is left out
		want             string
	}{
		{-2, -1, false, false, "2-1 3-1 3-2 4-2 4-3"},
		{-1, 1, false, false, "1-1 1-2 2-1 2-2 2-3 3-2 3-3 3-4 4-3 4-4"},
		{1, 2, false, false, "1-2 1-3 2-3 2-4 3-4"},
		{-3, -1, true, true, "3-1 4-2"},
		{-1, 1, true, true, "1-1 2-2 3-3 4-4"},
		{1, 3, true, true, "1-3 2-4"},
		{1, 3, false, true, "1-2 1-3 2-3 2-4 3-4"},
		{-3, -1, true, false, "2-1 3-1 3-2 4-2 4-3"},
		{0, 0, false, false, "1-1 2-2 3-3 4-4"},
	} {
		for name, script := range map[string]string{"left": ahead("", "R:", "1"), "right": ahead("R:", "", "2")} {
			e := NewEnv(WithParallelism(1))
			join := e.FromData(ev{}).KeyBy(key).IntervalJoin(e.FromData(ev{}).KeyBy(key)).Between(duration(c.lower)*ms, duration(c.upper)*ms)
			if c.noLower {
				join.LowerBoundExclusive()
			}
			if c.noUpper {
				join.UpperBoundExclusive()
			}
			d := drive(t, join.ProcessFunc(func(l, r ev, _ *ProcessJoinContext, out Collector[string]) error {
				out.Collect(fmt.Sprintf("%d-%d", l.V, r.V))
				return nil
			}))
			for word := range strings.FieldsSeq(script) {
				d.step(t, word)
			}
			var got []string
			for _, i := range d.Out {
				if i.Kind == conformance.Record {
					got = append(got, i.Value.(string))
				}
			}
			slices.Sort(got)
			if s := strings.Join(got, " "); s != c.want || d.Err != nil {
				t.Errorf("%+v, %s ahead: got %s, %v, want %s", c, name, s, d.Err, c.want)
			}
		}
	}
}

type windowedPair = *CoGroupWithWindow[ev, ev, string, TimeWindow]

func TestWindowJoinsAtTheirBounds(t *testing.T) {
	grouped := func(a WindowAssigner[TimeWindow], change func(c windowedPair) windowedPair) func(l, r *DataStream[ev]) conformance.Handle {
		return func(l, r *DataStream[ev]) conformance.Handle {
			g := l.CoGroup(r).Where(key).EqualTo(key).Window(a)
			if change != nil {
				g = change(g)
			}
			return g.Apply(func(as, bs iter.Seq[ev], out Collector[string]) { out.Collect(texts(as) + "|" + texts(bs)) })
		}
	}
	five := TumblingEventTime(5 * ms)
	for _, c := range []specCase{
		{name: "an evictor counts both sides", build: grouped(five, func(c windowedPair) windowedPair { return c.Evictor(CountEvictor(2)) }),
			script: "a1@1 R:a2@2 a3@3 R:b4@3 wm=4", want: "a3|a2@4 |b4@4"},
		{name: "a trigger counts both sides", build: grouped(five, func(c windowedPair) windowedPair { return c.Trigger(PurgingTrigger(CountTrigger(2))) }),
			script: "a1@1 R:a2@2 R:a3@1 R:a4@1", want: "a1|a2@4 |a3+a4@4"},
		{name: "a record is in the groups of all its windows", build: grouped(SlidingEventTime(4*ms, 2*ms), nil), script: "a1@1 R:a2@2 wm=9", want: "a1|@1 a1|a2@3 |a2@5"},
		{name: "sessions are bridged by the other side", build: grouped(EventTimeSession(3*ms), nil), script: "a1@1 a2@7 R:a3@4 wm=9", want: "a1+a2|a3@9"},
		{name: "the clock closes windows of processing time", build: grouped(TumblingProcessingTime(10*ms), nil), script: "pt=3 a1@99 R:a2 pt=9 R:a3 end", want: "a1|a2@9"},
		{name: "late records of either side are dropped", build: grouped(five, nil), script: "a1@1 wm=4 R:a2@2 a3@3 a4@5 wm=9", want: "a1|@4 a4|@9", dropped: 2},
		{name: "a late record that is allowed gives the group again", build: grouped(five, func(c windowedPair) windowedPair { return c.AllowedLateness(3 * ms) }),
			script: "a1@1 wm=6 R:a2@2 wm=7 R:a3@3", want: "a1|@4 a1|a2@4", dropped: 1},
		{name: "the global window needs a trigger", build: func(l, r *DataStream[ev]) conformance.Handle {
			return l.Join(r).Where(key).EqualTo(key).Window(GlobalWindows()).Trigger(CountTrigger(3)).Apply(func(l, r ev) string { return l.String() + "-" + r.String() })
		}, script: "a1 R:a2 a3 end", want: "a1-a2@MAX a3-a2@MAX"},
		{name: "settings make a copy", build: grouped(five, func(c windowedPair) windowedPair { c.Trigger(NeverTrigger()).AllowedLateness(9 * ms); return c }),
			script: "a1@1 wm=4 a2@2", want: "a1|@4", dropped: 1},
		{name: "the last trigger counts", build: grouped(five, func(c windowedPair) windowedPair { return c.Trigger(NeverTrigger()).Trigger(CountTrigger(2)) }),
			script: "a1@1 R:a2@2 wm=4", want: "a1|a2@4"},
		{name: "a join has no result without the other side", build: joining(EventTimeSession(3*ms), 0), script: "a1@1 a2@2 R:b3@1 wm=9", want: ""},
	} {
		t.Run(c.name, c.run)
	}
}
