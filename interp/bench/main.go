// Bench prints, in one run, how the engine compares with hand-written loops, the deterministic scheduler with
// the parallel one, and interpreted cells with compiled programs, each beside its target. Run it with
// GOMAXPROCS=1: ratios of several cores are not repeatable. An argument keeps the rows that contain it.
package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	. "flinkish/dataflow"
)

func main() {
	fmt.Printf("medians of %d interleaved rounds, GOMAXPROCS=%d, %s; time per record\n", rounds, runtime.GOMAXPROCS(0), runtime.Version())
	table, err := rows()
	if len(os.Args) > 1 {
		table = slices.DeleteFunc(table, func(r row) bool { return !strings.Contains(r.name, os.Args[1]) })
	}
	if err == nil {
		err = run(table)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(table []row) error {
	missed, err := printTable(os.Stdout, table)
	if missed > 0 {
		fmt.Printf("%d rows missed their target by more than 15 %%\n", missed)
	}
	return err
}

func rows() ([]row, error) {
	const chainLen, sums, wins = 5_000_000, 2_000_000, 2_000_000
	lines := textLines(60_000)
	pairs := randomPairs(sums, 1_000_000)
	events := randomEvents(wins, 10_000)
	text := "samples/data/opticks.txt"
	interpreted, err := interpretedText(text)
	if err != nil {
		return nil, err
	}
	return []row{
		{"chained map-filter-map / hand loop, same func values", engineChain(chainLen), func() (int64, error) { return handChain(chainLen) }, 2.5, true, chainLen},
		{"word count / hand loop, same functions", engineWords(lines), value(func() int64 { return handWords(lines) }), 1.1, true, 10 * len(lines)},
		{"keyed sum, 1e6 keys / Go map get and set", engineSum(pairs), value(func() int64 { return handSum(pairs) }), 0.9, true, sums},
		{"tumbling window count, 1e4 keys / hand-written", engineWindows(events, 1000, 100), value(func() int64 { return handWindows(events, 1000, 100) }), 1.3, true, wins},
		{"word count, deterministic / parallel, parallelism 1", engineWords(lines, WithDeterministic(1)), engineWords(lines), 1.2, true, 10 * len(lines)},
		{"word count over Opticks, interpreted / compiled", interpreted, compiledText(text), 5, true, 99_935},
	}, nil
}
