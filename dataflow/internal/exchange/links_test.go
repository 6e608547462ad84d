package exchange

import (
	"fmt"
	"strings"
	"testing"

	"flinkish/dataflow/internal/core"
)

// pointwise is the table of Flink's pointwise links: producers, consumers, and for each producer its
// consumers in channel order.
const pointwise = `
1 1  [0]
1 2  [0 1]
1 5  [0 1 2 3 4]
1 8  [0 1 2 3 4 5 6 7]
2 1  [0] [0]
2 2  [0] [1]
2 3  [0 1] [2]
2 4  [0 1] [2 3]
2 5  [0 1 2] [4 3]
2 6  [0 1 2] [3 4 5]
2 7  [0 1 2 3] [6 4 5]
2 8  [0 1 2 3] [4 5 6 7]
3 1  [0] [0] [0]
3 2  [0] [1] [1]
3 3  [0] [1] [2]
3 4  [0 1] [2] [3]
3 5  [0 1] [2 3] [4]
3 6  [0 1] [2 3] [4 5]
3 7  [0 1 2] [4 3] [6 5]
3 8  [0 1 2] [3 4 5] [6 7]
4 1  [0] [0] [0] [0]
4 2  [0] [0] [1] [1]
4 3  [0] [1] [2] [2]
4 5  [0 1] [2] [3] [4]
4 6  [0 1] [2] [4 3] [5]
4 7  [0 1] [2 3] [4 5] [6]
4 8  [0 1] [2 3] [4 5] [6 7]
5 1  [0] [0] [0] [0] [0]
5 2  [0] [0] [1] [1] [1]
5 3  [0] [1] [1] [2] [2]
5 4  [0] [1] [2] [3] [3]
5 6  [0 1] [2] [3] [4] [5]
5 7  [0 1] [2] [4 3] [5] [6]
5 8  [0 1] [2 3] [4] [6 5] [7]
6 4  [0] [1] [1] [2] [3] [3]
6 8  [0 1] [2] [3] [4 5] [6] [7]
8 3  [0] [0] [1] [1] [1] [2] [2] [2]
8 5  [0] [1] [1] [2] [3] [3] [4] [4]
`

func TestPointwiseLinksFollowFlinksTable(t *testing.T) {
	for line := range strings.Lines(strings.TrimSpace(pointwise)) {
		var producers, consumers int
		if _, err := fmt.Sscan(line, &producers, &consumers); err != nil {
			t.Fatal(err)
		}
		var got []string
		for p := range producers {
			got = append(got, fmt.Sprint(Links(core.Rescale, p, producers, consumers)))
		}
		_, want, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%d producers, %d consumers: got %s, want %s", producers, consumers, g, want)
		}
	}
}

func TestOtherPartitioningsLinkEveryConsumer(t *testing.T) {
	for _, kind := range []core.Partitioning{core.Rebalance, core.Shuffle, core.Broadcast, core.Global, core.Hash, core.Custom} {
		if got := fmt.Sprint(Links(kind, 1, 2, 3)); got != "[0 1 2]" {
			t.Errorf("%v: got %s, want [0 1 2]", kind, got)
		}
	}
}
