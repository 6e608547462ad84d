package conformance

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// pending are the cases of parts that do not exist yet.
var pending = strings.Fields(`
	CK-exactly-once-keyed CK-fixed-delay CK-no-restart CK-default-strategy CK-exponential-delay CK-alignment
	CK-two-phase-commit CK-max-parallelism-change CK-missing-operator CK-batch-no-checkpoints
	V2-one-input V2-draft-pipeline V2-two-output-nonkeyed V2-two-output-keyed V2-one-input-key-check
	V2-keyed-plain-result-nonkeyed V2-partitioning V2-two-input-keyed-order V2-two-input-key-check
	V2-broadcast-nonkeyed V2-current-key-nonkeyed V2-proc-time-nonkeyed V2-end-input-once V2-freq-count`)

// disputed are cases that the rules of the DataStream API contradict, with the reason. They are run and
// must fail: a case that passes is not disputed. They count neither as passed nor as failed.
var disputed = map[string]string{
	"ER-enum-key": "Flink refuses enums because their hash codes differ between processes; Go has no enums, and a named " +
		"number has the hash code of its value, which is the same everywhere",
}

func load(t *testing.T) []*Case {
	cases, err := Load(filepath.Join("..", "testdata", "conformance"))
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestCases(t *testing.T) {
	wait := map[string]bool{}
	for _, id := range pending {
		wait[id] = true
	}
	passed, failed, waiting := 0, 0, 0
	seen := map[string]bool{}
	for _, c := range load(t) {
		if seen[c.ID] {
			t.Errorf("there are two cases %s", c.ID)
		}
		seen[c.ID] = true
		f := registry[c.ID]
		switch {
		case f == nil && wait[c.ID]:
			waiting++
			continue
		case f == nil:
			failed++
			t.Errorf("%s: no function runs it", c.ID)
			continue
		case wait[c.ID]:
			t.Errorf("%s is listed as pending, but has a function", c.ID)
		}
		if why := disputed[c.ID]; why != "" {
			fmt.Printf("disputed: %s: %s\n", c.ID, why)
		}
		ok := t.Run(c.ID, func(t *testing.T) {
			errs := run(c, f)
			if why := disputed[c.ID]; why != "" {
				if len(errs) == 0 {
					t.Errorf("passes, but is disputed: %s", why)
				}
				t.Skip("disputed:", why)
			}
			for _, e := range errs {
				t.Error(e)
			}
		})
		switch {
		case !ok:
			failed++
		case disputed[c.ID] == "":
			passed++
		}
	}
	for id := range registry {
		if !seen[id] {
			t.Errorf("%s has a function, but no case", id)
		}
	}
	fmt.Printf("%d passed, %d failed, %d pending\n", passed, failed, waiting)
}

// TestChangedExpectationsFail changes, in every case, each value of the expectation, one after the other: the case
// must fail then, or it does not check what it says.
func TestChangedExpectationsFail(t *testing.T) {
	topics := map[string]int{}
	for _, c := range load(t) {
		f := registry[c.ID]
		if f == nil || disputed[c.ID] != "" || len(run(c, f)) > 0 {
			continue // TestCases reports it
		}
		for _, n := range leaves(c.Expect.node, nil) {
			was := *n
			flip(n)
			if len(run(c, f)) == 0 {
				t.Errorf("%s: passes with %s in the place of %s at line %d of %s.yaml", c.ID, n.Value, was.Value, n.Line, c.Topic)
			}
			*n = was
			topics[c.Topic]++
		}
	}
	for _, c := range load(t) {
		if registry[c.ID] != nil && topics[c.Topic] == 0 {
			t.Errorf("no expectation of the topic %s was changed", c.Topic)
		}
	}
}

// leaves are the scalars of an expectation, without the flags that say how to compare. An empty list is one too.
func leaves(n *yaml.Node, into []*yaml.Node) []*yaml.Node {
	switch n.Kind {
	case yaml.ScalarNode:
		return append(into, n)
	case yaml.SequenceNode:
		if len(n.Content) == 0 {
			return append(into, n)
		}
		for _, e := range n.Content {
			into = leaves(e, into)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !strings.HasPrefix(n.Content[i].Value, "unordered") {
				into = leaves(n.Content[i+1], into)
			}
		}
	}
	return into
}

// flip changes a leaf to another value of its type.
func flip(n *yaml.Node) {
	switch {
	case n.Kind == yaml.SequenceNode:
		n.Content = []*yaml.Node{{Kind: yaml.ScalarNode, Tag: "!!str", Value: "changed"}}
	case n.Tag == "!!bool" && n.Value == "true":
		n.Value = "false"
	case n.Tag == "!!bool":
		n.Value = "true"
	case n.Tag == "!!int" && n.Value == "1":
		n.Value = "2"
	case n.Tag == "!!int":
		n.Value = "1"
	case n.Tag == "!!float":
		n.Value = "1" + n.Value
	case n.Tag == "!!null":
		n.Tag, n.Value = "!!str", "changed"
	default:
		n.Value += "changed"
	}
}
