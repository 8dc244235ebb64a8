"""What is noted of a sound book, each note beside the smallest change after which it is not made."""

from __future__ import annotations

from pathlib import Path

import pytest

from sewershed.programs import programs
from sewershed.rules.cases import read_cases
from sewershed.rules.library import load
from sewershed.rules.notes import notes

IDENTITY = 'id = "b"\nname = "Testing"\ntime_zone = "America/New_York"\nedition = "1"\n{more}[roles]\nowner = "owner"\n'
KEPT = '[[value]]\nid = "b.kept"\ncites = ["1"]\nmeans = "Kept three years"\nas = "retention_log_years"\ntype = "number"\nunit = "years"\nis = 3\n'
OTHER = KEPT.replace("b.kept", "b.other").replace(
    "retention_log_years", "retention_station_log_years"
)  # a doubt is about something
DOUBT = '[[doubt]]\nid = "D-1"\nabout = {about}\n{cites}means = "Open"\nchoices = ["a", "b"]\n{applied}settle_by = "owner"\n'
CASE = '[given]\nbook = "b"\n[[case]]\nid = "kept"\norigin = "{origin}"\nfacts.t = {{ _type = "town" }}\nas_of = "2024-01-01"\nexpect.answers = [{{ name = "retention_log_years", is = 3 }}]\n'
REGISTER = "id\tcite\ttopic\tkind\truns\tmeans\tstatus\twhere\nX-1\t1\tlogs\tduty\tfull\tKept three years\tunread\t\n"
ALL = ("uncited", "unverified", "doubtful", "overlapping", "not_worked")


def found(
    tmp_path: Path, entries: str, *, origin: str = "the text itself", register: str = "", more: str = ""
) -> list[tuple[str, str, str]]:
    """Returns the notes on a small book, worked by one case: kind, entry, what they say; without those on b.other."""
    book = tmp_path / "b"
    (book / "cases").mkdir(parents=True)
    (book / "rulebook.toml").write_text(IDENTITY.format(more=more))
    (book / "rules.toml").write_text(entries)
    (book / "cases/rules.toml").write_text(CASE.format(origin=origin))
    if register:
        (book / "register.tsv").write_text(register)
    library = load(programs(), [book])
    made = notes(library.books["b"], library, read_cases(book / "cases"))
    assert all(one.kind in ALL and one.file == "b/rules.toml" for one in made)
    return [(one.kind, one.entry, one.says) for one in made if one.entry != "b.other"]


def doubt(about: str = '["b.other"]', cites: str = 'cites = ["2"]\n', applied: str = 'applied = "a"\n') -> str:
    return OTHER + DOUBT.format(about=about, cites=cites, applied=applied)


def test_of_an_entry_that_is_cited_verified_clear_and_worked_nothing_is_noted(tmp_path):
    assert found(tmp_path, KEPT) == []


# ------------------------------------------------------------------------------------------------ uncited


def test_citations_that_are_blank_and_a_doubt_without_any(tmp_path):
    said = found(tmp_path, KEPT.replace('["1"]', '[" "]') + doubt(cites=""))
    assert said == [("uncited", "b.kept", "cites nothing"), ("uncited", "D-1", "cites nothing")]


def test_in_a_book_with_a_register_an_entry_covers_a_row_of_it(tmp_path):
    said = "cites 1, and covers no row of the register"
    assert found(tmp_path / "not", KEPT, register=REGISTER) == [("uncited", "b.kept", said)]
    covers = KEPT.replace("means", 'covers = ["X-1"]\nmeans', 1)
    assert found(tmp_path / "covers", covers, register=REGISTER) == []
    assert found(tmp_path / "doubt", covers + doubt(), register=REGISTER) == []  # a doubt need not


# ------------------------------------------------------------------------------------------------ unverified


def test_from_memory_with_its_note_or_what_it_means(tmp_path):
    memory = KEPT + 'certainty = "memory"\n'
    assert found(tmp_path / "plain", memory) == [("unverified", "b.kept", "Kept three years")]
    assert found(tmp_path / "noted", memory + 'note = "look it up"\n') == [("unverified", "b.kept", "look it up")]
    assert found(tmp_path / "held", KEPT + 'certainty = "verified"\n') == []


# ------------------------------------------------------------------------------------------------ doubtful


@pytest.mark.parametrize(
    ("more", "about"),
    [('doubts = ["D-1"]\n', '["b.other"]'), ("", '["b.kept"]'), ('doubts = ["D-1"]\n', '["b.kept"]')],
    ids=["it names the doubt", "the doubt is about it", "both"],
)
def test_touched_by_a_doubt(tmp_path, more, about):
    applied, open_ = "D-1, read as “a” until settled", "D-1, not read either way until settled"
    assert found(tmp_path / "applied", KEPT + more + doubt(about)) == [("doubtful", "b.kept", applied)]
    assert found(tmp_path / "open", KEPT + more + doubt(about, applied="")) == [("doubtful", "b.kept", open_)]


def test_with_readings_of_one(tmp_path):
    read = KEPT.replace("is = 3\n", 'reading_of = "D-1"\nreadings = [{ name = "a", is = 3 }, { name = "b", is = 4 }]\n')
    assert found(tmp_path, read + doubt()) == [("doubtful", "b.kept", "D-1, read as “a” until settled")]


def test_a_doubt_about_another_does_not_touch_it(tmp_path):
    assert found(tmp_path, KEPT + doubt()) == []


@pytest.mark.parametrize(("span", "is_doubtful"), [("30 days?", True), ("30 days", False), ("30 hours", False)])
def test_days_that_the_text_does_not_name(tmp_path, span, is_doubtful):
    days = '[clock]\nunsaid_days = { read = "calendar", doubt = "D-1" }\n'
    duty = f'[[duty]]\nid = "b.tell"\ncites = ["1"]\nmeans = "Tell"\nwho = "owner"\non = "spill"\nopens = {{ event = "spill_confirmed" }}\ndue = {{ within = "{span}" }}\nmet_by = {{ event = "state_told" }}\n'
    calendar = doubt(applied='applied = "calendar"\n')
    said = found(tmp_path, duty + calendar.replace('["a", "b"]', '["calendar", "business"]'), more=days)
    doubtful = ("doubtful", "b.tell", "D-1, read as “calendar” until settled")
    assert said == [*([doubtful] if is_doubtful else []), ("not_worked", "b.tell", "no worked case names it, or what it answers")]  # fmt: skip


# ------------------------------------------------------------------------------------------------ overlapping, not worked


def test_two_that_give_one_fact_are_noted_under_the_first(tmp_path):
    life = '[[status]]\nid = "b.life"\ncites = ["1"]\nmeans = "x"\nas = "station.state"\nstates = ["up"]\nstart = "up"\nsteps = [{ event = "station_failed", to = "up", set = { down_on = "event.day" } }]\n'
    value = '[[value]]\nid = "b.down"\ncites = ["1"]\nmeans = "x"\nas = "station.down_on"\ntype = "date"\nis = "day(\'2024-01-01\')"\n'
    said = [one for one in found(tmp_path, life + value) if one[0] != "not_worked"]
    assert said == [("overlapping", "b.life", "with b.down: both give station.down_on")]


@pytest.mark.parametrize(("origin", "is_worked"), [("the text itself", True), ("engine: what it said", False)])
def test_a_case_counts_where_its_value_is_not_ours(tmp_path, origin, is_worked):
    said = [("not_worked", "b.kept", "no worked case names it, or what it answers")]
    assert found(tmp_path, KEPT, origin=origin) == ([] if is_worked else said)


def test_a_case_of_another_place_works_nothing(tmp_path):
    other = tmp_path / "c"
    (other / "cases").mkdir(parents=True)
    (other / "rulebook.toml").write_text(IDENTITY.format(more="").replace('"b"', '"c"'))
    (other / "rules.toml").write_text(KEPT.replace("b.kept", "c.kept"))
    (other / "cases/rules.toml").write_text(CASE.format(origin="1").replace('book = "b"', 'book = "c"'))
    book = tmp_path / "b"
    book.mkdir()
    (book / "rulebook.toml").write_text(IDENTITY.format(more=""))
    (book / "rules.toml").write_text(KEPT)
    library = load(programs(), [book, other])
    cases = read_cases(other / "cases")
    assert [one.entry for one in notes(library.books["b"], library, cases)] == ["b.kept"]
    assert notes(library.books["c"], library, cases) == []
