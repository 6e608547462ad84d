package apicells

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// Row is one overload, or one line, of the API.
type Row struct {
	Section  string // the class it belongs to
	Overload string // the Java form
	Form     string // the Go form; "-" when there is none
	Cells    []string
	Reason   string // why there is no cell
}

// LoadRows reads rows.tsv in dir: a line "# section", or overload, Go form, cells and reason with tabs between.
func LoadRows(dir fs.FS) ([]Row, error) {
	b, err := fs.ReadFile(dir, "rows.tsv")
	if err != nil {
		return nil, err
	}
	var rows []Row
	section := ""
	for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		if s, ok := strings.CutPrefix(line, "# "); ok {
			section = s
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 && len(f) != 4 {
			return nil, fmt.Errorf("rows.tsv:%d: got %d columns, want 3, or 4 with a reason", i+1, len(f))
		}
		r := Row{Section: section, Overload: f[0], Form: f[1]}
		if f[2] != "-" {
			r.Cells = strings.Fields(f[2])
		}
		if len(f) == 4 {
			r.Reason = f[3]
		}
		rows = append(rows, r)
	}
	return rows, nil
}

var name = regexp.MustCompile(`\b[A-Z][A-Za-z0-9]+`)

// Names are the exported names in the Go form of the row; a cell of the row must use them.
func (r Row) Names() []string { return name.FindAllString(r.Form, -1) }

// Table is the text of docs/api.md.
func Table(rows []Row) string {
	var b strings.Builder
	b.WriteString("# The DataStream API, row by row\n\n" +
		"<!-- Written by go generate ./interp/apicells from rows.tsv; do not edit. -->\n\n" +
		"Each row is an overload, or a group of methods, of Flink's API, with its form in package `dataflow` and the test that\n" +
		"covers it: the subtests of `TestCompiled` and `TestCells` in `interp/apicells` with that name, which run the same\n" +
		"cell compiled and in a session. A row without a test says why.\n")
	section := ""
	for _, r := range rows {
		if r.Section != section {
			section = r.Section
			fmt.Fprintf(&b, "\n## %s\n\n| overload | Go form | test |\n|---|---|---|\n", section)
		}
		test := r.Reason
		if len(r.Cells) > 0 {
			test = "`" + strings.Join(r.Cells, "`, `") + "`"
			if r.Reason != "" {
				test += "; " + r.Reason
			}
		}
		form := r.Form
		if form == "-" {
			form = "none"
		} else {
			form = code(form)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", code(r.Overload), form, escape(test))
	}
	return b.String()
}

func code(s string) string { return "`" + escape(s) + "`" }

func escape(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
