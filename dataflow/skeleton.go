package dataflow

func (e *StreamExecutionEnvironment) ReadTextFile(path string) *DataStreamSource[string] { return nil }
func (e *StreamExecutionEnvironment) ReadCSV[T any](path string) *DataStreamSource[T]    { return nil }
func (e *StreamExecutionEnvironment) ReadJSONLines[T any](path string) *DataStreamSource[T] {
	return nil
}

type typeOptions struct{ t Type }
type keyOptions struct{ t Type }

func (d *DataStream[T]) Connect[R any](o Stream[R]) *ConnectedStreams[T, R] {
	return nil
}
func (d *DataStream[T]) KeyByPositions(pos ...int) *KeyedStream[T, Tuple]                 { return nil }
func (d *DataStream[T]) KeyByFields(expr ...string) *KeyedStream[T, Tuple]                { return nil }
func (d *DataStream[T]) WindowAll[W Window](a WindowAssigner[W]) *AllWindowedStream[T, W] { return nil }
func (d *DataStream[T]) CountWindowAll(n int64, opts ...CountOption) *AllWindowedStream[T, GlobalWindow] {
	return nil
}

type printOptions struct{}

func (k *KeyedStream[T, K]) Sum(pos int) *SingleOutputStreamOperator[T]          { return nil }
func (k *KeyedStream[T, K]) SumField(name string) *SingleOutputStreamOperator[T] { return nil }
func (k *KeyedStream[T, K]) Min(pos int) *SingleOutputStreamOperator[T]          { return nil }
func (k *KeyedStream[T, K]) MinField(name string) *SingleOutputStreamOperator[T] { return nil }
func (k *KeyedStream[T, K]) Max(pos int) *SingleOutputStreamOperator[T]          { return nil }
func (k *KeyedStream[T, K]) MaxField(name string) *SingleOutputStreamOperator[T] { return nil }
func (k *KeyedStream[T, K]) MinBy(pos int, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}
func (k *KeyedStream[T, K]) MinByField(name string, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}
func (k *KeyedStream[T, K]) MaxBy(pos int, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}
func (k *KeyedStream[T, K]) MaxByField(name string, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return nil
}

type ByOption func(*bool)

func First(first bool) ByOption { return nil }
