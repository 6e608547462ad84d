package dataflow

import "time"

// CheckpointingMode is what a checkpoint promises (Flink's CheckpointingMode).
type CheckpointingMode uint8

const (
	// ExactlyOnce counts each record once in the state that is restored.
	ExactlyOnce CheckpointingMode = iota
	// AtLeastOnce may count a record again after a restore.
	AtLeastOnce
)

// String is Flink's word for the mode.
func (m CheckpointingMode) String() string {
	return [...]string{"EXACTLY_ONCE", "AT_LEAST_ONCE"}[m]
}

// CheckpointConfig are the settings of checkpoints, with Flink's defaults (Flink's CheckpointConfig). They are part of the
// program. A job of this process takes no checkpoint, so they change one thing: an iteration is refused while
// checkpointing is on.
type CheckpointConfig struct {
	env        *StreamExecutionEnvironment
	interval   time.Duration // 0: off
	mode       CheckpointingMode
	timeout    time.Duration
	minPause   time.Duration
	concurrent int
	tolerable  int
	unaligned  bool
	forced     bool // iterations too
}

func newCheckpointConfig(e *StreamExecutionEnvironment) CheckpointConfig {
	return CheckpointConfig{env: e, timeout: 10 * time.Minute, concurrent: 1}
}

// minCheckpoint is the least interval and timeout.
const minCheckpoint = 10 * time.Millisecond

// CheckpointOption changes what EnableCheckpointing sets.
type CheckpointOption func(*CheckpointConfig)

// CheckpointMode sets the mode; the default is ExactlyOnce.
func CheckpointMode(m CheckpointingMode) CheckpointOption {
	return func(c *CheckpointConfig) { c.mode = m }
}

// ForceCheckpoints lets a program with iterations have checkpoints (the deprecated third argument of enableCheckpointing);
// records inside the loop are not part of them.
func ForceCheckpoints() CheckpointOption { return func(c *CheckpointConfig) { c.forced = true } }

// EnableCheckpointing sets the time between two checkpoints, at least 10 ms (enableCheckpointing). BATCH ignores it. See
// CheckpointConfig for what it does here.
func (e *StreamExecutionEnvironment) EnableCheckpointing(interval time.Duration, opts ...CheckpointOption) *StreamExecutionEnvironment {
	if e.checkpointTime("EnableCheckpointing", "interval", interval) {
		e.checkpoints.interval = interval
	}
	for _, o := range opts {
		o(&e.checkpoints)
	}
	return e
}

func (e *StreamExecutionEnvironment) checkpointTime(call, what string, d time.Duration) bool {
	if d < minCheckpoint {
		e.fail("IllegalArgument", "", call, "the %s of checkpoints must be at least %v, got %v", what, minCheckpoint, d)
		return false
	}
	return e.whole("", call, "the "+what+" of checkpoints", d)
}

// CheckpointConfig are the settings of checkpoints (getCheckpointConfig).
func (e *StreamExecutionEnvironment) CheckpointConfig() *CheckpointConfig { return &e.checkpoints }

// CheckpointInterval is the time between two checkpoints; -1ms when checkpointing is off (getCheckpointInterval).
func (e *StreamExecutionEnvironment) CheckpointInterval() time.Duration {
	return e.checkpoints.Interval()
}

// Enabled reports whether checkpointing is on.
func (c *CheckpointConfig) Enabled() bool { return c.interval > 0 }

// Interval is the time between two checkpoints; -1ms when checkpointing is off.
func (c *CheckpointConfig) Interval() time.Duration {
	if c.interval == 0 {
		return -time.Millisecond
	}
	return c.interval
}

// Mode is what checkpoints promise.
func (c *CheckpointConfig) Mode() CheckpointingMode { return c.mode }

// SetMode sets what checkpoints promise.
func (c *CheckpointConfig) SetMode(m CheckpointingMode) *CheckpointConfig {
	c.mode = m
	return c
}

// Timeout is how long a checkpoint may take; 10 minutes unless set.
func (c *CheckpointConfig) Timeout() time.Duration { return c.timeout }

// SetTimeout sets how long a checkpoint may take, at least 10 ms.
func (c *CheckpointConfig) SetTimeout(d time.Duration) *CheckpointConfig {
	if c.env.checkpointTime("SetTimeout", "timeout", d) {
		c.timeout = d
	}
	return c
}

// MinPause is the least time between the end of a checkpoint and the next; 0 unless set.
func (c *CheckpointConfig) MinPause() time.Duration { return c.minPause }

// SetMinPause sets the least time between the end of a checkpoint and the next (setMinPauseBetweenCheckpoints).
func (c *CheckpointConfig) SetMinPause(d time.Duration) *CheckpointConfig {
	if d < 0 {
		c.env.fail("IllegalArgument", "", "SetMinPause", "the pause between checkpoints must not be negative, got %v", d)
	} else if c.env.whole("", "SetMinPause", "the pause between checkpoints", d) {
		c.minPause = d
	}
	return c
}

// MaxConcurrent is how many checkpoints may be under way at once; 1 unless set.
func (c *CheckpointConfig) MaxConcurrent() int { return c.concurrent }

// SetMaxConcurrent sets how many checkpoints may be under way at once, at least 1 (setMaxConcurrentCheckpoints).
func (c *CheckpointConfig) SetMaxConcurrent(n int) *CheckpointConfig {
	if n < 1 {
		c.env.fail("IllegalArgument", "", "SetMaxConcurrent", "at least 1 checkpoint must be allowed at a time, got %d", n)
	} else {
		c.concurrent = n
	}
	return c
}

// TolerableFailures is how many checkpoints in a row may fail; 0 unless set.
func (c *CheckpointConfig) TolerableFailures() int { return c.tolerable }

// SetTolerableFailures sets how many checkpoints in a row may fail (setTolerableCheckpointFailureNumber).
func (c *CheckpointConfig) SetTolerableFailures(n int) *CheckpointConfig {
	if n < 0 {
		c.env.fail("IllegalArgument", "", "SetTolerableFailures", "the number of tolerable failures must not be negative, got %d", n)
	} else {
		c.tolerable = n
	}
	return c
}

// Unaligned reports whether checkpoints overtake records; they do not unless set.
func (c *CheckpointConfig) Unaligned() bool { return c.unaligned }

// SetUnaligned says whether checkpoints overtake records (enableUnalignedCheckpoints).
func (c *CheckpointConfig) SetUnaligned(on bool) *CheckpointConfig {
	c.unaligned = on
	return c
}
