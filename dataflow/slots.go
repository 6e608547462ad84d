package dataflow

import "flinkish/dataflow/graph"

// RegisterSlotSharingGroup says what the slots of a group need (registerSlotSharingGroup). It replaces what was said before. The
// local engine reserves nothing: the numbers are kept for the program to ask for.
func (e *StreamExecutionEnvironment) RegisterSlotSharingGroup(name string, r ResourceSpec) *StreamExecutionEnvironment {
	if e.checkGroup("RegisterSlotSharingGroup", name, r) {
		e.setSlots(name, r)
	}
	return e
}

// SlotSharingGroupResources is what the slots of a group need, and whether that was said.
func (e *StreamExecutionEnvironment) SlotSharingGroupResources(name string) (ResourceSpec, bool) {
	r, ok := e.slots[name]
	return r, ok
}

func (e *StreamExecutionEnvironment) setSlots(name string, r ResourceSpec) {
	if e.slots == nil {
		e.slots = map[string]ResourceSpec{}
	}
	e.slots[name] = r
}

func (e *StreamExecutionEnvironment) checkGroup(call, name string, r ResourceSpec) bool {
	switch {
	case name == "":
		e.fail("IllegalArgument", "", call, "the name of a slot sharing group must not be empty")
	case r.CPUCores < 0 || r.HeapMemory < 0:
		e.fail("IllegalArgument", "", call, "the resources of the slot sharing group %q must not be negative, got %v cores and %d bytes", name, r.CPUCores, r.HeapMemory)
	default:
		return true
	}
	return false
}

// slotGroup puts an operator into a group; two different needs for one group are a mistake of the graph.
func (e *StreamExecutionEnvironment) slotGroup(t *graph.Transformation, name string, res []ResourceSpec) {
	t.SlotSharingGroup = name
	if len(res) == 0 || !e.checkGroup("SlotSharingGroup", name, res[0]) {
		return
	}
	if old, ok := e.slots[name]; ok && old != res[0] {
		e.failGraph(t, "SlotSharingGroup", "the slot sharing group %q needs %v already, now %v; say it once, or use another name", name, old, res[0])
		return
	}
	e.setSlots(name, res[0])
}
