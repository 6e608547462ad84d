package operatortest_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/conformance"
)

// The tests here follow every record to its fate: it is in the results, or it went to the side output of late records, or it
// was dropped and counted.

// fates are the values of the records that came out of an operator, and of those that it put aside.
func fates(d *driven) (in map[string]bool, aside map[string]bool) {
	in, aside = map[string]bool{}, map[string]bool{}
	for _, i := range d.Out {
		if i.Kind == conformance.Record {
			for v := range strings.SplitSeq(i.Value.(string), "+") {
				in[v] = true
			}
		}
	}
	for _, items := range d.Side {
		for _, i := range items {
			aside[fmt.Sprint(i.Value)] = true
		}
	}
	return in, aside
}

// members emits the records of each window.
func members[W Window](w *WindowedStream[ev, string, W]) *SingleOutputStreamOperator[string] {
	return w.Apply(func(_ string, _ W, vs iter.Seq[ev], out Collector[string]) { out.Collect(texts(vs)) })
}

func coMembers(as, bs iter.Seq[ev], out Collector[string]) {
	out.Collect(strings.Trim(texts(as)+"+"+texts(bs), "+"))
}

func TestEveryRecordOfAWindowHasOneFate(t *testing.T) {
	for name, windows := range map[string]func(s *KeyedStream[ev, string]) *WindowedStream[ev, string, TimeWindow]{
		"tumbling": func(s *KeyedStream[ev, string]) *WindowedStream[ev, string, TimeWindow] {
			return s.Window(TumblingEventTime(5 * ms))
		},
		"sliding": func(s *KeyedStream[ev, string]) *WindowedStream[ev, string, TimeWindow] {
			return s.Window(SlidingEventTime(6*ms, 2*ms))
		},
		"sessions": func(s *KeyedStream[ev, string]) *WindowedStream[ev, string, TimeWindow] {
			return s.Window(EventTimeSession(3 * ms))
		},
		"tumbling with lateness": func(s *KeyedStream[ev, string]) *WindowedStream[ev, string, TimeWindow] {
			return s.Window(TumblingEventTime(5 * ms)).AllowedLateness(3 * ms)
		},
		"sessions that purge": func(s *KeyedStream[ev, string]) *WindowedStream[ev, string, TimeWindow] {
			return s.Window(EventTimeSession(3 * ms)).Trigger(PurgingTrigger(EventTimeTrigger())).AllowedLateness(3 * ms)
		},
		"counting": func(s *KeyedStream[ev, string]) *WindowedStream[ev, string, TimeWindow] {
			return s.Window(TumblingEventTime(5 * ms)).Trigger(CountTrigger(1))
		},
	} {
		for _, tagged := range []bool{true, false} {
			t.Run(fmt.Sprint(name, ", late records go aside: ", tagged), func(t *testing.T) {
				follow(t, 1, tagged, func(a, _ *DataStream[ev]) conformance.Handle {
					w := windows(a.KeyBy(key))
					if tagged {
						w.SideOutputLateData(late)
					}
					out := members(w)
					out.GetSideOutput(late)
					return out
				})
			})
		}
	}
}

func TestEveryRecordOfACoGroupHasOneFate(t *testing.T) {
	follow(t, 2, false, func(a, b *DataStream[ev]) conformance.Handle {
		return a.CoGroup(b).Where(key).EqualTo(key).Window(TumblingEventTime(5 * ms)).Apply(coMembers)
	})
}

// follow runs scripts and looks for every record. What is late without a side output is only counted.
func follow(t *testing.T, inputs int, tagged bool, build func(a, b *DataStream[ev]) conformance.Handle) {
	lost := 0
	for seed := range uint64(40) {
		e := NewEnv(WithParallelism(1))
		d := drive(t, build(&e.FromData(ev{}).DataStream, &e.FromData(ev{}).DataStream))
		items := script(rand.New(rand.NewPCG(seed, 9)), inputs)
		d.feed(t, items)
		d.End()
		in, aside := fates(d)
		missing := 0
		for _, it := range items {
			switch v := it.v.String(); {
			case it.wm:
			case in[v] && aside[v]:
				t.Fatalf("seed %d: %s of %v is in a window and aside", seed, v, items)
			case !in[v] && !aside[v]:
				missing++
			}
		}
		if n := int(d.Counters().LateDropped); n != missing || tagged && n > 0 {
			t.Fatalf("seed %d: %d records of %v are nowhere, and %d were counted", seed, missing, items, n)
		}
		lost += missing + len(aside)
	}
	if lost == 0 {
		t.Error("no record was late in any run")
	}
}

// TestAnIntervalJoinPairsWhatIsNotLate compares with a model: a record that is behind the watermark when it comes is late; any
// other is paired with those that still wait on the other side. One that waits goes once the watermark reaches its time and the
// bound, when its last partner, which has the time of the watermark and is not late, may still be missing: so does Flink.
func TestAnIntervalJoinPairsWhatIsNotLate(t *testing.T) {
	for _, c := range []struct {
		name                  string
		asideLeft, asideRight bool
		lower, upper          int64
		change                func(j *IntervalJoined[ev, ev, string])
		trueLower, trueUpper  int64
	}{
		{"the late ones are dropped", false, false, -2, 3, nil, -2, 3},
		{"the late ones of the left go aside", true, false, -2, 3, nil, -2, 3},
		{"the late ones of the right go aside", false, true, -2, 3, nil, -2, 3},
		{"the late ones of both go aside", true, true, -2, 3, nil, -2, 3},
		{"bounds before", true, true, -5, -2, nil, -5, -2},
		{"bounds behind", true, true, 1, 6, nil, 1, 6},
		{"without the bounds", true, true, -3, 3, func(j *IntervalJoined[ev, ev, string]) { j.LowerBoundExclusive().UpperBoundExclusive() }, -2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen := [2]int{}
			for seed := range uint64(40) {
				e := NewEnv(WithParallelism(1))
				a, b := e.FromData(ev{}).KeyBy(key), e.FromData(ev{}).KeyBy(key)
				j := a.IntervalJoin(b).Between(ms*duration(c.lower), ms*duration(c.upper))
				if c.asideLeft {
					j.SideOutputLeftLateData(late)
				}
				if c.asideRight {
					j.SideOutputRightLateData(lateRight)
				}
				if c.change != nil {
					c.change(j)
				}
				out := j.ProcessFunc(func(l, r ev, _ *ProcessJoinContext, out Collector[string]) error {
					out.Collect(l.String() + "-" + r.String())
					return nil
				})
				out.GetSideOutput(late)
				out.GetSideOutput(lateRight)
				d := drive(t, out)
				items := script(rand.New(rand.NewPCG(seed, 10)), 2)
				d.feed(t, items)
				want, lates := intervalModel(items, c.trueLower, c.trueUpper)
				if got := pairsOf(d); !slices.Equal(got, want) {
					t.Fatalf("seed %d, %v:\n got %v\nwant %v", seed, items, got, want)
				}
				for side, tag := range []OutputTag[ev]{late, lateRight} {
					want := lates[side]
					if !(side == 0 && c.asideLeft || side == 1 && c.asideRight) {
						want = nil
					}
					var got []string
					for _, i := range d.Side[tag.ID()] {
						got = append(got, fmt.Sprint(i.Value, "@", i.Time))
					}
					if !slices.Equal(got, want) {
						t.Fatalf("seed %d, side %d, %v: late are\n got %v\nwant %v", seed, side, items, got, want)
					}
					seen[side] += len(lates[side])
				}
				if n := d.Counters().LateDropped; n != 0 {
					t.Fatalf("seed %d: %d records were counted as dropped, which Flink does not count", seed, n)
				}
				d.End()
				if n := d.Counters(); n.Keys != 0 || n.Timers != 0 {
					t.Fatalf("seed %d: %d keys and %d timers are left", seed, n.Keys, n.Timers)
				}
			}
			if seen[0] == 0 || seen[1] == 0 {
				t.Errorf("late were %v records of the two sides", seen)
			}
		})
	}
}

func pairsOf(d *driven) (all []string) {
	for _, i := range d.Out {
		if i.Kind == conformance.Record {
			all = append(all, fmt.Sprint(i.Value, "@", i.Time))
		}
	}
	slices.Sort(all)
	return all
}

func intervalModel(items []item, lower, upper int64) (pairs []string, lates [2][]string) {
	wm := int64(-1 << 63)
	var alive [2][]ev
	keep := [2]int64{max(upper, 0), max(-lower, 0)} // how long after its time a record of each side waits
	for _, it := range items {
		switch {
		case it.wm && it.v.T > wm:
			wm = it.v.T
			for side := range alive {
				alive[side] = slices.DeleteFunc(alive[side], func(v ev) bool { return v.T+keep[side] <= wm })
			}
		case it.wm:
		case it.v.T < wm:
			lates[it.in] = append(lates[it.in], fmt.Sprint(it.v, "@", it.v.T))
		default:
			alive[it.in] = append(alive[it.in], it.v)
			for _, o := range alive[1-it.in] {
				l, r := it.v, o
				if it.in == 1 {
					l, r = o, it.v
				}
				if d := r.T - l.T; l.K == r.K && d >= lower && d <= upper {
					pairs = append(pairs, fmt.Sprint(l, "-", r, "@", max(l.T, r.T)))
				}
			}
		}
	}
	slices.Sort(pairs)
	return pairs, lates
}
