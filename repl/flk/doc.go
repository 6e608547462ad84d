// Package flk reads, runs, checks and rewrites .flk documents: Markdown whose cells are run and whose outputs are
// expectations.
//
// A document begins with an optional header of key: value lines between two lines of ---; flk: 1 is required in it,
// seed, clock, parallelism, timeout, params, redact and others may follow. Fenced blocks with these words mean
// something, all else is prose:
//
//	go      a cell of Go              {#name hide noeval error skip="why" xfail="why" timeout=5s}
//	flk     :commands, one a line     the same
//	out     what the cell above shows {match=MODE for=name stream=stdout}
//	error   how the cell above fails  {match=MODE for=name}
//	file    a file for the cells      {name=clicks.csv}
//	keys, screen                      keystrokes and screens; checked where there is a terminal
//
// Parse turns the bytes of a file into a Document and back without a change. Match compares an expectation with an
// output, and rewrites it. Replay runs one document for a reader, Test runs many for a machine; both return the exit
// status of their command. Recorder writes a document from a session. A run is repeatable: its session gets seed,
// virtual clock and folder from the document's header and place.
package flk
