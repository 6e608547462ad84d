// Methods of package time and sync that a cell calls through an interface of its own: in the form that cells call.

package rt

import (
	"sync"
	"time"
)

// find is Find, which knows no session.
func (r *Runtime) find(v any, name string) any {
	if m := r.ownForm(v, name); m != nil {
		return m
	}
	return Find(v, name)
}

func (r *Runtime) ownForm(v any, name string) any {
	switch x := v.(type) {
	case *time.Timer:
		switch name {
		case "Stop":
			return func(any) bool { return r.stopTimer(x) }
		case "Reset":
			return func(_ any, d time.Duration) bool { return r.resetTimer(x, d) }
		}
	case *time.Ticker:
		switch name {
		case "Stop":
			return func(any) { r.stopTicker(x) }
		case "Reset":
			return func(_ any, d time.Duration) { r.resetTicker(x, d) }
		}
	case *sync.WaitGroup:
		if name == "Wait" {
			return func(any) { r.waitGroup(x) }
		}
	case *sync.Mutex:
		switch name {
		case "Lock":
			return func(any) { r.lock(x) }
		case "Unlock":
			return func(any) { unlock(x) }
		}
	case *sync.RWMutex:
		return r.ownFormRW(x, name)
	}
	return nil
}

func (r *Runtime) ownFormRW(m *sync.RWMutex, name string) any {
	switch name {
	case "Lock":
		return func(any) { r.lockRW(m) }
	case "Unlock":
		return func(any) { unlockRW(m) }
	case "RLock":
		return func(any) { r.lockR(m) }
	case "RUnlock":
		return func(any) { unlockR(m) }
	}
	return nil
}
