// Loops over functions: their body becomes a literal that the function calls.

package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"flinkish/interp/rt"
)

// rangeCtx is the body of a loop over a function, written as a literal. Leaving it in any way but
// continue is done by a code in a variable that the statement after the loop looks at. The variable also tells
// whether the function may call the body: see rt.Body.
type rangeCtx struct {
	outer *rangeCtx
	body  *ast.BlockStmt
	code  string
	codes []string // what code i+1 means: "break L", "continue "
	ret   bool
}

func (r *rangeCtx) leaveFunc() string {
	r.ret = true
	return r.stop(-1) + "\n"
}

// stop leaves the loop for the place that code stands for.
func (r *rangeCtx) stop(code int) string {
	return fmt.Sprintf("*%s = %d; return false", r.code, code)
}

// holds reports whether a label lies in the body.
func (r *rangeCtx) holds(label types.Object) bool {
	return label != nil && r.body.Pos() <= label.Pos() && label.Pos() < r.body.End()
}

// next ends this turn of the loop.
func (r *rangeCtx) next() string { return "*" + r.code + " = 0; return true" }

func (e *emitter) rangeFunc(s *ast.RangeStmt, label string, sig *types.Signature) string {
	ys := coreType(e.sub(sig.Params().At(0).Type())).(*types.Signature)
	seq := e.expr(s.X)
	rf := &rangeCtx{outer: e.fn.rf, body: s.Body, code: e.tmp("code")}
	synth := e.fn.synth
	e.fn.synth = append(append([]local{}, synth...), local{name: rf.code, typ: "*int"})
	var nodes []ast.Node
	if s.Tok != token.DEFINE {
		nodes = append(nodes, exprNodes(s.Key, s.Value)...)
	}
	caps := e.captures(e.fn.synth, append(nodes, s.Body)...)
	e.fn.rf = rf
	e.loops = append(e.loops, &loopCtx{label: label, loop: true, rf: rf})
	var ps, pre []string
	for i := range ys.Params().Len() {
		t := e.sub(ys.Params().At(i).Type())
		x := s.Key
		if i == 1 {
			x = s.Value
		}
		n := e.tmp("y")
		ps = append(ps, n+" "+e.typ(t))
		if x == nil || isBlank(x) {
			continue
		}
		if s.Tok == token.DEFINE {
			pre = append(pre, e.bind(e.info.Defs[x.(*ast.Ident)].(*types.Var), n))
		} else {
			pre = append(pre, e.store(e.lhs(x), e.conv(n, t, e.typeOf(x), x)))
		}
	}
	body := fmt.Sprintf("if *%s != 0 { rtǃ.Body(*%s) }\n*%s = %d\n", rf.code, rf.code, rf.code, rt.InBody) + stopCheck +
		strings.Join(pre, "") + e.block(s.Body.List) + rf.next() + "\n"
	e.leaveLoop()
	e.fn.rf = rf.outer
	lit := e.maker("func("+strings.Join(ps, ", ")+") bool", body, caps)
	e.fn.synth = synth
	f := e.tmp("seq")
	r := "{\n" + rf.code + " := new(int)\nvar " + f + " " + e.typ(sig) + " = " + seq + "\n" + f + "(" + lit + ")\n"
	left := e.tmp("left")
	after := e.afterRange(rf, left)
	done := fmt.Sprintf("if *%s == %d { rtǃ.Body(%d) }\n", rf.code, rt.InBody, rt.LostPanic)
	if after == "" {
		return r + done + fmt.Sprintf("*%s = %d\n}\n", rf.code, rt.LoopEnded)
	}
	return r + done + fmt.Sprintf("%s := *%s\n*%s = %d\n", left, rf.code, rf.code, rt.LoopEnded) + after + "}\n"
}

// afterRange continues where the body of a loop over a function wanted to go, as the variable left says.
func (e *emitter) afterRange(rf *rangeCtx, left string) string {
	r := ""
	if rf.ret {
		r += "if " + left + " == -1 {\n" + e.leave() + "}\n"
	}
	for i, c := range rf.codes {
		kind, l, _ := strings.Cut(c, " ")
		s := &ast.BranchStmt{Tok: map[string]token.Token{"break": token.BREAK, "continue": token.CONTINUE, "goto": token.GOTO}[kind]}
		if l != "" {
			s.Label = ast.NewIdent(l)
		}
		r += fmt.Sprintf("if %s == %d { %s }\n", left, i+1, e.branch(s))
	}
	return r
}

func exprNodes(xs ...ast.Expr) []ast.Node {
	var r []ast.Node
	for _, x := range xs {
		if x != nil {
			r = append(r, x)
		}
	}
	return r
}

// branch is break, continue, goto or fallthrough. Inside the body of a loop over a function it may have to
// cross a literal.
func (e *emitter) branch(s *ast.BranchStmt) string {
	l := ""
	if s.Label != nil {
		l = s.Label.Name
	}
	native := strings.TrimSpace(s.Tok.String() + " " + l)
	if s.Tok == token.FALLTHROUGH {
		return native
	}
	if s.Tok == token.GOTO {
		if rf := e.fn.rf; rf != nil && !rf.holds(e.info.Uses[s.Label]) {
			return e.fail(s, "goto out of a loop over a function is not supported in a cell")
		}
		if e.an.loops[e.info.Uses[s.Label]] {
			return native + gotoMark
		}
		return native
	}
	for i := len(e.loops) - 1; i >= 0; i-- {
		c := e.loops[i]
		hit := l != "" && c.label == l || l == "" && (c.loop || s.Tok == token.BREAK)
		if c.rf == nil {
			if hit {
				return native
			}
			continue
		}
		if hit {
			if s.Tok == token.CONTINUE {
				return c.rf.next()
			}
			return c.rf.stop(rt.LoopLeft)
		}
		c.rf.codes = append(c.rf.codes, s.Tok.String()+" "+l)
		return c.rf.stop(len(c.rf.codes))
	}
	return native
}
