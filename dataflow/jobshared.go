package dataflow

import (
	"maps"
	"sync"

	"flinkish/dataflow/internal/watermark"
)

// environment is what every subtask of a job can ask about the environment that submitted it.
type environment struct {
	files  map[string]CachedFile
	params map[string]string
}

// jobShared is what the subtasks of one job share (core.Subtask.Shared).
type jobShared struct {
	*accumulators
	environment
	sharedMu sync.Mutex                      // guards what follows
	loops    map[[2]int]*feedback            // by loop and subtask
	sources  map[int]*splitQueue             // by id of the source
	aligned  map[string]*watermark.Alignment // by group
}

func (e *StreamExecutionEnvironment) newShared() *jobShared {
	a := newAccumulators()
	a.onFailure = e.onFailure
	return &jobShared{accumulators: a, loops: map[[2]int]*feedback{},
		environment: environment{maps.Clone(e.shared.files), maps.Clone(e.shared.params)}}
}

// CachedFile is a file that the functions of a job can open by name.
type CachedFile struct {
	Path       string
	Executable bool
}

// CachedFileOption changes a cached file.
type CachedFileOption func(*CachedFile)

// Executable says that the file is a program.
func Executable(on bool) CachedFileOption { return func(f *CachedFile) { f.Executable = on } }

// RegisterCachedFile gives the functions of jobs submitted later the file at path under a name (registerCachedFile).
func (e *StreamExecutionEnvironment) RegisterCachedFile(path, name string, opts ...CachedFileOption) *StreamExecutionEnvironment {
	if name == "" {
		e.fail("IllegalArgument", "", "RegisterCachedFile", "the name of a cached file must not be empty")
		return e
	}
	f := CachedFile{Path: path}
	for _, o := range opts {
		o(&f)
	}
	if e.shared.files == nil {
		e.shared.files = map[string]CachedFile{}
	}
	e.shared.files[name] = f
	return e
}

// CachedFiles are the files that were registered, by name (getCachedFiles).
func (e *StreamExecutionEnvironment) CachedFiles() map[string]CachedFile {
	return maps.Clone(e.shared.files)
}

// SetGlobalJobParameters gives the functions of jobs submitted later some parameters.
func (e *StreamExecutionEnvironment) SetGlobalJobParameters(params map[string]string) *StreamExecutionEnvironment {
	e.shared.params = maps.Clone(params)
	return e
}

// DistributedCache gives the cached files of a job (Flink's class of the same name).
type DistributedCache struct{ ctx *RuntimeContext }

// File is the path of the cached file of this name; an unknown name fails the job.
func (c *DistributedCache) File(name string) string {
	if job, ok := c.ctx.task().Shared.(*jobShared); ok {
		if f, ok := job.files[name]; ok {
			return f.Path
		}
	}
	c.ctx.access.fail(&GraphError{Kind: "IllegalArgument", Call: "File", Msg: "there is no cached file " + name + "; call RegisterCachedFile on the environment"})
	return ""
}

// DistributedCache gives the files of RegisterCachedFile.
func (c *RuntimeContext) DistributedCache() *DistributedCache {
	c.task()
	return &DistributedCache{c}
}

// GlobalJobParameters are the parameters that SetGlobalJobParameters set.
func (c *RuntimeContext) GlobalJobParameters() map[string]string {
	job, _ := c.task().Shared.(*jobShared)
	if job == nil {
		return nil
	}
	return maps.Clone(job.params)
}

// IsObjectReuseEnabled is always true: records pass by reference inside a chain.
func (c *RuntimeContext) IsObjectReuseEnabled() bool {
	c.task()
	return true
}
