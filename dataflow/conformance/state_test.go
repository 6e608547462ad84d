package conformance

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	df "flinkish/dataflow"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
)

// inOrder drives f with the plain records of the input, in order, and compares what it sends.
func inOrder[X, R any](t *T, key func(X) string, f func(v X, ctx *df.KeyedContext[string], out df.Collector[R])) {
	var x X
	op := t.Operator(t.Env().FromData(x).KeyBy(key).ProcessKeyedFunc(f)).Feed(t.Input)
	t.noError(op)
	t.Compare(op.Out, "output")
}

// orNil is a value, or null when there is none.
func orNil[X any](x X, ok bool) *X {
	if !ok {
		return nil
	}
	return &x
}

// step is a call of a map state: its key, the call, and the arguments.
type step = df.Tuple4[string, string, string, string]

// asks is a call of an aggregating state.
type asks = df.Tuple3[string, string, int]

var _ = register(map[string]Func{
	"ST-value-per-key": func(t *T) {
		last := df.NewValueStateDescriptor[int]("last")
		inOrder(t, keyOf, func(v kv, ctx *df.KeyedContext[string], out df.Collector[df.Tuple2[string, *int]]) {
			s := ctx.State(last)
			out.Collect(df.Tuple2[string, *int]{F0: v.F0, F1: orNil(s.Get())})
			s.Update(v.F1)
		})
	},
	"ST-list-state": func(t *T) {
		list := df.NewListStateDescriptor[int]("list")
		inOrder(t, func(string) string { return "" }, func(v string, ctx *df.KeyedContext[string], out df.Collector[[]int]) {
			call, args, _ := strings.Cut(v, " ")
			var xs []int
			for _, a := range strings.FieldsFunc(args, func(r rune) bool { return r == ',' }) {
				n, _ := strconv.Atoi(a)
				xs = append(xs, n)
			}
			s := ctx.ListState(list)
			if call == "add" {
				s.Add(xs[0])
			} else {
				s.Update(xs)
			}
			out.Collect(slices.Collect(s.Get()))
		})
	},
	"ST-map-state": func(t *T) {
		entries := df.NewMapStateDescriptor[string, string]("entries")
		inOrder(t, func(v step) string { return v.F0 }, func(v step, ctx *df.KeyedContext[string], out df.Collector[*string]) {
			s := ctx.MapState(entries)
			say := func(text string) { out.Collect(&text) }
			switch v.F1 {
			case "put":
				s.Put(v.F2, v.F3)
			case "remove":
				s.Remove(v.F2)
			case "get":
				out.Collect(orNil(s.Get(v.F2)))
			case "contains":
				say(fmt.Sprint(s.Contains(v.F2)))
			case "isEmpty":
				say(fmt.Sprint(s.IsEmpty()))
			case "entries":
				var all []string
				for k, x := range s.Entries() {
					all = append(all, k+"="+x)
				}
				say(strings.Join(all, " "))
			}
		})
	},
	"ST-reducing-state": func(t *T) {
		type named = df.Tuple2[string, string]
		joined := df.NewReducingStateDescriptor("joined", func(a, b string) string { return a + "," + b })
		inOrder(t, func(v named) string { return v.F0 }, func(v named, ctx *df.KeyedContext[string], out df.Collector[df.Tuple2[string, *string]]) {
			s := ctx.ReducingState(joined)
			s.Add(v.F1)
			out.Collect(df.Tuple2[string, *string]{F0: v.F0, F1: orNil(s.Get())})
		})
	},
	"ST-aggregating-state": func(t *T) {
		sum := df.NewAggregatingStateDescriptor("sum", sums{})
		inOrder(t, func(v asks) string { return v.F0 }, func(v asks, ctx *df.KeyedContext[string], out df.Collector[*int]) {
			s := ctx.AggregatingState(sum)
			switch v.F1 {
			case "add":
				s.Add(v.F2)
			case "clear":
				s.Clear()
			case "get":
				out.Collect(orNil(s.Get()))
			}
		})
	},
	"ST-clear-state": func(t *T) {
		type one = df.Tuple1[string]
		count := df.NewValueStateDescriptor[int]("count")
		inOrder(t, func(v one) string { return v.F0 }, func(v one, ctx *df.KeyedContext[string], out df.Collector[kv]) {
			s := ctx.State(count)
			s.Update(s.Value() + 1)
			if s.Value() == 3 {
				out.Collect(kv{F0: v.F0, F1: 3})
				s.Clear()
			}
		})
	},
	"ST-ttl-write-exact":  expiring,
	"ST-ttl-read-refresh": expiring,
	"ST-ttl-overflow": func(t *T) { // no Duration is that long
		now := int64(0)
		backend := state.NewBackend[string]()
		backend.SetCurrent("")
		v, err := backend.Value[string]("v", "", state.TTL{Millis: t.Input.At("ttl").Int(), OnRead: reads(t), Now: func() int64 { return now }})
		if err != nil {
			t.Fatalf("%v", err)
		}
		for _, s := range AllAs[timedWrite](t.Input.At("steps")) {
			if now = s.F0; s.F1 != "" {
				v.Update(s.F1)
			} else {
				t.Equal(orNil(v.Get()), t.Expect.At("reads").At(strconv.FormatInt(now, 10)))
			}
		}
	},
	"ST-ttl-invalid": func(t *T) {
		for _, n := range t.Input.Ints() {
			err := df.NewValueStateDescriptor[int]("n").TTL(time.Duration(n) * ms).Err()
			when := AtCall
			if err == nil {
				when = AtNever
			}
			t.Equal(kindOf(err), t.Expect.At("error"))
			t.Equal(string(when), t.Expect.At("when"))
		}
	},
	"ST-broadcast-basic": func(t *T) {
		env := t.Env()
		rules := df.NewMapStateDescriptor[string, string]("rules")
		broadcast := env.FromData(df.Tuple2[string, string]{}).BroadcastWithState(rules)
		out := env.FromData("").KeyBy(same[string]).ConnectBroadcast(broadcast).ProcessKeyed(&ruled{rules})
		all := t.Subtasks(out, t.Parallelism)
		all.Feed(t.Input)
		t.Compare(all.Records(t), "output")
	},
	"ST-broadcast-readonly": func(t *T) {
		view := reflect.TypeFor[df.ReadOnlyBroadcastState[string, string]]()
		t.compiles(anyMethod(view, "Put", "PutAll", "Remove", "Clear") && !anyMethod(reflect.TypeFor[df.BroadcastState[string, string]](), "Put"))
	},
	"ST-broadcast-no-timers-from-broadcast-side": func(t *T) {
		t.compiles(anyMethod(reflect.TypeFor[*df.KeyedBroadcastContext[string]](), "TimerService", "RegisterEventTimeTimer", "RegisterProcessingTimeTimer"))
	},
	"ST-operator-union": func(t *T) {
		in, n := t.Input.At("subtasks").List(), int(t.Input.At("restore_parallelism").Int())
		list := &united{list: df.NewListStateDescriptor[int]("list")}
		before := t.Subtasks(t.Env().FromData(1).MapRich(list), len(in))
		for i, o := range before {
			for _, v := range in[i].List() {
				o.Record(0, v, 0)
			}
		}
		after := t.Subtasks(t.Env().FromData(1).FlatMapRich(&told{united{list: list.list}}), n, before.Rescale(t, n)...)
		want := t.Expect.At("subtasks").List()
		if len(want) != len(after) {
			t.Errorf("the expectation has %d subtasks, want %d", len(want), len(after))
		}
		for i, o := range after {
			o.Put(0, 0, 0)
			t.noError(o)
			t.CompareSet(o.Out, want[i])
		}
	},
	"ST-keyed-state-without-key": func(t *T) {
		t.Fails(func(env *df.StreamExecutionEnvironment) { env.FromData(1).MapRich(&stateful{}) })
	},
})

// sums is an aggregate function that adds numbers up, starting at 0.
type sums struct{}

func (sums) CreateAccumulator() int { return 0 }
func (sums) Add(v, acc int) int     { return acc + v }
func (sums) GetResult(acc int) int  { return acc }
func (sums) Merge(a, b int) int     { return a + b }

// stateful is a map function that opens keyed state.
type stateful struct{}

func (*stateful) Open(ctx *df.RuntimeContext) error {
	ctx.State(df.NewValueStateDescriptor[int]("n"))
	return nil
}

func (*stateful) Map(v int) (int, error) { return v, nil }

// timedWrite is a step at a time: a write, or a read when there is nothing to write.
type timedWrite = df.Tuple2[int64, string]

// reads reports whether reading refreshes the time to live.
func reads(t *T) bool {
	switch update := t.Input.At("update").Text(); update {
	case "on-read-and-write":
		return true
	case "on-create-and-write":
		return false
	default:
		t.Fatalf("unknown update type %s", update)
		return false
	}
}

// expiring takes the steps of the input on a value state with a time to live, and compares what is read.
func expiring(t *T) {
	update := df.OnCreateAndWrite()
	if reads(t) {
		update = df.OnReadAndWrite()
	}
	value := df.NewValueStateDescriptor[string]("value").TTL(time.Duration(t.Input.At("ttl").Int())*ms, update)
	op := t.Operator(t.Env().FromData(timedWrite{}).KeyBy(oneKey[timedWrite]).
		ProcessKeyedFunc(func(v timedWrite, ctx *df.KeyedContext[string], out df.Collector[*string]) {
			if s := ctx.State(value); v.F1 != "" {
				s.Update(v.F1)
			} else {
				out.Collect(orNil(s.Get()))
			}
		}))
	want, n := t.Expect.At("reads"), 0
	for _, s := range AllAs[timedWrite](t.Input.At("steps")) {
		op.Advance(s.F0)
		op.Put(0, s, core.NoTimestamp)
		t.noError(op)
		if s.F1 == "" && len(op.Out) > n {
			t.Equal(op.Out[n].Value, want.At(strconv.FormatInt(s.F0, 10)))
			n++
		}
	}
	if n != len(want.Keys()) {
		t.Errorf("%d reads, want %d", n, len(want.Keys()))
	}
}

// ruled emits the rule of each key.
type ruled struct {
	rules *df.MapStateDescriptor[string, string]
}

func (r *ruled) ProcessElement(v string, ctx *df.KeyedReadOnlyBroadcastContext[string], out df.Collector[string]) error {
	rule, ok := ctx.BroadcastState(r.rules).Get(v)
	if !ok {
		rule = "null"
	}
	out.Collect(v + ":" + rule)
	return nil
}

func (r *ruled) ProcessBroadcastElement(v df.Tuple2[string, string], ctx *df.KeyedBroadcastContext[string], _ df.Collector[string]) error {
	ctx.BroadcastState(r.rules).Put(v.F0, v.F1)
	return nil
}

func anyMethod(t reflect.Type, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, ok := t.MethodByName(name); return ok })
}

// united keeps its records in a union list.
type united struct {
	list *df.ListStateDescriptor[int]
	all  df.ListState[int]
}

func (u *united) InitializeState(ctx *df.InitializationContext) error {
	u.all = ctx.UnionListState(u.list)
	return nil
}

func (u *united) SnapshotState(*df.SnapshotContext) error { return nil }

func (u *united) Map(v int) (int, error) {
	u.all.Add(v)
	return v, nil
}

// told emits what the list holds.
type told struct{ united }

func (u *told) FlatMap(_ int, out df.Collector[int]) error {
	for v := range u.all.Get() {
		out.Collect(v)
	}
	return nil
}
