package state

import "testing"

// splitmix is the generator of keys: uniform, and cheap beside a lookup.
func splitmix(i uint64) uint64 {
	i += 0x9e3779b97f4a7c15
	i = (i ^ i>>30) * 0xbf58476d1ce4e5b9
	i = (i ^ i>>27) * 0x94d049bb133111eb
	return i ^ i>>31
}

// The keyed sum: a map read and written against the current key set and its value changed in place. The
// figure to compare is keyed sum / Go map, wanted <= 0.9 at a million keys.
func BenchmarkKeyedSum(b *testing.B) {
	for name, keys := range map[string]uint64{"1e3 keys": 1e3, "1e6 keys": 1e6} {
		b.Run("Go map/"+name, func(b *testing.B) {
			m := map[int]int{}
			for k := range keys {
				m[int(k)] = 1
			}
			var i uint64
			for b.Loop() {
				k := int(splitmix(i) % keys)
				x := m[k]
				m[k] = x + 1
				i++
			}
		})
		b.Run("state/"+name, func(b *testing.B) {
			s := NewBackend[int]()
			v := must(s.Value[int]("sum", ""))
			for k := range keys {
				s.SetCurrent(int(k))
				v.Update(1)
			}
			var i uint64
			for b.Loop() {
				s.SetCurrent(int(splitmix(i) % keys))
				p, _ := v.Ref()
				*p++
				i++
			}
		})
	}
}
