"""What the page of one spill shows: its next action, its clocks, what to tell whom, how much it was, and all that any thing shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import reverse

from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Known, Line, Link, Paper, Reading, Running, Working
from sewershed.desk.spills import places, telling, volume
from sewershed.desk.spills.history import History, shortened
from sewershed.desk.spills.queries import Near, near
from sewershed.desk.spills.telling import Caller, Number
from sewershed.desk.things.lines import line_of, record_url, running_of, url_if, want_url
from sewershed.desk.things.queries import ThingShown, facts_of, people_to_choose, row_title, thing_shown
from sewershed.ledger import canonical, people, queries, rights
from sewershed.ledger.models import Account
from sewershed.ledger.moments import clock_words
from sewershed.ledger.papers import KINDS
from sewershed.ledger.projections import moment_of
from sewershed.ledger.shown import Due, Fact, Named
from sewershed.ledger.wording import NOT_KNOWN, Words, capital, label_of, title
from sewershed.rules.moments import day_of, is_instant
from sewershed.rules.record import Moment
from sewershed.rules.types import Type

SPILL = "spill"
LONG_KNOWN = timedelta(days=7)
MOST_CLOCKS = 4  # beside the next action
NOT_RECORDED = "Not recorded"
_WAYS_ON = (
    ("Send somebody", "dispatch"), ("On site", "on_site"), ("How much", "record_volume_estimated"),
    ("Reports and notices", "telling"), ("Callers", "record_caller_followed_up"), ("What is it?", "found"),
)  # fmt: skip
NO_DECISION = frozenset({"Met", "Met late"})
# Facts that stand in the page's own order; all others follow in that of the vocabulary.
_PLACE = ("location", "manhole", "pipe", "station", "premises", "point")
_OWN = frozenset({*_PLACE, "state", "weather", "incident_number", "reached_water", "surface_water_gal", "total_gal", "reportable"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class InTheWay:
    """A decision that something due waits for: where it is taken, and, where it is simple, what can be chosen here."""

    title: str
    who: str
    waits: str
    url: str
    readings: tuple[Reading, ...] = ()
    deciders: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Clock:
    """Hours that run beside those of the next action."""

    line: Line
    running: Running


@dataclass(frozen=True, slots=True)
class Picture:
    """A photograph as kept."""

    url: str
    alt: str
    note: str


@dataclass(frozen=True, slots=True)
class Joined:
    """A joining of two reports into one."""

    note: str
    batch: str
    when: str


@dataclass(frozen=True, slots=True)
class SpillShown:
    """Everything that the page of a spill shows."""

    base: ThingShown
    history: History
    title: str
    sub: tuple[str, ...]
    first: Due | None
    line: Line | None
    running: Running | None
    clocks: tuple[Clock, ...]
    decisions: tuple[InTheWay, ...]
    tell: Line | None
    tells_first: bool
    to_tell: tuple[Known, ...]
    numbers: tuple[Number, ...]
    outcome: str
    outcome_url: str
    facts: tuple[Known, ...]
    workings: tuple[Working, ...]
    figures: tuple[Working, ...]
    chosen_note: str
    callers: tuple[Caller, ...]
    papers: tuple[Paper, ...]
    pictures: tuple[Picture, ...]
    files: tuple[Paper, ...]
    near: tuple[Near, ...]
    joined: tuple[Joined, ...]
    joined_into: Link | None
    may_correct: bool
    ways_on: tuple[Link, ...]
    photographs_url: str

    @property
    def thing(self) -> Named:
        """Returns the spill."""
        return self.base.thing


def url_of(thing: Named) -> str:
    """Returns the page of a spill."""
    return reverse("spill", args=[thing.number or thing.id])


def spill_shown(thing: Named, account: Account, looking: Looking) -> SpillShown:
    """Returns everything that the page of a spill shows, as of the instant at which the page looks.

    Raises:
        NotFound: for the thing.
        NotAllowed: for the account.
    """
    base = thing_shown(thing.id, account, looking)
    words, history = base.words, History.of(base.thing.id, base.record, base.words)
    facts = {one.name: one for one in base.known}
    town = telling.town_facts(account)
    first = base.dues[0] if base.dues and base.dues[0].word != "Waiting" else None
    telling_due = next((one for one in base.dues if "state_told" in one.meets and one.word != "Waiting"), None)
    numbers = telling.numbers(town, words, account) if telling_due else ()
    estimates = volume.estimates_of(history)
    chosen = volume.chosen_of(history)
    attached = queries.attachments(base.thing.id, as_account=account)
    return SpillShown(
        base=base, history=history, title=capital(base.thing.label), sub=tuple(_sub(history, base.every, words)), first=first,
        line=line_of(first, words, account, is_alone=True) if first else None,
        running=_running(first, history, words) if first else None,
        clocks=tuple(_clocks(base.dues, first, history, words, account)),
        decisions=tuple(_decisions(base.dues, base.thing, words, account)) if not looking.is_elsewhere else (),
        tell=line_of(telling_due, words, account, is_alone=True) if telling_due else None,
        tells_first=first is not None and first is telling_due,
        to_tell=telling.to_tell(history, facts, town) if telling_due else (), numbers=numbers,
        outcome=_outcome(history), outcome_url=reverse("withdraw", args=[history.outcome.id]) if history.outcome and rights.may(account, "withdraw", base.thing.program) else "",
        facts=(*_facts(base, history, facts, account), *_other_facts(base, account)),
        workings=tuple(volume.workings(estimates, chosen, history, attached)),
        figures=tuple(_figures(history, facts, words)), chosen_note=volume.chosen_note(chosen, history),
        callers=telling.callers(base.thing.id, history, base.dues, account), papers=tuple(_papers(base, account)),
        pictures=tuple(_pictures(attached, history)), files=tuple(_files(attached)),
        near=tuple(one for one in same(base.thing, history, facts, account) if one.is_same) if not looking.is_elsewhere else (),
        joined=tuple(_joined(base, account)), joined_into=_joined_into(base.thing, account),
        may_correct=rights.may(account, "correct", base.thing.program), ways_on=tuple(_ways_on(base.thing, account)),
        photographs_url=record_url(base.thing.id, "photographs_taken"),
    )  # fmt: skip


def _ways_on(thing: Named, account: Account) -> Iterator[Link]:
    """Yields what can be done on a spill, in the order in which it is: those parts that there are, and that the account may do."""
    for text, name in _WAYS_ON:
        if url := url_if(name, thing.id):
            yield Link(text, url)
    if rights.may(account, "correct", thing.program):
        yield Link("Join with another report", reverse("join_spill", args=[thing.id]))
    yield Link("Anything else", reverse("choose", args=[thing.id]))
    yield Link("May I?", reverse("may_choose", args=[thing.id]))


# ------------------------------------------------------------------------------------------------ head and clocks


def _sub(history: History, every: Sequence[Due], words: Words) -> Iterator[str]:
    """Yields where the spill stands, a sentence each."""
    if confirmed := history.last("spill_confirmed"):
        yield f"Confirmed {history.when(confirmed)}"
    elif call := history.first("call"):
        yield f"Reported {history.when(call)}. Not confirmed as a spill"
    if history.outcome is not None:
        return
    if lasted := telling.duration(history):
        yield f"Stopped after {lasted}"
    elif history.stopped is not None:
        yield f"Stopped {words.moment(history.stopped)}"
    elif confirmed:
        yield "Not stopped, as far as recorded"
    calls = ((one, history.root(one.met_by)) for one in every if one.met_by)
    told, row = next(((one, row) for one, row in calls if row and row.name == "state_told"), (None, None))
    owed = next((one for one in every if "state_told" in one.meets and one.word in ("Due soon", "Overdue")), None)
    if told is not None and told.met_at is not None:
        is_emergency = row is not None and row.data.get("way") == "emergency_management"
        whom = f"The {words.office('emergency_management')}" if is_emergency else "The state"
        yield f"{whom} was told {words.moment(told.met_at)}"
    elif owed is not None:
        yield "No call to the state is on record"


def _running(due: Due, history: History, words: Words) -> Running:
    """Returns the clock of a line, with how much of its time is used where hours count."""
    plain = running_of(due, words)
    opened = history.root(due.opened_by)
    begun = moment_of(opened.at) if opened else None
    if due.due is None or not is_instant(due.due) or begun is None or not is_instant(begun):
        return plain
    assert opened is not None
    whole = (due.due - begun).total_seconds()
    used = min(max((words.now - begun).total_seconds(), 0), whole)
    what = row_title(opened, words.vocabulary)
    said = f"{_clock(begun, words)}, {what[:1].lower()}{what[1:]}"
    percent = round(100 * used / whole) if whole > 0 else 100
    about = f"{percent} % of the time is used"
    return Running(plain.left, plain.until, percent, about, said, _clock(due.due, words), plain.word)


def _clock(moment: datetime, words: Words) -> str:
    day = day_of(moment, words.zone)
    said = clock_words(moment, words.zone)
    return said if day == words.today else f"{day:%a} {said}"


def _clocks(
    dues: Sequence[Due], first: Due | None, history: History, words: Words, account: Account
) -> Iterator[Clock]:
    """Yields the hours that run beside those of the next action, the shortest first."""
    found = [one for one in dues if one is not first and one.due is not None and one.word in ("Due soon", "Overdue", "Cannot tell", "Needs decision")]  # fmt: skip
    for one in sorted(found, key=lambda due: _rank(due, words))[:MOST_CLOCKS]:
        yield Clock(line_of(one, words, account, is_alone=True), running_of(one, words))


def _rank(due: Due, words: Words) -> tuple[str, str]:
    assert due.due is not None
    return (day_of(due.due, words.zone).isoformat(), due.due.isoformat() if is_instant(due.due) else "~")


def _decisions(dues: Sequence[Due], thing: Named, words: Words, account: Account) -> Iterator[InTheWay]:
    """Yields the decisions for which something due waits, each once; a simple one can be taken on the page itself."""
    may = rights.may(account, "decide", thing.program)
    seen: dict[str, InTheWay] = {}
    for due in dues:
        if due.word in NO_DECISION:
            continue
        for want in due.asks:
            if want.kind not in ("doubt", "decision", "gap", "silence", "no_figure") or want.what in seen:
                continue
            url = want_url(want, thing.id, words)
            owner, _, name = want.what.rpartition(".")
            field = words.fact(owner, name)
            said = words.want(want)
            readings = tuple(Reading(value, text) for value, text in _values(field.type)) if field and owner == SPILL and may else ()  # fmt: skip
            seen[want.what] = InTheWay(
                title=f"{label_of(field)}?" if field else capital(said), who=words.office(want.who) if want.who else "",
                waits=line_of(due, words, account, is_alone=True).what, url=url if may else "", readings=readings,
                deciders=tuple(_deciders(want.who, words, account)) if readings else (),
            )  # fmt: skip
    yield from seen.values()


def _values(kind: Type) -> list[tuple[str, str]]:
    if kind.kind == "bool":
        return [("true", "Yes"), ("false", "No")]
    return [(word, title(word)) for word in kind.words]


def _deciders(office: str, words: Words, account: Account) -> Iterator[tuple[str, str]]:
    held = people.holders(office, words.today) if office else ()
    known = people_to_choose(account)
    yield from sorted(known, key=lambda one: one[0] not in held)


def _outcome(history: History) -> str:
    row = history.outcome
    if row is None:
        return ""
    said = [history.said(row, name).rstrip(".") for name in history.words.vocabulary.events[row.name].data]
    return ". ".join([f"{row_title(row, history.words.vocabulary)}, {history.when(row)}", *filter(None, said)])


# ------------------------------------------------------------------------------------------------ facts and figures


def _facts(base: ThingShown, history: History, facts: Mapping[str, Fact], account: Account) -> Iterator[Known]:
    """Yields what is known of a spill in the order in which it is asked about, from its facts and its history."""
    words, thing = base.words, base.thing
    may = base.may_record
    place = [one for one in facts.values() if one.name in _PLACE]
    yield from facts_of(base.kind, place, words, account, thing.id)[0]
    confirmed = history.last("spill_confirmed") is not None
    if (state := facts.get("state")) and state.text:
        yield Known("What it is", _value(state, words), capital(state.caution))
    yield _said(history, "cause_found", "causes", "description", may and confirmed, thing)
    yield _moment(
        history, "start_estimated", "started_at", history.started, ("started_is", "how"), may and confirmed, thing
    )
    yield _moment(history, "spill_stopped", "stopped_at", history.stopped, ("stopped_is", "because", "how"), may and confirmed, thing)  # fmt: skip
    if lasted := telling.duration(history):
        yield Known("Ran for", capital(lasted))
    yield _said(history, "destination_found", "destination", "description", may and confirmed, thing)
    yield _water(facts, history, words, thing, may=may and confirmed)
    for name in ("reportable", "incident_number"):
        field = words.fact(SPILL, name)
        if field is None:
            continue
        number = history.last_said("incident_number", "state_told") if name == "incident_number" else None
        known = facts.get(name)
        value = _value(known, words) if known and known.text else str(number or "")
        if value or confirmed:
            url = f"{reverse('set_facts', args=[thing.id])}?fact={name}" if not field.derived and not value else ""
            missing = "" if value else "Cannot tell" if field.derived or name == "reportable" else NOT_RECORDED
            if name == "reportable":
                url = ""
            note = capital(known.caution) if known and value else ""
            yield Known(label_of(field), value, note, missing=missing, act=Link("Say it", url) if url and may else None)
    if (weather := facts.get("weather")) and weather.text:
        yield Known("Weather", _value(weather, words))
    if call := history.first("call"):
        yield Known(
            "First known",
            history.when(call),
            f"Call {call.number}" if call.number else "",
            reverse("row", args=[call.id]),
        )


def _other_facts(base: ThingShown, account: Account) -> tuple[Known, ...]:
    rest = [one for one in base.known if one.name not in _OWN]
    return facts_of(base.kind, rest, base.words, account, base.thing.id)[0]


def _value(fact: Fact, words: Words) -> str:
    field = words.fact(SPILL, fact.name)
    return fact.text if fact.is_hidden else words.value(fact.text, field.type if field else None)


def _said(history: History, event: str, name: str, more: str, may: bool, thing: Named) -> Known:
    """Returns what the last row of an event says, as a fact."""
    row = history.last(event, when=lambda one: one.data.get(name) is not None)
    field = history.words.vocabulary.events[event].data[name]
    value = history.said(row, name)
    act = Link("Say it", record_url(thing.id, event)) if may and not value else None
    return Known(label_of(field), value, shortened(history.said(row, more)), missing="" if value else NOT_RECORDED, act=act)  # fmt: skip


def _moment(
    history: History, event: str, name: str, moment: Moment | None, more: tuple[str, ...], may: bool, thing: Named
) -> Known:
    row = history.last(event)
    field = history.words.vocabulary.events[event].data[name]
    value = history.words.moment(moment) if moment is not None else ""
    note = ". ".join(filter(None, (history.said(row, one) for one in more)))
    act = Link("Say it", record_url(thing.id, event)) if may and not value else None
    return Known(label_of(field), value, shortened(note), missing="" if value else NOT_RECORDED, act=act)


def _water(facts: Mapping[str, Fact], history: History, words: Words, thing: Named, *, may: bool) -> Known:
    field = words.fact(SPILL, "reached_water")
    known, name = facts.get("reached_water"), label_of(field) if field else "Reached water"
    act = Link("Say what was found", record_url(thing.id, "spill_assessed")) if may else None
    if known is None or known.text == "":
        went = history.last("destination_found", when=lambda one: one.data.get("was_wet") is not None)
        note = f"Water stood there before: {history.said(went, 'was_wet').lower()}" if went else ""
        return Known(name, missing="Cannot tell", note=note, act=act)
    water = history.last_said("water_name", "spill_assessed", "reached_water_determined")
    called = str(water) if water and known.text == "true" else ""
    return Known(name, _value(known, words), ". ".join(filter(None, (called, capital(known.caution)))))


def _figures(history: History, facts: Mapping[str, Fact], words: Words) -> Iterator[Working]:
    """Yields the figures that stand apart from the estimates: all of it, what reached water, what was taken up again."""
    for name, head in (("total_gal", "Spilled in all"), ("surface_water_gal", "Of it to surface water")):
        known = facts.get(name)
        if known is not None and history.last("spill_assessed", "reached_water_determined"):
            last = history.last("spill_assessed", "reached_water_determined")
            said = f"Assessed {history.when(last)}" if last else ""
            said = ". ".join(filter(None, (said, capital(known.caution))))
            yield Working(head, said, "", volume.figures_of(known.text) if known.text else NOT_KNOWN)
    if row := history.last("volume_recovered"):
        measured = ". ".join(filter(None, (history.said(row, "into"), history.said(row, "because"))))
        yield Working("Recovered", measured, "", volume.figures_of(str(row.data.get("recovered_gal", ""))))


# ------------------------------------------------------------------------------------------------ papers and pictures


def _papers(base: ThingShown, account: Account) -> Iterator[Paper]:
    """Yields the papers that were issued, and those that something due waits for."""
    issued = queries.documents(as_account=account, about=base.thing.id)
    for one in issued:
        yield Paper(
            f"{title(one.get('kind', 'paper'))} {one.get('number', '')}".strip(),
            reverse("document", args=[one["id"]]),
            "Issued",
        )
    kinds = {one.get("kind") for one in issued}
    wanted = {event for due in base.dues for event in due.meets}
    for kind in KINDS.values():
        if wanted & set(kind.goes_out_as) and kind.name not in kinds:
            yield Paper(
                kind.title, reverse("draft", args=[kind.name, base.thing.id]), "A draft from what is recorded so far"
            )


def _pictures(attached: Sequence[Mapping[str, str]], history: History) -> Iterator[Picture]:
    stages = {
        digest: history.said(row, "stage")
        for row in history.rows
        for digest in (row.data.get("files") or ())
        if isinstance(digest, str)
    }
    for one in attached:
        if one.get("mime", "").startswith("image/"):
            taken = moment_of(one.get("taken_at"))
            stage = stages.get(one.get("file", ""), "")
            said = one.get("caption") or one.get("name") or "Photograph"
            note = ". ".join(filter(None, (stage, history.words.moment(taken) if taken else "")))
            yield Picture(
                reverse("file", args=[one["id"]]), f"{said}{f', {stage.lower()}' if stage else ''}", note or said
            )


def _files(attached: Sequence[Mapping[str, str]]) -> Iterator[Paper]:
    for one in attached:
        if not one.get("mime", "").startswith("image/"):
            yield Paper(one.get("name") or "File", reverse("file", args=[one["id"]]), one.get("caption", ""))


# ------------------------------------------------------------------------------------------------ one and the same


def same(thing: Named, history: History, facts: Mapping[str, Fact], account: Account) -> tuple[Near, ...]:
    """Returns the other reports that may be of this spill: near its first call in time, and in place.

    Edge: of a report that is a week old and more nothing is looked up: by then it is known.
    """
    call = history.first("call")
    if call is None or thing.joined_into:
        return ()
    begun = history.at(call)
    if history.words.today - day_of(begun, history.words.zone) > LONG_KNOWN:
        return ()
    place, point = facts.get("location"), facts.get("point")
    return near(account, begun, place.text if place else "", places.point_of(point.text if point else ""), thing.id)


def _joined(base: ThingShown, account: Account) -> Iterator[Joined]:
    """Yields the joinings in which this report took part and that can be undone."""
    mine = {row.batch for row in base.record if row.batch}
    for batch in queries.batches(as_account=account) if mine else ():
        if batch.id in mine and batch.kind == "joining" and not batch.undone_at:
            applied = canonical.read_instant(batch.applied_at).replace(second=0)
            yield Joined(capital(batch.note), batch.id, base.words.moment(applied))


def _joined_into(thing: Named, account: Account) -> Link | None:
    if not thing.joined_into:
        return None
    other = queries.thing(thing.joined_into, as_account=account)
    return Link(capital(other.label), url_of(other))
