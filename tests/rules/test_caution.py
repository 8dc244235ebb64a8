"""What stands beside an answer that rests on memory: of itself, of what it reads at any remove, of nothing that it does not read."""

from __future__ import annotations

from pathlib import Path

import pytest

from sewershed.programs import programs
from sewershed.rules.law import Law
from sewershed.rules.library import load

IDENTITY = 'id = "{id}"\nname = "Testing"\nedition = "1"\n{more}[roles]\nowner = "owner"\n'
MARK = "from memory: check before relying on it"
HAZARD = '[[value]]\nid = "b.cramped"\ncites = ["Table 1"]\nmeans = "x"\nas = "station.is_cramped"\ntype = "bool"\nis = "station.has_telemetry"\n{more}'
NEAR = '[[value]]\nid = "b.near"\ncites = ["2"]\nmeans = "x"\nas = "station.is_near"\ntype = "bool"\nis = "station.is_cramped"\n'
STANDARD = '[[standard]]\nid = "b.{id}"\ncites = ["3"]\nmeans = "x"\non = "station"\ntest = "{test}"\n'
MEMORY = 'certainty = "memory"\n'
PARENT = '[[value]]\nid = "b.years"\ncites = ["4"]\nmeans = "x"\nas = "retention_log_years"\ntype = "number"\nunit = "years"\nis = 3\n'


def law(tmp_path: Path, entries: str, town: str = "") -> Law:
    folders = []
    for name, more, text in (("b", "", entries), ("b.t", 'parent = "b"\ntime_zone = "America/New_York"\n', town)):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "rulebook.toml").write_text(IDENTITY.format(id=name, more=more))
        (folder / "rules.toml").write_text(text)
        folders.append(folder)
    return load(programs(), folders).law("b.t")


def test_itself_what_reads_it_and_what_reads_that(tmp_path):
    reads = STANDARD.format(id="reads", test="station.is_near && !known(station.name)")
    other = STANDARD.format(id="other", test="station.has_telemetry")
    found = law(tmp_path, HAZARD.format(more=MEMORY) + NEAR + reads + other)
    assert found.caution("b.cramped") == MARK
    assert found.caution("b.near") == found.caution("b.reads") == f"rests on Table 1, {MARK}"
    assert found.caution("b.other") == ""
    assert (found.caution_of("station.is_cramped"), found.caution_of("station.is_near")) == (MARK, f"rests on Table 1, {MARK}")  # fmt: skip
    assert found.caution_of("station.has_telemetry") == ""  # recorded, not given by a book


def test_held_against_the_source_nothing_stands_there(tmp_path):
    found = law(tmp_path, HAZARD.format(more="") + NEAR)
    assert (found.caution("b.cramped"), found.caution("b.near"), found.caution_of("station.is_near")) == ("", "", "")


def test_an_answer_to_a_question_and_a_standard_that_is_asked(tmp_path):
    asks = STANDARD.format(id="asks", test="book.retention_log_years > 2")
    meets = STANDARD.format(id="meets", test="meets('b.asks')")
    found = law(tmp_path, PARENT + MEMORY + asks + meets)
    assert found.caution("b.asks") == found.caution("b.meets") == f"rests on 4, {MARK}"
    assert found.caution_of("retention_log_years") == MARK


@pytest.mark.parametrize(("since", "is_marked"), [("", False), ('from = "2024-01-01"\n', True)])
def test_what_a_child_replaces_for_good_is_not_read(tmp_path, since, is_marked):
    asks = STANDARD.format(id="asks", test="book.retention_log_years > 2")
    child = PARENT.replace("b.years", "b.t.years") + f'combine = {{ with = "b.years", how = "replaces" }}\n{since}'
    found = law(tmp_path, PARENT + MEMORY + asks, child)
    assert bool(found.caution("b.asks")) is bool(found.caution_of("retention_log_years")) is is_marked
