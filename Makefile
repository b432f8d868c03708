# Everything from nothing but python3 (3.11 or later), make and git: the first target that needs it makes .venv.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
SLOW ?=
ARGS ?=

.PHONY: demo test lint types conformance static-cases bench golden clean

demo: $(READY)  ## check, build, type-check and run one example
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: lint types  ## style, types and the tests; SLOW=1 adds those that take more than a few seconds
	@$(BIN)/pytest -q -n 2 $(if $(SLOW),,-m "not slow") $(ARGS)

lint: $(READY)  ## style
	@$(BIN)/ruff check --no-cache --quiet . && $(BIN)/ruff format --quiet --check . && echo "lint: clean"

types: $(READY)  ## mypy, strict, over everything, for this Python and for the newest; the runtime for Windows, too
	@$(BIN)/mypy --no-error-summary compiler/graphwright runtime/graphwright_runtime tests benchmarks generated
	@$(BIN)/mypy --no-error-summary --python-version 3.13 compiler/graphwright runtime/graphwright_runtime
	@$(BIN)/mypy --no-error-summary --platform win32 runtime/graphwright_runtime
	@echo "types: clean"

conformance: CASES ?= ../shared/conformance
conformance: $(READY)  ## run every case of run-time behaviour below CASES
	@PYTHONPATH=tests $(BIN)/python -m conformance $(CASES)

static-cases: CASES ?= ../shared/conformance-static
static-cases: $(READY)  ## run every case of diagnostics below CASES
	@PYTHONPATH=tests $(BIN)/python -m static_cases $(CASES)

bench: $(READY)  ## print how far from the floors we are
	@for file in benchmarks/[a-z]*.py; do $(BIN)/python $$file || exit 1; done

golden: $(READY)  ## rewrite what tests compare with: golden files, generated examples, docs/rules.md
	@GRAPHWRIGHT_GOLDEN=1 $(BIN)/pytest -q -n 2 -m "not slow" -k golden $(ARGS)

clean:  ## back to a fresh clone
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .graphwright_cache build dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml runtime/pyproject.toml runtime/graphwright_verify.pth
	@echo "preparing .venv (once, about a minute)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -e runtime -e '.[dev]'
	@$(BIN)/python -m pip download -qq --disable-pip-version-check --no-deps --no-binary jsonschema -d .venv/sources \
		jsonschema==$$($(BIN)/python -c "from importlib.metadata import version; print(version('jsonschema'))") \
		|| echo "without the official tests of JSON Schema, which come with the sources of jsonschema"
	@$(BIN)/python -m compileall -qq compiler runtime  # as pip does for what it copies: starts do not compile again
	@touch $@
