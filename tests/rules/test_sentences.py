"""Entries as sentences: each kind says what the book says, reading by reading, and nothing that it does not say."""

from __future__ import annotations

from pathlib import Path

import pytest

from sewershed.rules.doors import provider
from sewershed.rules.library import Library, Program, load
from sewershed.rules.sentences import conditions, editions

VOCABULARY = """
[asks]
depth_ft = { type = "number", unit = "ft" }
[parameters]
zinc = { unit = "mg/L" }
[things.house]
means = "A house"
[things.house.facts]
width_ft = { type = "number", unit = "ft" }
use = { type = "choice", of = ["home", "shop"] }
[events.notice]
on = "house"
[events.repair]
on = "house"
data.good = { type = "bool" }
[events.sample_result]
on = "house"
data.parameter = { type = "text" }
data.value = { type = "number" }
data.unit = { type = "text" }
data.qualifier = { type = "text" }
data.method = { type = "text" }
data.sample_type = { type = "text" }
data.point = { type = "text" }
data.statistic = { type = "text" }
"""
IDENTITY = """
id = "b"
name = "B"
time_zone = "America/New_York"
edition = "1"
[roles]
owner = "the owner"
town = "the town"
"""
RULES = """
[[duty]]
id = "d"
cites = ["1"]
means = "Repair it"
who = "owner"
to = "town"
on = "house"
opens = { event = "notice", when = "house.use == 'shop'", once = [] }
due = [ { if = "house.width_ft > 5", within = "14 days" }, { within = "1 month", roll = "next" } ]
met_by = { event = "repair", when = "event.good" }
stayed_by = { from = "notice", to = "repair", effect = "hold" }
reading_of = "D-1"
readings = [ { name = "as it stands" }, { name = "at once", due = { at_once = true } } ]
breach = { penalty = ["p"], grace = "6 days" }

[[duty]]
id = "e"
cites = ["2"]
means = "Report"
who = "owner"
on = "house"
opens = { while = "house.use == 'shop'", from = "day('2024-01-01')" }
due = { each = "month", within = "1 day" }
met_by = { event = "repair" }

[[duty]]
id = "f"
cites = ["2"]
means = "Repair three times"
who = "owner"
on = "house"
opens = { event = "notice" }
due = { each = "month" }
met_by = { event = "repair", at_least = 3, distinct = "event.good" }

[[duty]]
id = "g"
cites = ["2"]
means = "Repair it in the longer time"
who = "owner"
on = "house"
if_unknown = "treat_as_owed"
opens = { event = "notice" }
due = { latest = [ { within = "5 days" }, { within = "1 month" } ] }
met_by = { event = "repair", ever = true }

[[penalty]]
id = "q"
cites = ["9"]
means = "Step by step"
for = ["e"]
ladder = [100, 250]
then = "250 * n"

[[penalty]]
id = "r"
cites = ["9"]
means = "A day"
for = ["f"]
per = "day"
part = "full"
amount = 50

[[doubt]]
id = "D-1"
about = ["d"]
choices = ["as it stands", "at once"]
applied = "as it stands"
settle_by = "town"
means = "When"

[[value]]
id = "v"
cites = ["3"]
means = "Wide"
as = "house.is_wide"
type = "bool"
cases = [ { if = "house.width_ft > 5", is = true } ]
otherwise = false

[[value]]
id = "t"
cites = ["4"]
means = "Deep"
as = "depth_ft"
type = "number"
unit = "ft"
silent = true

[[limit]]
id = "l"
cites = ["5"]
means = "Zinc"
parameter = "zinc"
unit = "mg/L"
max = 0.5
method = "200.7"

[[standard]]
id = "s"
cites = ["6"]
means = "Wide enough"
on = "house"
test = "house.is_wide"

[[act]]
id = "a"
cites = ["7"]
means = "Repair after notice"
acts = ["repair"]
by = ["owner"]
needs = [ { event = "notice", lead = "72 hours" } ]
else = "void"

[[status]]
id = "u"
cites = ["8"]
means = "Its state"
as = "house.state"
states = ["new", "mended"]
start = "new"
steps = [ { event = "repair", from = ["new"], to = "mended", if = "event.good" } ]

[[calc]]
id = "c"
cites = ["10"]
means = "Tall"
function = "tall"
as = "house.is_tall"
type = "bool"
asks = { at_least = 3, sorts = ["a", "b"] }

[[penalty]]
id = "p"
cites = ["9"]
means = "A week"
for = ["d"]
per = "week"
amount = 100
"""


@provider(
    asks={"at_least": {"type": "number"}, "sorts": {"type": "list", "item": {"type": "text"}}}, result={"type": "bool"}
)
def tall(asks, view, thing, moment):
    """Tells whether a house is tall; nobody runs it here."""
    return False, ()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("b")
    (folder / "vocabulary.toml").write_text(VOCABULARY)
    book = folder / "book"
    book.mkdir()
    (book / "rulebook.toml").write_text(IDENTITY)
    (book / "rules.toml").write_text(RULES)
    return load([Program(Path(folder / "vocabulary.toml"), (), (tall,))], [book])


def said(library: Library, entry: str) -> list[list[str]]:
    return [[f"{name}: {text}" for name, text in lines] for _, _, lines in editions(library.books["b"].entries[entry])]


def test_a_duty_says_who_what_opens_and_meets_it_and_by_when_in_each_reading(library):
    shared = [
        "whose: owner, toward town",
        "on: house",
        "opened by: notice where house.use == 'shop'",
        "opened once: and never again for the same thing",
    ]
    ends = [
        "met by: repair where event.good",
        "stayed by: notice until repair: the date runs on, enforcement waits",
        "exposes to: p, after 6 days of grace",
    ]
    assert [name for _, name, _ in editions(library.books["b"].entries["d"])] == ["as it stands", "at once"]
    assert said(library, "d") == [
        [
            *shared,
            "due: within 14 days if house.width_ft > 5",
            "due: within 1 month, moved to the next business day",
            *ends,
        ],
        [*shared, "due: at once; the text gives no number", *ends],
    ]


@pytest.mark.parametrize(
    ("entry", "lines"),
    [
        (
            "e",
            [
                "whose: owner", "on: house", "stands while: house.use == 'shop', from day('2024-01-01')",
                "due: for each month, within 1 day after it", "met by: repair",
            ],
        ),
        (
            "f",
            [
                "whose: owner", "on: house", "opened by: notice", "due: in each month",
                "met by: repair until a count comes to 3, each event.good once",
            ],
        ),
        ("v", ["answers what: house.is_wide (true/false)", "answers: yes if house.width_ft > 5", "answers: no otherwise"]),
        ("t", ["answers what: depth_ft (number in ft)", "says: nothing: it was read, and the text sets nothing"]),
        ("l", ["holds: zinc at most 0.5 mg/L", "measured: by method 200.7"]),
        ("s", ["on: house", "must hold: house.is_wide"]),
        (
            "a",
            ["judges: repair on house", "only by: owner", "needs: notice, at least 72 hours before", "else: it does not count"],
        ),
        (
            "u",
            ["the life of: house.state: new, mended; it begins as new", "step: with repair from new to mended if event.good"],
        ),
        ("c", ["works out: house.is_tall (true/false)", "by: tall", "with: at_least = 3", "with: sorts = a, b"]),
        ("p", ["for: d", "amount: 100 a week"]),
        ("q", ["for: e", "breach by breach: 100, 250, then 250 * n"]),
        ("r", ["for: f", "amount: 50 a day, a part counts in full"]),
        (
            "g",
            [
                "whose: owner", "on: house", "opened by: notice", "if unknown: treated as owed: report if in doubt",
                "due: the latest of: within 5 days; within 1 month", "met by: repair (also before it was opened)",
            ],
        ),
    ],
)  # fmt: skip
def test_each_kind_says_what_the_book_says(library, entry, lines):
    assert said(library, entry) == [lines]


def test_the_conditions_of_an_entry_reach_into_what_gives_the_facts_they_read(library):
    entries = library.books["b"].entries
    assert sorted(one.source for one in conditions(entries["s"], entries)) == ["house.is_wide", "house.width_ft > 5"]
