package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	. "flinkish/dataflow"
	"flinkish/interp"
)

// The same word count over the same text, once compiled and once as cells.

var word = regexp.MustCompile("[a-z]+")

func compiledText(path string) variant {
	return func() (int64, error) {
		env := newEnv(WithDeterministic(1))
		it, err := env.ReadTextFile(path).
			FlatMap(func(line string, out Collector[wordCount]) {
				for _, w := range word.FindAllString(strings.ToLower(line), -1) {
					out.Collect(wordCount{w, 1})
				}
			}).
			KeyBy(func(w wordCount) string { return w.Word }).
			Reduce(func(a, b wordCount) wordCount { a.N += b.N; return a }).
			Filter(func(w wordCount) bool { return w.Word == "light" }).
			ExecuteAndCollect(context.Background())
		if err != nil {
			return 0, err
		}
		var last int64
		for w, err := range it.All() {
			if err != nil {
				return 0, err
			}
			last = int64(w.N)
		}
		return last, nil
	}
}

const textCells = `
type Word struct {
	Text string
	N    int
}
word := regexp.MustCompile("[a-z]+")
func countLight() int {
	it, err := env.ReadTextFile(%q).
		FlatMap(func(line string, out Collector[Word]) {
			for _, w := range word.FindAllString(strings.ToLower(line), -1) {
				out.Collect(Word{w, 1})
			}
		}).
		KeyBy(func(w Word) string { return w.Text }).
		Reduce(func(a, b Word) Word { a.N += b.N; return a }).
		Filter(func(w Word) bool { return w.Text == "light" }).
		ExecuteAndCollect(ctx)
	if err != nil { panic(err) }
	last := 0
	for w, err := range it.All() {
		if err != nil { panic(err) }
		last = w.N
	}
	return last
}
`

// interpretedText defines the cells once; each run calls the function that they define.
func interpretedText(path string) (variant, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	s, err := interp.New(interp.Options{Stdout: io.Discard, Stderr: io.Discard, Env: newEnv(WithDeterministic(1)), Trust: true})
	if err != nil {
		return nil, err
	}
	n := 1
	eval := func(src string) (interp.Result, error) {
		n++
		return s.Eval(context.Background(), interp.Cell{Number: n, Source: src})
	}
	if _, err := eval(fmt.Sprintf(textCells, abs)); err != nil {
		return nil, err
	}
	return func() (int64, error) {
		res, err := eval("countLight()")
		if err != nil {
			return 0, err
		}
		var last int64
		_, err = fmt.Sscan(res.Values[0].Text, &last)
		return last, err
	}, nil
}
