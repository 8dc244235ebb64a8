"""Penalties: what a breach exposes to, never an assessment (docs/explanation/rulebook.md 9.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from sewershed.rules.calendars import shifted
from sewershed.rules.conditions import Condition
from sewershed.rules.entries import Entry, PenaltyForm
from sewershed.rules.findings import Exposure, Finding, Obligation, OtherReading
from sewershed.rules.moments import day_of, end_of
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown, Want
from sewershed.rules.values import say_value
from sewershed.rules.view import View, tell

if TYPE_CHECKING:
    from sewershed.rules.world import World

_DAYS = {"day": 1, "week": 7}
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Breach:
    """One breach of a rule: when it began and, for a duty, how many days it lasted."""

    rule: str
    thing: str
    first_on: date
    days: int
    about: str


def breaches(world: World, obligations: Sequence[Obligation], findings: Sequence[Finding]) -> list[Breach]:
    """Returns the breaches among obligations and findings, in order of their first day."""
    found = []
    for one in obligations:
        if one.breach_days > 0 and one.due is not None:
            last = day_of(one.due, world.zone)
            entry, form = world.entries[one.rule], world.duty(one)
            if form is not None and form.breach.grace is not None:
                grace = world.said(form.breach.grace, entry, world.thing(one.thing), last)
                last = day_of(world.calendar.add(last, grace), world.zone)  # it has run out: there are days in breach
            found.append(Breach(one.rule, one.thing, last + _DAY, one.breach_days, one.key))
    found += [
        Breach(one.rule, one.thing, one.day or world.today, 1, one.key) for one in findings if one.outcome == "NOT_MET"
    ]
    return sorted(found, key=lambda breach: (breach.first_on, breach.about))


def exposures(
    world: World, entry: Entry, thing: Thing, obligations: Sequence[Obligation], findings: Sequence[Finding]
) -> list[Exposure]:
    """Returns what one penalty entry exposes a thing's breaches to, each with the other readings' amounts."""
    edition = entry.edition_on(world.today)
    if edition is None or not edition.readings:
        return []
    tables: dict[str, list[Exposure]] = {
        name: _under(world, entry, form, thing, obligations, findings)
        for name, form in edition.readings.items()
        if isinstance(form, PenaltyForm)
    }
    chosen = world.reading(entry, thing, world.today) if entry.reading_of else ""
    if chosen is None or chosen not in tables:
        chosen = next(iter(tables))
    others = {name: {one.about: one for one in other} for name, other in tables.items() if name != chosen}
    return [replace(one, if_read_as=_otherwise(entry, one, others)) for one in tables[chosen]]


def _otherwise(entry: Entry, one: Exposure, others: Mapping[str, Mapping[str, Exposure]]) -> tuple[OtherReading, ...]:
    """Returns what one breach exposes to under the readings that are not applied, where that is another sum."""
    found = []
    for name, table in others.items():
        other = table.get(one.about)
        sum_ = say_value(other.highest) if other is not None else "none"
        if other is None or other.highest != one.highest:
            found.append(OtherReading(entry.reading_of, name, sum_, text=f"if read as {name}: {sum_}"))
    return tuple(found)


def _under(
    world: World,
    entry: Entry,
    form: PenaltyForm,
    thing: Thing,
    obligations: Sequence[Obligation],
    findings: Sequence[Finding],
) -> list[Exposure]:
    found = [one for one in breaches(world, obligations, findings) if one.rule in form.rules]
    result = []
    first = 0  # the first earlier breach that still counts
    for index, breach in enumerate(found):
        while first < index and not _counts(world, entry, form, thing, found[first], breach):
            first += 1
        lowest, highest, wants, step = _amount(world, form, thing, breach, 1 + index - first)
        result.append(
            Exposure(
                entry.id, breach.rule, thing.id, breach.first_on, lowest, highest, breach.days, (), form.factors, wants,
                (step,), breach.about,
            )
        )  # fmt: skip
    return result


def _counts(world: World, entry: Entry, form: PenaltyForm, thing: Thing, earlier: Breach, breach: Breach) -> bool:
    """Tells whether an earlier breach counts toward n. Edge: one exactly the window before no longer does."""
    if form.within is None:
        return True
    window = world.said(form.within, entry, thing, breach.first_on)
    end = shifted(world.calendar.add, earlier.first_on, window)
    return isinstance(end, Unknown) or breach.first_on < day_of(end, world.zone)  # one without an end takes all


def _amount(
    world: World, form: PenaltyForm, thing: Thing, breach: Breach, n: int
) -> tuple[Any, Any, tuple[Want, ...], str]:
    if form.ladder:
        amount: Any = form.ladder[n - 1] if n <= len(form.ladder) else _then(world, form, thing, n)
        if isinstance(amount, Unknown):
            return 0, 0, amount.wants, f"breach {n}"
        if form.cap is not None:
            amount = min(amount, form.cap)
        return amount, amount, (), f"breach {n}: {say_value(amount)}"
    if form.per:
        units = _units(form, breach)
        amount = units * form.amount  # type: ignore[operator]  # a number, by the loader
        if form.cap is not None:
            amount = min(amount, form.cap)
        return amount, amount, (), f"{breach.days} days, {units} by the {form.per} at {say_value(form.amount)}"
    return _most(world, form, thing, breach)


def _units(form: PenaltyForm, breach: Breach) -> int:
    if form.per == "month":
        months, day = 0, breach.first_on
        until = breach.first_on + breach.days * _DAY
        while (following := _month_later(day)) <= until:
            months, day = months + 1, following
        return months + (1 if form.part == "full" and day < until else 0)
    length = _DAYS[form.per]
    whole, rest = divmod(breach.days, length)
    return whole + (1 if form.part == "full" and rest else 0)


def _month_later(day: date) -> date:
    year, month = (day.year + 1, 1) if day.month == 12 else (day.year, day.month + 1)
    for last in (day.day, 30, 29, 28):
        try:
            return date(year, month, last)
        except ValueError:
            continue
    raise ValueError(day)


def _then(world: World, form: PenaltyForm, thing: Thing, n: int) -> Any:
    if form.then is None:
        return form.ladder[-1]
    view = View(world, thing, {"n": n}, day=world.today, moment=world.as_of)
    return tell(form.then, view)


def _most(world: World, form: PenaltyForm, thing: Thing, breach: Breach) -> tuple[Any, Any, tuple[Want, ...], str]:
    """Returns the most that may be imposed, by the record of the first day of the breach."""
    upto = (end_of(breach.first_on, world.zone), 2, 0)
    view = View(world, thing, {}, day=breach.first_on, moment=breach.first_on, upto=upto)
    wants: list[Want] = []
    possible: list[Any] = []
    for case in form.most:
        holds = True if case.when is None else tell(case.when, view)
        amount: Any = tell(case.answer, view) if isinstance(case.answer, Condition) else case.answer
        if isinstance(amount, Unknown):
            wants.extend(amount.wants)
        elif isinstance(holds, Unknown):
            wants.extend(holds.wants)
            possible.append(amount)
        elif holds:
            possible.append(amount)
            break
    else:  # none holds for certain, and the text may say nothing for what is left
        wants.append(Want("gap", "most", thing=thing.id))
    highest = max(possible) if possible else 0
    return 0, highest, tuple(dict.fromkeys(wants)), f"at most {say_value(highest)} on {breach.first_on}"
