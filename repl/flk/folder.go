package flk

import (
	"os"
	"sync"
)

// folder is the working directory of this process. Paths in a cell reach the operating system as they are written, so a
// document runs while its own folder is the working directory; documents of one folder share it, others wait.
type folder struct {
	mu    sync.Mutex
	free  *sync.Cond
	dir   string // while users > 0
	users int
	home  string // where the process was before
}

var cwd = func() *folder {
	f := &folder{}
	f.free = sync.NewCond(&f.mu)
	return f
}()

// enter makes dir the working directory. It blocks while documents of another folder run. leave gives it back.
func (f *folder) enter(dir string) (leave func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.users > 0 && f.dir != dir {
		f.free.Wait()
	}
	if f.users == 0 {
		if f.home, err = os.Getwd(); err != nil {
			return nil, err
		}
		if err = os.Chdir(dir); err != nil {
			return nil, err
		}
		f.dir = dir
	}
	f.users++
	return f.leave, nil
}

func (f *folder) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.users--
	if f.users == 0 {
		os.Chdir(f.home) // it was the working directory; a folder that was removed meanwhile changes nothing here
		f.free.Broadcast()
	}
}
