package viz

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Count writes a number of records in at most five columns: 999, 1.2k, 12.4k, 999k, 1.2M.
func Count(n uint64) string {
	if n < 1000 {
		return strconv.FormatUint(n, 10)
	}
	return scaled(n, 1000, []string{"k", "M", "G", "T", "P", "E"})
}

// Bytes writes a size in bytes with steps of 1024: 999 B, 1.2 KB, 12.4 MB.
func Bytes(n uint64) string {
	if n < 1024 {
		return strconv.FormatUint(n, 10) + " B"
	}
	return scaled(n, 1024, []string{" KB", " MB", " GB", " TB", " PB", " EB"})
}

// scaled keeps one decimal below 100 and cuts the rest: a count must not look larger than it is.
func scaled(n, step uint64, units []string) string {
	unit, div := 0, step
	for n/div >= step && unit < len(units)-1 {
		unit++
		div *= step
	}
	whole := n / div
	if whole >= 100 {
		return strconv.FormatUint(whole, 10) + units[unit]
	}
	tenth := n % div / (div / 10)
	return strconv.FormatUint(whole, 10) + "." + strconv.FormatUint(min(tenth, 9), 10) + units[unit]
}

// Percent writes a ratio in per mille as a rounded percentage, and N/A for a negative one.
func Percent(perMille int) string {
	if perMille < 0 {
		return "N/A"
	}
	return strconv.Itoa((min(perMille, 1000)+5)/10) + "%"
}

// The ends of event time as the engine counts it, in ms since the epoch.
const (
	minTime = math.MinInt64
	maxTime = math.MaxInt64
)

// Time writes ms since the epoch as a time of day in UTC, 10:00:31.250; a whole second has no
// decimals. The two ends of event time are "none" and "end".
func Time(ms int64) string {
	return timeText(ms, "15:04:05")
}

// DateTime is Time with the date: 2024-01-01 10:00:31.250.
func DateTime(ms int64) string {
	return timeText(ms, "2006-01-02 15:04:05")
}

func timeText(ms int64, layout string) string {
	switch ms {
	case minTime:
		return "none"
	case maxTime:
		return "end"
	}
	if ms%1000 != 0 {
		layout += ".000"
	}
	return time.UnixMilli(ms).UTC().Format(layout)
}

// Watermark writes a watermark in ms since the epoch: a time of day, "none" before the first one and
// "end" after the last.
func Watermark(ms int64) string { return Time(ms) }

// WatermarkRange writes the lowest and the highest watermark of some subtasks, the part that they
// share only once: 10:00:11..17.
func WatermarkRange(low, high int64) string {
	a, b := Time(low), Time(high)
	if a == b {
		return a
	}
	if low == minTime || high == maxTime || len(a) != len(b) {
		return a + ".." + b
	}
	cut := 0
	for i := range a {
		if a[i] != b[i] {
			break
		}
		if a[i] == ':' || a[i] == '.' {
			cut = i + 1
		}
	}
	return a + ".." + b[cut:]
}

// Duration writes a length of time in ms without trailing zeroes: 0 ms, 250 ms, 1.5 s, 2m30s.
func Duration(ms int64) string {
	switch {
	case ms < 1000 && ms > -1000:
		return strconv.FormatInt(ms, 10) + " ms"
	case ms < 60_000 && ms > -60_000:
		s := strconv.FormatFloat(float64(ms)/1000, 'f', 3, 64)
		return strings.TrimRight(strings.TrimRight(s, "0"), ".") + " s"
	}
	return (time.Duration(ms) * time.Millisecond).String()
}
