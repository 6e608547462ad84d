package operatortest_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	. "flinkish/dataflow"
	"flinkish/dataflow/connector"
)

// paced is a source of splits. Each split has a record with the times first, first+step, and so on, up to last; between two it
// has none for a moment.
type paced struct {
	name   string
	splits []pacedSplit
	log    *[]string // what was read, in order; of a deterministic job
}

type pacedSplit struct {
	id                string
	first, step, last int64
}

func (s pacedSplit) SplitID() string { return s.id }

func (p paced) Boundedness() connector.Boundedness { return connector.Bounded }

func (p paced) Enumerator(int) (connector.Enumerator, error) { return &once{p.splits}, nil }

type once struct{ left []pacedSplit }

func (o *once) Discover() (all []connector.Split, more bool, err error) {
	for _, s := range o.left {
		all = append(all, s)
	}
	return all, false, nil
}

func (o *once) Close() error { return nil }

func (p paced) Reader(s connector.Split) (connector.Reader[ev], error) {
	split := s.(pacedSplit)
	return &pacedReader{p, split, split.first, false}, nil
}

type pacedReader struct {
	paced
	split pacedSplit
	next  int64
	rest  bool
}

func (r *pacedReader) Poll() (connector.Record[ev], connector.Status, error) {
	if r.next > r.split.last {
		return connector.Record[ev]{}, connector.EndOfInput, nil
	}
	if r.rest = !r.rest; r.rest {
		return connector.Record[ev]{}, connector.NothingAvailable, nil
	}
	v := ev{r.split.id, int(r.next), r.next}
	r.next += r.split.step
	*r.log = append(*r.log, v.String())
	return connector.Record[ev]{Value: v, Timestamp: v.T}, connector.Available, nil
}

func (r *pacedReader) Close() error { return nil }

// ahead is how far, in records' time, a split was ahead of the slowest other one that had not ended, at the most.
func ahead(log []string, last map[string]int64) map[string]int64 {
	at, most := map[string]int64{}, map[string]int64{}
	for _, r := range log {
		var ts int64
		fmt.Sscan(r[1:], &ts)
		at[r[:1]] = ts
		for other, end := range last {
			if other != r[:1] && at[other] < end {
				most[r[:1]] = max(most[r[:1]], ts-at[other])
			}
		}
	}
	return most
}

// each emits the watermark of every record, and works on every interval.
type each struct{}

func (each) OnEvent(_ ev, ts int64, out WatermarkOutput) { out.EmitWatermark(ts) }
func (each) OnPeriodicEmit(WatermarkOutput)              {}

func TestSourcesOfAGroupWaitForTheSlowest(t *testing.T) {
	// A poll that finds nothing takes 10 ms of the virtual clock: f goes on by 100 in that time, s by 1.
	fast, slow := pacedSplit{"f", 0, 100, 40_000}, pacedSplit{"s", 0, 1, 400}
	last := map[string]int64{"f": 40_000, "s": 400}
	aligned := func(drift time.Duration) WatermarkStrategy[ev] {
		return ForGenerator(func() WatermarkGenerator[ev] { return each{} }).WithWatermarkAlignment("g", drift, 100*ms)
	}
	free := ForGenerator(func() WatermarkGenerator[ev] { return each{} })
	for _, c := range []struct {
		name    string
		one     bool // both splits are of one source
		s1, s2  WatermarkStrategy[ev]
		mode    RuntimeMode
		waits   bool
		records int
	}{
		{name: "two sources", s1: aligned(500 * ms), s2: aligned(500 * ms), waits: true},
		{name: "two splits of one source", one: true, s1: aligned(500 * ms), waits: true},
		{name: "without alignment", s1: free, s2: free},
		{name: "a source of the group and another one", s1: aligned(500 * ms), s2: free},
		{name: "batch mode", s1: aligned(500 * ms), s2: aligned(500 * ms), mode: Batch},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log []string
			env := NewEnv(WithParallelism(1), WithDeterministic(1)).SetRuntimeMode(c.mode)
			var out *DataStream[ev]
			if c.one {
				out = &env.FromSource[ev](paced{"one", []pacedSplit{fast, slow}, &log}, c.s1, "one").DataStream
			} else {
				out = env.FromSource[ev](paced{"f", []pacedSplit{fast}, &log}, c.s1, "f").
					Union(env.FromSource[ev](paced{"s", []pacedSplit{slow}, &log}, c.s2, "s"))
			}
			if _, err := out.Map(func(v ev) ev { return v }).ExecuteAndCollectLimit(context.Background(), 10_000); err != nil {
				t.Fatal(err)
			}
			if n := len(log); n != 401+401 {
				t.Errorf("%d records were read", n)
			}
			// In 100 ms between two looks f goes on by 1000.
			if most := ahead(log, last); (most["f"] <= 1_600) != c.waits {
				t.Errorf("f was ahead by %d", most["f"])
			}
		})
	}
}

func TestIdleAndEndedSourcesHoldNobodyBack(t *testing.T) {
	// e ends at once; i has one record and then none for a long time, which makes it idle.
	s := ForGenerator(func() WatermarkGenerator[ev] { return each{} }).WithIdleness(300*ms).WithWatermarkAlignment("g", 500*ms, 100*ms)
	var log []string
	env := NewEnv(WithParallelism(1), WithDeterministic(1))
	f := env.FromSource[ev](paced{"f", []pacedSplit{{"f", 0, 100, 40_000}}, &log}, s, "f")
	e := env.FromSource[ev](paced{"e", []pacedSplit{{"e", 0, 1, 0}}, &log}, s, "e")
	i := env.FromSource[ev](resting{paced{"i", []pacedSplit{{"i", 0, 100, 100}}, &log}}, s, "i")
	if _, err := f.Union(e, i).Map(func(v ev) ev { return v }).ExecuteAndCollectLimit(context.Background(), 10_000); err != nil {
		t.Fatal(err)
	}
	if at, end := slices.Index(log, "i100"), slices.Index(log, "f40000"); at < end {
		t.Errorf("f ended at %d, i woke up at %d of %d", end, at, len(log))
	}
}

// resting is paced with a long time after the first record.
type resting struct{ paced }

func (r resting) Reader(s connector.Split) (connector.Reader[ev], error) {
	inner, err := r.paced.Reader(s)
	return &restingReader{Reader: inner}, err
}

type restingReader struct {
	connector.Reader[ev]
	polls int
}

func (r *restingReader) Poll() (connector.Record[ev], connector.Status, error) {
	if r.polls++; r.polls > 2 && r.polls < 2_000 {
		return connector.Record[ev]{}, connector.NothingAvailable, nil
	}
	return r.Reader.Poll()
}

func TestASplitThatMustWaitIsNotIdle(t *testing.T) {
	// f must wait for s again and again, for longer than the time after which it would be idle.
	s := ForGenerator(func() WatermarkGenerator[ev] { return each{} }).WithIdleness(300*ms).WithWatermarkAlignment("g", 50*ms, 100*ms)
	var log []string
	env := NewEnv(WithParallelism(1), WithDeterministic(1)).SetAutoWatermarkInterval(50 * ms)
	f := env.FromSource[ev](paced{"f", []pacedSplit{{"f", 0, 1000, 3_000}}, &log}, s, "f")
	// A record of the side stream carries the watermark of its operator.
	seen := f.ConnectBroadcast(env.FromSource[ev](paced{"s", []pacedSplit{{"s", 0, 10, 4_000}}, &log}, s, "s").BroadcastWithState()).Process(watermarks{})
	got, err := seen.ExecuteAndCollectLimit(context.Background(), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range got {
		if v.T > int64(v.V)+1 && v.V < 3_000 { // an idle f would let s alone decide, so s would be there
			t.Fatalf("at record %d of s the watermark is %d", v.V, v.T)
		}
	}
	if len(got) != 401 {
		t.Errorf("%d records", len(got))
	}
}

// watermarks emits for each broadcast record the watermark of the operator.
type watermarks struct{}

func (watermarks) ProcessElement(ev, *ReadOnlyBroadcastContext, Collector[ev]) error { return nil }

func (watermarks) ProcessBroadcastElement(v ev, ctx *BroadcastContext, out Collector[ev]) error {
	out.Collect(ev{v.K, v.V, ctx.CurrentWatermark()})
	return nil
}
