# The one entry point for people and machines. Each target sets up what it needs, on a fresh machine too.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

BIN := .venv/bin
STAMP := .venv/.installed
# The tests of a file share a process, as they share fixtures. Three for two cores where tests wait for browsers and
# programs for 3 of 10 seconds.
SIDE_BY_SIDE := --dist loadfile --maxprocesses 8 --numprocesses
WAITING := $(shell echo $$(( ($$(nproc) * 3 + 1) / 2 )))
BENCHMARKS := $(sort $(wildcard tests/benchmarks/bench_*.py))

# Recipes read these from the environment, so a path may hold spaces and quotes.
export CATALOGUE GCAT PYTHON DEMO
export SKYSIEVE_STORE ?= ./skysieve-store
# Tests start hundreds of processes, each of which would compile the whole package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run demo test test-page test-all page browser bench rehearsal validation docs bodies fix lint constraints clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo "  Variables: CATALOGUE=path, SKYSIEVE_STORE=folder, PYTHON=interpreter, ARGS='options for pytest'"

run: $(STAMP) page ## screen CATALOGUE=path, else the newest of CelesTrak, else (no network) a synthetic one
	@if [ -n "$${CATALOGUE:-}" ]; then $(BIN)/skysieve screen "$$CATALOGUE"; \
	else $(BIN)/skysieve refresh --or-synthetic; fi

demo: $(STAMP) page ## make a store with a week of real days (2 min) in DEMO=./skysieve-demo; without their data synthetic
	@$(BIN)/python deploy/demo.py "$${DEMO:-./skysieve-demo}"

test: $(STAMP) page ## run the tests that compute, store and answer within one process
	@$(BIN)/python -m pytest $(SIDE_BY_SIDE) $$(nproc) $(ARGS)

test-page: $(STAMP) page browser ## run the tests of the page in Chromium
	@$(BIN)/python -m pytest -m "page and not slow" $(SIDE_BY_SIDE) $(WAITING) $(ARGS)

test-all: $(STAMP) page browser ## run all tests: processes, clusters, kills and the slow ones too
	@$(BIN)/python -m pytest -m "" $(SIDE_BY_SIDE) $(WAITING) $(ARGS)

page: $(STAMP) ## bundle the web page, if its sources have changed
	@bash deploy/setup.sh page

browser: $(STAMP)
	@bash deploy/setup.sh browser

bench: $(STAMP) page browser ## run the benchmarks, one script after the other
	@if [ -z "$(BENCHMARKS)" ]; then echo "error: there is no tests/benchmarks/bench_*.py" >&2; exit 1; fi
	@for script in $(BENCHMARKS); do echo "==> $$script"; $(BIN)/python "$$script"; done

rehearsal: $(STAMP) ## for nights: 66 days in fast motion with faults, half an hour
	@$(BIN)/python tests/benchmarks/rehearse_66_days.py

validation: $(STAMP) ## compare with what others have published (../shared/data), write docs/validation.md
	@$(BIN)/python -m tests.validation ../shared/data docs/validation.md

docs: $(STAMP) ## write the documents as a site with search into docs/site
	@rm -rf docs/site
	@$(BIN)/python -m sphinx -q -W -c docs -b html . docs/site
	@$(BIN)/python -m pdoc --docformat google --output-directory docs/site skysieve skysieve.plot
	@cp docs/site/README.html docs/site/index.html
	@echo "docs/site/index.html"

bodies: $(STAMP) ## write the table of bodies that comes with the package, from GCAT=path or address
	@$(BIN)/python -m storage.bodies.make "$${GCAT:-https://planet4589.org/space/gcat/tsv/cat/satcat.tsv}"

fix: $(STAMP) page ## mend style, and write again the documents and types that are made from code
	@$(BIN)/ruff check --quiet --fix . || true
	@$(BIN)/ruff format --quiet .
	@$(BIN)/python docs/schema.py && $(BIN)/python docs/http_tables.py && $(BIN)/python docs/page_types.py

lint: $(STAMP) page ## check style, spelling, types and the direction of imports
	@echo "==> ruff check"; $(BIN)/ruff check --output-format concise .
	@echo "==> ruff format --check"; $(BIN)/ruff format --check .
	@echo "==> codespell"; $(BIN)/codespell
	@echo "==> mypy"; $(BIN)/python -m mypy
	@echo "==> lint-imports"; $(BIN)/lint-imports
	@echo "==> tsc"; bash deploy/setup.sh types

constraints: ## renew constraints.txt with the newest versions that pyproject.toml allows
	@bash deploy/setup.sh constraints

clean: ## remove .venv and all caches; the store stays
	rm -rf .venv build dist .wheel-test .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	rm -rf api/web/dist api/web/node_modules tests/page/screenshots docs/site
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml constraints.txt deploy/setup.sh
	@bash deploy/setup.sh venv
	@touch $@
