// Package symbols holds generated tables: the type data of the packages that a cell may import, and
// package dataflow as the interpreter sees it.
package symbols
