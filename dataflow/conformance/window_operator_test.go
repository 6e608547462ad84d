package conformance

import (
	"fmt"
	"iter"

	df "flinkish/dataflow"
)

type (
	kv       = df.Tuple2[string, int]
	byKey    = df.KeyedStream[kv, string]
	windowed = df.WindowedStream[kv, string, df.TimeWindow]
	global   = df.WindowedStream[kv, string, df.GlobalWindow]
	// span is a key with its sum, and the bounds of the window.
	span = df.Tuple3[string, int64, int64]
)

var lateTag = df.NewOutputTag[kv]("late")

func add(a, b kv) kv      { return kv{F0: a.F0, F1: a.F1 + b.F1} }
func keyOf(v kv) string   { return v.F0 }
func keyedKV(t *T) *byKey { return t.Env().FromData(kv{}).KeyBy(keyOf) }
func spanOf(k string, sum int, w df.TimeWindow) span {
	return span{F0: fmt.Sprintf("%s-%d", k, sum), F1: w.Start, F2: w.End}
}

// windowCase drives the operator that build makes with the input of the case, and compares what it sends, and
// what it sends as late where the case says so.
func windowCase[R any](build func(k *byKey) *df.SingleOutputStreamOperator[R]) Func {
	return func(t *T) {
		out := build(keyedKV(t))
		late := t.Expect.At("late").Exists()
		if late {
			out.GetSideOutput(lateTag)
		}
		op := t.Operator(out).Feed(t.Input)
		t.noError(op)
		t.Compare(op.Out, "output")
		if late {
			t.Compare(op.Side["late"], "late")
		}
	}
}

func (t *T) noError(op *Operator) {
	if op.Err != nil {
		t.Errorf("the operator failed: %v", op.Err)
	}
}

// summed is a window case whose windows are reduced to their sum.
func summed[W df.Window](build func(k *byKey) *df.WindowedStream[kv, string, W]) Func {
	return windowCase(func(k *byKey) *df.SingleOutputStreamOperator[kv] { return build(k).Reduce(add) })
}

// spanned is a window case whose windows are reduced to their sum, to which a window function adds the bounds.
func spanned(build func(k *byKey) *windowed) Func {
	return windowCase(func(k *byKey) *df.SingleOutputStreamOperator[span] { return build(k).ReduceWith(add, spans{}) })
}

// spans is the window function of spanned; it also sums a list.
type spans struct{}

func (spans) Process(k string, ctx *df.ProcessWindowContext[df.TimeWindow], vs iter.Seq[kv], out df.Collector[span]) error {
	sum := 0
	for v := range vs {
		sum += v.F1
	}
	out.Collect(spanOf(k, sum, ctx.Window()))
	return nil
}

// listed is a window case whose window function gets the list of records, and sums it or sends each on.
func listed[W df.Window](build func(k *byKey) *df.WindowedStream[kv, string, W], sum bool) Func {
	return windowCase(func(k *byKey) *df.SingleOutputStreamOperator[kv] {
		return build(k).Apply(func(k string, _ W, vs iter.Seq[kv], out df.Collector[kv]) {
			total := kv{F0: k}
			for v := range vs {
				total.F1 += v.F1
				if !sum {
					out.Collect(v)
				}
			}
			if sum {
				out.Collect(total)
			}
		})
	})
}

func session(k *byKey) *windowed { return k.Window(df.EventTimeSession(3000 * ms)) }

var _ = register(map[string]Func{
	"WO-sliding-reduce":         summed(func(k *byKey) *windowed { return k.Window(df.SlidingEventTime(3000*ms, 1000*ms)) }),
	"WO-tumbling-reduce":        summed(func(k *byKey) *windowed { return k.Window(df.TumblingEventTime(3000 * ms)) }),
	"WO-session-apply":          windowCase(func(k *byKey) *df.SingleOutputStreamOperator[span] { return session(k).Process(spans{}) }),
	"WO-session-touching-merge": spanned(session),
	"WO-count-trigger-purging": summed(func(k *byKey) *global {
		return k.Window(df.GlobalWindows()).Trigger(df.PurgingTrigger(df.CountTrigger(4)))
	}),
	"WO-count-trigger-accumulating": summed(func(k *byKey) *global { return k.Window(df.GlobalWindows()).Trigger(df.CountTrigger(2)) }),
	"WO-lateness-purging": summed(func(k *byKey) *windowed {
		return k.Window(df.TumblingEventTime(2000 * ms)).Trigger(df.PurgingTrigger(df.EventTimeTrigger())).AllowedLateness(500 * ms).SideOutputLateData(lateTag)
	}),
	"WO-lateness-accumulating": summed(func(k *byKey) *windowed { return k.Window(df.TumblingEventTime(2000 * ms)).AllowedLateness(500 * ms) }),
	"WO-drop-late-tumbling":    summed(func(k *byKey) *windowed { return k.Window(df.TumblingEventTime(2000 * ms)).SideOutputLateData(lateTag) }),
	"WO-session-late-zero-purging": spanned(func(k *byKey) *windowed {
		return session(k).Trigger(df.PurgingTrigger(df.EventTimeTrigger())).AllowedLateness(0).SideOutputLateData(lateTag)
	}),
	"WO-session-late-zero-accumulating":  spanned(func(k *byKey) *windowed { return session(k).AllowedLateness(0).SideOutputLateData(lateTag) }),
	"WO-session-late-10000-accumulating": spanned(func(k *byKey) *windowed { return session(k).AllowedLateness(10000 * ms).SideOutputLateData(lateTag) }),
	"WO-cleanup-no-refire-list":          listed(func(k *byKey) *windowed { return k.Window(df.TumblingEventTime(2000 * ms)).AllowedLateness(ms) }, false),
	"WO-cleanup-session":                 listed(func(k *byKey) *windowed { return session(k).AllowedLateness(10 * ms) }, false),
	"WO-proc-tumbling":                   summed(func(k *byKey) *windowed { return k.Window(df.TumblingProcessingTime(3000 * ms)) }),
	"WO-proc-session":                    summed(func(k *byKey) *windowed { return k.Window(df.ProcessingTimeSession(3000 * ms)) }),
	"WO-count-evictor-before": listed(func(k *byKey) *global {
		return k.Window(df.GlobalWindows()).Trigger(df.CountTrigger(2)).Evictor(df.CountEvictor(4))
	}, true),
	"WO-time-evictor-no-timestamps": listed(func(k *byKey) *global {
		return k.Window(df.GlobalWindows()).Trigger(df.CountTrigger(2)).Evictor(df.TimeEvictor(2000*ms, df.After(true)))
	}, true),
	"WO-delta-evictor-after": listed(func(k *byKey) *global {
		return k.Window(df.GlobalWindows()).Trigger(df.CountTrigger(2)).
			Evictor(df.DeltaEvictor(2, func(v, last kv) float64 { return float64(last.F1 - v.F1) }, df.After(true)))
	}, true),
	"WO-count-evictor-tumbling": listed(func(k *byKey) *windowed { return k.Window(df.TumblingEventTime(4000 * ms)).Evictor(df.CountEvictor(4)) }, true),
	"WO-count-window-tumbling":  summed(func(k *byKey) *global { return k.CountWindow(3) }),
	"WO-purging-trigger-forward": func(t *T) {
		want := t.Expect.At("map")
		for _, inner := range want.Keys() {
			t.Equal(answerOf(t, df.PurgingTrigger(df.CustomTrigger[kv, df.TimeWindow](answers{inner}))), want.At(inner))
		}
	},
	"WO-windowall-end-of-input": func(t *T) {
		late := df.NewOutputTag[int]("late")
		out := t.Env().FromData(1).WindowAll(df.TumblingEventTime(ms)).SideOutputLateData(late).
			Apply(func(_ df.TimeWindow, vs iter.Seq[int], out df.Collector[int]) {
				for v := range vs {
					out.Collect(v)
				}
			})
		out.GetSideOutput(late)
		op := t.Operator(out).Feed(t.Input)
		t.noError(op)
		t.Compare(op.Out, "output")
		named := []string{}
		for _, i := range op.Side["late"] {
			named = append(named, fmt.Sprintf("late-%v", i.Value))
		}
		t.Compare(Records(named), "late")
	},
	"WO-keyed-window-late": func(t *T) {
		late := df.NewOutputTag[int]("late")
		w := timedSource[int](t).KeyBy(func(v int) int { return v }).Window(df.TumblingEventTime(ms)).SideOutputLateData(late)
		out := w.Apply(func(_ int, _ df.TimeWindow, vs iter.Seq[int], out df.Collector[int]) {
			for v := range vs {
				out.Collect(v)
			}
		})
		main := out.CollectAsync()
		t.Compare(Records(Collect(t, out.GetSideOutput(late))), "late")
		all := []int{}
		for v, err := range main.All() {
			if err != nil {
				t.Fatalf("run: %v", err)
			}
			all = append(all, v)
		}
		t.Compare(Records(all), "output")
	},
})

// answers is a trigger that gives the named answer to the records with value 1, and FIRE to the others.
type answers struct{ name string }

func (a answers) OnElement(v kv, _ int64, _ df.TimeWindow, _ *df.TriggerContext) df.TriggerResult {
	if v.F1 != 1 {
		return df.Fire
	}
	for _, r := range []df.TriggerResult{df.Fire, df.Purge, df.FireAndPurge} {
		if r.String() == a.name {
			return r
		}
	}
	return df.Continue
}
func (answers) OnEventTime(int64, df.TimeWindow, *df.TriggerContext) df.TriggerResult {
	return df.Continue
}
func (answers) OnProcessingTime(int64, df.TimeWindow, *df.TriggerContext) df.TriggerResult {
	return df.Continue
}
func (answers) Clear(df.TimeWindow, *df.TriggerContext) {}

// answerOf finds out what a trigger answers to a record with value 1: whether the window fires, and whether a
// second record, which always fires, finds it empty.
func answerOf(t *T, trigger df.AnyTrigger) string {
	op := t.Operator(keyedKV(t).Window(df.TumblingEventTime(1000 * ms)).Trigger(trigger).Reduce(add))
	op.Put(0, kv{F0: "k", F1: 1}, 0)
	fired := len(op.Out) > 0
	op.Put(0, kv{F0: "k", F1: 10}, 0)
	t.noError(op)
	purged := len(op.Out) > 0 && op.Out[len(op.Out)-1].Value.(kv).F1 == 10
	r := df.Continue
	if fired {
		r |= df.Fire
	}
	if purged {
		r |= df.Purge
	}
	return r.String()
}
