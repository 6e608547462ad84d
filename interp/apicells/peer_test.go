package apicells

import (
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"testing"
)

// startPeer listens where the cells about sockets connect to: it sends "a b;c" to whoever connects, reads until the
// other end closes, and gives what it read to received. Cells find its address in CELL_PEER.
func startPeer() (stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	if err := os.Setenv("CELL_PEER", l.Addr().String()); err != nil {
		return nil, err
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { serve(c.(*net.TCPConn)) })
		}
	})
	return func() { l.Close(); wg.Wait() }, nil
}

// received is what the peer read from each connection.
var received = make(chan string, 100)

func serve(c *net.TCPConn) {
	defer c.Close()
	fmt.Fprint(c, "a b;c")
	c.CloseWrite()
	b, err := io.ReadAll(c)
	if err != nil {
		b = []byte(err.Error())
	}
	received <- string(b)
}

func TestMain(m *testing.M) {
	stop, err := startPeer()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
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
