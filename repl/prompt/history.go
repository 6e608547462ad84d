package prompt

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

const (
	historyKeep = 1000    // cells that are recalled and kept when the file is cut
	historySize = 4 << 20 // bytes at which the file is cut
)

// history is the file of all inputs, one JSON line for each whole cell. Each input is appended at once, so that
// neither a crash nor a second session loses any.
type history struct {
	path  string
	cells []string // oldest first, at most historyKeep
}

type historyLine struct {
	Cell string `json:"cell"`
}

// openHistory reads the file. What cannot be read counts as empty; add will say why.
func openHistory(path string) *history {
	h := &history{path: path}
	if path == "" {
		return h
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return h
	}
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, len(data)+1)
	for sc.Scan() {
		var l historyLine
		if json.Unmarshal(sc.Bytes(), &l) == nil && l.Cell != "" {
			h.recent(l.Cell)
		}
	}
	if len(data) > historySize {
		h.rewrite()
	}
	return h
}

// recent makes an input the latest; one that repeats the latest is not kept twice.
func (h *history) recent(cell string) {
	if n := len(h.cells); n > 0 && h.cells[n-1] == cell {
		return
	}
	h.cells = append(h.cells, cell)
	if len(h.cells) > historyKeep {
		h.cells = append([]string(nil), h.cells[len(h.cells)-historyKeep:]...)
	}
}

// add appends an input to the file.
func (h *history) add(cell string) error {
	h.recent(cell)
	if h.path == "" {
		return nil
	}
	line, err := json.Marshal(historyLine{cell})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// rewrite cuts the file to the cells that are recalled; a reader sees the old file or the new one.
func (h *history) rewrite() {
	var b bytes.Buffer
	for _, c := range h.cells {
		line, err := json.Marshal(historyLine{c})
		if err != nil {
			return
		}
		b.Write(append(line, '\n'))
	}
	tmp := h.path + ".tmp"
	if os.WriteFile(tmp, b.Bytes(), 0o600) != nil || os.Rename(tmp, h.path) != nil {
		os.Remove(tmp)
	}
}

// HistoryPath is where the history of this user is kept; empty when there is no place for it.
func HistoryPath(getenv func(string) string) string {
	if dir := getenv("XDG_STATE_HOME"); dir != "" {
		return filepath.Join(dir, "flinkish", "history")
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".local", "state", "flinkish", "history")
	}
	return ""
}
