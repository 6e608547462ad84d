package socket

import (
	"fmt"
	"net"
	"slices"
	"testing"
)

// serve gives each connection the next text, closes it, and refuses what comes after the last.
func serve(t *testing.T, texts ...string) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for _, text := range texts {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(c, text)
			c.Close()
		}
		l.Close()
	}()
	return l.Addr().String()
}

// read takes lines until the reader has ended.
func read(addr, delimiter string, maxRetry int) (lines []string, err error) {
	woken := make(chan struct{}, 1)
	r := NewReader(addr, delimiter, maxRetry, func() {
		select {
		case woken <- struct{}{}:
		default:
		}
	})
	defer r.Close()
	for {
		more, ended, err := r.Take()
		lines = append(lines, more...)
		if ended && len(more) == 0 {
			return lines, err
		}
		if len(more) == 0 {
			<-woken
		}
	}
}

func TestLinesGoOnAcrossConnections(t *testing.T) {
	for _, c := range []struct {
		name, delimiter string
		maxRetry        int
		texts           []string
		want            []string
		fails           bool
	}{
		{"one connection", "\n", 0, []string{"a\r\n\nb\n"}, []string{"a", "", "b"}, false},
		{"one connection that says nothing", "\n", 0, []string{""}, nil, false},
		{"one retry is none", "\n", 1, []string{"a\n", "b\n"}, []string{"a"}, false},
		{"a line that the second connection ends", "\n", 2, []string{"te", "st\ncheck"}, []string{"test", "check"}, false},
		{"a delimiter that two connections share, and a carriage return that stays", "||", 2, []string{"a\r|", "|b||"}, []string{"a\r", "b"}, false},
		{"retries for ever until the peer is gone", "\n", -1, []string{"a\n", "b\n"}, []string{"a", "b"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := read(serve(t, c.texts...), c.delimiter, c.maxRetry)
			if !slices.Equal(got, c.want) || (err != nil) != c.fails {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}
