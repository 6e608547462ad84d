package dataflow

import (
	"errors"
	"fmt"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/fault"
)

// kindError is an error with the name of Flink's exception; its text begins with that name.
func kindError(kind, format string, args ...any) error {
	return &GraphError{Kind: kind, Msg: fmt.Sprintf(format, args...)}
}

// blame keeps the mistake of a builder call that err tells: its kind and its words, without the call that it names.
func (e *StreamExecutionEnvironment) blame(op, call string, err error) {
	switch err := err.(type) {
	case *fault.Error:
		e.fail(err.Kind, op, call, "%s", err.Msg)
	case *graph.GraphError:
		e.fail(err.Kind, op, call, "%s", err.Msg)
	default:
		e.fail("IllegalArgument", op, call, "%s", err)
	}
}

// failGraph keeps an IllegalArgument mistake in the settings of t that counts when the graph is generated; the first one wins.
func (e *StreamExecutionEnvironment) failGraph(t *Transformation, call, format string, args ...any) {
	if t.Mistake == nil {
		t.Mistake = &GraphError{Kind: "IllegalArgument", Op: t.Name, Call: call, Msg: fmt.Sprintf(format, args...), Pos: e.position()}
	}
}

// ioError gives a failure of a file or a connection the kind that Flink has for it, IO; call is the method of the API that
// asked for it. nil stays nil.
func ioError(call string, err error) error {
	if known := (*graph.GraphError)(nil); err == nil || errors.As(err, &known) {
		return err
	}
	return &GraphError{Kind: "IO", Call: call, Msg: err.Error(), Err: err}
}
