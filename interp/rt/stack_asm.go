//go:build amd64 || arm64

package rt

// getg names the calling goroutine; two that run at the same time have different names.
func getg() uintptr

// stackUsed is how many bytes of stack the calling goroutine uses: the limit of recursion must hold for each
// goroutine, survive panics and cost no counter that every return has to take back.
func stackUsed() uintptr
