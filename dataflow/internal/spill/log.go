// Package spill keeps data on disk that is written once, in order, and read back in the same order: what a blocking
// exchange or a cache holds beyond what memory should.
package spill

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// ErrDamaged is what reading fails with when the bytes on disk are not those that were written.
var ErrDamaged = errors.New("spill: the data on disk is damaged")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Log is a file of blocks. All calls of Append come before the first Reader; readers may work at the same time.
type Log struct {
	file *os.File
	name string // empty once the file has no name any more
	w    *bufio.Writer
	size int64
}

// New makes an empty Log in a folder, by default the system's for temporary files. Where the system allows it the file
// loses its name at once, so that nothing is left behind whatever happens to the process; an open file goes
// away with the last reference to the Log at the latest.
func New(dir string) (*Log, error) {
	f, err := os.CreateTemp(dir, "flinkish-spill-*")
	if err != nil {
		return nil, fmt.Errorf("spill: cannot write to disk: %w", err)
	}
	l := &Log{file: f, name: f.Name(), w: bufio.NewWriterSize(f, 64<<10)}
	if os.Remove(l.name) == nil {
		l.name = ""
	}
	return l, nil
}

// Append writes a block: its length, its checksum, and itself.
func (l *Log) Append(b []byte) error {
	var head [8]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(b)))
	binary.LittleEndian.PutUint32(head[4:], crc32.Checksum(b, castagnoli))
	if _, err := l.w.Write(head[:]); err != nil {
		return fmt.Errorf("spill: cannot write to disk: %w", err)
	}
	if _, err := l.w.Write(b); err != nil {
		return fmt.Errorf("spill: cannot write to disk: %w", err)
	}
	l.size += int64(len(head) + len(b))
	return nil
}

// Size is the number of bytes written.
func (l *Log) Size() int64 { return l.size }

// Seal ends the writing.
func (l *Log) Seal() error {
	if err := l.w.Flush(); err != nil {
		return fmt.Errorf("spill: cannot write to disk: %w", err)
	}
	return nil
}

// Reader reads all blocks from the first on.
func (l *Log) Reader() *Reader {
	return &Reader{r: bufio.NewReaderSize(io.NewSectionReader(l.file, 0, l.size), 64<<10), left: l.size}
}

// Close drops the data.
func (l *Log) Close() error {
	err := l.file.Close()
	if l.name != "" {
		err = errors.Join(err, os.Remove(l.name))
	}
	return err
}

// Reader reads the blocks of a Log.
type Reader struct {
	r    *bufio.Reader
	left int64
	buf  []byte
}

// Next returns the next block, nil after the last one. It is good until the next call.
func (r *Reader) Next() ([]byte, error) {
	if r.left == 0 {
		return nil, nil
	}
	var head [8]byte
	if _, err := io.ReadFull(r.r, head[:]); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	n := int64(binary.LittleEndian.Uint32(head[:]))
	if r.left -= n + 8; r.left < 0 {
		return nil, ErrDamaged
	}
	if int64(cap(r.buf)) < n {
		r.buf = make([]byte, n)
	}
	r.buf = r.buf[:n]
	if _, err := io.ReadFull(r.r, r.buf); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if crc32.Checksum(r.buf, castagnoli) != binary.LittleEndian.Uint32(head[4:]) {
		return nil, ErrDamaged
	}
	return r.buf, nil
}
