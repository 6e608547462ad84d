package file

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Found is a file that Find found.
type Found struct {
	Path     string
	Size     int64 // bytes
	Modified time.Time
}

// Hidden reports whether a file is one that programs keep for themselves: its name begins with a dot or an underscore, or has
// _COPYING_ in it (Flink's default FilePathFilter).
func Hidden(path string) bool {
	name := filepath.Base(path)
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || strings.Contains(name, "_COPYING_")
}

// Find gives the file at path, or the files of the directory at path in the order of their paths; those of its directories too
// when nested is set. It leaves out what skip reports true for, directories included, but never path itself.
func Find(path string, nested bool, skip func(path string) bool) ([]Found, error) {
	var found []Found
	err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p == path && d.IsDir():
			return nil
		case d.IsDir() && (!nested || skip(p)):
			return fs.SkipDir
		case d.IsDir() || p != path && skip(p):
			return nil
		}
		info, err := os.Stat(p)
		if err == nil && !info.IsDir() {
			found = append(found, Found{p, info.Size(), info.ModTime()})
		}
		return err
	})
	return found, err
}
