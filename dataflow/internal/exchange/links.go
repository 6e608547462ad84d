package exchange

import "flinkish/dataflow/internal/core"

// Links returns the consumers that one of producers is connected to, in the order of its channels.
// Round robin goes in this order. It is the rule of Flink's pointwise distribution: a partitioning
// that is not pointwise connects every producer with every consumer.
func Links(kind core.Partitioning, producer, producers, consumers int) []int {
	if !kind.Pointwise() {
		all := make([]int, consumers)
		for i := range all {
			all[i] = i
		}
		return all
	}
	if producers >= consumers {
		for t := range consumers {
			if t*producers/consumers <= producer && producer < (t+1)*producers/consumers {
				return []int{t}
			}
		}
		panic(core.Bug("exchange: a producer is linked to no consumer"))
	}
	first := ceilDiv(producer*consumers, producers)
	n := ceilDiv((producer+1)*consumers, producers) - first
	links := make([]int, n)
	for c := first; c < first+n; c++ {
		links[c%n] = c // so the order is rotated where first is no multiple of n
	}
	return links
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
