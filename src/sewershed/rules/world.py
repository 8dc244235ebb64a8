"""A world: one town's record under its books, as of a moment, as known at a moment (docs/explanation/rulebook.md 12).

Pure: the instant asked about is an argument, nothing is read but the records handed in, and the same question gives the same
answer. It answers: what is owed and how it stands, what was found, what a book says, what a breach exposes to, may this be
done, and why.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from sewershed.rules.acts import find_act, judge_act, may
from sewershed.rules.basis import Basis
from sewershed.rules.calendars import Closure
from sewershed.rules.duties import obligations_of
from sewershed.rules.entries import Duty, Entry, Form, Pattern
from sewershed.rules.findings import Explanation, Exposure, Finding, Heard, Obligation
from sewershed.rules.history import Decision, History
from sewershed.rules.law import Law
from sewershed.rules.library import Library
from sewershed.rules.limits import judge_limit
from sewershed.rules.moments import day_of, say, start_of
from sewershed.rules.penalties import exposures
from sewershed.rules.record import Chain, Event, Moment, Records, Row
from sewershed.rules.spans import Span
from sewershed.rules.standards import judge_standard, meets
from sewershed.rules.statuses import Life, life_of, status_of
from sewershed.rules.todo import Line, todo
from sewershed.rules.types import Thing, Value
from sewershed.rules.unknown import Unknown, Want, unknown
from sewershed.rules.values import answer
from sewershed.rules.view import View, tell
from sewershed.rules.vocabulary import SAMPLE_RESULT

OFFICES_CLOSED = "offices_closed"


class World:
    """What a town's record comes to under its books, as of one moment.

    Args:
        library: the books, loaded.
        book: the id of the town's own book.
        records: the things and their rows.
        as_of: the instant asked about; what happened later is left out.
        known_at: leaves out rows recorded later than this; None: everything recorded is known.

    Raises:
        KeyError: when there is no such book.
    """

    def __init__(
        self, library: Library, book: str, records: Records, as_of: datetime, known_at: datetime | None = None
    ) -> None:
        self.library = library
        self.law: Law = library.law(book)
        self.records = records
        self.as_of = as_of
        self.known_at = known_at
        self.book = self.law.book
        self.vocabulary = self.book.vocabulary
        self.entries = self.law.entries
        self.doubts = self.law.doubts
        self.zone = self.book.zone
        self.today: date = day_of(as_of, self.zone)
        self.lives: dict[tuple[str, str], Life] = {}
        self.is_other_days = False
        self.plain = self  # this world with unsaid days read as they are: what is kept is worked out in it
        self.in_progress: list[str] = []  # things whose acts are being judged, or a life of which is being folded
        self.verdicts: dict[
            tuple[str, str, Event | None], Finding | None
        ] = {}  # without steps, while a thing is at hand
        self.heard = Heard()  # what steps that were taken down have read
        self._at_hand = ""  # the thing that is being worked out
        self._histories: dict[str, History] = {}
        self._things: dict[str, Thing] = {}
        self._missing: dict[tuple[str, str], Unknown] = {}  # what is said of a fact that nobody recorded
        self._standing: dict[str, View] = {}  # of things as they now stand, while one thing is worked out
        self._bases: dict[str, Basis] = {}  # what the answers about each thing rest on
        self._basis = Basis()  # of what is being worked out
        town = records.town()
        self._town = self.thing(town) if town is not None else None
        self.calendar = self.book.calendar
        self._closing = Basis()  # the days off move the clocks of all things
        with self.resting_on(self._closing):
            closed = self._closures()
        if closed:
            self.calendar = replace(self.calendar, closed=self.calendar.closed | closed)

    # ---------------------------------------------------------------- what it answers

    def obligations(self, thing: str | None = None, *, rules: Collection[str] | None = None) -> list[Obligation]:
        """Returns what is and was owed about a thing (or about all things), with how it stands.

        Args:
            thing: its id; all things, if left out.
            rules: only what is owed under these; under all, if left out.
        """
        if thing is None:
            return [one for each in self.records.things() for one in self.obligations(each, rules=rules)]
        with self._working_out(thing) as subject:
            entries = self.law.duties_on.get(subject.type, ())
            wanted = [one for one in entries if rules is None or one.id in rules]
            return [one for entry in wanted for one in obligations_of(self, entry, subject)]

    def findings(self, thing: str | None = None, *, has_steps: bool = True) -> list[Finding]:
        """Returns the verdicts on acts, standards, limits and lives of a thing (or of all things).

        Args:
            thing: its id; all things, if left out.
            has_steps: each says why; left out where nobody will read it, since it costs several times as much.
        """
        if thing is None:
            return [one for each in self.records.things() for one in self.findings(each, has_steps=has_steps)]
        with self._working_out(thing) as subject:
            judged = self._judged(subject, has_steps=has_steps)
            found = [one for one in judged if one is not None and one.outcome != "NOT_REGULATED"]
        for defense in found:
            for one in found if defense.defends else ():
                note = f"{defense.rule}: a defense is shown"
                if one.rule in defense.defends and one.outcome != "MET" and note not in one.notes:
                    one.notes += (note,)
        return found

    def _judged(self, subject: Thing, *, has_steps: bool) -> Iterator[Finding | None]:
        history = self.history(subject)
        for event in [*history.events, *(one.event for one in history.not_counted)]:
            for act in self._in_force(self.law.acts_on, event):
                yield find_act(self, act, subject, event, has_steps=has_steps)
        for event in history.events:
            for standard in self._in_force(self.law.standards_of, event):
                yield judge_standard(self, standard, subject, event, has_steps=has_steps)
            for limit in self.law.limits if event.name == SAMPLE_RESULT else ():
                if self.is_in_force(limit, event.day):
                    yield judge_limit(self, limit, subject, event, has_steps=has_steps)
        for standard in () if history.is_gone else self.law.standards_on.get(subject.type, ()):
            if self.is_in_force(standard, self.today):
                yield judge_standard(self, standard, subject, None, has_steps=has_steps)
        for life in self.law.lives_of.get(subject.type, ()):
            yield from life_of(self, subject, life).illegal

    def answer(self, name: str, thing: str | None = None, day: date | None = None) -> Value | Unknown:
        """Returns what the books answer to an ask, or a fact of a thing (plain or derived), on a day."""
        if thing is None:
            return answer(self, name, None, self._nowhere(day))
        with self._working_out(thing) as about:
            return self.fact(about, name.partition(".")[2] or name, self.on_day(about, day))

    def answer_with_steps(
        self, name: str, thing: str | None = None, day: date | None = None
    ) -> tuple[Value | Unknown, list[str]]:
        """Returns what `answer` returns, and the steps by which it came out.

        Edge: a fact that somebody recorded has no steps.
        """
        steps: list[str] = []
        if thing is None:
            view = self._nowhere(day)
            return answer(self, name, None, view, steps), steps
        with self._working_out(thing) as about:
            view = self.on_day(about, day)
            if view is self._standing.get(about.id):
                view = View(self, about, {}, day=self.today, moment=self.as_of)
            view.trace = steps
            return self.fact(about, name.partition(".")[2] or name, view), steps

    def steps_without_decision(self, thing: str, name: str) -> list[str]:
        """Returns the steps by which the text itself gives a derived fact now; none where it leaves it to a person.

        Edge: where a person's decision was looked at, or the fact cannot be told, there are none.
        """
        self.heard = heard = Heard()
        with self._working_out(thing) as subject:
            view = View(self, subject, {}, day=self.today, moment=self.as_of)
            view.trace = steps = list[str]()
            value = self.fact(subject, name, view)
            line = self.history(subject).facts.get(name)
        is_decided = line is not None and any(row in heard.rows for row in line.rows)
        return [] if is_decided or isinstance(value, Unknown) else steps

    def facts(self, thing: str) -> dict[str, tuple[Value | Unknown, date | None, str]]:
        """Returns every fact of a thing as it stands, recorded or derived: its value, the first day of it, the row that says so.

        Edge: a fact that nobody has recorded and that no book derives is left out; a derived one has no row.
        """
        with self._working_out(thing) as subject:
            view, found = self.standing(subject), dict[str, tuple[Value | Unknown, date | None, str]]()
            for name, line in self.history(subject).facts.items():
                index = line.at(self.today)
                if index >= 0:
                    day = line.days[index]
                    found[name] = (line.values[index], None if day == date.min else day, line.rows[index])
            kind = self.vocabulary.things.get(subject.type)
            for name, fact in kind.facts.items() if kind is not None else ():
                if fact.derived:
                    found[name] = (self.fact(subject, name, view), None, "")
            return found

    def exposure(self, thing: str | None = None) -> list[Exposure]:
        """Returns what breaches expose to, under every penalty that applies."""
        if thing is None:
            return [one for each in self.records.things() for one in self.exposure(each)]
        obligations, findings = self.obligations(thing), self.findings(thing, has_steps=False)
        rules = {one.rule for one in obligations if one.breach_days > 0}
        rules |= {one.rule for one in findings if one.outcome == "NOT_MET"}
        entries = {entry.id: entry for rule in sorted(rules) for entry in self.law.penalties_for.get(rule, ())}
        subject = self.thing(thing)
        return [one for entry in entries.values() for one in exposures(self, entry, subject, obligations, findings)]

    def todo(self, obligations: Iterable[Obligation] | None = None) -> list[Line]:
        """Returns the to-do list: one line a duty and subject, most urgent first."""
        return todo(self, list(self.obligations() if obligations is None else obligations))

    def may(
        self,
        event: str,
        thing: str,
        moment: Moment,
        office: str = "",
        data: Mapping[str, Value] | None = None,
        contains: Iterable[str] = (),
    ) -> list[Finding]:
        """Returns how every rule about an act would judge it, were it done at that moment."""
        last = sys.maxsize  # were it entered now, it would be the last row
        row = Row("may", "event", event, thing, moment, data or {}, last, office=office, contains=frozenset(contains))
        with self._working_out(thing) as subject:
            act = self.history(subject).dated(Chain(row, row))
            return may(self, act, subject, self._in_force(self.law.acts_on, act))

    def why(self, key: str) -> Explanation | None:
        """Returns everything that an obligation or finding rests on, or None where there is none of that key."""
        rule, _, rest = key.partition("|")
        thing = rest.partition("|")[0]
        entry = self.entries.get(rule)
        if entry is None or self.records.type_of(thing) is None:
            return None
        made = Explanation(rule, entry.cites, entry.means, "", thing, as_of=self.as_of, known_at=self.known_at)
        self.heard = made.heard
        if entry.kind == "duty":
            with self._working_out(thing) as subject:
                found = obligations_of(self, entry, subject, made.steps, key)
            made.answer = found[0] if found else None
        else:
            made.heard = self._heard_by(thing, key)
            made.answer = next((one for one in self.findings(thing) if one.key == key), None)
            made.steps = list(made.answer.steps) if isinstance(made.answer, Finding) else []
        if made.answer is None:
            return None
        made.edition = self.edition(entry, made.answer.since)
        made.doubts = made.answer.doubts
        made.steps = _each_once(made.steps)
        return made

    def _heard_by(self, thing: str, key: str) -> Heard:
        """Returns what the finding of a key has read."""
        with self._working_out(thing) as subject:
            judged = self._judged(subject, has_steps=True)
            while True:
                self.heard = heard = Heard()
                try:
                    one = next(judged)
                except StopIteration:
                    return Heard()
                if one is not None and one.key == key:
                    return heard

    def unheld(self, thing: str) -> dict[str, tuple[Want, ...]]:
        """Returns, by the events of a thing, what was done in an office that whoever did it did not hold, or decided so.

        Edge: what an event leaves to a person is named even where somebody who may has decided it since.
        """
        subject = self.thing(thing)
        history = self.history(subject)
        found: dict[str, tuple[Want, ...]] = {one.event.id: (one.want,) for one in history.unheld}
        for event in (*history.events, *(one.event for one in history.not_counted)):
            kind = self.vocabulary.events[event.name]
            judged = [
                one.judged_by for one in kind.data.values() if one.judged_by and event.data.get(one.name) is not None
            ]
            offices = [judge for judge in judged if not event.may_judge(judge)]
            if event.said_office != event.office:
                offices = [event.said_office]
            if offices:
                found[event.id] = tuple(dict.fromkeys(event.want_of_office(office) for office in offices))
        return found

    def edition(self, entry: Entry, since: date | None) -> str:
        """Returns how a verdict names its edition: the book, its label, and the first day of the version."""
        book = self.library.books[entry.book]
        return " ".join(part for part in (book.name, book.edition, f"in force from {since}" if since else "") if part)

    def duty(self, obligation: Obligation) -> Duty | None:
        """Returns the form of the duty that governs an obligation."""
        entry = self.entries[obligation.rule]
        for edition in entry.editions:
            if edition.since == obligation.since:
                form = edition.readings.get(obligation.reading) or next(iter(edition.readings.values()), None)
                return form if isinstance(form, Duty) else None
        return None

    def reads(self, thing: str) -> frozenset[str]:
        """Returns the ids of the other things that working this thing out has read: a row on none of them changes it not.

        Edge: the days on which the town's offices were closed move the clocks of all things, and are not noted for each.
        """
        return frozenset(self._basis_of(thing).things) - {thing}

    def next_change(self, thing: str) -> datetime | None:
        """Returns the next instant at or after which this thing's answers may differ without a new row, or None.

        Edge: before that instant they are the same, but for the days that something has been in breach.
        """
        return self._basis_of(thing).until

    # ---------------------------------------------------------------- what its parts ask of it

    def thing(self, thing: str) -> Thing:
        """Returns a thing with its type.

        Raises:
            KeyError: when the record has no such thing.
        """
        found = self._things.get(thing)
        if found is None:
            kind = self.records.type_of(thing)
            if kind is None:
                raise KeyError(f"no thing {thing!r} in the record")
            found = self._things[thing] = Thing(thing, kind)
        return found

    def history(self, thing: Thing) -> History:
        """Returns the history of a thing, and notes that it was read."""
        found = self._histories.get(thing.id)
        if found is None:
            found = self._histories[thing.id] = History(
                self.plain, thing
            )  # kept before it is read, so that a ring ends
            with self.plain.resting_on(found.basis):
                found.read()
        basis, its = self._basis, found.basis
        basis.things.add(thing.id)
        if its.things or its.until is not None:  # seldom; this is asked more often than anything else
            basis.take(its)
        return found

    @contextmanager
    def resting_on(self, basis: Basis) -> Iterator[None]:
        """Notes what is read inside as what that rests on, and then as what is around it rests on too."""
        around, self._basis = self._basis, basis
        try:
            yield
        finally:
            self._basis = around
            around.take(basis)

    def standing(self, thing: Thing, roots: Mapping[str, object] | None = None) -> View:
        """Returns the view of things as they now stand, about a thing."""
        if roots:
            return View(self, thing, roots, day=self.today, moment=self.as_of)
        found = self._standing.get(thing.id)
        if found is None:
            found = self._standing[thing.id] = View(self, thing, {}, day=self.today, moment=self.as_of)
        return found

    def fact(self, thing: Thing, name: str, view: View) -> Value | Unknown:
        """Returns a fact of a thing as a view sees it: recorded, derived, or a list of the things that point here."""
        kind = self.vocabulary.things.get(thing.type)
        if kind is None:
            return unknown([Want("fact", f"{thing.type}.{name}", thing=thing.id)])
        has = kind.has.get(name)
        if has is not None:
            self._basis.things.add(thing.id)
            pointing = sorted(self.records.pointing_at(thing.id, has.many, has.by))
            found = (Thing(one, has.many) for one in pointing)
            return tuple(one for one in found if self.fact(one, has.by, view) == thing)
        life = self.law.lives.get((thing.type, name))
        if life is not None:
            stand = status_of(self, thing, life, view)
            if self._is_state(life, name):
                if view.trace is not None and isinstance(stand.state, str):
                    view.trace.append(f"{thing.type}.{name} stands at {stand.state}, by {', '.join(life.cites)}")
                return stand.state
            value = stand.date(name)
            return value if value is not None else unknown([Want("fact", f"{thing.type}.{name}", thing=thing.id)])
        if f"{thing.type}.{name}" in self.law.answers:
            return answer(self, f"{thing.type}.{name}", thing, view.of(thing), view.trace)
        return self._recorded(thing, name, view)

    def _is_state(self, life: Entry, name: str) -> bool:
        return any(getattr(form, "fact", "") == name for edition in life.editions for form in edition.readings.values())

    def _recorded(self, thing: Thing, name: str, view: View) -> Value | Unknown:
        day, history = view.day, self.history(thing)
        line = history.facts.get(name)
        if line is not None:
            index = line.at(day)
            if index >= 0 and view.trace is not None:
                self.heard.rows[line.rows[index]] = None
            if index >= 0 and line.values[index] is not None:
                return line.values[index]
        key = (thing.id, name)
        missing = self._missing.get(key)
        if missing is None:
            fact = self.vocabulary.things[thing.type].facts.get(name)
            judge = fact.judged_by if fact is not None else ""
            asked = Want("decision" if judge else "fact", f"{thing.type}.{name}", thing=thing.id, who=judge)
            missing = self._missing[key] = Unknown((asked,))
        heard = history.wants_of(name, day) if history.unheld and missing.wants[0].who else ()
        return Unknown((*missing.wants, *heard)) if heard else missing

    def decided(self, target: str, thing: Thing | None, view: View) -> Value | None:
        """Returns what a person decided where the text leaves a value open, or None."""
        if thing is None:
            return None
        line = self.history(thing).facts.get(target.rpartition(".")[2])
        index = line.at(view.day) if line is not None else -1
        if line is not None and index >= 0:
            self.heard.rows[line.rows[index]] = None
        return line.values[index] if line is not None and index >= 0 else None

    def judge_of(self, type: str, fact: str) -> str:
        """Returns to whom the law leaves a fact of a type of thing, or where the text leaves it open; "" for nobody."""
        known = self.vocabulary.things[type].facts.get(fact) if type in self.vocabulary.things else None
        return known.judged_by if known is not None and known.judged_by else self.law.judges.get(f"{type}.{fact}", "")

    def doubt_wants(self, doubt: str, thing: Thing | None) -> tuple[Want, ...]:
        """Returns what is wanting to tell how a doubt is read: that it is settled, and by whom it has not been."""
        asked = Want("doubt", doubt, thing=thing.id if thing else "", who=self.doubts[doubt].settle_by)
        heard = [one for one in (thing, self._town) if one is not None]
        return asked, *dict.fromkeys(want for one in heard for want in self.history(one).wants_of(doubt, self.today))

    def ask(self, name: str, view: View) -> Value | Unknown:
        """Returns the book's answer to what a program asks."""
        return answer(self, name, None, view)

    def meets(self, standard: str, view: View) -> bool | Unknown:
        """Tells whether the event or thing of a view meets a standard."""
        return meets(self, standard, view)

    def things_on(self, pattern: Pattern, thing: Thing, view: View) -> Sequence[Thing] | Unknown:
        """Returns the things whose events a pattern takes."""
        if pattern.on is None:
            return (thing,)
        found: Any = tell(pattern.on, view)
        if isinstance(found, Unknown):
            return found
        return (found,) if isinstance(found, Thing) else tuple(found)

    def dated(self, thing: Thing, event: Event) -> Moment | Unknown | None:
        """Returns the day that a rule makes an event bear, what is wanting to tell it, or None where none says."""
        for entry in self.law.dates_on.get(event.name, ()):
            if not self.is_in_force(entry, event.day):
                continue
            form = self.form(entry, thing, event.day)
            condition = getattr(form, "dated", None)
            if condition is not None:
                value = tell(condition, View(self, thing, {"event": event}, day=event.day, moment=event.moment))
                if isinstance(value, (date, Unknown)):
                    return value
        return None

    def void_finding(self, thing: Thing, event: Event, *, is_alone: bool) -> Finding | None:
        """Returns the finding by which an event does not count, or None where it counts.

        Args:
            thing: whose event it is.
            event: the event.
            is_alone: no other event is judged together with it, so that what is found stands.
        """
        for entry in self.law.voids_on.get(event.name, ()):
            if self.is_in_force(entry, event.day):
                finding = judge_act(self, entry, thing, event, has_steps=False)
                if is_alone:
                    self.verdicts[entry.id, thing.id, event] = finding
                if finding is not None and finding.is_void:
                    return finding
        return None

    def is_in_force(self, entry: Entry, day: date) -> bool:
        """Tells whether an entry is in force on a day, and no child's entry stands in its place."""
        return self.law.is_in_force(entry, day)

    def _in_force(self, table: Mapping[str, Sequence[Entry]], event: Event) -> list[Entry]:
        return [one for one in table.get(event.name, ()) if self.is_in_force(one, event.day)]

    def form(self, entry: Entry, thing: Thing | None, day: date) -> Form | None:
        """Returns the form of an entry on a day, in the reading that governs (the first one where none does)."""
        edition = entry.edition_on(day)
        if edition is None or not edition.readings:
            return None
        if not entry.reading_of:
            return edition.readings.get("")
        name = self.reading(entry, thing, day)
        return edition.readings.get(name or "") or next(iter(edition.readings.values()))

    # ---------------------------------------------------------------- doubts and how they are settled (10)

    def decisions(self, doubt: str, thing: Thing | None) -> list[Decision]:
        """Returns the decisions on a doubt for a thing and for the town, in order of their days."""
        own = self.history(thing).decisions if thing is not None else []
        is_beside = self._town is not None and (thing is None or thing.id != self._town.id)
        towns = self.history(self._town).decisions if is_beside and self._town is not None else []
        known = self.doubts.get(doubt)
        if not (own or towns) or known is None:
            return []
        found = [one for one in (*own, *towns) if one.doubt == doubt and one.reading in known.choices]
        return sorted(found, key=lambda one: one.key)

    def reading_at(self, doubt: str, thing: Thing | None, day: date) -> str | None:
        """Returns the reading that governs on a day: decided for the thing, else for the town, else applied by the book."""
        decided = [one for one in self.decisions(doubt, thing) if one.day <= day]
        if decided:
            own = {one.event for one in self.history(thing).decisions} if thing is not None else set()
            narrow = [one for one in decided if one.event in own]
            return (narrow or decided)[-1].reading
        known = self.doubts.get(doubt)
        return known.applied or None if known is not None else None

    def reading(self, entry: Entry, thing: Thing | None, day: date) -> str | None:
        """Returns the reading of an entry on a day ("" where it has one only), or None where nobody has settled it.

        Edge: what nobody had settled on its day is still open, so that a later decision reaches it.
        """
        if not entry.reading_of:
            return ""
        found = self.reading_at(entry.reading_of, thing, day)
        return found if found is not None else self.reading_at(entry.reading_of, thing, self.today)

    def unsaid_doubt(self, entry: Entry) -> str:
        """Returns the doubt about which days an entry means, or "" where it says so, or where the other view is asked."""
        if self.is_other_days or entry.id not in self.law.unsaid:
            return ""
        return self.library.books[entry.book].unsaid_doubt

    def unsaid(self, entry: Entry, thing: Thing | None, day: date) -> str:
        """Returns how an entry's unsaid days are read on a day: calendar or business."""
        book = self.library.books[entry.book]
        if not book.unsaid_doubt or entry.id not in self.law.unsaid:
            return "calendar"
        decided = self.reading_at(book.unsaid_doubt, thing, day)
        read = decided if decided in ("calendar", "business") else book.unsaid_read
        if self.is_other_days:
            return "business" if read == "calendar" else "calendar"
        return read

    def said(self, span: Span, entry: Entry, thing: Thing | None, day: date) -> Span:
        """Returns a span of an entry with its unsaid days read as they are on a day."""
        return span.read_as("business" if span.unsaid and self.unsaid(entry, thing, day) == "business" else "calendar")

    def with_other_days(self) -> World:
        """Returns this world with unsaid days read the other way."""
        other = object.__new__(World)
        other.__dict__.update(self.__dict__)
        other.is_other_days = True
        other.verdicts, other._standing = {}, {}
        return other

    # ---------------------------------------------------------------- small things

    def say(self, moment: Moment) -> str:
        """Returns a moment in local words."""
        return say(moment, self.zone)

    def changes_at(self, moment: datetime) -> None:
        """Notes an instant after which the answer about the thing at hand may be another."""
        if moment >= self.as_of:
            self._basis.changes_at(moment)

    def _basis_of(self, thing: str) -> Basis:
        return self._bases.get(thing) or Basis()

    @contextmanager
    def _working_out(self, thing: str) -> Iterator[Thing]:
        """Notes what is read inside as what the answers about a thing rest on; and the next day on which the law changes."""
        subject = self.thing(thing)
        self._standing = {}
        if self._at_hand != thing:
            self._at_hand, self.verdicts = thing, {}
        with self.resting_on(self._bases.setdefault(thing, Basis())):
            amended = self.law.next_change(self.today)
            if amended is not None:
                self.changes_at(self._start(amended))
            if self._closing.until is not None:
                self.changes_at(self._closing.until)
            yield subject

    def _start(self, day: date) -> datetime:
        return start_of(day, self.zone)

    def on_day(self, thing: Thing, day: date | None) -> View:
        """Returns the view of a thing as it stands, or as it stood at the end of a day."""
        if day is None or day == self.today:
            return self.standing(thing)
        return View(self, thing, {}, day=day, moment=day, upto=(self._start(day + timedelta(days=1)), -1, 0))

    def _nowhere(self, day: date | None) -> View:
        return self.on_day(Thing("", ""), day)

    def _closures(self) -> frozenset[Closure]:
        """Returns when the town's offices were closed by rows on the town, or will be as said beforehand.

        Edge: one that ends before it begins closes nothing.
        """
        if self._town is None:
            return frozenset()
        found: set[Closure] = set()
        for row in self.history(self._town).of((OFFICES_CLOSED,)):
            first: Any = row.data.get("first") or row.day
            last: Any = row.data.get("until") or first
            found.add((first, last))
        return frozenset((first, last) for first, last in found if first <= last)


def _each_once(steps: Sequence[str]) -> list[str]:
    """Returns steps with each once, together with what is indented below it."""
    blocks: list[tuple[str, ...]] = []
    for step in steps:
        if step.startswith(" ") and blocks:
            blocks[-1] += (step,)
        else:
            blocks.append((step,))
    return [step for block in dict.fromkeys(blocks) for step in block]
