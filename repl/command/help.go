package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/sahilm/fuzzy"

	"flinkish/viz"
)

func help(_ context.Context, e Env, args string) error {
	word := strings.TrimPrefix(args, ":")
	if word == "" {
		e.print(list(table, e.Width) + "\nAnything else is Go. env and ctx are there; packages are imported on first use.")
		return nil
	}
	if c := find(word); c != nil {
		e.print(Detail(c))
		return nil
	}
	found := about(word)
	if len(found) == 0 {
		return fail(":help lists all commands; :doc NAME explains a Go name", "no command is about %q", word)
	}
	e.print(list(found, e.Width))
	return nil
}

// Detail is the full help of one command.
func Detail(c *Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n  %s\n", c.Usage(), c.Help)
	if c.Alias != "" {
		fmt.Fprintf(&b, "  short form: :%s\n", c.Alias)
	}
	if c.More != "" {
		for line := range strings.SplitSeq(c.More, "\n") {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	return b.String()
}

// about finds the commands whose help has the word, or else those whose name is like it.
func about(word string) []Command {
	var found []Command
	low := strings.ToLower(word)
	for _, c := range table {
		if strings.Contains(strings.ToLower(c.text()), low) {
			found = append(found, c)
		}
	}
	if len(found) > 0 {
		return found
	}
	for _, m := range fuzzy.FindFrom(low, source{}) {
		if m.Score > 0 {
			found = append(found, table[m.Index])
		}
	}
	return found
}

func (c *Command) text() string {
	return strings.Join([]string{c.Name, c.Args, c.Help, c.More, c.Words}, "\n")
}

// source lets fuzzy look at names and further words.
type source struct{}

func (source) Len() int            { return len(table) }
func (source) String(i int) string { return table[i].Name + " " + table[i].Words }

// list has one line for each command, cut to the width.
func list(cs []Command, width int) string {
	if width <= 0 {
		width = viz.DefaultWidth
	}
	left := 0
	for i := range cs {
		left = max(left, len(cs[i].Usage()))
	}
	var b strings.Builder
	for i := range cs {
		line := fmt.Sprintf("%-*s  %s", left, cs[i].Usage(), cs[i].Help)
		b.WriteString(viz.Truncate(line, width, viz.ASCII) + "\n")
	}
	return b.String()
}

// Markdown is docs/commands.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Commands\n\nMade from the table in `repl/command`; `go test ./repl/command -update` writes it again.\n\n")
	b.WriteString("| command | short | what it does |\n|---|---|---|\n")
	for i := range table {
		c := &table[i]
		short := ""
		if c.Alias != "" {
			short = "`:" + c.Alias + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Usage(), short, c.Help)
	}
	for i := range table {
		if c := &table[i]; c.More != "" {
			fmt.Fprintf(&b, "\n## `%s`\n\n%s.\n\n```text\n%s\n```\n", c.Usage(), strings.ToUpper(c.Help[:1])+c.Help[1:], c.More)
		}
	}
	return b.String()
}
