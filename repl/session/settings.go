package session

import "time"

// Engine is how jobs run.
type Engine string

// The engines.
const (
	Deterministic Engine = "deterministic" // seeded order, virtual clock
	Parallel      Engine = "parallel"      // goroutines, wall clock
)

// Glyphs is the set of signs that drawings may use.
type Glyphs string

// The glyph sets.
const (
	Unicode Glyphs = "unicode"
	Block   Glyphs = "block"
	ASCII   Glyphs = "ascii"
)

// Settings are what :set, a document's header and flags change.
type Settings struct {
	Engine      Engine `json:"engine"`
	Seed        uint64 `json:"seed"`
	Parallelism int    `json:"parallelism"`
	Glyphs      Glyphs `json:"glyphs"`
	Max         int    `json:"max"` // steps that background jobs may take after a cell
}

// DefaultMax keeps a background job that never ends from holding the prompt for more than some seconds: a step is a
// batch of up to 512 records, and an interpreted function takes about a microsecond for each.
const DefaultMax = 250

// Options start a session. The zero value of each field means the default.
type Options struct {
	Settings
	Clock time.Time `json:"clock"` // start of the virtual clock; default 2024-01-01T00:00:00Z
	Dir   string    `json:"dir"`   // that relative paths of cells start from; default: the working directory
	Trust bool      `json:"trust"` // allow os/exec, net, syscall, unsafe and writes outside Dir
}

// Defaults fills in what is not set.
func (o Options) Defaults() Options {
	if o.Engine == "" {
		o.Engine = Deterministic
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Parallelism == 0 {
		o.Parallelism = 1
	}
	if o.Glyphs == "" {
		o.Glyphs = Unicode
	}
	if o.Max == 0 {
		o.Max = DefaultMax
	}
	if o.Clock.IsZero() {
		o.Clock = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return o
}

// New makes a session; package kernel has the one that runs in this process.
type New func(Options) (Session, error)
