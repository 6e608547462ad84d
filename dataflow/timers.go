package dataflow

import "flinkish/dataflow/internal/timer"

// TimeDomain is event time or processing time.
type TimeDomain uint8

const (
	// EventTime advances with watermarks.
	EventTime TimeDomain = iota
	// ProcessingTime is the clock of the machine, or the virtual clock.
	ProcessingTime
)

// String is Flink's word for the domain.
func (d TimeDomain) String() string { return [...]string{"EVENT_TIME", "PROCESSING_TIME"}[d] }

// TimerService tells the time and sets timers (Flink's TimerService). A timer belongs to the key at hand and
// is known by its time and domain: setting it twice keeps one. Times are milliseconds since the epoch.
type TimerService struct {
	base *opBase
	svc  *timer.Service[struct{}] // nil where timers are not allowed
}

// CurrentProcessingTime is the processing time in milliseconds.
func (t *TimerService) CurrentProcessingTime() int64 { return t.base.sub.Now() }

// CurrentWatermark is the watermark of the operator in milliseconds; MinInt64 before the first.
func (t *TimerService) CurrentWatermark() int64 { return t.base.wm }

// RegisterEventTimeTimer sets a timer that fires once the watermark reaches ts; one in the past fires at the
// next watermark.
func (t *TimerService) RegisterEventTimeTimer(ts int64) { t.timers().RegisterEventTime(struct{}{}, ts) }

// RegisterProcessingTimeTimer sets a timer that fires once the clock has passed ts. Timers that are
// pending when the input ends do not fire.
func (t *TimerService) RegisterProcessingTimeTimer(ts int64) {
	t.timers().RegisterProcessingTime(struct{}{}, ts)
}

// DeleteEventTimeTimer removes a timer; it is a no-op when there is none.
func (t *TimerService) DeleteEventTimeTimer(ts int64) { t.timers().DeleteEventTime(struct{}{}, ts) }

// DeleteProcessingTimeTimer removes a timer; it is a no-op when there is none.
func (t *TimerService) DeleteProcessingTimeTimer(ts int64) {
	t.timers().DeleteProcessingTime(struct{}{}, ts)
}

func (t *TimerService) timers() *timer.Service[struct{}] {
	if t.svc == nil {
		t.base.fail(&GraphError{Kind: "UnsupportedOperation", Call: "TimerService",
			Msg: "timers can be set on a keyed stream only; call KeyBy, then ProcessKeyed"})
	}
	return t.svc
}
