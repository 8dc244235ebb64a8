"""`sewershed show`: one thing, with everything that is known of it, or the things of a type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from sewershed.cli import completing, terminal
from sewershed.cli.lines import facts_of, print_lines, want_facts
from sewershed.cli.terminal import Verb, json_option
from sewershed.cli.towns import Asked, Here, asking, in_town
from sewershed.cli.why import named_in, row_words

if TYPE_CHECKING:
    from sewershed.cli.words import Words
    from sewershed.ledger.shown import Fact, Named, RowShown
    from sewershed.rules.findings import Finding
    from sewershed.rules.unknown import Want
    from sewershed.rules.vocabulary import Fact as Field

MOST_FINDINGS = 10_000


@click.command(
    cls=Verb,
    examples="""
    sewershed show ./spring-hope 24-001
    sewershed show ./spring-hope 24-001 --json
    sewershed show ./spring-hope --offices
    """,
)
@in_town
@click.argument("thing", required=False, default="", shell_complete=completing.any_thing)
@click.option("--offices", is_flag=True, help="Show who holds which office of the law, and which nobody holds.")
@asking
@json_option
def show(here: Here, asked: Asked, thing: str, offices: bool, is_json: bool) -> None:
    """Shows a thing: facts, rows, what is due, papers.

    The ids of the rows are what `record correct`, `record withdraw` and `why` take.
    """
    from sewershed.cli.handles import thing_named, vocabulary_of
    from sewershed.cli.words import words_of
    from sewershed.ledger import queries
    from sewershed.ledger.wording import OUTCOMES

    if offices == bool(thing):
        raise click.UsageError("name a thing, or give --offices")
    if offices:
        _show_offices(here, asked, is_json=is_json)
        return
    about = thing_named(here, thing)
    as_of, known_at = asked.as_of, asked.known_at
    facts = queries.facts(about.id, as_account=here.account, as_of=as_of, known_at=known_at)
    rows = queries.rows(about.id, as_account=here.account, known_at=known_at)
    due = queries.due(as_account=here.account, thing=about.id, as_of=as_of, known_at=known_at).items
    findings = queries.findings(
        as_account=here.account, thing=about.id, limit=MOST_FINDINGS, as_of=as_of, known_at=known_at
    )
    papers = queries.documents(as_account=here.account, about=about.id)
    attachments = queries.attachments(about.id, as_account=here.account)
    vocabulary = vocabulary_of(here)
    known = vocabulary.things[about.type].facts
    pointed = {one.text for one in facts if one.name in known and known[one.name].type.kind == "ref"}
    words = words_of(here, due, asked.at(here), named_in(rows, vocabulary) | pointed)
    unheld = queries.unheld(about.id, as_account=here.account, as_of=as_of, known_at=known_at)
    if is_json:
        terminal.print_json(
            {
                "id": about.id, "type": about.type, "label": about.label, "number": about.number or None,
                "program": about.program, "source_id": about.source_id or None, "retired_on": about.retired_on or None,
                "joined_into": about.joined_into or None,
                "facts": [_fact(one) for one in facts],
                "rows": [_row(one, unheld.get(one.root, ())) for one in rows],
                "due": [facts_of(one, words) for one in due],
                "findings": [_finding(one, words) for one in findings],
                "documents": papers,
                "attachments": attachments,
            }
        )  # fmt: skip
        return
    _print_thing(about, facts, rows, unheld, words)
    shown = print_lines(due, words, is_folded=False)
    against = [one for one in findings if one.outcome != "MET"]
    if against:
        terminal.heading(f"Found  {len(against)}")
        for one in against:
            entry = words.entries[one.rule]
            shown += [entry.means, *entry.cites]
            void = ", it does not count" if one.is_void else ""
            day = f", {words.moment(one.day)}" if one.day is not None else ""
            terminal.say(
                f"{entry.means} ({'; '.join(entry.cites)}){void}{day}", indent=16, first=f"  {OUTCOMES[one.outcome]}"
            )
            if caution := words.law.caution(one.rule):
                terminal.say(caution, indent=16)
            terminal.say(one.key, indent=16, dim=True)
    if papers or attachments:
        terminal.heading("Papers and files")
        terminal.pairs(
            [(f"{one.get('kind', '').replace('_', ' ')} {one.get('number', '')}", one["id"]) for one in papers]
            + [(one.get("name", ""), f"{one.get('caption', '')} {one['id']}".strip()) for one in attachments]
        )
    terminal.abbreviations([about.label, *(row_words(row, words) for row in rows), *shown], words.abbreviations)


def _print_thing(
    about: Named,
    facts: Sequence[Fact],
    rows: Sequence[RowShown],
    unheld: Mapping[str, Sequence[Want]],
    words: Words,
) -> None:
    click.echo(f"{click.style(about.label, bold=True)}  {about.type.replace('_', ' ')}, {about.id}")
    for text, what in ((about.retired_on, "retired"), (about.joined_into, "joined into")):
        if text:
            click.echo(f"  {what} {text}")
    if facts:
        terminal.heading("Facts")
        known = words.vocabulary.things[about.type].facts
        terminal.pairs([(one.name, _fact_words(one, words, known.get(one.name))) for one in facts])
    terminal.heading("What is recorded")
    terminal.pairs(
        [
            (
                _row_name(row, about.id),
                row_words(row, words, unheld.get(row.root, ()) if row.stands == "stands" else ())
                + (f"\nwhy: {row.why}" if row.why else ""),
            )
            for row in rows
        ]
    )


def _row_name(row: RowShown, about: str) -> str:
    if row.kind == "void":
        return "withdrawal"
    stands = f" ({row.stands})" if row.stands in ("corrected", "withdrawn") else ""
    stands = f" (now on {row.thing})" if row.thing != about else stands
    number = f" {row.number}" if row.number and row.kind == "event" else ""
    return f"{row.name if row.kind == 'event' else 'facts'}{number}{stands}"


def _fact_words(one: Fact, words: Words, known: Field | None) -> str:
    text = one.text if one.is_hidden or known is None else words.value(one.text or None, known.type)
    since = f", from {words.moment(date.fromisoformat(one.from_day))}" if one.from_day else ""
    derived = "" if one.row else f" (follows from the record{f'; {one.caution}' if one.caution else ''})"
    return f"{text}{since}{derived}"


def _show_offices(here: Here, asked: Asked, *, is_json: bool) -> None:
    from sewershed.ledger import queries

    holders = queries.holders(as_account=here.account, day=asked.at(here).astimezone(here.zone).date())
    if is_json:
        for one in holders:
            terminal.print_json(
                {"office": one.office, "title": one.title, "persons": [person for person, _ in one.persons]}
            )
        return
    rows = [
        (one.office, f"{', '.join(label for _, label in one.persons) or 'nobody'}: {one.title}")
        for one in holders
        if "." not in one.title
    ]
    terminal.pairs(rows)
    click.echo()
    terminal.say(
        "Somebody takes up an office by a row: sewershed record TOWN office_held --on PERSON --at DAY --set office=..."
    )


def _fact(one: Fact) -> dict[str, Any]:
    return {
        "name": one.name,
        "value": None if one.is_hidden else one.text,
        "unit": one.unit or None,
        "from": one.from_day or None,
        "row": one.row or None,
        "is_private": one.is_hidden,
        "caution": one.caution or None,
    }


def _row(one: RowShown, unheld: Sequence[Want]) -> dict[str, Any]:
    return {
        "id": one.id, "root": one.root, "thing": one.thing, "position": one.position, "kind": one.kind, "name": one.name, "at": one.at or None,
        "at_is": one.at_is or None, "at_how": one.at_how or None, "recorded_at": one.recorded_at,
        "recorded_by": one.recorded_by, "performed_by": one.performed_by or None, "office": one.office or None,
        "data": one.data, "number": one.number or None, "why": one.why or None, "source": one.source,
        "stands": one.stands, "short_of": [want_facts(want) for want in unheld] if one.stands == "stands" else [],
    }  # fmt: skip


def _finding(one: Finding, words: Words) -> dict[str, Any]:
    return {
        "key": one.key,
        "rule": one.rule,
        "kind": one.kind,
        "outcome": one.outcome,
        "about": one.about or None,
        "day": one.day,
        "counts": not one.is_void,
        "doubts": one.doubts,
        "notes": one.notes,
        "caution": words.law.caution(one.rule) or None,
    }
