// Package noquery keeps bubbletea from asking the terminal for its background colour when the program starts. It does
// so in an init function, also for a prompt that never opens a screen, and a terminal that does not answer costs
// seconds.
//
// It works because Go initialises packages in the order of their import paths once their own imports are
// ready: this package needs lipgloss only, and stands before bubbletea. A test measures that nothing is asked.
package noquery

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
