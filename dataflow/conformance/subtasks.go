package conformance

import (
	"reflect"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
)

// Subtasks are all subtasks of an operator, driven by hand.
type Subtasks []*Operator

// Subtasks takes n subtasks of the operator behind a stream into hand. snapshots, if given, are restored, one in each.
func (t *T) Subtasks(s Handle, n int, snapshots ...any) Subtasks {
	all := make(Subtasks, n)
	for i := range all {
		var from any
		if len(snapshots) > 0 {
			from = snapshots[i]
		}
		all[i] = t.operator(s, 1, i, n, from)
	}
	return all
}

// Feed gives each item to the subtasks that its partitioning leads to: all after a broadcast, else one by its key. Which
// one does not matter here, as long as equal keys meet.
func (all Subtasks) Feed(items Value) {
	for _, v := range items.List() {
		in := 0
		if n := v.At("in"); n.Exists() {
			in = int(n.Int()) - 1
		}
		for i, o := range all {
			if o.t.Inputs[in].Partitioning == graph.Broadcast || o.ownerOf(in, v.At("e"), len(all)) == i {
				o.guard(func() { o.item(v) })
			}
		}
	}
}

// ownerOf chooses the subtask of a record on a keyed input.
func (o *Operator) ownerOf(in int, v Value, n int) int {
	owner := 0
	probe := reflect.MakeFunc(reflect.TypeOf(o.inst.Inputs[in]), func(args []reflect.Value) []reflect.Value {
		for _, b := range []byte(textOf(plainOf(args[0].Interface()))) {
			owner += int(b)
		}
		return nil
	})
	bound, _ := keyerOf(o.t.Inputs[in]).Bind(o.sub, probe.Interface())
	emit := reflect.ValueOf(bound)
	rec := reflect.New(emit.Type().In(0)).Elem()
	v.decode(rec)
	emit.Call([]reflect.Value{rec, reflect.ValueOf(core.NoTimestamp)})
	return owner % n
}

// Records are the records that the subtasks sent, subtask by subtask.
func (all Subtasks) Records(t *T) []Item {
	var items []Item
	for _, o := range all {
		if o.Err != nil {
			t.Errorf("the operator failed: %v", o.Err)
		}
		for _, i := range o.Out {
			if i.Kind == Record {
				items = append(items, i)
			}
		}
	}
	return items
}

// Rescale returns the snapshots of n subtasks, made of those of all.
func (all Subtasks) Rescale(t *T, n int) []any {
	var snapshots []any
	for _, o := range all {
		o.guard(func() {
			s, err := o.inst.Op.(core.Snapshotter).Snapshot()
			if err != nil {
				o.rt.Fail(err)
			}
			snapshots = append(snapshots, s)
		})
		if o.Err != nil {
			t.Fatalf("snapshot: %v", o.Err)
		}
	}
	parts, err := snapshots[0].(core.Rescalable).Rescale(snapshots, n)
	if err != nil {
		t.Fatalf("rescale: %v", err)
	}
	return parts
}
