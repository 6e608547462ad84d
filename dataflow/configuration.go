package dataflow

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"flinkish/dataflow/graph"
)

// WithConfiguration sets options by Flink's keys and in Flink's notation, as in {"parallelism.default": "4",
// "execution.runtime-mode": "BATCH", "pipeline.auto-watermark-interval": "200 ms"} (configure(ReadableConfig)). They are set in
// the order of their keys; the older names of keys are understood, too. A key that has no meaning here is an IllegalArgument error that
// names the one that was probably meant, a value that asks for what a job of this
// process cannot do, such as restarts, an UnsupportedOperation.
func WithConfiguration(options map[string]string) EnvOption {
	return func(e *StreamExecutionEnvironment) {
		for _, key := range slices.Sorted(maps.Keys(options)) {
			e.configureKey(key, options[key])
		}
	}
}

// Configuration are the options that WithConfiguration set, by Flink's keys (getConfiguration).
func (e *StreamExecutionEnvironment) Configuration() map[string]string {
	return maps.Clone(e.configuration)
}

// errNotHere is the error of a value that is right in Flink and has no meaning in one process.
var errNotHere = errors.New("a job of this process cannot do that")

func (e *StreamExecutionEnvironment) configureKey(key, value string) {
	if now, old := olderKeys[key]; old {
		key = now
	}
	set, ok := configurationKeys[key]
	if !ok {
		known := slices.Sorted(maps.Keys(configurationKeys))
		if near := nearestKey(key, known); near != "" {
			e.fail("IllegalArgument", "", "WithConfiguration", "there is no option %q here; do you mean %s?", key, near)
			return
		}
		e.fail("IllegalArgument", "", "WithConfiguration", "there is no option %q here; there are %s", key, strings.Join(known, ", "))
		return
	}
	switch err := set(e, strings.TrimSpace(value)); {
	case errors.Is(err, errNotHere):
		e.fail("UnsupportedOperation", "", "WithConfiguration", "%s: %s: %v", key, value, err)
		return
	case err != nil:
		e.fail("IllegalArgument", "", "WithConfiguration", "%s: cannot read %q: %v", key, value, err)
		return
	}
	if e.configuration == nil {
		e.configuration = map[string]string{}
	}
	e.configuration[key] = value
}

// olderKeys are the names that options had before.
var olderKeys = map[string]string{
	"execution.buffer-timeout":          "execution.buffer-timeout.interval",
	"execution.checkpointing.unaligned": "execution.checkpointing.unaligned.enabled",
	"pipeline.operator-chaining":        "pipeline.operator-chaining.enabled",
	"restart-strategy":                  "restart-strategy.type",
	"state.backend":                     "state.backend.type",
	"state.backend.changelog.enabled":   "state.changelog.enabled",
	"state.savepoints.dir":              "execution.checkpointing.savepoint-dir",
}

// configurationKeys say what each option does.
var configurationKeys = map[string]func(e *StreamExecutionEnvironment, value string) error{
	"execution.batch-shuffle-mode": onlyWords("ALL_EXCHANGES_BLOCKING"),
	"execution.buffer-timeout.enabled": flagOption(func(e *StreamExecutionEnvironment, on bool) error {
		if !on {
			e.SetBufferTimeout(-time.Millisecond) // off
		}
		return nil
	}),
	"execution.buffer-timeout.interval": bufferTimeout,
	"execution.checkpointing.interval": durationOption(func(e *StreamExecutionEnvironment, d time.Duration) *StreamExecutionEnvironment {
		return e.EnableCheckpointing(d)
	}),
	"execution.checkpointing.max-concurrent-checkpoints": numberOption(func(e *StreamExecutionEnvironment, n int) *StreamExecutionEnvironment {
		e.checkpoints.SetMaxConcurrent(n)
		return e
	}),
	"execution.checkpointing.min-pause": durationOption(func(e *StreamExecutionEnvironment, d time.Duration) *StreamExecutionEnvironment {
		e.checkpoints.SetMinPause(d)
		return e
	}),
	"execution.checkpointing.mode": anyWord(map[string]func(*StreamExecutionEnvironment){
		"EXACTLY_ONCE":  func(e *StreamExecutionEnvironment) { e.checkpoints.mode = ExactlyOnce },
		"AT_LEAST_ONCE": func(e *StreamExecutionEnvironment) { e.checkpoints.mode = AtLeastOnce },
	}),
	"execution.checkpointing.savepoint-dir": func(*StreamExecutionEnvironment, string) error { return nil }, // kept for who asks
	"execution.checkpointing.timeout": durationOption(func(e *StreamExecutionEnvironment, d time.Duration) *StreamExecutionEnvironment {
		e.checkpoints.SetTimeout(d)
		return e
	}),
	"execution.checkpointing.tolerable-failed-checkpoints": numberOption(func(e *StreamExecutionEnvironment, n int) *StreamExecutionEnvironment {
		e.checkpoints.SetTolerableFailures(n)
		return e
	}),
	"execution.checkpointing.unaligned.enabled": flagOption(func(e *StreamExecutionEnvironment, on bool) error { e.checkpoints.SetUnaligned(on); return nil }),
	"execution.runtime-mode": anyWord(map[string]func(*StreamExecutionEnvironment){
		"STREAMING": func(e *StreamExecutionEnvironment) { e.SetRuntimeMode(Streaming) },
		"BATCH":     func(e *StreamExecutionEnvironment) { e.SetRuntimeMode(Batch) },
		"AUTOMATIC": func(e *StreamExecutionEnvironment) { e.SetRuntimeMode(Automatic) },
	}),
	"execution.sorted-inputs.enabled":       onlyFlag(true),
	"execution.sort-keyed-partition.memory": memoryOption(WithSortKeyedPartitionMemory),
	"execution.sort-partition.memory":       memoryOption(WithSortPartitionMemory),
	"parallelism.default":                   numberOption((*StreamExecutionEnvironment).SetParallelism),
	"pipeline.auto-generate-uids":           flagOption(func(e *StreamExecutionEnvironment, on bool) error { e.requireUIDs = !on; return nil }),
	"pipeline.auto-watermark-interval":      durationOption((*StreamExecutionEnvironment).SetAutoWatermarkInterval),
	"pipeline.cached-files":                 cachedFiles,
	"pipeline.global-job-parameters":        globalJobParameters,
	"pipeline.max-parallelism":              numberOption((*StreamExecutionEnvironment).SetMaxParallelism),
	"pipeline.name":                         func(e *StreamExecutionEnvironment, v string) error { e.jobName = v; return nil },
	"pipeline.object-reuse":                 onlyFlag(true),
	"pipeline.operator-chaining.chain-operators-with-different-max-parallelism": flagOption(func(e *StreamExecutionEnvironment, on bool) error { e.sameMax = !on; return nil }),
	"pipeline.operator-chaining.enabled":                                        flagOption(func(e *StreamExecutionEnvironment, on bool) error { e.chaining = on; return nil }),
	"pipeline.vertex-description-mode": anyWord(map[string]func(*StreamExecutionEnvironment){
		"TREE":      func(e *StreamExecutionEnvironment) { e.descriptions = graph.Tree },
		"CASCADING": func(e *StreamExecutionEnvironment) { e.descriptions = graph.Cascading },
	}),
	"pipeline.vertex-name-include-index-prefix": flagOption(func(e *StreamExecutionEnvironment, on bool) error { e.indexPrefix = on; return nil }),
	"restart-strategy.type":                     onlyWords("none", "off", "disable"),
	"state.backend.type":                        onlyWords("hashmap"),
	"state.changelog.enabled":                   onlyFlag(false),
}

// bufferTimeout sets the interval unless the timeout is off, which is another key; to turn it off by a negative interval is left
// to SetBufferTimeout.
func bufferTimeout(e *StreamExecutionEnvironment, v string) error {
	d, err := durationOf(v)
	switch {
	case err != nil || strings.EqualFold(e.configuration["execution.buffer-timeout.enabled"], "false"):
		return err
	case d < 0:
		return errors.New("a time of 0 ms or more is needed; to turn the timeout off, set execution.buffer-timeout.enabled to false")
	}
	e.SetBufferTimeout(d)
	return nil
}

func durationOption(set func(*StreamExecutionEnvironment, time.Duration) *StreamExecutionEnvironment) func(*StreamExecutionEnvironment, string) error {
	return func(e *StreamExecutionEnvironment, v string) error {
		d, err := durationOf(v)
		if err == nil {
			set(e, d)
		}
		return err
	}
}

func numberOption(set func(*StreamExecutionEnvironment, int) *StreamExecutionEnvironment) func(*StreamExecutionEnvironment, string) error {
	return func(e *StreamExecutionEnvironment, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil {
			return errors.New("a whole number is needed")
		}
		set(e, n)
		return nil
	}
}

func memoryOption(option func(bytes int64) EnvOption) func(*StreamExecutionEnvironment, string) error {
	return func(e *StreamExecutionEnvironment, v string) error {
		n, err := bytesOf(v)
		if err == nil {
			option(n)(e)
		}
		return err
	}
}

func flagOption(set func(e *StreamExecutionEnvironment, on bool) error) func(*StreamExecutionEnvironment, string) error {
	return func(e *StreamExecutionEnvironment, v string) error {
		switch strings.ToLower(v) {
		case "true":
			return set(e, true)
		case "false":
			return set(e, false)
		}
		return errors.New("true or false is needed")
	}
}

// onlyFlag takes the one value that a process can have.
func onlyFlag(is bool) func(*StreamExecutionEnvironment, string) error {
	return flagOption(func(_ *StreamExecutionEnvironment, on bool) error {
		if on != is {
			return errNotHere
		}
		return nil
	})
}

// anyWord takes one of Flink's words for the values of an enum.
func anyWord(words map[string]func(*StreamExecutionEnvironment)) func(*StreamExecutionEnvironment, string) error {
	return func(e *StreamExecutionEnvironment, v string) error {
		set, ok := words[strings.ToUpper(strings.ReplaceAll(v, "-", "_"))]
		if !ok {
			return fmt.Errorf("one of %s is needed", strings.Join(slices.Sorted(maps.Keys(words)), ", "))
		}
		set(e)
		return nil
	}
}

// onlyWords takes the words for what a process does.
func onlyWords(words ...string) func(*StreamExecutionEnvironment, string) error {
	return func(_ *StreamExecutionEnvironment, v string) error {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, v) }) {
			return fmt.Errorf("%w; use %s", errNotHere, words[0])
		}
		return nil
	}
}

// durationOf reads Flink's notation of times: "200 ms", "1min", "2 h"; a bare number is milliseconds.
func durationOf(v string) (time.Duration, error) {
	number, unit := numberAndUnit(v)
	per, ok := map[string]time.Duration{"": time.Millisecond, "ms": time.Millisecond, "milli": time.Millisecond, "millis": time.Millisecond,
		"s": time.Second, "sec": time.Second, "second": time.Second, "seconds": time.Second, "m": time.Minute, "min": time.Minute,
		"minute": time.Minute, "minutes": time.Minute, "h": time.Hour, "hour": time.Hour, "hours": time.Hour,
		"d": 24 * time.Hour, "day": 24 * time.Hour, "days": 24 * time.Hour}[unit]
	n, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || n != 0 && time.Duration(n)*per/per != time.Duration(n) {
		return 0, errors.New("a time such as 200 ms, 1 s or 10 min is needed")
	}
	return time.Duration(n) * per, nil
}

// bytesOf reads Flink's notation of memory sizes: "64 mb", "1g"; a bare number is bytes.
func bytesOf(v string) (int64, error) {
	number, unit := numberAndUnit(v)
	shift, ok := map[string]int{"": 0, "b": 0, "bytes": 0, "k": 10, "kb": 10, "kibibytes": 10, "m": 20, "mb": 20, "mebibytes": 20,
		"g": 30, "gb": 30, "gibibytes": 30, "t": 40, "tb": 40, "tebibytes": 40}[unit]
	n, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || n<<shift>>shift != n {
		return 0, errors.New("a size such as 64 mb or 1 gb is needed")
	}
	return n << shift, nil
}

func numberAndUnit(v string) (number, unit string) {
	end := strings.IndexFunc(v, func(r rune) bool { return (r < '0' || r > '9') && r != '-' })
	if end < 0 {
		end = len(v)
	}
	return v[:end], strings.ToLower(strings.TrimSpace(v[end:]))
}
