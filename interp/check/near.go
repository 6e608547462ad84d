// Near misses.

package check

import (
	"slices"
	"strings"

	"flinkish/interp/spell"
)

// nearest is the name that a misspelt one probably meant, of those that a user may have thought of: neither ours nor a
// single letter.
func nearest(name string, names []string) string {
	return spell.Nearest(name, slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		return len(n) == 1 || strings.Contains(n, "·")
	}))
}
