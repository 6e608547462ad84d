package dataflow

import (
	"time"

	"flinkish/dataflow/internal/window"
)

// TimeCharacteristic is what TimeWindow and TimeWindowAll mean by time (Flink's deprecated class of the same name).
type TimeCharacteristic = TimeDomain

// SetTimeCharacteristic sets the time of TimeWindow and TimeWindowAll; the default is EventTime. It has no other effect
// (setStreamTimeCharacteristic).
//
// Deprecated in Flink, gone in 2.0: use Window or WindowAll, whose assigner says which time it means.
func (e *StreamExecutionEnvironment) SetTimeCharacteristic(c TimeCharacteristic) *StreamExecutionEnvironment {
	e.characteristic = c
	return e
}

// TimeWindowOption changes a time window.
type TimeWindowOption func(*time.Duration)

// Slide makes the windows begin every d, so that they overlap.
func Slide(d time.Duration) TimeWindowOption { return func(slide *time.Duration) { *slide = d } }

// duration is time.Duration as a type parameter; for its use see CountWindow.
type duration interface{ time.Duration }

// TimeWindow gathers the records of each key in windows of one size (timeWindow).
//
// Deprecated in Flink, gone in 2.0: use Window.
func (k *KeyedStream[T, K]) TimeWindow[D duration](size D, opts ...TimeWindowOption) *WindowedStream[T, K, TimeWindow] {
	return windowed[T, K](&k.DataStream, "TimeWindow", timeWindows(k.env, time.Duration(size), opts))
}

// TimeWindowAll gathers all records in windows of one size, in one subtask (timeWindowAll).
//
// Deprecated in Flink, gone in 2.0: use WindowAll.
func (d *DataStream[T]) TimeWindowAll[D duration](size D, opts ...TimeWindowOption) *AllWindowedStream[T, TimeWindow] {
	return &AllWindowedStream[T, TimeWindow]{windowed[T, nullKey](nullKeyed(d), "TimeWindowAll", timeWindows(d.env, time.Duration(size), opts))}
}

func timeWindows(e *StreamExecutionEnvironment, size time.Duration, opts []TimeWindowOption) WindowAssigner[TimeWindow] {
	slide := size
	for _, o := range opts {
		o(&slide)
	}
	event := e.characteristic == EventTime
	if len(opts) == 0 {
		return checked(window.Tumbling(size, 0, event, window.Aligned))
	}
	return checked(window.Sliding(size, slide, 0, event))
}
