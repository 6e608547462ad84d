package file

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func lines(t *testing.T, path string, start, end int64, charset string) (got []string) {
	t.Helper()
	c, err := CharsetOf(charset)
	if err != nil {
		t.Fatal(err)
	}
	if err := Lines(path, start, end, c, func(line string) { got = append(got, line) }); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestRangesThatCoverAFileGiveEveryLineOnce(t *testing.T) {
	text := "one\r\ntwo\n\nfour, which is long\nfive"
	path := write(t, filepath.Join(t.TempDir(), "f"), text)
	want := []string{"one", "two", "", "four, which is long", "five"}
	for size := int64(1); size <= int64(len(text))+1; size++ {
		var got []string
		for start := int64(0); start < int64(len(text)); start += size {
			got = append(got, lines(t, path, start, min(start+size, int64(len(text))), "UTF-8")...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("parts of %d bytes: got %q, want %q", size, got, want)
		}
	}
}

func TestCharsetsOfLines(t *testing.T) {
	for _, c := range []struct{ charset, bytes, want string }{
		{"utf-8", "é\n日\n", "é|日"},
		{"ISO-8859-1", "\xe9\nplain\n", "é|plain"},
		{"US-ASCII", "a\xe9\n", "a\uFFFD"},
		{"UTF-16LE", "\xe9\x00\r\x00\n\x00\x0a\x01", "é|Ċ"}, // Ċ has a byte 10
		{"UTF-16BE", "\x00\xe9\x00\n", "é"},
		{"UTF-16", "\xff\xfea\x00", "a"},
		{"UTF-16", "\xfe\xff\x00a", "a"},
		{"UTF-16", "\x00a", "a"},
	} {
		path := write(t, filepath.Join(t.TempDir(), "f"), c.bytes)
		if got := strings.Join(lines(t, path, 0, int64(len(c.bytes)), c.charset), "|"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.charset, got, c.want)
		}
	}
	if _, err := CharsetOf("EBCDIC"); err == nil || !strings.Contains(err.Error(), "UTF-8, US-ASCII") {
		t.Errorf("got %v", err)
	}
}

func TestFindLeavesHiddenFilesAndNestedDirectoriesOut(t *testing.T) {
	dir := t.TempDir()
	for _, p := range []string{"b", "a", ".c", "_d", "e_COPYING_", "sub/f", "_sub/g"} {
		write(t, filepath.Join(dir, p), p)
	}
	find := func(path string, nested bool) string {
		found, err := Find(path, nested, Hidden)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range found {
			rel, _ := filepath.Rel(dir, f.Path)
			names = append(names, rel)
		}
		return strings.Join(names, " ")
	}
	for _, c := range []struct {
		path   string
		nested bool
		want   string
	}{{"", false, "a b"}, {"", true, "a b sub/f"}, {"_d", false, "_d"}, {"sub", false, "sub/f"}} {
		if got := find(filepath.Join(dir, c.path), c.nested); got != c.want {
			t.Errorf("%q, nested %v: got %s, want %s", c.path, c.nested, got, c.want)
		}
	}
	if _, err := Find(filepath.Join(dir, "none"), false, Hidden); !os.IsNotExist(err) {
		t.Errorf("a missing path: got %v", err)
	}
}
