package graph

// GraphError is a mistake in how a program was put together, found while it is built, while its graph is
// generated, or at submission.
type GraphError struct {
	Kind string // the name of Flink's exception class, without "Exception": UnsupportedOperation
	Op   string // name of the operator it is about; may be empty
	Call string // the call that was wrong, such as "Rebalance"
	Msg  string // what is wrong, and the way out
	Pos  string // file:line of the call, or the cell; may be empty
	Err  error  // the cause, whose text is part of Msg; may be nil
}

// Unwrap returns the cause.
func (e *GraphError) Unwrap() error { return e.Err }

// Error is the kind and the message.
func (e *GraphError) Error() string {
	s := e.Kind + ": "
	if e.Call != "" {
		s += e.Call + ": "
	}
	return s + e.Msg
}

// SetType says what the records of t are. A session calls it, because there the Go type of a stream is
// any.
func (t *Transformation) SetType(out Type) { t.Out = out }
