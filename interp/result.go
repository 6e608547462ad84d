package interp

import (
	"errors"
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"flinkish/interp/check"
	"flinkish/interp/rt"
)

// result gathers what the cell leaves to show.
func (s *Session) result(c Cell, cell *check.Cell) (Result, error) {
	r := Result{Defined: defined(cell), Warnings: s.warnings(cell), Advice: cell.Warnings, Notes: s.deprecations(cell)}
	if cell.Show == nil {
		return r, nil
	}
	out := s.rt.Out()
	for i, t := range cell.Show.Types {
		if i >= len(out) {
			break
		}
		v := out[i]
		if isError(t) && i == len(cell.Show.Types)-1 && v != nil {
			e := s.runError(c, "error", v).(*RunError)
			if in := (*rt.Placed)(nil); !errors.As(e.Err, &in) && built(e.Err) == nil {
				s.place(e, cell.Show.Expr.Pos())
			}
			return r, e
		}
		if cell.Show.Quiet[i] {
			continue
		}
		r.Values = append(r.Values, s.value("", t, v))
	}
	for _, o := range cell.Show.Vars {
		if n, ok := s.lower.Global(o); ok {
			if v, ok := s.rt.Var(n); ok {
				x := s.value(o.Name(), o.Type(), v)
				x.Assigned = true
				r.Values = append(r.Values, x)
			}
		}
	}
	return r, nil
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// defined names what the cell declared, in order.
func defined(cell *check.Cell) []string {
	var r []string
	for _, sub := range cell.Subs {
		for _, it := range sub.Items {
			switch it.Kind {
			case check.VarItem:
				for _, v := range it.Vars {
					if v != nil {
						r = append(r, v.Name())
					}
				}
			case check.FuncItem:
				if it.Func != nil {
					r = append(r, it.Func.Name())
				}
			case check.TypeItem, check.ConstItem:
				r = append(r, declNames(it.Decl)...)
			}
		}
	}
	return r
}

// warnings name the errors that the cell assigned and that are not nil.
func (s *Session) warnings(cell *check.Cell) []string {
	var r []string
	seen := map[*types.Var]bool{}
	for _, sub := range cell.Subs {
		for _, it := range sub.Items {
			if it.Kind != check.VarItem {
				continue
			}
			for _, v := range it.Vars {
				if v == nil || seen[v] || !isError(v.Type()) || makesError(it.Spec) {
					continue
				}
				seen[v] = true
				if n, ok := s.lower.Global(v); ok {
					if x, _ := s.rt.Var(n); x != nil {
						r = append(r, v.Name()+" is not nil: "+rt.PanicText(x))
					}
				}
			}
		}
	}
	return r
}

// makesError reports whether a declaration makes an error on purpose, by errors.New or fmt.Errorf.
func makesError(spec *ast.ValueSpec) bool {
	if len(spec.Values) != 1 || len(spec.Names) != 1 {
		return false
	}
	c, ok := spec.Values[0].(*ast.CallExpr)
	if !ok {
		return true
	}
	sel, ok := c.Fun.(*ast.SelectorExpr)
	return ok && (sel.Sel.Name == "New" || sel.Sel.Name == "Errorf" || sel.Sel.Name == "Join")
}

// value describes one value.
func (s *Session) value(name string, t types.Type, v any) Value {
	x := Value{Name: name, Type: rt.TypeString(types.Default(t)), Go: v}
	if st := streamOf(name, t, v); st != nil {
		x.Stream = st
		return x
	}
	if s.opaque(t) && !isNil(v) {
		x.Text = strings.TrimPrefix(x.Type, "*")
		return x
	}
	x.Text = rt.Describe(&s.rt.Reg, types.Default(t), v)
	x.Table = s.table(t, v)
	return x
}

// opaque reports whether t is a type of the library, such as a window that waits for its function, that shows nothing of
// what is in it: it has neither a text of its own nor a field that a program could read.
func (s *Session) opaque(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !strings.HasPrefix(n.Obj().Pkg().Path()+"/", "flinkish/dataflow/") || s.hasText(types.NewPointer(n)) {
		return false
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f.Exported() && !f.Embedded() {
			return false
		}
	}
	return true
}

func isNil(v any) bool {
	r := reflect.ValueOf(v)
	return !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil()
}

const maxRows = 1000

// table lays out a slice of structs field by field.
func (s *Session) table(t types.Type, v any) *Table {
	sl, ok := t.Underlying().(*types.Slice)
	if !ok {
		return nil
	}
	st, ok := sl.Elem().Underlying().(*types.Struct)
	if !ok || st.NumFields() == 0 {
		return nil
	}
	if s.hasText(sl.Elem()) {
		return nil
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Slice {
		return nil
	}
	tab := &Table{More: max(0, rv.Len()-maxRows)}
	for f := range st.Fields() {
		tab.Columns = append(tab.Columns, f.Name())
		tab.Types = append(tab.Types, rt.TypeString(f.Type()))
	}
	for i := range min(rv.Len(), maxRows) {
		e := rv.Index(i)
		if e.Kind() != reflect.Struct || e.NumField() < st.NumFields() {
			return nil
		}
		var row []string
		for j := range st.NumFields() {
			row = append(row, rt.Describe(&s.rt.Reg, st.Field(j).Type(), e.Field(j).Interface()))
		}
		tab.Rows = append(tab.Rows, row)
	}
	return tab
}

// hasText reports whether t prints by a method of its own.
func (s *Session) hasText(t types.Type) bool {
	for _, n := range []string{"String", "Error"} {
		if o, _, _ := types.LookupFieldOrMethod(t, false, nil, n); o != nil {
			if _, ok := o.(*types.Func); ok {
				return true
			}
		}
	}
	return false
}
