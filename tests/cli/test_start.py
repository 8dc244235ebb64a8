"""`calc` and `rules` begin without Django, and every command's help ends with examples."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from sewershed.cli import main

WITHOUT_DJANGO = [
    ("--help",),
    ("calc", "--help"),
    ("calc", "manning", "--diameter-in", "8", "--slope", "0.004", "--n", "0.013"),
    ("calc", "volume", "eyeball", "--by", "operator", "--container", "5", "3"),
    ("rules", "check"),
    ("rules", "doubts", "us.nc.spring_hope"),
    ("rules", "show", "us.nc.spring_hope.spill.tell"),
    ("rules", "show", "nothing"),  # also where it fails
]


@pytest.mark.parametrize("words", WITHOUT_DJANGO, ids=" ".join)
def test_it_begins_without_django(words):
    code = (
        "import sys; from sewershed.cli import main\n"
        f"try: main({list(words)!r})\n"
        "except SystemExit: pass\n"
        "print('with Django' if any(name.partition('.')[0] == 'django' for name in sys.modules) else 'without Django')"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout.splitlines()[-1] == "without Django"


def test_the_guard_of_django_finds_a_planted_one():
    code = "import django, sys; print(any(name.partition('.')[0] == 'django' for name in sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout == "True\n"


def commands(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    yield context.command_path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, click.Context(below, parent=context, info_name=name))


ALL = dict(commands(main, click.Context(main, info_name="sewershed")))


def test_every_command_says_what_it_does_and_shows_examples():
    assert len(ALL) > 15
    silent = [path for path, command in ALL.items() if not command.help]
    without = [path for path, command in ALL.items() if path != "sewershed" and not getattr(command, "examples", "")]
    assert (silent, without) == ([], [])


def test_versions_and_usage(program):
    assert program("--version").stdout.startswith("sewershed, version ")
    wrong = program("dew")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "No such command 'dew'" in wrong.stderr


def test_a_town_that_cannot_be_made_leaves_nothing_of_its_own(run, tmp_path):
    def kept() -> list[str]:
        return sorted(path.name for path in place.iterdir() if not path.name.startswith("town.db-"))  # SQLite's own

    place = tmp_path / "new" / "town"
    words = ("init", "us.nc.spring_hope", str(place), "--set", "color=blue")
    assert "town has no 'color'" in run(*words, status=3).stderr
    assert not (tmp_path / "new").exists()
    (place / "rulebooks").mkdir(parents=True)
    (place / "rulebooks" / "note.txt").write_text("ours")
    run(*words, status=3)
    assert [path.name for path in place.iterdir()] == ["rulebooks"]
    assert (place / "rulebooks" / "note.txt").read_text() == "ours"
    run("init", "us.nc.spring_hope", str(place), "--set", "county=Nash")
    before = kept()
    assert "is a town. Name an empty folder." in run(*words, status=3).stderr
    assert kept() == before
