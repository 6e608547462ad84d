// Package differential compares programs that run as cells with the same programs built by the Go
// toolchain. Their outputs must be equal to the byte.
//
// testdata/<group>.go.txt holds the programs of a group, each below a line "=== name". A program is a Go
// file without package clause and, mostly, without imports; testdata/<group>.want holds what the native
// builds print. Each program runs twice: as one pasted program, and as cells, where the body of main
// becomes statements of the session. The package has tests only.
package differential
