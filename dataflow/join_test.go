package dataflow_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
)

// stamped is a record of a key and a name with its time.
type stamped struct {
	K, N string
	T    int64
}

func (s stamped) String() string { return fmt.Sprintf("(%s,%s,%d)", s.K, s.N, s.T) }

// stampedStream reads records such as "a,x,3".
func stampedStream(env *StreamExecutionEnvironment, records string) *SingleOutputStreamOperator[stamped] {
	var vs []stamped
	for _, r := range strings.Fields(records) {
		p := strings.Split(r, ",")
		var s stamped
		s.K, s.N = p[0], p[1]
		fmt.Sscan(p[2], &s.T)
		vs = append(vs, s)
	}
	at := func(s stamped, _ int64) int64 { return s.T }
	return env.FromElements(vs...).AssignTimestampsAndWatermarks(ForMonotonousTimestamps[stamped]().WithTimestampAssigner(at))
}

func keyOf(s stamped) string { return s.K }

func TestJoinPairsWhatSharesKeyAndWindow(t *testing.T) {
	for name, env := range environments(2) {
		t.Run(name, func(t *testing.T) {
			l := stampedStream(env, "a,x,0 a,y,1 a,z,2 b,u,3 b,w,5 a,i,6 a,j,7 a,k,8")
			r := stampedStream(env, "a,u,0 a,w,1 b,i,3 b,k,5 a,x,6 a,z,8")
			got, err := l.Join(r).Where(keyOf).EqualTo(keyOf).Window(TumblingEventTime(3*time.Millisecond)).
				Apply(func(a, b stamped) string { return a.String() + ":" + b.String() }).ExecuteAndCollectLimit(context.Background(), 99)
			if err != nil {
				t.Fatal(err)
			}
			sameUnordered(t, got, strings.Fields(`(a,x,0):(a,u,0) (a,x,0):(a,w,1) (a,y,1):(a,u,0) (a,y,1):(a,w,1) (a,z,2):(a,u,0) (a,z,2):(a,w,1)
				(b,u,3):(b,i,3) (b,u,3):(b,k,5) (b,w,5):(b,i,3) (b,w,5):(b,k,5) (a,i,6):(a,x,6) (a,i,6):(a,z,8)
				(a,j,7):(a,x,6) (a,j,7):(a,z,8) (a,k,8):(a,x,6) (a,k,8):(a,z,8)`))
		})
	}
}

func TestCoGroupCallsForKeysOfOneSideOnly(t *testing.T) {
	for name, env := range environments(1) {
		t.Run(name, func(t *testing.T) {
			l := stampedStream(env, "a,x,0 a,y,1 b,z,2")
			r := stampedStream(env, "a,u,1 c,v,2")
			names := func(vs iter.Seq[stamped]) (s string) {
				for v := range vs {
					s += v.N
				}
				return s
			}
			got, err := l.CoGroup(r).Where(keyOf).EqualTo(keyOf).Window(TumblingEventTime(3*time.Millisecond)).
				Apply(func(as, bs iter.Seq[stamped], out Collector[string]) {
					out.Collect("F:" + names(as) + " S:" + names(bs))
				}).
				ExecuteAndCollectLimit(context.Background(), 9)
			if err != nil {
				t.Fatal(err)
			}
			sameUnordered(t, got, []string{"F:xy S:u", "F:z S:", "F: S:v"})
		})
	}
}

func TestJoinResultsHaveTheTimeOfTheWindow(t *testing.T) {
	env := NewEnv(WithParallelism(1), WithDeterministic(1))
	s := stampedStream(env, "a,x,1")
	got, err := s.Join(s).Where(keyOf).EqualTo(keyOf).Window(SlidingEventTime(3*time.Millisecond, time.Millisecond)).
		Apply(func(a, b stamped) string { return a.N + b.N }).
		ProcessFunc(func(v string, ctx *ProcessContext, out Collector[string]) {
			ts, _ := ctx.Timestamp()
			out.Collect(fmt.Sprint(v, ts))
		}).ExecuteAndCollectLimit(context.Background(), 9)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, []string{"xx1", "xx2", "xx3"})
}

func TestJoinIsTwoMapsAndAWindowInThePlan(t *testing.T) {
	env := NewEnv(WithParallelism(1))
	s := stampedStream(env, "a,x,1")
	s.Join(s).Where(keyOf).EqualTo(keyOf).Window(TumblingEventTime(5 * time.Second)).Trigger(CountTrigger(1)).Evictor(CountEvictor(2)).
		Apply(func(a, b stamped) string { return a.N })
	g, err := env.JobGraph()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range g.Vertices {
		names = append(names, v.Name)
	}
	same(t, names, []string{"Source: Collection Source -> Timestamps/Watermarks -> (Map, Map)", "TumblingEventTimeWindows"})
	if got, want := g.Vertices[1].Description, "Window(TumblingEventTimeWindows(5000), CountTrigger, CountEvictor, CoGroupWindowFunction)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWindowsOfAJoinMustNotDependOnTheRecord(t *testing.T) {
	env := NewEnv()
	s := stampedStream(env, "a,x,1")
	s.Join(s).Where(keyOf).EqualTo(keyOf).Window(EventTimeSessionDynamic(func(stamped) time.Duration { return time.Second }))
	if err := env.Err(); err == nil || !strings.Contains(err.Error(), "IllegalArgument") {
		t.Errorf("got %v", err)
	}
}

// betweener joins two keyed streams by time.
func betweener(env *StreamExecutionEnvironment, l, r string) *IntervalJoin[stamped, stamped, string] {
	return stampedStream(env, l).KeyBy(keyOf).IntervalJoin(stampedStream(env, r).KeyBy(keyOf))
}

func showPair(a, b stamped, ctx *ProcessJoinContext, out Collector[string]) error {
	out.Collect(fmt.Sprint(a.T, "-", b.T, "@", max(ctx.LeftTimestamp(), ctx.RightTimestamp())-ctx.Timestamp()))
	return nil
}

func TestIntervalJoin(t *testing.T) {
	const ms = time.Millisecond
	recs := "s,l,1 s,l,2 s,l,3 s,l,4"
	for _, c := range []struct {
		name string
		make func(j *IntervalJoin[stamped, stamped, string]) *IntervalJoined[stamped, stamped, string]
		want string
	}{
		{"bounds are inclusive", func(j *IntervalJoin[stamped, stamped, string]) *IntervalJoined[stamped, stamped, string] {
			return j.Between(-ms, ms)
		}, "1-1 1-2 2-1 2-2 2-3 3-2 3-3 3-4 4-3 4-4"},
		{"both bounds may be positive", func(j *IntervalJoin[stamped, stamped, string]) *IntervalJoined[stamped, stamped, string] {
			return j.Between(0, 2*ms)
		}, "1-1 1-2 1-3 2-2 2-3 2-4 3-3 3-4 4-4"},
		{"both bounds may be negative", func(j *IntervalJoin[stamped, stamped, string]) *IntervalJoined[stamped, stamped, string] {
			return j.Between(-3*ms, -ms)
		}, "2-1 3-1 3-2 4-1 4-2 4-3"},
		{"exclusive bounds are a millisecond narrower", func(j *IntervalJoin[stamped, stamped, string]) *IntervalJoined[stamped, stamped, string] {
			return j.Between(-ms, ms).LowerBoundExclusive().UpperBoundExclusive()
		}, "1-1 2-2 3-3 4-4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, env := range environments(1) {
				got, err := c.make(betweener(env, recs, recs)).ProcessFunc(showPair).ExecuteAndCollectLimit(context.Background(), 99)
				if err != nil {
					t.Fatal(err)
				}
				sameUnordered(t, got, strings.Fields(strings.ReplaceAll(c.want+" ", " ", "@0 ")))
			}
		})
	}
}

func TestIntervalJoinRefusesWrongBoundsAtTheCall(t *testing.T) {
	for want, do := range map[string]func(j *IntervalJoin[stamped, stamped, string]){
		"IllegalArgument": func(j *IntervalJoin[stamped, stamped, string]) {
			j.Between(2*time.Millisecond, time.Millisecond).ProcessFunc(showPair)
		},
		"UnsupportedTimeCharacteristic": func(j *IntervalJoin[stamped, stamped, string]) { j.InProcessingTime().Between(0, 1) },
	} {
		env := NewEnv()
		do(betweener(env, "a,l,1", "a,r,1"))
		var e *GraphError
		if !errors.As(env.Err(), &e) || e.Kind != want {
			t.Errorf("got %v, want %s", env.Err(), want)
		}
	}
}

func TestIntervalJoinNeedsTimestamps(t *testing.T) {
	env := NewEnv(WithParallelism(1))
	s := env.FromElements(stamped{"a", "x", 1}).KeyBy(keyOf)
	_, err := s.IntervalJoin(s).Between(0, time.Millisecond).ProcessFunc(showPair).ExecuteAndCollectLimit(context.Background(), 9)
	if err == nil || !strings.Contains(err.Error(), "timestamp") {
		t.Errorf("got %v", err)
	}
}
