"""How the tests run the command: within this process where that is enough, as a program of its own where it matters."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sewershed.cli import main

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in this process, in an empty folder, a hundred columns wide."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("TZ", raising=False)

    def run(*words: str, stdin: str = "", status: int = 0) -> Result:
        result = CliRunner().invoke(main, list(words), input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == status, f"{' '.join(words)}\n{result.output}"
        return result

    return run


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command as a program of its own, in an empty folder."""

    def program(*words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(Path(sys.executable).parent / "sewershed"), *words],
            check=False, cwd=tmp_path, input=stdin, capture_output=True, text=True, timeout=120,
            env={**os.environ, "COLUMNS": "100", **environment},
        )  # fmt: skip

    return program
