"""What is told of a spill, to whom: the state with its telephone numbers, the public in its steps, others, each caller."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.urls import reverse

from sewershed.desk.shell.parts import Known, Line, Link
from sewershed.desk.spills.history import History
from sewershed.desk.spills.volume import figures_of
from sewershed.desk.things.lines import line_of, record_url, what, why_url
from sewershed.ledger import adopting, law, queries
from sewershed.ledger.models import Account
from sewershed.ledger.shown import Due, Fact, RowShown
from sewershed.ledger.wording import Words, title
from sewershed.programs.spills.duration import duration_between
from sewershed.rules.figures import CannotEstimateError, plain
from sewershed.rules.unknown import Unknown

AFTER_HOURS = "state_after_hours_phone"
NOT_KNOWN_YET = "Not known yet"

# The steps of telling, in the order in which they are taken: who is told, and by which records.
STEPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("state", "The state", ("state_told", "instructions_asked", "spill_form_sent", "spill_form_filed")),
    ("press", "The press", ("reached_water_determined", "press_release")),
    ("notice", "The public notice", ("notice_terms_asked", "notice_terms_fixed", "public_notice", "proof_filed")),
    ("others", "Others", ("others_told", "owner_notified", "manager_updated")),
)
PAPERS = {"state": "spill_report", "press": "press_release", "notice": "public_notice"}


@dataclass(frozen=True, slots=True)
class Number:
    """Somebody to call: who, the number, what is known of it."""

    who: str
    number: str
    note: str = ""
    cites: str = ""

    @property
    def dials(self) -> tuple[tuple[str, str], ...]:
        """Returns each number as it is read and as a telephone dials it.

        Example:
            >>> Number("the office", "800-555-0168 or 919-555-0100").dials
            (('800-555-0168', '+18005550168'), ('919-555-0100', '+19195550100'))
        """
        found = [one.strip() for one in self.number.replace(";", " or ").split(" or ") if one.strip()]
        return tuple((one, _dialed(one)) for one in found)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of telling: what its duty asks, or its name where none does, how that stands, what was recorded, what records it."""

    name: str
    means: str
    word: str
    said: str
    why_url: str
    act: Link


@dataclass(frozen=True, slots=True)
class Telling:
    """Somebody who is told in steps, and the paper that goes out."""

    id: str
    title: str
    steps: tuple[Step, ...]
    paper: Link | None


@dataclass(frozen=True, slots=True)
class Caller:
    """A call and whether its caller was told what became of it."""

    call: str
    number: str
    when: str
    who: str
    phone: str
    what: str
    followed: str
    line: Line | None
    act: Link | None
    letter: str


def _dialed(number: str) -> str:
    digits = "".join(one for one in number if one.isdigit())
    return f"+1{digits}" if len(digits) == 10 else digits


# ------------------------------------------------------------------------------------------------ the state


def town_facts(account: Account) -> Mapping[str, Fact]:
    """Returns the facts of the town itself, by name."""
    return {one.name: one for one in queries.facts(adopting.town_id(), as_account=account)}


def numbers(town: Mapping[str, Fact], words: Words, account: Account) -> tuple[Number, ...]:
    """Returns whom to call at the state, with the telephone numbers that the books publish.

    Edge: where the office to call is read as another than the one of the county, no number is shown for it: the books give
    only the number of the county's.
    """
    found = []
    office, own = _text(town, "office_to_call"), _text(town, "regional_office")
    phone = _text(town, "regional_office_phone") if office == own or not office else ""
    named = office or own
    if named or phone:
        who = words.office("regional_office") + (f", {title(named)}" if named else "")
        found.append(Number(who, phone, *_from_book("town.regional_office_phone")))
    after = queries.answer(AFTER_HOURS, as_account=account) if AFTER_HOURS in words.vocabulary.asks else None
    if after is not None and not isinstance(after, Unknown):
        who = words.office("emergency_management")
        found.append(Number(f"{who}, nights and days off", str(after), *_from_book(AFTER_HOURS)))
    return tuple(found)


def _from_book(name: str) -> tuple[str, str]:
    """Returns what the book notes of an answer, and where it has it from."""
    ground = law.in_force().ground
    entry = next(iter(ground.answers.get(name, ())), None)
    if entry is None:
        return "", ""
    return ". ".join(filter(None, (ground.caution_of(name), entry.note))), "; ".join(entry.cites)


def to_tell(history: History, facts: Mapping[str, Fact], town: Mapping[str, Fact]) -> tuple[Known, ...]:
    """Returns what is said to the state, as far as it is known; what is not is said to be not known yet."""
    words = history.words

    def fact(name: str) -> str:
        one = facts.get(name)
        known = words.fact("spill", name)
        if one is None or one.text == "" or one.is_hidden:
            return ""
        return words.value(one.text, known.type if known else None)

    recovered = history.said(history.last("volume_recovered"), "recovered_gal")
    estimates = " and ".join(said_of(row, "result_gal") for row in history.all("volume_estimated") if row.data.get("what") != "to_water")  # fmt: skip
    taken = history.last("volume_recovered")
    recovered = said_of(taken, "recovered_gal") if taken else ""
    total = facts.get("total_gal")
    known = f"{figures_of(total.text)} gallons" if total and total.text else f"{estimates} gallons, as estimated; none is chosen yet" if estimates else ""  # fmt: skip
    volume = ", ".join(filter(None, (known, f"{recovered} gallons recovered" if recovered else "")))
    went = history.last("destination_found")
    where = ". ".join(filter(None, (history.said(went, "destination"), history.said(went, "description"))))
    water = _water(history, facts)
    cause = history.last("cause_found")
    causes = ". ".join(filter(None, (history.said(cause, "causes"), history.said(cause, "description"))))
    done = "; ".join(history.said(row, "how") for row in history.all("spill_contained", "spill_stopped", "made_safe") if row.data.get("how"))  # fmt: skip
    said = (
        ("Permit", _text(town, "collection_permit")),
        ("Owner", _text(town, "full_name") or _text(town, "name")),
        ("Where", fact("location")),
        ("When", when_it_ran(history)),
        ("How much", volume),
        ("Where it went", ". ".join(filter(None, (where, water)))),
        ("Cause", causes),
        ("What was done", done),
    )
    return tuple(Known(name, value, missing="" if value else NOT_KNOWN_YET) for name, value in said)


def said_of(row: RowShown, name: str) -> str:
    """Returns a figure of a row with commas between its thousands."""
    return figures_of(str(row.data.get(name, "")))


def _water(history: History, facts: Mapping[str, Fact]) -> str:
    reached = facts.get("reached_water")
    if reached is None or reached.text == "":
        return "Surface water: not known yet"
    if reached.text != "true":
        return "No surface water"
    name = history.last_said("water_name", "spill_assessed", "reached_water_determined")
    gallons = facts.get("surface_water_gal")
    said = f", {figures_of(gallons.text)} gallons" if gallons and gallons.text else ""
    return f"Surface water{f': {name}' if name else ''}{said}"


def when_it_ran(history: History) -> str:
    """Returns from when to when it ran, in words."""
    words = history.words
    parts = []
    if history.started is not None:
        parts.append(f"From {words.moment(history.started)}")
    elif first := history.first("call"):
        parts.append(f"Reported {history.when(first)}")
    if history.stopped is not None:
        parts.append(f"{'to' if history.started is not None else 'stopped'} {words.moment(history.stopped)}")
    elif history.last("crew_arrived", "spill_confirmed"):
        parts.append("not stopped yet, as far as recorded")
    return " ".join(parts) if history.started is not None else ", ".join(parts)


def duration(history: History) -> str:
    """Returns how long it ran, in words; nothing where a start or a stop is not known, or the two contradict each other."""
    if history.started is None or history.stopped is None:
        return ""
    try:
        lasted = duration_between(history.started, history.stopped, history.words.zone)
    except CannotEstimateError:
        return ""
    if lasted.minutes is None:
        return f"between {plain(lasted.shortest_minutes, 0)} and {plain(lasted.longest_minutes, 0)} minutes: the time of day is not known"
    return f"{plain(lasted.minutes, 0)} minutes"


def _text(facts: Mapping[str, Fact], name: str) -> str:
    one = facts.get(name)
    return "" if one is None or one.is_hidden else one.text


# ------------------------------------------------------------------------------------------------ the steps


def tellings(
    thing: str, history: History, dues: Sequence[Due], every: Sequence[Due], account: Account
) -> tuple[Telling, ...]:
    """Returns who is told in which steps, each with what became of it."""
    papers = {name: Link(f"The {title(kind).lower()}", reverse("paper_for", args=[kind, thing])) for name, kind in PAPERS.items()}  # fmt: skip
    return tuple(
        Telling(
            part, name, tuple(_step(thing, event, history, dues, every, account) for event in events), papers.get(part)
        )
        for part, name, events in STEPS
    )


def _step(
    thing: str, event: str, history: History, dues: Sequence[Due], every: Sequence[Due], account: Account
) -> Step:
    words = history.words
    done = history.all(event)
    owed = [one for one in dues if event in one.meets]
    line = line_of(owed[0], words, account, is_alone=True) if owed else None
    said = [_done(row, history) for row in done]
    if line is not None:
        said.append(
            ". ".join(
                filter(None, (line.how_long, line.when if line.when != line.how_long else "", line.about, line.caution))
            )
        )
        word, why, means = line.word, line.why_url, line.what
    else:
        word, why, means = _ended(event, done, every, words)
    act = Link(f"Record {title(event).lower()}", record_url(thing, event))
    return Step(title(event), means or title(event), word, "; ".join(filter(None, said)), why, act)


def _ended(event: str, done: Sequence[RowShown], every: Sequence[Due], words: Words) -> tuple[str, str, str]:
    """Returns how it stands with a step that nothing asks for now, where it is explained, and what was to be done.

    It is as the duty ended that the step met or would have met; a step that no duty asked for has no state.
    """
    taken = {row.root for row in done}
    about = [one for one in every if any(name == event for name in _met_by(one, words))]
    for one in sorted(about, key=lambda one: one.met_by not in taken):
        return one.word, why_url(one.key), what(one)
    return "", "", ""


def _met_by(due: Due, words: Words) -> Iterator[str]:
    for edition in words.entries[due.rule].editions:
        for form in edition.readings.values():
            for one in getattr(form, "met_by", ()):
                yield from one.events


def _done(row: RowShown, history: History) -> str:
    said = [
        history.said(row, name)
        for name in row.data
        if name not in ("call", "counties")
        and isinstance(row.data[name], str | bool)
        and row.data[name] not in (True, False)
    ]
    by = f", {history.words.name(row.performed_by)}" if row.performed_by else ""
    return f"{history.when(row)}{by}" + (f": {', '.join(said)}" if said else "")


# ------------------------------------------------------------------------------------------------ the callers


def callers(thing: str, history: History, dues: Sequence[Due], account: Account) -> tuple[Caller, ...]:
    """Returns each call with whether its caller was told what became of it."""
    words, found = history.words, []
    for row in history.all("call"):
        told = history.last("caller_followed_up", when=lambda one, root=row.root: one.data.get("call") == root)  # type: ignore[misc]
        owed = next((one for one in dues if one.opened_by == row.root and "caller_followed_up" in one.meets), None)
        url = f"{record_url(thing, 'caller_followed_up')}?call={row.root}"
        followed = f"{history.when(told)}, by {history.said(told, 'way').lower()}" if told else ""
        found.append(
            Caller(
                call=row.root, number=row.number, when=history.when(row), who=history.said(row, "reporter"),
                phone=history.said(row, "reporter_phone"), what=history.said(row, "what"), followed=followed,
                line=line_of(owed, words, account, is_alone=True) if owed else None,
                act=None if told else Link("Record the follow-up", url),
                letter=f"{reverse('draft', args=['caller_letter', thing])}?part={row.root}" if row.data.get("reporter") else "",
            )
        )  # fmt: skip
    return tuple(found)


def call_field(callers: Sequence[Caller], label: Any) -> forms.ChoiceField:
    """Returns the question which call is meant, those not yet followed up first."""
    ordered = sorted(callers, key=lambda one: bool(one.followed))
    choices = [(one.call, ", ".join(filter(None, (f"Call {one.number}", one.when, one.who)))) for one in ordered]
    return forms.ChoiceField(label=label, choices=choices, widget=forms.RadioSelect)


__all__ = ["AFTER_HOURS", "Caller", "Number", "Step", "Telling", "call_field", "callers", "duration", "numbers", "tellings", "to_tell", "town_facts", "when_it_ran"]  # fmt: skip
