package exchange

import (
	"errors"
	"slices"
	"testing"

	"flinkish/dataflow/internal/core"
)

func TestAPartitioningSelectsChannels(t *testing.T) {
	for kind, want := range map[core.Partitioning][]int{
		core.Forward: {0, 0, 0, 0},
		core.Global:  {0, 0, 0, 0},
		core.Rescale: {0, 1, 2, 0},
	} {
		next, err := Select(kind, 3, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := []int{next(), next(), next(), next()}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", kind, got, want)
		}
	}
	firsts := map[int]bool{}
	for seed := range uint64(40) {
		next, _ := Select(core.Rebalance, 3, seed, 1)
		f := next()
		firsts[f] = true
		if a, b, c := next(), next(), next(); a != (f+1)%3 || b != (f+2)%3 || c != f {
			t.Errorf("REBALANCE from %d: got %d %d %d", f, a, b, c)
		}
	}
	if len(firsts) != 3 {
		t.Errorf("REBALANCE starts at %v only", firsts)
	}
}

func TestWhatNeedsTheRecordSelectsNoChannel(t *testing.T) {
	for _, kind := range []core.Partitioning{core.Broadcast, core.Hash, core.Custom} {
		var e *SelectError
		if _, err := Select(kind, 3, 1, 1); !errors.As(err, &e) || e.Kind != kind {
			t.Errorf("%s: got %v", kind, err)
		}
	}
}
