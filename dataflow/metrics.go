package dataflow

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// This file is the kinds of metrics that a MetricGroup makes. They are plain numbers of the subtask's goroutine.

// Counter is a metric that goes up and down (Flink's Counter).
type Counter struct{ n int64 }

// Inc adds 1, or the numbers given.
func (c *Counter) Inc(n ...int64) { c.n += sumOr1(n) }

// Dec takes 1 off, or the numbers given.
func (c *Counter) Dec(n ...int64) { c.n -= sumOr1(n) }

// Count is where the counter stands.
func (c *Counter) Count() int64 { return c.n }

func sumOr1(n []int64) int64 {
	if len(n) == 0 {
		return 1
	}
	sum := int64(0)
	for _, v := range n {
		sum += v
	}
	return sum
}

// The rate of a meter is that of the last minute, looked at every 5 seconds, as Flink's MeterView has it.
const (
	meterSpan = 60
	meterStep = 5
)

// Meter is a metric of how often something happens (Flink's MeterView).
type Meter struct {
	count  int64
	values [meterSpan/meterStep + 1]int64 // of count, a ring
	at     int                            // the newest of values
	next   int64                          // when the next one is due, ms
}

func newMeter() *Meter { return &Meter{next: math.MinInt64} }

// MarkEvent counts 1 event, or the numbers given.
func (m *Meter) MarkEvent(n ...int64) { m.count += sumOr1(n) }

// Count is how many events there were.
func (m *Meter) Count() int64 { return m.count }

// Rate is the events per second over the last minute.
func (m *Meter) Rate() float64 {
	oldest := m.values[(m.at+1)%len(m.values)]
	return float64(m.values[m.at]-oldest) / meterSpan
}

func (m *Meter) update(now int64) {
	if m.next == math.MinInt64 {
		m.next = now + meterStep*1000
	}
	for steps := 0; now >= m.next && steps < len(m.values); steps++ {
		m.at = (m.at + 1) % len(m.values)
		m.values[m.at] = m.count
		m.next += meterStep * 1000
	}
	if now >= m.next {
		m.next = now + meterStep*1000
	}
}

// MeterStatistics is the value of a Meter in the numbers of a job.
type MeterStatistics struct {
	Count int64
	Rate  float64 // events per second over the last minute
}

// String is such as "12, 0.2/s".
func (m MeterStatistics) String() string {
	return fmt.Sprintf("%d, %s/s", m.Count, strconv.FormatFloat(m.Rate, 'g', 4, 64))
}

// histogramSize is how many of the last values a histogram keeps (metrics.latency.history-size).
const histogramSize = 128

// MetricHistogram is a metric of how a number is distributed, over its last 128 values (Flink's DescriptiveStatisticsHistogram).
type MetricHistogram struct {
	count int64
	last  []int64 // a ring once it is full
}

// Update takes a value in.
func (h *MetricHistogram) Update(v int64) {
	if len(h.last) < histogramSize {
		h.last = append(h.last, v)
	} else {
		h.last[h.count%histogramSize] = v
	}
	h.count++
}

// Count is how many values came, all of them.
func (h *MetricHistogram) Count() int64 { return h.count }

// HistogramStatistics is the value of a MetricHistogram in the numbers of a job. All but Count are of the last values.
type HistogramStatistics struct {
	Count            int64
	Min, Max         int64
	Mean, StdDev     float64
	Median, P95, P99 float64
}

// String is such as "count 3, min 1, mean 2, p95 3, max 3".
func (s HistogramStatistics) String() string {
	g := func(f float64) string { return strconv.FormatFloat(f, 'g', 4, 64) }
	return fmt.Sprintf("count %d, min %d, mean %s, p50 %s, p95 %s, p99 %s, max %d", s.Count, s.Min, g(s.Mean), g(s.Median), g(s.P95), g(s.P99), s.Max)
}

// Statistics are the statistics of the last values; zeros without a value.
func (h *MetricHistogram) Statistics() HistogramStatistics {
	s := HistogramStatistics{Count: h.count}
	n := len(h.last)
	if n == 0 {
		return s
	}
	sorted := slices.Sorted(slices.Values(h.last))
	for _, v := range sorted {
		s.Mean += float64(v) / float64(n)
	}
	for _, v := range sorted {
		s.StdDev += (float64(v) - s.Mean) * (float64(v) - s.Mean)
	}
	if n > 1 {
		s.StdDev = math.Sqrt(s.StdDev / float64(n-1))
	}
	s.Min, s.Max = sorted[0], sorted[n-1]
	s.Median, s.P95, s.P99 = quantile(sorted, 0.5), quantile(sorted, 0.95), quantile(sorted, 0.99)
	return s
}

// Quantile is the value below which the part q of the last values lies, q from 0 to 1; 0 without a value.
func (h *MetricHistogram) Quantile(q float64) float64 {
	return quantile(slices.Sorted(slices.Values(h.last)), q)
}

// quantile interpolates between the two values next to position q*(n+1), as the library that Flink uses does.
func quantile(sorted []int64, q float64) float64 {
	n := len(sorted)
	pos := q * float64(n+1)
	switch {
	case n == 0:
		return 0
	case pos < 1:
		return float64(sorted[0])
	case pos >= float64(n):
		return float64(sorted[n-1])
	}
	lower := float64(sorted[int(pos)-1])
	return lower + (pos-math.Floor(pos))*(float64(sorted[int(pos)])-lower)
}
