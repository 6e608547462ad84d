package file

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
)

// JSONLines calls emit for each line of the file, decoded into a value of type t as package json does, until emit
// reports false. Empty lines are skipped. A malformed line is a *RecordError.
func JSONLines(path string, t reflect.Type, emit func(v reflect.Value) bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	for n := 1; ; n++ {
		line, readErr := r.ReadBytes('\n')
		if text := bytes.TrimSpace(line); len(text) > 0 {
			v := reflect.New(t)
			if err := json.Unmarshal(line, v.Interface()); err != nil {
				return jsonError(path, n, line, err)
			}
			if !emit(v.Elem()) {
				return nil
			}
		}
		if readErr != nil {
			return ignoreEOF(readErr)
		}
	}
}

func jsonError(path string, n int, line []byte, err error) error {
	e := &RecordError{File: path, Line: n, Err: err}
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		e.Column = int(syntax.Offset)
	case errors.As(err, &typ):
		e.Column, e.Field = int(typ.Offset), typ.Field
		e.Value = valueBefore(line, int(typ.Offset))
		e.Err = fmt.Errorf("cannot read %s %s as %s", typ.Value, e.Value, typ.Type)
	}
	return e
}

// valueBefore is the plain JSON value that ends at offset; empty for an object or array.
func valueBefore(line []byte, offset int) string {
	offset = min(offset, len(line))
	start := bytes.LastIndexAny(line[:offset], ":,[{") + 1
	return string(bytes.TrimSpace(line[start:offset]))
}
