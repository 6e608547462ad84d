package dataflow

import (
	"errors"
	"fmt"
	"time"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/fault"
)

// kindError is an error with the name of Flink's exception; its text begins with that name.
func kindError(kind, format string, args ...any) error {
	return &GraphError{Kind: kind, Msg: fmt.Sprintf(format, args...)}
}

// blame keeps the mistake of a builder call that err tells: its kind and its words, without the call that it names.
func (e *StreamExecutionEnvironment) blame(op, call string, err error) {
	kind, msg := wordsOf(err)
	e.fail(kind, op, call, "%s", msg)
}

// wordsOf are the kind and the words of a mistake, without the call that it names.
func wordsOf(err error) (kind, msg string) {
	switch err := err.(type) {
	case *fault.Error:
		return err.Kind, err.Msg
	case *graph.GraphError:
		return err.Kind, err.Msg
	}
	return "IllegalArgument", err.Error()
}

// whole keeps the mistake of a duration that is not a whole number of milliseconds, and reports whether there is none.
func (e *StreamExecutionEnvironment) whole(op, call, what string, d time.Duration) bool {
	err := fault.WholeMillis(what, d)
	if err != nil {
		e.blame(op, call, err)
	}
	return err == nil
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
