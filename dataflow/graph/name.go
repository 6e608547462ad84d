package graph

import "strings"

// name is the text of the chain that starts at n: "A -> B", or "A -> (B, C -> D)" where it branches.
func (c *chainer) name(n *Node) string {
	var parts []string
	for _, e := range n.Out {
		if c.index[e] {
			parts = append(parts, c.name(e.To))
		}
	}
	switch len(parts) {
	case 0:
		return n.Name
	case 1:
		return n.Name + " -> " + parts[0]
	default:
		return n.Name + " -> (" + strings.Join(parts, ", ") + ")"
	}
}

// Describe is the node's description: the user's, else the generated one, else its name.
func (n *Node) Describe() string {
	if d := n.T.Description; d != "" {
		return d
	}
	return n.Name
}

// describe is the text of the chain that starts at head: a tree with one node a line, or in one line.
func (c *chainer) describe(head *Node) string {
	if c.graph.Descriptions == Cascading {
		return c.cascade(head)
	}
	var b strings.Builder
	b.WriteString(head.Describe())
	c.branches(&b, head, "")
	return b.String()
}

// cascade is like name, with descriptions and a space before each comma.
func (c *chainer) cascade(n *Node) string {
	var parts []string
	for _, e := range n.Out {
		if c.index[e] {
			parts = append(parts, c.cascade(e.To))
		}
	}
	switch len(parts) {
	case 0:
		return n.Describe()
	case 1:
		return n.Describe() + " -> " + parts[0]
	default:
		return n.Describe() + " -> (" + strings.Join(parts, " , ") + ")"
	}
}

func (c *chainer) branches(b *strings.Builder, n *Node, indent string) {
	var next []*Node
	for _, e := range n.Out {
		if c.index[e] {
			next = append(next, e.To)
		}
	}
	for i, o := range next {
		mark, deeper := ":- ", ":  "
		if i == len(next)-1 {
			mark, deeper = "+- ", "   "
		}
		b.WriteString("\n" + indent + mark + o.Describe())
		c.branches(b, o, indent+deeper)
	}
}
