package flk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile writes a file so that it is old or new, never half. A file that was there keeps its mode, and a link its
// target.
func replaceFile(path, text string) error {
	mode := fs.FileMode(0o644)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		info, err := os.Stat(real)
		if err != nil {
			return err
		}
		path, mode = real, info.Mode().Perm()
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".flinkish-*")
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return &fs.PathError{Op: "write", Path: path, Err: at.Err} // nobody knows the other file
	}
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.WriteString(text)
	if err == nil {
		err = tmp.Sync()
	}
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(tmp.Name(), mode)
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
