package graph

import (
	"strings"
	"testing"
)

// branching has two vertices, the second reading the first twice.
func branching() []*Transformation {
	src := &Transformation{ID: 1, Kind: Source, Name: "src", Parallelism: 2, Bounded: true, BufferTimeout: DefaultBufferTimeout}
	both := &Transformation{ID: 2, Kind: Union, Inputs: []*Transformation{src, src}}
	m := &Transformation{ID: 3, Kind: Operator, Name: "m", Description: "a < b & \"c\"\\", Inputs: []*Transformation{both}, Parallelism: 2, BufferTimeout: DefaultBufferTimeout}
	return []*Transformation{m, {ID: 4, Kind: Sink, Name: "s", Inputs: []*Transformation{m}, Parallelism: 2, BufferTimeout: DefaultBufferTimeout}}
}

func TestThePlanOfAJobHasTheFieldsOfTheWebInterface(t *testing.T) {
	for batch, words := range map[bool][2]string{false: {"STREAMING", "pipelined_bounded"}, true: {"BATCH", "blocking"}} {
		j := build(t, branching(), Config{JobName: "job", Chaining: true, Batch: batch})
		src, m := j.Vertices[0].ID, j.Vertices[1].ID
		input := func(num string) string {
			return `{"num":` + num + `,"id":"` + src + `","ship_strategy":"FORWARD","exchange":"` + words[1] + `","local_strategy":null,"caching":null}`
		}
		node := func(id, description, inputs string) string {
			return `{"id":"` + id + `","parallelism":2,"operator":"","operator_strategy":"","description":"` + description +
				`","optimizer_properties":{},"inputs":[` + inputs + `]}`
		}
		want := `{"plan":{"jid":"00ff","name":"job","type":"` + words[0] + `","nodes":[` + strings.Join([]string{
			node(src, "Source: src", ""),
			node(m, `a &lt; b &amp; &quot;c&quot;&#92;<br/>+- Sink: s`, input("0")+","+input("1")),
		}, ",") + `]}}`
		if got := j.Plan("00ff"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
