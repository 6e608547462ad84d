package state

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// A look-ahead may be right, late, about other keys, or about keys that have gone since: what SetCurrent finds is the same.
func TestALookAheadChangesNothing(t *testing.T) {
	t.Run("of integers", func(t *testing.T) { lookAhead(t, func(n int) int64 { return int64(n) }) })
	t.Run("of strings", func(t *testing.T) { lookAhead(t, func(n int) string { return fmt.Sprint(n) }) })
	t.Run("of any", func(t *testing.T) { lookAhead(t, func(n int) any { return n }) })
	t.Run("of numbers that may be NaN", func(t *testing.T) {
		lookAhead(t, func(n int) float64 {
			if n%7 == 0 {
				return math.NaN()
			}
			return float64(n)
		})
	})
	t.Run("of structs", func(t *testing.T) { lookAhead(t, func(n int) [2]int { return [2]int{n, -n} }) })
}

// lookAhead counts records by key in two backends, of which one looks ahead, and lets keys go at random.
func lookAhead[K comparable](t *testing.T, key func(n int) K) {
	const keys = 3 * aheadFrom
	r := rand.New(rand.NewPCG(1, 2))
	plain, looking := NewBackend[K](), NewBackend[K]()
	a, b := plain.Column[int]("count"), looking.Column[int]("count")
	found := 0
	for range 2500 {
		batch := make([]K, r.IntN(70))
		for i := range batch {
			batch[i] = key(r.IntN(keys))
		}
		looking.Ahead(batch)
		for i, k := range batch {
			if r.IntN(40) == 0 {
				continue // a record that does not ask for its key
			}
			if r.IntN(40) == 0 {
				k = key(r.IntN(keys)) // a key that nobody told of
			}
			if looking.ahead.at < len(looking.ahead.keys) && looking.ahead.ids[looking.ahead.at] != NoKey {
				found++
			}
			idA, idB := plain.SetCurrent(k), looking.SetCurrent(k)
			if idA != idB {
				t.Fatalf("key %v is %d, want %d", k, idB, idA)
			}
			if r.IntN(3) == 0 {
				a.Clear()
				b.Clear()
				continue
			}
			p, was := a.Ref()
			q, is := b.Ref()
			if was != is || *p != *q {
				t.Fatalf("key %v has %d (%v), want %d (%v)", k, *q, is, *p, was)
			}
			*p++
			*q++
			batch[i] = k
		}
		looking.Ahead(nil)
	}
	if found == 0 || looking.removed == 0 {
		t.Fatalf("the test looked ahead %d times while %d keys went; it needs both", found, looking.removed)
	}
	if plain.Len() != looking.Len() {
		t.Errorf("got %d keys, want %d", looking.Len(), plain.Len())
	}
}

func TestALookAheadBringsInColumnsOfEveryKind(t *testing.T) {
	b := NewBackend[int]()
	empty := b.Column[struct{}]("empty")
	sparse := b.Column[string]("sparse")
	for k := range 2 * aheadFrom {
		b.SetCurrent(k)
		empty.Ref()
	}
	b.SetCurrent(aheadFrom)
	sparse.Update("x")
	keys := []int{0, aheadFrom, 2*aheadFrom - 1, -1}
	b.Ahead(keys)
	for i, want := range []bool{true, true, true, false} {
		if got := b.SetCurrent(keys[i]); empty.IsSet() != want {
			t.Errorf("key %d has id %d, set %v, want %v", keys[i], got, empty.IsSet(), want)
		}
	}
}
