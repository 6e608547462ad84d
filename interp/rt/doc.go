// Package rt is the compiled half of a lowered cell: what generated code calls because yaegi cannot do it.
// Descriptors keep the types that the user declared, boxes carry them inside interface values, printing
// walks type and value together, and deferred calls, goroutines, map order and interruption run here.
//
// Generated code reaches it under the name rtǃ; Exports lists what it may call.
package rt
