package exchange

import (
	"encoding/binary"
	"reflect"
	"unsafe"

	"flinkish/dataflow/internal/codec"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/sort"
)

// Gather implements core.Gathering.
func (k keyer[T, K]) Gather(s *core.Subtask, in any) core.Gatherer {
	to, ok := in.(core.KeyedEmit[K, T])
	if !ok {
		return nil
	}
	return &gatherer[K, T]{
		sub: s, to: to,
		groups: sort.GroupsOf(reflect.TypeFor[K]()),
		codec:  codec.New(reflect.TypeFor[keyed[K, T]]()),
		sorter: sort.New(sort.Config{Budget: s.SortMemory}),
	}
}

// keyed is a record with its key.
type keyed[K, T any] struct {
	key K
	val T
}

// gatherer sorts one keyed input by the bytes of the key, then by time, then in order of arrival.
type gatherer[K comparable, T any] struct {
	sub    *core.Subtask
	to     core.KeyedEmit[K, T]
	groups *sort.Groups
	codec  *codec.Codec
	sorter *sort.Sorter
	taken  uint64
	by     []byte // scratch
	buf    []byte // scratch

	next []byte // bytes of the record that comes next: key and time; nil after the last one
	rec  []byte
}

func (g *gatherer[K, T]) In() any { return core.KeyedEmit[K, T](g.add) }

func (g *gatherer[K, T]) Taken() uint64 { return g.taken }

func (g *gatherer[K, T]) add(k K, v T, ts int64) {
	g.taken++
	r := keyed[K, T]{k, v}
	g.by = binary.BigEndian.AppendUint64(g.groups.Append(g.by[:0], unsafe.Pointer(&r.key)), uint64(ts)^1<<63)
	g.buf = g.codec.Append(g.buf[:0], unsafe.Pointer(&r))
	if err := g.sorter.Add(g.by, g.buf); err != nil {
		g.sub.Runtime.Fail(err)
	}
}

func (g *gatherer[K, T]) Sort() error {
	if err := g.sorter.Sort(); err != nil {
		return err
	}
	return g.advance()
}

func (g *gatherer[K, T]) advance() error {
	key, rec, ok, err := g.sorter.Next()
	if !ok {
		key, rec = nil, nil
	}
	g.next, g.rec = key, rec
	return err
}

func (g *gatherer[K, T]) Key() []byte {
	if g.next == nil {
		return nil
	}
	return g.next[:len(g.next)-8]
}

func (g *gatherer[K, T]) Time() int64 {
	return int64(binary.BigEndian.Uint64(g.next[len(g.next)-8:]) ^ 1<<63)
}

func (g *gatherer[K, T]) Deliver(last int64, between func()) error {
	g.by = append(g.by[:0], g.Key()...)
	for g.next != nil && string(g.Key()) == string(g.by) {
		ts := g.Time()
		if ts > last {
			return nil
		}
		var r keyed[K, T]
		if err := g.codec.Decode(g.rec, unsafe.Pointer(&r)); err != nil {
			return err
		}
		if err := g.advance(); err != nil {
			return err
		}
		g.to(r.key, r.val, ts)
		between()
	}
	return nil
}

func (g *gatherer[K, T]) Close() error { return g.sorter.Close() }
