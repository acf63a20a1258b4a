# The project's tasks. Each sets up .venv by itself on first use; `make` alone lists them.

SHELL := /bin/sh
BIN := $(CURDIR)/.venv/bin

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test check fix docs bench format lint types map pages runtime dev

help: ## List the tasks
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' '$(CURDIR)/Makefile'

demo: runtime ## Run four small suites from end to end: no key, no network, no model
	@PATH="$(BIN):$$PATH" sh examples/demo.sh

test: dev ## Run every test and every example (ARGS="-k plan" for some of them)
	@"$(BIN)/python" -m pytest -q -n auto $(ARGS)

check: format lint types map pages ## Formatting, lint, types, import map, generated pages (-k: go on after one)

fix: dev ## Format the code and mend what lint can mend
	@"$(BIN)/ruff" check --fix --quiet .
	@"$(BIN)/ruff" format --quiet .

docs: dev ## Write generated pages and the output shown on pages anew
	@"$(BIN)/python" docs/generate.py
	@FAIRTRIAL_UPDATE_DOCS=1 "$(BIN)/python" -m pytest -qq tests/test_docs.py

bench: runtime ## Measure start-up and grading (ARGS="--help" for the choices)
	@"$(BIN)/python" bench/run.py $(ARGS)

# The parts of `make check`. Each says nothing when all is well, and everything when it is not.
quietly = report=$$($(1) 2>&1) || { printf '%s\n' "$$report"; echo 'make $@: failed' >&2; exit 1; }

format: dev
	@$(call quietly,"$(BIN)/ruff" format --check .)

lint: dev
	@$(call quietly,"$(BIN)/ruff" check .)

types: dev
	@$(call quietly,"$(BIN)/mypy")

map: dev
	@$(call quietly,"$(BIN)/lint-imports")

pages: dev
	@$(call quietly,"$(BIN)/python" docs/generate.py --check)

runtime:
	@sh .ci/venv runtime

dev:
	@sh .ci/venv dev
