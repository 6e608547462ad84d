package conformance

import (
	"slices"
	"strconv"
	"strings"

	"flinkish/dataflow/internal/core"
)

// Item is one thing that came out: a record with its timestamp, a watermark, or a change of idleness.
type Item struct {
	Kind  ItemKind
	Value any   // of a record
	Time  int64 // ms: timestamp of a record (MinInt64: none), or the watermark
}

// ItemKind is what an Item is.
type ItemKind uint8

const (
	Record ItemKind = iota
	Watermark
	Idle
	Active
)

// String is the item as messages show it.
func (i Item) String() string {
	switch i.Kind {
	case Watermark:
		return "wm " + strconv.FormatInt(i.Time, 10)
	case Idle:
		return "IDLE"
	case Active:
		return "ACTIVE"
	}
	s := textOf(plainOf(i.Value))
	if i.Time != core.NoTimestamp {
		s += "@" + strconv.FormatInt(i.Time, 10)
	}
	return s
}

// Records makes items without timestamps of the records of a stream that was collected.
func Records[X any](vs []X) []Item {
	items := make([]Item, len(vs))
	for i, v := range vs {
		items[i] = Item{Value: v, Time: core.NoTimestamp}
	}
	return items
}

// wanted is one expected item; the value of its record is a plain one.
type wanted struct {
	item  Item
	timed bool // the timestamp counts
}

func (w wanted) String() string {
	if w.item.Kind == Record && !w.timed {
		return textOf(w.item.Value)
	}
	return w.item.String()
}

// wantedOf reads an element of an expected output: {e, t}, {wm}, IDLE, ACTIVE, or a plain value.
func wantedOf(v Value) wanted {
	if v.IsMap() {
		if wm := v.At("wm"); wm.Exists() {
			return wanted{item: Item{Kind: Watermark, Time: wm.Int()}}
		}
		w := wanted{item: Item{Value: v.At("e").Plain(), Time: core.NoTimestamp}}
		if t := v.At("t"); t.Exists() {
			w.item.Time, w.timed = t.Int(), true
		}
		return w
	}
	switch x := v.Plain(); x {
	case "IDLE":
		return wanted{item: Item{Kind: Idle}}
	case "ACTIVE":
		return wanted{item: Item{Kind: Active}}
	default:
		return wanted{item: Item{Value: x, Time: core.NoTimestamp}}
	}
}

func (w wanted) matches(got Item) bool {
	if got.Kind != w.item.Kind {
		return false
	}
	switch got.Kind {
	case Watermark:
		return got.Time == w.item.Time
	case Record:
		return textOf(plainOf(got.Value)) == textOf(w.item.Value) && (!w.timed || got.Time == w.item.Time)
	}
	return true
}

// order is how much of the order counts.
type order uint8

const (
	exact order = iota
	anyOrder
	betweenMarks        // free between two watermarks
	withinSameTimestamp // free within one timestamp
)

// orderOf reads the flags that stand beside an expected list.
func orderOf(expect Value) order {
	switch {
	case expect.At("unordered").Bool():
		return anyOrder
	case expect.At("unordered_between_marks").Bool():
		return betweenMarks
	case expect.At("unordered_within_same_timestamp").Bool():
		return withinSameTimestamp
	}
	return exact
}

// difference is empty when got is what the list want says, in the given order.
func difference(got []Item, want Value, o order) string {
	var ws []wanted
	for _, v := range want.List() {
		ws = append(ws, wantedOf(v))
	}
	if matchAll(got, ws, o) {
		return ""
	}
	return want.path + ":\n got " + join(got) + "\nwant " + join(ws)
}

func matchAll(got []Item, want []wanted, o order) bool {
	if len(got) != len(want) {
		return false
	}
	switch o {
	case anyOrder:
		return sameSet(got, want)
	case betweenMarks:
		return eachGroup(got, want, func(a, b wanted) bool { return a.item.Kind == Record && b.item.Kind == Record })
	case withinSameTimestamp:
		return eachGroup(got, want, func(a, b wanted) bool { return a.item.Kind == Record && a.item.Time == b.item.Time })
	}
	for i := range want {
		if !want[i].matches(got[i]) {
			return false
		}
	}
	return true
}

// eachGroup compares runs of neighbours that belong together as sets.
func eachGroup(got []Item, want []wanted, together func(a, b wanted) bool) bool {
	for from := 0; from < len(want); {
		to := from + 1
		for to < len(want) && together(want[to-1], want[to]) {
			to++
		}
		if !sameSet(got[from:to], want[from:to]) {
			return false
		}
		from = to
	}
	return true
}

func sameSet(got []Item, want []wanted) bool {
	left := slices.Clone(got)
	for _, w := range want {
		i := slices.IndexFunc(left, w.matches)
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return len(left) == 0
}

func join[X interface{ String() string }](xs []X) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = x.String()
	}
	return strings.Join(parts, ", ")
}
