package rt

import (
	"go/types"
	"reflect"
	"sync"

	"golang.org/x/tools/go/types/typeutil"

	"flinkish/interp/closure"
)

// Desc describes one type as the user wrote it. There is one Desc for each type of a session, so that
// boxes of the same type compare equal.
type Desc struct {
	Type types.Type
	reg  *Registry
	mu   sync.RWMutex
	// methods maps a name to func(recv any, args...) results. recv may be boxed.
	methods map[string]any
	rtype   reflect.Type // of the running program; nil until a stream of this type was made
	whole   reflect.Type // what a value of this type consists of, which is known as an any; nil: it is not
}

// Registry finds the Desc of a type. It is safe for concurrent use.
type Registry struct {
	mu    sync.RWMutex
	descs typeutil.Map
	list  []*Desc
	types typeutil.Map // of *userType
	// sources are the functions of jobs that may be compiled, by number.
	sources []*closure.Source
}

// Of finds or makes the Desc of t and gives its number, for D. new tells that it was made now.
func (r *Registry) Of(t types.Type) (n int, isNew bool) {
	t = types.Unalias(t)
	r.mu.Lock()
	defer r.mu.Unlock()
	if i, ok := r.descs.At(t).(int); ok {
		return i, false
	}
	d := &Desc{Type: t, reg: r, methods: map[string]any{}}
	r.list = append(r.list, d)
	r.descs.Set(t, len(r.list)-1)
	return len(r.list) - 1, true
}

// Mark is how much a registry holds at one time.
type Mark struct{ descs, sources int }

// Mark is how much r holds now.
func (r *Registry) Mark() Mark {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return Mark{len(r.list), len(r.sources)}
}

// Truncate forgets what came after m: a cell that was refused leaves nothing.
func (r *Registry) Truncate(m Mark) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range r.list[m.descs:] {
		r.descs.Delete(d.Type)
	}
	clear(r.sources[m.sources:])
	r.list, r.sources = r.list[:m.descs], r.sources[:m.sources]
}

// Lookup is the Desc of t; nil if the session made none.
func (r *Registry) Lookup(t types.Type) *Desc {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if i, ok := r.descs.At(types.Unalias(t)).(int); ok {
		return r.list[i]
	}
	return nil
}

// known is the Desc of t; that of a type which was never in an interface has no methods.
func (r *Registry) known(t types.Type) *Desc {
	if d := r.Lookup(t); d != nil {
		return d
	}
	return &Desc{Type: t, reg: r, methods: map[string]any{}}
}

// Types are the types that have a Desc, by their numbers.
func (r *Registry) Types() []types.Type {
	r.mu.RLock()
	defer r.mu.RUnlock()
	list := make([]types.Type, len(r.list))
	for i, d := range r.list {
		list[i] = d.Type
	}
	return list
}

// Renew puts what form makes of a type into its place: an identical type, with the methods that it has now. What form
// leaves is not written: jobs may read it.
func (r *Registry) Renew(form func(types.Type) types.Type) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range r.list {
		if t := form(d.Type); t != d.Type {
			d.Type = t
		}
	}
	r.types.Iterate(func(_ types.Type, x any) {
		u := x.(*userType)
		if t := form(u.t); t != u.t {
			u.t = t
		}
	})
}

// D is the Desc with number n.
func (r *Registry) D(n int) *Desc {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.list[n]
}

// SetMethod gives d a method: func(recv any, args...) results.
func SetMethod(d *Desc, name string, f any) {
	d.mu.Lock()
	d.methods[name] = f
	d.mu.Unlock()
}

// Method is the method of d with this name; nil if it has none.
func (d *Desc) Method(name string) any {
	if d == nil {
		return nil
	}
	d.mu.RLock()
	f := d.methods[name]
	d.mu.RUnlock()
	return f
}

// SetWhole tells d what its values consist of; pointer points to one.
func SetWhole(d *Desc, pointer any) {
	d.mu.Lock()
	d.whole = reflect.TypeOf(pointer).Elem()
	d.mu.Unlock()
}

// Whole is what values of t, which are known as an any, consist of; nil if they are not.
func (r *Registry) Whole(t types.Type) reflect.Type {
	d := r.Lookup(t)
	if d == nil {
		return nil
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.whole
}

// String is the type as the user would write it.
func (d *Desc) String() string { return TypeString(d.Type) }

// TypeString writes t without the name of the session's own package: []Word, Tuple2[string, int].
func TypeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == "main" || p.Path() == "flinkish/dataflow" {
			return ""
		}
		return p.Name()
	})
}
