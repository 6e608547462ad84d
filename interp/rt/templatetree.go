// How the copy of a template differs from it.

package rt

import (
	"fmt"
	"go/types"
	"reflect"
	"text/template"
	"text/template/parse"
)

// templateTree rewrites parse trees: fields and methods become calls, and what the template itself looks at, such as a
// condition or what range visits, is taken out of its box before.
type templateTree struct {
	tree     *parse.Tree // that is rewritten now
	values   templateValues
	funcs    template.FuncMap
	written  map[string]string      // what the user wrote, by what the copy says instead
	looked   []looked               // at by the function that is called now, or was last
	cells    func(name string) bool // reports whether a function is one over types of the cells
	compiled givenArg               // the latest of a compiled function
	html     bool                   // the template is one of html/template, which prints by functions of its own
}

func (r *Runtime) newTemplateTree(missing int) *templateTree {
	v := templateValues{&r.Reg, missing}
	t := &templateTree{values: v, written: map[string]string{}, cells: func(name string) bool {
		_, cells := r.templateFuncs.Load(name)
		_, both := r.compiledFuncs.Load(name)
		return cells && !both
	}}
	t.funcs = template.FuncMap{
		"firstǃ": t.first, "unboxǃ": t.unboxed, "truthǃ": v.truth, "eachǃ": v.each, "printǃ": v.inFunction, "plainǃ": v.plain, "indexǃ": v.index, "sliceǃ": v.slice,
		"printfǃ": sprintf,
	}
	return t
}

// rewrite rewrites tree.
func (t *templateTree) rewrite(tree *parse.Tree) {
	t.tree = tree
	t.list(tree.Root)
}

func (t *templateTree) list(l *parse.ListNode) {
	if l == nil {
		return
	}
	for _, n := range l.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			end := ""
			switch last := n.Pipe.Cmds[len(n.Pipe.Cmds)-1].Args[0]; {
			case len(n.Pipe.Decl) > 0, t.html && looks[last.String()] == "printǃ":
			case t.html:
				end = "printǃ"
			default:
				end = t.printer(n)
			}
			t.pipe(n.Pipe, end)
		case *parse.IfNode:
			t.branch(&n.BranchNode, "truthǃ")
		case *parse.WithNode:
			t.branch(&n.BranchNode, "truthǃ")
		case *parse.RangeNode:
			t.branch(&n.BranchNode, "eachǃ")
		case *parse.TemplateNode:
			wrote := t.spot(n)
			t.pipe(n.Pipe, "")
			t.written[t.spot(n).context] = wrote.context
		}
	}
}

// printer is a function that prints the value of action n.
func (t *templateTree) printer(n *parse.ActionNode) string {
	name := fmt.Sprintf("printǃ%d_", len(t.funcs))
	by := &action{t.tree.Name, t.spot(n), n.String()}
	t.funcs[name] = func(v reflect.Value) (reflect.Value, error) { return t.values.printed(v, by) }
	return name
}

func (t *templateTree) branch(n *parse.BranchNode, end string) {
	t.pipe(n.Pipe, end)
	t.list(n.List)
	t.list(n.ElseList)
}

// pipe rewrites the commands of p, and lets its value pass through a function of ours at the end.
func (t *templateTree) pipe(p *parse.PipeNode, end string) *parse.PipeNode {
	if p == nil {
		return nil
	}
	var cs []*parse.CommandNode
	last := p.Cmds[len(p.Cmds)-1].String()
	for i, c := range p.Cmds {
		if through := t.command(c); through != "" && i > 0 {
			cs = append(cs, command(c.Pos, call(through, c.Pos)))
		}
		cs = append(cs, c)
	}
	if end != "" {
		// A name of its own tells an error of this function where it is.
		name := fmt.Sprintf("%s%d", end, len(t.funcs))
		t.funcs[name], t.written[name], end = t.funcs[end], last, name
		at := cs[len(cs)-1].Pos
		cs = append(cs, command(at, call(end, at)))
	}
	p.Cmds = cs
	return p
}

func command(pos parse.Pos, args ...parse.Node) *parse.CommandNode {
	return &parse.CommandNode{NodeType: parse.NodeCommand, Pos: pos, Args: args}
}

func call(name string, pos parse.Pos) parse.Node { return parse.NewIdentifier(name).SetPos(pos) }

// looks are the functions of templates that look at their arguments, by what these pass through before.
var looks = map[string]string{
	"len": "unboxǃ", "eq": "unboxǃ", "ne": "unboxǃ", "lt": "unboxǃ", "le": "unboxǃ", "gt": "unboxǃ", "ge": "unboxǃ",
	"and": "truthǃ", "or": "truthǃ", "not": "truthǃ",
	"print": "plainǃ", "println": "plainǃ", "html": "printǃ", "js": "printǃ", "urlquery": "printǃ",
}

// command rewrites c; through is what a piped argument must pass through before.
func (t *templateTree) command(c *parse.CommandNode) (through string) {
	head, written := c.Args[0], c.String()
	defer func() { t.written[c.String()] = written }()
	recv, path := receiver(head)
	s := t.site(head, c.Args[1:])
	if id, ok := head.(*parse.IdentifierNode); ok {
		through = looks[id.Ident]
		if id.Ident == "index" || id.Ident == "slice" {
			c.Args[0] = call(id.Ident+"ǃ", id.Pos)
		}
		if id.Ident == "printf" {
			c.Args[0] = call(t.printf(s), id.Pos)
		}
	}
	for i, a := range c.Args[1:] {
		wrote := a.String()
		a = t.arg(a)
		if id, ok := head.(*parse.IdentifierNode); ok && id.Ident == "call" && i == 0 {
			s.call = t.spotOf(c.Pos, written)
			a = pipeOf(command(a.Position(), call(t.callee(wrote, s), a.Position()), a))
			t.written[a.String()] = wrote
		}
		if look := through; look != "" {
			if look == "unboxǃ" && i == 0 {
				look = "firstǃ"
			}
			a = pipeOf(command(a.Position(), call(look, a.Position()), a))
		}
		if id, ok := head.(*parse.IdentifierNode); ok && !predeclared[id.Ident] {
			a = pipeOf(command(a.Position(), call(t.given(s, i, t.cells(id.Ident)), a.Position()), a))
		}
		c.Args[i+1] = a
	}
	if recv != nil {
		written, c.Pos = head.String(), head.Position()
		c.Args = append([]parse.Node{t.field(path, head.Position(), s), t.arg(recv)}, c.Args[1:]...)
		return ""
	}
	c.Args[0] = t.arg(c.Args[0])
	return through
}

// arg is n where its value is wanted.
func (t *templateTree) arg(n parse.Node) parse.Node {
	if p, ok := n.(*parse.PipeNode); ok {
		return t.pipe(p, "")
	}
	if recv, path := receiver(n); recv != nil {
		s := t.site(n, nil)
		p := pipeOf(command(n.Position(), t.field(path, n.Position(), s), t.arg(recv)))
		t.written[p.String()], t.written[p.Cmds[0].String()] = n.String(), n.String()
		return p
	}
	return n
}

func pipeOf(c *parse.CommandNode) *parse.PipeNode {
	return &parse.PipeNode{NodeType: parse.NodePipe, Pos: c.Pos, Cmds: []*parse.CommandNode{c}}
}

// receiver is what the names of n are looked up in; nil if n has none.
func receiver(n parse.Node) (parse.Node, []string) {
	switch n := n.(type) {
	case *parse.FieldNode:
		return &parse.DotNode{NodeType: parse.NodeDot, Pos: n.Pos}, n.Ident
	case *parse.VariableNode:
		if len(n.Ident) > 1 {
			return &parse.VariableNode{NodeType: parse.NodeVariable, Pos: n.Pos, Ident: n.Ident[:1]}, n.Ident[1:]
		}
	case *parse.ChainNode:
		return n.Node, n.Field
	}
	return nil, nil
}

// field is a function that follows the names in path.
func (t *templateTree) field(path []string, pos parse.Pos, s site) parse.Node {
	name := fmt.Sprintf("fieldǃ%d", len(t.funcs))
	t.funcs[name] = t.values.follower(path, s)
	return call(name, pos)
}

// printf is the function printf at s, whose format is a string.
func (t *templateTree) printf(s site) string {
	if len(s.args) == 0 || s.literal(0) != nil {
		return "printfǃ"
	}
	name := fmt.Sprintf("printfǃ%d", len(t.funcs))
	t.funcs[name] = func(format reflect.Value, args ...any) (string, error) {
		f, err := t.values.passed(format, reflect.TypeFor[string](), types.Typ[types.String])
		if err != nil {
			return "", s.argument(0, err)
		}
		return sprintf(f.String(), args...), nil
	}
	return name
}

// callee is a function that makes a function of what the template calls text, at s.
func (t *templateTree) callee(text string, s site) string {
	name := fmt.Sprintf("funcǃ%d", len(t.funcs))
	t.funcs[name] = func(v reflect.Value) (reflect.Value, error) {
		f, err := t.values.function(v, text)
		if err != nil {
			err = s.failed("call", err)
		}
		return f, err
	}
	return name
}
