"""The rulebooks from the command line: sound ones, one with mistakes, their doubts, an entry as sentences."""

from __future__ import annotations

import json
from pathlib import Path

BOOK = """
id = "test"
name = "Testville"
time_zone = "America/New_York"
edition = "1"
[roles]
orc = "operator"
"""
ENTRIES = """
[[duty]]
id = "test.tell"
cites = ["1-1"]
means = "Tell the state"
who = "orc"
on = "spill"
opens = { event = "spill_confirmed" }
due = { within = "twenty hours" }
met_by = { event = "state_tolled" }

[[standard]]
id = "test.wide"
cites = ["1-2"]
means = "Wide enough"
on = "pipe"
test = "pipe.diamter_in > 5"
"""


def write_book(folder: Path, entries: str) -> Path:
    folder.mkdir()
    (folder / "rulebook.toml").write_text(BOOK)
    (folder / "rules.toml").write_text(entries)
    return folder


def test_the_books_that_ship_are_sound(run):
    books = [json.loads(line) for line in run("rules", "check", "--json").stdout.splitlines()]
    by_id = {book["id"]: book for book in books}
    assert set(by_id) >= {"us", "us.nc", "us.nc.spring_hope", "us.nh", "us.nh.hampton"}
    assert sum(by_id["us.nc.spring_hope"]["clauses"].values()) == 1062  # rows of the register, its head not counted
    assert run("rules", "check").stdout.splitlines()[-1].endswith(": all sound.")


def test_a_place_is_checked_with_its_parents(run):
    books = [json.loads(line)["id"] for line in run("rules", "check", "us.nh.hampton", "--json").stdout.splitlines()]
    assert sorted(books) == ["us", "us.nh", "us.nh.hampton"]


def test_every_problem_is_named_at_once(run, tmp_path):
    write_book(tmp_path / "town", ENTRIES)
    result = run("rules", "check", "--books", ".", status=1)
    assert "town/rules.toml" in result.stdout
    assert "test.tell: bad span 'twenty hours'" in result.stdout
    assert "test.tell: unknown event 'state_tolled'; did you mean 'state_told'?" in result.stdout
    assert "pipe has no 'diamter_in'; did you mean 'diameter_in'?" in " ".join(result.stdout.split())
    assert result.stdout.splitlines()[-1] == "3 problems: no book is used until they are mended."
    lines = [json.loads(line) for line in run("rules", "check", "--books", ".", "--json", status=1).stdout.splitlines()]
    assert [line["file"] for line in lines] == ["town/rules.toml"] * 3


def test_words_of_a_paper_that_are_none_are_a_problem(run, tmp_path):
    book = write_book(tmp_path / "test", "")
    (book / "forms").mkdir()
    (book / "forms/notice.toml").write_text("")
    said = " ".join(run("rules", "check", "test", "--books", str(book), status=1).stdout.split())
    assert "test/forms/notice.toml - 'paper' is missing: say whose words these are; there are press_release, " in said
    assert said.endswith("1 problem: no book is used until they are mended.")


def test_a_book_without_doubts_says_that_none_is_written_down(run, tmp_path):
    book = write_book(tmp_path / "test", "")
    said = run("rules", "doubts", "test", "--books", str(book)).stdout
    assert said == (
        "\nNo doubt is written down for Testville: nobody has noted yet that its texts leave something open.\n"
    )


def test_other_questions_are_refused_while_books_have_problems(run, tmp_path):
    write_book(tmp_path / "town", ENTRIES)
    said = run("rules", "doubts", "test", "--books", ".", status=3).stderr
    assert said.startswith("3 problems in the rulebooks: none is used until they are mended.\n")


def test_worked_cases_are_run_when_asked(run, tmp_path):
    folder = write_book(
        tmp_path / "town", ENTRIES.partition("[[standard]]")[0].replace("twenty", "20").replace("tolled", "told")
    )
    (folder / "cases").mkdir()
    (folder / "cases" / "a.toml").write_text(
        '[given]\nbook = "test"\n[[case]]\nid = "told"\norigin = "hand"\nfacts.s = { _type = "spill", location = "here" }\n'
        'events = [{ id = "k", event = "spill_confirmed", subject = "s", at = "2024-03-08T16:00" }]\n'
        'as_of = "2024-03-08T17:00"\nexpect.obligations = [{ rule = "test.tell", state = "met" }]\n'
    )
    assert run("rules", "check", "test", "--books", ".").stdout.endswith("1 book, 1 entry: all sound.\n")
    said = run("rules", "check", "test", "--books", ".", "--cases", status=1).stdout
    assert "! a told: " in said
    assert said.endswith("1 book, 1 entry, 1 worked case: 1 came out otherwise.\n")


NOTED = """
[[value]]
id = "test.kept"
cites = ["1-3"]
means = "Kept three years"
as = "retention_log_years"
type = "number"
unit = "years"
is = 3
"""


def test_what_should_not_be_taken_at_its_word_is_noted_and_is_no_problem(run, tmp_path):
    folder = write_book(tmp_path / "town", NOTED + 'certainty = "memory"\nnote = "look it up"\n')
    said = run("rules", "check", "test", "--books", ".").stdout.splitlines()
    noted = said[said.index("Unverified  1: from memory: check before relying on it") :]
    assert noted == [
        "Unverified  1: from memory: check before relying on it",
        "  - test.kept: look it up",
        "",
        "Not worked  1: no worked case from outside our engine names them",
        "  - test.kept: no worked case names it, or what it answers",
        "",
        "Noted: 0 uncited, 1 unverified, 0 doubtful, 0 overlapping, 1 not worked. A note is no problem;",
        "--strict makes it one.",
        "",
        "1 book, 1 entry: all sound.",
    ]
    assert run("rules", "check", "test", "--books", ".", "--strict", status=1).stdout.splitlines() == said
    (book,) = map(json.loads, run("rules", "check", "test", "--books", ".", "--json").stdout.splitlines())
    assert book["notes"] == [
        {"kind": "unverified", "entry": "test.kept", "file": "town/rules.toml", "says": "look it up"},
        {"kind": "not_worked", "entry": "test.kept", "file": "town/rules.toml", "says": "no worked case names it, or what it answers"},
    ]  # fmt: skip
    (folder / "cases").mkdir()
    (folder / "cases" / "a.toml").write_text(
        '[given]\nbook = "test"\n[[case]]\nid = "kept"\norigin = "1-3"\nfacts.t = { _type = "town" }\nas_of = "2024-01-01"\n'
        'expect.answers = [{ name = "retention_log_years", is = 3 }]\n'
    )
    (folder / "rules.toml").write_text(NOTED)
    assert "Noted: 0 uncited, 0 unverified, 0 doubtful, 0 overlapping, 0 not worked." in run(
        "rules", "check", "test", "--books", ".", "--strict"
    ).stdout.replace("\n", " ")


def test_worked_cases_that_cannot_be_read_are_a_problem(run, tmp_path):
    folder = write_book(tmp_path / "town", NOTED)
    (folder / "cases").mkdir()
    (folder / "cases" / "a.toml").write_text("[[case]")
    said = run("rules", "check", "test", "--books", ".", status=1).stdout
    assert "! a.toml: cannot be read: " in said
    assert said.endswith("1 book, 1 entry: 1 problem in the worked cases.\n")


def test_the_books_that_ship_have_each_entry_worked(run):
    books = map(json.loads, run("rules", "check", "--json").stdout.splitlines())
    noted = [(one["kind"], one["entry"]) for book in books for one in book["notes"]]
    assert ("unverified", "us.nc.regional_office_phone") in noted
    assert ("doubtful", "us.nc.spring_hope.spill.tell") in noted
    assert ("uncited", "D-SH-C01") in noted
    assert [entry for kind, entry in noted if kind == "not_worked"] == []


def test_a_place_that_is_not_there(run):
    said = run("rules", "doubts", "us.nc.spring_hop", status=3).stderr
    assert said.startswith("no rulebook 'us.nc.spring_hop'; did you mean 'us.nc.spring_hope'?")


def test_doubts_say_their_readings_and_who_settles_them(run):
    doubts = {
        one["id"]: one
        for one in map(json.loads, run("rules", "doubts", "us.nc.spring_hope", "--json").stdout.splitlines())
    }
    assert doubts["D-SH-04"]["choices"] == ["first knowledge", "confirmation"]
    assert doubts["D-SH-04"]["applied"] == "first knowledge"
    said = run("rules", "doubts", "us.nc.spring_hope").stdout
    assert "    * first knowledge (applied until settled)\n    - confirmation\n" in said
    assert "settled by the town manager; touches us.nc.spring_hope.spill.tell" in said


def test_a_doubt_that_no_entry_reads_says_so(run):
    said = run("rules", "doubts", "us.nc.spring_hope").stdout
    blocks = {block.split()[0]: " ".join(block.split()) for block in said.strip().split("\n\n")}
    unread = "No entry reads it one way or the other: it is shown, and nothing follows from deciding it."
    assert {name for name, block in blocks.items() if unread in block} == {"D-SH-14", "D-SH-C07", "D-NC-HOLIDAYS"}
    facts = map(json.loads, run("rules", "doubts", "us.nc.spring_hope", "--json").stdout.splitlines())
    read_by = {one["id"]: one["read_by"] for one in facts}
    assert read_by["D-SH-14"] == []
    assert read_by["D-SH-36"] == ["us.nc.spring_hope.backflow.restaurant_assembly"]
    said = " ".join(run("rules", "check").stdout.split())
    assert "of which no entry reads D-SH-C07, D-SH-14: nothing follows from deciding them" in said


def test_an_entry_is_shown_as_sentences(run):
    said = run("rules", "show", "us.nc.spring_hope.spill.tell").stdout
    assert "SORP III.A.3; SORP III.B.5" in said
    assert "read as “first knowledge”, applied until settled\n  due  within 24 hours\n" in said
    assert "read as “confirmation”\n  due  within 24 hours of first('spill_confirmed', " in said
    facts = json.loads(run("rules", "show", "us.nc.spring_hope.spill.tell", "--json").stdout)
    assert [one["reading"] for one in facts["editions"]] == ["first knowledge", "confirmation"]
    assert ["whose", "orc, toward regional_office"] in facts["editions"][0]["says"]


def test_an_entry_goes_by_the_last_words_of_its_id_where_only_one_ends_so(run):
    assert run("rules", "show", "spill.written").stdout.startswith("us.nc.spring_hope.spill.written  duty")
    said = run("rules", "show", "spill.tell", status=3).stderr
    assert said.splitlines()[1:] == ["  us.nc.spill.tell", "  us.nc.spring_hope.spill.tell"]
    assert run("rules", "show", "spill.writen", status=3).stderr.startswith("no rulebook has an entry 'spill.writen'")


def test_every_entry_that_ships_can_be_shown(run):
    from sewershed.cli.shelf import load
    from sewershed.rules.sentences import editions

    library = load()
    said = {entry.id: editions(entry) for book in library.books.values() for entry in book.entries.values()}
    assert len(said) > 150
    assert [name for name, found in said.items() if not found or not all(lines for _, _, lines in found)] == []
