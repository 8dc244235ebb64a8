"""`sewershed why`: everything that one answer rests on."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from sewershed.cli import completing, terminal
from sewershed.cli.failing import Failure
from sewershed.cli.lines import COLORS, print_unnamed, said, want_facts
from sewershed.cli.terminal import Verb, json_option
from sewershed.cli.towns import Asked, Here, asking, in_town
from sewershed.ledger.moments import left_words, moment_words

if TYPE_CHECKING:
    from sewershed.cli.words import Words
    from sewershed.ledger.explaining import Reasons
    from sewershed.ledger.shown import RowShown
    from sewershed.rules.unknown import Want
    from sewershed.rules.vocabulary import Fact as Field
    from sewershed.rules.vocabulary import Vocabulary

MOST_WAYS = 3  # of recording what meets a duty, as examples


@click.command(
    cls=Verb,
    examples="""
    sewershed why ./spring-hope 24-001 tell
    sewershed why ./spring-hope 24-001 tell --as-of 2024-03-10 --known-at 2024-03-09
    sewershed why ./spring-hope --last
    """,
)
@in_town
@click.argument("key", nargs=-1, shell_complete=completing.keys)
@click.option("--last", "is_last", is_flag=True, help="What is most urgent about the thing that the last row concerns.")
@asking
@json_option
def why(here: Here, asked: Asked, key: Sequence[str], is_last: bool, is_json: bool) -> None:
    """Tells why: clause, meaning, edition, facts, steps, doubts.

    KEY is the short key that `sewershed due` prints (`24-001 tell`: a thing and the last words of a rule), the full key, or any
    beginning of it that no other has. Findings have keys too: `24-001 tell_counts`; `sewershed show TOWN THING` prints them.
    """
    from sewershed.cli.handles import key_named
    from sewershed.ledger.explaining import gather

    if bool(key) == is_last:
        raise click.UsageError("give the key of an answer, or --last")
    full = _last_key(here) if is_last else key_named(here, key)
    reasons = gather(full, as_account=here.account, as_of=asked.as_of, known_at=asked.known_at)
    if is_json:
        terminal.print_json(_facts(reasons))
    else:
        print_reasons(here, asked, reasons)


def _last_key(here: Here) -> str:
    from sewershed.ledger import log, queries

    row = log.select_list("position = %s", [queries.head(as_account=here.account).position])[0]
    found = queries.due(as_account=here.account, thing=row.thing).items
    if not found:
        label = queries.thing(row.thing, as_account=here.account).label
        raise Failure(f"nothing is due about {label}, which the last row concerns")
    return found[0].key


# ------------------------------------------------------------------------------------------------ printing


def print_reasons(here: Here, asked: Asked, reasons: Reasons) -> None:
    """Prints an answer and everything behind it."""
    from sewershed.cli.words import words_of
    from sewershed.rules.findings import Obligation

    found, answer = reasons.why, reasons.why.answer
    assert answer is not None
    named = named_in(reasons.rows, reasons.world.vocabulary)
    named |= {want.who for want in answer.asks if want.kind == "office"}
    words = words_of(here, [], asked.at(here), named)
    click.echo(click.style(found.means, bold=True))
    click.echo(reasons.label)
    click.echo()
    state = click.style(reasons.word, fg=COLORS.get(reasons.word), bold=True)
    click.echo(f"  {state}  {_when(reasons, words)}".rstrip())
    for note in answer.notes:
        terminal.say(note, indent=2)
    as_known = f", as known {moment_words(asked.known_at, here.zone)}" if asked.known_at is not None else ""
    at = asked.at(here) if asked.as_of is not None else here.now.replace(second=0)
    terminal.say(f"asked about {moment_words(at, here.zone)}{as_known}", indent=2, dim=True)

    terminal.heading("The clause")
    whose: list[tuple[str, str]] = []
    persons = None
    if isinstance(answer, Obligation) and reasons.duty is not None:
        whom = words.office(reasons.duty.to).removeprefix("the ")  # a title may bear its article
        toward = f", toward the {whom}" if whom else ""
        persons = _persons(here, reasons)
        whose = [("whose", f"{_whose(words.office(reasons.duty.who), persons)}{toward}")]
    caution = reasons.world.law.caution(found.rule)
    terminal.pairs(
        [
            ("where", "; ".join(found.cites)),
            ("edition", f"{found.edition}; supplement {_supplement(here, asked)[:12]}"),
            *whose,
            *([("caution", caution)] if caution else []),
            *([("note", reasons.entry.note)] if reasons.entry.note else []),
            ("rule", found.rule),
            ("key", _key(reasons)),
        ]
    )
    if reasons.rows:
        terminal.heading("The facts")
        terminal.pairs(
            [
                (_row_name(here, row, found.thing), row_words(row, words, reasons.unheld.get(row.root, ())))
                for row in reasons.rows
            ]
        )
    if reasons.not_counted:
        terminal.heading("Not counted")
        terminal.pairs([(event, f"{when}: {why}\n{key}".rstrip()) for event, when, why, key in reasons.not_counted])
    terminal.heading("The steps")
    _print_steps(found.steps)
    if answer.asks:
        terminal.heading("What is missing")
        for want in answer.asks:
            terminal.say(words.want(want), indent=4, first="  -")
    _print_doubts(reasons)
    if reasons.changes:
        terminal.heading("What would change it")
        for condition, result in reasons.changes:
            terminal.say(f"{condition}: {result}", indent=4, first="  -")
    _print_ways(here, reasons)
    if reasons.duty is not None and persons == []:
        print_unnamed([reasons.duty.who], words, here.typed)
    texts = (found.means, reasons.label, *found.cites, *(text for _, text in whose), *found.steps)
    terminal.abbreviations((*texts, *(doubt.means for doubt in reasons.doubts)), words.abbreviations)


def _print_ways(here: Here, reasons: Reasons) -> None:
    ways = _ways_to_record(here, reasons)
    if not ways:
        return
    terminal.heading("To record it")
    for way in ways:
        click.echo(f"  {way}")
    if reasons.word == "Overdue":
        late = (
            "What was done and not entered takes the time at which it was done; the record keeps when it was entered."
        )
        terminal.say(late, indent=2)


def _print_doubts(reasons: Reasons) -> None:
    if reasons.doubts:
        terminal.heading("Doubts that touch it")
    for doubt in reasons.doubts:
        terminal.say(doubt.means, indent=2 + len(doubt.id) + 2, first=f"  {doubt.id}")
        for one in doubt.readings:
            terminal.say(f"{one.name}: {one.result}", indent=6, first=f"    {'*' if one.is_applied else '-'}")


def _ways_to_record(here: Here, reasons: Reasons) -> list[str]:
    """Returns, for what is open, the commands that would meet it, as they are typed."""
    from sewershed.cli.handles import number_forms, short_name

    thing = reasons.why.thing
    name = short_name(reasons.label, thing, number_forms(reasons.world.vocabulary))
    return [
        f"sewershed record {shlex.quote(here.typed)} {way.event.name} --on {name} --at TIME"
        + "".join(f" --set {field}=..." for field in way.fields)
        for way in reasons.ways[:MOST_WAYS]
    ]


def _print_steps(steps: Iterable[str]) -> None:
    """Prints steps; what a step rests on is indented below it by the engine."""
    number = 0
    for step in steps:
        text = step.lstrip()
        depth = (len(step) - len(text)) // 2
        if depth == 0:
            number += 1
        terminal.say(text, indent=6 + 2 * depth, first=f"  {number:>2}" if depth == 0 else "")


def _when(reasons: Reasons, words: Words) -> str:
    from sewershed.rules.findings import Obligation

    answer = reasons.why.answer
    if not isinstance(answer, Obligation):
        assert answer is not None
        day = f"{words.moment(answer.day)}" if answer.day is not None else ""
        return f"{day}{', it does not count' if answer.is_void else ''}"
    if answer.met_at is not None:
        return words.moment(answer.met_at) + (f", due {words.moment(answer.due)}" if answer.due is not None else "")
    if answer.due is None:
        return "at once" if answer.is_at_once else ""
    left = "missed" if answer.state == "missed" else left_words(answer.due, words.now, words.zone)
    return f"{left}: {words.moment(answer.due)}"


def _persons(here: Here, reasons: Reasons) -> list[str] | None:
    """Returns the names of those whose it is; None where it was asked about another time and is not among what is stored."""
    from sewershed.ledger import queries
    from sewershed.ledger.errors import NotFound

    try:
        found = queries.who(_key(reasons), as_account=here.account)
    except NotFound:
        return None
    return [queries.thing(one, as_account=here.account).label for one in found.persons]


def _whose(office: str, persons: Sequence[str] | None) -> str:
    if persons is None:
        return office
    return f"{', '.join(persons)} ({office})" if persons else f"{office}, nobody on record"


def _key(reasons: Reasons) -> str:
    answer = reasons.why.answer
    assert answer is not None
    return answer.key


def _supplement(here: Here, asked: Asked) -> str:
    from sewershed.ledger import supplements
    from sewershed.ledger.explaining import said_at

    return supplements.adopted(said_at(asked.known_at) if asked.known_at else "")


def _row_name(here: Here, row: RowShown, about: str) -> str:
    from sewershed.ledger import queries

    name = row.name if row.kind == "event" else "facts"
    return name if row.thing == about else f"{name} of {queries.thing(row.thing, as_account=here.account).label}"


def named_in(rows: Iterable[RowShown], vocabulary: Vocabulary) -> set[str]:
    """Returns the ids of everybody and everything that rows name."""
    from sewershed.ledger.wording import refs_in_row

    known = {row.id: fields_of(row, vocabulary) for row in rows}
    return {row.performed_by for row in rows} | {ref for row in rows for ref in refs_in_row(row.data, known[row.id])}


def fields_of(row: RowShown, vocabulary: Vocabulary) -> Mapping[str, Field]:
    """Returns what the vocabulary says of the fields of a row."""
    if row.kind == "event":
        return vocabulary.events[row.name].data if row.name in vocabulary.events else {}
    return vocabulary.things[row.name].facts if row.name in vocabulary.things else {}


def row_words(row: RowShown, words: Words, unheld: Sequence[Want] = ()) -> str:
    """Returns what a row says, when it was, who recorded it when, and in which office it does not count."""
    from sewershed.ledger import canonical
    from sewershed.ledger.projections import moment_of

    recorded = f"recorded {words.moment(canonical.read_instant(row.recorded_at))} by {row.recorded_by}"
    if row.kind == "void":
        return f"of row {row.root}\nrow {row.id}, {recorded}"
    moment = moment_of(row.at)
    when = words.moment(moment) if moment is not None else "as long as it exists"
    how = f", {row.at_is}{': ' + row.at_how if row.at_how else ''}" if row.at_is not in ("", "exact") else ""
    known = fields_of(row, words.vocabulary)
    said = {name: words.value(value, known[name].type if name in known else None) for name, value in row.data.items()}
    data = "; ".join(f"{name} {text}" for name, text in said.items())
    by = f"; done by {words.names.get(row.performed_by, row.performed_by)}" if row.performed_by else ""
    office = f" as {words.office(row.office)}" if row.office else ""
    doubtful = "".join(f"\n{words.want(one)}" for one in unheld)
    return f"{when}{how}{': ' + data if data else ''}\nrow {row.id}, {recorded}{by}{office}{doubtful}"


# ------------------------------------------------------------------------------------------------ as facts


def _facts(reasons: Reasons) -> dict[str, Any]:
    from sewershed.rules.findings import Obligation

    found, answer, zone = reasons.why, reasons.why.answer, reasons.world.zone
    assert answer is not None
    facts: dict[str, Any] = {
        "key": _key(reasons),
        "rule": found.rule,
        "cites": found.cites,
        "means": found.means,
        "edition": found.edition,
        "caution": reasons.world.law.caution(found.rule) or None,
        "thing": found.thing,
        "thing_label": reasons.label,
        "word": reasons.word,
        "as_of": said(found.as_of, zone),
        "known_at": said(found.known_at, zone),
    }
    if isinstance(answer, Obligation):
        facts |= {
            "state": answer.state,
            "due": said(answer.due, zone),
            "opened_by": answer.opened_by or None,
            "met_by": answer.met_by or None,
            "met_at": said(answer.met_at, zone),
            "who": reasons.duty.who if reasons.duty else None,
            "to": (reasons.duty.to or None) if reasons.duty else None,
        }
    else:
        facts |= {"outcome": answer.outcome, "about": answer.about or None, "counts": not answer.is_void}
    return facts | {
        "facts": [
            {
                "row": row.id,
                "kind": row.kind,
                "name": row.name,
                "at": row.at,
                "data": row.data,
                "recorded_at": row.recorded_at,
                "recorded_by": row.recorded_by,
                "performed_by": row.performed_by or None,
                "office": row.office or None,
                "short_of": [want_facts(one) for one in reasons.unheld.get(row.root, ())],
            }
            for row in reasons.rows
        ],
        "not_counted": [
            {"event": event, "when": when, "because": why, "key": key} for event, when, why, key in reasons.not_counted
        ],
        "steps": found.steps,
        "asks": [want_facts(one) for one in answer.asks],
        "doubts": [
            {
                "id": doubt.id,
                "means": doubt.means,
                "readings": [
                    {"reading": one.name, "result": one.result, "is_applied": one.is_applied} for one in doubt.readings
                ],
            }
            for doubt in reasons.doubts
        ],
        "if_read_as": [
            {"doubt": one.doubt, "reading": one.reading, "state": one.state, "due": said(one.due, zone)}
            for one in answer.if_read_as
        ],
        "changes": [{"if": condition, "then": result} for condition, result in reasons.changes],
        "notes": answer.notes,
    }
