"""Lines of what is due, as the terminal shows them: how long, which day, what, on what, whose, under which clause."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from sewershed.cli import terminal
from sewershed.ledger.moments import left_words
from sewershed.rules.moments import say
from sewershed.rules.record import Moment
from sewershed.rules.unknown import Want

if TYPE_CHECKING:
    from sewershed.cli.words import Words
    from sewershed.ledger.shown import Due

COLORS = {
    "Overdue": "red",
    "Due soon": "yellow",
    "Needs decision": "magenta",
    "Met": "green",
    "Met late": "green",
}
_LEFT = 21  # columns of how long and which day, at least
_FIXED = "\xa0"  # a blank at which no line breaks
MOST_NAMED = 2  # persons who are named on a line
FOLD = 3  # so many things with the same duty, day and state are one line


def print_lines(
    lines: Sequence[Due], words: Words, *, is_folded: bool = True, is_waiting_shown: bool = True
) -> list[str]:
    """Prints lines under their state, in the order in which they come, and returns the texts that were printed.

    Args:
        lines: of the list.
        words: from `words_of`.
        is_folded: the same duty, day and state on many things is one line.
        is_waiting_shown: what waits is listed too, not only counted.
    """
    by_word: dict[str, list[Due]] = {}
    for line in lines:
        by_word.setdefault(line.word, []).append(line)
    across = max([_LEFT, *(len(text) + 2 for line in lines for text in left_column(line, words))])
    texts: list[str] = []
    for word, group in by_word.items():
        terminal.heading(f"{word}  {len(group)}", fg=COLORS.get(word))
        if word == "Waiting" and not is_waiting_shown and len(group) > FOLD:
            first = group[0]
            when = f", {words.moment(first.due)}" if first.due is not None else ""
            caution = f" ({first.caution})" if first.caution else ""
            terminal.say(f"The next: {first.means}{when}{caution}. --waiting lists them.", indent=2)
            texts.append(first.means)
            continue
        for same in _folded(group) if is_folded else [[line] for line in group]:
            texts += _print_line(same, words, across)
    return texts


def _folded(lines: Sequence[Due]) -> Iterable[list[Due]]:
    """Yields lines that stand alone, and those of one duty, day and state on many things together."""
    by_duty: dict[tuple[Any, ...], list[Due]] = {}
    for line in lines:
        by_duty.setdefault(_duty_and_day(line), []).append(line)
    for line in lines:
        group = by_duty[_duty_and_day(line)]
        if len(group) < FOLD:
            yield [line]
        elif line is group[0]:
            yield group


def _duty_and_day(line: Due) -> tuple[Any, ...]:
    return line.rules, line.due, line.state, tuple(one.what for one in line.asks)


def _print_line(same: Sequence[Due], words: Words, across: int) -> list[str]:
    """Prints one line, or several of one duty and day as one; how long and which day stand in their own columns."""
    line = same[0]
    texts = [what(line), about(same, words), *besides(line, words)]
    left = list(left_column(line, words))
    right = [click.style(text, bold=True) for text in _wrapped(texts[0], across)]
    key, *rest = _wrapped(texts[1], across)
    right.append(
        click.style(key.partition(" · ")[0], fg="cyan") + click.style("".join(key.partition(" · ")[1:]), dim=True)
    )
    right += [click.style(text, dim=True) for text in rest]
    right += [text for extra in texts[2:] for text in _wrapped(extra, across)]
    for number, text in enumerate(right):
        before = (left[number] if number < len(left) else "").ljust(across)
        shown = click.style(before, fg=COLORS.get(line.word)) if number == 0 else before
        click.echo(f"  {shown}{text}".rstrip())
    return texts


def _wrapped(text: str, across: int) -> list[str]:
    room = max(30, terminal.width() - across - 2)
    lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False)
    return [line.replace(_FIXED, " ") for line in lines]


def left_column(line: Due, words: Words) -> Iterable[str]:
    """Yields how long there is, and which day."""
    if line.met_at is not None and line.state in ("met", "met_late"):
        yield line.word.lower()
        yield words.moment(line.met_at)
    elif line.state in ("closed", "superseded", "void"):
        yield line.word.lower()
    elif line.due is not None:
        yield left_words(line.due, words.now, words.zone) if line.state != "missed" else "missed"
        yield words.moment(line.due)
    elif line.state == "waiting":
        yield "not started"
    elif line.state == "cannot_tell":
        yield "no day"
    elif line.state in ("stayed", "excused"):
        yield line.word.lower()
    else:
        yield "at once" if line.word == "Due soon" else "no time set"


def what(line: Due) -> str:
    """Returns what is to be done, with its item or period, unless that is the day it is due or an instant."""
    is_said = line.label and line.label != str(line.due) and "T" not in line.label
    label = f" ({line.label})" if is_said else ""
    more = f"; this and {line.count - 1} more like it are open" if line.count > 1 else ""
    return f"{line.means}{label}{more}"


def about(same: Sequence[Due], words: Words) -> str:
    """Returns the key of a line, the place or name of its thing, whose it is, and the clauses of all rules behind it."""
    line = same[0]
    key = words.keys.get(line.key, line.key)
    if len(same) == 1:
        thing = _without_number(line.thing_label, key.partition(" ")[0])
    else:
        names = "; ".join(sorted(one.thing_label for one in same)[:FOLD])
        thing = f"{len(same)} of them: {names}{'; …' if len(same) > FOLD else ''}"
    cites = words.cites(line.rules).replace(" ", _FIXED).replace(f";{_FIXED}", "; ")
    return " · ".join(one for one in (key.replace(" ", _FIXED), thing, whose(line, words), cites) if one)


def _without_number(label: str, number: str) -> str:
    """Returns what a label says besides the number that stands before it in the key.

    Example:
        >>> _without_number("spill 24-001, Branch Street", "24-001"), _without_number("Spring Hope", "town")
        ('Branch Street', 'Spring Hope')
    """
    before, found, after = label.partition(number)
    return (after.strip(" ,:") or before.strip(" ,:")) if found else label


def whose(line: Due, words: Words) -> str:
    """Returns whose it is: who holds the office or is named; the office where nobody was found, or many."""
    if not line.persons:
        return f"{words.office(line.who)}, nobody on record"
    if len(line.persons) > MOST_NAMED:
        return f"{words.office(line.who)} ({len(line.persons)} people)"
    return ", ".join(words.names.get(one, one) for one in line.persons)


def print_unnamed(offices: Iterable[str], words: Words, town: str) -> None:
    """Says of offices for which nobody was found that it is so, and what to record.

    Args:
        offices: each a word of the book's roles, or one that no role explains.
        words: from `words_of`.
        town: the folder of the town as it was typed.
    """
    named = list(dict.fromkeys(offices))
    held = [one for one in named if "." not in words.roles.get(one, "")]
    paths = [one for one in named if one not in held]
    record = f"sewershed record {shlex.quote(town)}"
    if named:
        click.echo()
    if held:
        terminal.say(
            f"Nobody is on record as {', '.join(words.office(one) for one in held)}. Say who it is: "
            f"{record} office_held --on PERSON --at DAY --set office={held[0] if len(held) == 1 else 'OFFICE'}"
            + (f", with {', '.join(held)} for OFFICE" if len(held) > 1 else "")
        )
    for one in paths:
        kind, last = words.roles[one].split(".")[-2:]
        terminal.say(
            f"The record does not say who the {words.office(one)} is ({words.roles[one]}). Say who it is: "
            f"{record} facts {kind.upper()} --set {last}=PERSON"
        )


def besides(line: Due, words: Words) -> Iterable[str]:
    """Yields what else must be said of a line: other dates, what is missing, what the engine notes."""
    others = [_other(one.reading, one.state, one.due, words) for one in line.if_read_as]
    others += [_also(text, words) for text in line.also if not _is_same_date(text, line, words)]
    if others:
        yield "; ".join(others)
    said = [note for note in line.notes if not note.startswith("if read as")]
    said += ["missing: " + "; ".join(words.want(one) for one in line.asks)] if line.asks else []
    if said:
        yield "; ".join(said)
    if line.caution:
        yield line.caution


def _other(reading: str, state: str, due: Moment | None, words: Words) -> str:
    result = words.moment(due) if due is not None else state.replace("_", " ")
    return f"if read as {reading}: {result}"


def _also(text: str, words: Words) -> str:
    """Returns the date that another of the rules behind a line gives, under its clause."""
    rule, _, result = text.partition(": ")
    moment = _moment_in(result, words)
    said = words.moment(moment) if moment is not None else result.replace("_", " ")
    return f"by {words.cites([rule])}: {said}"


def _is_same_date(text: str, line: Due, words: Words) -> bool:
    return line.due is not None and text.endswith(f": due {say(line.due, words.zone)}")


def _moment_in(result: str, words: Words) -> Moment | None:
    from sewershed.rules.moments import read_moment

    return read_moment(result.removeprefix("due "), words.zone) if result.startswith("due ") else None


# ------------------------------------------------------------------------------------------------ as facts


def facts_of(line: Due, words: Words) -> dict[str, Any]:
    """Returns a line as facts: keys of the specification first, then what a person reads."""
    return {
        "key": line.key,
        "rule": line.rule,
        "cites": line.cites,
        "edition": line.edition,
        "thing": line.thing,
        "who": line.who,
        "to": line.to or None,
        "state": line.state,
        "opened_by": line.opened_by or None,
        "due": said(line.due, words.zone),
        "met_by": line.met_by or None,
        "asks": [want_facts(one) for one in line.asks],
        "doubts": line.doubts,
        "if_read_as": [
            {"doubt": one.doubt, "reading": one.reading, "state": one.state, "due": said(one.due, words.zone)}
            for one in line.if_read_as
        ],
        "also": line.also,
        "notes": line.notes,
        "short_key": words.keys.get(line.key, line.key),
        "rules": line.rules,
        "means": line.means,
        "word": line.word,
        "label": line.label or None,
        "thing_label": line.thing_label,
        "program": line.program,
        "persons": line.persons,
        "met_at": said(line.met_at, words.zone),
        "count": line.count,
        "caution": line.caution or None,
    }


def want_facts(want: Want) -> dict[str, Any]:
    """Returns what is wanting as facts, without what it does not say."""
    facts = {
        "kind": want.kind,
        "what": want.what,
        "thing": want.thing,
        "who": want.who,
        "event": want.event,
        "day": want.day,
    }
    return {name: value for name, value in facts.items() if value not in ("", None)}


def said(moment: Moment | None, zone: ZoneInfo) -> str | None:
    """Returns a moment as data has it: a day, or local time with its offset."""
    return None if moment is None else say(moment, zone)
