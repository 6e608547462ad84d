// Channel operations that an interrupt can end.

package rt

import (
	"reflect"
	"sync"
)

// stopper wakes all who wait.
type stopper struct {
	mu sync.Mutex
	ch chan struct{}
}

func (s *stopper) wait() chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch == nil {
		s.ch = make(chan struct{})
	}
	return s.ch
}

func (s *stopper) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch != nil {
		close(s.ch)
		s.ch = nil
	}
}

// stopping ends when somebody stops a cell; it unwinds the calling goroutine if that was its own.
func (r *Runtime) stopping() <-chan struct{} {
	c := r.stopper.wait() // first: a stop after it closes c
	r.quit()
	return c
}

func (r *Runtime) stopCase() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(r.stopping())}
}

// recv is <-c: the value, or nil for a zero value of an interface type, and whether c was open.
func (r *Runtime) recv(c any) (any, bool) {
	r.halt()
	v := reflect.ValueOf(c)
	if x, ok := v.TryRecv(); x.IsValid() {
		return x.Interface(), ok
	}
	receive := reflect.SelectCase{Dir: reflect.SelectRecv, Chan: v}
	defer r.blocksOn(receive)()
	for {
		if i, x, ok := reflect.Select([]reflect.SelectCase{receive, r.stopCase()}); i == 0 {
			return x.Interface(), ok
		}
	}
}

func (r *Runtime) send(c, x any) {
	r.halt()
	v := reflect.ValueOf(c)
	e := elem(v, x)
	if !v.IsNil() && v.TrySend(e) {
		return
	}
	defer r.blocks()()
	for {
		if i, _, _ := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: v, Send: e}, r.stopCase()}); i == 0 {
			return
		}
	}
}

// elem is x as an element of channel c.
func elem(c reflect.Value, x any) reflect.Value {
	if x == nil {
		return reflect.Zero(c.Type().Elem())
	}
	return reflect.ValueOf(x)
}

func closeChan(c any) { reflect.ValueOf(c).Close() }

func recvCase(c any) any {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)}
}

func sendCase(c, x any) any {
	v := reflect.ValueOf(c)
	return reflect.SelectCase{Dir: reflect.SelectSend, Chan: v, Send: elem(v, x)}
}

// choose is select. The index is that of the case, -1 for default.
func (r *Runtime) choose(hasDefault bool, cases []any) (int, any, bool) {
	var cs []reflect.SelectCase
	for _, c := range cases {
		cs = append(cs, c.(reflect.SelectCase))
	}
	r.halt()
	if hasDefault {
		cs = append(cs, reflect.SelectCase{Dir: reflect.SelectDefault})
	} else {
		defer r.blocksOn(cs...)()
		cs = append(cs, r.stopCase())
	}
	i, v, ok := reflect.Select(cs)
	for ; i == len(cases); i, v, ok = reflect.Select(cs) {
		if hasDefault {
			return -1, nil, false
		}
		cs[i] = r.stopCase()
	}
	if !v.IsValid() {
		return i, nil, ok
	}
	return i, v.Interface(), ok
}
