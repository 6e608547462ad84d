// Documentation of the library's names.

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

//go:embed data/docs.bin
var docsData []byte

var docs = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	b, err := io.ReadAll(flate.NewReader(bytes.NewReader(docsData)))
	if err != nil {
		return m // a broken build, which a test finds
	}
	for line := range strings.Lines(string(b)) {
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		m[name] = text
	}
	return m
})

// Doc is the first sentence of the documentation of an exported name of the library: NewEnv, DataStream,
// DataStream.Map. ok is false when there is no such name.
func Doc(name string) (text string, ok bool) {
	text, ok = docs()[name]
	return text, ok
}

// DocNames lists the names that Doc knows, sorted.
func DocNames() []string {
	names := make([]string, 0, len(docs()))
	for n := range docs() {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}
