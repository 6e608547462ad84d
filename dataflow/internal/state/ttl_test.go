package state

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTTLOfValues(t *testing.T) {
	cases := []struct {
		name string
		ttl  TTL
		// script: at=value sets, at? reads
		script, want string
	}{
		{"a value expires when write time + ttl <= now", TTL{Millis: 100}, "0=1 20? 50=2 120? 170=3 220? 300?", "1 2 3 -"},
		{"the end itself is over", TTL{Millis: 100}, "0=1 99? 100?", "1 -"},
		{"a read refreshes with OnRead", TTL{Millis: 100, OnRead: true}, "0=1 50? 120? 250?", "1 1 -"},
		{"a read does not refresh without", TTL{Millis: 100}, "0=1 50? 120?", "1 -"},
		{"a ttl of MAX never ends", TTL{Millis: math.MaxInt64}, "10=1 50?", "1"},
		{"a clock that goes back takes nothing away", TTL{Millis: 100}, "500=1 450? 599? 600?", "1 1 -"},
		{"a read at the earlier time counts with OnRead", TTL{Millis: 100, OnRead: true}, "500=1 450? 550?", "1 -"},
		{"a write at the earlier time counts", TTL{Millis: 100}, "500=1 450=2 549? 550?", "2 -"},
		{"an expired value may be handed out once", TTL{Millis: 100, ReturnExpired: true}, "0=1 150? 151?", "1 -"},
	}
	for _, c := range cases {
		b := NewBackend[string]()
		var now int64
		c.ttl.Now = func() int64 { return now }
		v := must(b.Value[int]("v", "", c.ttl))
		b.SetCurrent("k")
		var got []string
		for _, f := range strings.Fields(c.script) {
			if at, ok := strings.CutSuffix(f, "?"); ok {
				fmt.Sscan(at, &now)
				x, set := v.Get()
				got = append(got, map[bool]string{true: fmt.Sprint(x), false: "-"}[set])
				continue
			}
			var x int
			fmt.Sscanf(f, "%d=%d", &now, &x)
			v.Update(x)
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: got %s, want %s", c.name, g, c.want)
		}
	}
	if _, err := NewTTL(0, nil); err == nil {
		t.Error("a time to live of 0 was accepted")
	}
}

func TestTTLOfFoldsStartsAnew(t *testing.T) {
	b := NewBackend[string]()
	var now int64
	ttl := must(NewTTL(100*time.Millisecond, func() int64 { return now }))
	r := must(b.Reducing[int]("r", "", func(a, b int) int { return a + b }, ttl))
	b.SetCurrent("k")
	r.Add(1)
	now = 99
	r.Add(2)
	now = 198
	r.Add(4)
	if x, _ := r.Get(); x != 7 {
		t.Errorf("got %d, want 7: each add is a write", x)
	}
	now = 298
	r.Add(8)
	if x, _ := r.Get(); x != 8 {
		t.Errorf("got %d, want 8: the old fold is expired", x)
	}
}

func TestTTLOfListsIsPerElement(t *testing.T) {
	for _, returnExpired := range []bool{false, true} {
		b := NewBackend[string]()
		var now int64
		l := must(b.List[int]("l", "", TTL{Millis: 100, ReturnExpired: returnExpired, Now: func() int64 { return now }}))
		b.SetCurrent("k")
		l.Add(1)
		now = 60
		l.AddAll([]int{2, 3})
		now = 120
		want := "[2 3]"
		if returnExpired {
			want = "[1 2 3]"
		}
		if got := fmt.Sprint(l.Slice()); got != want {
			t.Errorf("ReturnExpired %v: got %s, want %s", returnExpired, got, want)
		}
		now = 200
		l.Slice()
		if got := l.Slice(); len(got) != 0 || b.Len() != 0 {
			t.Errorf("ReturnExpired %v: got %v and %d keys after a read that met nothing alive", returnExpired, got, b.Len())
		}
	}
}

func TestTTLOfMapsIsPerEntry(t *testing.T) {
	b := NewBackend[string]()
	var now int64
	m := must(b.Map[string, int]("m", "", TTL{Millis: 100, Now: func() int64 { return now }}))
	b.SetCurrent("k")
	m.Put("a", 1)
	now = 60
	m.Put("b", 2)
	now = 120
	if got := slices.Collect(m.Keys()); fmt.Sprint(got) != "[b]" {
		t.Errorf("got %v, want [b]", got)
	}
	if m.Contains("a") || m.IsEmpty() {
		t.Error("a is there, or b is not")
	}
	now = 160
	if !m.IsEmpty() {
		t.Error("an expired entry counts")
	}
	if _, ok := m.Get("b"); ok || b.Len() != 0 {
		t.Errorf("b is there, or the map was not cleared: %d keys", b.Len())
	}
}

func TestExpiredStateOfOtherKeysIsCleanedUpInPassing(t *testing.T) {
	b := NewBackend[int]()
	var now int64
	ttl := must(NewTTL(100*time.Millisecond, func() int64 { return now }))
	v := must(b.Value[int]("v", "", ttl))
	l := must(b.List[int]("l", "", ttl))
	m := must(b.Map[int, int]("m", "", ttl))
	for k := range 100 {
		b.SetCurrent(k)
		v.Update(k)
		l.Add(k)
		m.Put(k, k)
	}
	now = 1000
	b.SetCurrent(1000)
	for range 60 {
		v.Get()
		l.Slice()
		m.Put(1, 1)
	}
	if got := b.Len(); got != 1 {
		t.Errorf("got %d keys, want the current one only", got)
	}
}
