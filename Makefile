# make run     sets up, makes the example town, shows what is due and why, and serves its desk until Ctrl-C
# make test    sets up and runs every test             make check   style, types, imports, docs in step
SHELL := /bin/bash
VENV := .venv
BIN  := $(VENV)/bin
WITHOUT ?=
export WITHOUT
PORT ?= 8000

.PHONY: setup system run test check bench mutate soak docs format lock clean

setup: $(VENV)/.ok

$(VENV)/.ok: pyproject.toml requirements-dev.txt requirements-uv.txt scripts/bootstrap
	@scripts/bootstrap $(VENV)

system:
	@scripts/system-packages

run: $(VENV)/.ok
	@$(BIN)/sewershed demo var/example
	@echo
	@$(BIN)/sewershed serve var/example --port $(PORT)

# Everything, the long trials at a tenth. WITHOUT="postgres browser" leaves out what needs those programs, and says so at the end.
test: system $(VENV)/.ok
	@$(BIN)/pytest -q -n 2
	@[ -z "$(WITHOUT)" ] || echo "Not everything ran: left out, as asked, what needs $(WITHOUT)."

check: $(VENV)/.ok
	@$(BIN)/ruff format --check --quiet . || { echo "Run: make format"; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python scripts/reference.py --check
	@$(BIN)/sewershed rules check --cases
	@$(BIN)/sewershed rules coverage > /dev/null || { $(BIN)/sewershed rules coverage; exit 1; }

# What things cost, measured on this machine beside the bounds we keep. The peer has an environment of its own: it brings numpy.
PEER := $(VENV)/peer
bench: system $(VENV)/.ok $(PEER)/.ok
	@$(BIN)/pytest -q -p no:xdist --benchmark-enable --benchmark-only --benchmark-quiet benchmarks

$(PEER)/.ok: requirements-bench.txt | $(VENV)/.ok
	@$(BIN)/python -m venv --clear --without-pip $(PEER)
	@UV_SYSTEM_CERTS=1 $(BIN)/uv pip install -q --python $(PEER)/bin/python --require-hashes --only-binary :all: -r requirements-bench.txt
	@touch $@

# Would the tests notice? Changes the rules and the calculations in one place at a time, in a copy. Takes an hour.
# SEED=… draws the same again, COUNT=50 fewer, ONLY=rules/spans.py from one module.
mutate: $(VENV)/.ok
	@$(BIN)/python scripts/mutate.py $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT)) $(if $(ONLY),--only $(ONLY))

# The long trials in full. Takes hours; the result and its date go into docs/evidence.
soak: system $(VENV)/.ok
	@SOAK=1 $(BIN)/pytest -m soak --durations=0

docs: $(VENV)/.ok
	@$(BIN)/python scripts/reference.py

format: $(VENV)/.ok
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix-only --quiet --select I .  # the order of imports

# Locks what is installed: hashes, and no addresses of any package index. uv itself is locked too.
# UPGRADE=1 takes the newest versions that fit.
LOCK := $(BIN)/uv pip compile -q $(if $(UPGRADE),--upgrade) --universal --python-version 3.11 --generate-hashes --no-header
lock: $(VENV)/.ok
	$(LOCK) pyproject.toml -o requirements.txt
	$(LOCK) pyproject.toml --group dev -c requirements.txt -o requirements-dev.txt
	$(LOCK) --group bench -o requirements-bench.txt
	echo uv | $(LOCK) - -o requirements-uv.txt

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist
