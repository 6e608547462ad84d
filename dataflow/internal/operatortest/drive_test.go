// Package operatortest_test drives single operators of the API by hand, with records and watermarks in an exact order, and
// runs small jobs around them. It is apart from the tests of package dataflow because there each record type costs seconds of
// compiling; here there is one, ev.
package operatortest_test

import (
	"cmp"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/conformance"
	"flinkish/dataflow/internal/core"
)

// ev is the record of these tests: a key, a value and its time in milliseconds.
type ev struct {
	K string
	V int
	T int64
}

func (e ev) String() string { return fmt.Sprintf("%s%d", e.K, e.V) }

func key(e ev) string { return e.K }

// texts joins the records of a sequence.
func texts(vs iter.Seq[ev]) string {
	var all []string
	for v := range vs {
		all = append(all, v.String())
	}
	return strings.Join(all, "+")
}

// item is what an operator under test gets: a record on input in, or a watermark on all inputs.
type item struct {
	in int
	v  ev
	wm bool
}

func (i item) String() string {
	if i.wm {
		return fmt.Sprint("wm=", i.v.T)
	}
	return fmt.Sprintf("%d:%v@%d", i.in, i.v, i.v.T)
}

// script draws records for n inputs, most of them near the watermark, and watermarks that mostly rise.
func script(r *rand.Rand, n int) (items []item) {
	at := int64(10)
	for i := range 12 + r.IntN(30) {
		at += r.Int64N(4)
		if r.IntN(4) == 0 {
			items = append(items, item{wm: true, v: ev{T: at - r.Int64N(6)}})
			continue
		}
		v := ev{string(rune('a' + r.IntN(3))), i, max(at+r.Int64N(12)-6, 0)}
		items = append(items, item{in: r.IntN(n), v: v})
	}
	return items
}

// rises are the places in a script right behind a watermark that is above all before it, and its start: no timer waits there
// that is due.
func rises(items []item) []int {
	all, top := []int{0}, int64(-1)
	for i, it := range items {
		if it.wm && it.v.T > top {
			all, top = append(all, i+1), it.v.T
		}
	}
	return all
}

// driven is an operator under test.
type driven struct {
	*conformance.Operator
	tr     *Transformation
	inputs int
	top    int64 // greatest watermark so far
}

func drive(t *testing.T, s conformance.Handle) *driven {
	t.Helper()
	if err := s.Env().Err(); err != nil {
		t.Fatal(err)
	}
	op, err := conformance.NewOperator(s)
	if err != nil {
		t.Fatal(err)
	}
	d := &driven{op, s.Transformation(), len(s.Transformation().Inputs), -1}
	if d.taggers() != nil {
		d.inputs = 2
	}
	return d
}

// taggers are the hidden maps before a join or coGroup; nil before other operators.
func (d *driven) taggers() []*Transformation {
	in := d.tr.Inputs[0]
	if len(in.Inputs) == 1 && len(in.Inputs[0].Inputs) == 2 && in.Inputs[0].Inputs[0].Name == "Map" {
		return in.Inputs[0].Inputs
	}
	return nil
}

// feed gives the operator items, which must not fail.
func (d *driven) feed(t *testing.T, items []item) {
	t.Helper()
	d.feedAll(t, items)
	if d.Err != nil {
		t.Fatalf("%v: %v", items, d.Err)
	}
}

func (d *driven) feedAll(t *testing.T, items []item) {
	t.Helper()
	for _, it := range items {
		switch {
		case it.wm:
			d.top = max(d.top, it.v.T)
			for in := range d.tr.Inputs {
				d.Watermark(in, it.v.T)
			}
		case d.taggers() != nil:
			inst, err := d.taggers()[it.in].Factory.New(&core.Subtask{}, core.Outputs{Main: d.Emit(0)})
			if err != nil {
				t.Fatal(err)
			}
			d.Guard(func() { inst.Inputs[0].(core.Emit[ev])(it.v, it.v.T) })
		default:
			d.Put(it.in, it.v, it.v.T)
		}
	}
}

// results are the records that came out, with those of the side outputs; between two watermarks their order is free.
func (d *driven) results() string {
	var all, part []string
	flush := func() {
		slices.Sort(part)
		all, part = append(all, part...), nil
	}
	last := int64(-1)
	for _, i := range d.Out {
		switch {
		case i.Kind == conformance.Record:
			part = append(part, i.String())
		case i.Kind == conformance.Watermark && i.Time > last: // a restart sends the last one again
			flush()
			all, last = append(all, i.String()), i.Time
		}
	}
	flush()
	for _, tag := range sortedKeys(d.Side) {
		all = append(all, tag+":")
		for _, i := range d.Side[tag] {
			all = append(all, i.String())
		}
	}
	return strings.Join(all, " ")
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) (ks []K) {
	for k := range m {
		ks = append(ks, k)
	}
	slices.Sort(ks)
	return ks
}
