package spell

import "testing"

func TestNearestIsWhatWasMeant(t *testing.T) {
	names := []string{"Count", "Filter", "FlatMap", "KeyBy", "ProcessJoinContext", "ReadOnlyBroadcastContext", "SinkContext", "ab", "c", "fs", "graph", "parallelism", "Überlauf"}
	for _, tt := range []struct{ name, typed, want string }{
		{"swapped neighbours", "grpah", "graph"},
		{"a letter too many", "KeyByy", "KeyBy"},
		{"letters left out", "Cnt", "Count"},
		{"another case", "filter", "Filter"},
		{"a long word may differ more", "parralellism", "parallelism"},
		{"letters count, not bytes", "Uberlauf", "Überlauf"},
		{"two letters, swapped", "ba", "ab"},
		{"two letters, one too many", "cc", "c"},
		{"two letters, another one", "ws", ""},
		{"one letter, another one", "7", ""},
		{"a word left out", "JoinContext", "ProcessJoinContext"},
		{"words in another order", "BroadcastReadOnlyContext", "ReadOnlyBroadcastContext"},
		{"a word that no name has", "LateContext", ""},
		{"two words left out", "BroadcastContext", "ReadOnlyBroadcastContext"},
		{"nothing is near", "Window", ""},
		{"the name itself is no miss", "graph", ""},
	} {
		if got := Nearest(tt.typed, names); got != tt.want {
			t.Errorf("%s: %s: got %q, want %q", tt.name, tt.typed, got, tt.want)
		}
	}
}
