package viz

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// Mermaid writes g as a Mermaid flowchart, sources left; side outputs are dotted.
func Mermaid(g Graph) string {
	f := normal(g)
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i, t := range f.tasks {
		fmt.Fprintf(&b, "    t%d[\"%s\"]\n", i, strings.Join(escaped(t.words(), mermaidText), "<br/>"))
	}
	for _, e := range f.edges {
		arrow := "-->"
		if e.side {
			arrow = "-.->"
		}
		if e.text != "" {
			arrow += "|\"" + mermaidText(e.text) + "\"|"
		}
		fmt.Fprintf(&b, "    t%d %s t%d\n", e.from, arrow, e.to)
	}
	return b.String()
}

// mermaidText writes what Mermaid would take for syntax as its character codes.
func mermaidText(s string) string {
	return strings.NewReplacer("#", "#35;", "\"", "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;").Replace(s)
}

// DOT writes g as a Graphviz digraph, sources left; side outputs are dashed.
func DOT(g Graph) string {
	f := normal(g)
	var b strings.Builder
	b.WriteString("digraph job {\n    rankdir=LR;\n    node [shape=box];\n")
	for i, t := range f.tasks {
		pen := ""
		if t.Bottleneck {
			pen = ", penwidth=3"
		}
		fmt.Fprintf(&b, "    t%d [label=\"%s\"%s];\n", i, strings.Join(escaped(t.words(), dotText), `\n`), pen)
	}
	for _, e := range f.edges {
		style := ""
		if e.side {
			style = ", style=dashed"
		}
		fmt.Fprintf(&b, "    t%d -> t%d [label=\"%s\"%s];\n", e.from, e.to, dotText(e.text), style)
	}
	b.WriteString("}\n")
	return b.String()
}

func dotText(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
}

// words are the lines of a task in an exported graph.
func (t *Task) words() []string {
	list := []string{t.Label + "  x" + strconv.Itoa(max(t.Parallelism, 1))}
	if len(t.Operators) == 0 {
		return append(list, Clean(t.Name))
	}
	for _, op := range t.Operators {
		list = append(list, Clean(op))
	}
	return list
}

func escaped(lines []string, escape func(string) string) []string {
	for i, l := range lines {
		lines[i] = escape(l)
	}
	return lines
}

// Size of one character cell of an SVG, in px.
const (
	cellW = 8
	cellH = 18
)

// SVG writes g as a picture with the layout of the Full form, whatever its width.
func SVG(g Graph) string {
	if len(g.Tasks) == 0 {
		return `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>` + "\n"
	}
	d := newPlan(normal(g)).measure(Options{}, fits[0], false)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="monospace" font-size="13">`+"\n",
		(d.width+2)*cellW, (d.height+2)*cellH)
	b.WriteString(`<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker></defs>` + "\n")
	fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", cellW, cellH)
	for k, rs := range d.routes {
		for _, r := range rs {
			d.svgRoute(&b, k, r)
		}
	}
	for _, n := range d.nodes[len(d.tasks):] {
		x1, x2, y := d.x[n.layer]*cellW, (d.x[n.layer]+d.inner[n.layer]+4)*cellW, mid(n.y)
		fmt.Fprintf(&b, `<path d="M%d %dH%d" fill="none" stroke="#555"%s/>`+"\n", x1, y, x2, dash(d.edges[d.segs[n.in[0]].link].side))
	}
	for i := range d.tasks {
		d.svgBox(&b, i)
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

func mid(row int) int { return row*cellH + cellH/2 }

func dash(side bool) string {
	if side {
		return ` stroke-dasharray="5 4"`
	}
	return ""
}

func (d *drawing) svgBox(b *strings.Builder, i int) {
	n, t := d.nodes[i], &d.tasks[i]
	x, w := d.x[n.layer]*cellW, (d.inner[n.layer]+4)*cellW
	pen := 1
	if t.Bottleneck {
		pen = 3
	}
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="#fff" stroke="#246" stroke-width="%d"/>`+"\n",
		x, n.y*cellH, w, n.h*cellH, pen)
	fmt.Fprintf(b, `<text x="%d" y="%d" font-weight="bold" xml:space="preserve">%s</text>`+"\n",
		x+cellW, n.y*cellH+cellH-5, html.EscapeString(t.Label+"  "+t.par()))
	for j, l := range d.lines[i] {
		text := ""
		for _, p := range l {
			text += p.text
		}
		fmt.Fprintf(b, `<text x="%d" y="%d" xml:space="preserve">%s</text>`+"\n",
			x+cellW, (n.y+1+j)*cellH+cellH-5, html.EscapeString(text))
	}
}

func (d *drawing) svgRoute(b *strings.Builder, k int, r route) {
	s := d.segs[r.seg]
	e := d.edges[s.link]
	left, right := (d.x[k]+d.inner[k]+4)*cellW, d.x[k+1]*cellW
	track := func(i int) int { return left + (1+d.label[k]+i*d.fit.spacing)*cellW + cellW/2 }
	path := fmt.Sprintf("M%d %d", left, mid(s.y1))
	if !r.straight {
		path += fmt.Sprintf("H%d", track(r.a))
		if r.mid >= 0 {
			path += fmt.Sprintf("V%dH%d", mid(r.mid), track(r.b))
		}
		path += fmt.Sprintf("V%d", mid(s.y2))
	}
	marker := ""
	if s.first && e.back {
		marker = ` marker-start="url(#arrow)"`
	} else if s.last && !e.back {
		marker = ` marker-end="url(#arrow)"`
	}
	fmt.Fprintf(b, `<path d="%sH%d" fill="none" stroke="#555"%s%s/>`+"\n", path, right, dash(e.side), marker)
	if s.first {
		fmt.Fprintf(b, `<text x="%d" y="%d" font-size="11" fill="#246">%s</text>`+"\n",
			left+cellW/2, mid(s.y1)-3, html.EscapeString(e.text))
	}
}
