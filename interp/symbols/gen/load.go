// Loading packages and rewriting their export data.

package main

import (
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
)

// library are the packages of our own that a cell may import. The first is dot-imported.
var library = []string{"flinkish/dataflow", "flinkish/dataflow/connector", "flinkish/dataflow/graph", "flinkish/dataflow/job"}

// bound are the packages that are exported to the interpreter.
var bound = library

// std are the packages of the standard library that a cell may import. Where two have one name, the
// one that a bare name means comes first.
var std = strings.Fields(`archive/tar archive/zip bufio bytes cmp compress/bzip2 compress/flate compress/gzip compress/lzw compress/zlib
container/heap container/list container/ring context math/rand math/rand/v2 crypto crypto/aes crypto/cipher crypto/ed25519 crypto/hmac
crypto/md5 crypto/rand crypto/sha1 crypto/sha256 crypto/sha512 crypto/subtle encoding encoding/ascii85 encoding/base32 encoding/base64
encoding/binary encoding/csv encoding/gob encoding/hex encoding/json encoding/pem encoding/xml errors flag fmt go/ast go/format
go/parser go/token hash hash/adler32 hash/crc32 hash/crc64 hash/fnv hash/maphash html text/template html/template image image/color
image/draw image/gif image/jpeg image/png index/suffixarray io io/fs io/ioutil iter log log/slog maps math math/big math/bits
math/cmplx mime net net/http net/mail net/netip net/textproto net/url os os/exec path path/filepath reflect regexp regexp/syntax
runtime runtime/debug slices sort strconv strings sync sync/atomic testing text/scanner text/tabwriter text/template/parse time unicode
unicode/utf16 unicode/utf8 unique`)

// world is everything that was loaded.
type world struct {
	fset *token.FileSet
	pkgs map[string]*types.Package
	list []string // paths, in the order of the index
	dirs map[string]string
}

// load reads the export data of all packages; it builds what is not in the build cache.
func load() (*world, error) {
	w := &world{fset: token.NewFileSet(), pkgs: map[string]*types.Package{}, list: append(append([]string{}, library...), std...), dirs: map[string]string{}}
	args := append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{.Dir}}"}, w.list...)
	cmd := exec.Command("go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	files := map[string]string{}
	for _, l := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if f := strings.Split(l, "\t"); len(f) == 3 {
			files[f[0]], w.dirs[f[0]] = f[1], f[2]
		}
	}
	shared := map[string]*types.Package{}
	for _, p := range w.list {
		into := shared
		if !slices.Contains(library, p) {
			// What was read for one package must not change what is written for another.
			into = map[string]*types.Package{}
		}
		pkg, err := w.read(into, p, files[p])
		if err != nil {
			return nil, fmt.Errorf("export data of %s: %w", p, err)
		}
		w.pkgs[p] = pkg
	}
	return w, nil
}

func (w *world) read(into map[string]*types.Package, path, file string) (*types.Package, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	//lint:ignore SA1019 go list gives archives up to Go 1.28; after that the file is read directly
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(r, w.fset, into, path)
}

// exportData adds the type data of each package and the index. Positions are left out: they would name
// the folders of the machine that generates.
func (w *world) exportData(files map[string][]byte) error {
	var index strings.Builder
	for _, p := range w.list {
		var raw bytes.Buffer
		if err := gcexportdata.Write(&raw, nil, w.pkgs[p]); err != nil {
			return fmt.Errorf("write export data of %s: %w", p, err)
		}
		z, err := compress(raw.Bytes())
		if err != nil {
			return err
		}
		files["data/"+strings.ReplaceAll(p, "/", "_")+".bin"] = z
		fmt.Fprintf(&index, "%s %s\n", p, w.pkgs[p].Name())
	}
	files["data/index.txt"] = []byte(index.String())
	return nil
}
