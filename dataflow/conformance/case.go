// Package conformance checks the engine against cases with known right answers: the YAML files in
// dataflow/testdata/conformance. A case gives input and expectation; a Go function, registered under the
// id of the case, builds the pipeline with the public API, feeds it the input of the YAML and compares
// what comes out with the expectation of the YAML. Nothing of a case's data stands in Go.
//
// Pipelines run as jobs, or one operator of them is driven by hand (Operator), where a case needs an exact
// order of records and watermarks, a clock set by hand, or a snapshot in between.
package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Case is one case of a topic.
type Case struct {
	ID          string
	Topic       string // name of the file, without .yaml
	Parallelism int    // of the environment, or of the operator under test
	Mode        string // STREAMING or BATCH
	Clock       string // "manual": processing time is set by the input
	Input       Value
	Expect      Value
}

// Load reads every topic of a folder, in the order of the file names; the cases are in the order of the files.
func Load(dir string) ([]*Case, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var all []*Case
	for _, f := range files {
		cases, err := loadTopic(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		all = append(all, cases...)
	}
	return all, nil
}

func loadTopic(file string) ([]*Case, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var raw []struct {
		ID          string    `yaml:"id"`
		Parallelism int       `yaml:"parallelism"`
		Mode        string    `yaml:"mode"`
		Clock       string    `yaml:"clock"`
		Input       yaml.Node `yaml:"input"`
		Expect      yaml.Node `yaml:"expect"`
	}
	if err := yaml.Unmarshal(text, &raw); err != nil {
		return nil, err
	}
	var cases []*Case
	for i := range raw {
		r := &raw[i]
		if r.ID == "" || r.Expect.Kind == 0 {
			return nil, fmt.Errorf("case %d has no id or no expectation", i)
		}
		cases = append(cases, &Case{
			ID: r.ID, Topic: strings.TrimSuffix(filepath.Base(file), ".yaml"),
			Parallelism: r.Parallelism, Mode: r.Mode, Clock: r.Clock,
			Input: Value{&r.Input, "input"}, Expect: Value{&r.Expect, "expect"},
		})
	}
	return cases, nil
}
