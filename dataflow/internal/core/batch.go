package core

// Gathering is a Keyer whose inputs BATCH mode can sort.
type Gathering interface {
	// Gather returns the sorter of one keyed input of an operator; in is the operator's KeyedEmit[K, T]. It is nil when the
	// operator takes no keys there.
	Gather(s *Subtask, in any) Gatherer
}

// Gatherer holds a keyed input until it has ended, and then hands it to the operator key by key, the records of a key in
// the order of their timestamps, equal ones in that of their arrival. Calls come from the goroutine of the subtask.
type Gatherer interface {
	// In is the KeyedEmit[K, T] that takes the records, until Sort.
	In() any
	// Taken is the number of records that were taken.
	Taken() uint64
	// Sort ends the taking.
	Sort() error
	// Key is the next key as bytes, nil after the last one; it is good until Deliver. Gatherers of the same key type
	// have the same bytes for equal keys, and keys in ascending order.
	Key() []byte
	// Time is the timestamp of the next record, good as Key is.
	Time() int64
	// Deliver hands the records of the next key with timestamps up to last to the operator and calls between after each.
	Deliver(last int64, between func()) error
	// Close drops what is held.
	Close() error
}
