package show

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"flinkish/repl/session"
	"flinkish/viz"
)

// Table aligns rows under their headings, without borders, so that a row can be copied. Columns that do not fit the
// width are cut, the widest first; a last line counts the rows that are not there.
func Table(t session.Table, o Options) string {
	width := o.width()
	if o.Whole {
		width = math.MaxInt32
	}
	vt := viz.Table{Rows: t.Rows, Total: t.Total}
	for _, c := range t.Columns {
		vt.Columns = append(vt.Columns, viz.Column{Title: c.Name, Right: c.Right})
	}
	return vt.Draw(width, 0, o.glyphs())
}

// columns makes headings; a name that starts with > is right-aligned.
func columns(names ...string) []session.Column {
	cs := make([]session.Column, len(names))
	for i, n := range names {
		name, right := strings.CutPrefix(n, ">")
		cs[i] = session.Column{Name: name, Right: right}
	}
	return cs
}

func rows(cols []session.Column, rs [][]string) session.Table {
	return session.Table{Columns: cols, Rows: rs, Total: len(rs)}
}

// Jobs has one line for each job.
func Jobs(js []session.Job, o Options) string {
	var rs [][]string
	for _, j := range js {
		rs = append(rs, []string{j.ID[:min(8, len(j.ID))], j.Name, j.Status, strconv.Itoa(j.Cell), strconv.FormatUint(j.Steps, 10), viz.Time(j.Now)})
	}
	return Table(rows(columns("JOB", "NAME", "STATE", ">CELL", ">STEPS", "TIME"), rs), o)
}

// Subtasks has one line for each subtask of a job.
func Subtasks(g session.Graph, m session.Metrics, o Options) string {
	var rs [][]string
	for i, t := range m.Tasks {
		for _, s := range t.Subtasks {
			rs = append(rs, []string{label(g, i), name(g, i), strconv.Itoa(s.Index + 1), s.State,
				viz.Percent(s.Busy), viz.Percent(s.BackPressured), viz.Percent(s.Idle),
				strconv.FormatUint(s.In, 10), strconv.FormatUint(s.Out, 10),
				fmt.Sprintf("%d/%d", s.Queued, s.QueueCap), viz.Watermark(s.Watermark)})
		}
	}
	return jobLine(m) + Table(rows(columns("", "TASK", ">SUB", "STATE", ">BUSY", ">BP", ">IDLE", ">IN", ">OUT", ">QUEUE", "WATERMARK"), rs), o)
}

// Watermarks has the watermark of each subtask in milliseconds and as a time, and the late records dropped.
func Watermarks(g session.Graph, m session.Metrics, o Options) string {
	var rs [][]string
	for i, t := range m.Tasks {
		for _, s := range t.Subtasks {
			ms := "none"
			if s.Watermark == session.EndTime {
				ms = "MAX"
			} else if s.Watermark != session.NoTime {
				ms = strconv.FormatInt(s.Watermark, 10)
			}
			rs = append(rs, []string{label(g, i), name(g, i), strconv.Itoa(s.Index + 1), ms, viz.DateTime(s.Watermark), strconv.FormatUint(s.LateDropped, 10)})
		}
	}
	return jobLine(m) + Table(rows(columns("", "TASK", ">SUB", ">WATERMARK", "TIME", ">LATE DROPPED"), rs), o)
}

// UserMetrics has one line for each metric that a function of a job registered, in each subtask.
func UserMetrics(g session.Graph, m session.Metrics, o Options) string {
	var rs [][]string
	for i, t := range m.Tasks {
		for _, s := range t.Subtasks {
			for _, u := range s.User {
				rs = append(rs, []string{label(g, i), u.Operator, strconv.Itoa(s.Index + 1), u.Name, u.Kind, u.Value})
			}
		}
	}
	if len(rs) == 0 {
		return jobLine(m) + "no function of the job registered a metric; one does it in Open, such as ctx.MetricGroup().Counter(\"hits\")\n"
	}
	return jobLine(m) + Table(rows(columns("", "OPERATOR", ">SUB", "METRIC", "KIND", "VALUE"), rs), o)
}

func jobLine(m session.Metrics) string {
	return fmt.Sprintf("job %s  %s  steps %d\n", m.Job.Name, m.Job.Status, m.Job.Steps)
}

func label(g session.Graph, i int) string {
	if i < len(g.Tasks) {
		return g.Tasks[i].Label
	}
	return ""
}

func name(g session.Graph, i int) string {
	if i < len(g.Tasks) {
		return g.Tasks[i].Name
	}
	return ""
}

// Samples has the sampled records of one task.
func Samples(t session.Task, ss []session.Sample, o Options) string {
	head := fmt.Sprintf("%s %s\n", t.Label, t.Name)
	if len(ss) == 0 {
		return head + "  no record yet\n"
	}
	var rs [][]string
	for _, s := range ss {
		ts := "-"
		if s.Timestamp != session.NoTime {
			ts = strconv.FormatInt(s.Timestamp, 10)
		}
		rs = append(rs, []string{strconv.Itoa(s.Subtask + 1), ts, s.Text})
	}
	return head + Table(rows(columns(">SUB", ">TIMESTAMP", "RECORD"), rs), o)
}
