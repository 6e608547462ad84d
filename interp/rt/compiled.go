// Compiled functions: what package closure needs of the session, and the calls by which lowered code asks for them.

package rt

import (
	"fmt"
	"reflect"

	"flinkish/dataflow"
	"flinkish/interp/closure"
)

// AddSource keeps a function that may be compiled, and gives its number as text.
func (r *Registry) AddSource(s *closure.Source) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sources = append(r.sources, s)
	return fmt.Sprint(len(r.sources) - 1)
}

// host is the session as closures see it.
type host struct{ r *Runtime }

func (h host) Symbol(path, name string) reflect.Value {
	if h.r.Symbol == nil {
		return reflect.Value{}
	}
	return h.r.Symbol(path, name)
}

func (h host) Global(n int) any     { return h.r.kept(n) }
func (h host) Enter()               { h.r.enter() }
func (h host) Stopped() bool        { return h.r.raised() }
func (h host) Halt()                { h.r.halt() }
func (h host) Conv(v, zero any) any { return Conv(v, zero) }

// Failed notes a statement that a panic left, as the interpreter's trace does for its own functions.
func (h host) Failed(slot, mark int) {
	g, r := getg(), h.r
	r.traceMu.Lock()
	defer r.traceMu.Unlock()
	if t := r.traces[g]; len(t) < 64 {
		r.traces[g] = append(t, at{slot, mark})
	}
	r.last = r.traces[g]
}

// code compiles function n; nil if it stays interpreted.
func (r *Runtime) code(n int, vals []any) *closure.Code {
	if r.Interpreted {
		return nil
	}
	r.Reg.mu.RLock()
	src := r.Reg.sources[n]
	r.Reg.mu.RUnlock()
	c, err := closure.Compile(src, host{r}, vals)
	if r.Compiled != nil {
		r.Compiled(src.Body.Pos(), err)
	}
	if err != nil {
		return nil
	}
	return c
}

// compiled makes the function of the runtime that takes the interpreted form and gives the compiled one, if there
// is one.
func compiled[F any](r *Runtime, form func(*closure.Code) F) func(n int, f F, vals ...any) F {
	return func(n int, f F, vals ...any) F {
		if c := r.code(n, vals); c != nil {
			return form(c)
		}
		return f
	}
}

// compilers are the exports that compile for each form of a library's parameter.
func (r *Runtime) compilers() map[string]any {
	return map[string]any{
		"CompileMap": compiled[func(any) any](r, (*closure.Code).Map), "CompileMapErr": compiled[func(any) (any, error)](r, (*closure.Code).MapErr),
		"CompileFilter": compiled[func(any) bool](r, (*closure.Code).Filter), "CompileFilterErr": compiled[func(any) (bool, error)](r, (*closure.Code).FilterErr),
		"CompileNumber": compiled[func(any) int64](r, (*closure.Code).Number), "CompileTimestamp": compiled[func(any, int64) int64](r, (*closure.Code).Timestamp),
		"CompileSink":    compiled[func(any) error](r, (*closure.Code).Sink),
		"CompileFlatMap": compiled[func(any, dataflow.Collector[any])](r, (*closure.Code).FlatMap), "CompileFlatMapErr": compiled[func(any, dataflow.Collector[any]) error](r, (*closure.Code).FlatMapErr),
		"CompileFlatMapMethod": compiled[func(r, x any, out dataflow.Collector[any]) error](r, (*closure.Code).FlatMapMethod), "CompileFilterMethod": compiled[func(r, x any) (bool, error)](r, (*closure.Code).FilterMethod),
		"CompileReduceMethod": compiled[func(r, x, y any) any](r, (*closure.Code).ReduceMethod), "CompileReduceErrMethod": compiled[func(r, x, y any) (any, error)](r, (*closure.Code).ReduceErrMethod),
		"CompileProcess":       compiled[func(any, *dataflow.ProcessContext, dataflow.Collector[any])](r, closure.Process[dataflow.ProcessContext]),
		"CompileProcessErr":    compiled[func(any, *dataflow.ProcessContext, dataflow.Collector[any]) error](r, closure.ProcessErr[dataflow.ProcessContext]),
		"CompileKeyed":         compiled[func(any, *dataflow.KeyedContext[any], dataflow.Collector[any])](r, closure.Process[dataflow.KeyedContext[any]]),
		"CompileKeyedErr":      compiled[func(any, *dataflow.KeyedContext[any], dataflow.Collector[any]) error](r, closure.ProcessErr[dataflow.KeyedContext[any]]),
		"CompileProcessMethod": compiled[func(r, x any, ctx *dataflow.ProcessContext, out dataflow.Collector[any]) error](r, closure.ProcessMethod[dataflow.ProcessContext]),
		"CompileKeyedMethod":   compiled[func(r, x any, ctx *dataflow.KeyedContext[any], out dataflow.Collector[any]) error](r, closure.ProcessMethod[dataflow.KeyedContext[any]]),
		"CompileTimerMethod":   compiled[func(r any, ts int64, ctx *dataflow.OnTimerContext[any], out dataflow.Collector[any]) error](r, closure.TimerMethod[dataflow.OnTimerContext[any]]),
		"CompileReduce":        compiled[func(a, b any) any](r, (*closure.Code).Reduce), "CompileReduceErr": compiled[func(a, b any) (any, error)](r, (*closure.Code).ReduceErr),
	}
}
