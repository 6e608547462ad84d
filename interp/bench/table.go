package main

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// variant is one timed piece of work. It returns a value that must not depend on who did the work, so
// that a fast wrong answer shows.
type variant func() (int64, error)

// row compares two variants.
type row struct {
	name   string
	ours   variant
	base   variant
	target float64
	same   bool // both must return the same value
	n      int  // records, for the time per record
}

const rounds = 9

// measure runs both variants in turn, so that a drift of the machine's speed hits both alike.
func measure(r row) (ours, base time.Duration, err error) {
	var to, tb []time.Duration
	for range rounds {
		b, vb, err := timed(r.base)
		if err != nil {
			return 0, 0, err
		}
		o, vo, err := timed(r.ours)
		if err != nil {
			return 0, 0, err
		}
		if r.same && vo != vb {
			return 0, 0, fmt.Errorf("%s: ours gives %d, the other %d", r.name, vo, vb)
		}
		to, tb = append(to, o), append(tb, b)
	}
	slices.Sort(to)
	slices.Sort(tb)
	return to[rounds/2], tb[rounds/2], nil
}

func timed(f variant) (time.Duration, int64, error) {
	start := time.Now()
	v, err := f()
	return time.Since(start), v, err
}

// print runs every row and writes the table; it reports how many rows missed their target by more than
// 15 %.
func printTable(w io.Writer, rows []row) (missed int, err error) {
	fmt.Fprintf(w, "%-58s %9s %9s %7s %7s\n", "work", "ours", "other", "ratio", "target")
	for _, r := range rows {
		o, b, err := measure(r)
		if err != nil {
			return missed, err
		}
		ratio := float64(o) / float64(b)
		word := ""
		if ratio > r.target*1.15 {
			word = "  missed"
			missed++
		}
		fmt.Fprintf(w, "%-58s %6.1f ns %6.1f ns %7.2f %7.1f%s\n", r.name, perRecord(o, r.n), perRecord(b, r.n), ratio, r.target, word)
	}
	return missed, nil
}

func perRecord(d time.Duration, n int) float64 { return float64(d.Nanoseconds()) / float64(n) }
