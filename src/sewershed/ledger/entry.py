"""An entry on its way to the log: what every action shares.

It knows who acts and under which law, collects everything that is wrong, and makes the columns of a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sewershed.ledger import canonical, clock, law, numbers, standing, supplements, things
from sewershed.ledger import log as logbook
from sewershed.ledger.checks import ID, Checks, when_columns
from sewershed.ledger.errors import NotFound, Refused
from sewershed.ledger.law import Law
from sewershed.ledger.log import Draft, Head, Pen
from sewershed.ledger.models import Account
from sewershed.ledger.models import Thing as ThingRow
from sewershed.ledger.reading import CONTAINS, KEPT_APART, decided_text, kept_apart
from sewershed.rules.entries import ValueForm
from sewershed.rules.history import DECIDED
from sewershed.rules.problems import did_you_mean
from sewershed.rules.record import Moment
from sewershed.rules.vocabulary import EventType, ThingType

SOURCES = ("form", "telephone offline", "paper sheet", "import row", "command", "api")


class Recorded(NamedTuple):
    """What was entered: the row, its thing, the number it took and the number it gave its thing, and the new head."""

    id: str
    thing: str
    number: str
    thing_number: str
    head: Head


@dataclass(slots=True)
class Entry:
    """An entry on its way to the log: who acts, under which law, what has been found wrong so far."""

    account: Account
    law: Law
    checks: Checks
    pen: Pen

    @classmethod
    def begin(cls, account: Account, pen: Pen, running: Law | None = None) -> Entry:
        """Begins an entry under the law that runs now, or that a town begins with."""
        running = running or law.in_force()
        return cls(account, running, Checks(running), pen)

    def append(self, **columns: Any) -> logbook.Row:
        """Adds a row in the name of the account and brings the tables of things up to date."""
        return self.append_all([Draft(recorded_by=self.account.name, **columns)])[0]

    def append_all(self, drafts: Sequence[Draft]) -> list[logbook.Row]:
        """Adds rows, each with the hash of the vocabulary under which they were checked, and reads each as the engine will.

        Refuses: a row that could not be read back (`Unreadable`), whatever the checks before it said.
        """
        vocabulary, reader = supplements.vocabulary_hash(self.law.supplement), self.law.reader
        rows = self.pen.append(logbook.under(vocabulary, drafts))
        for row in rows:
            reader.read(row)
        self.pen.concerned.update(dict.fromkeys(things.note(rows, reader)))
        return rows

    def done(self, row: logbook.Row) -> Recorded:
        """Returns what was recorded."""
        kept = kept_apart(row)
        number, thing_number = kept.get(numbers.NUMBER, ""), kept.get(numbers.THING_NUMBER, "")
        return Recorded(row.id, row.thing, number, thing_number, self.pen.head)

    def thing(self, thing: str) -> ThingRow:
        """Returns a thing on which something can be recorded.

        Raises:
            NotFound: where there is none.
        """
        found = ThingRow.objects.filter(id=thing).first()
        if found is None or found.is_gone:
            raise NotFound(f"there is no thing {thing!r} in the record" + (", all its rows are void" if found else ""))
        return found

    def program_of(self, thing_type: str) -> str:
        """Returns the program to which a type of thing belongs."""
        kind = self.law.vocabulary.things.get(thing_type)
        return kind.program if kind else ""

    def who(self, performed_by: str, office: str) -> None:
        """Notes a person or an office that there is not."""
        self.checks.person("performed_by", performed_by)
        roles = self.law.book.roles
        if office and office not in roles:
            near = did_you_mean(office, roles)
            self.checks.problems.append(f"unknown office '{office}'{near}; the offices are {', '.join(sorted(roles))}")


def event_columns(
    entry: Entry,
    kind: EventType | None,
    name: str,
    thing: str,
    at: str | Moment,
    said: Mapping[str, Any],
    contains: Sequence[str],
    performed_by: str,
    office: str,
    at_is: str,
    at_how: str,
    *,
    before: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Returns the columns of an event's row, or refuses with every reason at once.

    Edge: what is done in an office, and what is decided, is done by whoever enters it where nobody is named.
    """
    if before is None and (office or name == DECIDED):
        performed_by = performed_by or entry.account.person
    checks = entry.checks
    checks.thing = thing
    when = checks.when(at, name, precision=kind.precision if kind else "either")
    if when is None and not checks.problems:
        checks.problems.append(f"{name} needs a time: give the day, or the day and the time of day")
    known, before = kind.data if kind else {}, before or {}
    written = {**before, **(checks.written(name, known, said, before) if kind else {})}
    checks.required(name, known, {**before, **said})
    checks.how_exact(at_is, at_how)
    entry.who(performed_by, office)
    checks.refuse()
    if contains:
        written[CONTAINS] = sorted(contains)
    return {
        "kind": "event", "name": name, "thing": thing, **when_columns(when, at), "at_is": at_is, "at_how": at_how,
        "performed_by": performed_by, "office": office, "data": canonical.write(written),
    }  # fmt: skip


def facts_columns(
    entry: Entry,
    kind: ThingType | None,
    thing: str,
    said: Mapping[str, Any],
    day: str | Moment,
    *,
    is_new: bool = False,
    before: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Returns the columns of a facts row; problems are noted, and the caller refuses."""
    checks = entry.checks
    checks.thing = thing
    when = checks.when(day, "the first day of facts", precision="day", is_plan=True)
    name, before = kind.name if kind else "", before or {}
    written: dict[str, Any] = dict(before)
    if kind:
        checks.judged(name, kind.facts, said)
        written |= checks.written(name, kind.facts, said, before)
        if is_new:
            checks.required(name, kind.facts, {**before, **said})
    return {"kind": "facts", "name": name, "thing": thing, **when_columns(when, day), "data": canonical.write(written)}


def number_event(entry: Entry, kind: EventType | None, about: ThingRow, columns: dict[str, Any]) -> None:
    """Takes the numbers that an event has or gives to its thing."""
    if kind is None:
        return
    kept: dict[str, Any] = {}
    year = _year(columns)
    if kind.series:
        kept[numbers.NUMBER], count = numbers.take(kind.name, kind.series, year)
        kept.setdefault(numbers.COUNTS, []).append(count)
    thing_type = entry.law.vocabulary.things[about.type]
    if thing_type.series and thing_type.numbered_by == kind.name and not about.number:
        kept[numbers.THING_NUMBER], count = numbers.take(thing_type.name, thing_type.series, year)
        kept.setdefault(numbers.COUNTS, []).append(count)
    columns["data"] = canonical.write({**canonical.read(columns["data"]), **kept})


def with_thing_number(name: str, series: str, columns: Mapping[str, Any]) -> str:
    """Takes the number of a new thing and returns the data that keep it."""
    number, count = numbers.take(name, series, _year(columns))
    kept = {numbers.THING_NUMBER: number, numbers.COUNTS: [count]}
    return canonical.write({**canonical.read(columns["data"]), **kept})


def _year(columns: Mapping[str, Any]) -> int:
    """Returns the year of a number: of the day of what it numbers, in the town; without one, this year."""
    if columns["day"]:
        return int(columns["day"][:4])
    if columns["at"]:
        return canonical.read_instant(columns["at"]).astimezone(clock.current_town().zone).year
    return clock.today().year


def decided_fact(entry: Entry, about: ThingRow, fact: str, value: Any) -> dict[str, Any]:
    """Returns what a decision on a fact says, or refuses a fact that nobody judges.

    Edge: what an event leaves to a person is named with the event, `repair.tidy`, and decided of the latest before it.
    """
    owner, _, name = fact.rpartition(".")
    known = entry.law.vocabulary.to_decide(about.type, fact)
    is_of_event = owner in entry.law.vocabulary.events
    what = f"{owner or about.type}.{name}"
    if known is None:
        judged = [one.name for one in entry.law.vocabulary.things[about.type].facts.values() if one.judged_by]
        listed = f"; a person decides {', '.join(judged)}" if judged else ""
        raise Refused(f"{about.type} has no '{fact}'{did_you_mean(fact, judged) or listed}")
    if is_of_event and all(one.content.name != owner for one in standing.standing_about(about.id)):
        raise Refused(f"nothing is recorded on {about.label} as {owner}: there is nothing to decide")
    if not (known.judged_by or (known.derived and _fills_gap(entry, what))):
        raise Refused(f"{what} is not decided by anybody: {'correct the row' if is_of_event else 'set it as a fact'}")
    fact = what if is_of_event else name
    written = canonical.plain(entry.checks.value(what, known.type, value))
    if written is None and not entry.checks.problems:
        raise Refused(f"the decision on {what} says no value")
    return {"fact": fact, "value": decided_text(written)}


def _fills_gap(entry: Entry, target: str) -> bool:
    """Tells whether a person may answer a fact where an entry of the books leaves it open."""
    answering = entry.law.library.law(entry.law.book_id).answers.get(target, ())
    forms = [form for one in answering for edition in one.editions for form in edition.readings.values()]
    return any(isinstance(form, ValueForm) and form.judged_by for form in forms)


def decided_doubt(entry: Entry, doubt: str, reading: str) -> dict[str, Any]:
    """Returns what a decision on a doubt says, or refuses a reading that the books do not have."""
    doubts = entry.law.library.doubts(entry.law.book_id)
    known = doubts.get(doubt)
    if known is None:
        raise Refused(f"there is no doubt {doubt!r}; the doubts are {', '.join(sorted(doubts)) or 'none'}")
    if reading not in known.choices:
        raise Refused(f"{doubt} has no reading {reading!r}; the readings are {', '.join(known.choices)}")
    return {"doubt": doubt, "reading": reading}


def program_of_row(entry: Entry, row: logbook.Row, thing_type: str) -> str:
    """Returns the program to which a row belongs."""
    kind = entry.law.vocabulary.events.get(row.name) if row.kind == "event" else None
    return (kind.program if kind else "") or entry.program_of(thing_type)


def again(entry: Entry, id: str, columns: Mapping[str, Any]) -> Recorded | None:
    """Returns what was recorded under an id already; the same id for something else is refused."""
    if not id:
        return None
    if not ID.match(id):
        raise Refused(f"{id!r} cannot be an id: letters, figures, dots and dashes, at most 80")
    found = logbook.select_list("id = %s", [id])
    if not found:
        return None
    said = {name: value for name, value in canonical.read(found[0].data).items() if name not in numbers.KEPT}
    same = all(getattr(found[0], name) == value for name, value in columns.items() if name not in ("data", "source"))
    if not same or said != canonical.read(columns["data"]):
        raise Refused(f"the id {id} is taken by another entry (row {found[0].position}); give a fresh one, or none")
    return entry.done(found[0])


def fresh_or(id: str) -> str:
    """Returns the id given, or a fresh one."""
    return id or logbook.new_id()


def check_id(entry: Entry, thing: str) -> None:
    """Notes an id that a thing cannot have."""
    if not ID.match(thing) or thing.startswith(KEPT_APART):
        entry.checks.problems.append(
            f"{thing!r} cannot be the id of a thing: letters, figures, dots and dashes, at most 80"
        )


def checked_source(source: str) -> str:
    """Returns a source, or refuses one that is not known."""
    if source.split(":", maxsplit=1)[0].rstrip(" 0123456789") not in SOURCES:
        raise Refused(f"unknown source {source!r}; write one of {', '.join(SOURCES)}")
    return source
