"""Verdicts: how an act, a standard or a limit comes out under each reading, made into findings (docs/explanation/rulebook.md 13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from sewershed.rules.entries import Entry, Form
from sewershed.rules.findings import Finding, OtherReading, Outcome
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown, Want, unknown

if TYPE_CHECKING:
    from sewershed.rules.record import Event
    from sewershed.rules.world import World


@dataclass(slots=True)
class Verdict:
    """How one form of a rule comes out: every part that was tested, in order."""

    steps: list[str] | None = None  # a list where somebody asks why
    missing: list[Want] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    is_regulated: bool = True
    scope_missing: list[Want] = field(
        default_factory=list
    )  # what is wanting to tell whether the rule concerns this at all

    def note(self, step: str) -> None:
        """Takes a step, where somebody asks why."""
        if self.steps is not None and step:
            self.steps.append(step)

    def take(self, value: object, failure: str) -> None:
        """Takes the answer to one part: true, false with what it means, or unknown."""
        if isinstance(value, Unknown):
            self.missing.extend(value.wants)
        elif not value:
            self.failed.append(failure)

    def take_scope(self, value: object) -> None:
        """Takes whether the rule concerns this at all."""
        if isinstance(value, Unknown):
            self.scope_missing.extend(value.wants)
        elif not value:
            self.is_regulated = False

    @property
    def outcome(self) -> Outcome:
        """Returns the outcome. A part that fails decides; where every part holds, it matters not whether the rule applies."""
        if not self.is_regulated:
            return "NOT_REGULATED"
        if self.failed:
            return "CANNOT_TELL" if self.scope_missing else "NOT_MET"
        return "CANNOT_TELL" if self.missing else "MET"

    @property
    def wants(self) -> tuple[Want, ...]:
        """Returns what is wanting, each once: first whether the rule applies, then the parts."""
        return unknown(self.scope_missing + ([] if self.failed else self.missing)).wants


def finding_of(
    world: World,
    entry: Entry,
    kind: str,
    thing: Thing,
    day: date,
    judge: Callable[[Form, Verdict], None],
    event: Event | None = None,
    *,
    has_steps: bool = True,
) -> Finding | None:
    """Returns the finding of an entry about a thing or an event, or None where it is not in force or silent.

    Args:
        world: what is asked.
        entry: the rule.
        kind: its kind, in the finding.
        thing: what it is about.
        day: picks the edition.
        judge: judges one form into a verdict.
        event: the event it is about, if any.
        has_steps: takes down why; left out where only the outcome is wanted, since it costs several times as much.
    """
    edition = entry.edition_on(day)
    if edition is None or not edition.readings:
        return None
    verdicts: dict[str, Verdict] = {}
    for name, form in edition.readings.items():
        verdict = Verdict([] if has_steps else None)
        judge(form, verdict)
        verdicts[name] = verdict
    about = event.id if event is not None else ""
    chosen = world.reading(entry, thing, day) if entry.reading_of else ""
    if chosen is not None and chosen not in verdicts:
        chosen = next(iter(verdicts))
    doubts = tuple(dict.fromkeys((*entry.doubts, *((entry.reading_of,) if entry.reading_of else ()))))
    made = Finding(entry.id, kind, thing.id, "CANNOT_TELL", edition.since, about, day, doubts=doubts)
    if chosen is None and len({verdict.outcome for verdict in verdicts.values()}) > 1:
        doubt = world.doubts[entry.reading_of]
        made.asks = world.doubt_wants(doubt.id, thing)
        made.steps = tuple(f"if read as {name}: {verdict.outcome}" for name, verdict in verdicts.items())
        made.if_read_as = tuple(
            OtherReading(doubt.id, name, verdict.outcome, text=f"if read as {name}: {verdict.outcome}")
            for name, verdict in verdicts.items()
        )
        return made
    chosen = next(iter(verdicts)) if chosen is None else chosen
    verdict = verdicts[chosen]
    outcome = made.outcome = verdict.outcome
    made.steps = () if verdict.steps is None else tuple(verdict.steps + verdict.failed)
    made.asks = verdict.wants if outcome == "CANNOT_TELL" else ()
    made.reading = chosen
    made.if_read_as = tuple(
        OtherReading(entry.reading_of, name, other.outcome, text=f"if read as {name}: {other.outcome}")
        for name, other in verdicts.items()
        if other is not verdict and other.outcome != outcome
    )
    return made
