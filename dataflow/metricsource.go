package dataflow

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// This file takes the metrics of a function from the goroutine of its subtask to those who look (core.MetricSource).

type counterSource struct {
	c     *Counter
	shown atomic.Int64
}

func (s *counterSource) Publish(int64) { s.shown.Store(s.c.n) }
func (s *counterSource) Value() any    { return s.shown.Load() }

type meterSource struct {
	m     *Meter
	mu    sync.Mutex // guards shown
	shown MeterStatistics
}

func (s *meterSource) Publish(now int64) {
	s.m.update(now)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown = MeterStatistics{s.m.count, s.m.Rate()}
}

func (s *meterSource) Value() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown
}

// histogramSource copies the last values if there are new ones. Who looks makes the statistics.
type histogramSource struct {
	h     *MetricHistogram
	mu    sync.Mutex // guards shown
	shown MetricHistogram
}

func (s *histogramSource) Publish(int64) {
	if s.shown.count == s.h.count { // which nobody else changes
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown.count = s.h.count
	s.shown.last = append(s.shown.last[:0], s.h.last...)
}

func (s *histogramSource) Value() any {
	s.mu.Lock()
	h := MetricHistogram{s.shown.count, slices.Clone(s.shown.last)}
	s.mu.Unlock()
	return h.Statistics()
}

// gaugeSource asks a function of the program.
type gaugeSource struct {
	f     func() any
	mu    sync.Mutex // guards shown
	shown any
}

func (s *gaugeSource) Publish(int64) {
	v := s.ask()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown = v
}

func (s *gaugeSource) ask() (v any) {
	defer func() {
		if r := recover(); r != nil { // a number must not end a job
			v = fmt.Sprint("panic: ", r)
		}
	}()
	return s.f()
}

func (s *gaugeSource) Value() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown
}
