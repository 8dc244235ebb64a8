"""What a cell says, once a person answered what the file leaves open: day or month first, which unit, whose clock.

What is open is asked by column and never guessed by row: one cell that can be read in one way only settles its column, two
that exclude each other refuse it. What is settled is put into the words of the record and read by the one reader of entered
values (rules/entering.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal, localcontext
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from zoneinfo import ZoneInfo

from sewershed.exchange.columns import Match, Target, units_asked
from sewershed.exchange.lists import Line, Sheet
from sewershed.exchange.rows import BadCell, Cell, is_blank, lines_in_words, shown
from sewershed.exchange.written import Clock, Day, Number, clock_in, number_in, written
from sewershed.rules.entering import Entering
from sewershed.rules.record import Moment
from sewershed.rules.types import MOMENT, Type, Value
from sewershed.rules.units import UnitError, convert, is_convertible
from sewershed.rules.vocabulary import Vocabulary

Answers = Mapping[str, str]  # of one column: kind of question -> value of the choice
NO_ANSWERS: Answers = MappingProxyType({})
NO_WORD = "-"  # the answer that a word of a list is none of the field's
REFUSED = "refused"  # in the answers of a column: why none of its cells is read

_BLANKS = frozenset(["", "n/a", "n.a.", "n. a.", "na", "none", "null", "nil", "-", "--", "---", "\u2013", "\u2014", "#n/a", "(blank)", "(none)", "not applicable"])  # fmt: skip
_NOT_KNOWN = frozenset(["unknown", "unk", "unk.", "unkn", "?", "??", "???", "tbd", "not known", "don't know", "dont know", "to be determined", "(unknown)"])  # fmt: skip
_YES = {"y": True, "t": True, "x": True, "1": True, "✓": True, "✔": True, "n": False, "f": False, "0": False}
_DAYS = ("date", "moment", "instant")
_NUMBERS = ("number", "money")
_ORDERS = {"mdy": "month first, then the day", "dmy": "day first, then the month", "ymd": "year first"}
_FEW = 5  # lines that a question shows
_MOST_WORDS = 20  # of a column that are asked about one by one
_SHARE_BLANK = Fraction(1, 5)  # of the lines, from which a column looks as if it were written once a group
_PLACES = Decimal("0.000001")  # of a number turned into another unit, where it has no end
_DIGITS = 100  # with which is divided: more than any number here has
_LARGEST = 10**15  # a whole number from which on Excel no longer keeps the last digits
_YEARS = range(1800, 2100)
_FIRST_SERIAL = {"1900": date(1899, 12, 30), "1904": date(1904, 1, 1)}
_LEAP_DAY_THAT_WAS_NOT = 60  # Excel counts 29 February 1900, which there was not
_LAST_SERIAL = 2_958_465  # 31 December 9999
_NOTHING = Vocabulary()


class Null(Enum):
    """No value, of two kinds that are kept apart."""

    BLANK = "blank"  # nothing is said: not asked
    NOT_KNOWN = "not known"  # asked, and not known


@dataclass(frozen=True, slots=True)
class Unread:
    """A cell that could not be read: why, and what stands in it. `readings` are the values it may be, if it may be several."""

    why: str
    text: str
    readings: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer to a question: the value to keep, and how it reads."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Question:
    """What must be asked of a column because the file does not say it.

    `kind` is one of day_order, century, half_day, epoch, year, clock, decimal, unit, below, or "word " and a word of the list
    that is none of the field's. Without choices the column contradicts itself, and is not read at all: `asks` says why.
    """

    column: str
    kind: str
    asks: str
    choices: tuple[Choice, ...]
    lines: tuple[int, ...]  # some that show it


# ------------------------------------------------------------------------------------------------ what must be asked


def questions_about(
    sheet: Sheet, matches: Sequence[Match], targets: Sequence[Target], zone: ZoneInfo
) -> tuple[Question, ...]:
    """Returns what must be asked before the columns that matched can be read.

    Edge: what one cell of a column settles (a 13 that can be no month) is not asked. A column that excludes itself (13/02
    and 02/13) gives a question without choices: it is refused whole.
    """
    return tuple(question for _, _, asked in _studied(sheet, matches, targets, zone) for question in asked)


def readings_of(
    sheet: Sheet,
    matches: Sequence[Match],
    targets: Sequence[Target],
    zone: ZoneInfo,
    answered: Mapping[str, Answers] = MappingProxyType({}),
) -> Mapping[str, Answers]:
    """Returns how each matched column is read: by what the file says of itself, then by what was answered.

    Hand each column's part to `read_cell`.

    Edge: where every time of a column of moments is midnight, days were meant and days are read. A column that excludes itself is read so that each of its cells is unread.
    """
    return {
        column: {**said, **{kind: one for kind, one in answered.get(column, {}).items() if kind not in said}}
        for column, said, _ in _studied(sheet, matches, targets, zone)
    }


def _studied(
    sheet: Sheet, matches: Sequence[Match], targets: Sequence[Target], zone: ZoneInfo
) -> Iterator[tuple[str, dict[str, str], list[Question]]]:
    """Yields each matched column with what the file says of it, and what it leaves open."""
    types = {target.name: target.type for target in targets}
    grouped = _written_once_a_group(sheet)
    units = dict(sheet.units)
    for match in matches:
        if match.target not in types or match.column not in sheet.columns:
            continue
        study = _Study(match.column, types[match.target], sheet, zone)
        if study.kind.kind in _DAYS:
            study.days()
        elif study.kind.kind == "time":
            beside = _day_beside(match, matches, types)
            study.times(dict(sheet.column(beside)) if beside in sheet.columns else {})
        elif study.kind.kind in _NUMBERS:
            study.numbers(units.get(match.column, ""))
        elif study.kind.kind == "choice":
            study.words()
        if match.column in grouped:
            study.ask(
                "below",
                f"'{match.column}' is blank on {lines_in_words(grouped[match.column])}, below a line that has it: is it the "
                "same there, written once for a group of lines?",
                {"same": "the same as on the line above", "blank": "nothing was written"},
                grouped[match.column],
            )
        yield match.column, study.said, study.asked


def _day_beside(clock: Match, matches: Sequence[Match], types: Mapping[str, Type]) -> str:
    """Returns the column with the days of a column of times: that of the same event, or the only one; else ""."""
    days = [one for one in matches if one.target and one.target in types and types[one.target].kind in _DAYS]
    of = [one.column for one in days if _owner(one) == _owner(clock)]
    return of[0] if len(of) == 1 else days[0].column if len(days) == 1 else ""


def _owner(match: Match) -> str:
    return (match.target or "").rpartition(".")[0]


class _Study:
    """What one column says of itself, and what it leaves open."""

    def __init__(self, column: str, kind: Type, sheet: Sheet, zone: ZoneInfo) -> None:
        self.column = column
        self.kind = kind
        self.zone = zone
        self.epoch = sheet.epoch
        self.said: dict[str, str] = {}
        self.asked: list[Question] = []
        self.cells = [(number, cell) for number, cell in sheet.column(column) if null_of(cell, kind) is None]

    def ask(self, kind: str, asks: str, choices: Mapping[str, str], lines: Iterable[int]) -> None:
        options = tuple(Choice(value, label) for value, label in choices.items())
        self.asked.append(Question(self.column, kind, asks, options, tuple(lines)[:_FEW]))

    def refuse(self, kind: str, asks: str, lines: Iterable[int]) -> None:
        self.ask(kind, asks, {}, lines)
        self.said[REFUSED] = asks

    # ---------------------------------------------------------------- days and times

    def times(self, days: Mapping[int, Cell]) -> None:
        """Finds whose times of day these are, with the days that stand beside them."""
        clocks = [(number, clock) for number, cell in self.cells if isinstance(cell, str) and (clock := clock_in(cell))]
        self.half_days(clocks)
        locals_: list[tuple[int, datetime]] = []
        for number, clock in clocks:
            cell = days.get(number)
            if isinstance(cell, date):
                locals_ += _ways(number, Day({"": (cell.year, cell.month, cell.day)}), clock)
            elif isinstance(cell, str) and (day := written(cell)[0]):
                locals_ += _ways(number, day, clock)
        self.clock(locals_)

    def days(self) -> None:
        days: list[tuple[int, Day]] = []
        clocks: list[tuple[int, Clock]] = []
        for number, cell in self.cells:
            day, clock = written(cell) if isinstance(cell, str) else (None, None)
            if day:
                days.append((number, day))
            if clock:
                clocks.append((number, clock))
        self.order(days)
        if short := [number for number, day in days if day.is_short]:
            self.ask(
                "century",
                f"'{self.column}' gives years of two figures ({lines_in_words(short)}): which century is meant?",
                {
                    "2000": "20..: 98 is 2098",
                    "split": "00 to 49 are 20.., 50 to 99 are 19..",
                    "1900": "19..: 24 is 1924",
                },
                short,
            )
        self.serials()
        native = [(number, cell) for number, cell in self.cells if isinstance(cell, datetime)]
        if self.kind.kind == "date" or not (clocks or native):
            return
        if all(_is_midnight(one) for _, one in clocks) and all(one.time() == time() for _, one in native):
            self.said["midnight"] = "day"  # a program that keeps days as times writes them so: a time nobody meant
            return
        self.half_days(clocks)
        by_line = dict(clocks)
        self.clock([*native, *(way for n, day in days if n in by_line for way in _ways(n, day, by_line[n]))])

    def order(self, days: Sequence[tuple[int, Day]]) -> None:
        """Finds whether day or month comes first: where cells exclude each other the column is refused."""
        open_days = [(number, day) for number, day in days if "" not in day.orders and day.orders]
        if not open_days:
            return
        possible = {"mdy", "dmy", "ymd"}
        for _, day in open_days:
            possible &= set(day.orders)
        if not possible:
            first = {order: [n for n, day in open_days if set(day.orders) == {order}] for order in _ORDERS}
            told = "; ".join(f"{_ORDERS[order]} on {lines_in_words(those)}" for order, those in first.items() if those)
            lines = [those[0] for those in first.values() if those]
            self.refuse(
                "day_order",
                f"'{self.column}' excludes itself: {told or 'no order fits all its days'}. None of it is read, since the days "
                "that fit both ways would be guessed; put those lines right, or write all days as 2024-03-05",
                lines,
            )
            return
        native = [number for number, cell in self.cells if isinstance(cell, date)]
        if (
            native
            and possible == {"dmy"}
            and all(_day_is_low(cell) for _, cell in self.cells if isinstance(cell, date))
        ):
            here = [number for number, day in open_days if set(day.orders) == {"dmy"}]
            self.refuse(
                "day_order",
                f"'{self.column}' holds days as texts with the day first ({lines_in_words(here)}) beside real days "
                f"({lines_in_words(native)}) of which none is after the 12th: a spreadsheet that puts the month first has "
                "turned day and month around in those. None of it is read; open the list as it was before, and save it with "
                "days written as 2024-03-05",
                [*here[:2], *native[:2]],
            )
        elif len(possible) == 1:
            self.said["day_order"] = next(iter(possible))
        else:
            shows = [number for number, day in open_days if len(set(day.orders.values())) > 1]
            if not shows:  # 3/3/2024 is the same day either way
                self.said["day_order"] = min(possible)
                return
            text = next(str(cell) for number, cell in self.cells if number == shows[0])
            self.ask(
                "day_order",
                f"every day of '{self.column}' can be read in more than one way, for example {shown(text)} on line {shows[0]}: "
                "what comes first?",
                {order: label for order, label in _ORDERS.items() if order in possible},
                shows,
            )

    def serials(self) -> None:
        """Finds days that stand as numbers: a spreadsheet counts them from 1900 or 1904; or years alone."""
        numbers = [(number, value) for number, cell in self.cells if (value := _serial(cell)) is not None]
        years = [number for number, value in numbers if value == int(value) and int(value) in _YEARS]
        counted = [number for number, value in numbers if not (value == int(value) and int(value) in _YEARS)]
        if years:
            self.ask(
                "year",
                f"'{self.column}' gives only the year on {lines_in_words(years)}: what is to be entered?",
                {"first": "the first day of that year", "none": "nothing: the line says that it could not be read"},
                years,
            )
        if counted and self.epoch:
            self.said["epoch"] = str(self.epoch)
        elif counted:
            value = next(value for number, value in numbers if number == counted[0])
            self.ask(
                "epoch",
                f"'{self.column}' gives numbers where days are expected, for example {value} on line {counted[0]}: does a "
                "spreadsheet's count of days stand there, and from when?",
                {
                    epoch: f"days since {epoch} ({value} is {_of_serial(value, epoch)})"
                    for epoch in _FIRST_SERIAL
                    if _of_serial(value, epoch) is not None
                }
                | {"none": "they are no days"},
                counted,
            )

    def half_days(self, clocks: Sequence[tuple[int, Clock]]) -> None:
        """Finds whether times without am or pm are of 24 hours."""
        bare = [(number, clock) for number, clock in clocks if not clock.half and not clock.is_24]
        if any(clock.hour > 12 or clock.hour == 0 for _, clock in bare):
            self.said["half_day"] = "24"
        elif bare:
            choices = {
                "24": "of 24 hours: all are before 1 in the afternoon",
                "am": "all in the morning",
                "pm": "all after noon",
            }
            if self.kind.kind == "moment":
                choices["none"] = "not known: only the day is taken"
            lines = [number for number, _ in bare]
            self.ask(
                "half_day",
                f"no time of '{self.column}' is later than 12 and none says am or pm ({lines_in_words(lines)}): "
                "morning or afternoon?",
                choices,
                lines,
            )

    def clock(self, found: Iterable[tuple[int, datetime]]) -> None:
        """Finds times that the town's clock skips or shows twice: whose clock is it?"""
        never: list[int] = []
        again: list[int] = []
        for number, local in found:
            how = _on_the_clock(local, self.zone)
            never += [number] if how == "never" else []
            again += [number] if how == "twice" else []
        if not (never or again):
            return
        skipped = f"a time in an hour that the town's clock skips ({lines_in_words(never)})" if never else ""
        doubled = f"a time in an hour that the town's clock shows twice ({lines_in_words(again)})" if again else ""
        seen = " and ".join(one for one in (skipped, doubled) if one)
        self.ask(
            "clock",
            f"'{self.column}' has {seen}: by which clock are the times of this column?",
            {
                "local": "the town's clock, summer and winter; those times are left unread, with what they may be",
                "standard": "standard time all year, as many recorders keep it",
                "utc": "Universal Time (UTC)",
            },
            sorted({*never, *again}),
        )

    # ---------------------------------------------------------------- numbers

    def numbers(self, head_unit: str) -> None:
        found = [(number, one) for number, cell in self.cells if isinstance(cell, str) and (one := number_in(cell))]
        points = [(number, one) for number, one in found if one.decimals]
        possible = {"point", "comma"}
        for _, one in points:
            possible &= set(one.decimals)
        if points and not possible:
            point = [number for number, one in points if set(one.decimals) == {"point"}]
            comma = [number for number, one in points if set(one.decimals) == {"comma"}]
            self.refuse(
                "decimal",
                f"'{self.column}' excludes itself: a point parts the decimals on {lines_in_words(point)}, a comma on "
                f"{lines_in_words(comma)}. None of it is read; write all numbers of the column alike",
                [*point[:2], *comma[:2]],
            )
        elif len(possible) == 1:
            self.said["decimal"] = next(iter(possible))
        elif shows := [number for number, one in points if len(set(one.decimals.values())) > 1]:
            text = next(str(cell) for number, cell in self.cells if number == shows[0])
            one = dict(points)[shows[0]]
            self.ask(
                "decimal",
                f"every number of '{self.column}' can be read in two ways, for example {shown(text)} on line {shows[0]}: which "
                "is it?",
                {
                    "point": f"a comma parts thousands, a point decimals: {one.decimals['point']}",
                    "comma": f"a comma parts decimals, a point thousands: {one.decimals['comma']}",
                },
                shows,
            )
        self.units(head_unit, found)

    def units(self, head_unit: str, found: Sequence[tuple[int, Number]]) -> None:
        unit = self.kind.unit
        if not unit:
            return
        if head_unit and _factor(head_unit, unit) is None:
            self.refuse(
                "unit",
                f"'{self.column}' is in {head_unit} and the field is in {unit}, which measure different things; match the "
                "column with another field",
                [],
            )
            return
        if head_unit:
            self.said["unit"] = head_unit
            return
        bare = [number for number, cell in self.cells if isinstance(cell, Decimal)]
        bare += [number for number, one in found if not one.unit]
        if bare and len(units := units_asked(unit)) > 1:
            told = {one: one for one in units} | (
                {"share": "a share of one: 0.25 is 25 percent"} if "share" in units else {}
            )
            self.ask("unit", f"the head of '{self.column}' does not say in which unit its numbers are", told, bare)

    # ---------------------------------------------------------------- words

    def words(self) -> None:
        """Finds words that are none of the field's: each is asked about once."""
        other: dict[str, list[int]] = {}
        for number, cell in self.cells:
            text = _text_of(cell)
            if not isinstance(cell, BadCell) and _word(text, self.kind) is None:
                other.setdefault(word_asked(text), []).append(number)
        for word, lines in sorted(other.items())[:_MOST_WORDS]:
            self.ask(
                word,
                f"'{self.column}' says '{shown(word.removeprefix('word '))}' ({lines_in_words(lines)}), which is no word of "
                "the record: what is it?",
                {one: one.replace("_", " ") for one in self.kind.words} | {NO_WORD: "none of them: the line says so"},
                lines,
            )


def _ways(number: int, day: Day, clock: Clock) -> Iterator[tuple[int, datetime]]:
    """Yields the local times that a day and a time may be, with their line; none where they say whose clock it is."""
    for year, month, day_number in () if clock.offset else day.orders.values():
        local = _combined(year + (2000 if day.is_short else 0), month, day_number, clock, "24")
        if isinstance(local, datetime):
            yield number, local


def _is_midnight(clock: Clock) -> bool:
    hour = clock.hour % 12 if clock.half == "a" else clock.hour
    return (hour, clock.minute, clock.second, clock.half in ("", "a"), clock.offset) == (0, 0, 0, True, "")


def _day_is_low(cell: date) -> bool:
    return cell.day <= 12


def _written_once_a_group(sheet: Sheet) -> dict[str, list[int]]:
    """Returns the columns, from the left, that look as if they were written once for several lines, with their blank lines."""
    found: dict[str, list[int]] = {}
    for column in sheet.columns:
        cells = sheet.column(column)
        blank = [number for number, cell in cells if is_blank(cell)]
        if not cells or is_blank(cells[0][1]) or len(blank) < 3 or Fraction(len(blank), len(cells)) < _SHARE_BLANK:
            break
        found[column] = blank
    return found


def filled_down(sheet: Sheet, readings: Mapping[str, Answers]) -> Sheet:
    """Returns the list with blanks filled from above, in the columns where somebody answered that a blank means the same.

    Edge: "unknown" and the like are no blanks; a blank above the first value stays one.
    """
    at = [n for n, column in enumerate(sheet.columns) if readings.get(column, NO_ANSWERS).get("below") == "same"]
    last: dict[int, Cell] = {}
    lines = []
    for line in sheet.lines:
        cells = list(line.cells)
        for n in at:
            if is_blank(cells[n]):
                cells[n] = last.get(n)
            last[n] = cells[n]
        lines.append(Line(line.number, tuple(cells)))
    return replace(sheet, lines=tuple(lines)) if at else sheet


# ------------------------------------------------------------------------------------------------ reading


def null_of(cell: Cell, kind: Type) -> Null | None:
    """Returns which null a cell is, or None where it says something.

    Edge: a word of the field goes before: "none" of a generator is an answer. A dash is blank, never zero. "N/A" says
    nothing about the value, and is not "asked and not known".

    Example:
        >>> null_of("N/A", Type("number")), null_of("unk", Type("number")), null_of("none", Type("choice", words=("none",)))
        (<Null.BLANK: 'blank'>, <Null.NOT_KNOWN: 'not known'>, None)
    """
    if cell is None:
        return Null.BLANK
    if not isinstance(cell, str):
        return None
    text = " ".join(cell.split()).lower()
    if text and kind.kind == "choice" and _word(text, kind) is not None:
        return None
    if text in _BLANKS:
        return Null.BLANK
    return Null.NOT_KNOWN if text in _NOT_KNOWN else None


def read_cell(cell: Cell, kind: Type, answers: Answers, zone: ZoneInfo) -> Value | Null | Unread:
    """Returns what a cell says as a value of a type, that it says nothing, or why it could not be read.

    Units: a number is returned in the unit of its type; one that has no end there is rounded to six places.

    Edge: a whole number is written as a text without its point: account 12345.0 is "12345". A time within the hour that
    comes twice is unread, with both readings. Fractions of a second are dropped, since the record keeps seconds; 24:00
    is the next day's 0:00. A day asked of a cell that also has a time is the day that is written.

    Refuses: as `Unread`, what is open and was not answered, a value beside a sign of doubt ("<5", "about 500"), a day where
    a number is expected (a spreadsheet made it of 3/4), a number of Excel with more than 15 digits where a text is wanted.

    Example:
        >>> new_york = ZoneInfo("America/New_York")
        >>> read_cell("3/4/2024", Type("date"), {"day_order": "mdy"}, new_york)
        datetime.date(2024, 3, 4)
        >>> read_cell("3/4/2024", Type("date"), {}, new_york).why
        'it is not settled whether day or month comes first'
        >>> read_cell(Decimal("12345.0"), Type("text"), {}, new_york)
        '12345'
    """
    if null := null_of(cell, kind):
        return null
    text = _text_of(cell)
    if REFUSED in answers:
        return Unread(answers[REFUSED], text)
    if isinstance(cell, BadCell):
        return Unread(cell.why, text)
    said: object
    match kind.kind:
        case "number" | "money":
            said = _said_number(cell, kind, answers)
        case "date" | "moment" | "instant":
            return _said_moment(cell, kind, answers, zone)
        case "time":
            clock = _said_clock(cell, answers)
            return clock if isinstance(clock, Unread) else clock.isoformat()
        case "bool":
            said = _said_bool(cell)
        case "choice":
            word = _word(text, kind)
            said = answers.get(word_asked(text), "") if word is None else word
            if said in ("", NO_WORD):
                return Unread(f"it is none of {', '.join(one.replace('_', ' ') for one in kind.words)}", text)
        case "text" | "ref":
            said = _said_text(cell)
        case _:
            return Unread(f"{kind} is not read from a list", text)
    return said if isinstance(said, Unread) else _entered(said, kind, zone, text)


def read_moment_of(
    day: Cell, clock: Cell, day_answers: Answers, clock_answers: Answers, zone: ZoneInfo
) -> Moment | Null | Unread:
    """Returns the moment of a day in one column and a time of day in another; the day alone where no time stands.

    Edge: a time that is not known leaves the day. A day that has a time in its own cell keeps it, and a second one beside it
    must be the same; midnight in the cell of the day is no time there.
    """
    read = read_cell(day, MOMENT, day_answers, zone)
    if isinstance(read, Null | Unread):
        return read
    if null_of(clock, Type("time")) or clock_answers.get("half_day") == "none":
        return read if isinstance(read, date) else Null.BLANK
    said = _refused(clock, clock_answers) or _said_clock(clock, clock_answers)
    if isinstance(said, Unread):
        return said
    local = _local_of(day, MOMENT, day_answers)
    if isinstance(local, Unread):
        return local
    if isinstance(local.when, datetime) and local.when.time() not in (time(), said):
        return Unread(f"its day has the time {local.when.time()} and the time beside it is {said}", _text_of(day))
    clock_text = clock_in(clock) if isinstance(clock, str) else None
    offset = clock_text.offset if clock_text else ""
    together = _Local(datetime.combine(local.when, said), offset or local.offset)
    clock_by = {"clock": clock_answers.get("clock", day_answers.get("clock", ""))}
    found = _moment_of(together, MOMENT, clock_by, zone, f"{_text_of(day)} {_text_of(clock)}")
    return found if isinstance(found, date | Null | Unread) else Null.BLANK


def _refused(cell: Cell, answers: Answers) -> Unread | None:
    if REFUSED in answers:
        return Unread(answers[REFUSED], _text_of(cell))
    return Unread(cell.why, cell.text) if isinstance(cell, BadCell) else None


def _entered(said: object, kind: Type, zone: ZoneInfo, text: str) -> Value | Unread:
    """Returns a value as whoever enters it would have it read."""
    entering = Entering(_NOTHING, zone)
    value = entering.value("it", kind, said)
    if entering.problems:
        return Unread("; ".join(one.removeprefix("it: ") for one in entering.problems), text)
    return value


def _text_of(cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case BadCell():
            return cell.text
        case bool():
            return "yes" if cell else "no"
        case Decimal():
            return _plainly(cell)
        case datetime():
            return cell.isoformat(sep=" ")
        case date():
            return cell.isoformat()
    return cell.strip()


def _plainly(number: Decimal) -> str:
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _said_text(cell: Cell) -> str | Unread:
    if isinstance(cell, Decimal) and abs(cell) >= _LARGEST:
        return Unread(
            "a spreadsheet keeps 15 digits of a number and drops the rest; format the column as text and write it again",
            _text_of(cell),
        )
    return _text_of(cell)


def _said_bool(cell: Cell) -> object:
    if isinstance(cell, Decimal) and cell in (0, 1):
        return bool(cell)
    return _YES.get(cell.strip().lower(), cell) if isinstance(cell, str) else _text_of(cell)


def _bare(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _word(text: str, kind: Type) -> str | None:
    """Returns the word of a choice that a text is, however it is written."""
    found = [word for word in kind.words if _bare(word) == _bare(text)] if _bare(text) else []
    return found[0] if len(found) == 1 else None


def word_asked(text: str) -> str:
    """Returns the kind of the question that asks what a word of a list is."""
    return f"word {' '.join(text.lower().split())}"


# ------------------------------------------------------------------------------------------------ numbers


def _factor(from_unit: str, to_unit: str) -> tuple[Fraction, str] | None:
    """Returns a factor and a unit that together are `from_unit`, where it measures the same as the other; else None."""
    if from_unit == "share":
        return Fraction(100), to_unit
    head, _, rest = from_unit.partition(" ")
    factor, unit = (Fraction(head), rest) if head.isdigit() else (Fraction(1), from_unit)
    try:
        return (factor, unit) if is_convertible(unit, to_unit) else None
    except UnitError:
        return None


def _said_number(cell: Cell, kind: Type, answers: Answers) -> object:
    text = _text_of(cell)
    unit = answers.get("unit", "")
    if isinstance(cell, bool):
        return Unread("a number is needed", text)
    if isinstance(cell, date):
        return Unread(
            "a day stands where a number is needed; a spreadsheet may have made it of a fraction such as 3/4", text
        )
    if isinstance(cell, Decimal):
        value = cell
    else:
        found = number_in(text)
        if found is None:
            return Unread("it is no number; write figures and a point, with nothing beside them", text)
        if found.unit:
            unit = found.unit
        if not found.decimals:
            value = found.value
        elif len(set(found.decimals.values())) == 1:
            value = next(iter(found.decimals.values()))
        elif answers.get("decimal") in found.decimals:
            value = found.decimals[answers["decimal"]]
        else:
            return Unread("it is not settled whether a comma or a point parts the decimals", text)
        if "decimal" in answers and found.decimals and answers["decimal"] not in found.decimals:
            return Unread("its signs do not fit how the numbers of this column are written", text)
    if not unit:
        if kind.unit and len(units_asked(kind.unit)) > 1:
            return Unread("it is not settled in which unit the numbers of this column are", text)
        return value
    if not kind.unit:
        return Unread(f"it is in {unit} and the field has no unit", text)
    factor = _factor(unit, kind.unit)
    if factor is None:
        return Unread(f"it is in {unit} and the field is in {kind.unit}", text)
    number = convert(Fraction(value) * factor[0], factor[1], kind.unit)
    return value if number == value else _decimal(Fraction(number))


def _decimal(number: Fraction) -> Decimal:
    """Returns a fraction as a decimal number, rounded to six places where it has no end."""
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    with localcontext() as exactly:
        exactly.prec = _DIGITS
        value = Decimal(number.numerator) / Decimal(number.denominator)
        return value if rest == 1 else value.quantize(_PLACES)


# ------------------------------------------------------------------------------------------------ days and times


@dataclass(frozen=True, slots=True)
class _Local:
    """A day, or a time of a clock, as it is written, with its offset where it says one."""

    when: date
    offset: str = ""


def _serial(cell: Cell) -> Decimal | None:
    """Returns a number that stands where a day is expected."""
    if isinstance(cell, Decimal):
        return cell if 0 < cell <= _LAST_SERIAL else None
    if isinstance(cell, str) and re.fullmatch(r"\d{4,6}(\.\d+)?", cell.strip(), re.ASCII):
        return Decimal(cell.strip())
    return None


def _of_serial(value: Decimal, epoch: str) -> date | None:
    """Returns the day, or the local time, that a spreadsheet counts so.

    Source: both counts as ECMA-376 part 1, 18.17.4.1 gives them; 1900 has a 29 February there that was not.
    """
    days = int(value)
    if (epoch == "1900" and days == _LEAP_DAY_THAT_WAS_NOT) or days > _LAST_SERIAL:
        return None
    extra = 1 if epoch == "1900" and days < _LEAP_DAY_THAT_WAS_NOT else 0
    try:
        day = _FIRST_SERIAL[epoch] + timedelta(days=days + extra)
        seconds = int((value - days) * 86_400 + Decimal("0.5"))
        return datetime.combine(day, time()) + timedelta(seconds=seconds) if seconds else day
    except OverflowError:
        return None


def _local_of(cell: Cell, kind: Type, answers: Answers) -> _Local | Unread:
    """Returns the day or local time that a cell names, by the answers for its column."""
    text = _text_of(cell)
    if isinstance(cell, datetime) and answers.get("midnight") == "day":
        return _Local(cell.date())
    half_day = "none" if kind.kind == "date" or answers.get("midnight") == "day" else answers.get("half_day", "")
    if isinstance(cell, date):
        return _Local(cell)
    if (value := _serial(cell)) is not None:
        return _counted(value, answers, text)
    if isinstance(cell, bool | BadCell | None):
        return Unread("a day is needed", text)
    day, clock = written(text)
    if day is None:
        return Unread("it is no day that can be read; write it as 2024-03-05", text)
    if not day.orders:
        return Unread("there is no such day", text)
    if "" in day.orders or len(set(day.orders.values())) == 1:
        year, month, number = next(iter(day.orders.values()))
        if "day_order" in answers and "" not in day.orders and answers["day_order"] not in day.orders:
            return Unread("it does not fit the order of day and month in this column", text)
    elif "day_order" not in answers:
        return Unread("it is not settled whether day or month comes first", text)
    elif answers["day_order"] in day.orders:
        year, month, number = day.orders[answers["day_order"]]
    else:
        return Unread("it does not fit the order of day and month in this column", text)
    if day.is_short:
        century = answers.get("century", "")
        if century not in ("1900", "2000", "split"):
            return Unread("it is not settled which century its year is of", text)
        year += 1900 if century == "1900" or (century == "split" and year >= 50) else 2000
    local = _combined(year, month, number, clock, half_day)
    if isinstance(local, str):
        return Unread(local, text)
    if isinstance(local, datetime) and answers.get("midnight") == "day":
        local = local.date()
    return _Local(local, clock.offset if clock else "")


def _counted(value: Decimal, answers: Answers, text: str) -> _Local | Unread:
    if value == int(value) and int(value) in _YEARS:
        if answers.get("year") == "first":
            return _Local(date(int(value), 1, 1))
        return Unread("only the year is given; write the day, as 2024-03-05", text)
    epoch = answers.get("epoch", "")
    if epoch not in _FIRST_SERIAL:
        return Unread("a number stands where a day is needed, and it is not settled that days are counted so", text)
    found = _of_serial(value, epoch)
    return Unread("no day has that number", text) if found is None else _Local(found)


def _combined(year: int, month: int, day: int, clock: Clock | None, half_day: str) -> date | str:
    """Returns a day, or a local time; a text says why there is none."""
    try:
        on = date(year, month, day)
        if clock is None:
            return on
        hour = _hour(clock, half_day)
        if hour is None:
            return on
        if isinstance(hour, str):
            return hour
        return datetime.combine(on, time(hour % 24, clock.minute, clock.second)) + timedelta(days=hour // 24)
    except (ValueError, OverflowError):
        return "there is no such day or time"


def _hour(clock: Clock, half_day: str) -> int | str | None:
    """Returns the hour of 24; None where only the day is to be taken; a text where it is not settled."""
    if clock.half:
        return clock.hour % 12 + (12 if clock.half == "p" else 0)
    if clock.is_24 or clock.hour > 12 or clock.hour == 0:
        return clock.hour
    match half_day:
        case "24":
            return clock.hour
        case "am":
            return clock.hour % 12
        case "pm":
            return clock.hour % 12 + 12
        case "none":
            return None
    return "it is not settled whether its time is before or after noon"


def _said_clock(cell: Cell, answers: Answers) -> time | Unread:
    """Returns the time of day of a cell."""
    text = _text_of(cell)
    if isinstance(cell, datetime):
        return cell.time()
    if isinstance(cell, Decimal) and 0 <= cell < 1:
        return (datetime.min + timedelta(seconds=int(cell * 86_400 + Decimal("0.5")) % 86_400)).time()  # noqa: DTZ901
    clock = clock_in(text) if isinstance(cell, str | Decimal) else None
    if clock is None:
        return Unread("it is no time of day; write it as 14:30", text)
    hour = _hour(clock, answers.get("half_day", ""))
    if hour is None or isinstance(hour, str):
        return Unread(hour or "only the day is taken", text)
    return Unread("a day ends at 23:59", text) if hour > 23 else time(hour, clock.minute, clock.second)


def _said_moment(cell: Cell, kind: Type, answers: Answers, zone: ZoneInfo) -> Value | Unread:
    text = _text_of(cell)
    local = _local_of(cell, kind, answers)
    if isinstance(local, Unread):
        return local
    return _moment_of(local, kind, answers, zone, text)


def _moment_of(local: _Local, kind: Type, answers: Answers, zone: ZoneInfo, text: str) -> Value | Unread:
    """Returns a day, or the instant of a local time by the clock of its column."""
    if kind.kind == "date" or not isinstance(local.when, datetime):
        day = local.when.date() if isinstance(local.when, datetime) else local.when
        return _entered(day.isoformat(), kind, zone, text)
    said = local.when.isoformat()
    offset = local.offset
    if offset.isalpha():
        offset = _offset_of(offset, local.when, zone)
        if not offset:
            return Unread(f"{local.offset} is no clock of {zone}; write the offset, as -05:00", text)
    if not offset and answers.get("clock") == "utc":
        offset = "Z"
    elif not offset and answers.get("clock") == "standard":
        offset = _standard(local.when, zone)
    how = "once" if offset else _on_the_clock(local.when, zone)
    found = _entered(said + offset, kind, zone, text)
    if how == "twice" and isinstance(found, Unread):
        both = tuple(_entered(said + one, kind, zone, text) for one in _both(local.when, zone))
        return replace(found, readings=tuple(one for one in both if not isinstance(one, Unread)))
    return found


def _on_the_clock(local: datetime, zone: ZoneInfo) -> str:
    """Returns whether the clock of a zone shows a time once, twice or never."""
    first, again = (local.replace(tzinfo=zone, fold=fold).utcoffset() for fold in (0, 1))
    if first is None or again is None or first == again:
        return "once"
    return "twice" if first > again else "never"


def _both(local: datetime, zone: ZoneInfo) -> tuple[str, str]:
    first, again = (local.replace(tzinfo=zone, fold=fold).isoformat()[19:] for fold in (0, 1))
    return first, again


def _standard(local: datetime, zone: ZoneInfo) -> str:
    """Returns the offset of standard time: of the clock, without what summer adds."""
    here = local.replace(tzinfo=zone)
    return _said_offset((here.utcoffset() or timedelta()) - (here.dst() or timedelta()))


def _said_offset(offset: timedelta) -> str:
    minutes = int(offset.total_seconds()) // 60
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def _offset_of(name: str, local: datetime, zone: ZoneInfo) -> str:
    """Returns the offset of a clock by its name (EST, EDT), where the zone has that clock in that year."""
    if name in ("Z", "UTC", "GMT"):
        return "Z"
    for month in (1, 7):
        here = local.replace(month=month, day=1, tzinfo=zone)
        if here.tzname() == name:
            return _said_offset(here.utcoffset() or timedelta())
    return ""
