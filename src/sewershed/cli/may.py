"""`sewershed may`: asks ahead whether something may be done, and what is wanting."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from sewershed.cli import completing, terminal
from sewershed.cli.failing import Failure, found
from sewershed.cli.lines import want_facts
from sewershed.cli.terminal import Verb, json_option
from sewershed.cli.towns import Here, in_town, known_instant

if TYPE_CHECKING:
    from sewershed.cli.words import Words
    from sewershed.rules.findings import Finding


_ORDER = ("NOT_MET", "CANNOT_TELL", "MET")
_LACKING = re.compile(r"wanting: no (\w+(?: or \w+)*) before ")  # as the engine says which event a rule misses


_INDENT = 15  # columns before what a rule says: of its outcome


@click.command(
    cls=Verb,
    examples="""
    sewershed may ./spring-hope area_released --on 24-001
    sewershed may ./spring-hope private_property_entered --on 24-001 --at "2024-03-09 09:00" --office staff
    """,
)
@in_town
@click.argument("event", shell_complete=completing.events)
@click.option(
    "--on",
    "thing",
    required=True,
    metavar="THING",
    shell_complete=completing.subject,
    help="The thing: id, number, alias or name.",
)
@click.option("--at", default="", metavar="TIME", help="When it would be; now, if left out.")
@click.option(
    "--office", default="", shell_complete=completing.offices, help="In which office of the law it would be done."
)
@click.option("--known-at", default="", metavar="TIME", help="Use only what had been recorded by then.")
@click.option("--set", "settings", multiple=True, metavar="FIELD=VALUE", help="A field of the event; again for each.")
@json_option
def may(
    here: Here, event: str, thing: str, at: str, office: str, known_at: str, settings: Sequence[str], is_json: bool
) -> None:
    """Asks ahead whether something may be done. Nothing is recorded.

    EVENT is judged under every rule about it, as if it were recorded at that time. Each rule is then met, or not met, or
    cannot be told, with what is wanting. Exit status 0 when all are met, else 1. Where no rule of the town's books is about
    the event, it says so.
    """
    from sewershed.cli.fields import read_settings
    from sewershed.cli.handles import thing_named, vocabulary_of
    from sewershed.cli.moments import typed
    from sewershed.cli.words import words_of
    from sewershed.ledger import queries
    from sewershed.rules.problems import did_you_mean

    vocabulary = vocabulary_of(here)
    kind = vocabulary.events.get(event)
    if kind is None:
        raise Failure(f"unknown event '{event}'{did_you_mean(event, vocabulary.events)}")
    check_office(here, office)
    about = thing_named(here, thing, kind.on)
    data = read_settings(tuple(settings), kind.data, find=lambda name, on: thing_named(here, name, on).id)
    findings = queries.may(
        event,
        about.id,
        as_account=here.account,
        at=typed(here, at, kind.precision) if at else "",
        office=office,
        data=data,
        known_at=known_instant(here, known_at),
    )
    words = words_of(here, [], here.now)
    if is_json:
        for one in findings:
            terminal.print_json(_facts(one, words))
    else:
        _print(event, about.label, findings, words)
    if any(one.outcome != "MET" for one in findings):
        found()


def check_office(here: Here, office: str) -> None:
    """Refuses an office that the town's books do not have: nothing may ever be done in it."""
    from sewershed.ledger import law
    from sewershed.rules.problems import did_you_mean

    roles = law.in_force().book.roles
    if office and office not in roles:
        raise Failure(
            f"there is no office {office!r}{did_you_mean(office, roles)}; `sewershed show --offices` lists them"
        )


def _print(event: str, label: str, findings: Sequence[Finding], words: Words) -> None:
    from sewershed.ledger.wording import OUTCOMES

    against = [one for one in findings if one.outcome == "NOT_MET"]
    unsure = [one for one in findings if one.outcome == "CANNOT_TELL"]
    if not findings:
        answer = "No rule of the town's books is about it"
    elif against:
        answer = "It would not count" if any(one.is_void for one in against) else "No"
    else:
        answer = "Cannot tell" if unsure else "Yes"
    click.echo(f"{click.style(answer, bold=True)}: {event} on {label}")
    for one in sorted(findings, key=lambda one: _ORDER.index(one.outcome)):
        entry = words.entries[one.rule]
        click.echo()
        terminal.say(f"{entry.means} ({'; '.join(entry.cites)})", indent=_INDENT, first=f"  {OUTCOMES[one.outcome]}")
        for step in _steps(one, words):
            terminal.say(step, indent=_INDENT + 2, first=" " * _INDENT + "-")
        for want in one.asks:
            terminal.say(f"missing: {words.want(want)}", indent=_INDENT)
        if caution := words.law.caution(one.rule):
            terminal.say(caution, indent=_INDENT)
        for other in one.if_read_as:
            terminal.say(f"if read as {other.reading}: {other.state.lower().replace('_', ' ')}", indent=_INDENT)
    entries = [words.entries[one.rule] for one in findings]
    terminal.abbreviations([text for one in entries for text in (one.means, *one.cites)], words.abbreviations)


def _steps(one: Finding, words: Words) -> Iterator[str]:
    """Yields the steps of a finding; an event that a rule misses before the act is named with what it means, once."""
    for step in one.steps:
        if f"wanting: {step}" in one.steps:
            continue
        lacking = _LACKING.match(step)
        if lacking is None:
            yield step.replace("does not hold: ", "it would need: ", 1) if step.startswith("does not hold: ") else step
            continue
        names = lacking[1].split(" or ")
        means = [words.vocabulary.events[name].means for name in names]
        said = [
            f"{name} ({text[:1].lower()}{text[1:]})" if text else name for name, text in zip(names, means, strict=True)
        ]
        yield f"wanting before it: {' or '.join(said)}"


def _facts(one: Finding, words: Words) -> dict[str, Any]:
    entry = words.entries[one.rule]
    return {
        "rule": one.rule,
        "cites": entry.cites,
        "means": entry.means,
        "thing": one.thing,
        "outcome": one.outcome,
        "counts": not one.is_void,
        "steps": one.steps,
        "asks": [want_facts(want) for want in one.asks],
        "doubts": one.doubts,
        "if_read_as": [
            {"doubt": other.doubt, "reading": other.reading, "outcome": other.state} for other in one.if_read_as
        ],
        "notes": one.notes,
        "caution": words.law.caution(one.rule) or None,
    }
