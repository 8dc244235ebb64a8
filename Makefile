SHELL := /bin/bash
VENV := .venv
BIN  := $(VENV)/bin

.PHONY: setup lock clean

setup: $(VENV)/.ok

$(VENV)/.ok: pyproject.toml requirements-dev.txt requirements-uv.txt scripts/bootstrap
	@scripts/bootstrap $(VENV)

# Locks what is installed: hashes, and no addresses of any package index. uv itself is locked too.
LOCK := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header
lock: $(VENV)/.ok
	$(LOCK) pyproject.toml -o requirements.txt
	$(LOCK) pyproject.toml --group dev -c requirements.txt -o requirements-dev.txt
	echo uv | $(LOCK) - -o requirements-uv.txt

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist
