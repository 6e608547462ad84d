// Contexts with values of the cells.

package rt

import (
	"context"
	"fmt"
	"reflect"
)

// valueContext is what context.WithValue gives for a key or value of the cells: its text names their types.
type valueContext struct {
	context.Context
	key, val any
}

// withValue is context.WithValue.
func withValue(parent context.Context, key, val any) context.Context {
	_, boxedKey := AsBoxed(key)
	_, boxedVal := AsBoxed(val)
	if parent == nil || key == nil || !boxedKey && !boxedVal {
		return context.WithValue(parent, key, val)
	}
	if unhashable(reflect.ValueOf(key)) != "" {
		panic("key is not comparable")
	}
	return &valueContext{parent, key, val}
}

func (c *valueContext) Value(key any) any {
	if Equal(c.key, key) {
		return c.val
	}
	return c.Context.Value(key)
}

func (c *valueContext) String() string {
	parent := TypeName(c.Context)
	if s, ok := c.Context.(fmt.Stringer); ok {
		parent = s.String()
	}
	return parent + ".WithValue(" + contextText(c.key) + ", " + contextText(c.val) + ")"
}

// contextText is how a context shows a key or a value.
func contextText(v any) string {
	if b, ok := AsBoxed(v); ok {
		if f, ok := method0[string](b, "String"); ok {
			return f(b)
		}
		return TypeName(b)
	}
	switch v := v.(type) {
	case fmt.Stringer:
		return v.String()
	case string:
		return v
	case nil:
		return "<nil>"
	}
	return TypeName(v)
}
