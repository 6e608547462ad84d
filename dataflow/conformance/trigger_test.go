package conformance

import (
	"fmt"

	"flinkish/dataflow/internal/state"
	"flinkish/dataflow/internal/window"
)

// watched is a trigger that writes down what another one answers to records, and which event timers it sets.
type watched struct {
	window.Trigger[string, window.TimeWindow]
	timers  func() int
	results map[string]string
	set     map[string][]int64
}

func (w *watched) OnElement(v string, ts int64, win window.TimeWindow, ctx *window.TriggerContext[window.TimeWindow]) window.Result {
	r := w.Trigger.OnElement(v, ts, win, ctx)
	name := fmt.Sprintf("[%d,%d)", win.Start, win.End)
	w.results[name], w.set[name] = r.String(), []int64{}
	for at := win.Start - 1; at <= win.End+1; at++ { // a timer that can be taken away was there
		before := w.timers()
		if ctx.DeleteEventTimeTimer(at); w.timers() < before {
			w.set[name] = append(w.set[name], at)
			ctx.RegisterEventTimeTimer(at)
		}
	}
	return r
}

var _ = register(map[string]Func{
	"WO-trigger-onelement-past-watermark": func(t *T) {
		inner, err := window.BuildTrigger[string, window.TimeWindow](window.EventTime(), nil)
		if err != nil {
			t.Fatalf("%v", err)
		}
		a, err := window.Tumbling(2*ms, 0, true, window.Aligned)
		if err != nil {
			t.Fatalf("%v", err)
		}
		w := &watched{Trigger: inner, results: map[string]string{}, set: map[string][]int64{}}
		op := window.NewOperator(window.Config[string, string, []string, window.TimeWindow]{
			Assigner: a, Trigger: w, Contents: window.ListOf[string](), Lateness: 100, Keys: state.NewBackend[string](),
			Now: func() int64 { return 0 }, Fire: func(*window.Context[string, window.TimeWindow], *[]string) bool { return true },
		})
		w.timers = op.Timers
		for _, v := range t.Input.List() {
			if wm := v.At("wm"); wm.Exists() {
				op.OnWatermark(wm.Int())
			} else {
				op.OnElement("k", v.At("e").Text(), v.At("t").Int())
			}
		}
		results, timers := t.Expect.At("results"), t.Expect.At("timers_registered")
		for _, name := range results.Keys() {
			t.Equal(w.results[name], results.At(name))
		}
		for _, name := range timers.Keys() {
			t.Equal(w.set[name], timers.At(name))
		}
	},
})
