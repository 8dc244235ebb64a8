"""The page of the rulebook is true: its examples load and come out as it says, its tables are those of the code.

The dates and states on the page were worked out by hand, on a calendar. What stands there is held against the engine,
never taken from it.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from sewershed.programs import connections, pretreatment
from sewershed.rules.cases import read_cases, run_case
from sewershed.rules.given import Given, instant_asked
from sewershed.rules.library import Library, Program, load
from sewershed.rules.moments import day_of, read_moment
from sewershed.rules.world import World

HOUSE = Path(__file__).parents[2]
PAGE = (HOUSE / "docs/explanation/rulebook.md").read_text("utf-8")
RULES = HOUSE / "src/sewershed/rules"
TOWN = "wm.alder_creek"
CASES = "rulebooks/wm/alder_creek/cases/spills.toml"
EXAMPLE = re.compile(r"^```toml\n# (\S+)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
TOML = re.compile(r"^```toml$", flags=re.MULTILINE)
CLOCK = re.compile(r"^\| `([{\[].*?[}\]])` \| `([^`]+)` \| (?:`([^`]+)`|no date) \|", flags=re.MULTILINE)
MESSAGE = re.compile(r"^\|[^|]*\| `([^|]*)` \|$", flags=re.MULTILINE)
MODULES = re.compile(r"`([a-z_/]+)`")


def section(title: str) -> str:
    """Returns the text of a section of the page, which must be there."""
    found = re.search(rf"^## \d+ {re.escape(title)}$(.*?)(?=^## |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL)
    assert found, f"the page has no section {title!r}"
    return found[1]


def laid_out(folder: Path) -> list[Path]:
    """Writes the page's examples into their files and returns the folders of its rulebooks."""
    files: dict[str, list[str]] = {}
    for name, text in EXAMPLE.findall(PAGE):
        files.setdefault(name, []).append(text)
    for name, texts in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(texts), "utf-8")
    return sorted(path.parent for path in folder.rglob("rulebook.toml"))


def loaded(folder: Path, books: list[Path]) -> Library:
    first, *rest = sorted(folder.glob("programs/*/vocabulary.toml"))
    return load([Program(first, connections.FUNCTIONS, pretreatment.PROVIDERS), *(Program(one) for one in rest)], books)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("page")
    return loaded(folder, laid_out(folder))


def world(library: Library, facts: dict[str, Any], events: list[dict[str, Any]], as_of: str) -> World:
    book = library.books[TOWN]
    given = Given(book.vocabulary, book.zone)
    given.take(facts, events)
    return World(library, TOWN, given, instant_asked(as_of, book.zone))


# --------------------------------------------------------------------------- the examples


def test_every_example_says_in_which_file_it_stands() -> None:
    assert len(EXAMPLE.findall(PAGE)) == len(TOML.findall(PAGE)) > 20


def test_examples_load_and_show_every_kind(library: Library) -> None:
    kinds = {entry.kind for entry in library.entries(TOWN).values()}
    assert kinds == {"value", "limit", "duty", "standard", "act", "status", "penalty", "calc"}
    assert library.doubts(TOWN)


def test_cases_of_the_page_come_out(library: Library, tmp_path: Path) -> None:
    laid_out(tmp_path)
    cases = read_cases(tmp_path / CASES)
    assert {case.id: run_case(case, library=library) for case in cases} == {case.id: [] for case in cases}
    assert len(cases) >= 2


# --------------------------------------------------------------------------- the story


def test_why_is_in_the_words_of_the_engine(library: Library, tmp_path: Path) -> None:
    laid_out(tmp_path)
    told = read_cases(tmp_path / CASES)[-1]
    story = world(library, dict(told.facts), list(told.events), told.as_of)
    blocks = re.findall(r"^```text\n(.*?)^```$", section("How a verdict is made"), flags=re.MULTILINE | re.DOTALL)
    keys = [f"{TOWN}.spill.tell|s1|k1", f"{TOWN}.spill.tell_counts|s1|k4"]
    assert len(blocks) == len(keys)
    for key, block in zip(keys, blocks, strict=True):
        why = story.why(key)
        assert why is not None
        steps = [line.strip() for line in block.splitlines() if line.startswith("  ")]
        assert steps
        assert [step for step in steps if step not in why.steps] == []
        assert why.means in block
        assert ", ".join(why.cites) in block
        assert why.edition in block


# --------------------------------------------------------------------------- the clocks


def test_every_clock_of_the_table_gives_the_date_beside_it(tmp_path: Path) -> None:
    rows = CLOCK.findall(section("Time"))
    assert len(rows) >= 15
    books = laid_out(tmp_path)
    head = 'cites = ["1"]\nwho = "siu"\non = "permit"\nopens = { event = "permit_issued" }'
    duties = [f'[[duty]]\nid = "{TOWN}.clock{n}"\n{head}\ndue = {due}' for n, (due, _, _) in enumerate(rows)]
    (books[-1] / "clocks.toml").write_text("\n".join(duties), "utf-8")
    library = loaded(tmp_path, books)
    zone = library.books[TOWN].zone
    given = {}
    for n, (due, opened, _) in enumerate(rows):
        issued = {"expires_on": date(2024, 12, 31), "days": 12}
        events = [
            {"id": "n", "event": "permit_issued", "subject": "p", "at": opened, "data": issued},
            {"id": "a", "event": "permit_amended", "subject": "p", "at": "2024-03-04"},
        ]
        later = day_of(read_moment(opened, zone), zone) + timedelta(days=32)
        asked = world(library, {"p": {"_type": "permit"}}, events, later.isoformat())
        found = [one for one in asked.obligations("p") if one.rule == f"{TOWN}.clock{n}"]
        given[due] = asked.say(found[0].due) if found and found[0].due else ""
    assert given == {due: said for due, _, said in rows}


# --------------------------------------------------------------------------- messages and modules


def test_the_loader_says_what_the_table_says() -> None:
    files = (HOUSE / "tests/rules/bad").rglob("*.toml")
    lines = [line for path in files for line in path.read_text("utf-8").splitlines()]
    expected = {line.removeprefix("# expect: ") for line in lines if line.startswith("# expect: ")}
    table, _, _ = section("What the loader says").partition("when a row is entered")
    assert expected
    assert set(MESSAGE.findall(table)) == expected, (
        "each bad book has its line in the table, and each line its bad book"
    )


def test_a_row_is_refused_in_the_words_of_the_table() -> None:
    cases = "".join(path.read_text("utf-8") for path in sorted((HOUSE / "tests/cases/engine").glob("*.toml")))
    _, _, table = section("What the loader says").partition("when a row is entered")
    messages = MESSAGE.findall(table)
    assert len(messages) >= 5
    assert [message for message in messages if f'expect.error = "{message}"' not in cases] == []


def missing_and_unknown(text: str, modules: set[str]) -> tuple[set[str], set[str]]:
    """Returns the modules that a text does not name, and what it names that is no module."""
    named = set(MODULES.findall(text))
    return modules - named, named - modules


def test_the_guard_of_modules_finds_a_missing_and_an_invented_one() -> None:
    assert missing_and_unknown("| spans | `spans` |\n| tides | `tides` |", {"spans", "view"}) == ({"view"}, {"tides"})


def test_each_module_of_the_engine_has_its_idea() -> None:
    paths = [path.relative_to(RULES).with_suffix("") for path in RULES.rglob("*.py")]
    modules = {str(path) for path in paths if path.name != "__init__" and path.parts[0] != "conditions"}
    table = "\n".join(
        line.split("|")[2] for line in section("Where each idea lives in the code").splitlines() if "|" in line
    )
    assert missing_and_unknown(table.replace("`__init__`", ""), modules | {"conditions"}) == (set(), set())
