package apitest_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "flinkish/dataflow"
)

// mixture is a record with a field of each kind.
type mixture struct {
	I8  int8
	I16 int16
	I32 int32
	I64 int64
	U8  uint8
	F32 float32
	F64 float64
	S   string
	OK  bool
	In  struct{ N Tuple2[int8, string] }
	Arr [2]int16
	Any any
	ID  int
}

// TestAggregationsOfEveryKind: sums wrap around, comparisons are Java's.
func TestAggregationsOfEveryKind(t *testing.T) {
	type keyed = *KeyedStream[mixture, int]
	inner := func(n int8) (v mixture) { v.In.N.F0 = n; return v }
	zero := math.Copysign(0, -1)
	for _, c := range []struct {
		name string
		in   []mixture
		do   func(k keyed) *SingleOutputStreamOperator[mixture]
		show func(v mixture) any
		want string
	}{
		{"an int8 wraps around", []mixture{{I8: 100}, {I8: 100}, {I8: 100}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.SumField("I8") }, func(v mixture) any { return v.I8 }, "[100 -56 44]"},
		{"an int16 wraps around", []mixture{{I16: 32767}, {I16: 1}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.SumField("I16") }, func(v mixture) any { return v.I16 }, "[32767 -32768]"},
		{"an int32 wraps around", []mixture{{I32: -1 << 31}, {I32: -1}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.SumField("I32") }, func(v mixture) any { return v.I32 }, "[-2147483648 2147483647]"},
		{"an int64 wraps around", []mixture{{I64: 1<<63 - 1}, {I64: 1}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.SumField("I64") }, func(v mixture) any { return v.I64 }, "[9223372036854775807 -9223372036854775808]"},
		{"a uint8 wraps around", []mixture{{U8: 200}, {U8: 100}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.SumField("U8") }, func(v mixture) any { return v.U8 }, "[200 44]"},
		{"a float32 is added as such", []mixture{{F32: 16777216}, {F32: 1}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.SumField("F32") }, func(v mixture) any { return v.F32 }, "[1.6777216e+07 1.6777216e+07]"},
		{"a sum that is no number", []mixture{{F64: 1}, {F64: math.NaN()}, {F64: 1}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.SumField("F64") }, func(v mixture) any { return v.F64 }, "[1 NaN NaN]"},
		{"NaN is the greatest", []mixture{{F64: math.Inf(1)}, {F64: math.NaN()}, {F64: 5}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.MaxField("F64") }, func(v mixture) any { return v.F64 }, "[+Inf NaN NaN]"},
		{"NaN is never the least", []mixture{{F64: math.NaN()}, {F64: math.Inf(1)}, {F64: math.NaN()}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.MinField("F64") }, func(v mixture) any { return v.F64 }, "[NaN +Inf +Inf]"},
		{"NaN equals itself", []mixture{{F64: math.NaN(), ID: 1}, {F64: math.NaN(), ID: 2}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.MaxByField("F64") }, func(v mixture) any { return v.ID }, "[1 1]"},
		{"minus zero is less than zero", []mixture{{F64: 0, ID: 1}, {F64: zero, ID: 2}, {F64: 0, ID: 3}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.MinByField("F64") }, func(v mixture) any { return v.ID }, "[1 2 2]"},
		{"texts are compared", []mixture{{S: "b"}, {S: "a"}, {S: "ab"}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.MaxField("S") }, func(v mixture) any { return v.S }, "[b b b]"},
		{"the empty text is the least", []mixture{{S: "b"}, {S: ""}, {S: "ab"}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.MinField("S") }, func(v mixture) any { return fmt.Sprintf("%q", v.S) }, `["b" "" ""]`},
		{"false is less than true", []mixture{{OK: true}, {OK: false}, {OK: true}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.MinField("OK") }, func(v mixture) any { return v.OK }, "[true false false]"},
		{"a uint8 has no sign", []mixture{{U8: 1}, {U8: 200}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.MaxField("U8") }, func(v mixture) any { return v.U8 }, "[1 200]"},
		{"a field of a tuple in a record in a record", []mixture{inner(100), inner(50)}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.SumField("In.N.f0") }, func(v mixture) any { return v.In.N.F0 }, "[100 -106]"},
		{"an element of an array", []mixture{{Arr: [2]int16{1, 5}}, {Arr: [2]int16{7, 6}}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.SumField("Arr.1") }, func(v mixture) any { return v.Arr }, "[[1 5] [1 11]]"},
		{"the newer of equals, and the rest of its record", []mixture{{I64: 5, ID: 1}, {I64: 5, ID: 2}, {I64: 6, ID: 3}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.MinByField("I64", First(false)) }, func(v mixture) any { return v.ID }, "[1 2 2]"},
		{"a maximum takes the field alone", []mixture{{I64: 5, ID: 1}, {I64: 9, ID: 2}, {I64: 6, ID: 3}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.MaxField("I64") }, func(v mixture) any { return fmt.Sprint(v.I64, "/", v.ID) }, "[5/1 9/1 9/1]"},
		{"what lies in an interface is added by its kind", []mixture{{Any: int8(100)}, {Any: int8(100)}}, func(k keyed) *SingleOutputStreamOperator[mixture] { return k.SumField("Any") }, func(v mixture) any { return v.Any }, "[100 -56]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.do(env().FromSlice(c.in).KeyBy(func(mixture) int { return 0 })).ExecuteAndCollectLimit(context.Background(), 99)
			if err != nil {
				t.Fatal(err)
			}
			shown := make([]any, len(got))
			for i, v := range got {
				shown[i] = c.show(v)
			}
			if s := fmt.Sprint(shown); s != c.want {
				t.Errorf("got %s, want %s", s, c.want)
			}
		})
	}
}

// TestAggregationsThatAreRefused: at the call.
func TestAggregationsThatAreRefused(t *testing.T) {
	type keyed = *KeyedStream[mixture, int]
	for _, c := range []struct {
		name, kind, says string
		do               func(k keyed)
	}{
		{"a sum of texts", "Runtime", "string", func(k keyed) { k.SumField("S") }},
		{"a sum of truth", "Runtime", "bool", func(k keyed) { k.SumField("OK") }},
		{"a field that is not there", "InvalidFieldReference", "Nope", func(k keyed) { k.MaxField("Nope") }},
		{"a field of a number", "InvalidFieldReference", "", func(k keyed) { k.MaxField("I8.x") }},
		{"an element behind the array", "InvalidFieldReference", "2 elements", func(k keyed) { k.MaxField("Arr.2") }},
		{"a position of a record that is no tuple", "InvalidFieldReference", "names", func(k keyed) { k.Max(-1) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := env()
			c.do(e.FromSlice([]mixture{{}}).KeyBy(func(mixture) int { return 0 }))
			err := e.Err()
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.kind) {
				t.Errorf("got %v, want %s with %q", err, c.kind, c.says)
			}
		})
	}
}

// ghost has a text, which it cannot tell when it is nil.
type ghost struct{ name string }

func (g ghost) String() string { return g.name }

// TestTextsAreJavas: numbers, nothing, and what is inside others.
func TestTextsAreJavas(t *testing.T) {
	five := 5
	for _, c := range []struct {
		v    any
		want string
	}{
		{9999999.0, "9999999.0"}, {1e7, "1.0E7"}, {123456789.0, "1.23456789E8"}, {0.001, "0.001"}, {0.00012, "1.2E-4"}, {math.Copysign(0, -1), "-0.0"},
		{math.Inf(-1), "-Infinity"}, {math.NaN(), "NaN"}, {math.MaxFloat64, "1.7976931348623157E308"}, {math.SmallestNonzeroFloat64, "4.9E-324"}, {1.0 / 3, "0.3333333333333333"},
		{float32(0.1), "0.1"}, {float32(1e10), "1.0E10"}, {float32(16777216), "1.6777216E7"}, {int8(-3), "-3"}, {uint64(math.MaxUint64), "18446744073709551615"},
		{nil, "null"}, {(*int)(nil), "null"}, {&five, "5"}, {(*ghost)(nil), "null"}, {&ghost{"g"}, "g"}, {[]float64{}, "[]"}, {[]float64(nil), "[]"}, {[]any{1, nil, 2.5}, "[1, null, 2.5]"},
		{map[string][]float64{"b": {1}, "a": nil}, "{a=[], b=[1.0]}"}, {map[int]bool{10: true, 9: false}, "{9=false, 10=true}"},
		{Tuple2[any, Tuple1[float64]]{F1: Tuple1[float64]{F0: 1}}, "(null,(1.0))"}, {Tuple2[*int, *int]{F0: &five}, "(5,null)"}, {[2]bool{true}, "[true, false]"},
	} {
		var out bytes.Buffer
		e := NewEnv(WithParallelism(1), WithDeterministic(1), WithOutput(&out, &out))
		e.FromElements(any(0)).Map(func(any) any { return c.v }).Print()
		if _, err := e.Execute(context.Background()); err != nil {
			t.Errorf("%#v: %v", c.v, err)
			continue
		}
		if got := strings.TrimSuffix(out.String(), "\n"); got != c.want {
			t.Errorf("%T: got %s, want %s", c.v, got, c.want)
		}
	}
}

// TestCSVIsWrittenPlain: no quotes, delimiters as they are, and a null is an error.
func TestCSVIsWrittenPlain(t *testing.T) {
	five := 5
	type row = Tuple3[string, *int, float64]
	for _, c := range []struct {
		in         row
		want, says string
	}{
		{row{F0: `a,"b"`, F1: &five, F2: 1}, "a,\"b\"|5|1.0;\n", ""},
		{row{F1: &five, F2: 1e10}, "|5|1.0E10;\n", ""},
		{row{F0: "a", F2: 1}, "", "nil"},
	} {
		path := filepath.Join(t.TempDir(), "out.csv")
		e := env()
		e.FromElements(c.in).WriteAsCsv(path, FieldDelimiter("|"), RowDelimiter(";\n"))
		_, err := e.Execute(context.Background())
		if (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want %q", err, c.says)
		}
		if got, _ := os.ReadFile(path); string(got) != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
