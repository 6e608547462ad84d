package window

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func duration(n int64) time.Duration { return time.Duration(n) }

func TestAssignment(t *testing.T) {
	tumbling := func(size, offset int64, event bool) Assigner[TimeWindow] {
		return must(Tumbling(ms*duration(size), ms*duration(offset), event, Aligned))
	}
	sliding := func(size, slide, offset int64) Assigner[TimeWindow] {
		return must(Sliding(ms*duration(size), ms*duration(slide), ms*duration(offset), true))
	}
	natural := must(Tumbling(5*s, 0, false, Natural))
	cases := []struct {
		name     string
		assigner Assigner[TimeWindow]
		ts, now  int64
		want     string
	}{
		{"tumbling", tumbling(5000, 0, true), 0, 0, "[0,5000)"},
		{"tumbling", tumbling(5000, 0, true), 4999, 0, "[0,5000)"},
		{"tumbling", tumbling(5000, 0, true), 5000, 0, "[5000,10000)"},
		{"tumbling", tumbling(5000, 0, true), -1, 0, "[-5000,0)"},
		{"tumbling", tumbling(5000, 0, true), -5000, 0, "[-5000,0)"},
		{"tumbling", tumbling(5000, 0, true), -5001, 0, "[-10000,-5000)"},
		{"offset 100", tumbling(5000, 100, true), 100, 0, "[100,5100)"},
		{"offset 100", tumbling(5000, 100, true), 5099, 0, "[100,5100)"},
		{"offset 100", tumbling(5000, 100, true), 5100, 0, "[5100,10100)"},
		{"offset -100", tumbling(5000, -100, true), 0, 0, "[-100,4900)"},
		{"offset -100", tumbling(5000, -100, true), 4899, 0, "[-100,4900)"},
		{"offset -100", tumbling(5000, -100, true), 4900, 0, "[4900,9900)"},
		{"offset 1500", tumbling(5000, 1500, true), 1499, 0, "[-3500,1500)"},
		{"offset 1500", tumbling(5000, 1500, true), 1500, 0, "[1500,6500)"},
		{"offset -1500", tumbling(5000, -1500, true), 1000, 0, "[-1500,3500)"},
		{"offset -1500", tumbling(5000, -1500, true), 3500, 0, "[3500,8500)"},
		{"days with an offset", tumbling(86400000, 28800000, true), -8000000, 0, "[-57600000,28800000)"},
		{"sliding", sliding(10000, 3000, 0), 0, 0, "[0,10000) [-3000,7000) [-6000,4000) [-9000,1000)"},
		{"sliding", sliding(10000, 3000, 0), 7000, 0, "[6000,16000) [3000,13000) [0,10000)"},
		{"sliding", sliding(10000, 3000, 0), -1, 0, "[-3000,7000) [-6000,4000) [-9000,1000)"},
		{"sliding", sliding(5000, 1000, 100), 5099, 0, "[4100,9100) [3100,8100) [2100,7100) [1100,6100) [100,5100)"},
		{"slide > size", sliding(1000, 3000, 0), 1500, 0, ""},
		{"session", must(Session(5*s, true)), 4999, 0, "[4999,9999)"},
		{"a session without timestamp begins at MIN", must(Session(5*s, true)), -1 << 63, 0, "[-9223372036854775808,-9223372036854770808)"},
		{"processing time ignores the timestamp", tumbling(5000, 0, false), -1 << 63, 4999, "[0,5000)"},
		{"processing time ignores the timestamp", tumbling(5000, 0, false), -1 << 63, 5000, "[5000,10000)"},
		{"natural stagger begins with the first record", natural, 0, 7300, "[7300,12300)"},
		{"natural stagger keeps its grid", natural, 0, 12299, "[7300,12300)"},
		{"natural stagger of event time is taken from the clock", must(Tumbling(5*s, 0, true, Natural)), 4000, 7300, "[2300,7300)"},
	}
	for _, c := range cases {
		var got []string
		for _, w := range c.assigner.AssignWindows(c.ts, c.now, nil) {
			got = append(got, fmt.Sprintf("[%d,%d)", w.Start, w.End))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s, timestamp %d: got %s, want %s", c.name, c.ts, g, c.want)
		}
	}
}

func TestStart(t *testing.T) {
	for offset, rows := range map[int64][][2]int64{
		0:  {{1, 0}, {2, 0}, {6, 0}, {7, 7}, {8, 7}},
		3:  {{1, -4}, {2, -4}, {3, 3}, {9, 3}, {10, 10}},
		-2: {{1, -2}, {-2, -2}, {3, -2}, {4, -2}, {7, 5}, {12, 12}},
	} {
		for _, r := range rows {
			if got := around(r[0], sinceStart(r[0], offset, 7), 7); got != (TimeWindow{r[1], r[1] + 7}) {
				t.Errorf("%d on a grid of 7 that is moved by %d: got %v, want %d", r[0], offset, got, r[1])
			}
		}
	}
}

func TestAssignersRefuseBadParameters(t *testing.T) {
	bad := map[string]error{}
	add := func(name string, err error) { bad[name] = err }
	_, err := Tumbling(-s, 0, true, Aligned)
	add("size must be positive (at least 1ms), got -1s", err)
	_, err = Tumbling(10*s, 20*s, true, Aligned)
	add("offset must be smaller than the size 10s, got 20s", err)
	_, err = Tumbling(10*s, -11*s, true, Aligned)
	add("got -11s", err)
	_, err = Sliding(-2*s, s, 0, true)
	add("size must be positive (at least 1ms), got -2s", err)
	_, err = Sliding(2*s, -s, 0, true)
	add("slide must be positive (at least 1ms), got -1s", err)
	_, err = Sliding(20*s, 10*s, -11*s, true)
	add("offset must be smaller than the slide 10s, got -11s", err)
	_, err = Sliding(20*s, 10*s, 11*s, true)
	add("slide 10s, got 11s", err)
	_, err = Session(0, true)
	add("gap must be positive", err)
	for want, err := range bad {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestMergeTimeWindows(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"windows that touch merge", "4-5 1-2 0-1 5-6 2-3", "0-3=0-1,1-2,2-3 4-6=4-5,5-6"},
		{"covered and empty windows join", "1-1 0-2 4-7 5-6", "0-2=0-2,1-1 4-7=4-7,5-6"},
		{"windows apart do not merge", "0-2 4-5 7-9", ""},
		{"one window does not merge", "0-1", ""},
		{"equal windows are one", "0-1 0-1", ""},
	}
	for _, c := range cases {
		var in []TimeWindow
		for _, f := range strings.Fields(c.in) {
			var w TimeWindow
			fmt.Sscanf(f, "%d-%d", &w.Start, &w.End)
			in = append(in, w)
		}
		var got []string
		MergeTimeWindows(in, func(r TimeWindow, merged []TimeWindow) {
			var parts []string
			for _, m := range merged {
				parts = append(parts, fmt.Sprintf("%d-%d", m.Start, m.End))
			}
			got = append(got, fmt.Sprintf("%d-%d=%s", r.Start, r.End, strings.Join(parts, ",")))
		})
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: got %s, want %s", c.name, g, c.want)
		}
	}
}
