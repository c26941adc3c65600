# The one entry point for people and machines. Each target sets up what it needs, on a fresh machine too.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

BIN := .venv/bin
STAMP := .venv/.installed
# Three processes for two cores, as tests wait for browsers and processes for 3 of 10 seconds. The tests of a
# file share one, as they share fixtures.
SIDE_BY_SIDE := --numprocesses $(shell echo $$(( ($$(nproc) * 3 + 1) / 2 ))) --maxprocesses 8 --dist loadfile
BENCHMARKS := $(sort $(wildcard tests/benchmarks/bench_*.py))

# Recipes read these from the environment, so a path may hold spaces and quotes.
export CATALOGUE GCAT PYTHON
export SKYSIEVE_STORE ?= ./skysieve-store
# Tests start hundreds of processes, each of which would compile the whole package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test test-all page browser bench rehearsal validation docs bodies lint constraints clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo "  Variables: CATALOGUE=path, SKYSIEVE_STORE=folder, PYTHON=interpreter, ARGS='options for pytest'"

run: $(STAMP) page ## screen CATALOGUE=path, else the newest of CelesTrak, else (no network) a synthetic one
	@if [ -n "$${CATALOGUE:-}" ]; then $(BIN)/skysieve screen "$$CATALOGUE"; \
	else $(BIN)/skysieve refresh --or-synthetic; fi

test: $(STAMP) page browser ## run the tests
	@$(BIN)/python -m pytest $(SIDE_BY_SIDE) $(ARGS)

test-all: $(STAMP) page browser ## run the tests, the slow ones too
	@$(BIN)/python -m pytest -m "" $(SIDE_BY_SIDE) $(ARGS)

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

docs: $(STAMP) ## write the reference of the Python package into docs/reference
	@rm -rf docs/reference
	@$(BIN)/python -m pdoc --docformat google --output-directory docs/reference skysieve
	@echo "docs/reference/skysieve.html"

bodies: $(STAMP) ## write the table of bodies that comes with the package, from GCAT=path or address
	@$(BIN)/python -m storage.bodies.make "$${GCAT:-https://planet4589.org/space/gcat/tsv/cat/satcat.tsv}"

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
	rm -rf api/web/dist api/web/node_modules tests/page/screenshots docs/reference
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml constraints.txt deploy/setup.sh
	@bash deploy/setup.sh venv
	@touch $@
