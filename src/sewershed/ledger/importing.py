"""Lists that a town keeps, on their way into the record: which column is which field, and what each line says.

The readers of `exchange` open a list and read its cells; here a line becomes what `batches` plans: fields of the vocabulary,
things found by their names. A line that cannot be read goes on with its reasons, so that none is lost. Nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import cached_property
from itertools import pairwise
from statistics import median
from typing import Any
from zoneinfo import ZoneInfo

from sewershed.exchange import series
from sewershed.exchange import sheet as files_out
from sewershed.exchange.columns import TIME, Match, Target, columns_known, match_columns
from sewershed.exchange.lists import Apart, BadCell, Cell, ListRefused, Sheet, open_list
from sewershed.exchange.lists import Line as Row
from sewershed.exchange.series import Reading, Remark
from sewershed.exchange.values import (
    NO_ANSWERS,
    Answers,
    Null,
    Question,
    Unread,
    filled_down,
    questions_about,
    read_cell,
    read_moment_of,
    readings_of,
)
from sewershed.ledger import batches, canonical, clock, files, law, rights
from sewershed.ledger import log as logbook
from sewershed.ledger.adopting import town_id
from sewershed.ledger.batches import Line, Plan
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account, Alias
from sewershed.ledger.models import Thing as ThingRow
from sewershed.ledger.privacy import Privacy
from sewershed.ledger.wording import label_of, many, plain, title, words_of
from sewershed.rules.moments import start_of
from sewershed.rules.problems import did_you_mean
from sewershed.rules.record import Moment
from sewershed.rules.types import DATE, INSTANT, MOMENT, NUMBER, TEXT, Thing, Type
from sewershed.rules.vocabulary import EventType, Fact, ThingType

THING, ON, AT, CLOCK, BY, KEY = (
    "thing",
    "on",
    "at",
    "time",
    "by",
    "id",
)  # what a column may be beside fields of the vocabulary
LATITUDE, LONGITUDE, POINT = "latitude", "longitude", "point"
NOT_FROM_LISTS = frozenset(  # they come into being by themselves
    {
        "document",
        "attachment",
        "town",
        "supplement_adopted",
        "batch_applied",
        "batch_undone",
        "private_values_asked",
        "access_changed",
    }
)
MOST_CANDIDATES = 6  # things that a name may mean, in one sentence
LEAST_KNOWN, MOST_LIKELY = 2, 4  # columns by which a list is known, and kinds that it may be of
MOST_LOOKED, MOST_SAID = (
    50,
    3,
)  # cells that are looked up before a column is taken for things, and named where they are none
MOST_TO_COMPARE = 2000  # names among which one that is meant is looked for
MOST_ALIKE = 4  # readings of a meter that are the same, and steps from which what is usual is told
_READINGS, _NOTE = ("_read", "_measured"), "findings"
WHY, LINE = "Why it was not taken", "Line of the file"  # columns of the lines that could not be read
_PLACE = re.compile(r"\{(\w+)\}")


# ------------------------------------------------------------------------------------------------ what a list is of


@dataclass(frozen=True, slots=True)
class Kind:
    """What a list is of: things of a type with their facts, or one event that happened to such things."""

    type: ThingType
    event: EventType | None = None

    @property
    def name(self) -> str:
        """Returns the word of the vocabulary."""
        return self.event.name if self.event else self.type.name

    @property
    def title(self) -> str:
        """Returns what is brought in, as words that begin a line."""
        return title(self.event.name) if self.event else many(self.type)

    @property
    def means(self) -> str:
        """Returns what it is."""
        return self.event.means if self.event else self.type.means

    @property
    def program(self) -> str:
        """Returns the program whose right to import is asked for."""
        return self.type.program

    @property
    def known(self) -> Mapping[str, Fact]:
        """Returns the fields of the vocabulary that it has."""
        return self.event.data if self.event else self.type.facts


def kinds(*, as_account: Account) -> tuple[Kind, ...]:
    """Returns what an account may bring in lists of, by program: things first, then what happens to them."""
    vocabulary = law.in_force().vocabulary
    found: list[Kind] = []
    for kind in vocabulary.things.values():
        if kind.retired or not rights.may(as_account, "import", kind.program):
            continue
        if kind.name not in NOT_FROM_LISTS:
            found.append(Kind(kind))
        found += [
            Kind(kind, event)
            for event in vocabulary.events.values()
            if event.on == kind.name and not event.retired and not NOT_FROM_LISTS & {event.name, kind.name} - {"town"}
        ]
    return tuple(sorted(found, key=lambda one: (one.program, bool(one.event))))


def kind_named(thing: str, event: str, *, as_account: Account) -> Kind:
    """Returns what a list is of, by the word of the vocabulary.

    Raises:
        Refused: where there is no such word, or none of which lists are brought in.
        NotAllowed: for an account that may not import into its program.
    """
    vocabulary = law.in_force().vocabulary
    if event:
        happens = vocabulary.events.get(event)
        if happens is None or not happens.on or happens.retired or NOT_FROM_LISTS & {event, happens.on} - {"town"}:
            raise Refused(f"no lists of {event!r} are brought in{did_you_mean(event, vocabulary.events)}")
        kind = Kind(vocabulary.things[happens.on], happens)
    else:
        type_ = vocabulary.things.get(thing)
        if type_ is None or type_.retired or thing in NOT_FROM_LISTS:
            raise Refused(f"no lists of {thing!r} are brought in{did_you_mean(thing, vocabulary.things)}")
        kind = Kind(type_)
    rights.require(as_account, "import", kind.program)
    return kind


@dataclass(frozen=True, slots=True)
class Field:
    """What a column may be taken as."""

    name: str
    target: Target
    fact: Fact | None = None
    is_needed: bool = False  # without it a new line is refused

    @property
    def label(self) -> str:
        """Returns what it is called."""
        return self.target.label

    @property
    def type(self) -> Type:
        """Returns the type of what it says; of a cell it is that of the target."""
        return self.fact.type if self.fact else self.target.type


def fields_of(kind: Kind, *, as_account: Account) -> dict[str, Field]:
    """Returns what the columns of a list may be taken as, by name."""
    privacy = Privacy(as_account, law.in_force().vocabulary)
    hides = privacy.hides_datum if kind.event else privacy.hides
    found = list(_around(kind)) if kind.event else []
    for name, fact in kind.known.items():
        if fact.derived or fact.retired or fact.judged_by or hides(kind.name, name):
            continue
        if fact.type.kind == "geometry" and name == POINT:
            found += [
                Field(side, Target(side, title(side), NUMBER, f"{fact.means}, in degrees", also))
                for side, also in ((LATITUDE, ("lat", "y")), (LONGITUDE, ("lon", "long", "lng", "x")))
            ]
        elif _is_one_cell(fact.type):
            target = Target(f"{kind.name}.{name}", label_of(fact), _of_one(fact.type), fact.means)
            found.append(Field(name, target, fact, fact.required))
    return {one.name: one for one in found}


def _around(kind: Kind) -> Iterator[Field]:
    """Yields what an event has beside its own fields: on which thing, when, by whom."""
    assert kind.event is not None
    of, precision = kind.event.name, kind.event.precision
    if kind.type.name != "town":
        words = plain(kind.type.name)
        also = (words, f"{words} name", f"{words} id", f"{words} number", f"name of the {words}")
        yield Field(
            THING, Target(f"{kind.type.name}.{KEY}", f"Which {words}", TEXT, kind.type.means, also), is_needed=True
        )
    yield Field(
        ON,
        Target(
            f"{of}.{ON}",
            "Day" if precision != "instant" else "Day, with the time beside it",
            DATE,
            "The day on which it happened",
        ),
    )
    if precision != "day":
        with_time = INSTANT if precision == "instant" else MOMENT
        yield Field(AT, Target(f"{of}.{AT}", "Day and time", with_time, "When it happened, in one column"))
        yield Field(CLOCK, Target(f"{of}.{CLOCK}", "Time of day", TIME, "The time, in a column beside the day"))
    yield Field(BY, Target(f"{of}.{BY}", "Done by", Type("ref", to="person"), "Who did it: a person of the record"))


def _is_one_cell(kind: Type) -> bool:
    if kind.kind == "list":
        return kind.item is not None and kind.item.kind == "text"
    return kind.kind not in ("file", "geometry", "record", "span", "event")


def _of_one(kind: Type) -> Type:
    return kind.item if kind.kind == "list" and kind.item else kind


# ------------------------------------------------------------------------------------------------ how it is taken


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a list is taken: which sheet, what it is of, what each column is, what was answered. It is kept with the batch."""

    sheet: str = ""
    delimiter: str = ""
    thing: str = ""  # a type of thing, whose facts it holds; or
    event: str = ""  # an event that happened to things
    columns: Mapping[str, str] = field(default_factory=dict)  # column to field; to "": left out
    constants: Mapping[str, str] = field(default_factory=dict)  # a field that is the same for every line
    key: tuple[str, ...] = ()  # the columns that tell one from another, their texts with a blank between
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by column and kind of question
    day: str = ""  # on which the list was true

    def text(self) -> str:
        """Returns the recipe as it is kept."""
        return canonical.write({name: getattr(self, name) for name in self.__slots__ if getattr(self, name)})

    @classmethod
    def read(cls, text: str) -> Recipe:
        """Returns the recipe that a text says; what it does not say is left as it is by itself."""
        said = canonical.read(text) if text else {}
        found = {name: said[name] for name in cls.__slots__ if name in said}
        return cls(**{**found, "key": tuple(found.get("key", ()))})


def sheets_of(content: bytes, name: str, delimiter: str = "") -> tuple[Sheet, ...]:
    """Returns the lists that a file holds.

    Raises:
        ListRefused: where it is not read, with the reason.
    """
    found = open_list(content, name, delimiter=delimiter)
    if not found:
        raise ListRefused(f"{name} holds no list: no sheet of it has a line with heads and lines below")
    return found


def sheet_named(sheets: Sequence[Sheet], name: str) -> Sheet:
    """Returns a list of a file, the first where no name is said.

    Raises:
        Refused: where there is none of that name.
    """
    found = next((one for one in sheets if one.name == name or not name), None)
    if found is None:
        names = [one.name for one in sheets]
        raise Refused(f"the file has no sheet {name!r}{did_you_mean(name, names)}; it has {', '.join(names)}")
    return found


def remembered(kind: Kind) -> tuple[dict[str, str], list[tuple[str, ...]]]:
    """Returns what each column was taken as in the lists of this kind that were brought in, and the columns that were keys.

    Edge: what a later list says goes before an earlier one; a list that was undone is remembered too.
    """
    columns: dict[str, str] = {}
    keys: list[tuple[str, ...]] = []
    for row in logbook.select_list("kind = 'event' AND name = %s", ["batch_applied"]):
        text = canonical.read(row.data).get("map") or ""
        if not text.startswith("{"):
            continue
        recipe = Recipe.read(text)
        if (recipe.thing, recipe.event) == (
            kind.type.name if not kind.event else "",
            kind.event.name if kind.event else "",
        ):
            columns |= recipe.columns
            keys = [recipe.key, *keys] if recipe.key else keys
    return columns, keys


@dataclass(frozen=True, slots=True)
class Taken:
    """What the columns of a list were taken for, each with the reason, and which of them tells one from another."""

    matches: tuple[Match, ...]  # to names of fields
    key: tuple[str, ...]


def suggested(sheet: Sheet, kind: Kind, *, as_account: Account) -> Taken:
    """Returns what the columns of a list are by their names, and by how such lists were taken before.

    Edge: what is not sure is left out, for a person to say.
    """
    fields = fields_of(kind, as_account=as_account)
    by_target = {one.target.name: name for name, one in fields.items()}
    labels = [name for name in _PLACE.findall(kind.type.label) if name in kind.type.facts]
    targets = [one.target for one in fields.values()]
    targets.append(number := Target(f"{kind.name}.{KEY}", f"Number of the {plain(kind.name)}", TEXT))
    if THING in fields and labels:  # it is named by its name as well as by its number
        called = Target(f"{kind.type.name}.{labels[0]}", fields[THING].label, TEXT)
        by_target[called.name] = THING
        targets.append(called)
    columns, keys = remembered(kind)
    known = {
        column: fields[name].target.name if name else ""
        for column, name in columns.items()
        if not name or name in fields
    }
    found = match_columns(sheet.columns, targets, known)
    numbers = [one.column for one in found if one.target == number.name]
    key = next((one for one in keys if set(one) <= set(sheet.columns)), tuple(numbers[:1]))
    matches = [_as_field(one, by_target, numbers) for one in found]
    if not kind.event and not key:
        # a word of a choice, such as the type of an assembly, is shared by many and tells none from another
        own = [name for name in labels if kind.type.facts[name].type.kind != "choice"]
        key = tuple(one.column for label in own[:1] for one in matches if one.target == label)
    matches = [
        replace(one, because=f"it tells one {plain(kind.name)} from another; nothing else is taken of it")
        if one.column in key and not one.target
        else one
        for one in matches
    ]
    return Taken(tuple(_once(_looked(sheet, one, matches, fields, columns, as_account) for one in matches)), key)


def _as_field(match: Match, by_target: Mapping[str, str], numbers: Sequence[str]) -> Match:
    """Returns a match by the names of fields. Edge: where all that it may be is one field, it is that."""
    others = tuple(dict.fromkeys(by_target[one] for one in match.others if one in by_target))
    if match.column in numbers:
        return replace(match, target=None, because="", others=())
    if match.target is None and others == (THING,):
        return replace(match, target=THING, because="columns of such lists are often so called", others=())
    return replace(match, target=by_target.get(match.target or ""), others=others)


def _once(matches: Iterable[Match]) -> Iterator[Match]:
    """Yields the columns, of several that name the same thing the first."""
    taken: set[str] = set()
    for one in matches:
        if one.target == THING and THING in taken:
            yield replace(one, target=None, because="another column names it too", others=(THING,))
            continue
        taken.add(one.target or "")
        yield one


def _looked(
    sheet: Sheet, match: Match, matches: Sequence[Match], fields: Mapping[str, Field], before: Mapping[str, str], account: Account
) -> Match:  # fmt: skip
    """Returns a column as it is taken once its cells were looked at, where nobody said before what it is."""
    if match.target is None or match.column in before:
        return match
    match = _with_time(sheet, match, matches, fields)
    one = fields[match.target or ""]
    if one.type.kind != "ref" or one.is_needed:
        return match
    names = Names(one.type.to, account)
    said = list(dict.fromkeys(text for _, cell in sheet.column(match.column) if (text := in_text(cell).strip())))[
        :MOST_LOOKED
    ]
    unknown = [text for text in said if not names.find(text)]
    if len(unknown) * 2 <= len(said):
        return match
    listed = ", ".join(unknown[:MOST_SAID])
    why = f"most of these are no {plain(one.type.to)} of the record, such as {listed}: bring those in first, or leave it out"
    return replace(match, target=None, because=why, others=(one.name,))


def _with_time(sheet: Sheet, match: Match, matches: Sequence[Match], fields: Mapping[str, Field]) -> Match:
    """Returns a column of days, as day and time where its cells have a time and no other column does."""
    if match.target != ON or AT not in fields or {AT, CLOCK} & {one.target for one in matches}:
        return match
    has_time = any(
        (isinstance(cell, datetime) and (cell.hour, cell.minute, cell.second) != (0, 0, 0))
        or (isinstance(cell, str) and ":" in cell)
        for _, cell in sheet.column(match.column)
    )
    return (
        replace(match, target=AT, because=f"{match.because}; its cells have a time".lstrip("; ")) if has_time else match
    )


def likely(sheet: Sheet, *, as_account: Account) -> tuple[Kind, ...]:
    """Returns what a list may be of by the names of its columns, the likeliest first; nothing where few of them are known."""
    found = []
    for kind in kinds(as_account=as_account):
        fields = fields_of(kind, as_account=as_account).values()
        own = columns_known(sheet.columns, [one.target for one in fields if one.fact is not None])
        around = columns_known(sheet.columns, [one.target for one in fields if one.fact is None])
        names = columns_known(sheet.columns, _names_of(kind)) if kind.event else ()
        if kind.event is None or ((around or names) and (own or not kind.event.data)):
            found.append((len({*own, *around, *names}), kind))
    best = max((count for count, _ in found), default=0)
    ordered = sorted(found, key=lambda item: -item[0])
    return tuple(kind for count, kind in ordered if count >= max(LEAST_KNOWN, best // 2))[:MOST_LIKELY]


def _names_of(kind: Kind) -> list[Target]:
    """Returns by what the thing that an event is about may be named: its number and its name."""
    first = [name for name in _PLACE.findall(kind.type.label) if name in kind.type.facts][:1]
    return [Target(f"{kind.type.name}.{name}", "", TEXT) for name in (KEY, *first)]


def wanting(kind: Kind, recipe: Recipe, sheet: Sheet, *, as_account: Account) -> tuple[str, ...]:
    """Returns what must be said before the lines can be looked at, in sentences; nothing where all is said."""
    return tuple(_wanting(kind, recipe, sheet, fields_of(kind, as_account=as_account)))


def _wanting(kind: Kind, recipe: Recipe, sheet: Sheet, fields: Mapping[str, Field]) -> Iterator[str]:
    taken = [name for name in recipe.columns.values() if name]
    said = {*taken, *recipe.constants}
    for name in dict.fromkeys(one for one in taken if one not in fields):
        yield f"{kind.name} has no '{name}'{did_you_mean(name, fields)}; it has {', '.join(fields)}"
    for name in dict.fromkeys(one for one in taken if taken.count(one) > 1 and one in fields and one != THING):
        columns = [column for column, one in recipe.columns.items() if one == name]
        yield f"{' and '.join(columns)} are both taken as {fields[name].label}: leave one of them out"
    for column in [*recipe.columns, *recipe.key]:
        if column not in sheet.columns:
            near = did_you_mean(column, sheet.columns)
            yield f"the list has no column {column!r}{near}; it has {', '.join(sheet.columns)}"
    if kind.event is None and not recipe.key:
        yield f"say which column tells one {plain(kind.name)} from another: without it the same list would be brought in twice"
    if kind.event is not None:
        if THING in fields and THING not in said:
            yield f"say which column names the {plain(kind.type.name)}"
        if not said & {ON, AT}:
            yield "say which column is the day on which it happened"
    if len(said & {LATITUDE, LONGITUDE}) == 1:
        yield "latitude and longitude go together: one of them is left out"


def needed(kind: Kind, recipe: Recipe, *, as_account: Account) -> tuple[Field, ...]:
    """Returns what a new line must say and no column does: it may be the same for every line. The town itself goes without saying."""
    said = {*recipe.columns.values(), *recipe.constants}
    return tuple(
        one
        for name, one in fields_of(kind, as_account=as_account).items()
        if one.is_needed and name not in said and one.type.to != "town"
    )


def asked(kind: Kind, recipe: Recipe, sheet: Sheet, *, as_account: Account) -> tuple[Question, ...]:
    """Returns what must be answered before the columns can be read, once a column. What was answered is among them."""
    matches, targets = _matched(kind, recipe, as_account)
    return questions_about(sheet, matches, targets, clock.current_town().zone)


def unanswered(questions: Iterable[Question], recipe: Recipe) -> tuple[Question, ...]:
    """Returns the questions to which no answer is known yet; one that has no answers to choose from is not asked."""
    return tuple(
        one
        for one in questions
        if one.choices
        and recipe.answers.get(one.column, {}).get(one.kind) not in [choice.value for choice in one.choices]
    )


def _matched(kind: Kind, recipe: Recipe, account: Account) -> tuple[list[Match], list[Target]]:
    fields = fields_of(kind, as_account=account)
    matches = [
        Match(column, fields[name].target.name if name in fields else None, "")
        for column, name in recipe.columns.items()
    ]
    return matches, [one.target for one in fields.values()]


# ------------------------------------------------------------------------------------------------ what each line says


def plan_list(
    sheet: Sheet,
    file: str,
    name: str,
    recipe: Recipe,
    *,
    as_account: Account,
    progress: Callable[[int, int], None] | None = None,
) -> Plan:
    """Returns what a list would change, line by line; nothing is written.

    Edge: what is empty in the list is left as it is known; *not known* in a cell is entered as asked and not known.

    Refuses: a list of which something is still to be said or answered. A line that cannot be read stands in the plan.

    Args:
        sheet: the list.
        file: the hash of the file, which is kept.
        name: the name that the file came with.
        recipe: how it is taken.
        as_account: who brings it in.
        progress: told how many lines have been looked at, of how many.

    Raises:
        Refused: with what is to be said.
        NotAllowed: for an account that may not import into the program.
    """
    kind = kind_named(recipe.thing, recipe.event, as_account=as_account)
    problems = [*wanting(kind, recipe, sheet, as_account=as_account)]
    if not problems:
        still = unanswered(asked(kind, recipe, sheet, as_account=as_account), recipe)
        problems += [one.asks for one in still]
    if problems:
        raise Refused(problems)
    lines = tuple(_Reader(sheet, kind, recipe, as_account).lines())
    return batches.plan_batch(
        lines, as_account=as_account, day=recipe.day, file=file, note=f"{kind.title}, from {name}", map=recipe.text(),
        progress=progress,
    )  # fmt: skip


def broken_lines(sheet: Sheet) -> tuple[Apart, ...]:
    """Returns the lines set apart that have more cells than the head: they are lines of the list that cannot be read, not notes to it."""
    return tuple(one for one in sheet.apart if len(one.cells) > len(sheet.columns))


def noted_lines(sheet: Sheet) -> tuple[Apart, ...]:
    """Returns the lines set apart that are no lines of the list: titles, totals, notes."""
    return tuple(one for one in sheet.apart if len(one.cells) <= len(sheet.columns))


class _Reader:
    """Reads the lines of a list by its recipe."""

    def __init__(self, sheet: Sheet, kind: Kind, recipe: Recipe, account: Account) -> None:
        self.kind, self.recipe, self.account = kind, recipe, account
        self.zone: ZoneInfo = clock.current_town().zone
        self.fields = fields_of(kind, as_account=account)
        matches, targets = _matched(kind, recipe, account)
        self.readings = readings_of(sheet, matches, targets, self.zone, recipe.answers)
        self.sheet = filled_down(sheet, self.readings)
        self.place = {column: at for at, column in enumerate(self.sheet.columns)}
        self.column = {name: column for column, name in recipe.columns.items() if name}
        self.names: dict[str, Names] = {}
        self.spelled: dict[str, str] = {}
        self.constants = self._constants()

    def lines(self) -> Iterator[Line]:
        """Yields every line, those that cannot be read with their reasons."""
        event = self.kind.event.name if self.kind.event else ""
        found = [self._event(row) if self.kind.event else self._facts(row) for row in self.sheet.lines]
        found += [
            Line(number=one.number, type=self.kind.type.name, event=event, problems=(one.because,))
            for one in broken_lines(self.sheet)
        ]
        yield from sorted(found, key=lambda line: line.number)

    def _facts(self, row: Row) -> Line:
        problems: list[str] = []
        key = self._text(self.recipe.key, row, problems)
        key = self.spelled.setdefault(_folded(key), key)  # as the first line that has it writes it
        thing = (
            self._found(self.kind.type.name, _listed(self.recipe.key), key, problems, is_needed=False) if key else ""
        )
        said = self._said(row, problems)
        return Line(
            number=row.number,
            type=self.kind.type.name,
            source_id=key,
            thing=thing,
            facts=said,
            problems=tuple(problems),
        )

    def _event(self, row: Row) -> Line:
        assert self.kind.event is not None
        problems: list[str] = []
        thing = town_id() if self.kind.type.name == "town" else self._about(row, problems)
        by = self._one(BY, row, problems)
        moment = self._moment(row, problems)
        key = self._text(self.recipe.key, row, problems, is_needed=False)
        return Line(
            number=row.number, type=self.kind.type.name, thing=thing, event=self.kind.event.name,
            event_id=key, at=moment, by=by if isinstance(by, str) else "", data=self._said(row, problems), problems=tuple(problems),
        )  # fmt: skip

    def _said(self, row: Row, problems: list[str]) -> dict[str, Any]:
        """Returns the fields of the vocabulary that a line says; None is asked and not known."""
        said: dict[str, Any] = {}
        for name, one in self.fields.items():
            if one.fact is None:
                continue
            value = self._one(name, row, problems)
            if value is not Null.BLANK:
                said[name] = None if value is Null.NOT_KNOWN else value
        if LATITUDE in self.fields:
            east, north = self._one(LONGITUDE, row, problems), self._one(LATITUDE, row, problems)
            if isinstance(east, Decimal) and isinstance(north, Decimal):
                said[POINT] = {"type": "Point", "coordinates": [east, north]}
        return said

    def _one(self, name: str, row: Row, problems: list[str]) -> Any:
        """Returns what a line says of a field: a value, or that it says none."""
        if name in self.constants:
            return self.constants[name]
        column = self.column.get(name)
        return (
            Null.BLANK if column is None else self._value(self.fields[name], column, self._cell(column, row), problems)
        )

    def _value(self, one: Field, column: str, cell: Cell, problems: list[str]) -> Any:
        kind = one.type
        to = self.kind.type.name if one.name == THING else kind.to if kind.kind == "ref" else ""
        answers = self.readings.get(column, NO_ANSWERS)
        value = read_cell(cell, TEXT if to else _of_one(kind), answers, self.zone)
        if isinstance(value, Unread):
            problems.append(_unread(column, value))
            return Null.BLANK
        if isinstance(value, Null):
            return Null.BLANK if one.name in (THING, BY) else value
        if to:
            found = self._found(to, column, str(value), problems)
            return (found if one.fact is None else Thing(found, to)) if found else Null.BLANK
        if kind.kind == "list":
            return [part.strip() for part in str(value).split(";") if part.strip()]
        return value

    def _found(self, type: str, column: str, text: str, problems: list[str], *, is_needed: bool = True) -> str:
        """Returns the thing that a text names; where it names none or several that is noted."""
        if type not in self.names:
            self.names[type] = Names(type, self.account)
        names = self.names[type]
        found = names.find(text)
        if len(found) > 1:
            listed = ", ".join(f"{one} ({names.labels[one]})" for one in found[:MOST_CANDIDATES])
            rest = f" and {len(found) - MOST_CANDIDATES} more" if len(found) > MOST_CANDIDATES else ""
            problems.append(f"{column}: {text!r} may be {listed}{rest}: write the id of the one that is meant")
        elif not found and is_needed:
            near = names.near(text) or "; bring it in first, or leave the column out"
            problems.append(f"{column}: there is no {plain(type)} called {text!r}{near}")
        return found[0] if len(found) == 1 else ""

    def _moment(self, row: Row, problems: list[str]) -> str:
        """Returns when it happened, as it is entered; empty where that cannot be read, which is noted."""
        given = self.constants.get(AT) or self.constants.get(ON)
        if given is not None:
            return self._iso(given)
        column = self.column.get(AT) or self.column.get(ON) or ""
        cell, answers = self._cell(column, row), self.readings.get(column, NO_ANSWERS)
        beside = self.column.get(CLOCK) if AT not in self.column else None
        if beside:
            moment = read_moment_of(
                cell, self._cell(beside, row), answers, self.readings.get(beside, NO_ANSWERS), self.zone
            )
        else:
            kind = self.fields[AT if AT in self.column else ON].target.type
            moment = read_cell(cell, kind, answers, self.zone)  # type: ignore[assignment]  # a moment, by its type
        if isinstance(moment, Unread):
            problems.append(_unread(column, moment))
        elif isinstance(moment, Null):
            problems.append(f"{column} is empty: nothing tells when it happened")
        else:
            return self._iso(moment)
        return ""

    def _iso(self, moment: Any) -> str:
        if isinstance(moment, datetime):
            return moment.astimezone(self.zone).isoformat()
        return str(moment.isoformat())

    def _about(self, row: Row, problems: list[str]) -> str:
        """Returns the thing that a line is about, named by one column or by several together."""
        if THING in self.constants:
            return str(self.constants[THING])
        columns = [column for column, name in self.recipe.columns.items() if name == THING]
        text = self._text(columns, row, problems)
        return self._found(self.kind.type.name, _listed(columns), text, problems) if text else ""

    def _text(self, columns: Sequence[str], row: Row, problems: list[str], *, is_needed: bool = True) -> str:
        """Returns the cells of some columns as a text, from end to end as it stands; what is empty is noted."""
        texts = []
        for column in columns:
            value = read_cell(self._cell(column, row), TEXT, self.readings.get(column, NO_ANSWERS), self.zone)
            if isinstance(value, Unread):
                problems.append(_unread(column, value))
                return ""
            text = "" if isinstance(value, Null) else str(value).strip()
            if not text and is_needed:
                problems.append(f"{column} is empty: nothing tells which {plain(self.kind.type.name)} it is")
                return ""
            texts.append(text)
        return " ".join(texts)

    def _cell(self, column: str, row: Row) -> Cell:
        at = self.place[column]
        return row.cells[at] if at < len(row.cells) else None

    def _constants(self) -> dict[str, Any]:
        """Returns what is the same for every line.

        Raises:
            Refused: for what cannot be read.
        """
        problems: list[str] = []
        found: dict[str, Any] = {
            name: Thing(town_id(), "town")
            for name, one in self.fields.items()
            if one.is_needed and one.type.to == "town" and name not in self.column
        }
        for name, text in self.recipe.constants.items():
            if name not in self.fields:
                problems.append(f"{self.kind.name} has no '{name}'{did_you_mean(name, self.fields)}")
                continue
            value = self._value(self.fields[name], self.fields[name].label, text, problems)
            if value is not Null.BLANK:
                found[name] = value
        if problems:
            raise Refused(problems)
        return found


class Names:
    """The things of a type by all that they are called: id, id in files, number, name, other names."""

    def __init__(self, type: str, account: Account) -> None:
        privacy = Privacy(account, law.in_force().vocabulary)
        self.labels: dict[str, str] = {}
        self._by: tuple[dict[str, set[str]], ...] = ({}, {}, {})  # ids go before ids of files, those before names
        goes_on: dict[str, str] = {}
        is_hidden = privacy.hides_label(type)
        for one in ThingRow.objects.filter(type=type, is_gone=False).order_by("began"):
            goes_on[one.id] = one.joined_into or one.id
            self.labels[one.id] = privacy.label(type, one.label)
            for place, text in enumerate((one.id, one.source_id, one.number, "" if is_hidden else one.label)):
                self._note(min(place, 2), text, goes_on[one.id])
        for chunk in logbook.chunks(list(goes_on)):
            for thing, text in Alias.objects.filter(thing__in=chunk).values_list("thing", "text"):
                self._note(2, text, goes_on[thing])

    def _note(self, place: int, text: str, thing: str) -> None:
        if text:
            self._by[place].setdefault(_folded(text), set()).add(thing)

    def find(self, text: str) -> list[str]:
        """Returns the things that go by a whole name; small letters and capitals are one, and so are one blank and more."""
        wanted = _folded(text)
        return next((sorted(by[wanted]) for by in self._by if wanted in by), [])

    def near(self, text: str) -> str:
        """Returns which name may be meant, as the end of a sentence."""
        known = self._labels
        return did_you_mean(text, known) if len(known) <= MOST_TO_COMPARE else ""

    @cached_property
    def _labels(self) -> list[str]:
        return sorted(set(self.labels.values()))


def _unread(column: str, cell: Unread) -> str:
    """Returns why a cell cannot be read, with what stands in it."""
    return (
        f"{column} is {cell.text!r}: {cell.why}" if cell.text and cell.text not in cell.why else f"{column}: {cell.why}"
    )


def _listed(columns: Sequence[str]) -> str:
    return " and ".join(columns)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


# ------------------------------------------------------------------------------------------------ what looks unlikely


def unlikely(plan: Plan, kind: Kind) -> tuple[str, ...]:
    """Returns what looks unlikely in a log of readings, in sentences: for a person to see, nothing is mended or left out for it.

    Edge: readings are those events whose name says so (`pump_hours_read`, `rain_measured`). A number in hours is a counter: it
    only rises, by an hour in an hour at most. A gap is one and a half times as long as most.
    """
    if kind.event is None or not kind.event.name.endswith(_READINGS):
        return ()
    zone = clock.current_town().zone
    labels = words_of(line.thing for line in plan.lines).names
    found: dict[str, None] = {}
    for name, fact in kind.event.data.items():
        if fact.type.kind != "number":
            continue
        about = f", {label_of(fact).lower()}" if len(kind.event.data) > 1 else ""
        readings = [
            Reading(line.number, f"{labels.get(line.thing, line.thing)}{about}", _moment_in(line.at), line.data[name], str(line.data.get(_NOTE) or ""))
            for line in plan.lines
            if not line.problems and name in line.data
        ]  # fmt: skip
        found |= dict.fromkeys(one.says for one in _remarks(readings, zone, is_counter=fact.type.unit == "hour"))
    return tuple(found)


def _remarks(readings: Sequence[Reading], zone: ZoneInfo, *, is_counter: bool) -> Iterator[Remark]:
    yield from (one for one in series.twice(readings) if one.kind != "twice")  # the same twice is one line already
    yield from series.out_of_order(readings, zone)
    yield from series.stuck(readings, MOST_ALIKE, resting=Decimal(0))
    in_time = sorted(readings, key=lambda one: start_of(one.when, zone))
    if is_counter:
        yield from series.counted(in_time, zone, most_an_hour=Decimal(1))
    by_key: dict[str, list[Reading]] = {}
    for one in in_time:
        by_key.setdefault(one.key, []).append(one)
    steps = [
        start_of(other.when, zone) - start_of(one.when, zone)
        for those in by_key.values()
        for one, other in pairwise(those)
    ]
    usual = median([step.total_seconds() for step in steps if step]) if any(steps) else 0
    if usual and len(steps) >= MOST_ALIKE:
        yield from series.gaps(readings, zone, timedelta(seconds=round(usual * 3 / 2)))


def _moment_in(text: str) -> Moment:
    return datetime.fromisoformat(text).astimezone(UTC) if "T" in text else date.fromisoformat(text)


# ------------------------------------------------------------------------------------------------ what could not be read


def not_read(sheet: Sheet, plan: Plan) -> bytes:
    """Returns the lines that could not be read as a list to mend and to bring in again, each with the reason.

    Edge: the columns are those of the list, so that the mended lines are taken as the list was. Where a line has too many
    cells the last ones stand together in the last column: most often a comma stood in a text.
    """
    rows = cells_of(sheet)
    refused = [change for change in plan.changes if change.what == "refused"]
    lines = [[*rows[one.number], "; ".join(one.reasons), one.number] for one in refused]
    return files_out.csv_bytes([*sheet.columns, WHY, LINE], lines)


def cells_of(sheet: Sheet) -> dict[int, list[Any]]:
    """Returns the cells of each line of a list, as they go into a list again, by the number of the line."""
    whole = {line.number: [_as_text(cell) for cell in line.cells] for line in sheet.lines}
    last = len(sheet.columns) - 1
    for one in broken_lines(sheet):
        together = ",".join(in_text(cell) for cell in one.cells[last:]).rstrip(",")
        whole[one.number] = [*(_as_text(cell) for cell in one.cells[:last]), together]
    return whole


def with_not_read(sheet: Sheet, plan: Plan) -> Plan:
    """Returns a plan with the lines that could not be read kept as a file, so that they stay with the batch."""
    return replace(plan, not_read=files.store(not_read(sheet, plan))) if plan.counts["refused"] else plan


def _as_text(cell: Cell) -> Any:
    """Returns a cell as it goes into a list again. Edge: a number that begins with a sign is no formula."""
    if isinstance(cell, BadCell):
        return cell.text
    if isinstance(cell, datetime):
        return cell.isoformat(" ")
    if isinstance(cell, str) and cell[:1] in ("-", "+"):
        try:
            return Decimal(cell)
        except InvalidOperation:
            return cell
    return cell


def in_text(cell: Cell) -> str:
    """Returns a cell as a person reads it."""
    said = _as_text(cell)
    if said is None:
        return ""
    if isinstance(said, bool):
        return "yes" if said else "no"
    if isinstance(said, Decimal):
        return format(said, "f")
    return said.isoformat() if isinstance(said, date) else str(said)


__all__ = [
    "AT", "BY", "KEY", "LINE", "ON", "THING", "WHY", "Answers", "Apart", "Field", "Kind", "ListRefused", "Names", "Question", "Recipe",
    "Sheet", "Taken", "asked", "broken_lines", "cells_of", "fields_of", "in_text", "kind_named", "kinds", "likely", "needed", "not_read", "noted_lines", "plan_list", "remembered", "sheet_named",
    "sheets_of", "suggested", "unanswered", "unlikely", "wanting", "with_not_read",
]  # fmt: skip
