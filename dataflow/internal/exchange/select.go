package exchange

import (
	"math/rand/v2"

	"flinkish/dataflow/internal/core"
)

// SelectError says that a partitioning has no channel for a record alone.
type SelectError struct{ Kind core.Partitioning }

func (e *SelectError) Error() string {
	why := "it needs the record"
	if e.Kind == core.Broadcast {
		why = "every record goes to all channels"
	}
	return "exchange: " + e.Kind.String() + " does not select one channel: " + why
}

// Select returns what picks one of n channels for each record, one after the other (ChannelSelector). Seed and stream, the
// number of the producer, fix what is random. The error is a *SelectError for partitionings that do not choose in this way.
func Select(kind core.Partitioning, n int, seed, stream uint64) (func() int, error) {
	random := rand.NewPCG(seed, stream)
	switch kind {
	case core.Forward, core.Global:
		return func() int { return 0 }, nil
	case core.Rebalance:
		// Each producer starts somewhere else, else all first records meet in one consumer.
		return roundRobin(rand.New(random).IntN(n), n), nil
	case core.Rescale:
		return roundRobin(n-1, n), nil
	case core.Shuffle:
		r := rand.New(random)
		return func() int { return r.IntN(n) }, nil
	}
	return nil, &SelectError{kind}
}
