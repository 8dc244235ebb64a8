"""What must hold when a writing process is killed, and when eight write at once."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sewershed.ledger import canonical, log, working
from sewershed.ledger.verify import verify
from tests.trials import trials

ROOT = Path(__file__).parents[2]
WRITERS = 8
ENTRIES = 12


def start(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "tests.ledger.writer", str(folder), name, str(count)]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.soak
def test_a_killed_writer_leaves_no_half_written_record(town):
    draw = random.Random(str(town.folder.name))
    kills, spoken = 0, []
    for kill in range(trials(200)):
        writer = start(town.folder, f"writer-{kill}", 500)
        assert writer.stdout is not None
        first = writer.stdout.readline()  # it has begun to write
        time.sleep(draw.random() * 0.15)
        writer.kill()
        output, _ = writer.communicate(timeout=30)
        kills += writer.returncode == -9
        spoken += [line.split()[0] for line in [first, *output.splitlines()] if line.strip()]
    assert kills >= trials(200) - 1
    check_sound()
    written = {row.id for row in log.select("name = 'complaint'")}
    assert set(spoken) <= written  # whatever was said to be written is there
    assert len(written) - len(spoken) <= trials(200)  # and at most the one on which it was killed besides
    inspected = [row.thing for row in log.select("name = 'yard_inspected'")]
    assert sorted(inspected) == sorted(row.thing for row in log.select("name = 'complaint'"))


def test_eight_writers_at_once_lose_nothing(town):
    writers = [start(town.folder, f"writer-{n}", ENTRIES) for n in range(WRITERS)]
    for writer in writers:
        output, errors = writer.communicate(timeout=300)
        assert writer.returncode == 0, errors
        assert "locked" not in errors
        assert len(output.splitlines()) == ENTRIES
    check_sound()
    complaints = [canonical.read(row.data) for row in log.select("name = 'complaint'")]
    assert len(complaints) == WRITERS * ENTRIES
    numbers = sorted(one["_number"] for one in complaints)
    assert numbers == [f"C24-{n:03}" for n in range(1, WRITERS * ENTRIES + 1)]  # none twice, none left out


def check_sound() -> None:
    verdict = verify()
    assert verdict.is_sound, verdict.faults
    assert working.recompute().differences == ()
