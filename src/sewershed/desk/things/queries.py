"""What the pages of things show, from the ledger's queries, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from urllib.parse import quote

from django.urls import reverse

from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Happening, Known, Line, Link, Paper
from sewershed.desk.things.lines import line_of, program_title, record_url, why_url
from sewershed.ledger import canonical, choices, law, queries, rights
from sewershed.ledger.errors import NotFound
from sewershed.ledger.models import Account
from sewershed.ledger.moments import clock_words, day_words
from sewershed.ledger.privacy import Privacy
from sewershed.ledger.projections import moment_of
from sewershed.ledger.shown import Behind, Due, Fact, Named, Page, RowShown
from sewershed.ledger.wording import NOT_KNOWN, OUTCOMES, Words, event_title, label_of, many, plain, title, words_of
from sewershed.rules.findings import OPEN_STATES, Finding
from sewershed.rules.moments import day_of, is_instant
from sewershed.rules.record import Moment
from sewershed.rules.types import Type
from sewershed.rules.vocabulary import EventType, ThingType, Vocabulary
from sewershed.rules.vocabulary import Fact as Field

# Happenings that have a page of their own, or are entered by the program itself.
NOT_ENTERED = frozenset(
    {"decided", "joined", "split", "supplement_adopted", "batch_applied", "batch_undone", "private_values_asked", "access_changed",
     "document_issued"}
)  # fmt: skip
CORRECTING = frozenset({"retired"})  # what only those may enter who may correct
MOST_NEAR = 8  # things that point at one, on its page
MOST_AHEAD = 6  # of what is due, in a timeline
MOST_REMARKED = 300  # rows of a thing whose pages say what looks unlikely of each; of more each row's own page does
MOST_SAID = 90  # letters of what a row says, in a timeline
MOST_BEHIND = 60  # of what is over, was found or has happened, on the page of a thing
MOST_WHOLE = 100  # of it in one part, where all of it is asked for
MOST_ROWS = 100  # rows on a page of the history
NO_FORM = frozenset({"document", "attachment"})  # come into being by issuing and attaching


@dataclass(frozen=True, slots=True)
class TypeShown:
    """A type of thing in the list of programs."""

    name: str
    many: str
    means: str
    count: int
    may_begin: bool


@dataclass(frozen=True, slots=True)
class ProgramShown:
    """A program with its types of thing."""

    name: str
    title: str
    types: tuple[TypeShown, ...]


@dataclass(frozen=True, slots=True)
class FoundShown:
    """A finding on a thing's page."""

    word: str
    means: str
    cites: str
    about: str
    why_url: str
    caution: str = ""  # where the rule is from memory


@dataclass(frozen=True, slots=True)
class RowLine:
    """A row of the record in the history of a thing."""

    row: RowShown
    title: str
    when: str
    said: tuple[Known, ...]
    recorded: str
    stands: str
    may_correct: bool
    may_withdraw: bool
    remarks: tuple[str, ...] = ()  # what looks unlikely of it


@dataclass(frozen=True, slots=True)
class HistoryShown:
    """A page of the rows about a thing."""

    rows: tuple[RowLine, ...]
    total: int
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class ThingShown:
    """Everything that the page of a thing shows."""

    thing: Named
    kind: ThingType
    sub: str
    first: Due | None
    open: tuple[Line, ...]
    past: tuple[Line, ...]  # the latest first
    over: int  # how many are past in all
    counts: str
    findings: tuple[FoundShown, ...]
    found: int  # how many there are in all
    facts: tuple[Known, ...]
    not_recorded: int
    timeline: tuple[Happening, ...]
    is_whole: bool  # nothing is left out of what is past, found and told
    part: int  # which part of those it is, counted from the latest; 0: the first of them only
    parts: int
    papers: tuple[Paper, ...]
    near: tuple[tuple[str, tuple[Known, ...]], ...]
    rows: int
    may_record: bool
    may_decide: bool
    words: Words
    dues: tuple[Due, ...]  # what the lines are made of, for a program's own page
    every: tuple[Due, ...]  # with those that are over, and all rows: where all was asked for
    record: tuple[RowShown, ...]
    known: tuple[Fact, ...]


# ------------------------------------------------------------------------------------------------ which there are


def programs(account: Account) -> tuple[ProgramShown, ...]:
    """Returns the programs with their types of thing and how many there are of each, as far as the account may see them."""
    vocabulary, counts = law.in_force().vocabulary, queries.counts(as_account=account)
    found: dict[str, list[TypeShown]] = {}
    for kind in vocabulary.things.values():
        if not kind.retired and rights.may(account, "see", kind.program):
            begins = kind.name not in NO_FORM and kind.name != "town" and rights.may(account, "record", kind.program)
            shown = TypeShown(kind.name, many(kind), kind.means, counts.get(kind.name, 0), begins)
            found.setdefault(kind.program, []).append(shown)
    return tuple(ProgramShown(name, program_title(name), tuple(types)) for name, types in found.items())


def type_named(name: str, account: Account) -> ThingType:
    """Returns a type of thing that an account may see.

    Raises:
        NotFound: where the vocabulary has none of that name.
        NotAllowed: for the account.
    """
    kind = law.in_force().vocabulary.things.get(name)
    if kind is None:
        raise NotFound(f"the vocabulary has no thing {name!r}")
    rights.require(account, "see", kind.program)
    return kind


def columns(kind: ThingType, account: Account) -> tuple[Field, ...]:
    """Returns the facts that a register shows: those that fit a column and that the account may see."""
    privacy = Privacy(account, law.in_force().vocabulary)
    seen = (one for one in kind.facts.values() if not one.retired and not privacy.hides(kind.name, one.name))
    fit = [one for one in seen if one.type.kind not in ("geometry", "file", "list", "record")]
    return tuple(sorted(fit, key=lambda one: _column_rank(one, kind)))


def _column_rank(fact: Field, kind: ThingType) -> int:
    """Returns how early a fact stands in a register: how a thing stands first; what its name says already last."""
    if f"{{{fact.name}}}" in kind.label:
        return 2
    return 0 if fact.derived and fact.type.kind == "choice" else 1


def choices_of(type: str, account: Account, most: int) -> list[tuple[str, str]] | None:
    """Returns the things of a type to choose from, or None where they are too many."""
    page = queries.things(type, as_account=account, limit=most + 1)
    return None if page.total > most else [(one.id, one.label) for one in page.items]


def words_of_field(owner: str, fact: Field, thing: str, most: int) -> list[tuple[str, str]] | None:
    """Returns the words that a text takes, from the town's record or books, or None where they are none, or too many.

    Args:
        owner: the event or type of thing that has the field.
        fact: the field.
        thing: the thing that is written about; empty while it is not there.
        most: so many are a list to choose from.
    """
    one_of = fact.one_of
    if one_of is None or one_of.by:  # what another field says decides: it is typed, and checked
        return None
    if one_of.source == "event":
        there, running = choices.events(thing, one_of.name) if thing else {}, law.in_force()
        words = [(root, choices.event_words(running, chain)) for root, chain in there.items()]
    else:
        found = choices.words(law.in_force(), owner, fact.name, one_of) or {}
        words = [(word, title(means or word)) for word, means in found.items()]
    return words if 0 < len(words) <= most else None


# ------------------------------------------------------------------------------------------------ one thing


def thing_shown(thing: str, account: Account, looking: Looking, *, part: int | None = None) -> ThingShown:
    """Returns everything that the page of a thing shows, as of the instant at which the page looks.

    Args:
        thing: its id, number or name.
        account: who looks.
        looking: where the page looks.
        part: which part of all that is over, was found and has happened, counted from 1, which is the latest; 0 is only the
            latest of it, which is what a page opens with: a station that is visited each day has thousands. Left out, it is
            all.

    Raises:
        NotFound: for the thing.
        NotAllowed: for the account.
    """
    named = queries.thing(thing, as_account=account)
    as_of, known_at = looking.as_of, looking.known_at
    dues = queries.due(as_account=account, thing=named.id, as_of=as_of, known_at=known_at).items
    facts = queries.facts(named.id, as_account=account, as_of=as_of, known_at=known_at)
    found = queries.findings(as_account=account, thing=named.id, limit=10_000, as_of=as_of, known_at=known_at)
    every: tuple[Due, ...] = ()
    most = None if part is None else MOST_WHOLE if part else MOST_BEHIND
    offset = (part - 1) * MOST_WHOLE if part else 0
    if part is None:
        every = queries.due(as_account=account, thing=named.id, is_all=True, as_of=as_of, known_at=known_at).items
        behind = _behind(every)
    else:
        behind = queries.behind(named.id, as_account=account, as_of=as_of, known_at=known_at, offset=offset, limit=most)
    found_here = _worst_first(found)[offset:][:most]
    told = queries.told(
        named.id, as_account=account, as_of=as_of, known_at=known_at, roots={one.about for one in found_here},
        offset=offset, limit=most,
    )  # fmt: skip
    remarks = _remarks(named, told.total, account, looking)
    papers = queries.documents(as_account=account, about=named.id)
    files = queries.attachments(named.id, as_account=account)
    running = law.in_force()
    kind = running.vocabulary.things[named.type]
    near = _near(named, kind, account)
    wanted = {one for due in (*dues, *behind.items, *every) for one in due.persons} | {
        row.performed_by for row in told.rows
    }
    wanted |= {one.text for one in facts if (field := kind.facts.get(one.name)) and field.type.kind == "ref"}
    wanted |= set(_refs(told.rows, running.vocabulary))
    words = words_of(wanted, looking.instant, running=running)
    facts_shown, not_recorded = facts_of(kind, facts, words, account, named.id)
    largest = max(behind.total, len(found), told.happened)
    return ThingShown(
        thing=named, kind=kind, sub=_sub(named, kind, words), first=dues[0] if dues else None,
        open=tuple(line_of(one, words, account, is_alone=True) for one in dues),
        past=tuple(line_of(one, words, account, is_alone=True) for one in behind.items), over=behind.total,
        counts=", ".join(f"{count} {word}" for word, count in behind.counts.items()),
        findings=tuple(_findings(found_here, told.rows, words)), found=len(found),
        facts=facts_shown, not_recorded=not_recorded,
        timeline=tuple(timeline(told.rows, dues, behind.opening, words, remarks, is_latest=not offset)),
        is_whole=most is None or largest <= most, part=part or 0, parts=-(-largest // MOST_WHOLE),
        papers=(*_papers(papers, words), *_files(files, words)), near=near, rows=told.total,
        may_record=rights.may(account, "record", kind.program) and not named.is_gone,
        may_decide=rights.may(account, "decide", kind.program), words=words, dues=dues, every=every, record=told.rows, known=facts,
    )  # fmt: skip


def _behind(every: Sequence[Due]) -> Behind:
    """Returns, of everything that is or was owed on a thing, what is over: the same as `queries.behind`, from what is at hand."""
    counts: dict[str, int] = {}
    for one in every:
        word = "open" if one.state in OPEN_STATES else one.word.lower()
        counts[word] = counts.get(word, 0) + 1
    over = tuple(one for one in every[::-1] if one.state not in OPEN_STATES)
    return Behind(over, len(over), counts, frozenset(one.opened_by for one in every))


def _sub(named: Named, kind: ThingType, words: Words) -> str:
    said = [title(kind.name)] if kind.name.replace("_", " ") not in named.label.lower() else []
    if named.retired_on and (moment := moment_of(named.retired_on)):
        said.append(f"no longer used since {words.moment(moment)}")
    if named.joined_into:
        said.append("joined into another, which goes on")
    if named.is_gone:
        said.append("all that was recorded of it is withdrawn")
    return ". ".join(said)


def facts_of(
    kind: ThingType, facts: Sequence[Fact], words: Words, account: Account, thing: str
) -> tuple[tuple[Known, ...], int]:
    """Returns the facts of a thing in the order of the vocabulary, and how many are not recorded."""
    by_name, shown, absent = {one.name: one for one in facts}, [], 0
    may_decide = rights.may(account, "decide", kind.program)
    for field in kind.facts.values():
        one = by_name.get(field.name)
        if one is None:
            absent += not field.derived and not field.retired and not field.judged_by
            continue
        value = one.text if one.is_hidden else ("" if one.text == "" else words.value(one.text, field.type))
        is_known = one.text != ""
        decide = reverse("decide", args=[thing, field.name]) if field.judged_by and may_decide else ""
        shown.append(
            Known(
                name=label_of(field), value=value, note=_fact_note(one, words),
                url=reverse("thing", args=[one.text]) if field.type.kind == "ref" and is_known and not one.is_hidden else "",
                missing="" if is_known else NOT_KNOWN, act=Link("Decide again", decide) if decide else None,
            )
        )  # fmt: skip
    return tuple(shown), absent


def _fact_note(one: Fact, words: Words) -> str:
    since = f"From {day_words(date.fromisoformat(one.from_day), words.today)}" if one.from_day else ""
    return since if one.row else "; ".join(filter(None, ("Follows from the record", one.caution)))


def _near(named: Named, kind: ThingType, account: Account) -> tuple[tuple[str, tuple[Known, ...]], ...]:
    """Returns the things that point at one, by the list of the vocabulary."""
    shown = []
    for has in kind.has.values():
        page = queries.things(has.many, as_account=account, where=[(has.by, "=", named.id)], limit=MOST_NEAR)
        items = [Known(one.label, "", url=reverse("thing", args=[one.id])) for one in page.items]
        if page.total > MOST_NEAR:
            url = f"{reverse('register', args=[has.many])}?{quote(has.by)}={quote(named.id)}"
            items.append(Known(f"{page.total - MOST_NEAR} more", "", url=url))
        if items:
            shown.append((title(has.name), tuple(items)))
    return tuple(shown)


def _worst_first(found: Sequence[Finding]) -> list[Finding]:
    """Returns what was found that is not in order, the latest first; what is met stands behind it."""
    order = ["NOT_MET", "CANNOT_TELL", "MET"]
    latest_first = sorted(found, key=lambda one: str(one.day or ""), reverse=True)
    return sorted(latest_first, key=lambda one: order.index(one.outcome))


def _findings(found: Sequence[Finding], rows: Sequence[RowShown], words: Words) -> Iterator[FoundShown]:
    """Yields what was found, with what it is about."""
    by_root = {one.root: one for one in rows}
    for one in found:
        entry, row = words.entries[one.rule], by_root.get(one.about)
        about = [row_title(row, words.vocabulary)] if row is not None else []
        if one.day is not None:
            about.append(words.moment(one.day))
        if one.is_void:
            about.append("it does not count")
        yield FoundShown(
            OUTCOMES[one.outcome], entry.means, "; ".join(entry.cites[:1]), ", ".join(about), why_url(one.key),
            words.law.caution(one.rule),
        )  # fmt: skip


def _papers(papers: Sequence[Mapping[str, str]], words: Words) -> Iterator[Paper]:
    for one in papers:
        note = "withdrawn" if one.get("withdrawn") else ""
        yield Paper(f"{title(one.get('kind', 'paper'))} {one.get('number', '')}".strip(), reverse("thing", args=[one["id"]]), note)  # fmt: skip


def _files(files: Sequence[Mapping[str, str]], words: Words) -> Iterator[Paper]:
    for one in files:
        taken = moment_of(one.get("taken_at"))
        note = ". ".join(filter(None, (one.get("caption", ""), words.moment(taken) if taken else "")))
        yield Paper(one.get("name") or "File", reverse("file", args=[one["id"]]), note)


# ------------------------------------------------------------------------------------------------ rows


def row_title(row: RowShown, vocabulary: Vocabulary) -> str:
    """Returns what a row is called."""
    if row.kind == "void":
        return "Withdrawal"
    if row.kind == "facts":
        return "Facts"
    if row.name == "decided":
        return "Decision"
    number = f" {row.number}" if row.number else ""
    return f"{event_title(vocabulary.events.get(row.name), row.name)}{number}"


def said_of(row: RowShown, vocabulary: Vocabulary, words: Words, type: str) -> list[Known]:
    """Returns what a row says, field by field in the words of the vocabulary."""
    known: Mapping[str, Field] = {}
    if row.kind == "event" and (event := vocabulary.events.get(row.name)):
        known = event.data
    elif row.kind == "facts" and (thing := vocabulary.things.get(type)):
        known = thing.facts
    shown = []
    for name, value in row.data.items():
        field = known.get(name)
        kind: Type | None = field.type if field else None
        label = label_of(field) if field else title(name)
        if value is None:
            shown.append(Known(label, missing=NOT_KNOWN))
        else:
            said = words.datum(name, value, kind)
            shown.append(Known(label, said))
    return shown


def _refs(rows: Sequence[RowShown], vocabulary: Vocabulary) -> Iterator[str]:
    for row in rows:
        event = vocabulary.events.get(row.name) if row.kind == "event" else None
        thing = vocabulary.things.get(row.name) if row.kind == "facts" else None
        known = event.data if event else thing.facts if thing else {}
        for name, value in row.data.items():
            if isinstance(value, str) and name in known and known[name].type.kind == "ref":
                yield value


def timeline(
    rows: Sequence[RowShown],
    dues: Sequence[Due],
    opening: Collection[str],
    words: Words,
    remarks: Mapping[str, tuple[str, ...]] | None = None,
    *,
    is_latest: bool = True,
) -> Iterator[Happening]:
    """Yields what has happened in order of time, each day under its heading; of the latest also now and what is ahead.

    Args:
        rows: what has happened, or a part of it.
        dues: what is due.
        opening: the first rows of the events that opened something.
        words: of the page.
        remarks: what looks unlikely, by the first row of each.
        is_latest: nothing has happened since.
    """
    past: list[tuple[Moment, int, RowShown]] = []
    for one in rows:
        moment = moment_of(one.at)
        if one.kind == "event" and one.stands == "stands" and moment is not None:
            past.append((moment, one.position, one))
    past.sort(key=lambda item: (*_order(item[0], words), item[1]))
    for day, items in groupby(past, key=lambda item: day_of(item[0], words.zone)):
        yield Happening(day_words(day, words.today), kind="day")
        for moment, _, row in items:
            yield _happening(moment, row, words, (remarks or {}).get(row.root, ()), is_key=row.root in opening)
    if not is_latest:
        return
    yield Happening("Now", clock_words(words.now.replace(second=0), words.zone), kind="now")
    ahead = [one for one in dues if one.due is not None and one.state in ("due", "cannot_tell", "waiting")]
    for due in sorted(ahead, key=lambda one: _order(one.due, words) if one.due else (date.max, ""))[:MOST_AHEAD]:
        assert due.due is not None
        day = day_of(due.due, words.zone)
        said = clock_words(due.due, words.zone) if is_instant(due.due) and day == words.today else f"{day:%a} {day.day}"
        note = "; ".join(filter(None, (words.moment(due.due), due.caution)))
        yield Happening(due.means, said, str(due.due), note, "ahead", due.word, why_url(due.key))


def _order(moment: Moment, words: Words) -> tuple[date, str]:
    """Returns a place in time: what is known by its day alone stands before what has a time that day."""
    return day_of(moment, words.zone), moment.isoformat() if is_instant(moment) else ""


def _happening(moment: Moment, row: RowShown, words: Words, remarks: Sequence[str], *, is_key: bool) -> Happening:
    said = "; ".join(
        f"{one.name}: {one.value or one.missing}" if one.name != "What" else one.value
        for one in said_of(row, words.vocabulary, words, "")
    )
    note = said if len(said) <= MOST_SAID else f"{said[: MOST_SAID - 1]}…"
    by = f"{words.name(row.performed_by)}" if row.performed_by else ""
    about = row.at_is if row.at_is in ("about", "estimated") else ""
    unlikely = [f"Is that right? {one[:1].upper()}{one[1:]}" for one in remarks]
    return Happening(
        row_title(row, words.vocabulary), clock_words(moment, words.zone) if is_instant(moment) else "",
        moment.isoformat(), ". ".join(filter(None, (note, by, about, *unlikely))), "key" if is_key else "",
        url=reverse("row", args=[row.id]),
    )  # fmt: skip


def history(named: Named, account: Account, looking: Looking, page: int) -> HistoryShown:
    """Returns the rows about a thing, the latest entered first, with what has become of each.

    Edge: a page that there is not is the last one.
    """

    def part(number: int) -> Page[RowShown]:
        known_at, offset = looking.known_at, (number - 1) * MOST_ROWS
        return queries.rows_page(named.id, as_account=account, known_at=known_at, offset=offset, limit=MOST_ROWS)

    here = max(1, page)
    found = part(here)
    pages = max(1, -(-found.total // MOST_ROWS))
    if here > pages:
        here, found = pages, part(pages)
    remarks = _remarks(named, found.total, account, looking)
    return HistoryShown(row_lines(found.items, named, account, looking, remarks), found.total, here, pages)


def _remarks(named: Named, count: int, account: Account, looking: Looking) -> dict[str, tuple[str, ...]]:
    """Returns what looks unlikely of the events of a thing that has so many rows, by the first row of each."""
    if count > MOST_REMARKED:
        return {}
    return queries.remarks_on(queries.rows(named.id, as_account=account, known_at=looking.known_at))


def row_lines(
    rows: Sequence[RowShown],
    named: Named,
    account: Account,
    looking: Looking,
    remarks: Mapping[str, tuple[str, ...]] | None = None,
) -> tuple[RowLine, ...]:
    """Returns rows of the history in their order."""
    vocabulary = law.in_force().vocabulary
    words = words_of([*_refs(rows, vocabulary), *(one.performed_by for one in rows)], looking.instant)
    return tuple(row_line(one, named, words, account, (remarks or {}).get(one.root, ())) for one in rows)


def row_line(row: RowShown, named: Named, words: Words, account: Account, remarks: tuple[str, ...] = ()) -> RowLine:
    """Returns a row of the history."""
    moment = moment_of(row.at)
    event = words.vocabulary.events.get(row.name) if row.kind == "event" else None
    program = (event.program if event else "") or named.program
    by = f", done by {words.name(row.performed_by)}" if row.performed_by else ""
    office = f" as {words.office(row.office)}" if row.office else ""
    is_own = row.name in NOT_ENTERED and row.name != "decided"
    verb = "decide" if row.name == "decided" else "correct"
    can = row.stands in ("stands", "withdrawn") and row.kind != "void" and not is_own
    return RowLine(
        row, row_title(row, words.vocabulary), words.moment(moment) if moment else "Always",
        tuple(said_of(row, words.vocabulary, words, named.type)),
        f"{words.moment(canonical.read_instant(row.recorded_at))} by {row.recorded_by}{by}{office}",
        row.stands, can and rights.may(account, verb, program) and row.name != "decided",
        can and row.stands == "stands" and rights.may(account, "withdraw", program),
        tuple(f"{one[:1].upper()}{one[1:]}." for one in remarks) if row.stands == "stands" else (),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ what can be recorded


@dataclass(frozen=True, slots=True)
class EventShown:
    """An event that may be recorded on a thing."""

    name: str
    title: str
    means: str
    url: str


def events(named: Named, account: Account) -> tuple[list[EventShown], list[EventShown]]:
    """Returns the events that would meet something that is due, and the others that may be recorded on a thing."""
    vocabulary = law.in_force().vocabulary
    wanted = dict.fromkeys(one for due in queries.due(as_account=account, thing=named.id).items for one in due.meets)
    every = [one for one in vocabulary.events_on(named.type) if may_enter(one, named, account)]
    first = [_event(one, named) for name in wanted for one in every if one.name == name]
    return first, [_event(one, named) for one in every if one.name not in wanted]


def may_enter(event: EventType, named: Named, account: Account) -> bool:
    """Tells whether an event may be entered on a thing with the form."""
    if event.retired or event.name in NOT_ENTERED or event.on not in ("", named.type):
        return False
    if event.name == "offices_closed" and named.type != "town":
        return False
    verb = "correct" if event.name in CORRECTING else "record"
    return rights.may(account, verb, event.program or named.program)


def _event(one: EventType, named: Named) -> EventShown:
    return EventShown(one.name, title(one.name), one.means, record_url(named.id, one.name))


def people_to_choose(account: Account) -> list[tuple[str, str]]:
    """Returns those who may have done something for the town: who holds an office, and whose account it is."""
    found = {person: label for one in queries.holders(as_account=account) for person, label in one.persons}
    if account.person and account.person not in found:
        found |= words_of([account.person]).names
    return sorted(found.items(), key=lambda item: item[1].lower())


def offices_to_choose() -> list[tuple[str, str]]:
    """Returns the offices of the law with their local titles."""
    roles = law.in_force().book.roles
    return sorted(((one, text) for one, text in roles.items() if "." not in text), key=lambda item: item[1].lower())


__all__ = [
    "EventShown", "FoundShown", "HistoryShown", "ProgramShown", "RowLine", "ThingShown", "TypeShown", "choices_of", "columns", "events",
    "facts_of", "history", "may_enter", "offices_to_choose", "people_to_choose", "plain", "programs", "row_line", "row_lines",
    "row_title", "said_of", "thing_shown", "timeline", "type_named", "words_of_field",
]  # fmt: skip
