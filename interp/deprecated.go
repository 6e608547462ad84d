package interp

import (
	"strings"

	"flinkish/interp/check"
	"flinkish/interp/symbols"
)

// deprecations are a line for each call of the cell that Flink deprecates and that the session has not spoken of yet.
func (s *Session) deprecations(cell *check.Cell) []string {
	var lines []string
	for _, key := range cell.Calls {
		if s.noted[key] {
			continue
		}
		s.noted[key] = true
		if how := deprecation(key); how != "" {
			lines = append(lines, "note: "+key[strings.LastIndex(key, ".")+1:]+" is "+how)
		}
	}
	return lines
}

// deprecation is what the comment of a name of the library says, as: deprecated in Flink, gone in 2.0: use KeyBy.
// Such a paragraph does not begin with the word that tools look for: programs of flinkish go on having these calls.
func deprecation(key string) string {
	text, _, _ := symbols.Doc(key)
	for p := range strings.SplitSeq(text, "\n\n") {
		if rest, ok := strings.CutPrefix(p, "Deprecated in Flink"); ok {
			return strings.TrimSuffix("deprecated in Flink"+strings.ReplaceAll(strings.TrimRight(rest, "\n"), "\n", " "), ".")
		}
	}
	return ""
}
