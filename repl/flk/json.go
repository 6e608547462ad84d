package flk

import (
	"encoding/json"
	"io"
	"time"
)

// jsonFormat is one JSON object, written at the end: the totals, and each document with its checks.
type jsonFormat struct {
	w io.Writer
}

type jsonRun struct {
	Files   int        `json:"files"`
	Cells   int        `json:"cells"`
	Checks  int        `json:"checks"`
	OK      int        `json:"ok"` // expected failures and updated expectations too
	Failed  int        `json:"failed"`
	Skipped int        `json:"skipped"`
	Seconds float64    `json:"seconds"` // wall time
	Reports []jsonFile `json:"reports"`
}

type jsonFile struct {
	File     string      `json:"file"`
	Seed     uint64      `json:"seed"`
	Code     int         `json:"code"`            // exit status of this document alone
	Error    string      `json:"error,omitempty"` // why it could not run at all
	Seconds  float64     `json:"seconds"`
	Checks   []jsonCheck `json:"checks"`
	Warnings []jsonError `json:"warnings,omitempty"`
}

type jsonCheck struct {
	Cell  string     `json:"cell"` // its name, or its number
	Kind  string     `json:"kind"` // out, error, screen or cell
	Match string     `json:"match,omitempty"`
	Line  int        `json:"line"`  // of the document
	State State      `json:"state"` // ok, failed, skipped, xfailed or updated
	Why   string     `json:"why,omitempty"`
	Diff  []jsonLine `json:"diff,omitempty"` // of a failed check, whole
}

// jsonLine is one line of a diff: op is "-" for one that was wanted and did not come, "+" for one that nobody wanted, " "
// for one that came as wanted, "." for one that may be there.
type jsonLine struct {
	Op   string `json:"op"`
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
}

type jsonError struct {
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func (f *jsonFormat) begin([]*Document) {}

func (f *jsonFormat) report(*Report) {}

func (f *jsonFormat) end(reports []*Report, elapsed time.Duration) {
	t := total(reports)
	run := jsonRun{Files: t.files, Cells: t.cells, Checks: t.checks, OK: t.ok, Failed: t.failed, Skipped: t.skipped,
		Seconds: elapsed.Seconds(), Reports: []jsonFile{}}
	for _, r := range reports {
		run.Reports = append(run.Reports, jsonReport(r))
	}
	e := json.NewEncoder(f.w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	e.Encode(run)
}

func jsonReport(r *Report) jsonFile {
	file := jsonFile{File: r.Doc.Path, Seed: r.Seed, Code: int(r.Code), Seconds: r.Elapsed.Seconds(), Checks: []jsonCheck{}}
	if r.Err != nil {
		file.Error = r.Err.Error()
	}
	for _, c := range r.Checks {
		one := jsonCheck{Cell: c.Run.Cell.label(), Kind: c.Name(), Line: c.Line(), State: c.State, Why: c.Why}
		if c.Expect != nil {
			one.Match = c.Expect.Match.String()
		}
		for _, l := range c.Diff {
			if c.State == Failed {
				one.Diff = append(one.Diff, jsonLine{string(l.Op), l.Want, l.Got})
			}
		}
		file.Checks = append(file.Checks, one)
	}
	for _, w := range r.Warnings {
		file.Warnings = append(file.Warnings, jsonError{w.Line, w.Col, w.Msg, w.Hint})
	}
	return file
}
