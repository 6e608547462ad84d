package dataflow

import (
	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
)

// view returns a stream of the same records with another partitioner towards its consumers.
func (d *DataStream[T]) view(call string, p graph.Partitioning, payload any) *DataStream[T] {
	if d.keys != nil {
		d.env.fail("UnsupportedOperation", d.tr.Name, call,
			"the partitioning of a keyed stream cannot be overridden; call %s before KeyBy, or on the result of an operator", call)
		return &DataStream[T]{env: d.env, tr: d.tr}
	}
	t := d.env.transformation(&Transformation{Kind: graph.Partition, Name: "Partition", Inputs: []*Transformation{d.tr},
		Parallelism: d.tr.Parallelism, Out: d.tr.Out, Partitioning: p, Payload: payload, Call: call})
	return &DataStream[T]{env: d.env, tr: t}
}

// Broadcast sends every record to every subtask of the consumer.
func (d *DataStream[T]) Broadcast() *DataStream[T] { return d.view("Broadcast", graph.Broadcast, nil) }

// Shuffle sends each record to a subtask chosen at random; the job's seed fixes the choices.
func (d *DataStream[T]) Shuffle() *DataStream[T] { return d.view("Shuffle", graph.Shuffle, nil) }

// Forward sends each record to the subtask with the sender's index. Producer and consumer must have the
// same parallelism.
func (d *DataStream[T]) Forward() *DataStream[T] { return d.view("Forward", graph.Forward, nil) }

// Rebalance sends the records round robin, from a first subtask chosen at random.
func (d *DataStream[T]) Rebalance() *DataStream[T] { return d.view("Rebalance", graph.Rebalance, nil) }

// Rescale sends the records round robin to the subset of subtasks that belongs to the sender.
func (d *DataStream[T]) Rescale() *DataStream[T] { return d.view("Rescale", graph.Rescale, nil) }

// Global sends every record to the first subtask of the consumer.
func (d *DataStream[T]) Global() *DataStream[T] { return d.view("Global", graph.Global, nil) }

// PartitionCustom sends each record to the subtask p(key(v), n) of the n subtasks of the consumer. An
// index outside of them fails the job. The result is not keyed. A panic of key is a Runtime failure, as for KeyBy.
func (d *DataStream[T]) PartitionCustom[K any](p func(key K, n int) int, key func(T) K) *DataStream[T] {
	return d.partitionCustom("PartitionCustom", p, key)
}

func (d *DataStream[T]) partitionCustom[K any](call string, p func(key K, n int) int, key func(T) K) *DataStream[T] {
	if d.env.nilArg(p == nil, call, "partitioner") || d.env.nilArg(key == nil, call, "key selector") {
		return &DataStream[T]{env: d.env, tr: d.tr}
	}
	return d.view(call, graph.Custom, func(v T, n int, by *core.Choice) int {
		k := key(v)
		*by = core.Chosen
		return p(k, n)
	})
}
