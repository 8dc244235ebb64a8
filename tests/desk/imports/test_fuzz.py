"""Lists that are broken in every way go through plan, applying and undoing: nothing breaks, nothing is half in, all adds up."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from sewershed.exchange import sheet as files_out
from sewershed.ledger import actions, batches, files, importing, log, working
from sewershed.ledger.errors import Refused
from sewershed.ledger.importing import Kind, ListRefused, Recipe, Sheet
from sewershed.ledger.models import Account, Thing
from sewershed.ledger.verify import verify
from tests.desk.imports.test_imports import CLEANED, STATIONS, VISITS, follows
from tests.trials import IS_SOAK, trials

FILES = 2000  # in the soak
LISTS = Path(__file__).parents[2] / "exchange" / "lists"
KINDS = (("station", ""), ("", "station_visited"), ("interceptor", ""), ("", "interceptor_serviced"), ("premises", ""), ("pipe", ""),
         ("", "line_cleaned"), ("assembly", ""), ("tester", ""), ("person", ""), ("account", ""))  # fmt: skip
ODD = (
    "", " ", "0", "-1", "1e308", "9" * 60, "NaN", "½", "٣", "1,5", "1.000,5", "0x10", "true", "maybe", "n/a", "TBD", "?", "-", "2024-02-30", "13/45/2009",
    "0000-00-00", "9999-12-31", "3/4/24", "45366", "2024-03-10 02:30", "2024-11-03 01:30", "25:61", "12:00 xm", "=1+1", "=cmd|' /C calc'!A0", "+1", "@x",
    "<script>alert(1)</script>", "{{ 7*7 }}", "' OR 1=1 --", "a\nb", 'a"b', "\u202eexe", "é" * 300, "x" * 5000, "😀", "Mill", "mill ", "Branch Street", "st1",
    "__class__", "_source_id", "\ufeff", "\\", "Total", "None", "1;2;3",
)  # fmt: skip


@dataclass(frozen=True)
class Given:
    """A file as it is sent."""

    content: bytes
    name: str


def seeds() -> list[Given]:
    found = [Given(STATIONS, "stations.csv"), Given(VISITS, "rounds.csv"), Given(CLEANED, "cleaned.csv")]
    return found + [Given(path.read_bytes(), path.name) for path in sorted(LISTS.iterdir()) if path.suffix != ".md"]


def mutated(seed: Given, draw: random.Random) -> Given:
    """Returns a file broken in its bytes, or in its lines and cells."""
    if seed.name.endswith(".xlsx") and draw.random() < 0.5:
        return Given(_bytes(seed.content, draw), seed.name)
    try:
        rows = _rows(seed)
    except ListRefused:
        rows = [["Name"], ["x"]]
    for _ in range(draw.randint(1, 6)):
        _change(rows, draw)
    if draw.random() < 0.25:
        content, name = files_out.xlsx_bytes(rows[0], rows[1:]), "list.xlsx"
    else:
        text = io.StringIO()
        csv.writer(text, delimiter=draw.choice(",,,;\t|")).writerows(rows)
        content, name = (
            text.getvalue().encode(draw.choice(["utf-8", "utf-8-sig", "cp1252", "utf-16"]), "replace"),
            "list.csv",
        )
    return Given(
        _bytes(content, draw) if draw.random() < 0.2 else content, draw.choice([name] * 9 + ["list.txt", "list.xlsx"])
    )


def _rows(seed: Given) -> list[list[str]]:
    if seed.name.endswith(".xlsx"):
        sheet = importing.sheets_of(seed.content, seed.name)[0]
        return [list(sheet.columns), *([importing.in_text(cell) for cell in line.cells] for line in sheet.lines)]
    return list(csv.reader(io.StringIO(seed.content.decode("utf-8-sig", "replace"))))


def _change(rows: list[list[str]], draw: random.Random) -> None:
    place = draw.randrange(len(rows))
    row = rows[place]
    match draw.randrange(8):
        case 0:
            rows.insert(place, list(row))
        case 1:
            if len(rows) > 1:
                rows.pop(place)
        case 2:
            draw.shuffle(row)
        case 3:
            row.append(draw.choice(ODD))
        case 4:
            rows.insert(place, [draw.choice(ODD) for _ in row])
        case _:
            if row:
                row[draw.randrange(len(row))] = draw.choice(ODD)


def _bytes(content: bytes, draw: random.Random) -> bytes:
    found = bytearray(content)
    for _ in range(draw.randint(1, 8)):
        if not found:
            break
        place = draw.randrange(len(found))
        match draw.randrange(4):
            case 0:
                found[place] = draw.randrange(256)
            case 1:
                del found[place : place + draw.randint(1, 200)]
            case 2:
                found[place:place] = bytes(draw.randrange(256) for _ in range(draw.randint(1, 20)))
            case _:
                del found[place:]
    return bytes(found)


def recipe_of(sheet: Sheet, kind: Kind, admin: Account, draw: random.Random) -> Recipe:
    """Returns how somebody in a hurry would take a list: mostly as suggested, what is asked answered at random."""
    taken, fields = importing.suggested(sheet, kind, as_account=admin), importing.fields_of(kind, as_account=admin)
    columns = {one.column: one.target or "" for one in taken.matches}
    for column in columns:
        if draw.random() < 0.1:
            columns[column] = draw.choice(["", *fields])
    key = taken.key or ((draw.choice(sheet.columns),) if draw.random() < 0.8 else ())
    recipe = Recipe(
        thing="" if kind.event else kind.type.name,
        event=kind.event.name if kind.event else "",
        columns=columns,
        key=key,
    )
    needed = importing.needed(kind, recipe, as_account=admin)
    constants = {
        one.name: "town" if one.name == "town" else draw.choice(["Mill", "2014-01-16", *ODD])
        for one in needed
        if draw.random() < 0.7
    }
    recipe = (
        Recipe.read(recipe.text()[:-1] + "}")
        if not constants
        else Recipe(recipe.sheet, "", recipe.thing, recipe.event, columns, constants, key)
    )
    if importing.wanting(kind, recipe, sheet, as_account=admin):
        return recipe
    answers: dict[str, dict[str, str]] = {}
    for one in importing.asked(kind, recipe, sheet, as_account=admin):
        if one.choices:
            answers.setdefault(one.column, {})[one.kind] = draw.choice(one.choices).value
    return Recipe(recipe.sheet, "", recipe.thing, recipe.event, columns, constants, key, answers)


def through(given: Given, admin: Account, draw: random.Random) -> Iterator[str]:
    """Takes a file through all of it, and yields how far it came and what does not add up."""
    try:
        sheets = importing.sheets_of(given.content, given.name)
    except ListRefused:
        yield "refused"
        return
    sheet = draw.choice(sheets)
    likely = importing.likely(sheet, as_account=admin)
    kind = (
        draw.choice(likely)
        if likely and draw.random() < 0.5
        else importing.kind_named(*draw.choice(KINDS), as_account=admin)
    )
    recipe = recipe_of(sheet, kind, admin, draw)
    digest = files.sha256(given.content)
    try:
        plan = importing.plan_list(sheet, digest, given.name, recipe, as_account=admin)
    except Refused:
        yield "asked"
        return
    numbers = sorted(line.number for line in (*sheet.lines, *importing.broken_lines(sheet)))
    assert [one.number for one in plan.changes] == numbers
    assert sum(plan.counts.values()) == len(numbers)
    assert all(one.reasons for one in plan.changes if one.what == "refused")
    mend = list(csv.reader(io.StringIO(importing.not_read(sheet, plan).decode("utf-8-sig"))))
    assert len(mend) == plan.counts["refused"] + 1
    before, head = follows(), log.head()
    files.store(given.content)
    batch = actions.apply_batch(importing.with_not_read(sheet, plan), as_account=admin)
    rows = log.select_list("position > %s", [head.position])
    does = sum(bool(one.columns) for one in plan.changes)
    assert len(rows) == (does + 1 if does else 0)
    if not batch:
        yield "nothing"
        return
    again = importing.plan_list(sheet, digest, given.name, recipe, as_account=admin)
    assert {one.what for one in again.changes} <= {"same", "refused"}, [
        one for one in again.changes if one.what not in ("same", "refused")
    ]
    assert [one.number for one in again.changes if one.what == "refused"] == [
        one.number for one in plan.changes if one.what == "refused"
    ]
    actions.undo_batch(batch, as_account=admin, why="a trial")
    assert follows() == before
    yield "in"


@contextmanager
def again_from(said: str) -> Iterator[None]:
    """Says beside whatever goes wrong how to make it again."""
    try:
        yield
    except BaseException as error:
        error.add_note(said)
        raise


@pytest.mark.soak
def test_no_list_breaks_anything_however_it_is_broken(town, admin):
    stations = Recipe(
        thing="station", columns={"Lift Station Name": "name", "In Service": "in_service_since"}, key=("LS #",)
    )
    sheet = importing.sheets_of(STATIONS, "stations.csv")[0]
    actions.apply_batch(importing.plan_list(sheet, "", "stations.csv", stations, as_account=admin), as_account=admin)
    assert Thing.objects.filter(type="station", is_gone=False).count() >= 3
    seed = random.SystemRandom().randrange(10**9) if IS_SOAK else 4711
    came = dict.fromkeys(("refused", "asked", "nothing", "in"), 0)
    known = seeds()
    for number in range(trials(FILES)):
        draw = random.Random(seed * 10_000 + number)
        given = mutated(draw.choice(known), draw)
        with again_from(f"seed {seed}, file {number} ({given.name}, {len(given.content)} bytes)"):
            for how in through(given, admin, draw):
                came[how] += 1
    assert min(came["in"], came["refused"], came["asked"]) > trials(FILES) // 50, came
    assert verify().is_sound
    assert working.recompute().differences == ()


def test_a_file_that_went_half_would_be_seen(town, admin, monkeypatch):
    """The planted offence: one line of the plan is lost on the way into the log."""
    drafts = batches._drafts
    monkeypatch.setattr(batches, "_drafts", lambda *given: drafts(*given)[1:])
    draw = random.Random(1)
    with pytest.raises(AssertionError):
        [list(through(Given(STATIONS, "stations.csv"), admin, draw)) for _ in range(30)]
