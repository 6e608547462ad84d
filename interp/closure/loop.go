// Loops and switches.

package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"unicode/utf8"
	"unsafe"
)

// turn asks at each turn of a loop whether the cell was stopped.
func (c *compiler) turn() func() {
	h := c.host
	return func() {
		if h.Stopped() {
			h.Halt()
		}
	}
}

// leave says what a loop with a label does after its body ended with r: go on turning, or end with out.
func leave(r, label control) (out control, ends bool) {
	switch r {
	case goOn, continued, label + 1:
		return goOn, false
	case broken, label:
		return goOn, true
	}
	return r, true
}

func (c *compiler) forStmt(s *ast.ForStmt, label string) stmt {
	nothing := func(*frame) control { return goOn }
	init, post := nothing, nothing
	if s.Init != nil {
		init = c.marked(s.Init)
	}
	cond := func(*frame) bool { return true }
	var at func(*frame)
	if s.Cond != nil {
		at, cond = c.mark(s.Cond), c.expr(s.Cond).b
	}
	if s.Post != nil {
		post = c.marked(s.Post)
	}
	body, turn, l := c.block(s.Body.List), c.turn(), c.label(label)
	return func(f *frame) control {
		for init(f); ; post(f) {
			if at != nil {
				at(f)
			}
			if !cond(f) {
				return goOn
			}
			turn()
			if out, ends := leave(body(f), l); ends {
				return out
			}
		}
	}
}

// rangeStmt is a loop over a slice, a string or a number.
func (c *compiler) rangeStmt(s *ast.RangeStmt, label string) stmt {
	at, t := c.mark(s.X), c.typeOf(s.X)
	loop := c.rangeOver(s, t, label)
	if at == nil {
		return loop
	}
	return func(f *frame) control { at(f); return loop(f) }
}

func (c *compiler) rangeOver(s *ast.RangeStmt, t types.Type, label string) stmt {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return c.rangeSlice(s, u, label)
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return c.rangeString(s, label)
		}
		return c.rangeNumber(s, label)
	}
	c.refuse("a loop over %s", t)
	return nil
}

// loopVar declares a variable of a loop; false if there is none.
func (c *compiler) loopVar(s *ast.RangeStmt, x ast.Expr) (place, bool) {
	if x == nil || blank(x) {
		return place{}, false
	}
	if s.Tok != token.DEFINE {
		c.refuse("a loop that assigns to variables")
	}
	return c.declare(c.info.Defs[x.(*ast.Ident)].(*types.Var)), true
}

func (c *compiler) rangeSlice(s *ast.RangeStmt, u *types.Slice, label string) stmt {
	xs, size := c.expr(s.X).p, c.reflect(u.Elem()).Size()
	key, hasKey := c.loopVar(s, s.Key)
	val, hasVal := c.loopVar(s, s.Value)
	copy := copierOf(c.reflect(u.Elem()))
	body, turn, l := c.block(s.Body.List), c.turn(), c.label(label)
	return func(f *frame) control {
		h := (*sliceHeader)(xs(f))
		data, n := h.data, h.len
		for i := range n {
			turn()
			if hasKey {
				*(*int)(unsafe.Add(f.mem, key.off)) = i
			}
			if hasVal {
				copy(unsafe.Add(f.mem, val.off), unsafe.Add(data, uintptr(i)*size))
			}
			if out, ends := leave(body(f), l); ends {
				return out
			}
		}
		return goOn
	}
}

func (c *compiler) rangeString(s *ast.RangeStmt, label string) stmt {
	str := c.expr(s.X).s
	key, hasKey := c.loopVar(s, s.Key)
	val, hasVal := c.loopVar(s, s.Value)
	body, turn, l := c.block(s.Body.List), c.turn(), c.label(label)
	return func(f *frame) control {
		x := str(f)
		for i := 0; i < len(x); {
			turn()
			r, w := utf8.DecodeRuneInString(x[i:])
			if hasKey {
				*(*int)(unsafe.Add(f.mem, key.off)) = i
			}
			if hasVal {
				*(*rune)(unsafe.Add(f.mem, val.off)) = r
			}
			if out, ends := leave(body(f), l); ends {
				return out
			}
			i += w
		}
		return goOn
	}
}

func (c *compiler) rangeNumber(s *ast.RangeStmt, label string) stmt {
	t := c.typeOf(s.X)
	if s.Key != nil && !blank(s.Key) {
		t = c.targetType(s.Key)
	}
	t = types.Default(t)
	if kindOf(t) != kInt || c.reflect(t).Size() != 8 {
		c.refuse("a loop over %s", t)
	}
	end := c.exprTo(s.X, t).i
	key, hasKey := c.loopVar(s, s.Key)
	body, turn, l := c.block(s.Body.List), c.turn(), c.label(label)
	return func(f *frame) control {
		n := end(f)
		for i := int64(0); i < n; i++ {
			turn()
			if hasKey {
				*(*int64)(unsafe.Add(f.mem, key.off)) = i
			}
			if out, ends := leave(body(f), l); ends {
				return out
			}
		}
		return goOn
	}
}

// switchStmt tries the cases in order.
func (c *compiler) switchStmt(s *ast.SwitchStmt, label string) stmt {
	var before []func(*frame)
	if s.Init != nil {
		init := c.marked(s.Init)
		before = append(before, func(f *frame) { init(f) })
	}
	var tag *value
	if s.Tag != nil {
		if at := c.mark(s.Tag); at != nil {
			before = append(before, at)
		}
		t := types.Default(c.typeOf(s.Tag))
		v := c.exprTo(s.Tag, t)
		p := place{local: true, off: c.slot(c.reflect(t))}
		before = append(before, c.store(p, v))
		kept := c.loadPlace(p, t)
		tag = &kept
	}
	type arm struct {
		conds []func(*frame) bool
		body  stmt
	}
	var arms []arm
	other := func(*frame) control { return goOn }
	for _, cl := range s.Body.List {
		cc := cl.(*ast.CaseClause)
		body := c.block(cc.Body)
		if cc.List == nil {
			other = body
			continue
		}
		a := arm{body: body}
		for _, x := range cc.List {
			a.conds = append(a.conds, c.caseOf(x, tag))
		}
		arms = append(arms, a)
	}
	l := c.label(label)
	ended := func(r control) control {
		if r == broken || r == l {
			return goOn
		}
		return r
	}
	return func(f *frame) control {
		for _, do := range before {
			do(f)
		}
		for i := range arms {
			for _, cond := range arms[i].conds {
				if cond(f) {
					return ended(arms[i].body(f))
				}
			}
		}
		return ended(other(f))
	}
}

// caseOf reports whether a case is meant: the tag equals x, or x holds when there is none.
func (c *compiler) caseOf(x ast.Expr, tag *value) func(*frame) bool {
	at := c.mark(x)
	var cond func(*frame) bool
	if tag == nil {
		cond = c.expr(x).b
	} else {
		if types.IsInterface(c.typeOf(x)) {
			c.refuse("a comparison of interfaces")
		}
		cond = c.compared(token.EQL, tag.typ, *tag, c.exprTo(x, tag.typ))
	}
	if at == nil {
		return cond
	}
	return func(f *frame) bool { at(f); return cond(f) }
}
