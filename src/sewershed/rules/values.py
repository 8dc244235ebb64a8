"""Values: typed answers, by constant, criteria, rank or table (docs/explanation/rulebook.md 9.1).

An answer is a value, or an unknown that says which of these it is: a fact is missing, the text leaves a gap, sets nothing,
has no figure, or no rulebook in force answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sewershed.rules.conditions import Condition
from sewershed.rules.entries import Axis, CalcForm, Entry, ValueForm
from sewershed.rules.moments import day_of, is_instant
from sewershed.rules.types import Thing, Value
from sewershed.rules.unknown import Unknown, Want, unknown
from sewershed.rules.view import View, tell

if TYPE_CHECKING:
    from sewershed.rules.world import World

Answer = Value | Unknown
Trace = list[str] | None
_LEFT_OPEN = frozenset({"gap", "silence", "no_figure"})


def answer(world: World, target: str, thing: Thing | None, view: View, trace: Trace = None) -> Answer:
    """Returns what the line of books answers to an ask, or the derived fact of a thing, on the day of the view."""
    found: list[tuple[Entry, Answer]] = []
    for entry in world.law.answers.get(target, ()):
        edition = entry.edition_on(view.day)
        if edition is None:
            continue
        found.append((entry, _in_readings(world, entry, edition.readings, thing, view, trace)))
        if entry.combine is None or entry.combine.how == "replaces":
            break
    if not found:
        return unknown([Want("no_answer", target, thing=thing.id if thing else "")])
    first, value = found[0]
    if len(found) > 1 and first.combine is not None and first.combine.how == "most_stringent":
        return _strictest(first.combine.strict, [one for _, one in found])
    return value


def _strictest(strict: str, answers: Sequence[Answer]) -> Answer:
    """Returns the lower (min) or higher (max) of the answers that the books give; one that cannot be told hides it."""
    missing = [one for one in answers if isinstance(one, Unknown)]
    if missing:
        return unknown(want for one in missing for want in one.wants)
    numbers: list[Any] = list(answers)
    return min(numbers) if strict == "min" else max(numbers)  # type: ignore[no-any-return]


def _in_readings(world: World, entry: Entry, readings: Any, thing: Thing | None, view: View, trace: Trace) -> Answer:
    name = world.reading(entry, thing, view.day)
    if name is not None:
        form = readings.get(name) or readings.get("")
        return _of_form(world, entry, form, thing, view, trace)
    answers = [_of_form(world, entry, form, thing, view, trace) for form in readings.values()]
    if all(one == answers[0] for one in answers[1:]):
        return answers[0]
    return unknown(world.doubt_wants(entry.reading_of, thing))


def _of_form(world: World, entry: Entry, form: Any, thing: Thing | None, view: View, trace: Trace) -> Answer:
    if form is None:
        return unknown([Want("silence", entry.id)])
    if isinstance(form, CalcForm):
        if form.provider is None or thing is None:
            return unknown([Want("no_answer", entry.id)])
        if day_of(view.moment, world.zone) != view.day:  # in `due`, facts are those of the trigger's day
            view = world.on_day(thing, view.day)
        view.hangs_on_the_day()  # it is handed the moment
        if trace is None:
            return form.provider.call(form.asks, view, thing, view.moment)
        value, steps = form.provider.explain(form.asks, view, thing, view.moment)
        trace.extend(steps)
        return value
    own: Trace = None if trace is None else []
    value = _plain(form, entry, thing, view, own)
    if form.judged_by and isinstance(value, Unknown) and any(want.kind in _LEFT_OPEN for want in value.wants):
        decided = world.decided(form.target, thing, view)
        if decided is not None:
            value = decided
            if own is not None:
                own.append(f"{form.target}: decided by {form.judged_by}: {say_value(value)}")
        else:
            asked = (
                Want(want.kind, want.what, thing=want.thing, who=form.judged_by) if want.kind in _LEFT_OPEN else want
                for want in value.wants
            )
            unheld = () if thing is None else world.history(thing).wants_of(form.target.rpartition(".")[2], view.day)
            value = unknown((*asked, *unheld))
    if trace is not None and own is not None:
        result = f"? ({', '.join(map(str, value.wants))})" if isinstance(value, Unknown) else say_value(value)
        trace.append(f"{form.target} = {result} by {', '.join(entry.cites)}")
        trace.extend(f"  {step}" for step in own)
    return value


def _plain(form: ValueForm, entry: Entry, thing: Thing | None, view: View, trace: Trace) -> Answer:
    about = thing.id if thing else ""
    if form.silent:
        return unknown([Want("silence", form.target, thing=about)])
    if form.applies is not None:
        applies = tell(form.applies, view, trace)
        if isinstance(applies, Unknown):
            return applies
        if not applies:
            return unknown([Want("gap", form.target, thing=about)])
    if form.axes:
        return _figure(form, about, view, trace)
    if form.strongest:
        return _strongest(form, about, view, trace)
    doubtful: list[Answer] = []
    missing: list[Want] = []
    for case in form.cases:
        holds = True if case.when is None else tell(case.when, view, trace)
        if isinstance(holds, Unknown):
            missing.extend(holds.wants)
            doubtful.append(_given(case.answer, view, trace))
        elif holds:
            value = _given(case.answer, view, trace)
            if all(_same(one, value) for one in doubtful):
                return value
            return unknown(missing)
    if missing:
        return unknown(missing)
    return unknown([Want("gap", form.target, thing=about)])


def _given(given: Condition | Value, view: View, trace: Trace) -> Answer:
    return tell(given, view, trace) if isinstance(given, Condition) else given  # type: ignore[return-value]


def _same(a: Answer, b: Answer) -> bool:
    return not isinstance(a, Unknown) and not isinstance(b, Unknown) and a == b


def _strongest(form: ValueForm, about: str, view: View, trace: Trace) -> Answer:
    """Returns the strongest of all answers that apply; one that may apply and would be stronger makes it unknown."""
    best: int | None = None
    possible: list[tuple[int, tuple[Want, ...]]] = []
    for case in form.cases:
        holds = True if case.when is None else tell(case.when, view, trace)
        value = _given(case.answer, view, trace)
        if isinstance(value, Unknown):  # it may be the strongest of all
            if holds is not False:
                possible.append((0, value.wants))
            continue
        rank = form.strongest.index(str(value))
        if isinstance(holds, Unknown):
            possible.append((rank, holds.wants))
        elif holds and (best is None or rank < best):
            best = rank
    stronger = [want for rank, wants in possible if best is None or rank < best for want in wants]
    if stronger:
        return unknown(stronger)
    return form.strongest[best] if best is not None else unknown([Want("gap", form.target, thing=about)])


def _figure(form: ValueForm, about: str, view: View, trace: Trace) -> Answer:
    """Returns the figure of a table. Nothing is interpolated: outside its values and bands the table has no figure."""
    cells: Any = form.cells
    values: list[Any] = []
    missing: list[Want] = []
    for axis in form.axes:
        value = tell(axis.fact, view, trace)
        if isinstance(value, Unknown):
            missing.extend(value.wants)
        values.append(value)
    if missing:
        return unknown(missing)
    for axis, value in zip(form.axes, values, strict=True):
        row = _row(axis, value)
        if row is None:
            if trace is not None:
                trace.append(f"{axis.fact.source}: the table has no row for {say_value(value)}")
            return unknown([Want("no_figure", form.target, thing=about)])
        cells = cells[row]
    return cells  # type: ignore[no-any-return]  # a figure, as the file has it


def _row(axis: Axis, value: Any) -> int | None:
    if axis.open_top is not None and value >= axis.open_top:
        return len(axis.exact or axis.bands) - 1
    if axis.exact:
        return axis.exact.index(value) if value in axis.exact else None
    for index, (low, high) in enumerate(axis.bands):
        if low <= value <= high:
            return index
        if axis.gap_next and index and axis.bands[index - 1][1] < value < low:
            return index
    return None


def say_value(value: object) -> str:
    """Returns a value in words: numbers plainly, moments in ISO, truth as true or false."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, Decimal):
        return format(value, "f")
    if hasattr(value, "isoformat"):
        return value.isoformat(timespec="minutes") if is_instant(value) else value.isoformat()  # type: ignore[arg-type]
    if isinstance(value, tuple) and not isinstance(value, Thing):
        return "[" + ", ".join(say_value(item) for item in value) + "]"
    return str(value)
