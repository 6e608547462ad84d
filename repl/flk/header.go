package flk

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Header is what a document says about how it runs.
type Header struct {
	Format      int // of the file, 1
	Title       string
	Seed        uint64
	Clock       time.Time // start of the virtual clock
	Real        bool      // the wall clock instead
	Parallelism int       // 0: the session's default
	Size        string    // of screens, as 80x24
	Glyphs      string    // unicode, block or ascii; empty: the session's default
	Timeout     time.Duration
	Params      []Param
	Redact      []Redaction
	Requires    string // least version of flinkish
	Tags        []string
}

// Param is a value that a run may replace; cells see it as a variable.
type Param struct {
	Name, Default string
}

// Redaction replaces what differs from run to run by a fixed text.
type Redaction struct {
	Regexp *regexp.Regexp
	Text   string
	Line   int
}

func defaultHeader() Header {
	return Header{Format: 1, Seed: 1, Clock: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)}
}

// headerKey is one row of the table of header keys.
type headerKey struct {
	name string
	many bool
	set  func(h *Header, v string, line int) error
}

var headerKeys = []headerKey{
	{"flk", false, func(h *Header, v string, _ int) error {
		if v != "1" {
			return fmt.Errorf("format version must be 1, got %q", v)
		}
		return nil
	}},
	{"title", false, func(h *Header, v string, _ int) error { h.Title = v; return nil }},
	{"seed", false, func(h *Header, v string, _ int) (err error) {
		h.Seed, err = strconv.ParseUint(v, 10, 64)
		if err != nil || h.Seed == 0 {
			return fmt.Errorf("seed must be a positive integer, got %q", v)
		}
		return nil
	}},
	{"clock", false, setClock},
	{"parallelism", false, func(h *Header, v string, _ int) (err error) {
		h.Parallelism, err = strconv.Atoi(v)
		if err != nil || h.Parallelism < 1 || h.Parallelism > 1<<15 {
			return fmt.Errorf("parallelism must be from 1 to 32768, got %q", v)
		}
		return nil
	}},
	{"size", false, func(h *Header, v string, _ int) error { h.Size = v; return checkSize(v) }},
	{"glyphs", false, func(h *Header, v string, _ int) error {
		h.Glyphs = v
		if v != "unicode" && v != "block" && v != "ascii" {
			return fmt.Errorf("glyphs must be unicode, block or ascii, got %q", v)
		}
		return nil
	}},
	{"timeout", false, func(h *Header, v string, _ int) (err error) { h.Timeout, err = positiveDuration(v); return err }},
	{"params", true, setParams},
	{"redact", true, setRedact},
	{"requires", false, func(h *Header, v string, _ int) error {
		h.Requires = v
		if !regexp.MustCompile(`^v?\d+(\.\d+){0,2}$`).MatchString(v) {
			return fmt.Errorf("requires must be a version such as 1.2, got %q", v)
		}
		return nil
	}},
	{"tags", true, func(h *Header, v string, _ int) error {
		h.Tags = append(h.Tags, strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' })...)
		return nil
	}},
}

func setClock(h *Header, v string, _ int) error {
	kind, at, _ := strings.Cut(v, " ")
	switch {
	case kind == "real" && at == "":
		h.Real = true
		return nil
	case kind == "virtual" && at == "":
		return nil
	case kind == "virtual":
		t, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(at))
		if err == nil {
			h.Clock = t
			return nil
		}
	}
	return fmt.Errorf("clock must be real or virtual 2024-01-01T00:00:00Z, got %q", v)
}

// setParams reads name=default pairs, separated by blanks; a default with blanks is quoted.
func setParams(h *Header, v string, _ int) error {
	for v = strings.TrimSpace(v); v != ""; v = strings.TrimLeft(v, " \t,") {
		name, rest, ok := strings.Cut(v, "=")
		if !ok || !token.IsIdentifier(name) {
			return fmt.Errorf("params are name=default pairs with Go names, got %q", v)
		}
		value := rest
		if strings.HasPrefix(rest, `"`) {
			q, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return fmt.Errorf("the default of %s is not closed: %s", name, rest)
			}
			value, v = q, rest[len(q):]
		} else {
			n := strings.IndexAny(rest, " \t,")
			if n < 0 {
				n = len(rest)
			}
			value, v = rest[:n], rest[n:]
		}
		for _, p := range h.Params {
			if p.Name == name {
				return fmt.Errorf("param %s is given twice", name)
			}
		}
		h.Params = append(h.Params, Param{name, value})
	}
	return nil
}

func setRedact(h *Header, v string, line int) error {
	expr, text, ok := strings.Cut(v, " => ")
	if !ok {
		return fmt.Errorf("redact must be regex => text, got %q", v)
	}
	re, err := regexp.Compile(strings.TrimSpace(expr))
	if err != nil {
		return fmt.Errorf("redact: %w", err)
	}
	h.Redact = append(h.Redact, Redaction{re, strings.TrimSpace(text), line})
	return nil
}

// header reads the lines between --- at the start of the file, if there are any.
func (p *parser) header() {
	if len(p.lines) == 0 || trimEnd(strings.TrimPrefix(p.lines[0], "\ufeff")) != "---" {
		return
	}
	p.take()
	seen := map[string]bool{}
	for p.at < len(p.lines) {
		line, n := trimEnd(p.lines[p.at]), p.at+1
		p.take()
		if line == "---" {
			if !seen["flk"] {
				p.fail(1, 1, "add a line flk: 1", "the header lacks the format version")
			}
			return
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			p.headerLine(line, n, seen)
		}
	}
	p.fail(1, 1, "end it with --- on a line of its own", "the header is never closed")
}

func (p *parser) headerLine(line string, n int, seen map[string]bool) {
	key, value, ok := strings.Cut(line, ":")
	var names []string
	for _, k := range headerKeys {
		names = append(names, k.name)
	}
	if !ok {
		p.fail(n, 1, "the keys are "+strings.Join(names, ", "), "expected key: value, got %q", line)
		return
	}
	for _, k := range headerKeys {
		if k.name != key {
			continue
		}
		if seen[key] && !k.many {
			p.fail(n, 1, "remove one of them", "key %q is given twice", key)
		}
		seen[key] = true
		if err := k.set(&p.doc.Header, strings.TrimSpace(value), n); err != nil {
			p.fail(n, len(key)+2+len(value)-len(strings.TrimLeft(value, " ")), "", "%v", err)
		}
		return
	}
	p.fail(n, 1, suggest(key, "the keys are", names), "unknown header key %q", key)
}

func trimEnd(s string) string { return strings.TrimRight(s, " \t\r\n") }

// older reports whether version a comes before b; an empty one fits all.
func older(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	return slices.Compare(versionNumbers(a), versionNumbers(b)) < 0
}

// versionNumbers are major, minor and patch; what follows them does not count.
func versionNumbers(v string) []int {
	n := make([]int, 3)
	for i, part := range strings.SplitN(strings.TrimPrefix(v, "v"), ".", 3) {
		digits := part[:len(part)-len(strings.TrimLeft(part, "0123456789"))]
		n[i], _ = strconv.Atoi(digits)
	}
	return n
}
