package main

import (
	"math/rand/v2"
	"strings"
)

// This file holds what the engine is measured against: the loops that a Go programmer would write by
// hand, calling the very same function values. The functions are opaque (made by a noinline builder),
// since otherwise the compiler inlines a whole hand loop and measures nothing.

//go:noinline
func opaque[F any](f F) F { return f }

type wordCount struct {
	Word string
	N    int
}

var (
	addOne  = opaque(func(x int64) int64 { return x + 1 })
	isEven  = opaque(func(x int64) bool { return x&1 == 0 })
	triple  = opaque(func(x int64) int64 { return x * 3 })
	split   = opaque(strings.Fields)
	toCount = opaque(func(w string) wordCount { return wordCount{w, 1} })
	wordOf  = opaque(func(w wordCount) string { return w.Word })
	addUp   = opaque(func(a, b wordCount) wordCount { a.N += b.N; return a })
	keyOf   = opaque(func(v pair) int64 { return v.Key })
	sumOf   = opaque(func(a, b pair) pair { a.Val += b.Val; return a })
	timeOf  = opaque(func(e event) int64 { return e.Time })
	whoOf   = opaque(func(e event) int64 { return e.Key })
)

type pair struct{ Key, Val int64 }

type event struct{ Key, Time int64 }

// handChain is map, filter, map over n numbers into the sink that the engine gets too.
func handChain(n int64) (sum int64, err error) {
	sink := opaque(func(v int64) error { sum += v; return nil })
	for x := range n {
		y := addOne(x)
		if isEven(y) {
			if err := sink(triple(y)); err != nil {
				return 0, err
			}
		}
	}
	return sum, nil
}

// handWords counts the words of lines, emitting each update as a keyed reduce does.
func handWords(lines []string) (updates int64) {
	m := map[string]wordCount{}
	for _, l := range lines {
		for _, w := range split(l) {
			c := toCount(w)
			k := wordOf(c)
			if old, ok := m[k]; ok {
				c = addUp(old, c)
			}
			m[k] = c
			updates += int64(c.N & 1)
		}
	}
	return updates
}

// handSum adds values by key with a get and a set of a Go map for each record.
func handSum(pairs []pair) (last int64) {
	m := map[int64]pair{}
	for _, p := range pairs {
		k := keyOf(p)
		if old, ok := m[k]; ok {
			p = sumOf(old, p)
		}
		m[k] = p
		last += p.Val & 1
	}
	return last
}

// handWindows counts events by key in tumbling windows of size ms; a window closes when the newest
// timestamp is delay ms past its end.
func handWindows(events []event, size, delay int64) (fired int64) {
	type slot struct{ key, start int64 }
	counts := map[slot]int64{}
	open := map[int64][]int64{} // keys by window start, in order of arrival
	first, newest := int64(0), int64(0)
	emit := func(start int64) {
		for _, k := range open[start] {
			s := slot{k, start}
			fired += counts[s]
			delete(counts, s)
		}
		delete(open, start)
	}
	for _, e := range events {
		t, k := timeOf(e), whoOf(e)
		start := t - t%size
		if start+size-1 <= newest-delay-1 {
			continue // late
		}
		s := slot{k, start}
		if _, ok := counts[s]; !ok {
			open[start] = append(open[start], k)
		}
		counts[s]++
		newest = max(newest, t)
		for first+size-1 <= newest-delay-1 {
			emit(first)
			first += size
		}
	}
	for ; first <= newest; first += size {
		emit(first)
	}
	return fired
}

// textLines makes n lines of ten words; the frequencies follow Zipf's law over 50,000 words.
func textLines(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 50_000)
	for i := range words {
		b := make([]byte, 2+r.IntN(9))
		for j := range b {
			b[j] = byte('a' + r.IntN(26))
		}
		words[i] = string(b)
	}
	z := rand.NewZipf(r, 1.07, 2, uint64(len(words)-1))
	lines := make([]string, n)
	for i := range lines {
		ws := make([]string, 10)
		for j := range ws {
			ws[j] = words[z.Uint64()]
		}
		lines[i] = strings.Join(ws, " ")
	}
	return lines
}

// randomPairs makes n pairs over the given number of keys, in random order.
func randomPairs(n int, keys int64) []pair {
	r := rand.New(rand.NewPCG(3, 4))
	ps := make([]pair, n)
	for i := range ps {
		ps[i] = pair{r.Int64N(keys), int64(i & 7)}
	}
	return ps
}

// randomEvents makes n events over the given number of keys, one a millisecond, up to 100 ms out of order.
func randomEvents(n int, keys int64) []event {
	r := rand.New(rand.NewPCG(5, 6))
	es := make([]event, n)
	for i := range es {
		es[i] = event{r.Int64N(keys), int64(i) + r.Int64N(100)}
	}
	return es
}
