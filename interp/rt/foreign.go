// What cells of a document from elsewhere may not do.

package rt

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// Refused is the panic value of a call that a document from elsewhere may not make.
type Refused struct{ Msg string }

func (e Refused) Error() string { return e.Msg }

// temp is the temporary folder as it was when the process started: a cell may change the environment.
var temp = os.TempDir()

// Foreign reports whether the cells come from a document that nobody vouched for.
func (r *Runtime) Foreign() bool { return r.Dir != "" && !r.Trust }

// Writable says why cells may not write path; nil: they may. Links are followed, so that none leads out.
func (r *Runtime) Writable(path string) error {
	if !r.Foreign() {
		return nil
	}
	if real, err := resolved(path); err == nil {
		for _, root := range []string{r.Dir, temp} {
			if root, err := resolved(root); err == nil && within(root, real) {
				return nil
			}
		}
	}
	return Refused{fmt.Sprintf("writing %s is refused: it lies outside of %s and of the temporary folder; run with --trust to allow it", path, r.Dir)}
}

// resolved is the absolute path behind all links; the last parts need not exist.
func resolved(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for {
		real, err := filepath.EvalSymlinks(abs)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		// A link that leads nowhere would be written through.
		if info, e := os.Lstat(abs); e == nil && info.Mode()&os.ModeSymlink != 0 {
			return "", err
		}
		up := filepath.Dir(abs)
		if up == abs {
			return "", err
		}
		abs, rest = up, filepath.Join(filepath.Base(abs), rest)
	}
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// path gives p back, or refuses it.
func (r *Runtime) path(p string) string {
	if err := r.Writable(p); err != nil {
		panic(err)
	}
	return p
}

// tempPath is path for functions that take "" for the temporary folder, which a cell may not choose by the environment.
func (r *Runtime) tempPath(p string) string {
	if p == "" && r.Foreign() {
		return temp
	}
	if p == "" {
		return p
	}
	return r.path(p)
}

// openFile is os.OpenFile; reading is allowed anywhere.
func (r *Runtime) openFile(name string, flag int, perm os.FileMode) (*os.File, error) {
	if flag&(os.O_WRONLY|os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_TRUNC) != 0 {
		r.path(name)
	}
	return os.OpenFile(name, flag, perm)
}

// newFile is os.NewFile, which reaches what the process has open.
func (r *Runtime) newFile(fd uintptr, name string) *os.File {
	r.forbid("os.NewFile")
	return os.NewFile(fd, name)
}

// findProcess is os.FindProcess, by which other programs can be ended.
func (r *Runtime) findProcess(pid int) (*os.Process, error) {
	r.forbid("os.FindProcess")
	return os.FindProcess(pid)
}

func (r *Runtime) forbid(what string) {
	if r.Foreign() {
		panic(Refused{what + " is refused here: it reaches out of the session; run with --trust to allow it"})
	}
}

// confine refuses method name of v, an open file or another program, when it changes what cells may not write.
func (r *Runtime) confine(v any, name string) {
	if !r.Foreign() {
		return
	}
	switch x := v.(type) {
	case *os.File:
		switch name {
		case "Chmod", "Chown", "Chdir":
			r.ownFile(x)
		}
	case *os.Process:
		r.forbid("(*os.Process)." + name)
	}
}

// ownFile refuses a file that cells may not write. Its name must still lead to it.
func (r *Runtime) ownFile(f *os.File) {
	open, err := f.Stat()
	if err != nil {
		return // it is closed
	}
	r.path(f.Name())
	if named, err := os.Stat(f.Name()); err != nil || !os.SameFile(open, named) {
		panic(Refused{fmt.Sprintf("changing %s is refused: it is not the file that was opened by this name; run with --trust to allow it", f.Name())})
	}
}

func (r *Runtime) chmodFile(f *os.File, mode os.FileMode) error {
	r.confine(f, "Chmod")
	return f.Chmod(mode)
}

func (r *Runtime) chownFile(f *os.File, uid, gid int) error {
	r.confine(f, "Chown")
	return f.Chown(uid, gid)
}

func (r *Runtime) chdirFile(f *os.File) error {
	r.confine(f, "Chdir")
	return f.Chdir()
}

func (r *Runtime) signalProcess(p *os.Process, s os.Signal) error {
	r.confine(p, "Signal")
	return p.Signal(s)
}

func (r *Runtime) killProcess(p *os.Process) error {
	r.confine(p, "Kill")
	return p.Kill()
}

// hidden refuses to give the function called what a value in which are files or programs: it could call their methods by name.
func (r *Runtime) hidden(what string, x any) {
	if r.Foreign() && holdsFile(reflect.ValueOf(x), 5) {
		panic(Refused{what + " of an open file or a process is refused here; run with --trust to allow it"})
	}
}

// holdsFile reports whether a file or a process lies in v, at most so many levels deep.
func holdsFile(v reflect.Value, levels int) bool {
	if !v.IsValid() || levels == 0 {
		return false
	}
	switch v.Type() {
	case reflect.TypeFor[*os.File](), reflect.TypeFor[*os.Process]():
		return true
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return holdsFile(v.Elem(), levels-1)
	case reflect.Struct:
		for i := range v.NumField() {
			if holdsFile(v.Field(i), levels-1) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if holdsFile(v.Index(i), levels-1) {
				return true
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if holdsFile(it.Value(), levels-1) {
				return true
			}
		}
	}
	return false
}
