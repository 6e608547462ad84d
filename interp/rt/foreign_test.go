package rt

import (
	"os"
	"path/filepath"
	"testing"
)

func TestForeignCellsWriteInTheirFolderOnly(t *testing.T) {
	base := t.TempDir()
	saved := temp
	temp = filepath.Join(base, "tmp")
	t.Cleanup(func() { temp = saved })
	dir, out := filepath.Join(base, "work"), filepath.Join(base, "out")
	for _, d := range []string{dir, out, temp, filepath.Join(dir, "sub")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"lead": out, "dangling": filepath.Join(out, "new"), "inner": filepath.Join(dir, "sub")} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, c := range []struct {
		name, path string
		ok         bool
	}{
		{"a file in the folder", "a.txt", true},
		{"a file that does not exist yet, deeper", "new/deep/a.txt", true},
		{"the folder itself", ".", true},
		{"the temporary folder", filepath.Join(temp, "a"), true},
		{"a link that stays inside", "inner/a", true},
		{"the folder above", "../a.txt", false},
		{"a folder whose name begins alike", dir + "2/a", false},
		{"an absolute path", "/etc/passwd", false},
		{"a link that leads out", "lead/a.txt", false},
		{"a link to a file that does not exist yet", "dangling", false},
		{"out and in again", "../work/a.txt", true},
	} {
		r := &Runtime{Dir: dir}
		if err := r.Writable(c.path); (err == nil) != c.ok {
			t.Errorf("%s: got %v, want allowed %v", c.name, err, c.ok)
		}
		r.Trust = true
		if err := r.Writable(c.path); err != nil {
			t.Errorf("%s, trusted: %v", c.name, err)
		}
		if err := (&Runtime{}).Writable(c.path); err != nil {
			t.Errorf("%s, at a prompt: %v", c.name, err)
		}
	}
}

func TestForeignCellsChangeNeitherFilesNorProgramsThatTheyReach(t *testing.T) {
	base := t.TempDir()
	saved := temp
	temp = filepath.Join(base, "tmp")
	t.Cleanup(func() { temp = saved })
	dir := filepath.Join(base, "work")
	for _, d := range []string{dir, temp} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	open := func(path string) *os.File {
		f, err := os.OpenFile(filepath.Join(base, path), os.O_CREATE, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	own, other, moved := open("work/own"), open("other"), open("work/moved")
	if err := os.Rename(moved.Name(), filepath.Join(base, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	r := &Runtime{Dir: dir}
	call := func(v any, name string) {
		r.confine(v, name)
	}
	for _, c := range []struct {
		name string
		do   func()
		ok   bool
	}{
		{"the mode of a file of the folder", func() { r.chmodFile(own, 0o600) }, true},
		{"the mode of a file elsewhere", func() { r.chmodFile(other, 0o600) }, false},
		{"the mode of a file that has been moved away", func() { r.chmodFile(moved, 0o600) }, false},
		{"the same through an interface", func() { call(other, "Chmod") }, false},
		{"the owner", func() { r.chownFile(other, -1, -1) }, false},
		{"the working directory", func() { r.chdirFile(other) }, false},
		{"reading through an interface", func() { call(other, "Read") }, true},
		{"a signal to another program", func() { r.signalProcess(&os.Process{Pid: 1 << 30}, os.Interrupt) }, false},
		{"the end of another program", func() { r.killProcess(&os.Process{Pid: 1 << 30}) }, false},
		{"a file in a template's data", func() { r.hidden("a template", map[string]any{"F": []any{other}}) }, false},
		{"a file of a reflected struct", func() { r.hidden("reflect.ValueOf", &struct{ f *os.File }{other}) }, false},
		{"plain data", func() { r.hidden("a template", map[string]any{"F": []any{1, nil, "x"}}) }, true},
	} {
		err := func() (err any) {
			defer func() { err = recover() }()
			c.do()
			return nil
		}()
		if _, refused := err.(Refused); refused == c.ok {
			t.Errorf("%s: got %v, want allowed %v", c.name, err, c.ok)
		}
	}
	t.Setenv("TMPDIR", base)
	if got := r.tempPath(""); got != temp {
		t.Errorf("the temporary folder is %s, want %s whatever the environment says", got, temp)
	}
}
