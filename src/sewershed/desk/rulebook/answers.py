"""What comes out under an entry in a world of its own: a worked case that is run, or figures that somebody tries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from sewershed.desk.shell.parts import Step
from sewershed.ledger import steps
from sewershed.ledger.moments import in_words, moment_words
from sewershed.ledger.wording import OUTCOMES, Words, capital, plain, title
from sewershed.rules.entries import CalcForm, Entry, StatusForm, ValueForm
from sewershed.rules.findings import Exposure, Finding, Obligation, OtherReading
from sewershed.rules.loading.checks import forms
from sewershed.rules.todo import word_of
from sewershed.rules.types import Thing, Value
from sewershed.rules.unknown import Unknown, Want
from sewershed.rules.values import say_value
from sewershed.rules.world import World

MOST_SHOWN = 12  # answers, each with its steps
MOST_DEEP = 5  # how far a step is indented
WORD_OF_CLOSED = {"closed": "Ended", "superseded": "Replaced", "void": "Withdrawn"}


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """One answer: how it stands, about what, with its steps, what is missing, and how else it may be read."""

    word: str  # of its mark; empty where it is a value
    said: str
    about: str
    steps: tuple[Step, ...]
    missing: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def has_raw(self) -> bool:
        """Tells whether a step says something otherwise than the rule has it."""
        return any(one.raw for one in self.steps)


@dataclass(frozen=True, slots=True)
class Answers:
    """What comes out, and how much more of it there is than is shown."""

    shown: tuple[AnswerShown, ...]
    more: int = 0


def answers(world: World, entry: Entry, words: Words, most: int = MOST_SHOWN) -> Answers:
    """Returns what comes out under an entry in a world, about every thing that is in it.

    Edge: of more than `most` obligations those that are open come first, then the latest; the steps of the others are not
        worked out.
    """
    if entry.kind == "duty":
        owed = world.obligations(rules=(entry.id,))
        if len(owed) > most:
            latest = sorted(range(len(owed)), key=lambda place: (owed[place].is_open, place), reverse=True)[:most]
            return Answers(
                tuple(of_obligation(world, owed[place], words) for place in sorted(latest)), len(owed) - most
            )
        return Answers(tuple(of_obligation(world, one, words) for one in owed))
    found = tuple(_answers(world, entry, words))
    return Answers(found[:most], max(0, len(found) - most))


def _answers(world: World, entry: Entry, words: Words) -> Iterator[AnswerShown]:
    for target, kind in _targets(entry):
        about = world.records.things(kind) if kind else (None,)
        for thing in about:
            yield of_value(world, target, thing, words)
    if entry.kind == "penalty":
        yield from (of_exposure(world, one, words) for one in world.exposure() if one.rule == entry.id)
    elif entry.kind in ("act", "standard", "limit", "status"):
        yield from (of_finding(world, one, words) for one in world.findings() if one.rule == entry.id)


def _targets(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yields what an entry answers, with the type of thing that it is about; none for a question about no thing."""
    found: dict[str, str] = {}
    for form in forms(entry):
        if isinstance(form, StatusForm):
            found[f"{form.thing}.{form.fact}"] = form.thing
        elif isinstance(form, ValueForm | CalcForm) and form.target:
            found[form.target] = form.thing
    yield from found.items()


def of_obligation(world: World, one: Obligation, words: Words) -> AnswerShown:
    """Returns what is owed, and how it stands."""
    why = world.why(one.key)
    word = WORD_OF_CLOSED.get(one.state) or word_of(world, one)
    said = [f"due {_when(world, one.due)}"] if one.due is not None else []
    if one.is_at_once:
        said.append("due at once")
    if one.is_open_ended:
        said.append("no time is set")
    if one.met_at is not None:
        said.append(f"met {_when(world, one.met_at)}")
    if one.ended:
        said.append(one.ended)
    if one.state == "missed":
        said.append("it can no longer be done")
    about = ", ".join(filter(None, (_called(world, one.thing), in_words(one.label))))
    return AnswerShown(
        word, capital("; ".join(said)), about, steps_of(why.steps if why else (), words, _type(world, one.thing)), _missing(one.asks, words), _others(one.if_read_as), _notes(one.notes)
    )  # fmt: skip


def of_finding(world: World, one: Finding, words: Words) -> AnswerShown:
    """Returns a verdict on an act, a standard, a limit or a step of a life."""
    when = _when(world, one.day) if one.day is not None else ""
    about = ", ".join(filter(None, (_called(world, one.thing), one.about, when)))
    said = "It does not count" if one.is_void else ""
    return AnswerShown(
        OUTCOMES[one.outcome], said, about, steps_of(one.steps, words, _type(world, one.thing)), _missing(one.asks, words), _others(one.if_read_as), _notes(one.notes)
    )  # fmt: skip


def of_value(world: World, target: str, thing: str | None, words: Words, day: date | None = None) -> AnswerShown:
    """Returns the answer to a question, or a fact that the books derive, as of the world's day or of another."""
    value, lines = world.answer_with_steps(target, thing, day)
    name = title(target.rpartition(".")[2])
    about = ", ".join(filter(None, (_called(world, thing) if thing else "the town", _when(world, day) if day else "")))
    if isinstance(value, Unknown):
        return AnswerShown(
            "Cannot tell", name, about, steps_of(lines, words, target.rpartition(".")[0]), _missing(value.wants, words)
        )
    return AnswerShown(
        "", f"{name}: {_value(value, target, world)}", about, steps_of(lines, words, target.rpartition(".")[0])
    )


def of_exposure(world: World, one: Exposure, words: Words) -> AnswerShown:
    """Returns what a breach exposes to; it is never an assessment."""
    low, high = _money(one.lowest), _money(one.highest)
    said = f"Exposure {low}" if low == high else f"Exposure {low} to {high}"
    days = f", {one.days} days" if one.days else ""
    breached = world.entries[one.breached].means if one.breached in world.entries else one.breached
    about = f"{_called(world, one.thing)}: {breached}, since {_when(world, one.first_on)}{days}"
    notes = (f"To be weighed: {', '.join(one.factors)}",) if one.factors else ()
    return AnswerShown(
        "",
        said,
        about,
        steps_of(one.steps, words, _type(world, one.thing)),
        _missing(one.asks, words),
        _others(one.if_read_as),
        notes,
    )


def steps_of(lines: Sequence[str], words: Words, about: str = "") -> tuple[Step, ...]:
    """Returns the engine's steps in sentences.

    Args:
        lines: as the engine has them.
        words: of the page.
        about: the type of thing that the answer is about.
    """
    return tuple(_step(steps.said(one, words, about)) for one in lines)


def _step(one: steps.SaidStep) -> Step:
    word = "Cannot tell" if one.is_unknown else ""
    return Step(one.text, one.result, word=word, depth=min(one.depth, MOST_DEEP), raw=one.raw)


def _missing(wants: Sequence[Want], words: Words) -> tuple[str, ...]:
    return tuple(dict.fromkeys(capital(words.want(one)) for one in wants))


def _others(others: Sequence[OtherReading]) -> tuple[str, ...]:
    return tuple(capital(in_words(one.text)) for one in others if one.text)


def _notes(notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(capital(in_words(one)) for one in notes)


def _type(world: World, thing: str) -> str:
    return world.records.type_of(thing) or ""


def _called(world: World, thing: str) -> str:
    """Returns what a thing of a made-up record is called: its type, and its name where that says more."""
    return " ".join(dict.fromkeys((plain(_type(world, thing)), thing)))


def _when(world: World, moment: object) -> str:
    return moment_words(moment, world.zone)  # type: ignore[arg-type]  # a day or an instant


def _value(value: Value, target: str, world: World) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Thing):
        return value.id
    kind, _, fact = target.rpartition(".")
    known = world.vocabulary.things[kind].facts.get(fact) if kind in world.vocabulary.things else None
    unit = known.type.unit if known is not None else getattr(world.vocabulary.asks.get(target), "unit", "")
    return f"{say_value(value)} {unit.replace('_', ' ')}".strip() if unit else say_value(value)


def _money(value: object) -> str:
    return f"${value:,}" if isinstance(value, int | Decimal) else "not known" if value is None else str(value)
