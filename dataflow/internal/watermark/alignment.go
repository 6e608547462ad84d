package watermark

import (
	"math"
	"sync"

	"flinkish/dataflow/internal/core"
)

// AlignmentParams is how a source waits for the others of its group (WatermarkAlignmentParams).
type AlignmentParams struct {
	Group    string
	Drift    int64 // ms, by which a split may be ahead of the slowest member
	Interval int64 // ms between two looks at the group
}

// Alignment is a group of source subtasks that wait for each other. Members join before the job runs; the rest is safe
// for concurrent use.
type Alignment struct {
	mu      sync.Mutex
	members []alignedMember
}

type alignedMember struct {
	wm  int64
	out bool // idle, or ended
}

// Join makes one more member, which is at MinWatermark, and returns its number.
func (a *Alignment) Join() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.members = append(a.members, alignedMember{wm: core.MinWatermark})
	return len(a.members) - 1
}

// Report says where a member is. One that is idle does not hold the others back.
func (a *Alignment) Report(member int, wm int64, idle bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.members[member] = alignedMember{wm, idle}
}

// Leave says that a member has ended.
func (a *Alignment) Leave(member int) { a.Report(member, core.MaxWatermark, true) }

// Limit is the watermark up to which members may read: the least one of those that are not idle, and drift more.
// Without any there is no limit.
func (a *Alignment) Limit(drift int64) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	least := core.MaxWatermark
	for _, m := range a.members {
		if !m.out {
			least = min(least, m.wm)
		}
	}
	if least > math.MaxInt64-drift {
		return core.MaxWatermark
	}
	return least + drift
}
