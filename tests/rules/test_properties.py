"""What holds of every record under every book, whatever was entered: tried on drawn books and drawn records.

The books are drawn from `shelf/`, entries of every kind; the records hold bare days and times, corrections, withdrawals,
what is not known, and several things that point at each other (`drawn`). A thousand records each in `make test`, ten
thousand in `make soak`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sewershed.rules.findings import Finding, Obligation, Outcome, State
from sewershed.rules.moments import start_of
from sewershed.rules.record import Row, chains
from sewershed.rules.types import Thing
from sewershed.rules.world import World
from tests.rules.drawn import (
    SHELF,
    THINGS,
    ZONE,
    Drawn,
    Pen,
    Record,
    answers,
    asked_at,
    book_of,
    draw_record,
    with_needs,
)
from tests.trials import IS_SOAK, trials

pytestmark = pytest.mark.soak
RANDOMS = st.randoms(use_true_random=True)  # of a drawn seed: what is drawn is spread wider than by Hypothesis's own
CHAINS = tuple(one for one in SHELF if "every = " in SHELF[one] and "readings" not in SHELF[one])


def some(full: int = 10_000):
    """Tries a property on so many drawn records; a fiftieth in `make test`, where the properties together draw thousands."""
    count = full if IS_SOAK else trials(full) // 5
    return lambda test: settings(max_examples=count)(given(RANDOMS)(test))


def assert_same(one: Mapping[str, object], other: Mapping[str, object], *, but_rows: bool = False) -> None:
    """Fails with the first answer that differs, and in what. The rows that facts come from may be left out."""
    for what in other:
        a, b = one[what], other[what]
        if a == b or (but_rows and isinstance(a, dict) and _without_rows(a) == _without_rows(b)):
            continue
        if isinstance(a, list) and isinstance(b, list):
            first, second = ({answer.key: answer for answer in told} for told in (a, b))
            for key in {**first, **second}:
                if first.get(key) != second.get(key):
                    pytest.fail(f"{what}: {key}: {_differing(first.get(key), second.get(key))}")
        pytest.fail(f"{what}: {a} is not {b}")


def _without_rows(told: Mapping[str, tuple]) -> dict[str, tuple]:
    return {name: value[:2] for name, value in told.items()}


def _differing(a: object, b: object) -> object:
    if a is None or b is None:
        return a, b
    return [
        (one.name, getattr(a, one.name), getattr(b, one.name))
        for one in fields(a)
        if getattr(a, one.name) != getattr(b, one.name)
    ]


# --------------------------------------------------------------------------- what every answer is


@some()
def test_answers_are_well_made(random: Random) -> None:
    record = draw_record(random)
    world = record.world()
    obligations, findings = world.obligations(), world.findings()
    keys = [one.key for one in (*obligations, *findings)]
    assert len(keys) == len(set(keys))
    for one in (*obligations, *findings):
        assert one.rule in world.entries
    for one in obligations:
        assert one.state in get_args(State)
        assert one.asks or one.state not in ("cannot_tell", "waiting")
        assert one.asks or not (one.state == "met" and one.late is None and one.due is not None)
    for one in findings:
        assert one.outcome in get_args(Outcome)
        assert one.asks or one.outcome != "CANNOT_TELL"
    for one in world.exposure():
        assert one.highest >= one.lowest
    assert {line.first.key for line in world.todo()} <= set(keys)


@some()
def test_a_chain_has_exactly_one_open_interval_unless_it_has_ended(random: Random) -> None:
    world = draw_record(random).world()
    intervals = defaultdict(list)
    for one in world.obligations():
        if one.rule in CHAINS:
            intervals[one.rule, one.thing, "|".join(one.key.split("|")[:3])].append(one)
    for chain in intervals.values():
        is_over = any(one.state in ("closed", "superseded", "void") for one in chain)
        is_in_force = world.is_in_force(world.entries[chain[-1].rule], world.today)
        are_open = [one for one in chain if one.state not in ("met", "met_late", "closed", "superseded", "void")]
        assert len(are_open) == (0 if is_over else 1) or not is_in_force


@some()
def test_why_tells_of_the_same_answer(random: Random) -> None:
    assert_why_tells_the_same(draw_record(random))


def test_why_tells_of_the_same_answer_about_a_life_on_a_mixed_day() -> None:
    assert_why_tells_the_same(draw_record(Random(15596)))  # which once told otherwise


def assert_why_tells_the_same(record: Record) -> None:
    asked, world = record.world(), record.world()
    for one in (*world.obligations(), *world.findings()):
        why = asked.why(one.key)
        assert why is not None
        assert why.answer == one


# --------------------------------------------------------------------------- the record


@some()
def test_order_of_entry_does_not_matter(random: Random) -> None:
    record = draw_record(random)
    things = list(THINGS)
    random.shuffle(things)
    told = answers(record.world(rows=entered_otherwise(record.rows, random)), things)
    assert_same(answers(record.world()), told)


def entered_otherwise(rows: Sequence[Row], random: Random) -> list[Row]:
    """Returns the same rows entered in another order that must not matter (RULEBOOK.md 8.2 and DESIGN.md 4.1).

    What must stay in order: the rows of one chain, whose last one holds; the roots of events of the same moment, whose
    order decides among them; the facts of the same day, of which the later wins. A report bears a day that a rule gives it:
    reports stay in order.
    """
    root_of: dict[str, str] = {}
    last: dict[str, Row] = {}
    lines: dict[object, list[str]] = defaultdict(list)
    for row in rows:
        root = root_of[row.id] = root_of.get(row.replaces or row.voids, row.id)
        lines[root].append(row.id)
        if row.kind != "void":
            last[root] = row
    for root, row in last.items():
        slots: list[object] = [(type(row.moment), row.moment), row.name == "report"]
        if row.kind == "facts" or row.name == "decided":
            slots = [
                ("facts", row.moment if row.moment is None or type(row.moment) is date else _day(row.moment)),
                *slots,
            ]
        for slot in slots:
            if slot is not False:
                lines[slot].append(root)
    before: dict[str, set[str]] = defaultdict(set)
    for line in lines.values():
        for earlier, later in pairwise(line):
            before[later].add(earlier)
    left, taken = list(rows), []
    while left:
        names = {row.id for row in left}
        row = random.choice([row for row in left if not before[row.id] & names])
        left.remove(row)
        taken.append(replace(row, position=len(taken) + 1))
    random.shuffle(taken)  # and handed over in any order
    return taken


def _day(moment: datetime) -> date:
    return moment.astimezone(ZONE).date()


@some()
def test_a_correction_to_the_same_and_a_withdrawal_taken_back_change_nothing(random: Random) -> None:
    record = draw_record(random)
    standing = [chain for chain in chains(record.rows) if chain.withdrawn is None]
    chain = random.choice(standing)
    place = len(record.rows) + 1
    again = replace(chain.last, id="again", position=place + 1, replaces=chain.root.id, recorded_at=None)
    void = Row("void", "void", chain.last.name, chain.last.thing, position=place, voids=chain.last.id, why="a slip")
    told = answers(record.world())
    for added in ((again,), (void, replace(again, replaces=random.choice(("void", chain.root.id))))):
        assert_same(told, answers(record.world(rows=[*record.rows, *added])), but_rows=True)


@some()
def test_as_known_at_the_end_is_as_known(random: Random) -> None:
    record = draw_record(random)
    last = max((row.recorded_at for row in record.rows if row.recorded_at is not None), default=record.as_of)
    assert_same(answers(record.world()), answers(record.world(known_at=last)))


@some()
def test_as_known_is_what_was_told_when_no_more_was_entered(random: Random) -> None:
    record = draw_record(random)
    known_at = random.choice([row.recorded_at for row in record.rows if row.recorded_at] or [record.as_of])
    rows = [row for row in record.rows if row.recorded_at is None or row.recorded_at <= known_at]
    there = {row.thing for row in rows}  # of a thing of which nothing was known, what came later says that it is none
    told = answers(record.world(rows=rows), there)
    assert_same(answers(record.world(known_at=known_at), there), told)


@some()
def test_what_may_be_done_is_what_will_be_found(random: Random) -> None:
    record = draw_record(random)
    once = [row for row in record.rows if row.kind == "event" and not is_corrected(row, record.rows)]
    if not once:
        return
    act = random.choice(once)
    before = [row for row in record.rows if row is not act]
    as_of = max(record.as_of, start_of(act.moment, ZONE) + timedelta(days=1))
    after = record.world(rows=[*before, replace(act, position=len(record.rows) + 1)], as_of=as_of)
    world = record.world(rows=before, as_of=as_of)
    ahead = world.may(act.name, act.thing, act.moment, act.office, act.data, act.contains)
    found = [one for one in after.findings(act.thing) if one.about == act.id and one.kind == "act"]
    assert {one.rule: (one.outcome, one.is_void) for one in ahead} == {
        one.rule: (one.outcome, one.is_void) for one in found
    }


def is_corrected(row: Row, rows: Sequence[Row]) -> bool:
    """Tells whether a row is part of a longer chain."""
    return bool(row.replaces) or any(row.id in (other.replaces, other.voids) for other in rows)


# --------------------------------------------------------------------------- time


@some()
def test_before_its_next_change_an_answer_stands(random: Random) -> None:
    record = draw_record(random)
    world = record.world()
    told = answers(world)
    for thing in THINGS:
        change = world.next_change(thing)
        assert change is None or change >= record.as_of
        last = record.as_of + timedelta(days=4000) if change is None else change - timedelta(seconds=1)
        if last > record.as_of:
            between = record.as_of + timedelta(seconds=random.randrange(int((last - record.as_of).total_seconds()) + 1))
            for at in (last, between):
                assert_same(told, answers(record.world(as_of=at), [thing]))


BY_THE_DAY_ASKED = ("counts", "minutes")  # what they apply to hangs on the day asked about, by their own words


@some()
def test_what_is_over_stays_over(random: Random) -> None:
    record = draw_record(random)
    last = max((start_of(row.moment, ZONE) for row in record.rows if row.moment is not None), default=record.as_of)
    first = max(last + timedelta(days=1), record.as_of)
    then = record.world(as_of=first + timedelta(days=random.choice((1, 10, 40, 300))))
    later = {one.key: one for one in then.obligations()}
    for one in record.world(as_of=first).obligations():
        if one.rule in BY_THE_DAY_ASKED:
            continue
        if one.state in ("met", "met_late", "void", "superseded"):
            assert (later[one.key].state, later[one.key].met_by) == (one.state, one.met_by)
        if one.state == "missed":
            assert later[one.key].state != "due"


# --------------------------------------------------------------------------- what an answer rests on


@some()
def test_what_was_not_read_changes_nothing(random: Random) -> None:
    """As the ledger has it: what is concerned by rows on a thing is this, what they point at, and the readers of both."""
    record = draw_record(random)
    world = record.world()
    told = answers(world)
    other = random.choice([thing for thing in THINGS if thing != "t"])
    rows = [row for row in record.rows if row.thing == other]
    concerned = {other} | {ref.id for row in rows for ref in row.data.values() if isinstance(ref, Thing)}
    changed = record.world(rows=[row for row in record.rows if row.thing != other])
    for thing in THINGS:
        if thing not in concerned and not world.reads(thing) & concerned:
            assert_same(told, answers(changed, [thing]))


NOT_KNOWN_IS_NO = ("width_ft", "permitted_flow_gpd")  # `known()` asks for these: there, absence means no


@some()
def test_a_missing_fact_is_never_a_pass(random: Random) -> None:
    record = draw_record(random)
    rows = list(record.rows)
    said = [(place, name) for place, row in enumerate(rows) for name in row.data if row.data[name] is not None]
    said = [(place, name) for place, name in said if not is_an_exception(record, rows[place], name)]
    if not said:
        return
    place, name = random.choice(said)
    rows[place] = replace(rows[place], data={**rows[place].data, name: None})
    knowing, missing = record.world(), record.world(rows=rows)
    if not_counted(knowing) != not_counted(missing):
        return  # what cannot be told not to count counts for the time being (7.5)
    were = {one.key: one for one in (*knowing.obligations(), *knowing.findings())}
    for one in (*missing.obligations(), *missing.findings()):
        before = were.get(one.key)
        if before is not None and has_passed(one) and one.rule != "read.open":  # there, one reading asks for nothing
            assert has_passed(before) or is_over(before), (rows[place], name, before, one)


def is_an_exception(record: Record, row: Row, name: str) -> bool:
    """Tells whether a datum may be missing and something pass by that.

    What somebody decides is no fact. What `known()` asks for is "no" where it is absent, by the text's own word. A report
    of which nobody can tell which day it bears has happened on its own day, though nobody can say that it was in time.
    """
    is_of_its_day = row.name == "report" and "dated" in record.book.ids
    return row.name in ("decided", "offices_closed") or name in NOT_KNOWN_IS_NO or is_of_its_day


def not_counted(world: World) -> set[str]:
    """Returns the events that do not count."""
    return {one.event.id for thing in THINGS for one in world.history(world.thing(thing)).not_counted}


def has_passed(one: Obligation | Finding) -> bool:
    """Tells whether something is certainly as it should be."""
    if isinstance(one, Finding):
        return one.outcome == "MET"
    return one.state == "met" and (one.late is False or one.is_at_once)


def is_over(one: Obligation | Finding) -> bool:
    """Tells whether an obligation has ended otherwise than by being met or broken."""
    return isinstance(one, Obligation) and one.state in ("closed", "superseded", "void", "excused")


# --------------------------------------------------------------------------- books

LIMITS = ("lim.zinc", "lim.own", "lim.ph", "lim.read")


@lru_cache(maxsize=2)
def book_of_limits(is_strict: bool) -> Drawn:
    """Returns the book of the limits of the shelf, as they stand or each of them stricter."""
    if not is_strict:
        return book_of(LIMITS)
    looser = {"max = 0.3\n": "max = 0.2\n", "min = 5\n": "min = 6\n", "max = 9\n": "max = 8\n", "max = 2.5\n": "max = 2\n",
              "max = 250 }": "max = 100 }", 'below = "event.permit_limit"': 'below = "0.5 * event.permit_limit"'}  # fmt: skip
    texts = {one: SHELF[one] for one in with_needs(LIMITS)}
    for plain, strict in looser.items():
        assert sum(plain in text for text in texts.values()) == 1
        texts = {one: text.replace(plain, strict) for one, text in texts.items()}
    return book_of(LIMITS, texts=texts)


@some()
def test_a_stricter_limit_never_turns_a_breach_into_a_pass(random: Random) -> None:
    book = book_of_limits(is_strict=False)
    pen = Pen(random, book)
    pen.events = [one for one in pen.events if one.name == "sample_result"] or [pen.vocabulary.events["sample_result"]]
    record = Record(book, pen.rows_drawn(12), asked_at(random, pen.days))
    strict = Record(book_of_limits(is_strict=True), record.rows, record.as_of)
    outcomes = {one.key: one.outcome for one in strict.world().findings()}
    for one in record.world().findings():
        if one.outcome == "NOT_MET" and one.about:
            assert outcomes[one.key] == "NOT_MET"


SILENT = """
[[duty]]
id = "silent.duty"
cites = ["0"]
silent = true
[[act]]
id = "silent.act"
cites = ["0"]
silent = true
[[limit]]
id = "silent.limit"
cites = ["0"]
silent = true
[[standard]]
id = "silent.standard"
cites = ["0"]
silent = true
[[penalty]]
id = "silent.penalty"
cites = ["0"]
silent = true
[[value]]
id = "silent.value"
cites = ["0"]
as = "least_width_ft"
type = "number"
unit = "ft"
silent = true
"""


@lru_cache(maxsize=64)
def with_silence(ids: frozenset[str]) -> Drawn:
    """Returns the same book with entries that say nothing."""
    return book_of(ids, extra=SILENT)


@some(1_000)
def test_a_silent_entry_changes_nothing(random: Random) -> None:
    record = draw_record(random)
    if record.book.month_end == "roll":
        return
    beside = Record(with_silence(record.book.ids), record.rows, record.as_of)
    assert_same(answers(record.world()), answers(beside.world()))
