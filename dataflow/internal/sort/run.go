package sort

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// run is a sorted run on disk.
type run struct {
	file *os.File
	name string // empty once the file has no name any more
}

// newRun makes an empty run. Where the system allows it the file loses its name at once, so that nothing is left
// behind whatever happens to the process.
func newRun(dir string) (*run, error) {
	f, err := tempFile(dir)
	if err != nil {
		return nil, fmt.Errorf("sort: cannot write to disk: %w", err)
	}
	r := &run{file: f, name: f.Name()}
	if os.Remove(r.name) == nil {
		r.name = ""
	}
	return r, nil
}

func (r *run) close() error {
	err := r.file.Close()
	if r.name != "" {
		err = errors.Join(err, os.Remove(r.name))
	}
	return err
}

// writeRun makes a run of the records that all hands to write, in their order.
func (s *Sorter) writeRun(all func(write func(rec []byte) error) error) (*run, error) {
	r, err := newRun(s.cfg.Dir)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(r.file, s.bufferSize(8))
	err = all(func(rec []byte) error {
		_, err := w.Write(rec)
		return err
	})
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		r.close()
		return nil, fmt.Errorf("sort: cannot write to disk: %w", err)
	}
	return r, nil
}

// bufferSize shares an eighth of the budget among n buffers.
func (s *Sorter) bufferSize(n int) int {
	return int(min(max(s.cfg.Budget/8/int64(n), 16<<10), 1<<20))
}

// cursor reads one run.
type cursor struct {
	r      *bufio.Reader
	rec    []byte
	key    []byte // in rec
	prefix uint64
	number int // runs are older the lower it is
}

// advance reads the next record and reports whether there was one.
func (c *cursor) advance() (bool, error) {
	k, err := binary.ReadUvarint(c.r)
	if err == io.EOF {
		return false, nil
	}
	p, err2 := binary.ReadUvarint(c.r)
	if err = errors.Join(err, err2); err != nil {
		return false, damaged(err)
	}
	var head [2 * binary.MaxVarintLen64]byte
	h := binary.PutUvarint(head[:], k)
	h += binary.PutUvarint(head[h:], p)
	n := h + int(k) + int(p)
	if cap(c.rec) < n {
		c.rec = make([]byte, n)
	}
	c.rec = c.rec[:n]
	copy(c.rec, head[:h])
	if _, err := io.ReadFull(c.r, c.rec[h:]); err != nil {
		return false, damaged(err)
	}
	c.key = c.rec[h : h+int(k)]
	return true, nil
}

func damaged(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("sort: cannot read back from disk: %w", err)
}

// merge yields the records of several runs in order. Its cursors are a heap; the least one is first.
type merge struct {
	s       *Sorter
	heap    []*cursor
	started bool
}

func (s *Sorter) newMerge(runs []*run) (*merge, error) {
	m := &merge{s: s}
	size := s.bufferSize(len(runs))
	for i, r := range runs {
		if _, err := r.file.Seek(0, io.SeekStart); err != nil {
			return nil, damaged(err)
		}
		c := &cursor{r: bufio.NewReaderSize(r.file, size), number: i}
		ok, err := c.advance()
		if err != nil {
			return nil, err
		}
		if ok {
			c.prefix = s.prefix(c.key)
			m.heap = append(m.heap, c)
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	return m, nil
}

// next returns the next record, nil after the last one. It is good until the next call: only then does its
// cursor go on.
func (m *merge) next() ([]byte, error) {
	if m.started && len(m.heap) > 0 {
		c := m.heap[0]
		ok, err := c.advance()
		switch {
		case err != nil:
			return nil, err
		case ok:
			c.prefix = m.s.prefix(c.key)
		default:
			last := len(m.heap) - 1
			m.heap[0] = m.heap[last]
			m.heap[last] = nil
			m.heap = m.heap[:last]
		}
		m.down(0)
	}
	m.started = true
	if len(m.heap) == 0 {
		return nil, nil
	}
	return m.heap[0].rec, nil
}

func (m *merge) less(a, b *cursor) bool {
	if a.prefix != b.prefix {
		return a.prefix < b.prefix
	}
	if c := m.s.compareKeys(a.key, b.key); c != 0 {
		return c < 0
	}
	return a.number < b.number
}

func (m *merge) down(i int) {
	h := m.heap
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && m.less(h[c+1], h[c]) {
			c++
		}
		if !m.less(h[c], h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}
