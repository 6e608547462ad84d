package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf16"
)

// Charset turns the bytes of a line into text.
type Charset struct {
	Name  string // as Java writes it
	text  func(line string) string
	whole func(b []byte) string // for a charset in which a byte 10 is not always the end of a line
}

// Splittable reports whether the parts of a file can be read apart.
func (c Charset) Splittable() bool { return c.whole == nil }

var charsets = []Charset{
	{Name: "UTF-8", text: func(line string) string { return line }},
	{Name: "US-ASCII", text: func(line string) string { return narrow(line, 0x80) }},
	{Name: "ISO-8859-1", text: func(line string) string { return narrow(line, 0x100) }},
	{Name: "UTF-16", whole: func(b []byte) string {
		if len(b) > 1 && b[0] == 0xff && b[1] == 0xfe {
			return wide(b[2:], 1)
		}
		if len(b) > 1 && b[0] == 0xfe && b[1] == 0xff {
			b = b[2:]
		}
		return wide(b, 0)
	}},
	{Name: "UTF-16BE", whole: func(b []byte) string { return wide(b, 0) }},
	{Name: "UTF-16LE", whole: func(b []byte) string { return wide(b, 1) }},
}

// CharsetOf is the charset of this name, in any case.
func CharsetOf(name string) (Charset, error) {
	var names []string
	for _, c := range charsets {
		if strings.EqualFold(c.Name, name) {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Charset{}, fmt.Errorf("the charset %q is not supported; use one of %s", name, strings.Join(names, ", "))
}

// narrow is a line of one byte for each letter, of which those from limit on mean nothing.
func narrow(line string, limit int) string {
	plain := true
	for i := 0; plain && i < len(line); i++ {
		plain = line[i] < 0x80
	}
	if plain {
		return line
	}
	r := make([]rune, len(line))
	for i := range len(line) {
		if r[i] = rune(line[i]); int(line[i]) >= limit {
			r[i] = '\uFFFD'
		}
	}
	return string(r)
}

// wide is a text of two bytes for each unit; low is the place of the low byte's partner: 0 when the high byte comes first.
func wide(b []byte, low int) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i+low])<<8 | uint16(b[2*i+1-low])
	}
	return string(utf16.Decode(units))
}

// Lines calls emit for each line of the file that begins in the bytes from start to end, without its end (\n or \r\n). Ranges that
// cover the file give every line once. A charset that is not splittable gives all lines to the range that starts at 0.
func Lines(path string, start, end int64, c Charset, emit func(line string)) error {
	if !c.Splittable() {
		return wholeLines(path, start, c, emit)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	if start > 0 { // the line that goes on here belongs to an earlier part
		if _, err := f.Seek(start-1, io.SeekStart); err != nil {
			return err
		}
		skipped, err := skipLine(r)
		if err != nil {
			return ignoreEOF(err)
		}
		start += skipped - 1
	}
	for start < end {
		line, err := r.ReadString('\n')
		start += int64(len(line))
		if line != "" {
			emit(c.text(trimEnd(line)))
		}
		if err != nil {
			return ignoreEOF(err)
		}
	}
	return nil
}

func wholeLines(path string, start int64, c Charset, emit func(line string)) error {
	if start > 0 {
		return nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for line := range strings.Lines(c.whole(b)) {
		emit(trimEnd(line))
	}
	return nil
}

func skipLine(r *bufio.Reader) (n int64, err error) {
	for {
		part, err := r.ReadSlice('\n')
		n += int64(len(part))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return n, err
		}
	}
}

func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func trimEnd(line string) string {
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
}
