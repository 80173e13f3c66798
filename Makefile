# Two commands do everything on a machine with Python 3.11 or later: `make report` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help report test test-full soak coverage check bench example answers wheel clean

help:
	@echo "make report     play the baseline experiment and write a page about it"
	@echo "make test       the tests (under 8 minutes on two cores, the first time too)"
	@echo "make check      formatting, lint, types and layers"
	@echo "make bench      the speed of the engine and the players"
	@echo "make example    the committed example page again;  make answers  the page of answers again"
	@echo "make test-full  longer tests;  make soak  the longest;  make coverage  lines of the rules that tests run"

$(VENV)/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else "blinksim needs Python 3.11 or later and $(PYTHON) is %d.%d; try: make PYTHON=python3.12" % v[:2])'
	@echo "Setting up $(VENV) (once; a minute or two) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

report: $(VENV)/ready
	@$(BIN)/blinksim run baseline
	@$(BIN)/blinksim report runs/baseline

test: $(VENV)/ready
	@$(BIN)/blinksim compile
	@echo "Running the tests ..."
	@$(BIN)/python -m pytest -q -n 2

test-full: $(VENV)/ready
	@$(BIN)/blinksim compile
	@$(BIN)/python -m pytest -q -n 2 -m 'not soak'

soak: $(VENV)/ready
	@$(BIN)/python -m pytest -q -m soak

# Lines of the rule modules that run in plain Python: vectors, golden records, planted mistakes, fact rows, the trace.
coverage: export NUMBA_DISABLE_JIT := 1
coverage: $(VENV)/ready
	@$(BIN)/python -m pytest -q -n 2 tests/games/blink --cov=blinksim/games/blink --cov-report= \
		-k "vectors or golden or planted or empty_hand or large_meld or (fact_rows and standard)"
	@$(BIN)/coverage run --append --source=blinksim -m tests.games.blink.trace > /dev/null
	@$(BIN)/coverage report --include='blinksim/games/blink/*'

check: $(VENV)/ready
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

# The committed example, byte for byte: the page, and the pictures that the README shows.
EXAMPLE := reports/example
PICTURES := seats-4p tiers-3p snowball-3p leader-wins-3p
example: $(VENV)/ready
	@$(BIN)/blinksim run baseline
	@rm -rf build/example && mkdir -p build/example $(EXAMPLE)
	@$(BIN)/blinksim report runs/baseline -o build/example/baseline.html
	@cp build/example/baseline.html $(EXAMPLE)/
	@for name in $(PICTURES); do cp build/example/baseline_files/figures/$$name.png $(EXAMPLE)/; done

# The answers to the questions in experiments/; about half an hour on two cores.
QUESTIONS := quick_start last_place_gold walls keep_one spent_leave booklet_effects objective_modes objectives_worth_3 \
	water level_duels emptied_any_time fairer_map
answers: $(VENV)/ready
	@for name in $(QUESTIONS) luck; do $(BIN)/blinksim run $$name || exit; done
	@$(BIN)/blinksim answers $(QUESTIONS) --luck luck

bench: $(VENV)/ready
	@$(BIN)/blinksim bench
	@$(BIN)/python -m pytest -q tests/benchmarks --benchmark-only -o addopts=''

wheel: $(VENV)/ready
	@$(BIN)/python -m build --wheel

clean:
	rm -rf $(VENV) dist build
