package sched

import "time"

// System is the machine's clock. It is chosen where a program is put together, and passed down.
var System Clock = system{start: time.Now()}

type system struct{ start time.Time }

func (system) Now() int64     { return time.Now().UnixMilli() }
func (s system) Nanos() int64 { return int64(time.Since(s.start)) }

func (system) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	return time.AfterFunc(d, f).Stop
}
