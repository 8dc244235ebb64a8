"""Entries as sentences: what a form of an entry says, in labelled lines that somebody can check against the clause.

Conditions stand as the book writes them, since they are what runs. Whoever compares two editions compares these lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace

from sewershed.rules.conditions import Condition
from sewershed.rules.entries import (
    ActForm,
    AtOnce,
    Before,
    Breach,
    CalcForm,
    Clock,
    CountedSpan,
    Duty,
    Each,
    Earliest,
    Edition,
    Entry,
    Every,
    Form,
    Latest,
    LimitForm,
    On,
    OpenEnded,
    Opens,
    Pattern,
    PenaltyForm,
    StandardForm,
    StatusForm,
    Step,
    ValueCase,
    ValueForm,
    Within,
)
from sewershed.rules.spans import Span
from sewershed.rules.types import Value

Line = tuple[str, str]  # what it is about, and what it says

_BOUNDS = {"max": "at most", "below": "below", "min": "at least", "above": "above"}


def editions(entry: Entry) -> list[tuple[Edition, str, list[Line]]]:
    """Returns each edition of an entry and each reading in it, with its lines; an edition without a form is silent."""
    return [
        (edition, name, lines(form)) for edition in entry.editions for name, form in edition.readings.items()
    ] + [(edition, "", [("says", "nothing: it was read, and the text sets nothing")]) for edition in entry.editions if not edition.readings]  # fmt: skip


def lines(form: Form) -> list[Line]:
    """Returns what a form says, line by line; what it leaves out is left out."""
    match form:
        case Duty():
            found = _duty(form)
        case ValueForm():
            found = _value(form)
        case LimitForm():
            found = _limit(form)
        case StandardForm():
            found = _standard(form)
        case ActForm():
            found = _act(form)
        case StatusForm():
            found = _status(form)
        case PenaltyForm():
            found = _penalty(form)
        case CalcForm():
            found = _calc(form)
    return [(name, text) for name, text in found if text]


def clock(of: Clock) -> str:
    """Returns a clock in words.

    Example:
        >>> clock(Within(Span(24, "hours"))), clock(Each("month", Span(1, "days"), "after", "partial"))
        ('within 24 hours', 'for each month, within 1 day after it')
    """
    match of:
        case Within():
            after = f" of {of.of.source}" if of.of is not None else ""
            return f"within {_span(of.span)}{after}{_rolled(of.roll)}"
        case Before():
            return f"at least {_span(of.span)} before {of.of.source}{_rolled(of.roll)}"
        case On():
            return f"on {of.of.source}{_rolled(of.roll)}"
        case Every():
            return f"every {_span(of.span)} from the last time it was met{_rolled(of.roll)}"
        case Each():
            period = of.period.replace("_", " ")
            if of.within is None:
                return f"in each {period}{_rolled(of.roll)}"
            where = "after it" if of.window == "after" else "of its beginning"
            return f"for each {period}, within {_span(of.within)} {where}{_rolled(of.roll)}"
        case AtOnce():
            return "at once; the text gives no number"
        case OpenEnded():
            return "no time is set; it stays open until it is done"
        case Earliest():
            return "the earliest of: " + "; ".join(clock(one) for one in of.clocks)
        case Latest():
            return "the latest of: " + "; ".join(clock(one) for one in of.clocks)


def conditions(entry: Entry, entries: Mapping[str, Entry]) -> Iterator[Condition]:
    """Yields every condition of an entry, and of the entries that derive the facts these read, each once.

    Args:
        entry: the entry.
        entries: the law of the place, by id.
    """
    by_fact: dict[str, list[Entry]] = {}
    for one in entries.values():
        for edition in one.editions:
            for form in edition.readings.values():
                if isinstance(form, ValueForm | CalcForm) and form.target:
                    by_fact.setdefault(form.target, []).append(one)
                elif isinstance(form, StatusForm):
                    by_fact.setdefault(f"{form.thing}.{form.fact}", []).append(one)
    seen, waiting = {entry.id}, [entry]
    while waiting:
        for condition in _conditions_in(waiting.pop().editions):
            yield condition
            for thing, fact in condition.facts:
                for one in by_fact.get(f"{thing}.{fact}", ()):
                    if one.id not in seen:
                        seen.add(one.id)
                        waiting.append(one)


def _conditions_in(part: object) -> Iterator[Condition]:
    if isinstance(part, Condition):
        yield part
    elif isinstance(part, tuple | list):
        for one in part:
            yield from _conditions_in(one)
    elif isinstance(part, Mapping):
        yield from _conditions_in(tuple(part.values()))
    elif is_dataclass(part) and not isinstance(part, type):
        yield from _conditions_in(tuple(getattr(part, field.name) for field in fields(part)))


def _span(span: Span | CountedSpan) -> str:
    if isinstance(span, CountedSpan):
        return f"{span.n.source} {span.unit.replace('_', ' ')}"
    return str(span)


def _rolled(roll: str) -> str:
    words = {"next": ", moved to the next business day", "previous": ", moved to the business day before"}
    return words.get(roll, "")


def _when(condition: Condition | None, word: str = "if") -> str:
    return f"{word} {condition.source}" if condition is not None else ""


def _names(events: Iterable[str]) -> str:
    return " or ".join(events)


def _said(value: object) -> str:
    if isinstance(value, Condition):
        return value.source
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def pattern(of: Pattern) -> str:
    """Returns in words which events a pattern takes."""
    parts = [_names(of.events)]
    if of.on is not None:
        parts.append(f"on {of.on.source}")
    if of.when is not None:
        parts.append(f"where {of.when.source}")
    if of.ever:
        parts.append("(also before it was opened)")
    if of.period is not None:
        parts.append(f"for the period {of.period.source}")
    if of.at_least is not None:
        what = of.amount.source if of.amount is not None else "a count"
        once = f", each {of.distinct.source} once" if of.distinct is not None else ""
        parts.append(f"until {what} comes to {of.at_least.source}{once}")
    if of.date is not None:
        parts.append(f"to {of.date.source}")
    return " ".join(parts)


def _patterns(name: str, patterns: Sequence[Pattern]) -> Iterator[Line]:
    for one in patterns:
        yield name, pattern(one)


def _opens(opens: Opens) -> Iterator[Line]:
    if opens.standing is not None:
        since = f", from {opens.since.source}" if opens.since is not None else ""
        yield "stands while", f"{opens.standing.source}{since}"
        return
    for event in opens.events:
        yield "opened by", " ".join(filter(None, (event, _when(opens.when.get(event), "where"))))
    if opens.each is not None:
        each = opens.each.source if isinstance(opens.each, Condition) else ", ".join(opens.each)
        yield "once for each", each
    if opens.once is not None:
        keys = " and ".join(key.source for key in opens.once)
        yield "opened once", f"for each {keys}" if keys else "and never again for the same thing"
    if opens.replace:
        yield "opened anew", "a newer one takes the place of those still open"


def _breach(breach: Breach) -> str:
    if not breach.penalties:
        return ""
    grace = f", after {breach.grace} of grace" if breach.grace is not None else ""
    return ", ".join(breach.penalties) + grace


def _duty(form: Duty) -> Iterator[Line]:
    yield "whose", f"{form.who}, toward {form.to}" if form.to else form.who
    yield "on", form.on
    yield from _opens(form.opens)
    yield "applies", _when(form.applies)
    if form.if_unknown == "treat_as_owed":
        yield "if unknown", "treated as owed: report if in doubt"
    for case in form.due:
        yield "due", " ".join(filter(None, (clock(case.clock), _when(case.when))))
    yield from _patterns("met by", form.met_by)
    yield from _patterns("excused by", form.excused_by)
    yield from _patterns("extended by", form.extended_by)
    for stay in form.stayed_by:
        what = "the clock stands still" if stay.effect == "pause" else "the date runs on, enforcement waits"
        until = f" until {pattern(stay.end)}" if stay.end is not None else ""
        yield "stayed by", f"{pattern(stay.start)}{until}: {what}"
    yield from _patterns("ends with", form.closes)
    if form.catch_up:
        yield "catch up", "after a missed period the next is due at once"
    yield "exposes to", _breach(form.breach)


def _cases(cases: Sequence[ValueCase]) -> Iterator[Line]:
    for case in cases:
        yield (
            "answers",
            " ".join(filter(None, (_said(case.answer), _when(case.when) or ("otherwise" if len(cases) > 1 else "")))),
        )


def _value(form: ValueForm) -> Iterator[Line]:
    yield "answers what", f"{form.target} ({form.type})"
    if form.silent:
        yield "says", "nothing: it was read, and the text sets nothing"
    yield "applies", _when(form.applies)
    yield from _cases(form.cases)
    if form.strongest:
        yield "strongest first", ", ".join(form.strongest)
    for number, axis in enumerate(form.axes, 1):
        values = ", ".join(_said(one) for one in axis.exact) or ", ".join(
            f"{low} to {high}" for low, high in axis.bands
        )
        gap = "; between two bands the next" if axis.gap_next else ""
        top = f"; {axis.open_top} and more as the last" if axis.open_top is not None else ""
        yield f"axis {number}", f"{axis.fact.source}: {values}{gap}{top}"
    for row in form.cells:
        yield "cells", ", ".join(_said(one) for one in row) if isinstance(row, list | tuple) else _said(row)
    if form.judged_by:
        yield "a gap is decided by", form.judged_by


def _limit(form: LimitForm) -> Iterator[Line]:
    bounds = " and ".join(f"{_BOUNDS[name]} {_said(figure)}" for name, figure in form.bounds)
    yield "holds", f"{form.parameter} {bounds} {form.unit}"
    where = {"at": form.at, "by method": form.method, "as": form.sample_type}
    yield "measured", ", ".join(f"{word} {value}" for word, value in where.items() if value)
    yield "statistic", "" if form.statistic == "any_sample" else form.statistic
    yield "applies", _when(form.applies)
    yield "when", _when(form.when)
    yield "exposes to", _breach(form.breach)


def _standard(form: StandardForm) -> Iterator[Line]:
    yield "on", form.on
    yield "of", _names(form.of)
    yield "applies", _when(form.applies)
    yield "when", _when(form.when)
    yield "must hold", form.test.source
    yield "whose", form.who
    yield "is a defense to", ", ".join(form.defends)
    yield "exposes to", _breach(form.breach)


def _act(form: ActForm) -> Iterator[Line]:
    yield "judges", f"{_names(form.acts)} on {form.on}"
    yield "when", _when(form.when)
    yield "only by", _names(form.by)
    yield "only if", form.test.source if form.test is not None else ""
    for need in form.needs:
        lead = f", at least {need.lead} before" if need.lead is not None else ""
        within = f", at most {need.within} before" if need.within is not None else ""
        yield "needs", f"{pattern(replace(need.pattern, ever=False))}{lead}{within}"  # a need is always of before
    for content in form.contents:
        yield "must hold", " ".join(filter(None, (content.what or content.key, _when(content.when))))
    yield "bears the day", form.dated.source if form.dated is not None else ""
    yield "else", "it does not count" if form.is_void else "it is a violation"
    yield "exposes to", _breach(form.breach)


def _status(form: StatusForm) -> Iterator[Line]:
    yield "the life of", f"{form.thing}.{form.fact}: {', '.join(form.states)}; it begins as {form.start}"
    for step in form.steps:
        yield "step", _step(step)


def _step(step: Step) -> str:
    when = f"when {step.at.source} has ended" if step.at is not None else f"with {_names(step.events)}"
    come_from = f" from {_names(step.come_from)}" if step.come_from else ""
    sets = "".join(f"; {name} = {condition.source}" for name, condition in step.sets)
    return " ".join(filter(None, (f"{when}{come_from} to {step.to}", _when(step.when)))) + sets


def _penalty(form: PenaltyForm) -> Iterator[Line]:
    yield "for", ", ".join(form.rules)
    if form.ladder:
        then = f", then {form.then.source}" if form.then is not None else ""
        yield "breach by breach", ", ".join(_said(one) for one in form.ladder) + then
    yield "at most", _said(form.cap) if form.cap is not None else ""
    if form.per:
        part = ", a part counts in full" if form.part == "full" else ""
        yield "amount", f"{_said(form.amount)} a {form.per}{part}"
    for case in form.most:
        yield "up to", " ".join(filter(None, (_said(case.answer), _when(case.when))))
    yield "breaches count within", str(form.within) if form.within is not None else ""
    yield "to be weighed", ", ".join(form.factors)


def _calc(form: CalcForm) -> Iterator[Line]:
    yield "works out", f"{form.target} ({form.type})" if form.target else ""
    yield "by", form.function
    for name, value in form.asks.items():
        yield "with", f"{name} = {_shown(value)}"


def _shown(value: Value) -> str:
    return ", ".join(_said(one) for one in value) if isinstance(value, tuple) else _said(value)
