"""What Today and its neighbors show, from the ledger's queries, in words."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from urllib.parse import quote

from django.urls import reverse

from sewershed.desk.jobs import queries as jobs
from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import (
    Across,
    Cell,
    Change,
    Choice,
    Count,
    DoubtShown,
    Group,
    Known,
    Line,
    Link,
    Looked,
    Pick,
    Reading,
    Running,
    Step,
    Why,
    Work,
)
from sewershed.desk.things.lines import (
    act_of,
    day_or_today,
    folded,
    how_long,
    line_of,
    missing,
    program_title,
    running_of,
    what,
    when,
    why_url,
)
from sewershed.desk.things.queries import people_to_choose, row_title, said_of
from sewershed.desk.today.models import Feed
from sewershed.ledger import adopting, canonical, clock, explaining, law, people, queries, rights, steps
from sewershed.ledger.errors import NotFound
from sewershed.ledger.explaining import Reasons
from sewershed.ledger.models import Account
from sewershed.ledger.moments import day_words, left_words
from sewershed.ledger.projections import moment_of
from sewershed.ledger.shown import Due, Named, Page, RowShown
from sewershed.ledger.wording import OUTCOMES, Words, capital, label_of, many, plain, small, title, words_of
from sewershed.rules.entries import Doubt
from sewershed.rules.findings import Finding, Obligation
from sewershed.rules.moments import day_of, is_instant
from sewershed.rules.record import Moment
from sewershed.rules.sentences import conditions
from sewershed.rules.todo import SOON
from sewershed.rules.types import Type
from sewershed.rules.vocabulary import Fact

MOST_LINES = 200  # of a list; the most urgent come first
MOST_ON_BOARD = 100  # by person or place, where nothing is folded together
MOST_WAITING = 5
MOST_THINGS_ELSEWHERE = 1000  # a larger town's list of another day is a job
MOST_BESIDE = 60  # others about the same thing, beside an answer
MOST_DEEP = 5  # how far a step is indented
MOST_WORDS = 10  # of the vocabulary explained beside an answer
WHOLE = frozenset({"manager", "administrator", "auditor"})  # roles that answer for everybody's
ALL, MINE = "all", "mine"
BY = {"": "By urgency", "person": "By person", "place": "By place"}
_EVENTS = re.compile(r"[a-z_]+(?: or [a-z_]+)*")
_TITLES = {
    "Overdue": ("overdue", "Overdue", "longest first"),
    "Due soon": ("soon", "Due by {soon}", "soonest first"),
    "Needs decision": ("decide", "Needs a decision", "The desk shows the readings; a person decides"),
    "Cannot tell": ("unknown", "Cannot tell", "A fact is missing; not counted as in order"),
    "Waiting": ("waiting", "Waiting", "later, or not started"),
    "Stayed": ("stayed", "Stayed", "on hold, by appeal or order"),
    "Excused": ("excused", "Excused", "lifted here, with the reason"),
}
_WORDS = {
    "due": "Due soon", "overdue": "Overdue", "missed": "Overdue", "met": "Met", "met_late": "Met late", "waiting": "Waiting",
    "cannot_tell": "Cannot tell", "stayed": "Stayed", "excused": "Excused", "closed": "Ended", "superseded": "Replaced",
    "void": "Withdrawn", "not owed": "Not needed", **OUTCOMES,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address of Today asks for."""

    program: str = ""
    whose: str = ""  # all, mine, or a person; empty: what the account's roles suggest
    by: str = ""
    rule: str = ""
    has_all_waiting: bool = False

    def url(self, **other: str) -> str:
        """Returns the address of Today with something else asked for."""
        said = {"program": self.program, "whose": self.whose, "by": self.by, **other}
        query = "&".join(f"{name}={quote(value)}" for name, value in said.items() if value)
        return reverse("today") + (f"?{query}" if query else "")


@dataclass(frozen=True, slots=True)
class TodayShown:
    """Everything that Today shows."""

    asked: Asked
    whose: str
    counts: tuple[Count, ...]
    running: Running | None
    first: Due | None
    first_line: Line | None
    programs: tuple[Choice, ...]
    orders: tuple[Choice, ...]
    people: tuple[tuple[str, str], ...]
    groups: tuple[Group, ...]
    looked: tuple[Looked, ...]
    total: int
    shown: int
    left_stale: int
    is_too_large: bool
    work: Work | None  # that makes the list of another day
    next: Due | None
    next_words: str
    dues: tuple[Due, ...]
    words: Words

    @property
    def all_url(self) -> str:
        """Returns where every duty is shown again."""
        return self.asked.url()

    @property
    def everyone_url(self) -> str:
        """Returns where everybody's lines are shown."""
        return self.asked.url(whose=ALL)


def whose_of(asked: Asked, account: Account) -> str:
    """Returns whose lines are shown: a person's own short list, the whole for those who answer for everybody."""
    if asked.whose in (ALL, MINE):
        return asked.whose
    if asked.whose:
        return asked.whose
    return MINE if account.person and not account.role_set() & WHOLE else ALL


def today_shown(account: Account, looking: Looking, asked: Asked) -> TodayShown:
    """Returns what is to be done, most urgent first.

    Raises:
        NotAllowed: for an account that may see nothing.
    """
    whose = whose_of(asked, account)
    person = account.person if whose == MINE else "" if whose == ALL else whose
    counts = queries.counts(as_account=account)
    is_long_work = looking.is_elsewhere and sum(counts.values()) > MOST_THINGS_ELSEWHERE
    kept = jobs.kept_list(looking.instant, looking.known_at, account) if is_long_work else None
    is_too_large = is_long_work and kept is None
    page: Page[Due] = Page((), 0)
    most = MOST_ON_BOARD if asked.by else MOST_LINES
    if kept is not None:
        page = jobs.kept_due(kept, program=asked.program, person=person, limit=most)
    elif not is_too_large:
        page = queries.due(
            as_account=account, program=asked.program, person=person, as_of=looking.as_of, known_at=looking.known_at,
            limit=most,
        )  # fmt: skip
    holders = people_to_choose(account)
    items = [one for one in page.items if not asked.rule or one.rule == asked.rule]
    words = words_of({one for due in items for one in due.persons}, looking.instant)
    words = replace(words, names={**dict(holders), **words.names})
    clocked = [one for one in items if one.due is not None and is_instant(one.due) and one.word == "Due soon"]
    first = clocked[0] if clocked and not asked.rule else None
    running = running_of(first, words) if first else None
    shown = [one for one in items if one is not first]
    soon = day_words(looking.instant.astimezone(words.zone).date() + SOON, words.today)
    groups = tuple(_grouped(shown, words, account, asked, soon))
    waiting = [one for one in items if one.word == "Waiting"]
    return TodayShown(
        asked=asked, whose=whose, counts=tuple(_counts(items, running, groups, asked)), running=running, first=first,
        first_line=line_of(first, words, account) if first else None, programs=tuple(_programs(account, asked, page.items, page.total)),
        orders=tuple(Choice(text, asked.url(by=by), is_chosen=asked.by == by) for by, text in BY.items()),
        people=((ALL, "All of the town"), *(((MINE, "Mine"),) if account.person else ()), *holders), groups=groups,
        looked=tuple(_looked(account, counts)) if not items else (), total=page.total, shown=len(page.items),
        left_stale=page.left_stale, is_too_large=is_too_large,
        work=jobs.under_way(jobs.wanted_of(looking, account), account) if is_too_large else None, next=waiting[0] if waiting else None,
        next_words=words.moment(waiting[0].due) if waiting and waiting[0].due is not None else "", dues=tuple(items), words=words,
    )  # fmt: skip


def _grouped(dues: Sequence[Due], words: Words, account: Account, asked: Asked, soon: str) -> Iterator[Group]:
    if asked.by == "person":
        yield from _grouped_by(dues, words, account, lambda one: words.whose(one.who, one.persons[:1]))
        return
    if asked.by == "place":
        yield from _grouped_by(dues, words, account, lambda one: one.thing_label)
        return
    for word, (id_, heading, note) in _TITLES.items():
        found = [one for one in dues if one.word == word]
        if not found:
            continue
        listed = found[:MOST_WAITING] if word == "Waiting" and not asked.has_all_waiting and not asked.rule else found
        lines = [line_of(one, words, account) for one in listed] if asked.rule else folded(listed, words, account, asked.url())  # fmt: skip
        more = len(found) - len(listed)
        link = Link(f"{more} more", f"{asked.url(waiting='all')}#waiting") if more else None
        yield Group(id_, word, heading.format(soon=soon), lines, note, link)


def _grouped_by(dues: Sequence[Due], words: Words, account: Account, key: object) -> Iterator[Group]:
    assert callable(key)
    found: dict[str, list[Due]] = {}
    for one in dues:
        if one.word != "Waiting":
            found.setdefault(str(key(one)), []).append(one)
    for number, (name, group) in enumerate(found.items(), 1):
        yield Group(f"g-{number}", group[0].word, capital(name), [line_of(one, words, account) for one in group])


def _counts(dues: Sequence[Due], running: Running | None, groups: Sequence[Group], asked: Asked) -> Iterator[Count]:
    if running is not None:
        yield Count("Due soon", "Hours are running", "#clock")
    if asked.by:
        return
    said = {
        "Overdue": "overdue",
        "Due soon": "due soon",
        "Needs decision": "need a decision",
        "Cannot tell": "cannot tell",
    }
    for group in groups:
        if group.word in said:
            count = sum(one.word == group.word for one in dues)
            one = {"need a decision": "needs a decision"}.get(said[group.word], said[group.word]) if count == 1 else said[group.word]  # fmt: skip
            yield Count(group.word, f"{count} {one}", f"#{group.id}")


def _programs(account: Account, asked: Asked, items: Sequence[Due], total: int) -> Iterator[Choice]:
    """Yields the programs that have something to do; their numbers only where the whole list is at hand."""
    is_whole = not asked.program and len(items) == total
    counts: dict[str, int] = {}
    for one in items:
        counts[one.program] = counts.get(one.program, 0) + 1
    yield Choice("All", asked.url(program=""), total if not asked.program else None, not asked.program)
    known = [kind.program for kind in law.in_force().vocabulary.things.values()]
    for name in dict.fromkeys(known):
        if not rights.may(account, "see", name) or (is_whole and name not in counts):
            continue
        yield Choice(program_title(name), asked.url(program=name), counts.get(name) if is_whole else None, name == asked.program)  # fmt: skip


def _looked(account: Account, counts: Mapping[str, int]) -> Iterator[Looked]:
    """Yields what was looked at, a program a line, and what starts it where there was nothing to look at."""
    by_program: dict[str, list[tuple[str, int]]] = {}
    kinds = law.in_force().vocabulary.things.values()
    for kind in kinds:
        if not kind.retired and rights.may(account, "see", kind.program):
            by_program.setdefault(kind.program, []).append((kind.name, counts.get(kind.name, 0)))
    names = {kind.name: (many(kind).lower(), plain(kind.name)) for kind in kinds}
    for program, found in by_program.items():
        there = [f"{count:,} {names[name][0] if count != 1 else names[name][1]}" for name, count in found if count]
        first = found[0][0]
        start = [Link("Add the first one", reverse("begin", args=[first]))] if rights.may(account, "record", program) and first != "town" else []  # fmt: skip
        yield Looked(
            program_title(program),
            ", ".join(there) or f"No {names[first][0]} recorded",
            bool(there),
            [] if there else start,
        )


# ------------------------------------------------------------------------------------------------ why


@dataclass(frozen=True, slots=True)
class WhyShown:
    """An answer explained, the others about the same thing beside it."""

    key: str
    why: Why
    thing: Named
    picks: tuple[Pick, ...]
    others: int  # how many there are in all
    matrices: tuple[tuple[str, tuple[Across, ...]], ...]
    acts: tuple[Link, ...]


def why_shown(key: str, account: Account, looking: Looking) -> WhyShown:
    """Returns an answer and everything that it rests on.

    Raises:
        NotFound: where there is none of that key.
        NotAllowed: for the account.
    """
    reasons = explaining.gather(key, as_account=account, as_of=looking.as_of, known_at=looking.known_at)
    named = queries.thing(reasons.why.thing, as_account=account)
    page = queries.beside(
        key, named.id, as_account=account, as_of=looking.as_of, known_at=looking.known_at, limit=MOST_BESIDE
    )
    every = page.items
    shown = next((one for one in every if one.key == key), None)
    persons = {one for due in every for one in due.persons} | {row.performed_by for row in reasons.rows}
    persons |= {row.thing for row in reasons.rows}
    refs = {str(value) for row in reasons.rows for value in row.data.values() if isinstance(value, str)}
    words = words_of(persons | refs, looking.instant)
    may_decide = rights.may(account, "decide", named.program)
    acts = []
    if (
        shown is not None
        and (act := act_of(shown, words, account)) is not None
        and reasons.why.answer
        and _is_open(reasons)
    ):
        acts.append(act)
    return WhyShown(
        key=key, why=_why(reasons, shown, words, looking, may_decide=may_decide), thing=named,
        picks=tuple(Pick(what(one), why_url(one.key), one.word, " ".join(filter(None, (when(one, words),))), one.key == key) for one in every), others=page.total,
        matrices=tuple(_matrices(reasons, words)), acts=tuple(acts),
    )  # fmt: skip


def _is_open(reasons: Reasons) -> bool:
    answer = reasons.why.answer
    return isinstance(answer, Obligation) and answer.is_open


def _why(reasons: Reasons, due: Due | None, words: Words, looking: Looking, *, may_decide: bool) -> Why:
    found, answer, entry = reasons.why, reasons.why.answer, reasons.entry
    assert answer is not None
    clause = [
        Known("Where", "; ".join(found.cites), url=reverse("rulebook_entry", args=[entry.id])),
        Known("What it asks", found.means),
        Known("Edition", found.edition, note=f"Supplement {law.in_force(_known(looking)).supplement[:12]}"),
    ]
    if reasons.duty is not None:
        persons = due.persons if due else ()
        toward = f"Toward the {words.office(reasons.duty.to)}" if reasons.duty.to else ""
        office = words.office(reasons.duty.who)
        names = ", ".join(words.name(one) for one in persons)
        clause.append(Known("Whose", office if not names or names == office else f"{office}: {names}", note=toward or ("" if persons else "Nobody was found who holds it")))  # fmt: skip
    if caution := reasons.world.law.caution(entry.id):
        clause.append(Known("How sure", capital(caution)))
    if entry.note:
        clause.append(Known("Note", entry.note))
    return Why(
        about=reasons.label[:1].upper() + reasons.label[1:], question=found.means, word=reasons.word,
        how_long=_how_long(answer, due, words), answer=_answer(reasons, words), clause=clause,
        words=tuple(_words(reasons, words)), steps=tuple(_steps(reasons, words)),
        doubts=tuple(_doubts(reasons, found.thing, may_decide=may_decide)), changes=tuple(_changes(reasons, words)),
        note=_note(reasons, words, looking), facts=tuple(_facts(reasons, words)),
        not_counted=tuple(Known(title(event), when_, note=why) for event, when_, why, _ in reasons.not_counted),
        missing=tuple(dict.fromkeys(capital(words.want(one)) for one in answer.asks)),
    )  # fmt: skip


def _known(looking: Looking) -> str:
    return canonical.instant_text(looking.known_at) if looking.known_at else ""


def _how_long(answer: Obligation | Finding, due: Due | None, words: Words) -> str:
    if due is not None:
        return how_long(due, words) if due.word not in ("Met", "Met late") else ""
    return words.moment(answer.day) if isinstance(answer, Finding) and answer.day is not None else ""


def _answer(reasons: Reasons, words: Words) -> str:
    """Returns an answer in sentences: when it is or was due, what opened it, what met it, what the engine notes."""
    answer = reasons.why.answer
    said: list[str] = []
    if isinstance(answer, Obligation):
        by_root = {row.root: row for row in reasons.rows}
        if answer.due is not None:
            said.append(f"{'Was due' if answer.state in ('overdue', 'missed') else 'Due'} {words.moment(answer.due)}")
        if row := by_root.get(answer.opened_by):
            said.append(f"Opened by {_lower(row_title(row, words.vocabulary))} of {_at(row, words)}")
        if (row := by_root.get(answer.met_by)) and answer.met_at is not None:
            said.append(f"Met by {_lower(row_title(row, words.vocabulary))} of {words.moment(answer.met_at)}")
        elif answer.state in ("overdue", "missed", "due"):
            said.append("Nothing that counts is recorded")
        if answer.ended:
            said.append(capital(answer.ended))
    elif isinstance(answer, Finding) and answer.is_void:
        said.append("It does not count")
    said += [capital(one) for one in (answer.notes if answer else ()) if not one.startswith("if read as")]
    return ". ".join(one.rstrip(".") for one in said) + "." if said else reasons.why.means


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _at(row: RowShown, words: Words) -> str:
    moment = moment_of(row.at)
    return words.moment(moment) if moment is not None else "always"


def _words(reasons: Reasons, words: Words) -> Iterator[Known]:
    """Yields what the words of the vocabulary mean on which the answer hangs: happenings, then facts."""
    vocabulary, seen = words.vocabulary, set()
    read = list(conditions(reasons.entry, reasons.world.entries))
    events = [name for one in (reasons.duty.met_by if reasons.duty else ()) for name in one.events]
    events += [name for one in read for name in sorted(one.events)]
    for name in dict.fromkeys(events):
        if (event := vocabulary.events.get(name)) and event.means:
            seen.add(name)
            yield Known(title(name), event.means)
        if len(seen) == MOST_WORDS // 2:
            break
    facts = dict.fromkeys(pair for one in read for pair in sorted(one.facts))
    for owner, name in facts:
        fact = words.fact(owner, name)
        if fact is not None and fact.means and len(seen) < MOST_WORDS:
            seen.add(f"{owner}.{name}")
            yield Known(label_of(fact), fact.means)


def _steps(reasons: Reasons, words: Words) -> Iterator[Step]:
    about = reasons.world.thing(reasons.why.thing).type
    yield from (_step(line, words, about) for line in reasons.why.steps)
    if not reasons.why.steps:
        yield Step(reasons.why.means, reasons.word, word=reasons.word)


def _step(line: str, words: Words, about: str) -> Step:
    one = steps.said(line, words, about)
    return Step(
        one.text, one.result, word="Cannot tell" if one.is_unknown else "", depth=min(one.depth, MOST_DEEP), raw=one.raw
    )


def _facts(reasons: Reasons, words: Words) -> Iterator[Known]:
    for row in reasons.rows:
        kind = reasons.world.thing(row.thing).type
        said = "; ".join(
            f"{one.name}: {one.value or one.missing}" for one in said_of(row, words.vocabulary, words, kind)
        )
        doubtful = "".join(f". {capital(words.want(one))}" for one in reasons.unheld.get(row.root, ()))
        of = f" of {words.name(row.thing)}" if row.thing != reasons.why.thing else ""
        by = f" by {words.name(row.performed_by)}" if row.performed_by else ""
        recorded = words.moment(canonical.read_instant(row.recorded_at))
        note = f"{said}. " if said else ""
        yield Known(
            row_title(row, words.vocabulary) + of, _at(row, words) + by,
            f"{note}Recorded {recorded} by {row.recorded_by}{doubtful}",
            reverse("row", args=[row.id]),
        )  # fmt: skip


def _doubts(reasons: Reasons, thing: str, *, may_decide: bool) -> Iterator[DoubtShown]:
    for one in reasons.doubts:
        url = f"{reverse('doubt', args=[one.id])}?on={quote(thing)}"
        act = Link("Decide again" if one.is_decided else "Decide", url) if may_decide else None
        yield DoubtShown(f"{one.id}.", one.means, act)


def _matrices(reasons: Reasons, words: Words) -> Iterator[tuple[str, tuple[Across, ...]]]:
    """Yields, for each doubt, what follows from each of its readings."""
    for doubt in reasons.doubts:
        rows = []
        for one in doubt.readings:
            word = reasons.word if one.is_applied or not one.state else _WORDS.get(one.state, "Cannot tell")
            result = "As above" if one.is_applied else "The same" if not one.state else capital(one.result)
            note = capital(one.result) if one.is_applied else ""
            rows.append(Across(capital(one.name), "", (Cell(result, word, note),)))
        yield doubt.id, tuple(rows)


def _changes(reasons: Reasons, words: Words) -> Iterator[Change]:
    about = reasons.world.thing(reasons.why.thing).type
    results = {"it ends": "Ended", "it is excused": "Excused", "it is held": "Stayed", "it is not needed": "Not needed"}
    for condition, result in reasons.changes:
        is_late = result.startswith("met late")
        word = "Met late" if is_late else "Met" if result.startswith("met") else results.get(result, "")
        is_not = condition.startswith("!(")
        said = (
            f"Not so: {steps.condition(condition[2:-1], words, about)}"
            if is_not
            else _happening(condition, words, about)
        )
        yield Change(said, "" if word and result in results else capital(result.removeprefix("met late: ").removeprefix("met, ")) if result != "met" else "", word)  # fmt: skip
    for one in reasons.why.answer.if_read_as if reasons.why.answer else ():
        then = words.moment(one.due) if one.due is not None else one.text.partition(": ")[2]
        yield Change(f"{one.doubt} is read as: {one.reading}", capital(then), _WORDS.get(one.state, ""))


def _happening(condition: str, words: Words, about: str) -> str:
    """Returns the words in which an event that a rule waits for is named, with its condition."""
    events, where, rest = condition.partition(" where ")
    if (named := _EVENTS.match(condition)) and (" until " in condition or " for the period " in condition):
        amount = "for the period" if " for the period " in condition else "as often, or as much, as is asked"
        return f"{title(named[0])} is recorded {amount}"
    return f"{title(events)} is recorded{', where ' + small(steps.condition(rest, words, about)) if where else ''}"


def _note(reasons: Reasons, words: Words, looking: Looking) -> str:
    count, cites = len(reasons.rows), len(reasons.why.cites)
    rows = f"{count} row{'' if count == 1 else 's'} of the record and {cites} clause{'' if cites == 1 else 's'}"
    return f"Worked out for {looking.words} from {rows}. Asked again about this moment, it comes out the same. At the command line it is {reasons.why.answer.key if reasons.why.answer else ''}"  # fmt: skip


# ------------------------------------------------------------------------------------------------ decisions


@dataclass(frozen=True, slots=True)
class DoubtLine:
    """A doubt in the list of decisions."""

    id: str
    means: str
    cites: str
    now: str
    settled: str
    touches: int
    url: str


@dataclass(frozen=True, slots=True)
class DoubtToSettle:
    """A doubt with its readings and what follows from each."""

    doubt: Doubt
    readings: tuple[Reading, ...]
    deciders: tuple[tuple[str, str], ...]
    scopes: tuple[tuple[str, str], ...]
    applied: str
    settled: str
    lines: tuple[Line, ...]
    about: Named | None
    settle_by: str
    words: Words


@dataclass(frozen=True, slots=True)
class FactToDecide:
    """A fact that the law leaves to a person, with what waits for it."""

    thing: Named
    fact: Fact
    title: str
    judge: str
    judge_title: str
    readings: tuple[Reading, ...]
    deciders: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...]
    known: str
    bears: tuple[Known, ...]


def decisions_shown(account: Account) -> tuple[tuple[DoubtLine, ...], tuple[DoubtLine, ...], tuple[Line, ...]]:
    """Returns the doubts that are open, those that are settled for the town, and the lines that wait for somebody's decision."""
    world = queries.world(as_account=account)
    dues = queries.due(as_account=account, limit=MOST_LINES).items
    words = words_of({one for due in dues for one in due.persons})
    touched: dict[str, set[str]] = {}
    for due in dues:
        for other in due.if_read_as:
            touched.setdefault(other.doubt, set()).add(due.key)
        for ask in due.asks:
            if ask.kind == "doubt":
                touched.setdefault(ask.what, set()).add(due.key)
    open_: list[DoubtLine] = []
    settled: list[DoubtLine] = []
    for doubt in world.doubts.values():
        decided = world.decisions(doubt.id, None)
        if decided:
            now, when_ = decided[-1].reading, f"Settled {day_words(decided[-1].day, words.today)}"
        else:
            now, when_ = doubt.applied, ""
        line = DoubtLine(
            doubt.id, doubt.means, "; ".join(doubt.cites[:2]), now, when_, len(touched.get(doubt.id, ())), reverse("doubt", args=[doubt.id])
        )  # fmt: skip
        (settled if decided else open_).append(line)
    open_.sort(key=lambda one: -one.touches)
    lines = [line_of(one, words, account) for one in dues if one.word == "Needs decision"]
    return tuple(open_), tuple(settled), tuple(lines)


def doubt_shown(id: str, on: str, account: Account) -> DoubtToSettle:
    """Returns a doubt with its readings, what follows from each for a thing or over the town, and who may settle it.

    Raises:
        NotFound: for a doubt that the books do not have.
    """
    world = queries.world(as_account=account)
    doubt = world.doubts.get(id)
    if doubt is None:
        raise NotFound(f"the books have no doubt {id!r}")
    about = queries.thing(on, as_account=account) if on else None
    dues = queries.due(as_account=account, thing=on, limit=None if on else MOST_LINES).items
    words = words_of({one for due in dues for one in due.persons})
    touched = [
        due for due in dues if any(one.doubt == id for one in due.if_read_as) or any(ask.what == id for ask in due.asks)
    ]
    decided = world.decisions(id, world.thing(about.id) if about else None)
    applied = decided[-1].reading if decided else doubt.applied
    town = adopting.town_id()
    scopes = ([(about.id, f"{capital(about.label)} only")] if about and about.id != town else []) + [(town, "Every thing, from today on")]  # fmt: skip
    return DoubtToSettle(
        doubt=doubt, readings=tuple(_reading(one, id, applied, touched, words) for one in doubt.choices),
        deciders=tuple(_deciders(doubt.settle_by, account, words)), scopes=tuple(scopes), applied=applied,
        settled=f"Settled {day_words(decided[-1].day, words.today)}: {decided[-1].reading}" if decided else "",
        lines=tuple(line_of(one, words, account) for one in touched[:MOST_LINES]), about=about,
        settle_by=words.office(doubt.settle_by) if doubt.settle_by else "", words=words,
    )  # fmt: skip


def _reading(name: str, doubt: str, applied: str, touched: Sequence[Due], words: Words) -> Reading:
    others = [one for due in touched for one in due.if_read_as if one.doubt == doubt and one.reading == name]
    note = "How the desk reads it until somebody settles it" if name == applied else ""
    if len(others) == 1:
        one = others[0]
        effect = f"Due {words.moment(one.due)}" if one.due is not None else capital(one.state.lower().replace("_", " "))
    elif others:
        effect = f"{len(others)} lines change"
    else:
        effect = "As it stands" if name == applied else "Changes nothing now"
    return Reading(name, capital(name), note, effect)


def _deciders(office: str, account: Account, words: Words) -> Iterator[tuple[str, str]]:
    """Yields who may have decided: those who hold the office first, then the others."""
    held = people.holders(office, words.today) if office else ()
    known = dict(people_to_choose(account))
    for one in held:
        yield one, f"{known.get(one, one)} ({words.office(office)})" if known.get(one) != words.office(office) else known[one]  # fmt: skip
    yield from ((one, label) for one, label in known.items() if one not in held)


def fact_shown(thing: str, name: str, account: Account) -> FactToDecide:
    """Returns a fact that a person decides, with what waits for it and what bears on it.

    Raises:
        NotFound: where nobody decides such a fact.
    """
    named = queries.thing(thing, as_account=account)
    world = queries.world(as_account=account)
    fact = world.vocabulary.things[named.type].facts.get(name)
    judge = fact.judged_by if fact else ""
    entry_cites: tuple[str, ...] = ()
    for entry in world.law.answers.get(f"{named.type}.{name}", ()):
        for edition in entry.editions:
            for form in edition.readings.values():
                judge = judge or getattr(form, "judged_by", "")
        entry_cites = entry.cites
    if fact is None or not judge:
        raise NotFound(f"{named.type} has no fact {name!r} that a person decides")
    dues = queries.due(as_account=account, thing=named.id).items
    words = words_of({one for due in dues for one in due.persons})
    waiting = [one for one in dues if any(ask.what == f"{named.type}.{name}" for ask in one.asks)]
    facts = {one.name: one for one in queries.facts(named.id, as_account=account)}
    known = words.value(facts[name].text, fact.type) if name in facts and facts[name].text else ""
    bears = [Known("What it says", fact.means or label_of(fact))]
    if entry_cites:
        bears.append(Known("Where", "; ".join(entry_cites), capital(world.law.caution_of(f"{named.type}.{name}"))))
    bears.append(Known("Left to", words.office(judge)))
    return FactToDecide(
        thing=named, fact=fact, title=label_of(fact), judge=judge, judge_title=words.office(judge),
        readings=tuple(Reading(value, text) for value, text in _values(fact.type)),
        deciders=tuple(_deciders(judge, account, words)), lines=tuple(line_of(one, words, account) for one in waiting),
        known=known, bears=tuple(bears),
    )  # fmt: skip


def _values(kind: Type) -> list[tuple[str, str]]:
    if kind.kind == "bool":
        return [("true", "Yes"), ("false", "No")]
    return [(word, title(word)) for word in kind.words]


# ------------------------------------------------------------------------------------------------ may I


@dataclass(frozen=True, slots=True)
class RuleShown:
    """How a rule about an act would judge it."""

    word: str
    means: str
    cites: str
    steps: tuple[Step, ...]
    missing: tuple[str, ...]
    other: tuple[str, ...]
    caution: str

    @property
    def has_raw(self) -> bool:
        """Tells whether a step says something otherwise than the rule has it."""
        return any(one.raw for one in self.steps)


@dataclass(frozen=True, slots=True)
class MayShown:
    """Whether something may be done, and under which rules."""

    word: str
    answer: str
    rules: tuple[RuleShown, ...]


def acts_about(named: Named) -> frozenset[str]:
    """Returns the events on a thing about which some rule of the town's books is."""
    running = law.in_force()
    acts = running.library.law(running.book_id).acts_on
    return frozenset(one for one in acts if running.vocabulary.events[one].on in ("", named.type))


def may_shown(findings: Sequence[Finding], words: Words, about: str) -> MayShown:
    """Returns what the rules about an act say together.

    Edge: where no rule is about it, that is said; it is no permission.

    Args:
        findings: the verdicts on the act.
        words: of the page.
        about: the type of the thing on which it would be.
    """
    against = [one for one in findings if one.outcome == "NOT_MET"]
    if not findings:
        return MayShown("Not regulated", "No rule of the books is about it", ())
    if against:
        answer = "It would not count" if any(one.is_void for one in against) else "No"
        word = "Not met"
    elif any(one.outcome == "CANNOT_TELL" for one in findings):
        answer, word = "Something is missing: it is named below", "Cannot tell"
    else:
        answer, word = "Yes, as far as the rules about it go", "Met"
    order = ["NOT_MET", "CANNOT_TELL", "MET", "NOT_REGULATED"]
    rules = tuple(_rule(one, words, about) for one in sorted(findings, key=lambda one: order.index(one.outcome)))
    return MayShown(word, answer, rules)


def _rule(one: Finding, words: Words, about: str) -> RuleShown:
    entry = words.entries[one.rule]
    lines = [line for line in one.steps if f"wanting: {line}" not in one.steps]
    other = tuple(f"Read as {each.reading}: {_WORDS.get(each.state, each.state).lower()}" for each in one.if_read_as)
    return RuleShown(
        OUTCOMES[one.outcome], entry.means, "; ".join(entry.cites), tuple(_step(line, words, about) for line in lines),
        tuple(capital(words.want(want)) for want in one.asks), other, words.law.caution(one.rule),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ calendar


@dataclass(frozen=True, slots=True)
class DayShown:
    """A day of a month, with what is due on it."""

    day: date
    said: str
    is_of_month: bool
    is_today: bool
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class MonthShown:
    """A month as weeks of days."""

    title: str
    weeks: tuple[tuple[DayShown, ...], ...]
    before: str
    after: str
    this: str
    undated: int
    count: int
    shown: int  # lines that are looked at, the most urgent
    total: int


def month_shown(account: Account, looking: Looking, month: str, whose: str) -> MonthShown:
    """Returns what is due in a month, day by day; what is overdue stands on the day on which it was due.

    Edge: a month that cannot be read is the present one.
    """
    page = _dated(account, whose)
    dues = page.items
    words = words_of({one for due in dues for one in due.persons}, looking.instant)
    first = _first_of(month) or words.today.replace(day=1)
    weeks = calendar.Calendar(firstweekday=6).monthdatescalendar(first.year, first.month)
    by_day: dict[date, list[Line]] = {}
    count = 0
    for one in dues:
        if one.due is not None and weeks[0][0] <= (day := day_of(one.due, words.zone)) <= weeks[-1][-1]:
            by_day.setdefault(day, []).append(line_of(one, words, account))
            count += day.replace(day=1) == first
    before, after = (first - timedelta(days=1)).replace(day=1), (first + timedelta(days=32)).replace(day=1)
    return MonthShown(
        title=f"{first:%B %Y}", before=f"{before:%Y-%m}", after=f"{after:%Y-%m}", this=f"{first:%Y-%m}",
        weeks=tuple(
            tuple(
                DayShown(day, day_words(day, words.today), day.month == first.month, day == words.today, tuple(by_day.get(day, ())))
                for day in week
            )
            for week in weeks
        ),
        undated=sum(one.due is None for one in dues), count=count, shown=len(dues), total=page.total,
    )  # fmt: skip


def _dated(account: Account, whose: str) -> Page[Due]:
    person = account.person if whose == MINE else "" if whose == ALL else whose
    return queries.due(as_account=account, person=person, limit=2 * MOST_LINES)


def _first_of(month: str) -> date | None:
    try:
        return date.fromisoformat(f"{month}-01")
    except ValueError:
        return None


def feed_of(account: Account) -> Feed | None:
    """Returns the calendar address that an account has, or None."""
    return Feed.objects.filter(account=account).first()


def account_of_feed(token_sha256: str) -> Account | None:
    """Returns the open account to which a calendar address belongs, or None."""
    found = Feed.objects.filter(token_sha256=token_sha256, account__is_active=True).select_related("account").first()
    return found.account if found else None


def icalendar(account: Account, base: str) -> str:
    """Returns what is due as an iCalendar (RFC 5545): days as days, hours as instants; names, but no facts of things.

    Args:
        account: whose.
        base: the address of the desk, so that an entry leads to its answer.
    """
    whose = whose_of(Asked(), account)
    town, now = clock.current_town(), clock.now()
    lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Sewershed//desk//EN", "CALSCALE:GREGORIAN", "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_escaped(town.name)}, what is due",
    ]  # fmt: skip
    for one in _dated(account, whose).items:
        if one.due is None:
            continue
        lines += [
            "BEGIN:VEVENT", f"UID:{_escaped(one.key)}@sewershed", f"DTSTAMP:{now:%Y%m%dT%H%M%SZ}", *_span(one.due),
            f"SUMMARY:{_escaped(f'{one.word}: {what(one)}, {one.thing_label}')}",
            f"DESCRIPTION:{_escaped('; '.join(filter(None, (*one.cites, one.caution))))}", f"URL:{base}{why_url(one.key)}", "END:VEVENT",
        ]  # fmt: skip
    return "\r\n".join(part for line in [*lines, "END:VCALENDAR"] for part in _folded(line)) + "\r\n"


def _span(due: Moment) -> list[str]:
    if is_instant(due):
        return [f"DTSTART:{due:%Y%m%dT%H%M%SZ}", f"DTEND:{due:%Y%m%dT%H%M%SZ}"]
    return [f"DTSTART;VALUE=DATE:{due:%Y%m%d}", f"DTEND;VALUE=DATE:{due + timedelta(days=1):%Y%m%d}"]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\r", "").replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """Yields a line in parts of at most 75 bytes, the later ones begun with a blank (RFC 5545, 3.1)."""
    if line.isascii():  # a letter is a byte
        yield line[:75]
        yield from (f" {line[start : start + 74]}" for start in range(75, len(line), 74))
        return
    part, size = "", 0
    for letter in line:
        wide = len(letter.encode())
        if size + wide > 75:
            yield part
            part, size = " ", 1
        part, size = part + letter, size + wide
    yield part


# ------------------------------------------------------------------------------------------------ finding


@dataclass(frozen=True, slots=True)
class FoundShown:
    """One thing that was found."""

    text: str
    note: str
    url: str


@dataclass(frozen=True, slots=True)
class FindShown:
    """What was found of a text: things, clauses, programs."""

    things: tuple[FoundShown, ...]
    total: int
    clauses: tuple[FoundShown, ...]
    pages: tuple[FoundShown, ...]


def find_shown(text: str, account: Account) -> FindShown:
    """Returns the things, clauses and lists whose names hold a text."""
    page = queries.find(text, as_account=account, limit=50)
    running = law.in_force()
    kinds = running.vocabulary.things
    low = text.strip().lower()
    things = tuple(FoundShown(one.label, title(one.type), reverse("thing", args=[one.id])) for one in page.items)
    entries = running.library.entries(running.book_id).values()
    clauses = [
        FoundShown(
            "; ".join(one.cites), "; ".join(filter(None, (one.means, running.ground.caution(one.id)))),
            reverse("rulebook_entry", args=[one.id]),
        )
        for one in entries
        if low and (any(low in cite.lower() for cite in one.cites) or low in one.means.lower())
    ][:20]  # fmt: skip
    pages = [
        FoundShown(many(kind), kind.means, reverse("register", args=[kind.name]))
        for kind in kinds.values()
        if low and low in many(kind).lower() and rights.may(account, "see", kind.program)
    ]
    return FindShown(things, page.total, tuple(clauses), tuple(pages))


__all__ = [
    "Across", "Asked", "account_of_feed", "acts_about", "day_or_today", "decisions_shown", "doubt_shown", "fact_shown", "feed_of", "find_shown",
    "icalendar", "left_words", "may_shown", "missing", "month_shown", "today_shown", "whose_of", "why_shown",
]  # fmt: skip
