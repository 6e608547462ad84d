package dataflow

import (
	"math"
	"time"

	"flinkish/dataflow/internal/fault"
	"flinkish/dataflow/internal/state"
)

// TTLOption changes how a state expires (StateTtlConfig.Builder).
type TTLOption func(*ttl)

// ttl is the time to live of a state; the zero value is none.
type ttl struct {
	set, off bool
	life     time.Duration
	state.TTL
	err string
}

// OnReadAndWrite makes reading count like writing (UpdateType.OnReadAndWrite).
func OnReadAndWrite() TTLOption { return func(t *ttl) { t.OnRead = true } }

// OnCreateAndWrite makes only writing count, which is the default (UpdateType.OnCreateAndWrite).
func OnCreateAndWrite() TTLOption { return func(t *ttl) { t.OnRead = false } }

// TTLDisabled switches expiry off (UpdateType.Disabled).
func TTLDisabled() TTLOption { return func(t *ttl) { t.off = true } }

// ReturnExpiredIfNotCleanedUp hands an expired value out once more if it is still there.
func ReturnExpiredIfNotCleanedUp() TTLOption { return func(t *ttl) { t.ReturnExpired = true } }

// NeverReturnExpired hides expired values, which is the default.
func NeverReturnExpired() TTLOption { return func(t *ttl) { t.ReturnExpired = false } }

// UseProcessingTime measures by the clock; there is no other way.
func UseProcessingTime() TTLOption { return func(*ttl) {} }

// CleanupFullSnapshot leaves expired values out of snapshots, as is done always.
func CleanupFullSnapshot() TTLOption { return func(*ttl) {} }

// CleanupIncrementally makes each access look at n other values, which must be positive, and remove those that are expired. It
// is the default, with 5. runForEveryRecord changes nothing: a record that touches no state cleans up nothing.
func CleanupIncrementally(n int, runForEveryRecord bool) TTLOption {
	return func(t *ttl) {
		if n <= 0 {
			t.err = "the number of values that incremental cleanup looks at must be positive, got " + itoa(n)
		}
		t.Step = int32(min(n, math.MaxInt32))
	}
}

// DisableCleanupInBackground leaves expired values that nobody reads where they are, unless CleanupIncrementally is given.
func DisableCleanupInBackground() TTLOption { return func(t *ttl) { t.NoCleanup = true } }

func ttlOf(d time.Duration, opts []TTLOption) ttl {
	t := ttl{set: true, life: d}
	if d < time.Millisecond {
		t.err = "the time to live must be positive (at least 1ms), got " + fault.Bare(d)
	} else if err := fault.WholeMillis("the time to live", d); err != nil {
		_, t.err = wordsOf(err)
	}
	for _, o := range opts {
		o(&t)
	}
	t.Millis = d.Milliseconds()
	t.NoCleanup = t.NoCleanup && t.Step == 0
	return t
}

// of is the time to live as the state wants it; none is nil.
func (t ttl) of(a *stateAccess) []state.TTL {
	if !t.set || t.off {
		return nil
	}
	t.TTL.Now = a.now
	return []state.TTL{t.TTL}
}

// TTL lets values expire d after they were written last; d is one or more whole milliseconds. A wrong d is an error where the state is
// used (enableTimeToLive).
func (d *ValueStateDescriptor[V]) TTL(life time.Duration, opts ...TTLOption) *ValueStateDescriptor[V] {
	d.ttl = ttlOf(life, opts)
	return d
}

// TTL lets elements expire, each by itself; see ValueStateDescriptor.TTL.
func (d *ListStateDescriptor[V]) TTL(life time.Duration, opts ...TTLOption) *ListStateDescriptor[V] {
	d.ttl = ttlOf(life, opts)
	return d
}

// TTL lets entries expire, each by itself; see ValueStateDescriptor.TTL. Broadcast state refuses it.
func (d *MapStateDescriptor[K, V]) TTL(life time.Duration, opts ...TTLOption) *MapStateDescriptor[K, V] {
	d.ttl = ttlOf(life, opts)
	return d
}

// TTL lets folds expire; see ValueStateDescriptor.TTL.
func (d *ReducingStateDescriptor[V]) TTL(life time.Duration, opts ...TTLOption) *ReducingStateDescriptor[V] {
	d.ttl = ttlOf(life, opts)
	return d
}

// TTL lets accumulators expire; see ValueStateDescriptor.TTL.
func (d *AggregatingStateDescriptor[IN, ACC, OUT]) TTL(life time.Duration, opts ...TTLOption) *AggregatingStateDescriptor[IN, ACC, OUT] {
	d.ttl = ttlOf(life, opts)
	return d
}
