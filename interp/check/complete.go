package check

// Complete lists what may stand at byte offset pos of src.
func (c *Checker) Complete(src string, pos int) []Candidate { return nil }
