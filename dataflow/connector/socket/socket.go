// Package socket reads lines from a TCP connection and writes bytes to one.
package socket

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

// CheckAddr fails unless addr is host:port with a port from 1 to 65535.
func CheckAddr(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("an address is host:port, got %q", addr)
	}
	if n, err := net.LookupPort("tcp", port); err != nil || n < 1 {
		return fmt.Errorf("the port must be from 1 to 65535, got %s", port)
	}
	return nil
}

// retryPause is the time between two connections.
const retryPause = 500 * time.Millisecond

// maxPending is how many lines a Reader reads ahead.
const maxPending = 1024

// Reader reads the lines of a connection on a goroutine of its own, so that its user can wait for something else too.
type Reader struct {
	addr, delimiter string
	retries         int // reconnects that are left; negative: for ever
	wake            func()
	ctx             context.Context
	cancel          context.CancelFunc
	done            chan struct{} // closed when the goroutine has ended

	mu    sync.Mutex // guards the fields below
	room  *sync.Cond
	lines []string
	ended bool
	err   error
}

// NewReader starts to read lines that end with delimiter. maxRetry is how often it connects again when the peer has
// closed the connection: -1 is for ever, 0 and 1 are never, n is n-1 times. wake is called when there is something
// to take. Close must be called.
func NewReader(addr, delimiter string, maxRetry int, wake func()) *Reader {
	r := &Reader{addr: addr, delimiter: delimiter, wake: wake, done: make(chan struct{})}
	if r.retries = max(0, maxRetry-1); maxRetry < 0 {
		r.retries = -1
	}
	r.room = sync.NewCond(&r.mu)
	r.ctx, r.cancel = context.WithCancel(context.Background())
	go r.run()
	return r
}

// Ready reports whether Take has something to say. Safe from every goroutine.
func (r *Reader) Ready() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.lines) > 0 || r.ended
}

// Take returns the lines that have come, and whether the connection has ended, perhaps with an error.
func (r *Reader) Take() (lines []string, ended bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	lines, r.lines = r.lines, nil
	r.room.Signal()
	return lines, r.ended, r.err
}

// Close ends the reader and waits for its goroutine.
func (r *Reader) Close() {
	r.cancel()
	r.mu.Lock()
	r.room.Broadcast()
	r.mu.Unlock()
	<-r.done
}

func (r *Reader) run() {
	defer close(r.done)
	err := r.connect()
	if r.ctx.Err() != nil {
		err = nil
	}
	r.mu.Lock()
	r.ended, r.err = true, err
	r.mu.Unlock()
	r.wake()
}

func (r *Reader) connect() error {
	rest := ""
	for {
		conn, err := new(net.Dialer).DialContext(r.ctx, "tcp", r.addr)
		if err != nil {
			return err
		}
		stop := context.AfterFunc(r.ctx, func() { conn.Close() })
		rest, err = r.read(conn, rest)
		stop()
		conn.Close()
		if err != nil {
			return err
		}
		if r.retries == 0 || r.ctx.Err() != nil {
			break
		}
		r.retries--
		select {
		case <-time.After(retryPause):
		case <-r.ctx.Done():
			return nil
		}
	}
	if rest != "" {
		r.put(rest)
	}
	return nil
}

// read sends the lines of one connection on, and returns what came after the last delimiter.
func (r *Reader) read(conn io.Reader, rest string) (string, error) {
	in, buf := bufio.NewReader(conn), make([]byte, 4096)
	for {
		n, err := in.Read(buf)
		rest += string(buf[:n])
		for {
			line, after, found := strings.Cut(rest, r.delimiter)
			if !found {
				break
			}
			rest = after
			r.put(line)
		}
		if errors.Is(err, io.EOF) {
			return rest, nil
		}
		if err != nil {
			return rest, err
		}
	}
}

func (r *Reader) put(line string) {
	if r.delimiter == "\n" {
		line = strings.TrimSuffix(line, "\r")
	}
	r.mu.Lock()
	for len(r.lines) >= maxPending && r.ctx.Err() == nil {
		r.room.Wait()
	}
	r.lines = append(r.lines, line)
	r.mu.Unlock()
	r.wake()
}

// Writer writes to one connection.
type Writer struct{ conn net.Conn }

// Dial connects, with keep-alive and without delay. There are no retries.
func Dial(addr string) (*Writer, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &Writer{conn}, nil
}

// Write sends b at once.
func (w *Writer) Write(b []byte) error {
	_, err := w.conn.Write(b)
	return err
}

// Close closes the connection.
func (w *Writer) Close() error { return w.conn.Close() }
