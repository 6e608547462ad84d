package apicells

import (
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"testing"
)

// startPeers listens where the cells about sockets connect to: at CELL_SENDER, which sends "a b;c", and at
// CELL_RECEIVER, which gives what it reads to received.
func startPeers() (stop func(), err error) {
	var wg sync.WaitGroup
	var all []net.Listener
	stop = func() {
		for _, l := range all {
			l.Close()
		}
		wg.Wait()
	}
	for name, serve := range map[string]func(net.Conn){"CELL_SENDER": send, "CELL_RECEIVER": receive} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return stop, err
		}
		all = append(all, l)
		if err := os.Setenv(name, l.Addr().String()); err != nil {
			return stop, err
		}
		wg.Go(func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				wg.Go(func() { defer c.Close(); serve(c) })
			}
		})
	}
	return stop, nil
}

func send(c net.Conn) { fmt.Fprint(c, "a b;c") }

// received is what the peer read from each connection.
var received = make(chan string, 100)

func receive(c net.Conn) {
	b, err := io.ReadAll(c)
	if err != nil {
		b = []byte(err.Error())
	}
	received <- string(b)
}

func TestMain(m *testing.M) {
	stop, err := startPeers()
	code := 1
	if err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	stop()
	os.Exit(code)
}

// TestTheSocketSinkSendsToThePeer runs the cell of WriteToSocket once more and looks at the other end.
func TestTheSocketSinkSendsToThePeer(t *testing.T) {
	for _, c := range load(t) {
		if c.Name != "write-to-socket" {
			continue
		}
		for len(received) > 0 {
			<-received
		}
		for _, run := range []func(Cell) (string, error){runCompiled, runInSession} {
			if _, err := run(c); err != nil {
				t.Fatal(err)
			}
			if got := <-received; got != "a\nb\n" {
				t.Errorf("the peer got %q, want %q", got, "a\nb\n")
			}
		}
	}
}
