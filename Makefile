# One place for every task of the project; `make` alone lists them.
export GOTOOLCHAIN := go1.27.3
GO    ?= go
GOFMT  = $(shell $(GO) env GOROOT)/bin/gofmt
PKGS   = ./...

.DEFAULT_GOAL := help
.PHONY: help build run test conformance differential race lint fmt generate fresh golden bench check

help: ## list the tasks
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## write bin/flinkish
	$(GO) build -o bin/flinkish ./cmd/flinkish

run: build ## replay the word count lesson: the main job, without network or services
	./bin/flinkish replay samples/word-count.flk

test: ## run every test, in random order
	$(GO) test -shuffle=on $(PKGS)

conformance: ## run the conformance cases; prints N passed, M failed, P pending
	@cd dataflow/conformance && $(GO) test -count=1 -run '^(TestCases|TestChangedExpectationsFail)$$'

differential: ## run programs as cells and compare with what Go prints; prints N passed, M failed
	@$(GO) test -count=1 -run '^TestDifferential$$' -v ./interp/differential | grep -v '^=== RUN\|^ *--- PASS\|^PASS\|^ok'

race: ## run every test under the race detector
	$(GO) test -race -shuffle=on -timeout 20m $(PKGS)

lint: ## gofmt, go vet, staticcheck
	@out=$$($(GOFMT) -l $$(git ls-files '*.go')); test -z "$$out" || { echo "not gofmt'ed (make fmt):"; echo "$$out"; exit 1; }
	$(GO) vet $(PKGS)
	$(GO) tool staticcheck $(PKGS)

fmt: ## gofmt every file
	$(GOFMT) -w $$(git ls-files '*.go')

generate: ## write the generated files again
	$(GO) generate $(PKGS)

fresh: generate ## fail when a generated file was out of date
	git diff --exit-code -- . || { echo "generated files differ: commit the result of make generate"; exit 1; }

golden: ## write the expected outputs again; read every difference
	$(GO) test ./viz/... ./tui/... ./interp/... ./cmd/... -update
	./bin/flinkish test --update samples

bench: ## print the ratios of the engine and the interpreter, and the times of a session, beside their targets
	GOMAXPROCS=1 $(GO) run ./interp/bench
	@$(GO) test -run '^$$' -bench '^Benchmark(Prompt|OneLineCells|HeapOf10000Cells|Lesson|Complete)$$' ./cmd/flinkish ./interp ./interp/check | grep ^Bench

check: lint test race fresh ## what to run before a push
	$(GO) mod tidy -diff
