"""What the pages of the town show, from the ledger's queries, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from django.urls import reverse

from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Choice, Known
from sewershed.desk.things.queries import facts_of
from sewershed.desk.town.care import backup_shown
from sewershed.ledger import (
    adopting,
    backup,
    canonical,
    clock,
    law,
    queries,
    rights,
)
from sewershed.ledger.models import Account
from sewershed.ledger.moments import day_words
from sewershed.ledger.projections import moment_of
from sewershed.ledger.wording import many, words_of

TOWN = "town"  # the program to which the town's own things belong
OFFICES_CLOSED = "offices_closed"
LISTS = ("contact", "equipment", "station")  # what a town keeps lists of; those of them that its vocabulary has


# ------------------------------------------------------------------------------------------------ where one is


def parts(account: Account, here: str) -> tuple[Choice, ...]:
    """Returns the pages of the town that an account may open, the one it is on marked."""
    every = [("Town", "town"), ("People and offices", "town_people"), ("Days closed", "town_closed"), ("Law", "town_law"),
             ("Spill plan", "response_plan"), ("Log", "log")]  # fmt: skip
    if may_administer(account):
        every += [("Accounts", "accounts"), ("Backups", "backups"), ("Doctor", "doctor")]
    return tuple(Choice(text, reverse(name), is_chosen=name == here) for text, name in every)


def may_administer(account: Account) -> bool:
    """Tells whether an account may make accounts, adopt a supplement, back up."""
    return rights.may(account, "administer", rights.EVERY)


def may(account: Account, verb: str) -> bool:
    """Tells whether an account may do something with the town's own things."""
    return rights.may(account, verb, TOWN)


# ------------------------------------------------------------------------------------------------ the town


@dataclass(frozen=True, slots=True)
class ListShown:
    """A list that the town keeps."""

    name: str
    many: str
    means: str
    count: int


@dataclass(frozen=True, slots=True)
class TownShown:
    """What the first page of the town shows."""

    id: str
    facts: tuple[Known, ...]
    not_recorded: int
    state: tuple[Known, ...]
    lists: tuple[ListShown, ...]


def town_shown(account: Account, looking: Looking) -> TownShown:
    """Returns the facts of the town, how its record stands, and the lists that it keeps."""
    id_ = adopting.town_id()
    running = law.in_force()
    kind = running.vocabulary.things[TOWN]
    found = queries.facts(id_, as_account=account, as_of=looking.as_of, known_at=looking.known_at)
    shown, absent = facts_of(kind, found, words_of([], looking.instant), account, id_)
    counts = queries.counts(as_account=account)
    kinds = [running.vocabulary.things[name] for name in LISTS if name in running.vocabulary.things]
    lists = [
        ListShown(one.name, many(one), one.means, counts.get(one.name, 0))
        for one in kinds
        if rights.may(account, "see", one.program)
    ]
    return TownShown(id_, shown, absent, tuple(_state(account)), tuple(lists))


def _state(account: Account) -> Iterator[Known]:
    town, head = clock.current_town(), queries.head(as_account=account)
    running = law.in_force()
    yield Known("Law", f"{running.book.name} {running.book.edition}".strip(), f"Supplement {running.supplement[:12]}", reverse("town_law"))  # fmt: skip
    yield Known("Record", f"{head.position:,} rows", f"Head {head.short}", reverse("log"))
    found = backup.newest(town.backups)
    if found is None:
        yield Known("Last backup", missing="There is none")
    else:
        said = backup_shown(found)
        yield Known("Last backup", said.age, said.made)
    yield Known(
        "Zone", town.time_zone.replace("_", " "), f"Times on every page are {clock.now().astimezone(town.zone):%Z}"
    )
    if town.is_example:
        yield Known("Example", "Its records are invented", "Its clock is its own")


# ------------------------------------------------------------------------------------------------ days closed


@dataclass(frozen=True, slots=True)
class ClosedShown:
    """Days on which the offices were closed beyond the holidays."""

    row: str
    days: str
    recorded: str


def closed_shown(account: Account, looking: Looking) -> tuple[ClosedShown, ...]:
    """Returns the days on which the town closed otherwise, the latest first."""
    words = words_of([], looking.instant)
    found = []
    for one in queries.rows(adopting.town_id(), as_account=account, known_at=looking.known_at):
        first = moment_of(one.at)
        if one.name != OFFICES_CLOSED or one.stands != "stands" or first is None:
            continue
        until = one.data.get("until")
        days = words.moment(first) + (f" to {day_words(date.fromisoformat(until), words.today)}" if until else "")
        recorded = words.moment(canonical.read_instant(one.recorded_at))
        found.append((one.at, ClosedShown(one.id, days, f"{recorded} by {one.recorded_by}")))
    return tuple(shown for _, shown in sorted(found, key=lambda item: item[0], reverse=True))


def holidays(looking: Looking) -> tuple[str, tuple[str, ...]]:
    """Returns the year looked at, and its weekdays that are no business days by the town's book."""
    calendar = law.in_force().book.calendar
    year = looking.instant.astimezone(looking.zone).year
    days = (date(year, 1, 1) + timedelta(days=number) for number in range(366))
    kept = (day for day in days if day.year == year and day.weekday() < 5 and not calendar.is_business_day(day))
    return str(year), tuple(day_words(day, date(year, 1, 1)) for day in kept)
