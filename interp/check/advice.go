// Advice: correct Go that is probably not what was meant. A cell runs in spite of it.

package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// timing says whether the records of a stream carry timestamps, as far as the cells tell.
type timing uint8

const (
	timeUnknown timing = iota
	untimed
	timed
)

// untimedSources are the methods of the environment whose records have no timestamps.
var untimedSources = map[string]bool{"FromElements": true, "FromData": true, "FromSlice": true, "FromSeq": true, "FromSequence": true,
	"ReadTextFile": true, "ReadFile": true, "ReadCSV": true, "ReadJSONLines": true}

// setters change the stream that they are called on and give it back.
var setters = map[string]bool{"Name": true, "UID": true, "UIDHash": true, "SetParallelism": true, "SetMaxParallelism": true, "ForceNonParallel": true,
	"SetBufferTimeout": true, "StartNewChain": true, "DisableChaining": true, "SlotSharingGroup": true, "Description": true, "Returns": true,
	"Trigger": true, "Evictor": true, "AllowedLateness": true, "SideOutputLateData": true}

// acts are the methods that give a stream but are called for what they do.
var acts = map[string]bool{"CloseWith": true}

// values are the types of the library that are made to be passed on.
var values = map[string]bool{"WatermarkStrategy": true, "WindowAssigner": true, "AnyTrigger": true, "AnyEvictor": true, "OutputTag": true,
	"WindowedStream": true, "AllWindowedStream": true, "ConnectedStreams": true, "BroadcastConnectedStream": true, "JoinedStreams": true, "CoGroupedStreams": true}

type adviser struct {
	c    *Checker
	cell *Cell
	s    *source
	// calls of the library, by the place of the name
	calls map[token.Pos]string
}

// advise fills in Cell.Warnings and Cell.Calls, and notes which of the session's streams carry timestamps.
func (c *Checker) advise(cell *Cell, s *source) {
	if c.lib == nil {
		return
	}
	ad := &adviser{c, cell, s, map[token.Pos]string{}}
	for it := range ad.items() {
		ad.item(it)
	}
	ad.old()
	for _, at := range slices.Sorted(maps.Keys(ad.calls)) {
		cell.Calls = append(cell.Calls, ad.calls[at])
	}
}

func (ad *adviser) item(it *Item) {
	switch it.Kind {
	case FuncItem:
		ad.walk(it.Decl)
	case VarItem:
		for _, v := range it.Spec.Values {
			ad.walk(v)
		}
		for i, v := range it.Vars {
			if v != nil && len(it.Spec.Values) == len(it.Vars) {
				ad.cell.after.timing[v] = ad.timing(it.Spec.Values[i])
			}
		}
	case StmtItem:
		ad.walk(it.Stmt)
		if as, ok := it.Stmt.(*ast.AssignStmt); ok && len(as.Lhs) == len(as.Rhs) {
			for i, l := range as.Lhs {
				if id, ok := l.(*ast.Ident); ok {
					ad.cell.after.timing[ad.cell.Info.Uses[id]] = ad.timing(as.Rhs[i])
				}
			}
		}
	}
}

func (ad *adviser) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			if show := ad.cell.Show; show == nil || show.Expr != n.X {
				ad.unused(n)
			}
		case *ast.CallExpr:
			ad.window(n)
			if f, id, _ := ad.callee(n); f != nil {
				ad.calls[id.Pos()] = ad.c.docKey(f)
			}
		case *ast.AssignStmt: // perhaps later, perhaps never: nobody knows
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok {
					delete(ad.cell.after.timing, ad.cell.Info.Uses[id])
				}
			}
		}
		return true
	})
}

func (ad *adviser) warn(at, end ast.Node, msg, hint string) {
	e := ad.s.errorPos(at.Pos(), end.End(), msg)
	e.Kind, e.Hint = Warning, hint
	ad.cell.Warnings = append(ad.cell.Warnings, e)
}

// callee is the function of the library that a call calls, its name in the source and, for a method, what it is
// called on.
func (ad *adviser) callee(call *ast.CallExpr) (f *types.Func, id *ast.Ident, recv ast.Expr) {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	switch x := fun.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
		if ad.cell.Info.Selections[x] != nil {
			recv = x.X
		}
	default:
		return nil, nil, nil
	}
	f, _ = ad.cell.Info.Uses[id].(*types.Func)
	if f == nil || f.Pkg() != ad.c.lib {
		return nil, nil, nil
	}
	return f, id, recv
}

// unused warns of a call that only makes something, when nobody takes it.
func (ad *adviser) unused(st *ast.ExprStmt) {
	call, ok := ast.Unparen(st.X).(*ast.CallExpr)
	for ok {
		f, id, recv := ad.callee(call)
		if f == nil || acts[f.Name()] {
			return
		}
		t := ad.cell.Info.Types[call].Type
		stream := ad.c.IsStream(t)
		if n := libraryNamed(t); !stream && (n == nil || !values[n.Obj().Name()]) {
			return
		}
		if recv != nil && setters[f.Name()] {
			call, ok = ast.Unparen(recv).(*ast.CallExpr)
			continue
		}
		hint := "assign it, or go on with the chain"
		if stream {
			hint = "assign it, or end the chain with a sink such as Print()"
		}
		ad.warn(id, id, "the result of "+f.Name()+" is not used", hint)
		return
	}
}

// window warns of an event-time window over records without timestamps, which fails at the first record.
func (ad *adviser) window(call *ast.CallExpr) {
	f, id, recv := ad.callee(call)
	if f == nil || recv == nil || len(call.Args) != 1 || f.Name() != "Window" && f.Name() != "WindowAll" {
		return
	}
	arg, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr)
	if !ok {
		return
	}
	assigner, _, _ := ad.callee(arg)
	if assigner == nil || !strings.Contains(assigner.Name(), "EventTime") || ad.timing(recv) != untimed {
		return
	}
	instead := strings.Replace(assigner.Name(), "EventTime", "ProcessingTime", 1)
	ad.warn(id, id, "the records have no timestamps, and "+assigner.Name()+" needs them",
		"call AssignTimestampsAndWatermarks before, or use "+instead)
}

// timing follows a stream back to its source.
func (ad *adviser) timing(x ast.Expr) timing {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return ad.cell.after.timing[ad.cell.Info.Uses[x]]
	case *ast.CallExpr:
		f, _, recv := ad.callee(x)
		if f == nil || recv == nil {
			return timeUnknown
		}
		if f.Name() == "AssignTimestampsAndWatermarks" {
			return timed
		}
		switch n := libraryNamed(ad.cell.Info.Types[recv].Type); {
		case n == nil:
			return timeUnknown
		case n.Obj().Name() == "StreamExecutionEnvironment":
			if untimedSources[f.Name()] {
				return untimed
			}
			return timeUnknown
		case strings.Contains(n.Obj().Name(), "Windowed"): // its results carry the end of the window
			return timeUnknown
		}
		return ad.merged(ad.timing(recv), x.Args)
	}
	return timeUnknown
}

// merged is t, unless the streams among the arguments, those of a union, differ.
func (ad *adviser) merged(t timing, args []ast.Expr) timing {
	for _, a := range args {
		if at := ad.cell.Info.Types[a].Type; at != nil && ad.c.IsStream(at) && ad.timing(a) != t {
			return timeUnknown
		}
	}
	return t
}
