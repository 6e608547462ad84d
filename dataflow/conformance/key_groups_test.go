package conformance

import (
	"strconv"
	"unicode/utf8"

	df "flinkish/dataflow"
	"flinkish/dataflow/internal/keygroup"
)

// hashed is one key with the hash code that keyBy computes of it.
type hashed struct {
	key  any
	hash int32
}

func hashOf[K comparable](k K) hashed { return hashed{k, keygroup.HasherOf[K]()(k)} }

// keyOfRow reads the key of a row as the Go type that the row names.
func (t *T) keyOfRow(row Value) hashed {
	typ, key := row.At("type"), row.At("key")
	if typ.IsList() {
		switch textOf(typ.Plain()) {
		case `["string", "int32"]`:
			return hashOf(As[df.Tuple2[string, int32]](key))
		case `["int32", "string"]`:
			return hashOf(As[df.Tuple2[int32, string]](key))
		}
		t.Fatalf("no key has the types %s", textOf(typ.Plain()))
	}
	switch typ.Text() {
	case "string":
		return hashOf(As[string](key))
	case "bool":
		return hashOf(As[bool](key))
	case "int8":
		return hashOf(As[int8](key))
	case "int16":
		return hashOf(As[int16](key))
	case "int32":
		return hashOf(As[int32](key))
	case "int64":
		return hashOf(As[int64](key))
	case "float32":
		return hashOf(As[float32](key))
	case "float64":
		return hashOf(As[float64](key))
	case "rune":
		r, n := utf8.DecodeRuneInString(key.Text())
		if n != len(key.Text()) {
			t.Fatalf("%s is not one character", key.Text())
		}
		return hashOf(r)
	}
	t.Fatalf("no key has the type %s", typ.Text())
	return hashed{}
}

// keyRows compares hash code, mixed hash, key group and subtasks of each key.
func keyRows(t *T) {
	rows := t.Expect.At("rows").List()
	var keys []any
	for _, row := range rows {
		k := t.keyOfRow(row)
		keys = append(keys, k.key)
		t.Equal(k.hash, row.At("hash"))
		t.Equal(keygroup.Murmur(k.hash), row.At("mixed"))
		t.Equal(keygroup.Group(k.hash, 128), row.At("kg128"))
	}
	for _, n := range []int{2, 3, 4} {
		subtasks := t.subtasksOf(keys, n)
		for i, row := range rows {
			t.Equal(subtasks[i], row.At("sub"+strconv.Itoa(n)))
		}
	}
}

// subtasksOf runs a job with n subtasks after a keyBy, and tells which one each key came to.
func (t *T) subtasksOf(keys []any, n int) []int {
	keyed := t.Env().FromData(numbered(len(keys))...).KeyBy(func(s string) any { return keys[numberOf(s)] })
	where := make([]int, len(keys))
	for _, p := range Collect(t, keyed.MapRich(&placing{}).SetParallelism(n)) {
		where[numberOf(p.F1)] = p.F0
	}
	return where
}

var _ = register(map[string]Func{
	"KG-int-0": keyRows, "KG-int-1-2-3": keyRows, "KG-int-4-10": keyRows, "KG-int-negative": keyRows,
	"KG-string-empty": keyRows, "KG-string-abc": keyRows, "KG-string-keys": keyRows, "KG-string-words": keyRows,
	"KG-long-small": keyRows, "KG-bool": keyRows, "KG-double": keyRows, "KG-float-char-byte-short": keyRows, "KG-tuple2": keyRows,
	"KG-default-max-parallelism": func(t *T) {
		values := t.Expect.At("values")
		for _, p := range values.Keys() {
			env := t.Env()
			mapped(source(env, "src"), "m").SetParallelism(numberOf(p))
			g, err := env.JobGraph()
			if err != nil {
				t.Fatalf("graph: %v", err)
			}
			t.Equal(g.Vertices[len(g.Vertices)-1].MaxParallelism, values.At(p))
		}
	},
	"KG-range-consistency": func(t *T) {
		agree, complete := true, true
		for most := 1; most <= int(t.Input.At("max_parallelism_to").Int()); most++ {
			for p := 1; p <= most; p++ {
				next := 0
				for i := range p {
					from, to := keygroup.Range(i, most, p)
					complete = complete && from == next && to >= from
					next = to + 1
				}
				complete = complete && next == most
				for g := range most {
					from, to := keygroup.Range(keygroup.Subtask(g, most, p), most, p)
					agree = agree && from <= g && g <= to
				}
			}
		}
		t.Equal(agree, t.Expect.At("ranges_agree"))
		t.Equal(complete, t.Expect.At("disjoint_and_complete"))
	},
	"KG-sequence-0-19": func(t *T) {
		var keys, groups []any
		for _, k := range AllAs[int32](t.Input) {
			keys = append(keys, k)
			groups = append(groups, keygroup.Group(hashOf(k).hash, 128))
		}
		t.Same(groups, t.Expect.At("kg128"))
		t.Equal(t.subtasksOf(keys, 2), t.Expect.At("sub2"))
		t.Equal(t.subtasksOf(keys, 3), t.Expect.At("sub3"))
	},
})
