package tui

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"flinkish/repl/terminaltest"
)

// TestMain lets the test binary be the program in a terminal: FLINKISH_TUI says which scene it plays.
func TestMain(m *testing.M) {
	scene := os.Getenv("FLINKISH_TUI")
	if scene == "" {
		os.Exit(m.Run())
	}
	f := newFake()
	f.panics = scene == "panic"
	summary, err := Dashboard(context.Background(), f, "", Options{Paused: true})
	fmt.Print(summary)
	fmt.Println("error:", err)
	stty := exec.Command("stty", "-a")
	stty.Stdin = os.Stdin
	modes, _ := stty.Output()
	for _, mode := range []string{"echo", "icanon", "isig", "opost"} {
		fmt.Println(mode, slices.Contains(strings.Fields(string(modes)), mode))
	}
	fmt.Println("the end")
}

func inTerminal(t *testing.T, scene string) *terminaltest.Screen {
	t.Helper()
	if _, err := exec.LookPath("stty"); err != nil {
		t.Skip("no stty here")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "FLINKISH_TUI="+scene, "TERM=xterm-256color", "NO_COLOR=")
	return terminaltest.Start(t, cmd, 80, 24)
}

func checkModes(t *testing.T, s *terminaltest.Screen) {
	t.Helper()
	s.See("the end")
	for _, mode := range []string{"echo", "icanon", "isig", "opost"} {
		if !strings.Contains(s.Text(), mode+" true") {
			t.Errorf("the terminal is left without %s:\n%s", mode, s.Text())
		}
	}
	if code := s.Exit(); code != 0 {
		t.Errorf("exit status %d", code)
	}
}

func TestLeavingPrintsTheSummaryAndRestoresTheTerminal(t *testing.T) {
	s := inTerminal(t, "plain")
	s.See("BOTTLENECK")
	s.Type("jj\r")
	s.See("back-pressure OK")
	s.Type("q")
	s.See("1 GRAPH")
	s.Type("q")
	s.See("2 late records dropped")
	s.See("error: <nil>")
	checkModes(t, s)
}

func TestAPanicLeavesTheTerminalUsable(t *testing.T) {
	s := inTerminal(t, "panic")
	s.See("internal error: samples broke")
	checkModes(t, s)
	if strings.Contains(s.Raw(), "goroutine ") {
		t.Errorf("a stack trace:\n%s", s.Text())
	}
}
