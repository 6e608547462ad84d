package apitest_test

import (
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
