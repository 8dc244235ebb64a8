"""How the tests run the command: within this process where that is enough, as a program of its own where it matters."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sewershed.cli import main

Run = Callable[..., Result]
FOUNDED = "2024-01-02 09:00"  # the clock of the example town begins here


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, django_db_blocker) -> Iterator[Run]:
    """Runs the command in this process, in an empty folder, a hundred columns wide; asserts its exit status."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("TZ", raising=False)

    def run(*words: str, stdin: str = "", status: int = 0) -> Result:
        result = CliRunner().invoke(main, list(words), input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == status, f"{' '.join(words)}\n{result.output}"
        return result

    with django_db_blocker.unblock():
        yield run
        from django.db import connections

        connections.close_all()


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command as a program of its own, in an empty folder."""

    def program(*words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(Path(sys.executable).parent / "sewershed"), *words],
            check=False,
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "COLUMNS": "100", **environment},
        )

    return program


@pytest.fixture(scope="session")
def first_folder(tmp_path_factory: pytest.TempPathFactory, django_db_blocker) -> Path:
    """A town as `init` makes it, of which each test gets a copy."""
    folder = tmp_path_factory.mktemp("first") / "town"
    words = ["init", "us.nc.spring_hope", str(folder), "--set", "county=Nash", "--example", FOUNDED]
    with django_db_blocker.unblock():
        result = CliRunner().invoke(main, words)
        from django.db import connections

        connections.close_all()
    assert result.exit_code == 0, result.output
    return folder


class Town:
    """An example town that a test runs by the command alone, as a person would, at the times that it says."""

    def __init__(self, run: Run, folder: Path) -> None:
        self.run = run
        self.folder = folder
        self.now = "2024-03-08 15:42"

    def __call__(self, verb: str, *words: str, now: str = "", stdin: str = "", status: int = 0) -> Result:
        """Runs a verb on this town at a time, which stands until another is given."""
        self.now = now or self.now
        return self.run(verb, str(self.folder), *words, "--now", self.now, stdin=stdin, status=status)

    def record(self, event: str, thing: str, at: str, *settings: str, **options: str) -> str:
        """Records an event, at the time at which it happened unless another now is given, and returns its row's id."""
        self.now = options.pop("now", at)
        others = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
        fields = [word for setting in settings for word in ("--set", setting)]
        return self("record", event, "--on", thing, "--at", at, *fields, *others).stdout.strip()

    def begin(self, kind: str, *settings: str) -> str:
        """Begins a thing and returns its id."""
        return self("record", kind, "new", *(word for one in settings for word in ("--set", one))).stdout.strip()

    def lines(self, verb: str, *words: str, now: str = "", status: int = 0) -> list[dict[str, Any]]:
        """Returns what a verb prints as JSON."""
        return [json.loads(line) for line in self(verb, *words, "--json", now=now, status=status).stdout.splitlines()]

    def due(self, *words: str, now: str = "") -> dict[str, dict[str, Any]]:
        """Returns the lines of what is due, by the last part of their rule."""
        return {line["rule"].removeprefix(RULES): line for line in self.lines("due", *words, now=now)}


RULES = "us.nc.spring_hope.spill."


@pytest.fixture
def town(run: Run, first_folder: Path, tmp_path: Path) -> Town:
    """An example town of this test's own."""
    folder = tmp_path / "town"
    shutil.copytree(first_folder, folder)
    return Town(run, folder)
