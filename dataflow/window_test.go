package dataflow_test

import (
	"context"
	"iter"
	"testing"
	"time"

	. "flinkish/dataflow"
)

type event struct {
	Key  string
	Time int64
}

// punctual emits a watermark after each record.
type punctual struct{ max int64 }

func (g *punctual) OnEvent(_ event, ts int64, out WatermarkOutput) {
	g.max = max(g.max, ts)
	out.EmitWatermark(g.max - 1)
}
func (g *punctual) OnPeriodicEmit(WatermarkOutput) {}

func TestLateRecordsLeaveByTheSide(t *testing.T) {
	for name, env := range environments(1) {
		t.Run(name, func(t *testing.T) {
			late := NewOutputTag[event]("late")
			counts := env.FromElements(event{"a", 1}, event{"a", 2}, event{"a", 11}, event{"a", 3}, event{"b", 12}, event{"a", 21}).
				AssignTimestampsAndWatermarks(ForGenerator(func() WatermarkGenerator[event] { return &punctual{} }).
					WithTimestampAssigner(func(e event, _ int64) int64 { return e.Time })).
				KeyBy(func(e event) string { return e.Key }).
				Window(TumblingEventTime(10 * time.Millisecond)).
				SideOutputLateData(late).
				Apply(func(k string, w TimeWindow, vs iter.Seq[event], out Collector[Tuple3[string, int64, int]]) {
					n := 0
					for range vs {
						n++
					}
					out.Collect(Tuple3[string, int64, int]{k, w.Start, n})
				})
			lost, got := counts.GetSideOutput(late).CollectAsync(), counts.CollectAsync()
			if _, err := env.ExecuteAsync(context.Background()); err != nil {
				t.Fatal(err)
			}
			same(t, all(t, got), []Tuple3[string, int64, int]{{"a", 0, 2}, {"a", 10, 1}, {"b", 10, 1}, {"a", 20, 1}})
			same(t, all(t, lost), []event{{"a", 3}})
		})
	}
}
