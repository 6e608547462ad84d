package flk

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// workDir is the folder that the paths in a document's cells start from: the document's own, or, where the document
// brings files, a temporary folder that shows the same entries and these files. clean removes it.
func workDir(d *Document) (dir string, clean func(), err error) {
	home, err := filepath.Abs(filepath.Dir(d.file))
	if err != nil {
		return "", nil, err
	}
	var files []*Block
	for _, b := range d.Blocks {
		if b.Kind == File {
			files = append(files, b)
		}
	}
	if len(files) == 0 {
		return home, func() {}, nil
	}
	dir, err = os.MkdirTemp("", "flinkish-")
	if err != nil {
		return "", nil, err
	}
	clean = func() { os.RemoveAll(dir) }
	if err := fill(dir, home, files); err != nil {
		clean()
		return "", nil, fmt.Errorf("%s: %w", d.Path, err)
	}
	return dir, clean, nil
}

func fill(dir, home string, files []*Block) error {
	own := map[string]bool{} // first parts of the paths that the document brings
	for _, b := range files {
		first, _, _ := strings.Cut(filepath.ToSlash(b.Name), "/")
		own[first] = true
	}
	entries, err := os.ReadDir(home)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !own[e.Name()] {
			if err := os.Symlink(filepath.Join(home, e.Name()), filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	for _, b := range files {
		path := filepath.Join(dir, b.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(b.Body), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// goValue is a parameter as a Go literal: a number, true or false, a quoted string or a time such as 5s keep their
// kind, everything else is a string.
func goValue(v string) string {
	if _, err := strconv.ParseInt(v, 0, 64); err == nil {
		return v
	}
	if _, err := strconv.ParseFloat(v, 64); err == nil && strings.ContainsAny(v, "0123456789") {
		return v
	}
	if v == "true" || v == "false" {
		return v
	}
	if _, err := strconv.Unquote(v); err == nil && strings.HasPrefix(v, `"`) {
		return v
	}
	if d, err := time.ParseDuration(v); err == nil {
		return fmt.Sprintf("time.Duration(%d)", d)
	}
	return strconv.Quote(v)
}
