package flk

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// junitFormat is JUnit's XML: a suite for each file, a case for each check. It is written at the end, because its root
// counts everything.
type junitFormat struct {
	w io.Writer
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr,omitempty"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr,omitempty"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	XMLName xml.Name      `xml:"testcase"`
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
	Skipped *junitMessage `xml:"skipped"`
}

type junitMessage struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func (f *junitFormat) begin([]*Document) {}

func (f *junitFormat) report(*Report) {}

func (f *junitFormat) end(reports []*Report, elapsed time.Duration) {
	root := junitSuites{Time: seconds(elapsed)}
	for _, r := range reports {
		s := suite(r)
		root.Tests += s.Tests
		root.Failures += s.Failures
		root.Errors += s.Errors
		root.Skipped += s.Skipped
		root.Suites = append(root.Suites, s)
	}
	io.WriteString(f.w, xml.Header)
	e := xml.NewEncoder(f.w)
	e.Indent("", " ")
	if err := e.Encode(root); err == nil {
		io.WriteString(f.w, "\n")
	}
}

func seconds(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", d.Seconds())
}

func suite(r *Report) junitSuite {
	class := strings.TrimSuffix(r.Doc.Path, ".flk")
	s := junitSuite{Name: r.Doc.Path, Time: seconds(r.Elapsed), Skipped: r.count(Skipped)}
	for _, c := range r.Checks {
		k := junitCase{Class: class, Name: caseName(c), File: r.Doc.Path, Line: c.Line()}
		m := &junitMessage{Message: firstLine(c.Why), Text: xmlText(plainDiff(c))}
		switch {
		case c.State == Failed && c.Diff != nil:
			m.Type, m.Message = "mismatch", differ(c.Diff)
			k.Failure = m
			s.Failures++
		case c.State == Failed:
			m.Type = "cell"
			k.Failure = m
			s.Failures++
		case c.State == Skipped:
			k.Skipped = &junitMessage{Message: xmlText(c.Why)}
		}
		s.Cases = append(s.Cases, k)
	}
	if r.Err != nil {
		s.Errors = 1
		s.Cases = append(s.Cases, junitCase{Class: class, Name: "document", File: r.Doc.Path,
			Error: &junitMessage{Message: firstLine(r.Err.Error()), Text: xmlText(r.Err.Error())}})
	}
	s.Tests = len(s.Cases)
	return s
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return xmlText(s)
}

// differ counts the lines that differ.
func differ(d Diff) string {
	n := 0
	for _, l := range d {
		if l.Op == '-' || l.Op == '+' {
			n++
		}
	}
	if n == 1 {
		return "1 line differs"
	}
	return fmt.Sprintf("%d lines differ", n)
}

// xmlText drops what XML cannot hold.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' || r == '\ufffe' || r == '\uffff' {
			return -1
		}
		return r
	}, s)
}
