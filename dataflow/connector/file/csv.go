package file

import (
	"encoding/csv"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// CSVOptions change how CSV reads.
type CSVOptions struct {
	// WithoutHeader says that the first line is a row too; fields take columns by position.
	WithoutHeader bool
	// Names are those of the fields of a struct as the program wrote them; nil: those of the type.
	Names []string
}

// CSV calls emit for each row of the file below its header, as a value of type t, until emit reports false. t is
//   - a struct: an exported field takes the column named by its tag `csv:"name"`, else the column with the
//     field's name in any case. A field without column is an error, unless its tag ends with ",optional";
//     `csv:"-"` takes none;
//   - a struct with the fields F0, F1, ... (a tuple): columns by position, whatever the header says;
//   - []string: all columns; map[string]string: all columns by name.
//
// In a file without header, the fields of a struct that are not `csv:"-"` are the columns in their order, and
// map[string]string is an error. Values are strings, numbers, bools, time.Time (RFC 3339), time.Duration, or pointers
// to them. An empty cell is the zero value. The error of a malformed value is a *RecordError.
func CSV(path string, t reflect.Type, o CSVOptions, emit func(v reflect.Value) bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.ReuseRecord = true
	first, err := r.Read()
	switch {
	case err == io.EOF && o.WithoutHeader:
		return nil
	case err == io.EOF:
		return &RecordError{File: path, Line: 1, Err: fmt.Errorf("the file is empty; the first line must name the columns")}
	case err != nil:
		return csvError(path, err)
	}
	d, err := newDecoder(path, t, o, slices.Clone(first))
	if err != nil {
		return err
	}
	if o.WithoutHeader {
		if v, err := d.decode(r, first); err != nil || !emit(v) {
			return err
		}
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
	opt    CSVOptions
	header []string // numbers, counted from 1, where there is none
	fields []csvField
}

// csvField is a struct field and the column that it takes.
type csvField struct {
	index, column int
	parse         parser
}

func newDecoder(path string, t reflect.Type, o CSVOptions, first []string) (*decoder, error) {
	d := &decoder{path: path, typ: t, opt: o, header: first}
	names := t == reflect.TypeFor[map[string]string]()
	switch {
	case names && o.WithoutHeader:
		return nil, fmt.Errorf("%s: without a header columns have no names for a map; read []string or a struct", path)
	case o.WithoutHeader:
		for i := range d.header {
			d.header[i] = strconv.Itoa(i + 1)
		}
	}
	switch {
	case t.Kind() == reflect.Struct:
		return d, d.mapFields()
	case t == reflect.TypeFor[[]string](), names:
		return d, nil
	}
	return nil, fmt.Errorf("%s: a CSV row is read as a struct, []string or map[string]string, not as %s", path, t)
}

// name is what the program calls field i.
func (d *decoder) name(i int) string {
	if len(d.opt.Names) == d.typ.NumField() {
		return d.opt.Names[i]
	}
	return d.typ.Field(i).Name
}

func (d *decoder) mapFields() error {
	var missing, all []string
	for i := range d.typ.NumField() {
		f, name := d.typ.Field(i), d.name(i)
		tag, optional := strings.CutSuffix(f.Tag.Get("csv"), ",optional")
		if tag == "-" {
			continue
		}
		if !token.IsExported(name) {
			if tag != "" {
				return &RecordError{File: d.path, Line: 1, Field: tag, Err: fmt.Errorf("the struct field %s is not exported; begin its name with a capital", name)}
			}
			continue
		}
		column := d.columnOf(name, tag, len(all))
		all = append(all, name)
		if column < 0 {
			if !optional {
				missing = append(missing, name)
			}
			continue
		}
		p, err := parserOf(f.Type)
		if err != nil {
			return fmt.Errorf("%s: struct field %s: %w", filepath.Base(d.path), name, err)
		}
		d.fields = append(d.fields, csvField{i, column, p})
	}
	return d.unmatched(all, missing)
}

// unmatched is the error of fields without a column, or of columns without a field where only positions match them.
func (d *decoder) unmatched(all, missing []string) error {
	var err error
	switch columns := strings.Join(d.header, ", "); {
	case d.opt.WithoutHeader && len(all) != len(d.header):
		err = fmt.Errorf("the row has %d columns, but the struct has %d fields for them (%s)", len(d.header), len(all), strings.Join(all, ", "))
	case len(missing) > 0:
		err = fmt.Errorf("there is no column for %s; the columns are %s; a tag `csv:\"column\"` names one, `csv:\",optional\"` needs none", strings.Join(missing, ", "), columns)
	case len(d.fields) == 0:
		err = fmt.Errorf("no exported field of the struct takes a column; the columns are %s", columns)
	default:
		return nil
	}
	return &RecordError{File: d.path, Line: 1, Err: err}
}

// columnOf is the column of a field, -1 when there is none; position counts the fields that take one.
func (d *decoder) columnOf(name, tag string, position int) int {
	if d.opt.WithoutHeader || tag == "" && name == fmt.Sprintf("F%d", position) {
		if position < len(d.header) {
			return position
		}
		return -1
	}
	if tag != "" {
		return slices.Index(d.header, tag)
	}
	if i := slices.Index(d.header, name); i >= 0 {
		return i
	}
	return slices.IndexFunc(d.header, func(h string) bool { return strings.EqualFold(h, name) })
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
