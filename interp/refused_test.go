// What lowering refuses: at the token, in a sentence.

package interp

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"flinkish/interp/check"
)

func TestWhatACellCannotRunIsRefusedAtItsToken(t *testing.T) {
	const pointers = "a cell cannot run a type of pointers that lead only to pointers, such as type P *P"
	for cell, want := range map[string]string{
		"type P *P":                          "1:6: " + pointers,
		"x := 1\ntype (\n\tA *B\n\tB **A\n)": "3:2: " + pointers,
		"for i := range slices.Values([]int{1}) {\n\tif i > 0 {\n\t\tgoto end\n\t}\n}\nend:\nfmt.Println()": "3:3: goto out of a loop over a function is not supported in a cell",
		"type T struct{ A int }\nb, err := xml.Marshal(T{1})":                                               "2:11: package xml does not see the types of a cell",
	} {
		s, _ := waiting(t)
		_, err := s.Eval(context.Background(), Cell{Number: 1, Source: cell})
		var ce *check.Error
		if !errors.As(err, &ce) || fmt.Sprintf("%d:%d: %s", ce.Line, ce.Col, ce.Msg) != want {
			t.Errorf("%s\ngot  %v\nwant %s", cell, err, want)
		}
	}
	s, _ := waiting(t)
	const list = "type List *struct{ Next List; N int }\nl := List(&struct{ Next List; N int }{nil, 3})\nl.N"
	if got, err := s.Eval(context.Background(), Cell{Number: 1, Source: list}); err != nil || len(got.Values) != 1 {
		t.Errorf("pointers to a struct: %v, %v", got, err)
	}
}
