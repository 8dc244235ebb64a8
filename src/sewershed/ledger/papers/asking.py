"""Whether the rules ask for a paper at all: a draft that nobody owes says so at its head, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sewershed.ledger.moments import day_words
from sewershed.ledger.papers.source import Source
from sewershed.ledger.wording import plain, words_of
from sewershed.rules.entries import Duty, Entry
from sewershed.rules.findings import Obligation
from sewershed.rules.unknown import Unknown, Want
from sewershed.rules.view import tell


def unasked(source: Source, events: Sequence[str]) -> str:
    """Returns why no rule asks for a paper, or why that cannot be told; nothing where a rule does, or where none ever would.

    Edge: a paper that was owed and is done is asked for; one whose duty ended before it was done is not.

    Args:
        source: the thing that the paper is about.
        events: those by which the paper goes out, which meet the duties to make it.
    """
    world, duties = source.world, dict(_duties(source, events))
    if not duties:
        return ""
    found = [one for one in world.obligations(source.thing.id) if one.rule in duties and one.state != "void"]
    if any(one.state not in ("closed", "superseded", "cannot_tell") for one in found):
        return ""
    words = words_of((), world.as_of)
    open_questions = [want for one in found if one.state == "cannot_tell" for want in one.asks]
    reasons = []
    for entry, duty in duties.values():
        reason, wants = _reason(source, duty, [one for one in found if one.rule == entry.id])
        open_questions += wants
        at = "; ".join(filter(None, (*entry.cites, world.law.caution(entry.id))))
        reasons.append(f"{entry.means} ({at}): {reason}")
    if open_questions:
        said = "; ".join(dict.fromkeys(words.want(want) for want in open_questions))
        return f"Whether a rule asks for this paper cannot be told. Missing: {said}."
    return f"No rule asks for this paper. {'. '.join(reasons)}."


def _duties(source: Source, events: Sequence[str]) -> Iterator[tuple[str, tuple[Entry, Duty]]]:
    """Yields the duties on this type of thing that these events meet, in the edition of the day asked about."""
    world = source.world
    for entry in world.law.duties_on.get(source.thing.type, ()):
        form = world.form(entry, source.thing, world.today) if world.is_in_force(entry, world.today) else None
        if isinstance(form, Duty) and any(set(events) & set(one.events) for one in form.met_by):
            yield entry.id, (entry, form)


def _reason(source: Source, duty: Duty, found: Sequence[Obligation]) -> tuple[str, tuple[Want, ...]]:
    """Returns why a duty does not ask, and what is wanting to tell whether it does."""
    ended = source.last(*(event for one in duty.closes for event in one.events))
    if ended is not None and not any(one.state == "cannot_tell" for one in found):
        return f"it ended with {plain(ended.name)} on {day_words(ended.day)}", ()
    steps: list[str] = []
    if duty.applies is not None:
        value = tell(duty.applies, source.world.standing(source.thing), steps)
        if isinstance(value, Unknown):
            return "", value.wants
        if value is False:
            return f"it does not apply ({steps[-1].strip()})", ()
    return f"nothing is recorded as {' or '.join(plain(one) for one in duty.opens.events) or 'what opens it'}", ()
