# Every target sets up what it needs in .venv; nothing outside this folder changes, except that
# `demo-llama` and `test` install the Debian packages they name (as root) if they are missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := $(wildcard tracer/native/*.c tracer/native/*.h analyzer/native/*.cpp analyzer/native/*.h)
BUILD := $(NATIVE) tracer/native/CMakeLists.txt analyzer/native/CMakeLists.txt \
         $(wildcard analyzer/native/package/*) pyproject.toml
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Tests run on every core, a file at a time, and those files first that take longest.
WORKERS := -n auto --maxprocesses 8 --dist loadfile --no-loadscope-reorder

.PHONY: demo demo-llama demo-scenarios test lint bench clean

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "synctrace needs Python 3.11 or newer: make PYTHON=/path/to/python3.11" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "synctrace needs Python's venv module: apt-get install python3-venv" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

# Editable, so that edits to .py and .sql files are live; native code is rebuilt when it changes.
$(VENV)/tested: EXTRAS := [test,lint]
$(VENV)/installed $(VENV)/tested: $(BIN)/python $(BUILD)
	@command -v c++ >/dev/null || \
	  { echo "synctrace needs a C++ compiler to build: apt-get install g++" >&2; exit 2; }
	$(PIP) --editable '.$(EXTRAS)' -C build-dir=build
	@touch $(VENV)/installed $@

demo: $(VENV)/installed
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash examples/demo.sh

demo-scenarios: $(VENV)/installed
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash examples/scenarios/demo.sh

demo-llama: $(VENV)/installed
	@bash examples/llama/setup.sh
	$(PIP) gguf
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash examples/llama/demo.sh

test: $(VENV)/tested
	@bash examples/llama/setup.sh --optional
	@$(BIN)/python tests/llama/variants.py --optional
	@$(BIN)/python tests/hip/wheels.py --optional
	@bash tests/hip/hipcc/setup.sh --optional
	$(PIP) gguf numpy
	$(BIN)/python -m pytest -q $(WORKERS)

lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .typecheck/synctrace examples/programs
	@if command -v clang-format >/dev/null; then \
	  clang-format --dry-run --Werror tracer/native/*.[ch] analyzer/native/*.cpp analyzer/native/*.h; \
	else echo "lint: clang-format is not here, C and C++ style unchecked (apt-get install clang-format)"; fi

bench: $(VENV)/tested
	$(BIN)/python tests/bench/bench.py
	$(BIN)/python tests/bench/recording.py
	$(BIN)/python tests/bench/inprocess.py
	$(BIN)/python tests/bench/hip_price.py
	$(BIN)/python tests/bench/python_sites.py
	$(BIN)/python tests/bench/watch.py

clean:
	rm -rf $(VENV) build .cache .demo .mypy_cache .ruff_cache .pytest_cache
