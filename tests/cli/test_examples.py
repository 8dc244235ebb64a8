"""Every example in the help of every command runs as it stands, in a town where its words mean something."""

from __future__ import annotations

import contextlib
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from sewershed.cli import main
from tests.cli.test_start import ALL

# What an example cannot know beforehand is looked up; what needs or starts a server, or a person at the keyboard, is left out.
LEFT_OUT = ("postgresql://", "--password", "--person", "| sewershed", "sewershed serve")
STATUS = {  # examples in which something is found, or which refuse
    "sewershed may ./spring-hope area_released --on 24-001": 1,
    'sewershed may ./spring-hope private_property_entered --on 24-001 --at "2024-03-09 09:00" --office staff': 1,
    "sewershed verify ./spring-hope --head 1234:0123456789abcdef0123": 1,
    "sewershed adopt ./spring-hope --approve 3f2a9c0d1e4b --number 2": 3,
    'sewershed import ./spring-hope rounds.csv --event station_visited --answer "Date.day_order=mdy" --approve 3f2a9c0d1e4b': 3,
    "sewershed doctor ./spring-hope": 1,  # it has no backup yet
    "sewershed doctor ./spring-hope --mend": 1,
    "sewershed due ./spring-hope --json --fail-on overdue": 1,
    "sewershed rules check us.nc.spring_hope --strict": 1,  # it has doubts, and entries from memory
}
FILES = {
    "results.csv": "parameter,day,value,maximum\ncopper,2024-01-17,4.4,3.38\n",
    "readings.csv": "day,hours\n2024-01-01,100\n2024-01-08,128\n",
    "pipes.csv": "pipe,length_ft\nA,300\n",
    "map.csv": "pipe,material,laid_on,active_taps\nA,clay,1962-01-01,4\nB,PVC,,\n",
    "stations.csv": "LS #,LS Name,# of Pumps\n1,Mill,2\n",
    "rounds.csv": "Date,Station\n3/4/2024,Oak Street\n",
    "kitchens.csv": "FSE #,FSE Name,Size (gal)\n1,Cafe,1000\n",
    "log.csv": "pipe,day,feet\nA,2024-01-15,300\n",
}


def examples() -> list[str]:
    found = [
        example
        for command in ALL.values()
        for example in getattr(command, "examples", "").replace("\\\n", " ").splitlines()
        if not any(word in example for word in LEFT_OUT)
    ]
    assert len(found) > 60
    return list(dict.fromkeys(found))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, django_db_blocker) -> tuple[Path, dict[str, str]]:
    """A folder with the town, the files and the rows that the examples speak of, and what their placeholders stand for."""
    folder = tmp_path_factory.mktemp("examples")
    with django_db_blocker.unblock(), contextlib.chdir(folder):
        words = _begun()
        from django.db import connections

        connections.close_all()
    return folder, words


def _begun() -> dict[str, str]:
    def run(*words: str) -> str:
        result = CliRunner().invoke(main, list(words))
        assert result.exit_code == 0, result.output
        return result.stdout

    def record(*words: str) -> str:
        return run("record", "spring-hope", *words).strip()

    run("init", "us.nc.spring_hope", "spring-hope", "--set", "county=Nash", "--example", "2024-03-08 18:30")
    record("person", "new", "--set", "name=A. Operator")
    record("office_held", "--on", "A. Operator", "--at", "2024-03-01", "--set", "office=orc")
    spill = record("spill", "new", "--set", "location=Branch Street")
    record("call", "--on", spill, "--at", "15:40", "--set", "what=sewage_in_water")
    record("spill_confirmed", "--on", spill, "--at", "16:00")
    row = record("spill_assessed", "--on", spill, "--at", "16:30", "--set", "surface_water_gal=5")
    record("state_told", "--on", spill, "--at", "17:00", "--set", "way=voice_mail")
    second = record("spill", "new", "--set", "location=Ash Street")
    record("call", "--on", second, "--at", "15:50", "--set", "what=smell")
    record("station", "new", "--set", "name=Oak Street", "--set", "in_service_since=2020-01-01")
    joined = record("spill", "new", "--set", "location=Ash St")
    batch = record("join", joined, second, "--why", "the same smell")
    run("account", "spring-hope", "clerk", "--new", "--roles", "clerk")
    run("backup", "spring-hope", "-o", "spring-hope.tar.gz")
    Path("spring-hope/rulebooks").mkdir()
    Path("revised").mkdir()
    for name, text in FILES.items():
        Path(name).write_text(text)
    run("rules", "new", "us.nc.spring_hope_2027", "spring-hope-2027", "--parent", "us.nc")
    for edition in ("older", "newer"):
        run("rules", "new", "us.nc.pine_hollow", edition)
    Path("manhole.jpg").write_bytes(b"\xff\xd8\xff\xe0 and so on")
    return {"SPILL": spill, "ROW": row, "BATCH": batch}


@pytest.mark.parametrize("example", examples())
def test_an_example_runs(example, place, tmp_path, monkeypatch, django_db_blocker):
    folder, words = place
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    if example.startswith(("sewershed init", "sewershed demo")):
        shutil.rmtree(tmp_path / "spring-hope")
    typed = [words.get(word, word) for word in shlex.split(example)]
    assert typed[0] == "sewershed"
    with django_db_blocker.unblock():
        result = CliRunner().invoke(main, typed[1:])
        from django.db import connections

        connections.close_all()
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == STATUS.get(example, 0), result.output


def test_the_guard_of_examples_finds_a_planted_one():
    assert CliRunner().invoke(main, ["calc", "manning", "--diametre-in", "8"]).exit_code == 2
    assert set(STATUS) <= set(examples())  # none is excepted that is no longer there
