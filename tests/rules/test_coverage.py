"""Whether a register is accounted for: each way in which a row or an entry can fail to be, planted one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from sewershed.programs import programs
from sewershed.rules.cases import read_cases
from sewershed.rules.coverage import Coverage, cases_by_entry, coverage
from sewershed.rules.library import load

IDENTITY = 'id = "b"\nname = "Testing"\ntime_zone = "America/New_York"\nedition = "1"\n[roles]\nowner = "owner"\n'
ENTRY = (
    '[[value]]\nid = "b.kept"\ncites = ["1"]\ncovers = ["X-1"]\nmeans = "Kept three years"\n'
    'as = "retention_log_years"\ntype = "number"\nunit = "years"\nis = 3\n'
)
HEAD = "id\tcite\ttopic\tkind\truns\tmeans\tstatus\twhere\n"
CARRIED = "X-1\t1\tlogs\tduty\tfull\tKept three years\trule\tb.kept\n"
CASE = (
    '[given]\nbook = "b"\n[[case]]\nid = "kept"\norigin = "{origin}"\nfacts.t = {{ _type = "town" }}\nas_of = "2024-01-01"\n'
    'expect.answers = [{{ name = "retention_log_years", is = 3 }}]\n'
)


def covered(tmp_path: Path, row: str = "", *, entry: str = ENTRY, origin: str = "the text itself") -> Coverage:
    book = tmp_path / "b"
    (book / "cases").mkdir(parents=True)
    (book / "rulebook.toml").write_text(IDENTITY)
    (book / "rules.toml").write_text(entry)
    (book / "register.tsv").write_text(HEAD + CARRIED + row)
    cases = []
    if origin:
        (book / "cases/rules.toml").write_text(CASE.format(origin=origin))
        cases = read_cases(book / "cases")
    library = load(programs(), [book])
    return coverage(library.books["b"], library, cases, ["spill_report"])


def row(status: str, where: str) -> str:
    return f"X-2\t2\tspills\tlimit\tjudgement\tIt says something\t{status}\t{where}\n"


@pytest.mark.parametrize(
    ("status", "where"),
    [
        ("judged", "fact spill.reportable"),
        ("judged", "event spill_assessed.removed_quickly; role owner"),
        ("text", "paper spill_report"),
        ("text", "thing station"),
        ("text", "event call"),
        ("text", "entry b.kept"),
        ("outside", "the court's business"),
        ("unread", ""),
    ],
)
def test_a_row_that_names_what_there_is_is_accounted_for(tmp_path, status, where):
    if where == "fact spill.reportable":
        where = "fact spill.location"  # a derived fact belongs to the book that derives it
    found = covered(tmp_path, row(status, where))
    assert found.problems == ()
    assert found.by(0) == {"logs": {"rule": 1}, "spills": {status: 1}}
    assert found.by(1) == {"duty": {"rule": 1}, "limit": {status: 1}}


@pytest.mark.parametrize(
    ("status", "where", "said"),
    [
        ("judged", "", "has status judged and names nothing; write what carries it, or why nothing should"),
        ("text", "", "has status text and names nothing; write what carries it, or why nothing should"),
        ("outside", " ", "has status outside and names nothing; write what carries it, or why nothing should"),
        ("text", "the plan as a document", "says 'the plan as a document'; begin with what it is, one of entry, fact, event, thing, paper, role, as in 'fact spill.county'"),
        ("text", "paper spil_report", "names the paper 'spil_report', and there is none; did you mean 'spill_report'?"),
        ("judged", "fact spill.colour", "names the fact 'spill.colour', and there is none"),
        ("text", "event call; thing statoin", "names the thing 'statoin', and there is none; did you mean 'station'?"),
        ("unread", "b.kept", "is unread and yet names 'b.kept'; give it the status of what carries it, or name nothing"),
    ],
)  # fmt: skip
def test_a_row_that_names_nothing_or_what_is_not_there_is_named(tmp_path, status, where, said):
    (problem,) = covered(tmp_path, row(status, where)).problems
    assert problem.startswith(f"b register.tsv: X-2 {said}")


@pytest.mark.parametrize("origin", ["", "engine: what it said", "Sewershed's own output"])
def test_an_entry_that_no_case_from_outside_works_is_named(tmp_path, origin):
    (problem,) = covered(tmp_path, origin=origin).problems
    assert problem.startswith("b.kept: no worked case names it")


def test_a_case_of_another_place_works_nothing_here(tmp_path):
    other = tmp_path / "c"
    (other / "cases").mkdir(parents=True)
    (other / "rulebook.toml").write_text(IDENTITY.replace('"b"', '"c"'))
    (other / "rules.toml").write_text(ENTRY.replace("b.kept", "c.kept").replace('covers = ["X-1"]\n', ""))
    (other / "cases/rules.toml").write_text(CASE.format(origin="1").replace('book = "b"', 'book = "c"'))
    book = tmp_path / "b"
    book.mkdir()
    (book / "rulebook.toml").write_text(IDENTITY)
    (book / "rules.toml").write_text(ENTRY.replace('covers = ["X-1"]\n', ""))
    library = load(programs(), [book, other])
    cases = read_cases(other / "cases")
    assert coverage(library.books["c"], library, cases, []).problems == ()
    (problem,) = coverage(library.books["b"], library, cases, []).problems
    assert problem.startswith("b.kept: no worked case names it")


def test_what_rests_on_memory_is_named_apart(tmp_path):
    found = covered(tmp_path, entry=ENTRY + 'certainty = "memory"\nnote = "to be read"\n')
    assert found.problems == ()
    assert found.unverified == ("b.kept",)


def test_a_case_stands_with_each_entry_that_it_names(tmp_path: Path) -> None:
    """By what the entry answers, by its id, under about; a case that names something else stands with none."""
    book = tmp_path / "b"
    (book / "cases").mkdir(parents=True)
    (book / "rulebook.toml").write_text(IDENTITY)
    (book / "rules.toml").write_text(ENTRY.replace('covers = ["X-1"]\n', ""))
    more = (
        '[[case]]\nid = "by about"\nlike = "kept"\nabout = ["b.kept"]\nexpect.todo = []\n'
        '[[case]]\nid = "of nothing"\nlike = "kept"\nexpect.todo = []\n'
    )
    (book / "cases/rules.toml").write_text(CASE.format(origin="the text itself") + more)
    entries = load(programs(), [book]).books["b"].entries.values()
    found = cases_by_entry(entries, read_cases(book / "cases"))
    assert {entry: [one.id for one in cases] for entry, cases in found.items()} == {"b.kept": ["kept", "by about"]}
