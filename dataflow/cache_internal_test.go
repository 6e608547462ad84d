package dataflow

import (
	"context"
	"sync/atomic"
	"testing"
)

func TestExecuteTriesOnceMoreWithoutACacheThatCannotBeRead(t *testing.T) {
	env := NewEnv(WithParallelism(1)).SetRuntimeMode(Batch)
	var calls, got atomic.Int64
	n := int64(cachedInMemory + 10)
	c := env.FromSequence(1, n).Map(func(v int64) int64 { calls.Add(1); return v }).Cache()
	run := func() error {
		got.Store(0)
		c.AddSinkFunc(func(int64) error { got.Add(1); return nil })
		_, err := env.Execute(context.Background())
		return err
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
	if c.store.full == nil || c.store.full[0].log == nil {
		t.Fatal("nothing is kept on disk: the test is about losing it")
	}
	c.store.full[0].log.Close() // reading fails from now on
	if err := run(); err != nil {
		t.Fatalf("the second try failed too: %v", err)
	}
	if calls.Load() != 2*n || got.Load() != n+cachedInMemory {
		t.Errorf("got %d calls and %d records, want %d calls, and %d records: those in memory, then all", calls.Load(), got.Load(), 2*n, n+cachedInMemory)
	}
	if err := run(); err != nil || calls.Load() != 2*n {
		t.Errorf("the cache was not filled again: %d calls, %v", calls.Load(), err)
	}
}
