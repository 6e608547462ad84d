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
			node(src, "Source: src<br/>", ""),
			node(m, `a &lt; b &amp; &quot;c&quot;&#92;<br/>+- Sink: s<br/>`, input("0")+","+input("1")),
		}, ",") + `]}}`
		if got := j.Plan("00ff"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestTheEdgeToACacheIsKept(t *testing.T) {
	ts := branching()
	ts[0].Persistent = true
	for batch, want := range map[bool]string{false: `"exchange":"pipelined_bounded"`, true: `"exchange":"blocking_persistent"`} {
		if got := build(t, ts, Config{Chaining: true, Batch: batch}).Plan("0"); strings.Count(got, want) != 2 {
			t.Errorf("got %s, want %s twice", got, want)
		}
	}
}

func TestTheStreamGraphNamesTheVertexOfEachOperator(t *testing.T) {
	j := build(t, branching(), Config{JobName: "job", Chaining: true})
	src, m := j.Vertices[0].ID, j.Vertices[1].ID
	node := func(id, operator, description, vertex, inputs string) string {
		return `{"id":"` + id + `","parallelism":2,"operator":"` + operator + `","description":"` + description + `"` + vertex + `,"inputs":[` + inputs + `]}`
	}
	input := func(num, id string) string {
		return `{"num":` + num + `,"id":"` + id + `","ship_strategy":"FORWARD","exchange":"UNDEFINED"}`
	}
	graph := func(src, m string) string {
		return `{"nodes":[` + strings.Join([]string{
			node("1", "Source: src", "Source: src", src, ""),
			node("3", "m", `a < b & \"c\"\\`, m, input("0", "1")+","+input("1", "1")),
			node("4", "Sink: s", "Sink: s", m, input("0", "3")),
		}, ",") + `]}`
	}
	if got, want := j.StreamPlan(), graph(`,"job_vertex_id":"`+src+`"`, `,"job_vertex_id":"`+m+`"`); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := j.Stream.StreamPlan(), graph("", ""); got != want {
		t.Errorf("pending: got\n%s\nwant\n%s", got, want)
	}
}

func TestThePlanShowsOperatorsFirstAndSinksLast(t *testing.T) {
	ts := branching()
	m := ts[0]
	writer := &Transformation{ID: 5, Kind: Sink, Name: "my", Part: "Writer", Inputs: []*Transformation{m}, Parallelism: 2, BufferTimeout: DefaultBufferTimeout}
	g, err := Generate(append(ts, writer), Config{Chaining: true})
	if err != nil {
		t.Fatal(err)
	}
	// The writer of a Sink is an ordinary operator; a legacy sink is one and comes last, whatever its id.
	want := `{
  "nodes": [
    {
      "id": 1,
      "type": "Source: src",
      "pact": "Data Source",
      "contents": "Source: src",
      "parallelism": 2
    },
    {
      "id": 3,
      "type": "m",
      "pact": "Operator",
      "contents": "a < b & \"c\"\\",
      "parallelism": 2,
      "predecessors": [
        {
          "id": 1,
          "ship_strategy": "FORWARD",
          "side": "second"
        },
        {
          "id": 1,
          "ship_strategy": "FORWARD",
          "side": "second"
        }
      ]
    },
    {
      "id": 5,
      "type": "my: Writer",
      "pact": "Operator",
      "contents": "my: Writer",
      "parallelism": 2,
      "predecessors": [
        {
          "id": 3,
          "ship_strategy": "FORWARD",
          "side": "second"
        }
      ]
    },
    {
      "id": 4,
      "type": "Sink: s",
      "pact": "Data Sink",
      "contents": "Sink: s",
      "parallelism": 2,
      "predecessors": [
        {
          "id": 3,
          "ship_strategy": "FORWARD",
          "side": "second"
        }
      ]
    }
  ]
}`
	if got := g.Plan(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
