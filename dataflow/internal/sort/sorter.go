// Package sort sorts more records than fit into memory: serialized records stand in an arena, an index with the
// first eight bytes of each key is sorted instead of the records, and when the memory is used up the sorted
// records go to disk as a run. In the end the runs are merged. The form of an arena is used also when everything
// fits, because sorting it is several times faster than sorting a slice of structs.
package sort

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"os"
	"slices"
)

// MinBudget is the least memory of a Sorter, in bytes.
const MinBudget = 1 << 20

const (
	chunkBits = 20
	chunkSize = 1 << chunkBits // bytes of a piece of the arena
	entrySize = 16             // bytes of an index entry
	maxRuns   = 64             // runs on disk before they are merged into one
)

// Config is what a Sorter needs to know.
type Config struct {
	// Budget is the memory for records and index, in bytes; at least MinBudget is used.
	Budget int64
	// Compare orders keys; nil compares them byte by byte.
	Compare func(a, b []byte) int
	// Dir is where runs are written; empty is the system's folder for temporary files.
	Dir string
}

// Sorter sorts pairs of a key and a payload. Equal keys keep the order in which they were added. First come all
// calls of Add, then one of Sort, then Next to the end; Close at any time. It is not safe for concurrent use.
type Sorter struct {
	cfg     Config
	chunks  [][]byte
	spare   [][]byte // chunks of a run that was written
	index   []entry
	used    int64
	keyLen  int  // of all keys so far; -1 before the first
	uniform bool // all keys have the same length, at most 8: the prefix is the key
	runs    []*run
	spilled int
	merge   *merge
	next    int // of index, when nothing was spilled
}

// entry stands for one record: the first bytes of its key, and its place: chunk, offset.
type entry struct {
	prefix uint64
	pos    uint64
}

// New returns an empty Sorter.
func New(c Config) *Sorter {
	c.Budget = max(c.Budget, MinBudget)
	return &Sorter{cfg: c, keyLen: -1, uniform: c.Compare == nil}
}

// Add takes a copy of a pair.
func (s *Sorter) Add(key, payload []byte) error {
	size := recordSize(len(key), len(payload))
	if len(s.index) > 0 && s.used+int64(size)+s.indexSize() > s.limit() {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if s.keyLen != len(key) {
		s.uniform = s.uniform && s.keyLen < 0 && len(key) <= 8
		s.keyLen = len(key)
	}
	i := s.room(size)
	off := len(s.chunks[i])
	s.chunks[i] = appendRecord(s.chunks[i], key, payload)
	s.index = append(s.index, entry{s.prefix(key), uint64(i)<<32 | uint64(off)})
	s.used += int64(size)
	return nil
}

// limit is how much of the budget records and index take: an eighth is for buffers, and of the rest a half, since the
// heap grows to about twice of what lives before it is collected.
func (s *Sorter) limit() int64 { return (s.cfg.Budget - s.cfg.Budget/8) / 2 }

// indexSize is what the index takes once it holds one more entry: it grows by doubling, so the old one counts too.
func (s *Sorter) indexSize() int64 {
	if len(s.index) < cap(s.index) {
		return int64(cap(s.index)) * entrySize
	}
	return int64(cap(s.index)) * entrySize * 9 / 4
}

// room returns the chunk that has place for size more bytes.
func (s *Sorter) room(size int) int {
	if n := len(s.chunks); n > 0 && len(s.chunks[n-1])+size <= cap(s.chunks[n-1]) {
		return n - 1
	}
	var c []byte
	switch n := len(s.spare); {
	case size > chunkSize:
		c = make([]byte, 0, size)
	case n > 0:
		c, s.spare = s.spare[n-1][:0], s.spare[:n-1]
	case len(s.chunks) == 0:
		c = make([]byte, 0, max(size, 4<<10)) // most sorts are small
	default:
		c = make([]byte, 0, chunkSize)
	}
	s.chunks = append(s.chunks, c)
	return len(s.chunks) - 1
}

func (s *Sorter) prefix(key []byte) uint64 {
	if s.cfg.Compare != nil {
		return 0
	}
	return prefixOf(key)
}

func prefixOf(key []byte) uint64 {
	if len(key) >= 8 {
		return binary.BigEndian.Uint64(key)
	}
	var b [8]byte
	copy(b[:], key)
	return binary.BigEndian.Uint64(b[:])
}

func (s *Sorter) at(e entry) []byte { return s.chunks[e.pos>>32][uint32(e.pos):] }

func (s *Sorter) compareKeys(a, b []byte) int {
	if s.cfg.Compare != nil {
		return s.cfg.Compare(a, b)
	}
	return bytes.Compare(a, b)
}

// sortIndex orders the records in memory; the place breaks ties, so the sort is stable.
func (s *Sorter) sortIndex() {
	if s.uniform {
		slices.SortFunc(s.index, func(a, b entry) int {
			if a.prefix != b.prefix {
				return cmp.Compare(a.prefix, b.prefix)
			}
			return cmp.Compare(a.pos, b.pos)
		})
		return
	}
	slices.SortFunc(s.index, func(a, b entry) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		if c := s.compareKeys(keyOf(s.at(a)), keyOf(s.at(b))); c != 0 {
			return c
		}
		return cmp.Compare(a.pos, b.pos)
	})
}

// spill writes the records in memory as a sorted run.
func (s *Sorter) spill() error {
	s.sortIndex()
	r, err := s.writeRun(func(write func(rec []byte) error) error {
		for _, e := range s.index {
			rec := s.at(e)
			if err := write(rec[:sizeOf(rec)]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.spilled++
	s.runs = append(s.runs, r)
	for _, c := range s.chunks {
		if cap(c) == chunkSize {
			s.spare = append(s.spare, c)
		}
	}
	s.chunks, s.index, s.used = nil, s.index[:0], 0
	if len(s.runs) == maxRuns {
		return s.compact()
	}
	return nil
}

// compact merges the runs on disk into one, so that neither buffers nor open files grow without bound.
func (s *Sorter) compact() error {
	m, err := s.newMerge(s.runs)
	if err != nil {
		return err
	}
	r, err := s.writeRun(func(write func(rec []byte) error) error {
		for {
			rec, err := m.next()
			if rec == nil || err != nil {
				return err
			}
			if err := write(rec); err != nil {
				return err
			}
		}
	})
	for _, old := range s.runs {
		old.close()
	}
	s.runs = nil
	if err == nil {
		s.runs = []*run{r}
	}
	return err
}

// Sort ends the adding.
func (s *Sorter) Sort() error {
	if len(s.runs) == 0 {
		s.sortIndex()
		return nil
	}
	if len(s.index) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.chunks, s.spare, s.index = nil, nil, nil
	var err error
	s.merge, err = s.newMerge(s.runs)
	return err
}

// Next returns the next pair in ascending order of keys; ok is false after the last one. Both slices are good until
// the next call.
func (s *Sorter) Next() (key, payload []byte, ok bool, err error) {
	var rec []byte
	switch {
	case s.merge != nil:
		if rec, err = s.merge.next(); rec == nil {
			return nil, nil, false, err
		}
	case s.next < len(s.index):
		rec = s.at(s.index[s.next])
		s.next++
	default:
		return nil, nil, false, nil
	}
	key, payload = split(rec)
	return key, payload, true, nil
}

// All calls f with every pair that was added, before Sort: a Sorter to which they are added in this order gives what this
// one would give. The slices are good during the call only.
func (s *Sorter) All(f func(key, payload []byte) error) error {
	if len(s.runs) > 0 {
		m, err := s.newMerge(s.runs)
		if err != nil {
			return err
		}
		for {
			rec, err := m.next()
			if err != nil {
				return err
			}
			if rec == nil {
				break
			}
			if err := f(split(rec)); err != nil {
				return err
			}
		}
	}
	for _, e := range s.index {
		if err := f(split(s.at(e))); err != nil {
			return err
		}
	}
	return nil
}

// Spilled is how many runs went to disk.
func (s *Sorter) Spilled() int { return s.spilled }

// Close drops everything, also the files.
func (s *Sorter) Close() error {
	var first error
	for _, r := range s.runs {
		if err := r.close(); err != nil && first == nil {
			first = err
		}
	}
	*s = Sorter{cfg: s.cfg, keyLen: -1, uniform: s.cfg.Compare == nil}
	return first
}

// A record is the lengths of key and payload, then both.

func recordSize(key, payload int) int { return uvarintLen(key) + uvarintLen(payload) + key + payload }

func uvarintLen(n int) int {
	l := 1
	for n >= 0x80 {
		n >>= 7
		l++
	}
	return l
}

func appendRecord(b, key, payload []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(key)))
	b = binary.AppendUvarint(b, uint64(len(payload)))
	return append(append(b, key...), payload...)
}

func lengths(rec []byte) (head, key, payload int) {
	k, n := binary.Uvarint(rec)
	p, m := binary.Uvarint(rec[n:])
	return n + m, int(k), int(p)
}

func sizeOf(rec []byte) int {
	h, k, p := lengths(rec)
	return h + k + p
}

func keyOf(rec []byte) []byte {
	h, k, _ := lengths(rec)
	return rec[h : h+k]
}

func split(rec []byte) (key, payload []byte) {
	h, k, p := lengths(rec)
	return rec[h : h+k], rec[h+k : h+k+p]
}

func tempFile(dir string) (*os.File, error) { return os.CreateTemp(dir, "flinkish-sort-*") }
