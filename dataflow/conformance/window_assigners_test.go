package conformance

import (
	"slices"
	"strconv"
	"time"

	df "flinkish/dataflow"
	"flinkish/dataflow/internal/core"
)

const ms = time.Millisecond

// windowsOf compares the windows of every timestamp of the case. Time windows are [start, end].
func windowsOf(a df.WindowAssigner[df.TimeWindow]) Func {
	return func(t *T) {
		want := t.Expect.At("windows")
		for _, ts := range t.Input.At("timestamps").List() {
			got := Records(a.AssignWindows(ts.Int(), 0, nil))
			if d := difference(got, want.At(ts.Text()), orderOf(t.Expect)); d != "" {
				t.Errorf("%s", d)
			}
		}
		if len(want.Keys()) != len(t.Input.At("timestamps").List()) {
			t.Errorf("there are other timestamps in the expectation")
		}
	}
}

// refused demands an error at the call for every assigner of the input.
func refused(make func(args []int64) df.WindowAssigner[df.TimeWindow]) Func {
	return func(t *T) {
		for _, args := range t.Input.List() {
			t.Fails(func(env *df.StreamExecutionEnvironment) {
				env.FromData(1).WindowAll(make(args.Ints())).Reduce(func(a, b int) int { return a })
			})
		}
	}
}

// merges are the merges of a session assigner as text, in an order of their own.
func merges(windows []df.TimeWindow) []string {
	m := df.EventTimeSession(ms).(interface {
		MergeWindows(windows []df.TimeWindow, merge func(result df.TimeWindow, merged []df.TimeWindow))
	})
	all := []string{}
	m.MergeWindows(windows, func(result df.TimeWindow, merged []df.TimeWindow) {
		all = append(all, mergeText(plainOf(result), plainOf(merged).([]any)))
	})
	slices.Sort(all)
	return all
}

func mergeText(result any, from []any) string {
	parts := []string{}
	for _, w := range from {
		parts = append(parts, textOf(w))
	}
	slices.Sort(parts)
	return textOf(result) + " from " + textOf(plainOf(parts))
}

func (t *T) compareMerges(got []string, want Value) {
	texts := []string{}
	for _, m := range want.List() {
		if !m.IsMap() {
			t.Fatalf("%s: want a merge", m.path)
		}
		texts = append(texts, mergeText(m.At("result").Plain(), m.At("from").Plain().([]any)))
	}
	slices.Sort(texts)
	if g, w := textOf(plainOf(got)), textOf(plainOf(texts)); g != w {
		t.Errorf("merges: got %s, want %s", g, w)
	}
}

var _ = register(map[string]Func{
	"WA-tumbling-basic":           windowsOf(df.TumblingEventTime(5000 * ms)),
	"WA-tumbling-offset":          windowsOf(df.TumblingEventTime(5000*ms, df.Offset(100*ms))),
	"WA-tumbling-negative-offset": windowsOf(df.TumblingEventTime(5000*ms, df.Offset(-100*ms))),
	"WA-sliding-basic":            windowsOf(df.SlidingEventTime(5000*ms, 1000*ms)),
	"WA-sliding-offset":           windowsOf(df.SlidingEventTime(5000*ms, 1000*ms, df.Offset(100*ms))),
	"WA-session-basic":            windowsOf(df.EventTimeSession(5000 * ms)),

	"WA-window-start-size7": func(t *T) {
		size, starts := time.Duration(t.Input.At("size").Int())*ms, t.Expect.At("starts")
		for _, o := range t.Input.At("offsets").List() {
			a, want := df.TumblingEventTime(size, df.Offset(time.Duration(o.Int())*ms)), starts.At("offset "+o.Text())
			for _, ts := range want.Keys() {
				at, _ := strconv.ParseInt(ts, 10, 64)
				t.Equal(a.AssignWindows(at, 0, nil)[0].Start, want.At(ts))
			}
		}
	},
	"WA-session-merge-consecutive": func(t *T) {
		t.compareMerges(merges(AllAs[df.TimeWindow](t.Input.At("windows"))), t.Expect.At("merges"))
	},
	"WA-session-merge-covering": func(t *T) {
		t.compareMerges(merges(AllAs[df.TimeWindow](t.Input.At("windows"))), t.Expect.At("merges"))
	},
	"WA-session-no-merge": func(t *T) {
		t.compareMerges(merges(AllAs[df.TimeWindow](t.Input.At("windows"))), t.Expect.At("merges"))
		t.compareMerges(merges(AllAs[df.TimeWindow](t.Input.At("single"))), t.Expect.At("single_window_merges"))
	},
	"WA-global-window": func(t *T) {
		a, distinct := df.GlobalWindows(), map[df.GlobalWindow]bool{}
		for _, ts := range t.Input.At("timestamps").List() {
			for _, w := range a.AssignWindows(ts.Int(), 0, nil) {
				distinct[w] = true
				t.Equal(w.MaxTimestamp(), t.Expect.At("max_timestamp"))
			}
		}
		t.Equal(len(distinct), t.Expect.At("windows"))
		t.Equal(a.IsEventTime(), t.Expect.At("is_event_time"))
		in := t.Env().FromData(t.Input.At("timestamps").Ints()...)
		t.Equal(len(Collect(t, in.WindowAll(a).Reduce(func(x, y int64) int64 { return x + y }))), t.Expect.At("firings"))
	},
	"WA-invalid-tumbling": refused(func(args []int64) df.WindowAssigner[df.TimeWindow] {
		return df.TumblingEventTime(time.Duration(args[0])*ms, df.Offset(time.Duration(args[1])*ms))
	}),
	"WA-invalid-sliding": refused(func(args []int64) df.WindowAssigner[df.TimeWindow] {
		return df.SlidingEventTime(time.Duration(args[0])*ms, time.Duration(args[1])*ms, df.Offset(time.Duration(args[2])*ms))
	}),
	"WA-processing-time-ignores-ts": func(t *T) {
		a, got := df.TumblingProcessingTime(5000*ms), []df.TimeWindow{}
		for _, now := range t.Input.At("clock").List() {
			got = a.AssignWindows(core.NoTimestamp, now.Int(), got)
		}
		t.Compare(Records(got), "windows_in_order")
	},
})
