# Wants Python 3.11 or newer with its venv module; everything else is installed into .venv, once per change of pyproject.toml.
# PYTHON=/path/to/python chooses the interpreter.

MAKEFLAGS += --no-print-directory
VENV := .venv
BIN := $(VENV)/bin
CANDIDATES := python3.11 python3 python3.12 python3.13 python3.14
RECENT := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in $(CANDIDATES); do $$p -c '$(RECENT)' 2>/dev/null && echo $$p && break; done)
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check

.PHONY: help demo test check format bench clean

help:
	@echo "make demo    the whole way on built-in data, offline, about a minute"
	@echo "make test    every test"
	@echo "make check   lint, format, types, floors"
	@echo "make format  put the code into the form that check wants"
	@echo "make bench   every benchmark, the quick way"
	@echo "make clean   remove the virtual environment and caches"

demo: $(VENV)/.core
	@$(BIN)/forgetmap demo
	@$(BIN)/forgetmap report forgetmap-demo --before mistral-7b-v0.2 --after mistral-7b-instruct-v0.2 -o forgetmap-demo/report.html

test: $(VENV)/.dev
	@$(BIN)/python -m pytest -n 2

check: $(VENV)/.dev
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet >/dev/null || { echo "Some files are not in the house's form; run 'make format'." >&2; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@said=$$($(BIN)/lint-imports --no-logo 2>&1) || { echo "$$said" >&2; exit 1; }
	@echo "Lint, form, types and floors are fine."

format: $(VENV)/.dev
	@$(BIN)/ruff check --quiet --fix
	@$(BIN)/ruff format --quiet

bench: $(VENV)/.dev
	@for file in $(wildcard benchmarks/[a-z]*.py); do echo "$$file"; $(BIN)/python $$file --quick || exit 1; done

clean:
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

# The package is installed in place, so a change in src/ needs no new install.
$(VENV)/.core: $(VENV)/.venv pyproject.toml
	@echo "Installing forgetmap into $(VENV) ..." >&2
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.venv pyproject.toml
	@echo "Installing forgetmap and what its tests need into $(VENV) ..." >&2
	@$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.core

$(VENV)/.venv:
	@test -n "$(PYTHON)" || { echo "Wanted Python 3.11 or newer and found none; on Debian: apt-get install python3 python3-venv" >&2; exit 1; }
	@$(PYTHON) -c '$(RECENT)' || { echo "Wanted Python 3.11 or newer; $(PYTHON) is older or does not start." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python's venv module is missing; on Debian: apt-get install $$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@touch $@
