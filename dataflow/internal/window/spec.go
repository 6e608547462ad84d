package window

import (
	"fmt"
	"reflect"
	"time"

	"flinkish/dataflow/internal/fault"
)

// The specs of the built-in triggers.
type (
	eventTimeSpec      struct{}
	processingTimeSpec struct{}
	neverSpec          struct{}
	endOfStreamSpec    struct{}
	countSpec          struct{ n int64 }
	purgingSpec        struct{ inner TriggerSpec }
	continuousSpec     struct {
		interval int64
		event    bool
	}
	timeoutSpec struct {
		inner          TriggerSpec
		timeout        int64
		reset, noClear bool
	}
	deltaSpec[T any] struct {
		threshold float64
		delta     func(old, new T) float64
	}
	customSpec[T any, W Window] struct{ trigger Trigger[T, W] }
)

// EventTime fires when the watermark reaches the window's end, and for every late record that is still
// allowed (EventTimeTrigger).
func EventTime() TriggerSpec { return eventTimeSpec{} }

// ProcessingTime fires when the processing time reaches the window's end (ProcessingTimeTrigger).
func ProcessingTime() TriggerSpec { return processingTimeSpec{} }

// Never does not fire.
func Never() TriggerSpec { return neverSpec{} }

// EndOfStream fires when the input has ended.
func EndOfStream() TriggerSpec { return endOfStreamSpec{} }

// Count fires at every n records of a window (CountTrigger).
func Count(n int64) TriggerSpec { return countSpec{n} }

// Purging is inner, but the contents are removed when it fires (PurgingTrigger).
func Purging(inner TriggerSpec) TriggerSpec { return purgingSpec{inner} }

// ContinuousEventTime fires at the multiples of interval, in event time, and at the window's end
// (ContinuousEventTimeTrigger). It fails unless interval > 0.
func ContinuousEventTime(interval time.Duration) (TriggerSpec, error) {
	return continuous(interval, true)
}

// ContinuousProcessingTime fires at the multiples of interval in processing time
// (ContinuousProcessingTimeTrigger). It fails unless interval > 0.
func ContinuousProcessingTime(interval time.Duration) (TriggerSpec, error) {
	return continuous(interval, false)
}

func continuous(interval time.Duration, event bool) (TriggerSpec, error) {
	if interval.Milliseconds() <= 0 {
		return nil, fmt.Errorf("window: trigger interval must be positive (at least 1ms), got %s", fault.Bare(interval))
	}
	return continuousSpec{interval.Milliseconds(), event}, fault.WholeMillis("trigger interval", interval)
}

// ProcessingTimeout is inner, but fires also when timeout has passed since the first record after the last
// firing, or since the last record with resetOnNew (ProcessingTimeoutTrigger). clearOnTimeout
// clears the inner trigger then; Flink's default is true.
func ProcessingTimeout(inner TriggerSpec, timeout time.Duration, resetOnNew, clearOnTimeout bool) TriggerSpec {
	return timeoutSpec{inner, timeout.Milliseconds(), resetOnNew, !clearOnTimeout}
}

// Delta fires when delta(element of the last firing, new element) > threshold (DeltaTrigger).
func Delta[T any](threshold float64, delta func(old, new T) float64) TriggerSpec {
	return deltaSpec[T]{threshold, delta}
}

// Custom is a trigger of the user's.
func Custom[T any, W Window](t Trigger[T, W]) TriggerSpec { return customSpec[T, W]{t} }

func (eventTimeSpec) String() string      { return "EventTimeTrigger()" }
func (processingTimeSpec) String() string { return "ProcessingTimeTrigger()" }
func (neverSpec) String() string          { return "NeverTrigger" }
func (endOfStreamSpec) String() string    { return "EndOfStreamTrigger" }
func (s countSpec) String() string        { return fmt.Sprintf("CountTrigger(%d)", s.n) }
func (s purgingSpec) String() string      { return fmt.Sprintf("PurgingTrigger(%s)", s.inner) }
func (s continuousSpec) String() string {
	return fmt.Sprintf("Continuous%sTrigger(%d)", domain(s.event), s.interval)
}
func (s timeoutSpec) String() string      { return fmt.Sprintf("TimeoutTrigger(%s)", s.inner) }
func (s deltaSpec[T]) String() string     { return fmt.Sprintf("DeltaTrigger(%v)", s.threshold) }
func (s customSpec[T, W]) String() string { return nameOf(s.trigger) }

// nameOf is what an object of the program says of itself, else the name of its type.
func nameOf(v any) string {
	if n, ok := v.(fmt.Stringer); ok {
		return n.String()
	}
	t := reflect.TypeOf(v)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}

func (eventTimeSpec) isTrigger()      {}
func (processingTimeSpec) isTrigger() {}
func (neverSpec) isTrigger()          {}
func (endOfStreamSpec) isTrigger()    {}
func (countSpec) isTrigger()          {}
func (purgingSpec) isTrigger()        {}
func (continuousSpec) isTrigger()     {}
func (timeoutSpec) isTrigger()        {}
func (deltaSpec[T]) isTrigger()       {}
func (customSpec[T, W]) isTrigger()   {}

// BuildTrigger makes the trigger for records of T in windows of W. It fails when the spec was made for
// other types. copy, if not nil, makes the copy of a user's trigger for one subtask.
func BuildTrigger[T any, W Window](spec TriggerSpec, copy func(any) any) (Trigger[T, W], error) {
	switch s := spec.(type) {
	case eventTimeSpec:
		return eventTime[T, W]{}, nil
	case processingTimeSpec:
		return processingTime[T, W]{}, nil
	case neverSpec:
		return never[T, W]{}, nil
	case endOfStreamSpec:
		return endOfStream[T, W]{}, nil
	case countSpec:
		return count[T, W]{n: s.n}, nil
	case continuousSpec:
		if s.event {
			return continuousEvent[T, W]{interval: s.interval}, nil
		}
		return continuousProcessing[T, W]{interval: s.interval}, nil
	case purgingSpec:
		inner, err := BuildTrigger[T, W](s.inner, copy)
		return purging[T, W]{inner}, err
	case timeoutSpec:
		inner, err := BuildTrigger[T, W](s.inner, copy)
		return timeout[T, W]{inner, s}, err
	case deltaSpec[T]:
		return delta[T, W]{s}, nil
	case customSpec[T, W]:
		if copy != nil {
			return copy(s.trigger).(Trigger[T, W]), nil
		}
		return s.trigger, nil
	}
	return nil, fmt.Errorf("window: trigger %s is not for elements of type %s in windows of type %s",
		spec, reflect.TypeFor[T](), reflect.TypeFor[W]())
}
