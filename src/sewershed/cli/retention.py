"""`sewershed due --retention`: which records may be destroyed, which are kept or held, and under which clause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from sewershed.cli import terminal
from sewershed.cli.lines import want_facts
from sewershed.cli.towns import Asked, Here

if TYPE_CHECKING:
    from sewershed.cli.words import Words
    from sewershed.ledger.retention import Law, Retained

STATES = {"may_go": "May be destroyed", "held": "Held", "cannot_tell": "Cannot tell", "kept": "Kept"}
MOST = 12  # records of a kind and state that are named
_INDENT = 4


def print_retention(here: Here, asked: Asked, thing: str, *, is_json: bool) -> None:
    """Prints how every record stands, by kind; as JSON one object a record."""
    from sewershed.cli.due import head
    from sewershed.cli.words import words_of
    from sewershed.ledger.retention import retained

    with terminal.progress("looking at the record") as tell:
        found = retained(
            as_account=here.account, as_of=asked.as_of, known_at=asked.known_at, thing=thing, tell=tell
        )  # fmt: skip
    if is_json:
        for one in found:
            terminal.print_json(_facts(one))
        return
    words = words_of(here, [], asked.at(here))
    click.echo(head(here, asked))
    by_kind: dict[str, list[Retained]] = {}
    for one in found:
        by_kind.setdefault(one.kind.ask, []).append(one)
    for records in by_kind.values():
        terminal.heading(records[0].kind.means)
        _print_law(records[0].law, words)
        _print_records(records, words)
    if not found:
        click.echo("There is no record of a kind that a rulebook is asked about.")
    click.echo()
    count = sum(1 for one in found if one.standing.state == "may_go")
    terminal.say(
        f"{terminal.many(count, 'record')} may be destroyed. Nothing is destroyed by this program: whoever destroys something "
        "looks at the clause first, and keeps this list."
    )
    cites = [text for one in found for entry in one.law.entries for text in entry.cites]
    terminal.abbreviations(cites, words.abbreviations)


def _print_law(law: Law, words: Words) -> None:
    for entry in law.entries:
        terminal.say(f"{entry.means} ({'; '.join(entry.cites)}; {law.edition})", indent=2)
        if entry.caution:
            terminal.say(entry.caution, indent=2)
    for want in law.asks:
        said = "no rulebook in force says how long" if want.kind == "no_answer" else words.want(want)
        terminal.say(f"missing: {said}", indent=2)


def _print_records(records: Sequence[Retained], words: Words) -> None:
    """Prints records under their state; what is kept is counted, with the next day on which something may go."""
    by_state: Mapping[str, list[Retained]] = {state: [] for state in STATES}
    for one in records:
        by_state[one.standing.state].append(one)
    for state, group in by_state.items():
        if not group:
            continue
        text = f"  {STATES[state]}  {len(group):,}"
        if state == "kept":
            days = [one.standing.until for one in group if one.standing.until is not None]
            open_ones = sum(1 for one in group if one.is_open)
            text += f"; the next until {words.moment(min(days))}" if days else ""
            text += f"; of {open_ones:,} something is still to be done" if open_ones else ""
            click.echo(text)
            continue
        click.echo(text)
        for one in sorted(group, key=lambda one: (one.last is None, one.last, one.label))[:MOST]:
            terminal.say("; ".join(_said(one, words)), indent=_INDENT + 2, first=" " * _INDENT)
        if len(group) > MOST:
            click.echo(f"{' ' * (_INDENT + 2)}and {len(group) - MOST:,} more: --json lists all")


def _said(one: Retained, words: Words) -> Iterable[str]:
    what = f"{one.event.replace('_', ' ')}, " if one.event else ""
    day = f"of {words.moment(one.last)}" if one.last is not None else "no day is on record"
    yield f"{what}{one.label}, {day}"
    if one.standing.state == "may_go" and one.standing.until is not None and one.standing.may_go_on is not None:
        yield f"kept until {words.moment(one.standing.until)}, free since {words.moment(one.standing.may_go_on)}"
    for hold in one.holds:
        until = f"until {words.moment(hold.last)}" if hold.last is not None else "until it is lifted"
        yield f"held {until}: {hold.because} (row {hold.id})"


def _facts(one: Retained) -> dict[str, Any]:
    return {
        "kind": one.kind.ask,
        "means": one.kind.means,
        "thing": one.thing,
        "label": one.label,
        "event": one.event or None,
        "row": one.row or None,
        "state": one.standing.state,
        "last_on": one.last,
        "until": one.standing.until,
        "may_go_on": one.standing.may_go_on,
        "is_open": one.is_open,
        "years": one.law.years,
        "rules": [entry.id for entry in one.law.entries],
        "cites": [cite for entry in one.law.entries for cite in entry.cites],
        "edition": one.law.edition or None,
        "certainty": [entry.certainty for entry in one.law.entries],
        "caution": next(filter(None, (entry.caution for entry in one.law.entries)), None),
        "holds": [{"row": hold.id, "until": hold.last, "because": hold.because} for hold in one.holds],
        "asks": [want_facts(want) for want in one.law.asks],
    }
