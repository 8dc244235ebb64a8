"""What a paper is made from: one thing of the record with its history, under the law, as of and as known."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, cast
from zoneinfo import ZoneInfo

from sewershed.ledger import canonical, choices, queries, supplements
from sewershed.ledger.errors import NotFound, Refused
from sewershed.ledger.models import Account
from sewershed.ledger.models import Thing as ThingRow
from sewershed.ledger.moments import moment_words
from sewershed.ledger.privacy import Privacy
from sewershed.ledger.records import LogRecords
from sewershed.ledger.wording import capital, label_of, not_held, title
from sewershed.rules.record import Event
from sewershed.rules.types import Thing, Value
from sewershed.rules.unknown import Unknown

WITHOUT_NUMBER = "without a number"  # a supplement that was adopted without one


class Source:
    """One thing of the record and what stands around it, for the paper about it.

    Args:
        about: the id of the thing.
        as_account: who asks for the paper; what the account may not see is not in it.
        as_of: the instant the paper is about; now, if left out.
        known_at: leaves out what was recorded later.
        is_public: the paper goes to the public: private values are left out, whoever asks.

    Raises:
        NotFound: where there is no such thing.
        NotAllowed: for the account.
    """

    def __init__(
        self,
        about: str,
        *,
        as_account: Account,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        is_public: bool = False,
    ) -> None:
        queries.thing(about, as_account=as_account)  # refuses what is not there, and whoever may not see it
        self.world = queries.world(as_account=as_account, as_of=as_of, known_at=known_at)
        self.as_account = as_account
        self.is_public = is_public
        self.cautions: dict[str, str] = {}  # by what was read: that a book gives it from memory; one for all of a paper
        self._privacy = Privacy(as_account, self.world.vocabulary)
        if self.world.records.type_of(about) is None:
            raise NotFound(f"there is no thing {about!r} in the record")
        self.thing = self.world.thing(about)

    # ---------------------------------------------------------------- the thing and others

    @property
    def zone(self) -> ZoneInfo:
        """Returns the zone of the town."""
        return self.world.zone

    @property
    def town(self) -> str:
        """Returns the id of the town itself."""
        town = self.world.records.town()
        if town is None:
            raise Refused("the record has no thing of type town; run `sewershed doctor`")
        return town

    def at(self, other: str) -> Source:
        """Returns the same about another thing."""
        found = object.__new__(Source)
        found.__dict__.update(self.__dict__)
        found.thing = self.world.thing(other)
        return found

    def all(self, type: str) -> list[Source]:
        """Returns the things of a type that were there as known, in the order in which they began."""
        records = self.world.records
        assert isinstance(records, LogRecords)  # as `queries.world` makes it
        found = [self.at(one) for one in records.of_type(type)]
        return [one for one in found if not one.is_joined and one.is_there]

    @property
    def is_joined(self) -> bool:
        """Tells whether the thing turned out to be another one."""
        return bool(self.events("joined"))

    @property
    def is_there(self) -> bool:
        """Tells whether anything is known of the thing as known."""
        history = self.world.history(self.thing)
        return bool(history.facts or history.events)

    @property
    def label(self) -> str:
        """Returns the name of the thing as it is shown."""
        return self._row.label

    @property
    def number(self) -> str:
        """Returns the number of the thing, or an empty text where it has none yet."""
        return self._row.number

    @property
    def _row(self) -> ThingRow:
        return ThingRow.objects.get(id=self.thing.id)

    # ---------------------------------------------------------------- facts and events

    def fact(self, name: str) -> Any:
        """Returns a fact, recorded or derived, or None where it is not known or not for this paper."""
        kind = self.world.vocabulary.things[self.thing.type]
        known = kind.facts.get(name)
        is_left_out = self.is_public and known is not None and known.private
        if is_left_out or self._privacy.hides(self.thing.type, name):
            return None
        found = _known(self.world.fact(self.thing, name, self.world.standing(self.thing)))
        if known is not None and known.derived:
            self._note(label_of(known), f"{self.thing.type}.{name}", found)
        return found

    def _note(self, label: str, target: str, found: Value) -> None:
        """Notes of a value that a book gives from memory that it was read."""
        if found is not None and (caution := self.world.law.caution_of(target)):
            self.cautions[target] = f"{label}: {caution}"

    def ask(self, name: str) -> Any:
        """Returns what the books answer to an ask, or None where they do not."""
        if name not in self.world.vocabulary.asks:
            return None
        found = _known(self.world.answer(name))
        self._note(title(name), name, found)
        return found

    def published(self, name: str) -> Any:
        """Returns a private fact that may stand in every paper because the thing says that it is published."""
        if not self.fact("is_published"):
            return self.fact(name)
        return _known(self.world.fact(self.thing, name, self.world.standing(self.thing)))

    def ref(self, name: str) -> Source | None:
        """Returns the thing that a fact points at, or None."""
        found = self.fact(name)
        return self.at(found.id) if isinstance(found, Thing) else None

    def events(self, *names: str) -> Sequence[Event]:
        """Returns the events of the named types that count, in order."""
        return self.world.history(self.thing).of(names)

    def first(self, *names: str, when: Callable[[Event], bool] = lambda _: True) -> Event | None:
        """Returns the first event of the named types that fits, or None."""
        return next((one for one in self.events(*names) if when(one)), None)

    def last(self, *names: str, when: Callable[[Event], bool] = lambda _: True) -> Event | None:
        """Returns the last event of the named types that fits, or None."""
        return next((one for one in reversed(self.events(*names)) if when(one)), None)

    def datum(self, event: Event | None, name: str) -> Any:
        """Returns what an event says, or None where it does not, or not for this paper."""
        if event is None:
            return None
        known = self.world.vocabulary.events[event.name].data.get(name)
        is_left_out = self.is_public and known is not None and known.private
        if is_left_out or self._privacy.hides_datum(event.name, name):
            return None
        return event.data.get(name)

    def last_said(self, names: Sequence[str], datum: str) -> Any:
        """Returns what the latest event that says something of it says, or None."""
        found = self.last(*names, when=lambda event: event.data.get(datum) is not None)
        return self.datum(found, datum)

    # ---------------------------------------------------------------- people and offices

    def office(self, event: Event | None) -> str | None:
        """Returns in which office somebody did something, as the town calls it; without one, by whom, or None."""
        if event is None:
            return None
        return self.title(event.office) if event.office else self.person(event.by)

    def who(self, event: Event | None) -> str | None:
        """Returns who did something: the name, where the paper may have it, and the office."""
        if event is None:
            return None
        said = dict.fromkeys(filter(None, (self.person(event.by), self.title(event.office) if event.office else None)))
        return ", ".join(said) or None

    def not_held(self, event: Event | None) -> str:
        """Returns why something does not count as done in the office that it names, or nothing where it does."""
        if event is None or event.said_office == event.office:
            return ""
        office, day = event.said_office, moment_words(event.day, self.zone)
        return not_held(self.person(event.by) or event.by, office, self.title(office), day)

    def title(self, office: str) -> str:
        """Returns how the town calls an office; one that a thing itself names is said by its own word."""
        title = self.world.book.roles.get(office, "")
        return title if title and "." not in title else office.replace("_", " ")

    def person(self, person: str) -> str | None:
        """Returns the name of a person, or None where it is not known or not for this paper."""
        if not person or self.world.records.type_of(person) is None:
            return None
        return cast("str | None", self.at(person).fact("name"))

    # ---------------------------------------------------------------- words of the place

    def words(self, paper: str) -> Mapping[str, Any]:
        """Returns what the books say of a paper, read from the file that `form` returns."""
        return tomllib.loads(self.form(paper))

    def form(self, paper: str) -> str:
        """Returns the file that gives the words of a paper: of the books of the town's line the nearest that has one.

        Refuses: a paper of which no book of the line has the words.
        """
        text = choices.form_of(self.world.library, self.world.book.id, paper)
        if text:
            return text
        raise Refused(
            f'no rulebook of this town has the words of its {paper.replace("_", " ")}: lay a file with paper = "{paper}" '
            "into the folder forms of the town's rulebook, and adopt it"
        )

    @property
    def supplement(self) -> tuple[str, str]:
        """Returns number and hash of the supplement that was adopted as known."""
        known = canonical.instant_text(self.world.known_at.astimezone(UTC)) if self.world.known_at else ""
        digest = supplements.adopted(known)
        for row, one in supplements.adoptions():
            if one == digest:
                return str(canonical.read(row.data).get("number", "")) or WITHOUT_NUMBER, digest
        return WITHOUT_NUMBER, digest

    @property
    def day(self) -> date:
        """Returns the day asked about, in the town."""
        return self.world.today


def _known(value: Value | Unknown) -> Any:
    return None if isinstance(value, Unknown) else value


def sentence(text: object) -> str | None:
    """Returns a text of the record as a sentence.

    Example:
        >>> sentence("roots in the main"), sentence(None)
        ('Roots in the main.', None)
    """
    if not text:
        return None
    said = str(text).strip()
    return f"{capital(said)}{'' if said.endswith(('.', '!', '?')) else '.'}"


def texts(value: object) -> tuple[str, ...]:
    """Returns a list of texts from the record, or none."""
    return tuple(str(one) for one in value) if isinstance(value, tuple | list) else ()
