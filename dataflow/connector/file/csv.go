package file

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// CSV calls emit for each row of the file below its header, as a value of type t, until emit reports false. t is
//   - a struct: a field takes the column named by its tag `csv:"name"`, else the column with the
//     field's name in any case; `csv:"-"` takes none, and so does a field without tag and without column;
//   - a struct with the fields F0, F1, ... (a tuple): columns by position;
//   - []string: all columns; map[string]string: all columns by name.
//
// Values are strings, numbers, bools, time.Time (RFC 3339), time.Duration, or pointers to them. An empty
// cell is the zero value. The error of a malformed value is a *RecordError.
func CSV(path string, t reflect.Type, emit func(v reflect.Value) bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.ReuseRecord = true
	header, err := r.Read()
	if err == io.EOF {
		return &RecordError{File: path, Line: 1, Err: fmt.Errorf("the file is empty; the first line must name the columns")}
	}
	if err != nil {
		return csvError(path, err)
	}
	d, err := newDecoder(path, t, append([]string(nil), header...))
	if err != nil {
		return err
	}
	for {
		row, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return csvError(path, err)
		}
		v, err := d.decode(r, row)
		if err != nil {
			return err
		}
		if !emit(v) {
			return nil
		}
	}
}

func csvError(path string, err error) error {
	if p, ok := err.(*csv.ParseError); ok {
		return &RecordError{File: path, Line: p.Line, Column: p.Column, Err: p.Err}
	}
	return fmt.Errorf("%s: %w", path, err)
}

type decoder struct {
	path   string
	typ    reflect.Type
	header []string
	fields []csvField
}

// csvField is a struct field and the column that it takes.
type csvField struct {
	index, column int
	parse         parser
}

func newDecoder(path string, t reflect.Type, header []string) (*decoder, error) {
	d := &decoder{path: path, typ: t, header: header}
	switch {
	case t.Kind() == reflect.Struct:
		return d, d.mapFields()
	case t == reflect.TypeFor[[]string](), t == reflect.TypeFor[map[string]string]():
		return d, nil
	}
	return nil, fmt.Errorf("%s: a CSV row is read as a struct, []string or map[string]string, not as %s", path, t)
}

func (d *decoder) mapFields() error {
	for i := range d.typ.NumField() {
		f := d.typ.Field(i)
		tag, tagged := f.Tag.Lookup("csv")
		if tag == "-" || !f.IsExported() {
			continue
		}
		column := d.columnOf(f.Name, tag, i)
		if column < 0 && tagged {
			return &RecordError{File: d.path, Line: 1, Field: tag,
				Err: fmt.Errorf("there is no such column for the struct field %s; the columns are %s", f.Name, strings.Join(d.header, ", "))}
		}
		if column < 0 {
			continue
		}
		p, err := parserOf(f.Type)
		if err != nil {
			return fmt.Errorf("%s: struct field %s: %w", filepath.Base(d.path), f.Name, err)
		}
		d.fields = append(d.fields, csvField{i, column, p})
	}
	return nil
}

func (d *decoder) columnOf(name, tag string, position int) int {
	want := name
	if tag != "" {
		want = tag
	}
	for c, h := range d.header {
		if h == want || tag == "" && strings.EqualFold(h, want) {
			return c
		}
	}
	if tag == "" && name == fmt.Sprintf("F%d", position) && position < len(d.header) {
		return position
	}
	return -1
}

func (d *decoder) decode(r *csv.Reader, row []string) (reflect.Value, error) {
	v := reflect.New(d.typ).Elem()
	switch d.typ.Kind() {
	case reflect.Slice:
		v.Set(reflect.ValueOf(append([]string(nil), row...)))
		return v, nil
	case reflect.Map:
		m := make(map[string]string, len(row))
		for i, h := range d.header {
			m[h] = row[i]
		}
		v.Set(reflect.ValueOf(m))
		return v, nil
	}
	for _, f := range d.fields {
		text := row[f.column]
		if err := f.parse(v.Field(f.index), text); err != nil {
			line, column := r.FieldPos(f.column)
			return v, &RecordError{File: d.path, Line: line, Column: column, Field: d.header[f.column], Value: text, Err: err}
		}
	}
	return v, nil
}
