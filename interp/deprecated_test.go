package interp

import (
	"slices"
	"strings"
	"testing"

	"flinkish/interp/symbols"
)

// TestCallsThatFlinkDeprecatesAreNotedOnce, in the order of the source, inside functions too.
func TestCallsThatFlinkDeprecatesAreNotedOnce(t *testing.T) {
	s, _ := newSession(t)
	for _, c := range []struct {
		cell string
		want []string
	}{
		{`a := env.FromElements(Tuple2[string, int]{"a", 1}).KeyByPositions(0)`,
			[]string{"note: FromElements is deprecated in Flink since 1.19: use FromData", "note: KeyByPositions is deprecated in Flink, gone in 2.0: use KeyBy"}},
		{`b := env.FromElements(1).KeyBy(func(x int) int { return x })`, nil},
		{`func lines(d *DataStream[int]) { d.WriteAsText("x") }`, []string{"note: WriteAsText is deprecated in Flink, gone in 2.0: use SinkTo"}},
		{`type mine struct{}; func (mine) Iterate() int { return 1 }; mine{}.Iterate()`, nil},
		{`strings.Title("a")`, nil}, // of Go, which is not Flink
	} {
		if got := eval(t, s, c.cell).Notes; !slices.Equal(got, c.want) {
			t.Errorf("%s\n got %q\nwant %q", c.cell, got, c.want)
		}
	}
}

// TestWhatFlinkDeprecatesSaysSo: the table of the API and the comments agree.
func TestWhatFlinkDeprecatesSaysSo(t *testing.T) {
	want := []string{"ConnectedStreams.KeyByFields", "ConnectedStreams.KeyByPositions", "DataStream.AssignPeriodic", "DataStream.AssignPunctuated", "DataStream.Iterate", "DataStream.KeyByFields", "DataStream.KeyByPositions",
		"DataStream.PartitionCustomByField", "DataStream.PartitionCustomByPosition", "DataStream.TimeWindowAll", "DataStream.WriteAsCsv", "DataStream.WriteAsText",
		"DataStream.WriteUsingOutputFormat", "KeyedStream.TimeWindow", "StreamExecutionEnvironment.AddSource", "StreamExecutionEnvironment.FromElements",
		"StreamExecutionEnvironment.GenerateSequence", "StreamExecutionEnvironment.SetTimeCharacteristic"}
	var got []string
	for _, name := range symbols.DocNames() {
		if _, declared, _ := symbols.Doc(name); declared == name && deprecation(name) != "" {
			got = append(got, name)
			if strings.Contains(deprecation(name), "\n") {
				t.Errorf("%s takes more than a line", name)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
