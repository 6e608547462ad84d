package watermark

import (
	"math"
	"testing"
)

func TestTheSlowestMemberThatIsNotOutSetsTheLimit(t *testing.T) {
	a := &Alignment{}
	is := func(when string, want int64) {
		t.Helper()
		if got := a.Limit(50); got != want {
			t.Errorf("%s: got %d, want %d", when, got, want)
		}
	}
	is("without members", math.MaxInt64)
	one, two, three := a.Join(), a.Join(), a.Join()
	a.Report(one, 700, false)
	is("before all have reported", math.MinInt64+50)
	a.Report(two, 300, false)
	a.Report(three, 500, false)
	is("with all", 350)
	a.Report(two, 300, true)
	is("with one that is idle", 550)
	a.Report(two, 310, false)
	is("when it is back", 360)
	a.Leave(two)
	a.Leave(three)
	is("with one that is left", 750)
	a.Report(one, math.MaxInt64-10, false)
	is("near the end of time", math.MaxInt64)
	a.Leave(one)
	is("when all have ended", math.MaxInt64)
}
