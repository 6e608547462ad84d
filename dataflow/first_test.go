package dataflow_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
)

func TestFirst(t *testing.T) {
	for _, par := range []bool{true, false} {
		env := NewEnv(WithParallelism(2))
		if !par {
			env.Configure(WithDeterministic(1))
		}
		ctx, c := context.WithTimeout(context.Background(), 10*time.Second)
		defer c()
		xs, err := env.FromElements(1, 2, 3).Map(func(x int) int { return x * 2 }).ExecuteAndCollectLimit(ctx, 10)
		fmt.Println(par, xs, err)
		var out bytes.Buffer
		env.Configure(WithOutput(&out, &out))
		env.SetParallelism(4)
		env.FromElements("a b", "a c").FlatMap(func(s string, out Collector[string]) {
			for _, w := range strings.Fields(s) {
				out.Collect(w)
			}
		}).KeyBy(func(s string) string { return s }).Reduce(func(a, b string) string { return a + b }).Print()
		g, _ := env.JobGraph()
		fmt.Println(g)
		_, err = env.Execute(ctx)
		fmt.Println(out.String(), err)
		env.SetParallelism(1)
		_, err = env.FromElements(4, 2, 0).Map(func(x int) int { return 8 / x }).Name("Divider").ExecuteAndCollectLimit(ctx, 3)
		fmt.Println(err)
	}
}
