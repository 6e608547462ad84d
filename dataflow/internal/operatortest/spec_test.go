package operatortest_test

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/conformance"
	"flinkish/dataflow/internal/core"
)

// The cases here say in a few words what the semantics of Flink are: a script goes into one operator, and what comes out was
// worked out by hand.

type specCase struct {
	name    string
	build   func(a, b *DataStream[ev]) conformance.Handle
	script  string // a1@3: key, value, time; R: before it is the second input; wm=3, wm2=3 (of an input), pt=3, idle=1, active=1, end
	marks   bool   // want has watermarks (|3), idle and active, too
	want    string
	dropped int    // late records that are counted
	fails   string // words of the error, separated by |
}

func (c specCase) run(t *testing.T) {
	e := NewEnv(WithParallelism(1))
	d := drive(t, c.build(&e.FromData(ev{}).DataStream, &e.FromData(ev{}).DataStream))
	for _, word := range strings.Fields(c.script) {
		d.step(t, word)
	}
	if c.fails == "" && d.Err != nil {
		t.Fatal(d.Err)
	}
	for part := range strings.SplitSeq(c.fails, "|") {
		if c.fails != "" && (d.Err == nil || !strings.Contains(d.Err.Error(), part)) {
			t.Errorf("got the error %v, want %q", d.Err, part)
		}
	}
	if got := strings.Join(d.shown(c.marks), " "); got != c.want {
		t.Errorf("%s\n got %s\nwant %s", c.script, got, c.want)
	}
	if n := int(d.Counters().LateDropped); n != c.dropped {
		t.Errorf("%s: %d records were counted as late, want %d", c.script, n, c.dropped)
	}
}

func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

func (d *driven) step(t *testing.T, word string) {
	name, value, _ := strings.Cut(word, "=")
	switch name {
	case "wm":
		d.feedAll(t, []item{{wm: true, v: ev{T: number(value)}}})
		return
	case "wm1", "wm2":
		d.Watermark(int(number(name[2:]))-1, number(value))
		return
	case "idle", "active":
		d.Status(int(number(value))-1, name == "idle")
		return
	case "pt":
		d.Advance(number(value))
		return
	case "end":
		d.End()
		return
	}
	in := 0
	if rest, ok := strings.CutPrefix(word, "R:"); ok {
		in, word = 1, rest
	}
	v, at, timed := strings.Cut(word, "@")
	ts := core.NoTimestamp
	if timed {
		ts = number(at)
	}
	d.feedAll(t, []item{{in: in, v: ev{v[:1], int(number(v[1:])), ts}}})
}

// shown are the records that came out, in order, then those of the side outputs.
func (d *driven) shown(marks bool) (all []string) {
	show := func(i conformance.Item) {
		at := fmt.Sprint("@", i.Time)
		switch i.Time {
		case core.NoTimestamp:
			at = ""
		case core.MaxWatermark:
			at = "@MAX"
		}
		all = append(all, fmt.Sprint(i.Value, at))
	}
	for _, i := range d.Out {
		switch {
		case i.Kind == conformance.Record:
			show(i)
		case marks && i.Kind == conformance.Watermark:
			all = append(all, strings.Replace(fmt.Sprint("|", i.Time), fmt.Sprint(core.MaxWatermark), "MAX", 1))
		case marks:
			all = append(all, strings.ToLower(i.String()))
		}
	}
	for _, tag := range sortedKeys(d.Side) {
		all = append(all, tag+":")
		for _, i := range d.Side[tag] {
			show(i)
		}
	}
	return all
}

// bounds emits the bounds and the records of a window.
func bounds(w *WindowedStream[ev, string, TimeWindow]) conformance.Handle {
	return w.Apply(func(_ string, w TimeWindow, vs iter.Seq[ev], out Collector[string]) {
		out.Collect(fmt.Sprintf("[%d,%d)%s", w.Start, w.End, texts(vs)))
	})
}

// windows is the build of a case on windows of time.
func windows(a WindowAssigner[TimeWindow], change func(w *WindowedStream[ev, string, TimeWindow])) func(a, b *DataStream[ev]) conformance.Handle {
	return func(s, _ *DataStream[ev]) conformance.Handle {
		w := s.KeyBy(key).Window(a)
		if change != nil {
			change(w)
		}
		return bounds(w)
	}
}

// global is the build of a case on the global window.
func global(t AnyTrigger, e AnyEvictor) func(a, b *DataStream[ev]) conformance.Handle {
	return func(s, _ *DataStream[ev]) conformance.Handle {
		w := s.KeyBy(key).Window(GlobalWindows()).Trigger(t)
		if e != nil {
			w.Evictor(e)
		}
		return members(w)
	}
}

type timeWindows = WindowedStream[ev, string, TimeWindow]

func TestWindowsAsTheyAreDescribed(t *testing.T) {
	for _, c := range []specCase{
		{name: "a window is late once the watermark is its last millisecond", build: windows(TumblingEventTime(5*ms), nil),
			script: "a1@1 wm=4 a2@3 wm=10", want: "[0,5)a1@4", dropped: 1},
		{name: "a record between the windows is gone, and late only behind the watermark", build: windows(SlidingEventTime(2*ms, 5*ms), nil),
			script: "a1@3 wm=3 a2@3 a3@5 wm=9", want: "[5,7)a3@6", dropped: 1},
		{name: "each late record that is allowed fires again", build: windows(TumblingEventTime(5*ms), func(w *timeWindows) { w.AllowedLateness(5 * ms) }),
			script: "a1@1 wm=4 a2@2 a3@3 wm=9 a4@4", want: "[0,5)a1@4 [0,5)a1+a2@4 [0,5)a1+a2+a3@4", dropped: 1},
		{name: "sliding windows come from the last to the first", build: windows(SlidingEventTime(6*ms, 3*ms), func(w *timeWindows) { w.Trigger(CountTrigger(1)) }),
			script: "a1@4", want: "[3,9)a1@8 [0,6)a1@5"},
		{name: "windows before zero", build: windows(TumblingEventTime(5*ms), nil),
			script: "a1@-1 a2@-5 a3@-6 wm=-1", want: "[-10,-5)a3@-6 [-5,0)a1+a2@-1"},
		{name: "an offset moves the windows", build: windows(TumblingEventTime(5*ms, Offset(2*ms)), nil),
			script: "a1@1 a2@2 wm=10", want: "[-3,2)a1@1 [2,7)a2@6"},
		{name: "records a gap apart share a session", build: windows(EventTimeSession(3*ms), nil),
			script: "a1@1 a2@4 a3@8 wm=20", want: "[1,7)a1+a2@6 [8,11)a3@10"},
		{name: "a late record is kept by a session that lives", build: windows(EventTimeSession(5*ms), nil),
			script: "a1@10 wm=12 a2@6 wm=14", want: "[6,15)a1+a2@14"},
		{name: "a record joins two sessions, the records of one after those of the other", build: windows(EventTimeSession(3*ms), nil),
			script: "a1@7 a2@1 a3@8 a4@4 wm=20", want: "[1,11)a2+a1+a3+a4@10"},
		{name: "a purge takes what was there", build: windows(TumblingEventTime(5*ms), func(w *timeWindows) { w.Trigger(PurgingTrigger(EventTimeTrigger())).AllowedLateness(10 * ms) }),
			script: "a1@1 wm=4 a2@2 wm=20", want: "[0,5)a1@4 [0,5)a2@4"},
		{name: "a trigger replaces the end of the window", build: windows(TumblingEventTime(5*ms), func(w *timeWindows) { w.Trigger(CountTrigger(2)) }),
			script: "a1@1 a2@2 a3@3 wm=10", want: "[0,5)a1+a2@4"},
		{name: "a fire keeps the records", build: windows(TumblingEventTime(5*ms), func(w *timeWindows) { w.Trigger(CountTrigger(2)) }),
			script: "a1@1 b9@1 a2@2 a3@3 a4@4", want: "[0,5)a1+a2@4 [0,5)a1+a2+a3+a4@4"},
		{name: "a continuous trigger fires at multiples and at the end", build: windows(TumblingEventTime(10*ms), func(w *timeWindows) { w.Trigger(ContinuousEventTimeTrigger(3 * ms)) }),
			script: "a1@1 wm=3 a2@4 wm=5 wm=20", want: "[0,10)a1@9 [0,10)a1+a2@9 [0,10)a1+a2@9"},
		{name: "windows of processing time ignore the record's time", build: windows(TumblingProcessingTime(10*ms), nil),
			script: "pt=3 a1@99 a2 wm=100 pt=9", want: "[0,10)a1+a2@9"},
		{name: "windows of processing time that are open at the end are lost", build: windows(TumblingProcessingTime(10*ms), nil),
			script: "pt=3 a1 end", want: ""},
		{name: "windows of event time fire at the end", build: windows(TumblingEventTime(10*ms), nil),
			script: "a1@3 b2@13 end", want: "[0,10)a1@9 [10,20)b2@19"},
		{name: "a window needs the time of its records", build: windows(TumblingEventTime(10*ms), nil), script: "a1", fails: "timestamp"},
		{name: "an evictor by time looks at all records", build: windows(TumblingEventTime(10*ms), func(w *timeWindows) { w.Evictor(TimeEvictor(3 * ms)) }),
			script: "a1@1 a2@5 a3@4 a4@2 wm=9", want: "[0,10)a2+a3@9"},
		{name: "an evictor after the function", build: windows(TumblingEventTime(10*ms), func(w *timeWindows) { w.Evictor(TimeEvictor(3*ms, After(true))).AllowedLateness(50 * ms) }),
			script: "a1@1 a2@5 wm=9 a3@6", want: "[0,10)a1+a2@9 [0,10)a2+a3@9"},
		{name: "a function is called though the evictor left nothing", build: windows(TumblingEventTime(5*ms), func(w *timeWindows) { w.Evictor(DeltaEvictor(0, func(_, _ ev) float64 { return 0 })) }),
			script: "a1@1 wm=4", want: "[0,5)@4"},
		{name: "nothing is late in the global window", build: global(CountTrigger(1), nil), script: "wm=100 a1@1", want: "a1@MAX"},
		{name: "a delta must be greater than the threshold", build: global(DeltaTrigger(5, func(old, new ev) float64 { return float64(new.V - old.V) }), nil),
			script: "a1 a6 a7 b9 a8 a9", want: "a1+a6+a7@MAX"},
		{name: "what an evictor leaves is kept", build: global(CountTrigger(3), CountEvictor(2)), script: "a1 a2 a3 a4 a5 a6", want: "a2+a3@MAX a5+a6@MAX"},
		{name: "count windows fire when they are full", build: func(a, _ *DataStream[ev]) conformance.Handle { return members(a.KeyBy(key).CountWindow(2)) },
			script: "a1 b1 a2 a3 b2 end", want: "a1+a2@MAX b1+b2@MAX"},
		{name: "sliding count windows begin short", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return members(a.KeyBy(key).CountWindow(3, CountSlide(2)))
		}, script: "a1 a2 a3 a4 a5 a6 a7", want: "a1+a2@MAX a2+a3+a4@MAX a4+a5+a6@MAX"},
		{name: "global windows of the end", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return members(a.KeyBy(key).Window(GlobalWindowsEndOfStream()))
		}, script: "a1@5 wm=9 a2@1 end", want: "a1+a2@MAX"},
	} {
		t.Run(c.name, c.run)
	}
}

// joining is the build of a join that shows its pairs.
func joining(a WindowAssigner[TimeWindow], lateness duration) func(a, b *DataStream[ev]) conformance.Handle {
	return func(l, r *DataStream[ev]) conformance.Handle {
		return l.Join(r).Where(key).EqualTo(key).Window(a).AllowedLateness(lateness).Apply(func(l, r ev) string { return l.String() + "-" + r.String() })
	}
}

func TestJoinsAsTheyAreDescribed(t *testing.T) {
	coGroup := func(l, r *DataStream[ev]) conformance.Handle {
		return l.CoGroup(r).Where(key).EqualTo(key).Window(TumblingEventTime(5 * ms)).
			Apply(func(as, bs iter.Seq[ev], out Collector[string]) { out.Collect(texts(as) + "|" + texts(bs)) })
	}
	for _, c := range []specCase{
		{name: "each of the left with each of the right", build: joining(TumblingEventTime(5*ms), 0),
			script: "R:a3@1 a1@1 a2@0 R:a4@4 b5@1 wm=4", want: "a1-a3@4 a1-a4@4 a2-a3@4 a2-a4@4"},
		{name: "late records are dropped", build: joining(TumblingEventTime(5*ms), 0), script: "a1@1 wm=4 R:a2@2 wm=9", want: "", dropped: 1},
		{name: "a late record that is allowed gives all pairs again", build: joining(TumblingEventTime(5*ms), 9*ms),
			script: "a1@1 R:a2@2 wm=4 R:a3@3", want: "a1-a2@4 a1-a2@4 a1-a3@4"},
		{name: "a pair in each window that both are in", build: joining(SlidingEventTime(4*ms, 2*ms), 0), script: "a1@2 R:a2@3 wm=9", want: "a1-a2@3 a1-a2@5"},
		{name: "sessions grow by both sides", build: joining(EventTimeSession(3*ms), 0), script: "a1@1 R:a2@3 a3@5 R:b4@5 wm=20", want: "a1-a2@7 a3-a2@7"},
		{name: "a coGroup sees keys of one side only", build: coGroup, script: "a1@1 R:b2@2 a3@3 wm=4", want: "a1+a3|@4 |b2@4"},
		{name: "an interval join needs the time of its records", build: stateful["an interval join"], script: "a1", fails: "timestamp", want: ""},
	} {
		t.Run(c.name, c.run)
	}
}

// clocked sets for each record timers at its value: in both domains when it is above 100, less 100. A timer of event time
// below 10 sets one two later.
type clocked struct{}

func (clocked) ProcessElement(v ev, ctx *KeyedContext[string], _ Collector[string]) error {
	timers := ctx.TimerService()
	switch n := int64(v.V); {
	case v.K == "d":
		timers.DeleteEventTimeTimer(n)
	case n > 100:
		timers.RegisterProcessingTimeTimer(n - 100)
		timers.RegisterEventTimeTimer(n - 100)
	default:
		timers.RegisterEventTimeTimer(n)
	}
	return nil
}

func (clocked) OnTimer(ts int64, ctx *OnTimerContext[string], out Collector[string]) error {
	out.Collect(fmt.Sprint(ctx.CurrentKey(), ctx.TimeDomain().String()[:1], ts))
	if ts < 10 && ctx.TimeDomain() == EventTime {
		ctx.TimerService().RegisterEventTimeTimer(ts + 2)
	}
	return nil
}

func TestTimersAsTheyAreDescribed(t *testing.T) {
	keyed := func(a, _ *DataStream[ev]) conformance.Handle { return a.KeyBy(key).ProcessKeyed(clocked{}) }
	for _, c := range []specCase{
		{name: "a timer in the past fires at the next watermark", build: keyed, script: "wm=50 a20@60 wm=50 wm=51", want: "aE20@20"},
		{name: "equal timers are one, of each key", build: keyed, script: "a20 a20 b20 wm=19 wm=20", want: "aE20@20 bE20@20"},
		{name: "timers fire in the order of their times", build: keyed, script: "a30 b20 a25 wm=40", want: "bE20@20 aE25@25 aE30@30"},
		{name: "a timer of a timer fires in the same advance", build: keyed, script: "a5 wm=9 wm=20", want: "aE5@5 aE7@7 aE9@9 aE11@11"},
		{name: "the two domains are apart", build: keyed, script: "a120 pt=20 wm=20", want: "aP20 aE20@20"},
		{name: "another key cannot delete", build: keyed, script: "a20 d20 wm=20", want: "aE20@20"},
		{name: "the end fires event time and drops processing time", build: keyed, script: "a120 a130 end", want: "aE20@20 aE30@30"},
		{name: "a function without keys has no timers on a keyed stream", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return a.KeyBy(key).ProcessFunc(func(_ ev, ctx *ProcessContext, _ Collector[string]) { ctx.TimerService().RegisterEventTimeTimer(1) })
		}, script: "a1", fails: "UnsupportedOperation|ProcessKeyed"},
		{name: "timers cannot be taken back either without a key", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return a.ProcessFunc(func(_ ev, ctx *ProcessContext, _ Collector[string]) { ctx.TimerService().DeleteProcessingTimeTimer(1) })
		}, script: "a1", fails: "UnsupportedOperation|keyed"},
		{name: "what has no order is noticed when a key has two records", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return a.KeyBy(key).MinByField("*")
		}, script: "a1 b1 b2", fails: "ClassCast|ev", want: "a1 b1"},
		{name: "timers need a key", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return a.ProcessFunc(func(_ ev, ctx *ProcessContext, _ Collector[string]) { ctx.TimerService().RegisterEventTimeTimer(1) })
		}, script: "a1", fails: "UnsupportedOperation|keyed"},
	} {
		t.Run(c.name, c.run)
	}
}

// kept reads its state twice and writes it when the value is not 0.
type kept struct {
	opts  []TTLOption
	value ValueState[int]
}

func (k *kept) Open(ctx *RuntimeContext) error {
	k.value = ctx.State(NewValueStateDescriptor[int]("v").TTL(10*ms, k.opts...))
	return nil
}

func (k *kept) ProcessElement(v ev, _ *KeyedContext[string], out Collector[string]) error {
	for range 2 {
		if n, ok := k.value.Get(); ok {
			out.Collect(fmt.Sprint(n))
		} else {
			out.Collect("none")
		}
	}
	if v.V != 0 {
		k.value.Update(v.V)
	}
	return nil
}

func TestTimeToLiveAsItIsDescribed(t *testing.T) {
	keep := func(opts ...TTLOption) func(a, b *DataStream[ev]) conformance.Handle {
		return func(a, _ *DataStream[ev]) conformance.Handle { return a.KeyBy(key).ProcessKeyed(&kept{opts: opts}) }
	}
	for _, c := range []specCase{
		{name: "a value lives for less than its time", build: keep(), script: "pt=5 a1 pt=14 a0 pt=15 a0", want: "none none 1 1 none none"},
		{name: "a write begins anew", build: keep(), script: "pt=5 a1 pt=14 a2 pt=23 a0 pt=24 a0", want: "none none 1 1 2 2 none none"},
		{name: "a read begins anew if it is told to", build: keep(OnReadAndWrite()), script: "pt=5 a1 pt=14 a0 pt=23 a0 pt=33 a0", want: "none none 1 1 1 1 none none"},
		{name: "an expired value may be seen once", build: keep(ReturnExpiredIfNotCleanedUp()), script: "pt=5 a1 pt=99 a0 a0", want: "none none 1 none none none"},
	} {
		t.Run(c.name, c.run)
	}
}

func TestPartitionsAsTheyAreDescribed(t *testing.T) {
	for _, c := range []specCase{
		{name: "the records of a key come in the order of their times", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return partitions(a).MapPartition(func(vs iter.Seq[ev], out Collector[string]) { out.Collect(texts(vs)) })
		}, script: "a1@5 b2@9 a3@2 wm=7 a4@5 b5@1 end", want: "a3+a1+a4@MAX b5+b2@MAX"},
		{name: "a reduce of a key", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return partitions(a).Reduce(func(x, y ev) ev { return ev{x.K, x.V*10 + y.V, 0} })
		}, script: "a1@5 a2@2 b7@1 end", want: "a21@MAX b7@MAX"},
		{name: "results of keys come before the last watermark, the only one", marks: true, build: func(a, _ *DataStream[ev]) conformance.Handle {
			return partitions(a).Reduce(sumOf)
		}, script: "a1@5 wm=5 idle=1 active=1 end", want: "a1@MAX |MAX"},
		{name: "results of a subtask come after the last watermark", marks: true, build: func(a, _ *DataStream[ev]) conformance.Handle {
			return a.FullWindowPartition().Reduce(sumOf)
		}, script: "a1@5 wm=5 end", want: "|5 |MAX a1"},
		{name: "sorted keys come after the last watermark", marks: true, build: func(a, _ *DataStream[ev]) conformance.Handle {
			return partitions(a).SortPartitionByField("V", Descending)
		}, script: "a1@5 b7@1 a2@1 wm=5 end", want: "|5 |MAX a2 a1 b7"},
		{name: "a function gives its results as the records come", marks: true, build: func(a, _ *DataStream[ev]) conformance.Handle {
			return a.FullWindowPartition().MapPartition(func(vs iter.Seq[ev], out Collector[string]) {
				for v := range vs {
					out.Collect(v.String())
				}
				for range vs {
					out.Collect("again")
				}
			})
		}, script: "a1@5 wm=5 a2 end", want: "a1 |5 a2 |MAX"},
		{name: "a subtask without records aggregates to the empty accumulator", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return a.FullWindowPartition().Aggregate(concat{})
		}, script: "end", want: "<>"},
		{name: "a subtask without records reduces to nothing", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return a.FullWindowPartition().Reduce(sumOf)
		}, script: "end", want: ""},
		{name: "a subtask folds in the order of arrival, without a time", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return a.FullWindowPartition().Aggregate(concat{})
		}, script: "a1@5 b2@1 end", want: "<a1b2>"},
		{name: "a subtask is sorted", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return a.FullWindowPartition().SortPartition(func(v ev) int { return v.V }, Descending)
		}, script: "a1@5 b3@1 c2@1 end", want: "b3 c2 a1"},
		{name: "a function that stops early lets the rest go", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return a.FullWindowPartition().MapPartition(func(vs iter.Seq[ev], out Collector[string]) {
				for v := range vs {
					out.Collect(v.String())
					break
				}
			})
		}, script: "a1 a2 a3 end", want: "a1"},
	} {
		t.Run(c.name, c.run)
	}
}
