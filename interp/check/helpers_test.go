package check_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"flinkish/interp/check"
	"flinkish/interp/symbols"
)

// session checks cells one after the other and commits those that are right.
type session struct {
	*check.Checker
	t testing.TB
	n int
}

func newSession(t testing.TB) *session {
	t.Helper()
	return &session{Checker: check.New(symbols.NewImporter()), t: t}
}

// run checks and commits a cell that must be right.
func (s *session) run(src string) *check.Cell {
	s.t.Helper()
	s.n++
	cell, err := s.Check("", s.n, src)
	if err != nil {
		s.t.Fatalf("cell %d, %q:\n%v", s.n, src, err)
	}
	s.Commit(cell)
	return cell
}

// fails checks a cell that must be wrong.
func (s *session) fails(src string) *check.Error {
	s.t.Helper()
	s.n++
	_, err := s.Check("", s.n, src)
	var e *check.Error
	if !errors.As(err, &e) {
		s.t.Fatalf("cell %d, %q: got %v, want a *check.Error", s.n, src, err)
	}
	return e
}

// vars writes the variables of a cell: name:type, with + for new ones, sub-cells apart by a bar.
func (s *session) vars(cell *check.Cell) string {
	var subs []string
	for _, sub := range cell.Subs {
		var list []string
		for _, it := range sub.Items {
			for i, v := range it.Vars {
				if v == nil {
					continue
				}
				mark := ""
				if it.New[i] {
					mark = "+"
				}
				list = append(list, fmt.Sprintf("%s%s:%s", mark, v.Name(), s.TypeString(v.Type())))
			}
		}
		subs = append(subs, strings.Join(list, " "))
	}
	return strings.Join(subs, " | ")
}
