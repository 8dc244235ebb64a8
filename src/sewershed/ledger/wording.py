"""The record in the words of whoever reads it: offices and clauses, what is missing, values with their units.

The desk and the command say the same of the same answer. Names of the vocabulary become words here; how a page or a
terminal lays them out is theirs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any
from zoneinfo import ZoneInfo

from sewershed.ledger import canonical, clock, law, people, privacy
from sewershed.ledger import log as logbook
from sewershed.ledger.models import Thing as ThingRow
from sewershed.ledger.moments import day_words, moment_words
from sewershed.ledger.projections import moment_of
from sewershed.programs import letters
from sewershed.rules.entries import Entry
from sewershed.rules.history import DECIDED
from sewershed.rules.law import Law
from sewershed.rules.moments import say
from sewershed.rules.record import Moment
from sewershed.rules.types import Type
from sewershed.rules.unknown import Want
from sewershed.rules.vocabulary import EventType, Fact, ThingType, Vocabulary

NOT_KNOWN = "Not known"
OUTCOMES = {"MET": "Met", "NOT_MET": "Not met", "CANNOT_TELL": "Cannot tell", "NOT_REGULATED": "Not regulated"}
_OPEN_TEXT = {
    "gap": "the text leaves a gap",
    "silence": "the text sets nothing",
    "no_figure": "the table has no figure",
}
_COUNTED = frozenset(
    ("day", "gallon", "hour", "minute", "month", "standard unit", "week", "year")
)  # units that are whole words
_SIGNS = {"gallon": "_gal", "gallon/minute": "_gpm"}  # with which a name ends that says its unit
_PREDICATES = ("is_", "has_", "was_", "may_")
_ENDS = {"date": ("_on",), "instant": ("_at",), "moment": ("_at", "_on")}


def plain(name: str) -> str:
    """Returns a name of the vocabulary as words.

    Example:
        >>> plain("spill_confirmed"), plain("orc_visited")
        ('spill confirmed', 'ORC visited')
    """
    return " ".join(one.upper() if one in letters() else one for one in name.split("_"))


def capital(text: str) -> str:
    """Returns a text with its first letter large, as it stands alone on a line."""
    return text[:1].upper() + text[1:]


def small(text: str) -> str:
    """Returns a text with its first letter small, as it stands within a sentence."""
    return text[:1].lower() + text[1:]


def title(name: str) -> str:
    """Returns a name of the vocabulary as words that begin a line.

    Example:
        >>> title("spill_confirmed"), title("")
        ('Spill confirmed', '')
    """
    said = plain(name)
    return said[:1].upper() + said[1:]


def unit_words(unit: str, of: str = "") -> str:
    """Returns a unit as it is read after a number: whole words in the plural, but after 1; signs as they are.

    Example:
        >>> unit_words("gallon", "1000"), unit_words("gallon", "1"), unit_words("gallon/minute"), unit_words("mg/L")
        ('gallons', 'gallon', 'gallons per minute', 'mg/L')
    """
    counted, slash, by = plain(unit).partition("/")
    one = counted.removesuffix("s")
    if one not in _COUNTED:
        return plain(unit)
    return (one if of == "1" else f"{one}s") + (f" per {by}" if slash else "")


def label_of(fact: Fact) -> str:
    """Returns what a field is called: its label, or its name without what its type and unit say already.

    Example:
        >>> label_of(Fact("is_running", Type("bool"))), label_of(Fact("ground_gal", Type("number", unit="gal")))
        ('Running', 'Ground')
    """
    if fact.label:
        return fact.label
    name = fact.name
    if fact.type.kind == "bool":
        name = next((name.removeprefix(one) for one in _PREDICATES if name.startswith(one)), name)
    unit = fact.type.unit
    for end in _ENDS.get(fact.type.kind, (f"_{unit}", _SIGNS.get(unit, "")) if unit else ()):
        name = name.removesuffix(end)
    return title(name)


def not_held(who: str, office: str, called: str, day: str, *, has_remedy: bool = False) -> str:
    """Returns why something does not count as done in an office.

    Args:
        who: the person who did it; empty where nobody is named.
        office: the office, as a word of the books.
        called: how the town calls it.
        day: when it was done, in words.
        has_remedy: says what to do, too.

    Example:
        >>> not_held("Crew leader", "orc", "operator in responsible charge", "Fri Mar 8")
        'Crew leader did not hold orc (operator in responsible charge) on Fri Mar 8'
        >>> not_held("", "town_manager", "Town manager", "Fri Mar 8", has_remedy=True)
        'nobody is named who did it as town_manager; correct the row to name whoever held it then'
    """
    shown = office if called.lower() == plain(office).lower() else f"{office} ({called})"
    if not who:
        remedy = "; correct the row to name whoever held it then" if has_remedy else ""
        return f"nobody is named who did it as {shown}{remedy}"
    remedy = "; whoever held it may decide, or record office_held" if has_remedy else ""
    return f"{who} did not hold {shown} on {day}{remedy}"


def short_of(event: str, office: str, want: Want) -> str:
    """Returns what of a row does not count for want of an office.

    Args:
        event: which event the row says.
        office: the office that it names.
        want: of the office.

    Example:
        >>> short_of("state_told", "orc", Want("office", "orc")), short_of("decided", "", Want("office", "orc"))
        ('not as done in that office', 'it decides nothing')
    """
    if event == DECIDED:
        return "it decides nothing"
    return "not as done in that office" if want.what == office else "what it judges does not count"


def many(kind: ThingType) -> str:
    """Returns what several things of a type are called."""
    return title(kind.plural or f"{kind.name}s")


def event_title(kind: EventType | None, name: str) -> str:
    """Returns what an event is called at the head of a line."""
    return title(kind.name if kind else name)


@dataclass(frozen=True, slots=True)
class Words:
    """What the lines of one page share: the zone, the law's words for offices and clauses, the names of things."""

    zone: ZoneInfo
    now: datetime
    law: Law
    roles: Mapping[str, str]
    vocabulary: Vocabulary
    names: Mapping[str, str]  # of things, by id

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Returns the entries that the town lives under, by id."""
        return self.law.entries

    @property
    def today(self) -> date:
        """Returns the day in the town."""
        return self.now.astimezone(self.zone).date()

    def moment(self, moment: Moment) -> str:
        """Returns a moment in words; the year is left out where it is this one."""
        return moment_words(moment, self.zone, self.today)

    def office(self, office: str) -> str:
        """Returns how the town calls an office; one that a thing itself names is said by its own word."""
        said = self.roles.get(office, "")
        return said[:1].upper() + said[1:] if said and "." not in said else title(office)

    def cites(self, rules: Iterable[str]) -> str:
        """Returns the first clause of each rule, each once."""
        return "; ".join(dict.fromkeys(self.entries[rule].cites[0] for rule in rules if self.entries[rule].cites))

    def name(self, thing: str) -> str:
        """Returns what a thing is called."""
        return self.names.get(thing, thing)

    def whose(self, office: str, persons: Sequence[str]) -> str:
        """Returns whose something is: the persons, or the office where nobody was found or many were."""
        if len(persons) in (1, 2):
            return ", ".join(self.name(one) for one in persons)
        return self.office(office)

    def want(self, want: Want) -> str:
        """Returns what is wanting, in the words of the vocabulary."""
        owner, dot, name = want.what.rpartition(".")
        fact = self.fact(owner, name) if dot else None
        match want.kind:
            case "fact" if fact is not None:
                said = fact.means or label_of(fact)
                return said[:1].lower() + said[1:]
            case "event" if want.what in self.vocabulary.events:
                return f"nothing recorded as {plain(want.what)}"
            case "time_of_day":
                day = f" on {self.moment(want.day)}" if want.day is not None else ""
                return f"the time of day of {plain(want.what)}{day}"
            case "office":
                day = self.moment(want.day) if want.day is not None else ""
                return not_held(self.name(want.who), want.what, self.office(want.what), day, has_remedy=True)
            case "decision":
                said = (fact.means or label_of(fact)).rstrip(".") if fact is not None else plain(want.what)
                return f"{said[:1].lower() + said[1:]}, which the {self.office(want.who)} decides"
            case "doubt":
                return f"how the text is read, which the {self.office(want.who)} settles"
            case "gap" | "silence" | "no_figure":
                by = f"; the {self.office(want.who)} decides" if want.who else ""
                what = (fact.means or label_of(fact)) if fact is not None else plain(want.what)
                return f"{what[:1].lower() + what[1:]}: {_OPEN_TEXT[want.kind]}{by}"
        return str(want)

    def fact(self, owner: str, name: str) -> Fact | None:
        """Returns a field by the thing or event that has it, or None."""
        if thing := self.vocabulary.things.get(owner):
            return thing.facts.get(name)
        event = self.vocabulary.events.get(owner)
        return event.data.get(name) if event else None

    def word(self, word: str) -> str:
        """Returns a word of the vocabulary, or of ours that stands for a value, as it is read."""
        return title(word)

    def datum(self, name: str, value: Any, kind: Type | None) -> str:
        """Returns a value of a field in words; one called `office` by the town's word for it."""
        if name == "office" and value and value != privacy.Privacy.word:
            return self.office(str(value))
        return self.value(value, kind)

    def value(self, value: Any, kind: Type | None) -> str:
        """Returns a value, in the form of the log, in words with its unit.

        Edge: what the reader may not see stands as the word that says so, whatever its type.
        """
        if value is None:
            return self.word("not known")
        if value == privacy.Privacy.word:
            return str(value)
        match kind.kind if kind else "":
            case "bool":
                return self.word("yes" if value is True or value == "true" else "no")
            case "choice":
                return self.word(str(value))
            case "number":
                assert kind is not None
                return " ".join(filter(None, (_figures(value), unit_words(kind.unit, str(value)))))
            case "money":
                return f"${_figures(value)}"
            case "date":
                return day_words(date.fromisoformat(value), self.today)
            case "instant" | "moment":
                moment = moment_of(str(value))
                return self.moment(moment) if moment is not None else str(value)
            case "ref":
                return self.name(str(value))
            case "file":
                return f"file {str(value)[:12]}"
            case "list":
                assert kind is not None
                return self._items(value if isinstance(value, list) else canonical.read(value), kind)
            case "geometry":
                return _place(value if isinstance(value, Mapping) else canonical.read(value))
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    def _items(self, items: Sequence[Any], kind: Type) -> str:
        item = kind.item
        if item is None or not items:
            return "None"
        if item.kind == "record":
            fields = dict(item.fields)
            return "; ".join(", ".join(f"{plain(name)} {self.value(one, fields.get(name))}" for name, one in row.items()) for row in items)  # fmt: skip
        if item.kind == "file":
            return f"{len(items)} file{'' if len(items) == 1 else 's'}"
        return ", ".join(self.value(one, item) for one in items)

    def said(self, moment: Moment | None) -> str:
        """Returns a moment as data has it, or nothing."""
        return "" if moment is None else say(moment, self.zone)


def words_of(things: Iterable[str] = (), now: datetime | None = None, *, running: law.Law | None = None) -> Words:
    """Returns what is needed to say lines about things.

    Args:
        things: whose names are wanted, persons among them.
        now: the instant from which days are counted; now, if left out.
        running: the law; the one in force, if left out.
    """
    running = running or law.in_force()
    return Words(
        clock.current_town().zone,
        now or clock.now(),
        running.ground,
        running.book.roles,
        running.vocabulary,
        names_of(things, running),
    )


def names_of(things: Iterable[str], running: law.Law | None = None) -> dict[str, str]:
    """Returns what things are called, by id, for whoever reads (`privacy.read_by`); one that is not in the record is left out."""
    wanted = list(dict.fromkeys(one for one in things if one))
    account, found = privacy.reader(), {}
    hidden = (
        privacy.Privacy(account, (running or law.in_force()).vocabulary) if account is not None and wanted else None
    )
    for chunk in logbook.chunks(wanted):
        for one in ThingRow.objects.filter(id__in=chunk).only("id", "type", "label"):
            found[one.id] = hidden.label(one.type, one.label) if hidden is not None else one.label
    return found


def refs_in_row(data: Mapping[str, Any], known: Mapping[str, Fact]) -> Iterable[str]:
    """Yields the ids of the things that a row points at, so that they can be named."""
    for name, value in data.items():
        fact = known.get(name)
        if fact is not None and fact.type.kind == "ref" and isinstance(value, str):
            yield value
        elif fact is not None and fact.type.item is not None and fact.type.item.kind == "ref":
            yield from (one for one in value or () if isinstance(one, str))


def offices_of(person: str, day: date) -> tuple[str, ...]:
    """Returns the offices that a person holds on a day, in the order of their names."""
    return tuple(sorted(people.offices(person, day)))


def _figures(value: Any) -> str:
    """Returns a number with commas between the thousands and every figure that was entered.

    Example:
        >>> _figures("1402.50"), _figures("2375"), _figures("0.050")
        ('1,402.50', '2,375', '0.050')
    """
    text = str(value)
    try:
        Decimal(text)
    except InvalidOperation:
        return text
    whole, point, rest = text.partition(".")
    return f"{int(whole):,}{point}{rest}" if whole.lstrip("-").isdigit() and len(whole.lstrip("-")) > 3 else text


def _place(shape: Mapping[str, Any]) -> str:
    """Returns where a shape lies: a point by latitude and longitude, as people give it.

    Example:
        >>> _place({"type": "Point", "coordinates": ["-78.1034", "35.9451"]})
        '35.9451, -78.1034'
    """
    if shape.get("type") == "Point":
        east, north = shape["coordinates"]
        return f"{north}, {east}"
    return f"a {plain(str(shape.get('type', 'shape'))).lower()}"


__all__ = [
    "NOT_KNOWN", "OUTCOMES", "Words", "event_title", "label_of", "many", "names_of", "not_held", "offices_of",
    "plain", "refs_in_row", "short_of", "title", "words_of",
]  # fmt: skip
