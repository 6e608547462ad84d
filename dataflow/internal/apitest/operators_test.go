package apitest_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	. "flinkish/dataflow"
)

func TestSumByAddsWhatItReads(t *testing.T) {
	keyed := env().FromElements(11, 12, 23).KeyBy(func(v int) int { return 0 })
	// The sum is in the last digit; the tens stay those of the first record.
	got := keyed.SumBy(func(v int) int { return v % 10 }, func(v, sum int) int { return v/10*10 + sum })
	if got.OpName() != "Keyed Aggregation" {
		t.Errorf("name %q", got.OpName())
	}
	expect(t, collect(t, got), 11, 13, 16)
}

func TestResourcesOfSlotSharingGroups(t *testing.T) {
	one, two := ResourceSpec{CPUCores: 1, HeapMemory: 1 << 20}, ResourceSpec{CPUCores: 2}
	e := env().RegisterSlotSharingGroup("a", one)
	d := e.FromElements(1).Map(func(v int) int { return v }).SlotSharingGroup("a").SlotSharingGroup("a", one)
	d.Print().SlotSharingGroup("b", two)
	if e.Err() != nil {
		t.Fatal(e.Err())
	}
	if r, ok := e.SlotSharingGroupResources("b"); !ok || r != two {
		t.Errorf("b needs %v, %v", r, ok)
	}
	d.SlotSharingGroup("a", two)
	if e.Err() != nil {
		t.Errorf("at the call: %v", e.Err())
	}
	_, err := e.ExecutionPlan()
	mistake(t, err, "IllegalArgument", `"a" needs`)
	e.RegisterSlotSharingGroup("c", ResourceSpec{CPUCores: -1})
	if err := e.TakeErr(); err == nil || !strings.Contains(err.Error(), "must not be negative") {
		t.Errorf("got %v", err)
	}
}

func TestAnAscendingExtractorTellsOfTimestampsThatGoBack(t *testing.T) {
	at := func(v int) int64 { return int64(v) }
	for name, c := range map[string]struct {
		opts           []ExtractorOption
		warnings, fail string
	}{
		"warns":  {nil, "warning: clock (1/1): timestamp monotony violated: 3 < 5\nwarning: clock (1/1): timestamp monotony violated: 4 < 5\n", ""},
		"ignore": {[]ExtractorOption{WithViolationHandler(IgnoringHandler)}, "", ""},
		"fails":  {[]ExtractorOption{WithViolationHandler(FailingHandler)}, "", `operator "clock" (1/1) failed on record 3: Runtime: the timestamps are not ascending: 3 comes after 5`},
		"calls": {[]ExtractorOption{WithViolationHandler(func(ts, last int64) error {
			if ts == 4 && last == 5 {
				return errors.New("mine")
			}
			return nil
		})}, "", `operator "clock" (1/1) failed on record 4: mine`},
	} {
		t.Run(name, func(t *testing.T) {
			var warnings strings.Builder
			e := env().Configure(WithOutput(io.Discard, &warnings))
			e.FromElements(2, 2, 5, 3, 5, 4, 6).AssignPeriodic(AscendingTimestampExtractor(at, c.opts...)).Name("clock").AddSinkFunc(func(int) error { return nil })
			if c.fail != "" {
				if _, err := e.Execute(t.Context()); err == nil || err.Error() != c.fail {
					t.Errorf("got %v, want %s", err, c.fail)
				}
			} else if got := userMetrics(t, e); !slices.Equal(got, []string{"clock counter numTimestampViolations = 2"}) {
				t.Errorf("metrics %v", got)
			}
			if warnings.String() != c.warnings {
				t.Errorf("got %q, want %q", warnings.String(), c.warnings)
			}
		})
	}
}
