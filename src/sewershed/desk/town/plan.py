"""The spill response plan as the record makes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse

from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Happening, Line, Link, Paper
from sewershed.desk.things.lines import line_of
from sewershed.desk.things.queries import row_title
from sewershed.desk.town.care import is_long
from sewershed.ledger import (
    adopting,
    law,
    queries,
    rights,
)
from sewershed.ledger.errors import LedgerError
from sewershed.ledger.models import Account
from sewershed.ledger.papers.response_plan import response_plan_data
from sewershed.ledger.papers.source import Source
from sewershed.ledger.privacy import Privacy
from sewershed.ledger.projections import moment_of
from sewershed.ledger.shown import RowShown
from sewershed.ledger.wording import Words, label_of, many, refs_in_row, words_of
from sewershed.programs.spills.papers.values import CannotWriteError
from sewershed.rules.moments import day_of
from sewershed.rules.record import Moment
from sewershed.rules.vocabulary import Fact

MOST_LISTED = 200  # of a list of the plan, on its page
REVISED, REVIEWED, PLACED, INSTRUCTED = "plan_revised", "plan_reviewed", "plan_copy_placed", "staff_instructed"
PLAN_EVENTS = (REVISED, REVIEWED, PLACED, INSTRUCTED)
PLAN_PAPER = "spill_response_plan"
PLAN_LISTS = {  # what the plan's page shows of each of its lists, beside the name
    "contact": ("phone", "after_hours", "used_for"),
    "equipment": ("count", "where", "state"),
    "station": ("generator", "pumps", "when_pumps_fail"),
}


@dataclass(frozen=True, slots=True)
class PlanItem:
    """A line of one of the plan's lists: its name, what the list says of it, and its page."""

    id: str
    name: str
    cells: tuple[tuple[str, str], ...]  # head and what stands under it


@dataclass(frozen=True, slots=True)
class PlanList:
    """A list of the plan: contacts, equipment, stations."""

    type: str
    title: str
    heads: tuple[str, ...]
    items: tuple[PlanItem, ...]
    total: int
    may_add: bool
    may_change: bool


@dataclass(frozen=True, slots=True)
class PlanShown:
    """The spill response plan: version, what is due about it, its lists, its log, what it lacks."""

    town: str
    version: str
    due: tuple[Line, ...]
    lists: tuple[PlanList, ...]
    log: tuple[Happening, ...]
    wanting: tuple[str, ...]
    cannot: tuple[str, ...]  # why the paper cannot be written at all
    is_left_to_the_paper: bool  # what it lacks is found by whoever draws the paper: the record is long
    issued: tuple[Paper, ...]
    acts: tuple[Link, ...]


def has_plan() -> bool:
    """Tells whether the town's vocabulary speaks of a spill plan."""
    return REVISED in law.in_force().vocabulary.events


def plan_program() -> str:
    """Returns the program to which the happenings of the plan belong."""
    return law.in_force().vocabulary.events[REVISED].program


def plan_shown(account: Account, looking: Looking) -> PlanShown:
    """Returns the spill response plan as the record makes it.

    Raises:
        NotAllowed: for the account.
    """
    id_, vocabulary = adopting.town_id(), law.in_force().vocabulary
    as_of, known_at = looking.as_of, looking.known_at
    rows = [
        one
        for one in queries.rows(id_, as_account=account, known_at=known_at)
        if one.name in PLAN_EVENTS and one.stands == "stands" and _is_past(one, looking)
    ]
    dues = [
        one
        for one in queries.due(as_account=account, thing=id_, as_of=as_of, known_at=known_at).items
        if set(PLAN_EVENTS) & set(one.meets)
    ]
    refs = {ref for row in rows for ref in refs_in_row(row.data, vocabulary.events[row.name].data)}
    ids = refs | {one.performed_by for one in rows} | {person for due in dues for person in due.persons}
    words = words_of(ids, looking.instant)
    rows.sort(key=lambda one: one.at)
    revised = [one for one in rows if one.name == REVISED]
    version = str(revised[-1].data.get("version") or "") or words.moment(_moment(revised[-1])) if revised else ""
    is_left = is_long(account)  # it is worked out from every row of every station
    wanting, cannot = ((), ()) if is_left else _wanting(id_, account, looking)
    issued = queries.documents(as_account=account, about=id_, kind=PLAN_PAPER)
    may_record = rights.may(account, "record", plan_program())
    acts = [Link(text, url) for text, url in _plan_acts(id_)] if may_record else []
    return PlanShown(
        town=id_, version=version, due=tuple(line_of(one, words, account, is_alone=True) for one in dues),
        lists=tuple(_plan_list(name, columns, account) for name, columns in PLAN_LISTS.items() if name in vocabulary.things),
        log=tuple(_plan_row(one, words) for one in rows), wanting=wanting, cannot=cannot, is_left_to_the_paper=is_left,
        issued=tuple(Paper(one.get("number", ""), reverse("document", args=[one["id"]]), "Withdrawn" if one.get("withdrawn") else "") for one in issued),
        acts=tuple(acts),
    )  # fmt: skip


def _plan_acts(town: str) -> Iterator[tuple[str, str]]:
    yield "Log who was instructed", reverse("plan_instruct")
    for event, text in (
        (REVIEWED, "Record a review"),
        (REVISED, "Record a new version"),
        (PLACED, "Record where a copy lies"),
    ):
        yield text, f"{reverse('record', args=[town, event])}?then={reverse('response_plan')}"


def _is_past(row: RowShown, looking: Looking) -> bool:
    return not looking.is_elsewhere or day_of(_moment(row), looking.zone) <= day_of(looking.instant, looking.zone)


def _moment(row: RowShown) -> Moment:
    found = moment_of(row.at)
    assert found is not None  # an event always has a time
    return found


def _plan_row(row: RowShown, words: Words) -> Happening:
    known = words.vocabulary.events[row.name].data
    said = [
        f"{label_of(known[name])}: {words.value(value, known[name].type)}"
        for name, value in row.data.items()
        if name in known
    ]
    by = [f"By {words.name(row.performed_by)}"] if row.performed_by else []
    moment = _moment(row)
    return Happening(
        row_title(row, words.vocabulary), words.moment(moment), moment.isoformat(), ". ".join([*said, *by]),
        "key" if row.name in (REVISED, REVIEWED) else "", url=reverse("row", args=[row.id]),
    )  # fmt: skip


def _plan_list(name: str, columns: Sequence[str], account: Account) -> PlanList:
    kind = law.in_force().vocabulary.things[name]
    page = queries.things(name, as_account=account, limit=MOST_LISTED)
    items = [one for one in page.items if not one.retired_on]
    known = [one for one in columns if one in kind.facts]
    facts = queries.facts_of([one.id for one in items], name, known, as_account=account)
    words = words_of([])
    shown = [
        PlanItem(
            one.id,
            one.label,
            tuple(
                (label_of(kind.facts[column]), _cell(facts[one.id].get(column, ""), kind.facts[column], words))
                for column in known
            ),
        )
        for one in items
    ]
    may_record = rights.may(account, "record", kind.program)
    heads = tuple(label_of(kind.facts[one]) for one in known)
    return PlanList(name, many(kind), heads, tuple(shown), page.total, may_record, may_record)


def _cell(text: str, fact: Fact, words: Words) -> str:
    return text if text in ("", Privacy.word) else words.value(text, fact.type)


def _wanting(town: str, account: Account, looking: Looking) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns what the plan lacks, and why it cannot be written where it cannot."""
    source = Source(town, as_account=account, as_of=looking.as_of, known_at=looking.known_at)
    try:
        data = response_plan_data(source, None)
    except CannotWriteError as error:
        return (), tuple(error.problems)
    except LedgerError as error:
        return (), (str(error),)
    lacks = data["wanting"]
    assert isinstance(lacks, list)
    return tuple(str(one) for one in lacks), ()


def instructed_choices(account: Account) -> list[tuple[str, str]]:
    """Returns those of the town who may have been instructed: its staff, and whoever holds an office."""
    staff = queries.things("person", as_account=account, where=[("is_staff", "=", "true")], limit=500).items
    found = {one.id: one.label for one in staff}
    found |= {person: label for one in queries.holders(as_account=account) for person, label in one.persons}
    return sorted(found.items(), key=lambda item: item[1].lower())
