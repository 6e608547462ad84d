package exchange

import (
	"encoding/binary"
	"reflect"
	"sync/atomic"
	"unsafe"

	"flinkish/dataflow/internal/codec"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/spill"
)

// heldRecords is how many records a blocking channel keeps in memory; the rest goes to disk.
const heldRecords = 1 << 14

// store is what a blocking channel holds: everything, until its producer has ended. The producer fills it, then seals
// it; from then on it belongs to the consumer.
type store[K, T any] struct {
	sealed atomic.Bool
	held   int
	batch  []*batch[K, T] // the first ones, in memory
	log    *spill.Log     // the others; nil while there are none
	vals   *codec.Codec
	keys   *codec.Codec
	buf    []byte

	reader  *spill.Reader
	current *batch[K, T] // read from disk
}

// add takes a batch and returns an empty one.
func (s *store[K, T]) add(b *batch[K, T]) (*batch[K, T], error) {
	if s.held < heldRecords {
		s.held += len(b.vals) + len(b.marks)
		s.batch = append(s.batch, b)
		return &batch[K, T]{}, nil
	}
	if s.log == nil {
		var err error
		if s.log, err = spill.New(""); err != nil {
			return b, err
		}
		s.vals, s.keys = codec.New(reflect.TypeFor[T]()), codec.New(reflect.TypeFor[K]())
	}
	s.encode(b)
	b.reset()
	return b, s.log.Append(s.buf)
}

func (s *store[K, T]) seal() error {
	if s.log != nil {
		if err := s.log.Seal(); err != nil {
			return err
		}
	}
	s.sealed.Store(true)
	return nil
}

// encode writes the number of values, keys, timestamps and marks, then each of them; values with their lengths.
func (s *store[K, T]) encode(b *batch[K, T]) {
	buf := s.buf[:0]
	for _, n := range []int{len(b.vals), len(b.keys), len(b.ts), len(b.marks)} {
		buf = binary.AppendUvarint(buf, uint64(n))
	}
	for i := range b.vals {
		buf = appendSized(buf, s.vals, unsafe.Pointer(&b.vals[i]))
	}
	for i := range b.keys {
		buf = appendSized(buf, s.keys, unsafe.Pointer(&b.keys[i]))
	}
	for _, ts := range b.ts {
		buf = binary.LittleEndian.AppendUint64(buf, uint64(ts))
	}
	for _, m := range b.marks {
		buf = binary.AppendUvarint(append(buf, byte(m.Kind)), uint64(m.Pos))
		buf = binary.LittleEndian.AppendUint64(buf, uint64(m.Time))
	}
	s.buf = buf
}

func appendSized(b []byte, c *codec.Codec, p unsafe.Pointer) []byte {
	at := len(b)
	b = c.Append(append(b, 0, 0, 0, 0), p)
	binary.LittleEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	return b
}

func (s *store[K, T]) decode(b []byte, into *batch[K, T]) error {
	var n [4]int
	for i := range n {
		v, k := binary.Uvarint(b)
		n[i], b = int(v), b[k:]
	}
	for range n[0] {
		var v T
		if err := decodeSized(&b, s.vals, unsafe.Pointer(&v)); err != nil {
			return err
		}
		into.vals = append(into.vals, v)
	}
	for range n[1] {
		var k K
		if err := decodeSized(&b, s.keys, unsafe.Pointer(&k)); err != nil {
			return err
		}
		into.keys = append(into.keys, k)
	}
	for range n[2] {
		into.ts, b = append(into.ts, int64(binary.LittleEndian.Uint64(b))), b[8:]
	}
	for range n[3] {
		m := core.Mark{Kind: core.MarkKind(b[0])}
		pos, k := binary.Uvarint(b[1:])
		m.Pos, b = int(pos), b[1+k:]
		m.Time, b = int64(binary.LittleEndian.Uint64(b)), b[8:]
		into.marks = append(into.marks, m)
	}
	return nil
}

func decodeSized(b *[]byte, c *codec.Codec, p unsafe.Pointer) error {
	n := binary.LittleEndian.Uint32(*b)
	err := c.Decode((*b)[4:4+n], p)
	*b = (*b)[4+n:]
	return err
}

// peek returns the first batch, which stays until pop.
func (s *store[K, T]) peek() (*batch[K, T], error) {
	if len(s.batch) > 0 {
		return s.batch[0], nil
	}
	if s.current != nil && len(s.current.vals)+len(s.current.marks) > 0 {
		return s.current, nil
	}
	if s.reader == nil {
		s.reader, s.current = s.log.Reader(), &batch[K, T]{}
	}
	b, err := s.reader.Next()
	if err != nil {
		return nil, err
	}
	return s.current, s.decode(b, s.current)
}

func (s *store[K, T]) pop() {
	if len(s.batch) > 0 {
		s.batch[0] = nil
		s.batch = s.batch[1:]
		return
	}
	s.current.reset()
}

// close drops what is on disk.
func (s *store[K, T]) close() {
	if s.log != nil {
		s.log.Close()
		s.log = nil
	}
}
