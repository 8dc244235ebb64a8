"""What somebody enters becomes a row, or is refused with every reason at once.

Values come as a form, a file or the command gives them: texts, true and false, lists. Each is read by the type that the
vocabulary gives, and written into the log in its one form, a number with the digits that were entered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from sewershed.ledger import canonical, files
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Thing as ThingRow
from sewershed.rules.moments import MomentError, is_instant, read_day, read_moment
from sewershed.rules.problems import did_you_mean
from sewershed.rules.record import Moment
from sewershed.rules.types import Thing, Type
from sewershed.rules.vocabulary import EventType, Fact, ThingType, Vocabulary

AT_IS = ("exact", "about", "estimated")
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,79}\Z")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)\Z")
_YES = {"true": True, "yes": True, "false": False, "no": False}
_SHAPES = {"Point": 0, "LineString": 1, "Polygon": 2, "MultiLineString": 2, "MultiPolygon": 3}
_PLACES = 7  # of a coordinate: about a centimeter


@dataclass(frozen=True, slots=True)
class When:
    """When it was, as entered: the columns `at`, `day` and `utc_offset` of a row."""

    at: str = ""
    day: str = ""
    utc_offset: str = ""
    moment: Moment | None = None


class Entering:
    """Checks what is entered against a vocabulary and the things there are, noting every problem."""

    def __init__(self, vocabulary: Vocabulary, zone: ZoneInfo) -> None:
        self.vocabulary = vocabulary
        self.zone = zone
        self.problems: list[str] = []
        self._refs: list[tuple[str, Thing]] = []

    # ---------------------------------------------------------------- which kind

    def thing_type(self, name: str) -> ThingType | None:
        """Returns a type of thing that may be entered, or notes why not."""
        kind = self.vocabulary.things.get(name)
        if kind is None:
            self.problems.append(f"unknown thing '{name}'{did_you_mean(name, self.vocabulary.things)}")
        elif kind.retired:
            self.problems.append(f"{name} is no longer entered; its records can still be read")
            return None
        return kind

    def event_type(self, name: str, thing_type: str) -> EventType | None:
        """Returns an event that may be entered on a type of thing, or notes why not."""
        kind = self.vocabulary.events.get(name)
        if kind is None:
            self.problems.append(f"unknown event '{name}'{did_you_mean(name, self.vocabulary.events)}")
            return None
        if kind.retired:
            self.problems.append(f"{name} is no longer entered; its records can still be read")
            return None
        if kind.on and kind.on != thing_type:
            self.problems.append(f"{name} is about a {kind.on}, not a {thing_type}")
            return None
        return kind

    # ---------------------------------------------------------------- when

    def when(
        self, text: str | Moment | None, *, what: str, precision: str = "either", now: datetime, is_plan: bool = False
    ) -> When:
        """Returns when it was.

        Edge: the present instant is not after now; a day that has begun in the town is not either. A plan (facts that will
        hold from a day) may lie ahead.

        Refuses: a time that is no time, a bare day where the time of day is needed, a time where only a day is entered,
        and what is after now. Each is noted as a problem.
        """
        if text is None or text == "":
            return When()
        offset = ""
        try:
            moment: Moment = read_moment(text, self.zone) if isinstance(text, str) else text
        except MomentError as error:
            self.problems.append(str(error))
            return When()
        if not is_instant(moment):
            if precision == "instant":
                self.problems.append(f"{what} needs the time of day")
            if not is_plan and moment > now.astimezone(self.zone).date():
                self.problems.append(f"{what}: {moment.isoformat()} has not come yet; enter it when it has happened")
            return When(day=moment.isoformat(), moment=moment)
        if precision == "day":
            self.problems.append(f"{what} takes only a day, such as {moment.astimezone(self.zone).date().isoformat()}")
        if not is_plan and moment > now:
            said = moment.astimezone(self.zone).isoformat()
            self.problems.append(f"{what}: {said} has not come yet; enter it when it has happened")
        found = re.search(r"(Z|[+-]\d\d:\d\d)\Z", text) if isinstance(text, str) else None
        offset = found[1] if found else moment.astimezone(self.zone).isoformat()[-6:]
        return When(at=canonical.instant_text(moment), utc_offset=offset, moment=moment)

    # ---------------------------------------------------------------- what

    def data(
        self, owner: str, known: Mapping[str, Fact], said: Mapping[str, Any], extra: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Returns what was said in the form of the log; each field that cannot be taken is noted."""
        written: dict[str, Any] = {}
        for name, value in said.items():
            fact = known.get(name)
            if fact is None and name in extra:
                written[name] = sorted(str(item) for item in value)
            elif fact is None:
                self.problems.append(f"{owner} has no '{name}'{did_you_mean(name, known)}")
            elif fact.derived:
                self.problems.append(f"{owner}.{name} follows from the record ({fact.derived}); it is not entered")
            elif fact.retired and value is not None:
                self.problems.append(f"{owner}.{name} is no longer entered; its records can still be read")
            else:
                written[name] = self.value(f"{owner}.{name}", fact.type, value)
        return written

    def value(self, what: str, kind: Type, value: Any) -> Any:
        """Returns a value in the form of the log, or notes what is wrong with it and returns None."""
        if value is None or (isinstance(value, str) and value.strip() == "" and kind.kind != "text"):
            return None
        try:
            return self._value(what, kind, value)
        except MomentError as error:
            self.problems.append(f"{what}: {error}")
        except (ValueError, TypeError) as error:
            self.problems.append(f"{what} is {_shown(value)}: {error}")
        return None

    def _value(self, what: str, kind: Type, value: Any) -> Any:
        match kind.kind:
            case "bool":
                return _bool(value)
            case "number":
                return _number(value)
            case "money":
                return _money(value)
            case "text":
                return _text(value)
            case "choice":
                if value not in kind.words:
                    raise ValueError(f"write one of {', '.join(kind.words)}{did_you_mean(str(value), kind.words)}")
                return value
            case "date":
                return _day(value).isoformat()
            case "instant" | "moment":
                return self._moment(kind, value)
            case "ref":
                id_ = value.id if isinstance(value, Thing) else _text(value)
                self._refs.append((what, Thing(id_, kind.to)))
                return id_
            case "file":
                return _file(value)
            case "list":
                if not isinstance(value, list | tuple):
                    raise TypeError("a list is needed")
                item = kind.item
                assert item is not None
                return [self._item(f"{what}[{n}]", item, one) for n, one in enumerate(value)]
            case "record":
                return self._record(what, kind, value)
            case "geometry":
                return _geometry(value)
            case _:
                raise ValueError(f"nothing of type {kind.kind} is entered")

    def _item(self, what: str, kind: Type, value: Any) -> Any:
        written = self.value(what, kind, value)
        if value is None or value == "":
            self.problems.append(f"{what} is empty: leave it out, or say what it is")
        return written

    def _moment(self, kind: Type, value: Any) -> str:
        moment = read_moment(value, self.zone) if isinstance(value, str) else value
        if not isinstance(moment, date):
            raise TypeError("write a day such as 2024-03-05, or a time such as 2024-03-05T10:00")
        if is_instant(moment):
            return canonical.instant_text(moment)
        if kind.kind == "instant":
            raise ValueError("the time of day is needed")
        return moment.isoformat()

    def _record(self, what: str, kind: Type, value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise TypeError("fields are needed")
        fields = dict(kind.fields)
        for name in set(value) - set(fields):
            self.problems.append(f"{what} has no '{name}'{did_you_mean(name, fields)}")
        return {
            name: self.value(f"{what}.{name}", fields[name], item) for name, item in value.items() if name in fields
        }

    # ---------------------------------------------------------------- who and which

    def judged(self, owner: str, known: Mapping[str, Fact], said: Mapping[str, Any]) -> None:
        """Notes facts that a person decides: they are entered only by a decision."""
        for name in said:
            fact = known.get(name)
            if fact is not None and fact.judged_by:
                self.problems.append(
                    f"{owner}.{name} is decided by {fact.judged_by}: record the decision, with its reason, "
                    "instead of the bare fact"
                )

    def required(self, owner: str, known: Mapping[str, Fact], written: Mapping[str, Any]) -> None:
        """Notes required fields that were not said."""
        for name, fact in known.items():
            if fact.required and not fact.retired and written.get(name) in (None, ""):
                self.problems.append(f"{owner}.{name} is needed: {fact.means or 'it was left out'}")

    def person(self, what: str, person: str) -> None:
        """Notes a person who is not in the record."""
        if person:
            self._refs.append((what, Thing(person, "person")))

    def refuse(self) -> None:
        """Refuses when there is a problem, with all of them.

        Raises:
            Refused: with every reason.
        """
        wanted = {thing.id for _, thing in self._refs}
        there = dict(ThingRow.objects.filter(id__in=wanted, is_gone=False).values_list("id", "type")) if wanted else {}
        for what, thing in self._refs:
            if thing.id not in there:
                self.problems.append(f"{what}: there is no {thing.type} {thing.id}")
            elif there[thing.id] != thing.type:
                self.problems.append(f"{what}: {thing.id} is a {there[thing.id]}, not a {thing.type}")
        if self.problems:
            raise Refused(dict.fromkeys(self.problems))


def how_exact(at_is: str, at_how: str, when: When, problems: list[str]) -> tuple[str, str]:
    """Returns how exact a time is; a guess must say how it was made."""
    if not (when.at or when.day):
        return "", ""
    if at_is not in AT_IS:
        problems.append(f"{at_is!r} does not say how exact the time is; write one of {', '.join(AT_IS)}")
    if at_is == "estimated" and not at_how.strip():
        problems.append("an estimated time needs at_how: how it was estimated")
    return at_is, at_how


def reason(why: str, what: str) -> str:
    """Returns a reason, which must say something.

    Raises:
        Refused: where it is empty.
    """
    if not why.strip():
        raise Refused(f"{what} needs a reason: say why, for whoever reads the record later")
    return why.strip()


def _bool(value: Any) -> bool:
    if isinstance(value, str) and value.strip().lower() in _YES:
        return _YES[value.strip().lower()]
    if not isinstance(value, bool):
        raise TypeError("write yes or no")
    return value


def _number(value: Any) -> str:
    if isinstance(value, float):
        raise TypeError("a number must come with the digits that were entered, not as a binary float")
    if isinstance(value, bool):
        raise TypeError("a number is needed")
    text = format(value, "f") if isinstance(value, Decimal) else str(value).strip()
    if not _NUMBER.match(text):
        raise ValueError("write a number with figures and a point, without commas or unit")
    text = text.removeprefix("+")
    if text.startswith("."):
        text = f"0{text}"
    return text.removesuffix(".")


def _money(value: Any) -> str:
    text = _number(value)
    whole, _, cents = text.partition(".")
    if len(cents) > 2:
        raise ValueError("money has two places")
    return f"{whole}.{cents.ljust(2, '0')}"


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is needed; put it in quotes")
    return value


def _day(value: Any) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if not isinstance(value, str):
        raise TypeError("write a day such as 2024-03-05")
    return read_day(value)


def _file(value: Any) -> str:
    if not (isinstance(value, str) and re.fullmatch(r"[0-9a-f]{64}", value)):
        raise ValueError("a file is named by its hash: attach it first")
    if not files.path_of(value).is_file():
        raise ValueError("this file has not been attached: attach it first")
    return value


def _geometry(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping) or value.get("type") not in _SHAPES or "coordinates" not in value:
        raise ValueError(f"a shape needs type, one of {', '.join(_SHAPES)}, and coordinates")
    return {"type": value["type"], "coordinates": _coordinates(value["coordinates"], _SHAPES[value["type"]])}


def _coordinates(value: Any, depth: int) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise TypeError("coordinates are lists of longitude and latitude")
    if depth:
        return [_coordinates(item, depth - 1) for item in value]
    if len(value) != 2:
        raise ValueError("a position is longitude and latitude")
    pair = [Decimal(_number(repr(item) if isinstance(item, float) else item)) for item in value]
    if abs(pair[0]) > 180 or abs(pair[1]) > 90:
        raise ValueError(f"{pair[0]}, {pair[1]} is not on the earth: longitude first, then latitude, in degrees")
    return [format(round(item, _PLACES).normalize() + 0, "f") for item in pair]


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


__all__ = ["Entering", "When", "how_exact", "reason"]
