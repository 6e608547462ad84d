package keygroup

import "flinkish/dataflow/internal/fault"

// Splits gives the splits of a pre-keyed source their key groups: each split has one of its own, in the order of
// discovery, and is read by the subtask that owns the group. A group is never given out twice, for the state of a
// split's keys outlives it.
type Splits struct {
	maxPar, par, next int
}

// NewSplits returns the mapping of a source with par subtasks and maxPar key groups.
func NewSplits(maxPar, par int) *Splits { return &Splits{maxPar: maxPar, par: par} }

// Next returns the key group of the next split and the subtask that must read it; it fails when every group has
// a split.
func (s *Splits) Next() (group, subtask int, err error) {
	if s.next >= s.maxPar {
		return 0, 0, fault.New("IllegalArgument", "ReinterpretAsKeyedStream", "the number of splits, %d or more, exceeds the max parallelism %d of a pre-keyed stream; raise the max parallelism with SetMaxParallelism", s.next+1, s.maxPar)
	}
	group = s.next
	s.next++
	return group, Subtask(group, s.maxPar, s.par), nil
}
