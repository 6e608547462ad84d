package dataflow_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/job"
)

func TestExecuteAndCollectComesInFourForms(t *testing.T) {
	ctx := context.Background()
	for name, env := range environments(1) {
		five := func() *DataStreamSource[int] { return env.FromElements(1, 2, 3, 4, 5) }
		for _, tt := range []struct {
			opts []ExecuteOption
			want string
		}{{nil, "DataStream Collect"}, {[]ExecuteOption{JobName("mine")}, "mine"}} {
			var got string
			env.OnJob(func(j job.Job) { got = j.Name() })
			it, err := five().ExecuteAndCollect(ctx, tt.opts...)
			if err != nil {
				t.Fatal(err)
			}
			same(t, all(t, it), []int{1, 2, 3, 4, 5})
			if got != tt.want {
				t.Errorf("%s: got the job name %q, want %q", name, got, tt.want)
			}
			vs, err := five().ExecuteAndCollectLimit(ctx, 4, tt.opts...)
			if err != nil {
				t.Fatal(err)
			}
			same(t, vs, []int{1, 2, 3, 4})
			if got != tt.want {
				t.Errorf("%s: got the job name %q, want %q", name, got, tt.want)
			}
		}
	}
}

func TestRulesOfCollectIterators(t *testing.T) {
	ctx := context.Background()
	for name, env := range environments(1) {
		t.Run(name+": the end stays the end", func(t *testing.T) {
			it, err := env.FromElements(1).ExecuteAndCollect(ctx)
			if err != nil {
				t.Fatal(err)
			}
			same(t, all(t, it), []int{1})
			for range 2 {
				if v, ok, err := it.Next(ctx); ok || err != nil {
					t.Errorf("got %v, %v, %v, want no element and no error", v, ok, err)
				}
			}
		})
		t.Run(name+": Close cancels the job, and what was not read is gone", func(t *testing.T) {
			it := env.FromSequence(0, 1<<60).CollectAsync()
			c, err := env.ExecuteAsync(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for i := range int64(3) {
				if v, ok, err := it.Next(ctx); v != i || !ok || err != nil {
					t.Fatalf("got %v, %v, %v, want %d", v, ok, err, i)
				}
			}
			for range 2 {
				if err := it.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.Job().Wait(ctx); err != nil {
				t.Error(err)
			}
			if s, _ := c.Status(ctx); s != "CANCELED" {
				t.Errorf("got %s, want CANCELED", s)
			}
			if v, ok, err := it.Next(ctx); ok || err != nil {
				t.Errorf("after Close: got %v, %v, %v, want no element and no error", v, ok, err)
			}
		})
		t.Run(name+": a failure is told once", func(t *testing.T) {
			it, err := env.FromElements(1).MapE(func(int) (int, error) { return 0, errors.New("wrong") }).ExecuteAndCollect(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok, err := it.Next(ctx); ok || err == nil || !strings.Contains(err.Error(), "wrong") {
				t.Errorf("got %v, %v, want the failure", ok, err)
			}
			if _, ok, err := it.Next(ctx); ok || err != nil {
				t.Errorf("got %v, %v, want the end", ok, err)
			}
		})
		t.Run(name+": several streams of one job are collected", func(t *testing.T) {
			in := env.FromElements(1, 2, 3, 4, 5)
			var c StreamCollector[int]
			if _, err := c.Output(); err == nil || !strings.HasPrefix(err.Error(), "NullPointer: ") {
				t.Errorf("before CollectAsyncInto: got %v", err)
			}
			one := in.CollectAsync()
			in.Filter(func(v int) bool { return v%2 == 0 }).CollectAsyncInto(&c)
			two, err := c.Output()
			if err != nil {
				t.Fatal(err)
			}
			for _, wrong := range []error{one.Close(), func() error { _, _, err := two.Next(ctx); return err }()} {
				if wrong == nil || !strings.HasPrefix(wrong.Error(), "NullPointer: ") {
					t.Errorf("before execution: got %v, want NullPointer", wrong)
				}
			}
			if _, err := env.ExecuteAsync(ctx); err != nil {
				t.Fatal(err)
			}
			same(t, all(t, one), []int{1, 2, 3, 4, 5})
			same(t, all(t, two), []int{2, 4})
		})
		t.Run(name+": the context of ExecuteAndCollect cancels the job", func(t *testing.T) {
			ctx, cancel := context.WithCancel(ctx)
			it, err := env.FromSequence(0, 1<<60).ExecuteAndCollect(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok, err := it.Next(ctx); !ok || err != nil {
				t.Fatal(ok, err)
			}
			cancel()
			for {
				if _, ok, err := it.Next(context.Background()); !ok {
					if !errors.Is(err, context.Canceled) {
						t.Errorf("got %v, want %v", err, context.Canceled)
					}
					break
				}
			}
		})
	}
	for _, n := range []int{0, -1} {
		if _, err := NewEnv().FromElements(1).ExecuteAndCollectLimit(ctx, n); err == nil || !strings.HasPrefix(err.Error(), "IllegalState: ") {
			t.Errorf("limit %d: got %v, want IllegalState", n, err)
		}
	}
}
