package flk

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"flinkish/interp/spell"
)

// attribute is one row of the table of attributes.
type attribute struct {
	name  string
	value needs
	set   func(b *Block, v string) error
}

// needs is whether an attribute has a value.
type needs uint8

const (
	noValue needs = iota
	aValue
	mayValue
)

var (
	attrHide  = attribute{"hide", noValue, func(b *Block, _ string) error { b.Hide = true; return nil }}
	attrSkip  = attribute{"skip", mayValue, func(b *Block, v string) error { b.Skip = or(v, "skipped"); return nil }}
	attrXFail = attribute{"xfail", mayValue, func(b *Block, v string) error {
		b.XFail = or(v, "expected to fail")
		return nil
	}}
	attrTimeout = attribute{"timeout", aValue, func(b *Block, v string) (err error) {
		b.Timeout, err = positiveDuration(v)
		return err
	}}
	attrNoEval = attribute{"noeval", noValue, func(b *Block, _ string) error { b.NoEval = true; return nil }}
	attrError  = attribute{"error", noValue, func(b *Block, _ string) error { b.MayFail = true; return nil }}
	attrMatch  = attribute{"match", aValue, func(b *Block, v string) (err error) { b.Match, err = ParseMatch(v); return err }}
	attrFor    = attribute{"for", aValue, func(b *Block, v string) error { b.For = v; return nil }}
	attrStream = attribute{"stream", aValue, func(b *Block, v string) error {
		switch v {
		case "stdout", "result", "job":
			b.Stream = v
			return nil
		}
		return fmt.Errorf("unknown stream %q: stdout, result or job", v)
	}}
	attrSize = attribute{"size", aValue, func(b *Block, v string) error { b.Size = v; return checkSize(v) }}
	attrView = attribute{"view", aValue, func(b *Block, v string) error { b.View = v; return nil }}
	attrArea = attribute{"region", aValue, func(b *Block, v string) error {
		b.Region = v
		if !regexp.MustCompile(`^\d+,\d+,\d+,\d+$`).MatchString(v) {
			return fmt.Errorf("region must be x,y,width,height in cells, got %q", v)
		}
		return nil
	}}
	attrStyle = attribute{"style", noValue, func(b *Block, _ string) error { b.Style = true; return nil }}
	attrName  = attribute{"name", aValue, func(b *Block, v string) error {
		if !filepath.IsLocal(v) {
			return fmt.Errorf("file name must lie below the document, got %q", v)
		}
		b.Name = v
		return nil
	}}
)

// attributes of each fence word, in the order in which hints list them.
var attributes = map[Kind][]attribute{
	GoCell:   {attrHide, attrSkip, attrXFail, attrTimeout, attrNoEval, attrError},
	Commands: {attrHide, attrSkip, attrXFail, attrTimeout, attrNoEval, attrError},
	Out:      {attrMatch, attrFor, attrStream},
	Error:    {attrMatch, attrFor},
	Keys:     {attrSize},
	Screen:   {attrView, attrSize, attrMatch, attrArea, attrStyle},
	File:     {attrName},
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func checkSize(v string) error {
	if !regexp.MustCompile(`^[1-9]\d{0,3}x[1-9]\d{0,3}$`).MatchString(v) {
		return fmt.Errorf("size must be columns x rows such as 80x24, got %q", v)
	}
	return nil
}

func positiveDuration(v string) (time.Duration, error) {
	d, err := time.ParseDuration(v)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("timeout must be a positive time such as 5s, got %q", v)
	}
	return d, nil
}

// attributes reads {#name key=value key="quoted value" flag} after the fence word into the block, and checks the body
// against them.
func (p *parser) attributes(b *Block, info string) {
	b.Match = defaultMatch(b.Kind)
	w := word(info)
	rest := strings.SplitN(info, w, 2)[1]
	col := strings.Index(b.fence.open, info) + len(info) - len(rest) + 1
	s := &attrScanner{text: rest, col: col}
	seen := map[string]bool{}
	if err := s.open(); err != nil {
		p.attrFail(b, s.col, err, b.Kind)
		return
	}
	for {
		at, key, value, has, err := s.next()
		if err != nil {
			p.attrFail(b, at, err, b.Kind)
			return
		}
		if key == "" {
			break
		}
		if err := p.attribute(b, key, value, has, seen); err != nil {
			p.attrFail(b, at, err, b.Kind)
		}
	}
	if b.Kind == File && b.Name == "" {
		p.fail(b.Line, col, "write file {name=clicks.csv}", "a file block needs a name")
	}
	p.checkPatterns(b)
}

func (p *parser) attrFail(b *Block, col int, err error, k Kind) {
	p.fail(b.Line, col, fmt.Sprintf("attributes of %s: %s", k, strings.Join(attributeNames(k), ", ")), "%v", err)
}

// attributeNames are the attributes of a kind, as they are written.
func attributeNames(k Kind) []string {
	var names []string
	if k == GoCell || k == Commands || k == Keys {
		names = append(names, "#name")
	}
	for _, a := range attributes[k] {
		switch a.value {
		case noValue:
			names = append(names, a.name)
		default:
			names = append(names, a.name+"=")
		}
	}
	return names
}

// attribute sets one attribute.
func (p *parser) attribute(b *Block, key, value string, has bool, seen map[string]bool) error {
	if seen[key] || key[0] == '#' && seen["#"] {
		return fmt.Errorf("attribute %q is given twice", key)
	}
	seen[key] = true
	if key[0] == '#' {
		seen["#"] = true
		if !b.IsCell() {
			return fmt.Errorf("a %s block has no #name", b.Kind)
		}
		if !regexp.MustCompile(`^[\pL_][\pL\pN_.-]*$`).MatchString(key[1:]) {
			return fmt.Errorf("name must be letters, digits, - . and _ after a letter, got %q", key)
		}
		b.Name = key[1:]
		return nil
	}
	for _, a := range attributes[b.Kind] {
		switch {
		case a.name != key:
			continue
		case a.value == noValue && has:
			return fmt.Errorf("attribute %q takes no value", key)
		case a.value == aValue && !has:
			return fmt.Errorf("attribute %q needs a value", key)
		}
		return a.set(b, value)
	}
	var names []string
	for _, a := range attributes[b.Kind] {
		names = append(names, a.name)
	}
	if near := spell.Nearest(key, names); near != "" {
		return fmt.Errorf("unknown attribute %q of a %s block: did you mean %s?", key, b.Kind, near)
	}
	return fmt.Errorf("unknown attribute %q of a %s block", key, b.Kind)
}

// attrScanner splits an attribute list.
type attrScanner struct {
	text   string
	col    int // of text in its line, from 1
	closed bool
}

func (s *attrScanner) skip(n int) { s.text, s.col = s.text[n:], s.col+n }

func (s *attrScanner) blanks() { s.skip(len(s.text) - len(strings.TrimLeft(s.text, " \t"))) }

// open reads up to the brace; no list at all is fine.
func (s *attrScanner) open() error {
	s.blanks()
	switch {
	case s.text == "":
		s.closed = true
	case s.text[0] == '{':
		s.skip(1)
	default:
		return fmt.Errorf("expected {attributes} after the fence word, got %q", strings.TrimSpace(s.text))
	}
	return nil
}

// next reads one attribute and the column where it starts; an empty key ends the list.
func (s *attrScanner) next() (at int, key, value string, has bool, err error) {
	if s.closed {
		return s.col, "", "", false, nil
	}
	s.blanks()
	at = s.col
	if s.text == "" {
		return at, "", "", false, fmt.Errorf("the attribute list is not closed: } is missing")
	}
	if s.text[0] == '}' {
		s.skip(1)
		s.blanks()
		s.closed = true
		if s.text != "" {
			err = fmt.Errorf("unexpected %q after the attribute list", strings.TrimSpace(s.text))
		}
		return s.col, "", "", false, err
	}
	n := strings.IndexAny(s.text, " \t=}\"")
	if n < 0 {
		n = len(s.text)
	}
	if n == 0 {
		return at, "", "", false, fmt.Errorf("expected the name of an attribute, got %q", s.text[:1])
	}
	key = s.text[:n]
	s.skip(n)
	if s.text == "" || s.text[0] != '=' {
		return at, key, "", false, nil
	}
	s.skip(1)
	value, err = s.value()
	return at, key, value, true, err
}

// value reads a quoted or a bare value.
func (s *attrScanner) value() (string, error) {
	if strings.HasPrefix(s.text, `"`) {
		q, err := strconv.QuotedPrefix(s.text)
		if err != nil {
			return "", fmt.Errorf("the quoted value is not closed: %s", s.text)
		}
		s.skip(len(q))
		return strconv.Unquote(q)
	}
	n := strings.IndexAny(s.text, " \t}")
	if n < 0 {
		n = len(s.text)
	}
	if n == 0 {
		return "", fmt.Errorf("a value is missing after =")
	}
	v := s.text[:n]
	s.skip(n)
	return v, nil
}
