//go:build !amd64 && !arm64

package rt

import (
	"bytes"
	"runtime"
	"strconv"
)

// getg reads the goroutine's number from its own stack trace, the only portable way.
func getg() uintptr {
	var b [40]byte
	f := bytes.Fields(b[:runtime.Stack(b[:], false)])
	n, _ := strconv.ParseUint(string(f[1]), 10, 64)
	return uintptr(n)
}

// stackUsed estimates from the number of calls.
func stackUsed() uintptr {
	var pcs [1]uintptr
	for deep := 0; ; deep += 1024 {
		if runtime.Callers(deep+1024, pcs[:]) == 0 {
			return uintptr(deep) * 256
		}
	}
}
