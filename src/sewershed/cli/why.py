"""`sewershed why`: everything that one answer rests on."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from sewershed.cli import completing, terminal
from sewershed.cli.failing import Failure
from sewershed.cli.lines import COLORS, said, want_facts
from sewershed.cli.moments import left_words, moment_words
from sewershed.cli.terminal import Verb, json_option
from sewershed.cli.towns import Asked, Here, asking, in_town

if TYPE_CHECKING:
    from sewershed.cli.lines import Words
    from sewershed.ledger.shown import RowShown
    from sewershed.rules.entries import Duty, Entry
    from sewershed.rules.findings import Explanation
    from sewershed.rules.record import Moment
    from sewershed.rules.world import World

MOST_WAYS = 3  # of recording what meets a duty, as examples
OUTCOMES = {"MET": "Met", "NOT_MET": "Not met", "CANNOT_TELL": "Cannot tell", "NOT_REGULATED": "Not regulated"}


@dataclass(frozen=True, slots=True)
class Reasons:
    """An answer and everything behind it, gathered for printing."""

    why: Explanation
    world: World
    entry: Entry
    duty: Duty | None
    word: str
    label: str
    rows: tuple[RowShown, ...]  # of the record: what it was opened and met by, and what the conditions read
    not_counted: tuple[tuple[str, str, str, str], ...]  # event, when, why it does not count, key of the finding
    doubts: tuple[
        tuple[str, str, tuple[tuple[str, str, bool], ...]], ...
    ]  # id, meaning, readings: name, result, applied
    changes: tuple[tuple[str, str], ...]  # if this, then that


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

    if bool(key) == is_last:
        raise click.UsageError("give the key of an answer, or --last")
    full = _last_key(here) if is_last else key_named(here, key)
    reasons = gather(here, asked, full)
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


# ------------------------------------------------------------------------------------------------ gathering


def gather(here: Here, asked: Asked, key: str) -> Reasons:
    """Returns an answer and everything behind it.

    Raises:
        NotFound: where there is none of that key.
    """
    from sewershed.ledger import queries
    from sewershed.rules.findings import Obligation
    from sewershed.rules.todo import word_of

    found = queries.why(key, as_account=here.account, as_of=asked.as_of, known_at=asked.known_at)
    world = queries.world(as_account=here.account, as_of=asked.as_of, known_at=asked.known_at)
    answer = found.answer
    assert answer is not None  # `why` refuses where there is none
    entry = world.entries[found.rule]
    duty = world.duty(answer) if isinstance(answer, Obligation) else None
    word = word_of(world, answer) if isinstance(answer, Obligation) else OUTCOMES[answer.outcome]
    return Reasons(
        found,
        world,
        entry,
        duty,
        word,
        queries.thing(found.thing, as_account=here.account).label,
        tuple(_rows(here, world, found, entry)),
        tuple(_not_counted(world, found, duty)),
        tuple(_doubts(world, found)),
        tuple(_changes(world, found, duty)),
    )


def _rows(here: Here, world: World, found: Explanation, entry: Entry) -> Iterator[RowShown]:
    """Yields the rows that an answer rests on: what opened and met it, the latest of each event and fact it reads."""
    from sewershed.ledger import queries
    from sewershed.rules.findings import Obligation
    from sewershed.rules.sentences import conditions

    answer = found.answer
    named = [answer.opened_by, answer.met_by] if isinstance(answer, Obligation) else [answer.about if answer else ""]
    read = list(conditions(entry, world.entries))
    events = {name for condition in read for name in condition.events}
    kind = world.thing(found.thing).type
    facts = {name for condition in read for owner, name in condition.facts if owner == kind}
    standing = [one for one in queries.rows(found.thing, as_account=here.account) if one.stands == "stands"]
    if world.known_at is not None:
        known = said_at(world.known_at)
        standing = [one for one in queries.rows(found.thing, as_account=here.account) if one.recorded_at <= known]
    latest: dict[str, RowShown] = {}
    for one in standing:
        if one.root in named:
            latest[one.root] = one
        elif one.kind == "event" and one.name in events:
            latest[one.name] = one
        elif one.name == "decided" and one.data.get("fact") in facts:
            latest[f"decided {one.data['fact']}"] = one
        elif one.kind == "facts" and facts & set(one.data):
            latest[f"facts {sorted(facts & set(one.data))}"] = one
    yield from sorted(latest.values(), key=lambda one: (one.at, one.position))


def _not_counted(world: World, found: Explanation, duty: Duty | None) -> Iterator[tuple[str, str, str, str]]:
    """Yields the events that would have met a duty and leave the record, and the rule by which they do."""
    wanted = {name for one in duty.met_by for name in one.events} if duty is not None else set()
    for one in world.history(world.thing(found.thing)).not_counted:
        if one.event.name in wanted:
            entry = world.entries[one.finding.rule]
            why = f"{entry.means} ({'; '.join(entry.cites)})"
            yield one.event.name, _said(world, one.event.moment), why, one.finding.key


def said_at(instant: Any) -> str:
    """Returns an instant as the log writes it."""
    from sewershed.ledger import canonical

    return canonical.instant_text(instant)


def _doubts(world: World, found: Explanation) -> Iterator[tuple[str, str, tuple[tuple[str, str, bool], ...]]]:
    answer = found.answer
    assert answer is not None
    thing = world.thing(found.thing)
    for name in dict.fromkeys((*found.doubts, *(one.doubt for one in answer.if_read_as))):
        doubt = world.doubts.get(name)
        if doubt is None:
            continue
        decided = world.decisions(name, thing)
        applied = decided[-1].reading if decided else doubt.applied
        others = {one.reading: one for one in answer.if_read_as if one.doubt == name}
        readings = []
        for choice in doubt.choices:
            other = others.get(choice)
            if choice == applied:
                result = f"decided on {decided[-1].day.isoformat()}" if decided else "applied until settled"
            elif other is None:
                result = "the same here"
            else:
                result = f"due {_said(world, other.due)}" if other.due is not None else other.state.replace("_", " ")
            readings.append((choice, result, choice == applied))
        by = "" if decided else f" The {_title(world, doubt.settle_by)} settles it." if doubt.settle_by else ""
        yield name, f"{doubt.means}.{by}", tuple(readings)


def _said(world: World, moment: Moment) -> str:
    return moment_words(moment, world.zone, world.today)


def _title(world: World, office: str) -> str:
    title = world.book.roles.get(office, "")
    return title if title and "." not in title else office.replace("_", " ")


def _changes(world: World, found: Explanation, duty: Duty | None) -> Iterator[tuple[str, str]]:
    """Yields what would change an answer that is open: what meets it, ends it, moves it; and the other readings."""
    from sewershed.rules.findings import Obligation
    from sewershed.rules.sentences import pattern

    answer = found.answer
    if isinstance(answer, Obligation) and duty is not None and answer.is_open:
        late = f"met, in time until {_said(world, answer.due)}" if answer.due is not None else "met"
        yield from ((pattern(one), late) for one in duty.met_by)
        yield from ((pattern(one), "it ends") for one in duty.closes)
        yield from ((pattern(one), "it is excused") for one in duty.excused_by)
        yield from ((pattern(one), "its date moves") for one in duty.extended_by)
        yield from (
            (pattern(one.start), "its clock stands still" if one.effect == "pause" else "it is held")
            for one in duty.stayed_by
        )
        if duty.applies is not None:
            yield f"!({duty.applies.source})", "it is not needed"


# ------------------------------------------------------------------------------------------------ printing


def print_reasons(here: Here, asked: Asked, reasons: Reasons) -> None:
    """Prints an answer and everything behind it."""
    from sewershed.cli.lines import words_of
    from sewershed.rules.findings import Obligation

    found, answer = reasons.why, reasons.why.answer
    assert answer is not None
    words = words_of(here, [], asked.at(here))
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
    whose = []
    if isinstance(answer, Obligation) and reasons.duty is not None:
        toward = f", toward the {words.office(reasons.duty.to)}" if reasons.duty.to else ""
        whose = [("whose", f"{_whose(here, reasons, words)}{toward}")]
    certainty = reasons.entry.certainty
    unsure = [("known", f"from {certainty}: check the text before relying on it")] if certainty != "verified" else []
    terminal.pairs(
        [
            ("where", "; ".join(found.cites)),
            ("edition", f"{found.edition}; supplement {_supplement(here, asked)[:12]}"),
            *whose,
            *unsure,
            *([("note", reasons.entry.note)] if reasons.entry.note else []),
            ("rule", found.rule),
            ("key", _key(reasons)),
        ]
    )
    if reasons.rows:
        terminal.heading("The facts")
        terminal.pairs([(row.name if row.kind == "event" else "facts", row_words(row, words)) for row in reasons.rows])
    if reasons.not_counted:
        terminal.heading("Not counted")
        terminal.pairs([(event, f"{when}: {why}\n{key}") for event, when, why, key in reasons.not_counted])
    terminal.heading("The steps")
    _print_steps(found.steps)
    if answer.asks:
        terminal.heading("What is missing")
        for want in answer.asks:
            terminal.say(words.want(want), indent=4, first="  -")
    if reasons.doubts:
        terminal.heading("Doubts that touch it")
        for doubt, means, readings in reasons.doubts:
            terminal.say(means, indent=2 + len(doubt) + 2, first=f"  {doubt}")
            for name, result, is_applied in readings:
                terminal.say(f"{name}: {result}", indent=6, first=f"    {'*' if is_applied else '-'}")
    if reasons.changes:
        terminal.heading("What would change it")
        for condition, result in reasons.changes:
            terminal.say(f"{condition}: {result}", indent=4, first="  -")
    ways = _ways_to_record(here, reasons)
    if ways:
        terminal.heading("To record it")
        for way in ways:
            click.echo(f"  {way}")


def _ways_to_record(here: Here, reasons: Reasons) -> list[str]:
    """Returns, for what is open, the commands that would meet it, as they are typed."""
    from sewershed.cli.handles import number_forms, short_name
    from sewershed.rules.findings import Obligation

    found, answer, vocabulary = reasons.why, reasons.why.answer, reasons.world.vocabulary
    if not (
        isinstance(answer, Obligation) and answer.is_open and answer.state != "missed" and reasons.duty is not None
    ):
        return []
    thing = reasons.world.thing(found.thing)
    name = short_name(reasons.label, thing.id, number_forms(vocabulary))
    ways = []
    for one in reasons.duty.met_by:
        read = set(re.findall(r"\bevent\.(\w+)", one.when.source)) if one.when is not None else set()
        for kind in (vocabulary.events[event] for event in one.events):
            if kind.on in ("", thing.type):
                fields = [fact.name for fact in kind.data.values() if fact.required or fact.name in read]
                set_ = "".join(f" --set {field}=..." for field in fields)
                ways.append(f"sewershed record {shlex.quote(here.typed)} {kind.name} --on {name} --at TIME{set_}")
    return list(dict.fromkeys(ways))[:MOST_WAYS]


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


def _whose(here: Here, reasons: Reasons, words: Words) -> str:
    from sewershed.ledger import queries
    from sewershed.ledger.errors import NotFound

    assert reasons.duty is not None
    office = words.office(reasons.duty.who)
    try:
        found = queries.who(_key(reasons), as_account=here.account)
    except NotFound:  # asked about another time: it is not among what is stored
        return office
    names = [queries.thing(one, as_account=here.account).label for one in found.persons]
    return f"{', '.join(names)} ({office})" if names else f"{office} (nobody found)"


def _key(reasons: Reasons) -> str:
    answer = reasons.why.answer
    assert answer is not None
    return answer.key


def _supplement(here: Here, asked: Asked) -> str:
    from sewershed.ledger import supplements

    return supplements.adopted(said_at(asked.known_at) if asked.known_at else "")


def row_words(row: RowShown, words: Words) -> str:
    """Returns what a row says, when it was, and who recorded it when."""
    from sewershed.ledger import canonical
    from sewershed.ledger.projections import moment_of

    moment = moment_of(row.at)
    when = words.moment(moment) if moment is not None else "always"
    how = f", {row.at_is}{': ' + row.at_how if row.at_how else ''}" if row.at_is not in ("", "exact") else ""
    data = "; ".join(f"{name} {value_words(value)}" for name, value in row.data.items())
    recorded = words.moment(canonical.read_instant(row.recorded_at))
    by = f"; done by {words.persons.get(row.performed_by, row.performed_by)}" if row.performed_by else ""
    office = f" as {words.office(row.office)}" if row.office else ""
    return (
        f"{when}{how}{': ' + data if data else ''}\nrow {row.id}, recorded {recorded} by {row.recorded_by}{by}{office}"
    )


def value_words(value: Any) -> str:
    """Returns a value of the log in words."""
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


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
                "id": doubt,
                "means": means,
                "readings": [
                    {"reading": n, "result": result, "is_applied": applied} for n, result, applied in readings
                ],
            }
            for doubt, means, readings in reasons.doubts
        ],
        "if_read_as": [
            {"doubt": one.doubt, "reading": one.reading, "state": one.state, "due": said(one.due, zone)}
            for one in answer.if_read_as
        ],
        "changes": [{"if": condition, "then": result} for condition, result in reasons.changes],
        "notes": answer.notes,
    }
