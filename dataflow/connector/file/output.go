package file

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// Output is a file of records that one subtask writes, as Flink's FileOutputFormat does: the path itself when there is
// one subtask, else a file in the directory of that path, named by the number of the subtask from 1.
type Output struct {
	f *os.File
	w *bufio.Writer
}

// Create opens the file of subtask index of n. Without overwrite an existing file is an error, and so is an existing
// directory when n is 1.
func Create(path string, index, n int, overwrite bool) (*Output, error) {
	if n > 1 {
		if err := directory(path, overwrite); err != nil {
			return nil, err
		}
		path = filepath.Join(path, strconv.Itoa(index+1))
	} else if info, err := os.Stat(path); err == nil && info.IsDir() {
		if !overwrite {
			return nil, fmt.Errorf("%s is a directory; remove it, or use another path", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("%s is a directory that cannot be replaced by a file: %w", path, err)
		}
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if overwrite {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(path, flags, 0o644)
	if os.IsExist(err) {
		return nil, fmt.Errorf("the file %s exists already; remove it, or write with Mode(Overwrite)", path)
	}
	if err != nil {
		return nil, err
	}
	return &Output{f, bufio.NewWriter(f)}, nil
}

// directory makes the directory of the files; a file in its place is replaced when overwrite is set.
func directory(path string, overwrite bool) error {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		if !overwrite {
			return fmt.Errorf("the file %s exists already where a directory is needed; remove it, or write with Mode(Overwrite)", path)
		}
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return os.MkdirAll(path, 0o755)
}

// WriteString appends text; it is written when a buffer is full, and at Close.
func (o *Output) WriteString(text string) error {
	_, err := o.w.WriteString(text)
	return err
}

// Close writes the rest and closes the file.
func (o *Output) Close() error {
	err := o.w.Flush()
	if e := o.f.Close(); err == nil {
		err = e
	}
	return err
}
