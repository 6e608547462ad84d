package rt

import "testing"

func TestACellThatGoesOnLeavesTheResultsOfTheNextAlone(t *testing.T) {
	r := NewRuntime()
	stopped, told := make(chan bool), make(chan bool)
	go func() { // a cell that was given up, and comes to its end during the next one
		defer r.Begin()()
		r.drop()
		close(stopped)
		<-told
		r.setOut("old")
		told <- true
	}()
	<-stopped
	defer r.Begin()()
	r.setOut("new")
	told <- true
	<-told
	if got := r.Out(); len(got) != 1 || got[0] != "new" {
		t.Errorf("the results are %v, want those of the cell that runs", got)
	}
}
