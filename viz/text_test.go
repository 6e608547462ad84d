package viz

import (
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"
)

func TestNumbersFitTheirColumn(t *testing.T) {
	for _, c := range []struct {
		n    uint64
		want string
	}{
		{0, "0"}, {999, "999"}, {1000, "1.0k"}, {1099, "1.0k"}, {12_499, "12.4k"}, {99_999, "99.9k"}, {100_000, "100k"},
		{999_999, "999k"}, {1_000_000, "1.0M"}, {12_345_678_901, "12.3G"}, {math.MaxUint64, "18.4E"},
	} {
		if got := Count(c.n); got != c.want || len(got) > 5 {
			t.Errorf("Count(%d): got %s, want %s in five columns", c.n, got, c.want)
		}
	}
}

func TestBytesCountInStepsOf1024(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KB", 1536: "1.5 KB", 1 << 20: "1.0 MB", 200 << 30: "200 GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d): got %s, want %s", n, got, want)
		}
	}
}

func TestRatiosAreRoundedAndUnknownOnesAreNotNumbers(t *testing.T) {
	for n, want := range map[int]string{-1: "N/A", 0: "0%", 4: "0%", 5: "1%", 994: "99%", 995: "100%", 1200: "100%"} {
		if got := Percent(n); got != want {
			t.Errorf("Percent(%d): got %s, want %s", n, got, want)
		}
	}
}

func TestLevelsHaveFlinksThresholds(t *testing.T) {
	for n, want := range map[int]string{-1: "N/A", 0: "OK", 100: "OK", 101: "LOW", 500: "LOW", 501: "HIGH", 1000: "HIGH"} {
		if got := Level(n); got != want {
			t.Errorf("Level(%d): got %s, want %s", n, got, want)
		}
	}
}

func TestTimesAreInUTCAndTheEndsAreWords(t *testing.T) {
	for _, c := range []struct {
		ms         int64
		time, date string
	}{
		{math.MinInt64, "none", "none"}, {math.MaxInt64, "end", "end"}, {0, "00:00:00", "1970-01-01 00:00:00"},
		{1704067210250, "00:00:10.250", "2024-01-01 00:00:10.250"}, {-1, "23:59:59.999", "1969-12-31 23:59:59.999"},
	} {
		if got := Time(c.ms); got != c.time {
			t.Errorf("Time(%d): got %s, want %s", c.ms, got, c.time)
		}
		if got := DateTime(c.ms); got != c.date {
			t.Errorf("DateTime(%d): got %s, want %s", c.ms, got, c.date)
		}
	}
}

func TestARangeOfWatermarksWritesTheSharedPartOnce(t *testing.T) {
	for _, c := range []struct {
		low, high int64
		want      string
	}{
		{11_000, 17_000, "00:00:11..17"}, {11_000, 11_000, "00:00:11"}, {11_000, 71_000, "00:00:11..01:11"},
		{11_250, 11_500, "00:00:11.250..500"}, {11_000, 11_500, "00:00:11..00:00:11.500"}, {math.MinInt64, 11_000, "none..00:00:11"},
		{11_000, math.MaxInt64, "00:00:11..end"},
	} {
		if got := WatermarkRange(c.low, c.high); got != c.want {
			t.Errorf("WatermarkRange(%d, %d): got %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

func TestDurationsHaveNoUselessDigits(t *testing.T) {
	for ms, want := range map[int64]string{0: "0 ms", 999: "999 ms", 1000: "1 s", 1500: "1.5 s", 59_999: "59.999 s", 150_000: "2m30s"} {
		if got := Duration(ms); got != want {
			t.Errorf("Duration(%d): got %s, want %s", ms, got, want)
		}
	}
}

func TestTextFromOutsideCannotMoveTheCursor(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "a\nb\tc": `a\nb\tc`, "\x1b[31mred\x1b[0m": "red", "a\x07b\x00": "ab", "数据": "数据", "x\u202ey": "xy",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q): got %q, want %q", in, got, want)
		}
	}
}

func TestTextIsCutByColumnsNotBytes(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		g     Glyphs
		want  string
	}{
		{"window", 6, Unicode, "window"}, {"windows", 6, Unicode, "windo…"}, {"windows", 6, ASCII, "windo~"},
		{"数据流", 5, Unicode, "数据…"}, {"数据流", 4, Unicode, "数…"}, {"x", 0, Unicode, ""},
	} {
		if got := Truncate(c.in, c.width, c.g); got != c.want {
			t.Errorf("Truncate(%q, %d): got %q, want %q", c.in, c.width, got, c.want)
		}
		if got := Width(Pad(c.in, c.width, c.g)); got != c.width {
			t.Errorf("Pad(%q, %d) has %d columns", c.in, c.width, got)
		}
		if got := Width(PadLeft(c.in, c.width, c.g)); got != c.width {
			t.Errorf("PadLeft(%q, %d) has %d columns", c.in, c.width, got)
		}
	}
}

func TestBarsShowEveryRatioAboveZeroAndAreFullOnlyAtTheTop(t *testing.T) {
	for _, c := range []struct {
		ratio int
		kind  BarKind
		want  string
	}{
		{-1, Busy, "····"}, {0, Busy, "····"}, {1, Busy, "█···"}, {500, Busy, "██··"}, {999, Busy, "███·"}, {1000, Busy, "████"}, {920, Blocked, "▒▒▒·"},
	} {
		if got := Bar(c.ratio, 4, c.kind, Unicode); got != c.want {
			t.Errorf("Bar(%d): got %s, want %s", c.ratio, got, c.want)
		}
	}
	if got, want := BusyBar(300, 500, 10, ASCII), "###%%%%%.."; got != want {
		t.Errorf("BusyBar: got %s, want %s", got, want)
	}
}

func TestGlyphSetsAreFoundByName(t *testing.T) {
	for _, g := range []Glyphs{Unicode, Block, ASCII} {
		if got, err := ParseGlyphs(g.String()); got != g || err != nil {
			t.Errorf("%s: got %v, %v", g, got, err)
		}
	}
	if _, err := ParseGlyphs("braille"); err == nil || !strings.Contains(err.Error(), "unicode, block and ascii") {
		t.Errorf("got %v, want an error that names the sets", err)
	}
}

func people() Table {
	return Table{
		Columns: []Column{{Title: "USER"}, {Title: "N", Right: true, Min: 4}, {Title: "PAGE", Max: 20}},
		Rows: [][]string{
			{"ann", "1", "/home"}, {"名前", "20", "/a/very/long/path/that/ends/nowhere"}, {"c\nd", "300"}, {"e", "4", "/"}, {"f", "5", "/f"},
		},
	}
}

func TestTablesAlignByDisplayWidth(t *testing.T) {
	golden(t, "table", people().Draw(80, 0, Unicode))
}

func TestTablesCountWhatTheyLeaveOut(t *testing.T) {
	p := people()
	p.Marked, p.Total = 4, 12
	golden(t, "table-cut", p.Draw(24, 4, ASCII))
}

func TestTablesFitAnyWidth(t *testing.T) {
	p := people()
	for w := 1; w < 60; w++ {
		for _, marked := range []int{0, 3} {
			p.Marked = marked
			for _, l := range strings.Split(p.Draw(w, 0, Unicode), "\n") {
				if Width(l) > w {
					t.Errorf("%d columns, want at most %d: %q", Width(l), w, l)
				}
			}
		}
	}
}

func TestATimelinePlacesWatermarks(t *testing.T) {
	tl := Timeline{Rows: []Mark{
		{Name: "A#1", At: 36017000}, {Name: "A#2", At: 36011000, Note: "holds the others back"}, {Name: "B", At: math.MinInt64, Note: "idle"},
		{Name: "C", At: math.MaxInt64},
	}}
	golden(t, "timeline", tl.Draw(80, Unicode)+tl.Draw(60, ASCII)+tl.Draw(20, ASCII))
}

func TestExportsLookAsWritten(t *testing.T) {
	for name, g := range map[string]Graph{"clicks": clicks(), "hard": hard()} {
		golden(t, name+"-mermaid", Mermaid(g))
		golden(t, name+"-dot", DOT(g))
		golden(t, name+"-svg", SVG(g))
	}
}

func TestSVGIsWellFormed(t *testing.T) {
	eachRandomGraph(t, func(t *testing.T, g Graph) {
		d := xml.NewDecoder(strings.NewReader(SVG(g)))
		rects := 0
		for {
			tok, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := tok.(xml.StartElement); ok && e.Name.Local == "rect" {
				rects++
			}
		}
		if rects != len(g.Tasks) {
			t.Fatalf("got %d boxes, want %d", rects, len(g.Tasks))
		}
	})
}
