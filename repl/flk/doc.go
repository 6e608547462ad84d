// Package flk reads, runs, checks and rewrites .flk documents: Markdown whose cells are run and whose outputs are
// expectations.
//
// Parse turns the bytes of a file into a Document and back without a change. Replay runs one document for a reader,
// Test runs many for a machine; both return the exit status of their command. A document is repeatable: the session
// that runs it gets its seed, its virtual clock and its folder from the document's header and place.
package flk
