// Looking at a session: completion, documentation, sources.

package interp

import (
	"fmt"
	"strings"

	"flinkish/interp/symbols"
)

// Complete lists what can stand at byte offset pos of src.
func (s *Session) Complete(src string, pos int) []Candidate {
	list := s.checker.Complete(src, pos)
	for i := range list {
		if key := list[i].Key; key != "" {
			list[i].Doc = symbols.Synopsis(key)
		}
	}
	return list
}

// DocKey is the name under which symbols.Doc has what expr means in the next cell; empty: it has nothing.
func (s *Session) DocKey(expr string) string { return s.checker.DocKey(expr) }

// Source is the text of the cells' declaration of a name; empty: no cell declared it.
func (s *Session) Source(name string) string { return s.checker.Source(name) }

// Comment is the first sentence of the comment at the cells' declaration of a name.
func (s *Session) Comment(name string) string { return s.checker.Comment(name) }

// Writable says why the session's cells may not write a path; nil: they may.
func (s *Session) Writable(path string) error { return s.rt.Writable(path) }

// untrusted are the packages that reach out of the session.
var untrusted = []string{"os/exec", "net", "syscall", "unsafe", "plugin", "net/http", "net/rpc", "net/smtp", "net/textproto", "runtime/debug"}

// allow refuses packages that a document from elsewhere must not use. What its owner types may use all.
func (s *Session) allow(path string) error {
	if !s.rt.Foreign() {
		return nil
	}
	for _, p := range untrusted {
		if path == p || p != "net" && strings.HasPrefix(path, p+"/") {
			return fmt.Errorf("package %s is refused here: it reaches out of the session; run with --trust to allow it", path)
		}
	}
	return nil
}
