// Package stdlib holds the compiled symbols of the standard library: yaegi's tables, and what is newer than
// they are.
package stdlib

//go:generate go run ./gen

import (
	"maps"
	"path"
	"reflect"

	"github.com/traefik/yaegi/stdlib"
)

// newer holds what yaegi's tables lack, by their keys.
var newer = map[string]map[string]reflect.Value{}

func add(key string, syms map[string]reflect.Value) { newer[key] = syms }

// Homes maps packages that cells cannot import to those that give their interfaces under an alias. yaegi looks for the wrapper
// of an interface under the package that reflect says.
var Homes = map[string]string{"encoding/json/v2": "encoding/json"}

// keys maps an import path to its key: the path, a slash and the package's name.
var keys = map[string]string{}

func init() {
	for k := range stdlib.Symbols {
		keys[path.Dir(k)] = k
	}
	for k := range newer {
		keys[path.Dir(k)] = k
	}
}

// Symbols gives the key of a package and its symbols; nil if it is not there.
func Symbols(importPath string) (key string, syms map[string]reflect.Value) {
	key = keys[importPath]
	old, add := stdlib.Symbols[key], newer[key]
	if len(add) == 0 {
		return key, old
	}
	syms = maps.Clone(old)
	if syms == nil {
		syms = map[string]reflect.Value{}
	}
	maps.Copy(syms, add)
	return key, syms
}
