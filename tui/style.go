package tui

import (
	"github.com/charmbracelet/lipgloss"

	"flinkish/viz"
)

// style is a set of colours: the first 16, so that the user's own theme rules. A colour repeats what a
// word or a sign says already. The zero value has none.
type style struct {
	on      bool
	faint   lipgloss.Style
	accent  lipgloss.Style // what is selected, keys
	warn    lipgloss.Style // the bottleneck, back-pressure, failures
	busy    lipgloss.Style
	heading lipgloss.Style
	cursor  lipgloss.Style // the focused pane's title
}

func makeStyle(r *lipgloss.Renderer) style {
	color := func(c string) lipgloss.Style { return r.NewStyle().Foreground(lipgloss.Color(c)) }
	return style{
		on:      true,
		faint:   color("8"),
		accent:  color("4").Bold(true),
		warn:    color("3").Bold(true),
		busy:    color("4"),
		heading: r.NewStyle().Bold(true),
		cursor:  r.NewStyle().Reverse(true),
	}
}

// paint colours a drawing of package viz.
func (s style) paint() func(viz.Role, string) string {
	if !s.on {
		return nil
	}
	styles := map[viz.Role]lipgloss.Style{
		viz.RoleBottleneck: s.warn, viz.RoleSelected: s.accent, viz.RoleEdge: s.faint, viz.RoleBorder: s.faint,
		viz.RoleBusy: s.busy, viz.RoleBlocked: s.warn, viz.RoleFaint: s.faint,
	}
	return func(r viz.Role, text string) string {
		if st, ok := styles[r]; ok {
			return st.Render(text)
		}
		return text
	}
}

// text colours s unless colours are off.
func (s style) text(st lipgloss.Style, text string) string {
	if !s.on || text == "" {
		return text
	}
	return st.Render(text)
}

// signs are the glyphs of states.
type signs struct{ run, pause, done, failed, stopped, wait, sep string }

func signsOf(g viz.Glyphs) signs {
	switch g {
	case viz.ASCII:
		return signs{">", "=", "+", "!", "x", "o", "|"}
	case viz.Block:
		return signs{"►", "‖", "√", "!", "■", "○", "│"}
	}
	return signs{"▶", "‖", "✓", "✗", "■", "○", "│"}
}
