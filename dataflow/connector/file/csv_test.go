package file

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestFieldsTakeTheirColumnsOrSayThatTheyHaveNone(t *testing.T) {
	type plain struct {
		Key   string
		Value int
	}
	type tagged struct {
		Key  string `csv:"k"`
		Note string `csv:"n,optional"`
		Rest string `csv:",optional"`
		Own  []int  `csv:"-"`
	}
	type hidden struct{ key string }
	type hiddenTag struct {
		key string `csv:"key"`
	}
	type allOptional struct {
		A int `csv:",optional"`
	}
	type tuple struct {
		F0 string
		F1 int
	}
	_, _ = hidden{}.key, hiddenTag{}.key
	const header, none = false, true
	for _, c := range []struct {
		name, text string
		without    bool
		record     any
		want       string // the records, or what the error says
	}{
		{"names in any case, extra columns left out", "VALUE,x,key\n1,y,a\n", header, plain{}, "[{a 1}]"},
		{"no field has a column", "a,b\n1,2\n", header, plain{}, "no column for Key, Value; the columns are a, b"},
		{"one field has no column", "key,val\na,2\n", header, plain{}, "no column for Value; the columns are key, val"},
		{"optional columns that are missing and there", "k,n\na,b\n", header, tagged{}, "[{a b  []}]"},
		{"a tag whose column is missing", "key,n\na,b\n", header, tagged{}, "no column for Key; the columns are key, n"},
		{"fields that are not exported", "key\na\n", header, hidden{}, "no exported field of the struct takes a column; the columns are key"},
		{"a tag of a field that is not exported", "key\na\n", header, hiddenTag{}, "the struct field key is not exported"},
		{"only optional fields and none there", "b\n1\n", header, allOptional{}, "no exported field of the struct takes a column"},
		{"a tuple below a header", "x,y,z\na,1,2\n", header, tuple{}, "[{a 1}]"},
		{"a tuple with too few columns", "x\na\n", header, tuple{}, "no column for F1; the columns are x"},
		{"a tuple without header", "a,1\nb,2\n", none, tuple{}, "[{a 1} {b 2}]"},
		{"a struct without header", "a,1\nb,2\n", none, plain{}, "[{a 1} {b 2}]"},
		{"a malformed first row without header", "a,one\n", none, plain{}, `:1:3: field "2"`},
		{"more columns than fields without header", "a,1,2\n", none, plain{}, "the row has 3 columns, but the struct has 2 fields for them (Key, Value)"},
		{"an empty file without header", "", none, plain{}, "[]"},
		{"an empty file with header", "", header, plain{}, "the file is empty"},
		{"rows without header", "a,1\nb,2\n", none, []string{}, "[[a 1] [b 2]]"},
		{"a map without header", "a,1\n", none, map[string]string{}, "columns have no names for a map"},
	} {
		path := write(t, filepath.Join(t.TempDir(), "f.csv"), c.text)
		rows := []any{}
		err := CSV(path, reflect.TypeOf(c.record), CSVOptions{WithoutHeader: c.without}, func(v reflect.Value) bool {
			rows = append(rows, v.Interface())
			return true
		})
		if err != nil && len(rows) > 0 {
			t.Errorf("%s: rows %v before the error %v", c.name, rows, err)
		}
		if got := fmt.Sprint(rows); err == nil && got != c.want || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %s, %v; want %s", c.name, got, err, c.want)
		}
	}
}

func TestColumnsAreThoseOfTheNamesThatTheProgramWrote(t *testing.T) {
	type session struct {
		Xid string
		N   int
	}
	path := write(t, filepath.Join(t.TempDir(), "f.csv"), "xid,n\na,1\n")
	err := CSV(path, reflect.TypeFor[session](), CSVOptions{Names: []string{"id", "N"}}, func(v reflect.Value) bool {
		if got := v.Interface().(session); got != (session{N: 1}) {
			t.Errorf("got %v, want a record without id", got)
		}
		return true
	})
	if err != nil {
		t.Error(err)
	}
}
