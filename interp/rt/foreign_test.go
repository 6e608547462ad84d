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
