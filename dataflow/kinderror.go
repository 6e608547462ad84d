package dataflow

import (
	"errors"
	"fmt"

	"flinkish/dataflow/graph"
)

// kindError is an error with the name of Flink's exception; its text begins with that name.
func kindError(kind, format string, args ...any) error {
	return &GraphError{Kind: kind, Msg: fmt.Sprintf(format, args...)}
}

// ioError gives a failure of a file or a connection the kind that Flink has for it, IO; call is the method of the API that
// asked for it. nil stays nil.
func ioError(call string, err error) error {
	if known := (*graph.GraphError)(nil); err == nil || errors.As(err, &known) {
		return err
	}
	return &GraphError{Kind: "IO", Call: call, Msg: err.Error(), Err: err}
}
