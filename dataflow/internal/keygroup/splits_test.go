package keygroup_test

import (
	"fmt"
	"testing"

	"flinkish/dataflow/internal/keygroup"
)

func TestEachSplitOfAPreKeyedSourceHasAKeyGroupOfItsOwn(t *testing.T) {
	tests := []struct {
		name                string
		maxPar, par, splits int
		want                string
	}{
		{"three groups are enough for three splits", 3, 1, 3, "0->0 1->0 2->0 "},
		{"the third split of two groups is one too many", 2, 1, 3, "0->0 1->0 IllegalArgument: ReinterpretAsKeyedStream: the number of splits, 3 or more, exceeds the max parallelism 2 of a pre-keyed stream; raise the max parallelism with SetMaxParallelism"},
		{"a split is read where its group is", 8, 3, 8, "0->0 1->0 2->0 3->1 4->1 5->1 6->2 7->2 "},
	}
	for _, tt := range tests {
		s, got := keygroup.NewSplits(tt.maxPar, tt.par), ""
		for range tt.splits {
			group, sub, err := s.Next()
			if err != nil {
				got += err.Error()
				break
			}
			if first, last := keygroup.Range(sub, tt.maxPar, tt.par); group < first || group > last {
				t.Errorf("%s: group %d is not in the range of subtask %d", tt.name, group, sub)
			}
			got += fmt.Sprintf("%d->%d ", group, sub)
		}
		if got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
