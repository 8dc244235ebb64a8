"""What only a town's record can say of an entry: whether what it points at is there, and in which form it goes into the log.

How a value is read, and in which words it is refused, is the engine's to say (`sewershed.rules.entering`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sewershed.ledger import canonical, choices, clock, files
from sewershed.ledger.errors import Refused
from sewershed.ledger.law import Law
from sewershed.ledger.models import Thing as ThingRow
from sewershed.ledger.reading import value_reader
from sewershed.rules.entering import MOST_LISTED, Entering
from sewershed.rules.moments import is_instant
from sewershed.rules.problems import did_you_mean
from sewershed.rules.record import Moment
from sewershed.rules.types import Thing
from sewershed.rules.vocabulary import Fact, OneOf

AT_IS = ("exact", "about", "estimated")
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,79}\Z")
_OFFSET = re.compile(r"(Z|[+-]\d\d:\d\d)\Z")


class Checks(Entering):
    """Reads what is entered into the open town under a law, and notes every problem.

    Args:
        law: the law.
        thing: the thing that it is about, where it is there already: an entry may point to an event of it.
    """

    def __init__(self, law: Law, thing: str = "") -> None:
        super().__init__(law.vocabulary, clock.current_town().zone, clock.now())
        self.law = law
        self.thing = thing

    def _come(self, what: str, moment: Moment) -> None:
        """Notes what has not come yet, by the clock of this very instant: reading the books may have taken seconds."""
        self.now = clock.now()
        super()._come(what, moment)

    def written(
        self, owner: str, known: Mapping[str, Fact], said: Mapping[str, Any], before: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Returns what was said in the form of the log; each field that cannot be taken is noted.

        Args:
            owner: the thing or event that has the fields.
            known: the fields.
            said: as entered.
            before: what a row says that this corrects, in the form of the log.
        """
        before = before or {}
        read = self.data(owner, known, said, before)
        stood = {name: value_reader(known[name].type)(one) for name, one in before.items() if name in known and one}
        self.in_order(owner, known, {**stood, **read})
        written: dict[str, Any] = canonical.plain(read)
        return written

    def chosen(self, what: str, one_of: OneOf, value: str, said: Mapping[str, Any]) -> str:
        """Returns a word that is one of those which the record or the books hold; an event also goes by its number."""
        owner, _, field = what.rpartition(".")
        if one_of.source == "event":
            return self._event(what, one_of.name, value)
        known = choices.words(self.law, owner, field, one_of, str(said.get(one_of.by) or ""))
        if known is not None and value not in known:
            near = did_you_mean(value, known)
            shown = [*known][:MOST_LISTED]
            rest = f" … ({len(known)} in all)" if len(known) > len(shown) else ""
            of = f" about {said[one_of.by]}" if said.get(one_of.by) else ""
            listed = f"write one of {', '.join(shown)}{rest}" if known else f"nothing is asked{of}"
            self.problems.append(f"{what} is {value!r}: {listed}{near}")
        return value

    def _event(self, what: str, name: str, value: str) -> str:
        """Returns the id of the first row of an event, by its number or any id of its rows."""
        there = choices.events(self.thing, name) if self.thing else {}
        for root, chain in there.items():
            if value == choices.number_of(chain) or value in (row.id for row in chain.rows):
                return root
        known = [choices.event_words(self.law, chain) for chain in there.values()]
        says = f"write one of {'; '.join(known)}" if known else f"nothing is recorded here as {name.replace('_', ' ')}"
        self.problems.append(f"{what} is {value!r}: {says}")
        return value

    def person(self, what: str, person: str) -> None:
        """Notes a person who is not in the record."""
        if person:
            self.refs.append((what, Thing(person, "person")))

    def how_exact(self, at_is: str, at_how: str) -> None:
        """Notes a word for how exact a time is that there is not, and a guess that does not say how it was made."""
        if at_is not in AT_IS:
            self.problems.append(f"{at_is!r} does not say how exact the time is; write one of {', '.join(AT_IS)}")
        if at_is == "estimated" and not at_how.strip():
            self.problems.append("an estimated time needs at_how: how it was estimated")

    def refuse(self) -> None:
        """Refuses when there is a problem, with all of them.

        Raises:
            Refused: with every reason.
        """
        wanted = {thing.id for _, thing in self.refs}
        there = dict(ThingRow.objects.filter(id__in=wanted, is_gone=False).values_list("id", "type")) if wanted else {}
        for what, thing in self.refs:
            if thing.id not in there:
                self.problems.append(f"{what}: there is no {thing.type} {thing.id}")
            elif there[thing.id] != thing.type:
                self.problems.append(f"{what}: {thing.id} is a {there[thing.id]}, not a {thing.type}")
        for what, digest in self.files:
            if not files.path_of(digest).is_file():
                self.problems.append(f"{what} is {digest[:12]}…: this file has not been attached: attach it first")
        if self.problems:
            raise Refused(dict.fromkeys(self.problems))


def when_columns(moment: Moment | None, said: str | Moment | None) -> dict[str, str]:
    """Returns when it was, as the columns `at`, `day` and `utc_offset` of a row.

    Args:
        moment: as read.
        said: as entered: an offset that was written stays as it was.
    """
    if moment is None or not is_instant(moment):
        return {"at": "", "day": moment.isoformat() if moment is not None else "", "utc_offset": ""}
    found = _OFFSET.search(said) if isinstance(said, str) else None
    offset = found[1] if found else moment.astimezone(clock.current_town().zone).isoformat()[-6:]
    return {"at": canonical.instant_text(moment), "day": "", "utc_offset": offset}


def reason(why: str, what: str) -> str:
    """Returns a reason, which must say something.

    Raises:
        Refused: where it is empty.
    """
    if not why.strip():
        raise Refused(f"{what} needs a reason: say why, for whoever reads the record later")
    return why.strip()
