package operatortest_test

import (
	"fmt"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/internal/core"
)

// metered has a metric of each kind.
type metered struct {
	seen *Counter
	rate *Meter
	size *MetricHistogram
}

func (m *metered) Open(ctx *RuntimeContext) error {
	g := ctx.MetricGroup()
	m.seen, m.rate, m.size = g.Counter("seen"), g.Meter("rate"), g.Histogram("size")
	g.Gauge("last", func() any { return true })
	return nil
}

func (m *metered) Map(v ev) (ev, error) {
	m.seen.Inc()
	m.rate.MarkEvent()
	m.size.Update(int64(v.V))
	return v, nil
}

// meteredSubtask gives the input of an operator with metrics, and its subtask.
func meteredSubtask(t testing.TB) (core.Emit[ev], *core.Subtask) {
	sub := &core.Subtask{}
	inst, err := NewEnv().FromData(ev{}).MapRich(&metered{}).Transformation().Factory.New(sub, core.Outputs{Main: core.Emit[ev](func(ev, int64) {})})
	if err != nil {
		t.Fatal(err)
	}
	if err := inst.Op.Open(); err != nil {
		t.Fatal(err)
	}
	return inst.Inputs[0].(core.Emit[ev]), sub
}

// TestPublishingMetricsAllocatesNothing: values as any and statistics are for those who look.
func TestPublishingMetricsAllocatesNothing(t *testing.T) {
	in, sub := meteredSubtask(t)
	now := int64(0)
	clock := func() int64 { return now }
	batch := func() {
		for i := range 300 {
			in(ev{"a", i, 0}, 0)
		}
		now += 100
		sub.Metrics.Publish(clock)
	}
	batch() // the values of the histogram get their place
	if n := testing.AllocsPerRun(100, batch); n != 0 {
		t.Errorf("a batch with its publication allocates %v times", n)
	}
	in(ev{"a", 5000, 0}, 0)
	for range 2 {
		var got []string
		for _, m := range sub.Metrics.Values() {
			got = append(got, fmt.Sprintf("%s %s=%v", m.Kind, m.Name, m.Value))
		}
		want := "[counter seen=30600 meter rate=30600, 505/s histogram size=count 30600, min 172, mean 235.5, p50 235.5, p95 293.6, p99 298.7, max 299 gauge last=true]"
		if fmt.Sprint(got) != want {
			t.Errorf("a record after the publication:\n got %v\nwant %s", got, want)
		}
	}
	sub.Metrics.Publish(clock)
	if got := sub.Metrics.Values()[0].Value; got != int64(30601) {
		t.Errorf("published again: got %v", got)
	}
}

func BenchmarkPublishMetrics(b *testing.B) {
	in, sub := meteredSubtask(b)
	clock := func() int64 { return 0 }
	b.ReportAllocs()
	for b.Loop() {
		in(ev{"a", 1, 0}, 0)
		sub.Metrics.Publish(clock)
	}
}
