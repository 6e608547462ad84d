// Scanning into values of the cells.

package rt

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// scanner lets fmt call the user's method Scan.
type scanner struct {
	b    Boxed
	scan func(any, fmt.ScanState, rune) error
}

func (s scanner) Scan(st fmt.ScanState, verb rune) error { return s.scan(s.b, st, verb) }

// scanTargets are the pointers a as fmt can scan into them.
func scanTargets(a []any) []any {
	r := make([]any, len(a))
	for i, x := range a {
		r[i] = x
		if b, ok := AsBoxed(x); ok {
			r[i] = b.V
			if f, ok := b.D.Method("Scan").(func(any, fmt.ScanState, rune) error); ok {
				r[i] = scanner{b, f}
			}
		}
	}
	return r
}

// scanned gives the error of a scan into a the names that the user knows.
func scanned(n int, err error, a []any) (int, error) {
	if err != nil && strings.HasPrefix(err.Error(), "can't scan type: ") && n < len(a) {
		if b, ok := AsBoxed(a[n]); ok && strings.HasSuffix(err.Error(), reflect.TypeOf(b.V).String()) {
			err = errors.New("can't scan type: " + GoTypeString(b.D.Type))
		}
	}
	return n, err
}

// scans are the scanning functions of package fmt.
var scans = map[string]any{
	"Scan":   func(a ...any) (int, error) { n, err := fmt.Scan(scanTargets(a)...); return scanned(n, err, a) },
	"Scanln": func(a ...any) (int, error) { n, err := fmt.Scanln(scanTargets(a)...); return scanned(n, err, a) },
	"Scanf": func(f string, a ...any) (int, error) {
		n, err := fmt.Scanf(f, scanTargets(a)...)
		return scanned(n, err, a)
	},
	"Sscan": func(s string, a ...any) (int, error) {
		n, err := fmt.Sscan(s, scanTargets(a)...)
		return scanned(n, err, a)
	},
	"Sscanln": func(s string, a ...any) (int, error) {
		n, err := fmt.Sscanln(s, scanTargets(a)...)
		return scanned(n, err, a)
	},
	"Sscanf": func(s, f string, a ...any) (int, error) {
		n, err := fmt.Sscanf(s, f, scanTargets(a)...)
		return scanned(n, err, a)
	},
	"Fscan": func(r io.Reader, a ...any) (int, error) {
		n, err := fmt.Fscan(r, scanTargets(a)...)
		return scanned(n, err, a)
	},
	"Fscanln": func(r io.Reader, a ...any) (int, error) {
		n, err := fmt.Fscanln(r, scanTargets(a)...)
		return scanned(n, err, a)
	},
	"Fscanf": func(r io.Reader, f string, a ...any) (int, error) {
		n, err := fmt.Fscanf(r, f, scanTargets(a)...)
		return scanned(n, err, a)
	},
}
