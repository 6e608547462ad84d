package apitest_test

import (
	"testing"
	"time"

	. "flinkish/dataflow"
)

// TestTimesAreWholeMilliseconds: what would be cut off is refused at the call. A number without a unit is one of nanoseconds, so
// this finds forgotten units, too.
func TestTimesAreWholeMilliseconds(t *testing.T) {
	type stream = *DataStreamSource[int]
	const ms, odd = time.Millisecond, 1500 * time.Microsecond
	window := func(s stream) *AllWindowedStream[int, TimeWindow] { return s.WindowAll(TumblingEventTime(ms)) }
	strategy := func(s stream, w WatermarkStrategy[int]) { s.AssignTimestampsAndWatermarks(w) }
	for name, c := range map[string]struct {
		do   func(e *StreamExecutionEnvironment, s stream)
		says string
	}{
		"the size of a window":         {func(_ *StreamExecutionEnvironment, s stream) { s.WindowAll(TumblingEventTime(odd)) }, "WindowAll: size must be a whole number of milliseconds, got 1.5ms; use 1ms or 2ms"},
		"the size of a sliding window": {func(_ *StreamExecutionEnvironment, s stream) { s.WindowAll(SlidingProcessingTime(odd, ms)) }, "size"},
		"a slide":                      {func(_ *StreamExecutionEnvironment, s stream) { s.KeyBy(one).Window(SlidingEventTime(2*ms, odd)) }, "slide"},
		"an offset":                    {func(_ *StreamExecutionEnvironment, s stream) { s.WindowAll(TumblingEventTime(2*ms, Offset(-odd))) }, "got -1.5ms; use -1ms or -2ms"},
		"a gap":                        {func(_ *StreamExecutionEnvironment, s stream) { s.WindowAll(EventTimeSession(odd)) }, "session gap"},
		"TimeWindowAll":                {func(_ *StreamExecutionEnvironment, s stream) { s.TimeWindowAll(odd) }, "TimeWindowAll: size"},
		"the slide of TimeWindow":      {func(_ *StreamExecutionEnvironment, s stream) { s.KeyBy(one).TimeWindow(2*ms, Slide(odd)) }, "TimeWindow: slide"},
		"a lateness":                   {func(_ *StreamExecutionEnvironment, s stream) { window(s).AllowedLateness(5) }, "AllowedLateness: the allowed lateness must be a whole number of milliseconds, got 5ns (a bare number counts nanoseconds: write 5*time.Millisecond)"},
		"the interval of a trigger":    {func(_ *StreamExecutionEnvironment, s stream) { window(s).Trigger(ContinuousEventTimeTrigger(odd)) }, "trigger interval"},
		"a timeout": {func(_ *StreamExecutionEnvironment, s stream) {
			window(s).Trigger(ProcessingTimeoutTrigger(CountTrigger(1), odd))
		}, "the timeout"},
		"the time of an evictor": {func(_ *StreamExecutionEnvironment, s stream) { window(s).Evictor(TimeEvictor(odd)) }, "evictor"},
		"an out-of-orderness":    {func(_ *StreamExecutionEnvironment, s stream) { strategy(s, ForBoundedOutOfOrderness[int](5)) }, "the out-of-orderness must be a whole number of milliseconds, got 5ns"},
		"the out-of-orderness of old": {func(_ *StreamExecutionEnvironment, s stream) {
			s.AssignPeriodic(BoundedOutOfOrdernessTimestampExtractor(odd, func(int) int64 { return 0 }))
		}, "out-of-orderness"},
		"an idle timeout": {func(_ *StreamExecutionEnvironment, s stream) { strategy(s, NoWatermarks[int]().WithIdleness(odd)) }, "idle timeout"},
		"a drift": {func(_ *StreamExecutionEnvironment, s stream) {
			strategy(s, NoWatermarks[int]().WithWatermarkAlignment("g", odd))
		}, "drift"},
		"the interval of an alignment": {func(_ *StreamExecutionEnvironment, s stream) {
			strategy(s, NoWatermarks[int]().WithWatermarkAlignment("g", ms, odd))
		}, "interval"},
		"a bound": {func(_ *StreamExecutionEnvironment, s stream) {
			s.KeyBy(one).IntervalJoin(s.KeyBy(one)).Between(-odd, ms)
		}, "Between: the lower bound"},
		"the other bound":                  {func(_ *StreamExecutionEnvironment, s stream) { s.KeyBy(one).IntervalJoin(s.KeyBy(one)).Between(0, odd) }, "Between: the upper bound"},
		"a buffer timeout":                 {func(e *StreamExecutionEnvironment, _ stream) { e.SetBufferTimeout(odd) }, "SetBufferTimeout"},
		"a negative buffer timeout":        {func(e *StreamExecutionEnvironment, _ stream) { e.SetBufferTimeout(-ms / 2) }, "SetBufferTimeout"},
		"that of an operator":              {func(_ *StreamExecutionEnvironment, s stream) { s.SetBufferTimeout(odd) }, "SetBufferTimeout"},
		"the interval of watermarks":       {func(e *StreamExecutionEnvironment, _ stream) { e.SetAutoWatermarkInterval(odd) }, "auto watermark interval"},
		"the interval of checkpoints":      {func(e *StreamExecutionEnvironment, _ stream) { e.EnableCheckpointing(10*ms + odd) }, "interval of checkpoints"},
		"the pause between checkpoints":    {func(e *StreamExecutionEnvironment, _ stream) { e.CheckpointConfig().SetMinPause(odd) }, "pause between checkpoints"},
		"the time that an iteration waits": {func(_ *StreamExecutionEnvironment, s stream) { s.Iterate(MaxWait(odd)) }, "max wait"},
	} {
		t.Run(name, func(t *testing.T) {
			e := env()
			c.do(e, e.FromElements(1))
			mistake(t, e.Err(), "IllegalArgument", c.says)
			mistake(t, e.Err(), "IllegalArgument", "whole number of milliseconds")
		})
	}
	mistake(t, NewListStateDescriptor[int]("l").TTL(odd).Err(), "IllegalArgument", "the time to live must be a whole number of milliseconds, got 1.5ms")
}
