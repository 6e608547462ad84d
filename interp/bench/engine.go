package main

import (
	"context"
	"time"

	. "flinkish/dataflow"
)

// This file does the work of hand.go through the typed API.

// newEnv is an environment with one subtask for each task.
func newEnv(opts ...EnvOption) *StreamExecutionEnvironment {
	return NewEnv(append([]EnvOption{WithParallelism(1)}, opts...)...)
}

func engineChain(n int64) variant {
	return func() (int64, error) {
		env := newEnv()
		var sum int64
		env.FromSequence(0, n-1).Map(addOne).Filter(isEven).Map(triple).
			AddSinkFunc(func(v int64) error { sum += v; return nil })
		_, err := env.Execute(context.Background())
		return sum, err
	}
}

func engineWords(lines []string, opts ...EnvOption) variant {
	return func() (int64, error) {
		env := newEnv(opts...)
		var updates int64
		env.FromSlice(lines).
			FlatMap(func(l string, out Collector[wordCount]) {
				for _, w := range split(l) {
					out.Collect(toCount(w))
				}
			}).
			KeyBy(wordOf).Reduce(addUp).
			AddSinkFunc(func(c wordCount) error { updates += int64(c.N & 1); return nil })
		_, err := env.Execute(context.Background())
		return updates, err
	}
}

func engineSum(pairs []pair) variant {
	return func() (int64, error) {
		env := newEnv()
		var last int64
		env.FromSlice(pairs).KeyBy(keyOf).Reduce(sumOf).
			AddSinkFunc(func(p pair) error { last += p.Val & 1; return nil })
		_, err := env.Execute(context.Background())
		return last, err
	}
}

// newest holds event time back by a fixed delay; it speaks when the newest second changes, so that the
// number of watermarks does not depend on the machine.
type newest struct{ max, delay, said int64 }

func (g *newest) OnEvent(_ event, ts int64, out WatermarkOutput) {
	g.max = max(g.max, ts)
	if g.max/1000 != g.said {
		g.said = g.max / 1000
		out.EmitWatermark(g.max - g.delay - 1)
	}
}

func (g *newest) OnPeriodicEmit(WatermarkOutput) {}

type counter struct{}

func (counter) CreateAccumulator() int64   { return 0 }
func (counter) Add(_ event, n int64) int64 { return n + 1 }
func (counter) GetResult(n int64) int64    { return n }
func (counter) Merge(a, b int64) int64     { return a + b }

func engineWindows(events []event, size, delay int64) variant {
	return func() (int64, error) {
		env := newEnv()
		var fired int64
		env.FromSlice(events).
			AssignTimestampsAndWatermarks(ForGenerator[event](func() WatermarkGenerator[event] { return &newest{delay: delay} }).
				WithTimestampAssigner(func(e event, _ int64) int64 { return timeOf(e) })).
			KeyBy(whoOf).
			Window(TumblingEventTime(time.Duration(size) * time.Millisecond)).
			Aggregate(counter{}).
			AddSinkFunc(func(n int64) error { fired += n; return nil })
		_, err := env.Execute(context.Background())
		return fired, err
	}
}

func value(f func() int64) variant { return func() (int64, error) { return f(), nil } }
