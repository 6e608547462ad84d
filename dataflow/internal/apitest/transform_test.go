// Package apitest_test tests calls of the API that few programs need, on one record type: int. It is apart from the tests
// of package dataflow because each record type costs seconds of compiling.
package apitest_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	. "flinkish/dataflow"
)

// raw sums the records of a key, holds watermarks back, and tells at the end what it saw.
type raw struct {
	sum        ValueState[int]
	keyed      bool
	watermarks int
	opened     bool
}

func (r *raw) Open(ctx *RuntimeContext) error {
	r.opened = true
	if r.keyed {
		r.sum = ctx.State(NewValueStateDescriptor[int]("sum"))
	}
	return nil
}

func (r *raw) ProcessElement(v int, ctx *OperatorContext[int]) error {
	if !r.opened {
		return fmt.Errorf("not opened")
	}
	if r.keyed {
		sum, _ := r.sum.Get()
		v += sum
		r.sum.Update(v)
		ctx.TimerService().RegisterEventTimeTimer(1000)
	}
	ctx.Collect(v)
	return nil
}

func (r *raw) OnTimer(ts int64, ctx *OperatorContext[int]) error {
	sum, _ := r.sum.Get()
	ctx.Collect(-sum)
	return nil
}

func (r *raw) ProcessWatermark(wm int64, ctx *OperatorContext[int]) error {
	r.watermarks++
	ctx.EmitWatermark(wm)
	return nil
}

func (r *raw) EndInput(ctx *OperatorContext[int]) error {
	ctx.Collect(r.watermarks * 100)
	return nil
}

// two adds a hundred to the records of the second stream.
type two struct{ ended int }

func (*two) ProcessElement1(v int, ctx *OperatorContext[int]) error { ctx.Collect(v); return nil }
func (*two) ProcessElement2(v int, ctx *OperatorContext[int]) error { ctx.Collect(v + 100); return nil }

func (t *two) EndInput(input int, ctx *OperatorContext[int]) error {
	t.ended += input
	ctx.Collect(-t.ended)
	return nil
}

func collect(t *testing.T, d *SingleOutputStreamOperator[int]) (vs []int) {
	t.Helper()
	it, err := d.ExecuteAndCollect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for v, err := range it.All() {
		if err != nil {
			t.Fatal(err)
		}
		vs = append(vs, v)
	}
	return vs
}

func expect(t *testing.T, got []int, want ...int) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func env() *StreamExecutionEnvironment { return NewEnv(WithParallelism(1), WithDeterministic(1)) }

func TestARawOperatorSeesRecordsWatermarksAndTheEnd(t *testing.T) {
	op := env().FromElements(1, 2, 3).Transform("raw", &raw{})
	if op.OpName() != "raw" {
		t.Errorf("name %q", op.OpName())
	}
	expect(t, collect(t, op), 1, 2, 3, 100)
}

func TestARawOperatorOnAKeyedStreamHasStateAndTimers(t *testing.T) {
	keyed := env().FromElements(1, 2, 3).KeyBy(func(int) int { return 0 })
	expect(t, collect(t, keyed.Transform("raw", &raw{keyed: true})), 1, 3, 6, -6, 100)
}

func TestAFactoryMakesTheOperatorOfEachSubtask(t *testing.T) {
	made := 0
	e := env().SetParallelism(2)
	op := e.FromData(1, 2).Rebalance().TransformFactory("raw", func() OneInputOperator[int, int] { made++; return &raw{} })
	got := collect(t, op)
	slices.Sort(got)
	expect(t, got, 1, 2, 100, 100)
	if made != 2 {
		t.Errorf("%d operators for 2 subtasks", made)
	}
}

func TestARawOperatorOnConnectedStreams(t *testing.T) {
	e := env()
	got := collect(t, e.FromElements(1, 2).Connect(e.FromElements(3)).Transform("two", &two{}))
	slices.Sort(got)
	if len(got) != 5 || got[0] != -3 || got[2] != 1 || got[3] != 2 || got[4] != 103 {
		t.Errorf("got %v", got)
	}
}

func TestANilRawOperatorIsAnError(t *testing.T) {
	e := env()
	e.FromElements(1).Transform[int]("raw", nil)
	if err := e.Err(); err == nil || !strings.Contains(err.Error(), "must not be nil") {
		t.Errorf("got %v", err)
	}
}
