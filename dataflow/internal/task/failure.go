package task

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/fault"
	"flinkish/dataflow/job"
)

var errGoexit = errors.New("the function ended its goroutine with runtime.Goexit; return an error instead")

// settle is deferred around user code. It turns a panic, or a goroutine that is being ended, into the
// failure of the job. done tells a return from runtime.Goexit.
func (t *Task) settle(done *bool) {
	r := recover()
	switch {
	case r != nil:
		if _, unwound := r.(core.Unwind); !unwound {
			t.host.Fail(t.caught(r, string(debug.Stack())))
		}
	case !*done:
		t.host.Fail(t.failure(errGoexit, ""))
	}
}

// caught is the error that a recovered panic stands for.
func (t *Task) caught(r any, stack string) error {
	if b, ours := r.(core.Bug); ours {
		return t.bug(string(b), stack)
	}
	if e, is := r.(runtime.Error); is && engineFault() {
		return t.bug(e.Error(), stack)
	}
	if err, is := r.(error); is {
		return t.failure(err, stack)
	}
	return t.failure(&job.PanicError{Value: r}, stack)
}

func (t *Task) bug(text, stack string) error {
	return &job.Bug{Task: fmt.Sprintf("%s (%d/%d)", t.sub.TaskName, t.sub.Index+1, t.sub.Parallelism), Text: text, Stack: stack}
}

// engineFault reports whether the panic that is being recovered was raised by the code of these packages
// themselves, not by a function that they called.
func engineFault() bool {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	panicked := false
	for {
		f, more := frames.Next()
		if f.Function == "runtime.gopanic" {
			panicked = true
		} else if panicked && !strings.HasPrefix(f.Function, "runtime.") {
			return isEngine(f.Function) && !strings.HasSuffix(f.File, "_test.go")
		}
		if !more {
			return false
		}
	}
}

func isEngine(function string) bool {
	for _, p := range []string{"exchange", "sched", "task", "watermark"} {
		if strings.HasPrefix(function, "flinkish/dataflow/internal/"+p+".") {
			return true
		}
	}
	return false
}

// failure lays err at the door of the operator that is at work.
func (t *Task) failure(err error, stack string) *job.Failure {
	i := max(0, min(int(t.sub.Op), len(t.ops)-1))
	o := t.ops[i]
	f := &job.Failure{
		Operator: o.node.Name, Subtask: t.sub.Index, Parallelism: t.sub.Parallelism, Attempt: t.sub.Attempt,
		During: t.phase, Stack: stack, Pos: o.node.T.Pos, Place: o.node.T.Place,
	}
	for _, c := range t.choosers {
		// A choice that failed stays open, and Close comes after it.
		if rec, by := c.Choosing(); by != core.NoChoice && t.phase != "close" {
			t.blame(f, c.edge, rec, by, err)
			return f
		}
	}
	f.Cause = told(err, o.node.T.Call)
	if t.phase != "" {
		return f
	}
	if o.inst != nil && o.inst.Record != nil {
		f.Record, f.Text, f.HasRecord = describe(o.inst.Record, func(rec any) graph.Type { return inputType(o.node, rec) })
	}
	return f
}

// told is err as the user gets it: a mistake that a part below the graph found is one of call.
func told(err error, call string) error {
	if e, ours := err.(*fault.Error); ours {
		return &graph.GraphError{Kind: e.Kind, Call: cmp.Or(e.Call, call), Msg: e.Msg}
	}
	return err
}

// chooser calls the functions of the user that choose the way of records over edge.
type chooser struct {
	core.Chooser
	edge *graph.Edge
}

// blame lays a failure at the door of the function that chose the way of rec, and of the call that gave it.
func (t *Task) blame(f *job.Failure, e *graph.Edge, rec any, by core.Choice, err error) {
	n := e.From
	f.Operator, f.During, f.Behind = n.Name, "", "key selector"
	if by == core.Chosen {
		f.Behind = "partitioner"
	}
	if via := e.Via; via != nil {
		f.Call, f.Pos, f.Place = via.Call, via.Pos, via.Place
	}
	f.Cause = told(err, f.Call)
	f.Record, f.Text, f.HasRecord = describe(func() any { return rec }, func(any) graph.Type { return outputType(n, e.Tag) })
}

// outputType is the type of the records of an output of n; tag is empty for the main one.
func outputType(n *graph.Node, tag string) graph.Type {
	if tag != "" {
		return n.T.SideOut[tag]
	}
	return n.T.Out
}

// maxRecordText bounds the text of a record in a message, in bytes.
const maxRecordText = 200

// describe asks for the record, and its type for the text. Both run code that is not ours, and a broken
// String method must not hide the first error.
func describe(record func() any, typeOf func(rec any) graph.Type) (rec any, text string, ok bool) {
	defer func() {
		if recover() != nil {
			rec, text, ok = nil, "", false
		}
	}()
	rec = record()
	if rec == nil {
		return nil, "", false
	}
	text = fmt.Sprint(rec)
	if typ := typeOf(rec); typ != nil {
		text = typ.Format(rec)
	}
	if len(text) > maxRecordText {
		text = strings.ToValidUTF8(text[:maxRecordText], "") + "..."
	}
	return rec, text, true
}

// inputType is the type of the input that rec came from.
func inputType(n *graph.Node, rec any) graph.Type {
	var first graph.Type
	for _, e := range n.In {
		typ := outputType(e.From, e.Tag)
		if typ == nil {
			continue
		}
		if typ.Reflect() == reflect.TypeOf(rec) {
			return typ
		}
		if first == nil {
			first = typ
		}
	}
	return first
}
