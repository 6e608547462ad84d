// Where an error of a template lies. Package template notes the node that it looked at last; the functions of ours fail with
// the node of the user's template that it would have noted.

package rt

import (
	"fmt"
	"text/template/parse"
)

// spot is a node of a template as errors name it.
type spot struct{ location, context string }

// site is a place of a template where something is called or looked up.
type site struct {
	template string
	at       spot // what is looked at while names are looked up
	call     spot // what a failed call names
	args     []siteArg
}

// siteArg is an argument that the template has written.
type siteArg struct {
	node parse.Node
	text string
	last spot // what is looked at last when it is evaluated
}

// action is what prints a value.
type action struct {
	template string
	at       spot
	text     string
}

// templateFail is an error at a spot.
type templateFail struct {
	template string
	at       spot
	err      error
}

func (e *templateFail) Error() string {
	return fmt.Sprintf("template: %s: executing %q at <%s>: %v", e.at.location, e.template, e.at.context, e.err)
}

// Unwrap gives the error without the place.
func (e *templateFail) Unwrap() error { return e.err }

// fail puts err where names are looked up.
func (s site) fail(err error) error { return &templateFail{s.template, s.at, err} }

// failed puts err, of the function called name, where it is called.
func (s site) failed(name string, err error) error {
	return &templateFail{s.template, s.call, fmt.Errorf("error calling %s: %w", name, err)}
}

// argument puts err at argument i, or where the last one is when i was piped in.
func (s site) argument(i int, err error) error {
	if n := len(s.args); n > 0 {
		return &templateFail{s.template, s.args[min(i, n-1)].last, err}
	}
	return s.fail(err)
}

// literal is argument i if the template has it as a constant; nil: it has not.
func (s site) literal(i int) parse.Node {
	if i >= len(s.args) {
		return nil
	}
	switch n := s.args[i].node.(type) {
	case *parse.BoolNode, *parse.StringNode, *parse.NumberNode, *parse.NilNode:
		return n
	}
	return nil
}

// spot is where n is. It is asked before n is rewritten.
func (t *templateTree) spot(n parse.Node) spot {
	location, context := t.tree.ErrorContext(n)
	return spot{location, context}
}

// spotOf is where text stands, at pos.
func (t *templateTree) spotOf(pos parse.Pos, text string) spot {
	return t.spot(&parse.TextNode{NodeType: parse.NodeText, Pos: pos, Text: []byte(text)})
}

// site is where head, with its arguments, is called.
func (t *templateTree) site(head parse.Node, args []parse.Node) site {
	s := site{template: t.tree.Name, at: t.last(head), call: t.spot(head)}
	for _, a := range args {
		s.args = append(s.args, siteArg{a, a.String(), t.last(a)})
	}
	return s
}

// last is the node that is looked at last when n is evaluated.
func (t *templateTree) last(n parse.Node) spot {
	switch n := n.(type) {
	case *parse.ChainNode:
		return t.last(n.Node)
	case *parse.PipeNode:
		c := n.Cmds[len(n.Cmds)-1]
		return t.last(c.Args[len(c.Args)-1])
	}
	return t.spot(n)
}
