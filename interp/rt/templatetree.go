// How the copy of a template differs from it.

package rt

import (
	"fmt"
	"text/template"
	"text/template/parse"
)

// templateTree rewrites parse trees: fields and methods become calls, and what the template itself looks at, such as a
// condition or what range visits, is taken out of its box before.
type templateTree struct {
	values  templateValues
	funcs   template.FuncMap
	written map[string]string // what the user wrote, by what the copy says instead
}

func newTemplateTree(reg *Registry, missing int) *templateTree {
	v := templateValues{reg, missing}
	return &templateTree{values: v, written: map[string]string{}, funcs: template.FuncMap{
		"unboxǃ": v.unboxed, "truthǃ": v.truth, "eachǃ": v.each, "printǃ": v.printed, "indexǃ": v.index, "sliceǃ": v.slice,
		"funcǃ": v.function, "printfǃ": sprintf,
	}}
}

func (t *templateTree) list(l *parse.ListNode) {
	if l == nil {
		return
	}
	for _, n := range l.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			end := "printǃ"
			if len(n.Pipe.Decl) > 0 {
				end = ""
			}
			t.pipe(n.Pipe, end)
		case *parse.IfNode:
			t.branch(&n.BranchNode, "truthǃ")
		case *parse.WithNode:
			t.branch(&n.BranchNode, "truthǃ")
		case *parse.RangeNode:
			t.branch(&n.BranchNode, "eachǃ")
		case *parse.TemplateNode:
			t.pipe(n.Pipe, "")
		}
	}
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
		cs = append(cs, command(p.Pos, call(end, p.Pos)))
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
	"print": "printǃ", "println": "printǃ", "html": "printǃ", "js": "printǃ", "urlquery": "printǃ",
}

// command rewrites c; through is what a piped argument must pass through before.
func (t *templateTree) command(c *parse.CommandNode) (through string) {
	head, written := c.Args[0], c.String()
	defer func() { t.written[c.String()] = written }()
	if id, ok := head.(*parse.IdentifierNode); ok {
		through = looks[id.Ident]
		if id.Ident == "index" || id.Ident == "slice" {
			c.Args[0] = call(id.Ident+"ǃ", id.Pos)
		}
		if id.Ident == "printf" {
			c.Args[0] = call("printfǃ", id.Pos)
		}
	}
	for i, a := range c.Args[1:] {
		wrote := a.String()
		a = t.arg(a)
		if id, ok := head.(*parse.IdentifierNode); ok && id.Ident == "call" && i == 0 {
			a = pipeOf(command(a.Position(), call("funcǃ", a.Position()), a))
			t.written[a.String()] = wrote
		}
		if through != "" {
			a = pipeOf(command(a.Position(), call(through, a.Position()), a))
		}
		c.Args[i+1] = a
	}
	if recv, path := receiver(head); recv != nil {
		written, c.Pos = head.String(), head.Position()
		c.Args = append([]parse.Node{t.field(path, head.Position()), t.arg(recv)}, c.Args[1:]...)
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
		p := pipeOf(command(n.Position(), t.field(path, n.Position()), t.arg(recv)))
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
func (t *templateTree) field(path []string, pos parse.Pos) parse.Node {
	name := fmt.Sprintf("fieldǃ%d", len(t.funcs))
	t.funcs[name] = t.values.follower(path)
	return call(name, pos)
}
