"""The command, cold: a new process each time. The files are in the machine's memory, and Python's bytecode is there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.measured import measure

COMMAND = Path(sys.executable).with_name("sewershed")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
ROUNDS = 15


def run(words: tuple[str, ...]) -> None:
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout


@pytest.mark.parametrize(
    ("words", "bound_s"),
    [
        (("calc", "manning", "--diameter-in", "8", "--slope", "0.004", "--n", "0.013"), 0.25),
        (("calc", "volume", "eyeball", "--by", "operator", "--container", "5", "3"), 0.25),
        (("rules", "check"), 0.8),
        (("rules", "show", "us.nc.spring_hope.spill.tell"), 0.8),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) else "",
)
def test_cold(benchmark, words, bound_s):
    what = " ".join(word for word in words if not word.startswith("-") and not word[0].isdigit())
    measure(
        benchmark, f"sewershed {what}, cold", lambda: run(words), bound_s=bound_s, rounds=ROUNDS, warmup_rounds=2
    )  # fmt: skip
