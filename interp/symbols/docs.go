// Documentation of the names that cells may use.

package symbols

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"io"
	"sort"
	"strings"
	"sync"
)

// The doc comments of the library and of the other packages, see gen. Both are read when they are first asked for.
var (
	//go:embed data/docs.bin
	libraryData []byte
	//go:embed data/stddocs.bin
	packagesData []byte

	libraryDocs  = sync.OnceValue(func() map[string]comment { return comments(libraryData) })
	packagesDocs = sync.OnceValue(func() map[string]comment { return comments(packagesData) })
)

// comment is a doc comment and its first sentence. A text that begins with = is the name of the declaration that has it.
type comment struct{ first, text string }

func comments(z []byte) map[string]comment {
	m := map[string]comment{}
	b, err := io.ReadAll(flate.NewReader(bytes.NewReader(z)))
	if err != nil {
		return m // a broken build, which a test finds
	}
	for part := strings.Split(string(b), "\x00"); len(part) > 3; part = part[3:] {
		m[part[0]] = comment{part[1], part[2]}
	}
	return m
}

// find is the comment of a name, and the name under which that is declared.
func find(name string) (c comment, declared string, ok bool) {
	docs := libraryDocs()
	if c, ok = docs[name]; !ok {
		docs = packagesDocs()
		c, ok = docs[name]
	}
	if to, promoted := strings.CutPrefix(c.text, "="); promoted {
		return docs[to], to, ok
	}
	return c, name, ok
}

// Doc is the doc comment of an exported name, and the name under which it is declared: that of DataStreamSource.Map is
// DataStream.Map. Names of the library are bare: NewEnv, DataStream, DataStream.Map; other names follow the path of
// their package: strings, strings.Fields, math/rand/v2.Rand.IntN. ok is false when there is no such name.
func Doc(name string) (text, declared string, ok bool) {
	c, declared, ok := find(name)
	return c.text, declared, ok
}

// Synopsis is the first sentence of Doc.
func Synopsis(name string) string {
	c, _, _ := find(name)
	return c.first
}

// DocNames lists the names of the library, sorted.
func DocNames() []string {
	names := make([]string, 0, len(libraryDocs()))
	for n := range libraryDocs() {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}
