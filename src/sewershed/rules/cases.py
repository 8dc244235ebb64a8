"""Worked cases: what is given, what is asked, and what must come out, as data that a lawyer can read (docs/explanation/rulebook.md 19).

The format is described in docs/reference/cases.md. `read_cases` reads a file or a folder of them; `run_case` works one out
and returns what came out otherwise than expected, in sentences. Only what a case expects is compared.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sewershed.rules.findings import OPEN_STATES, Exposure, Finding, Obligation
from sewershed.rules.given import Given, GivenError, instant_asked
from sewershed.rules.library import Library, Program, load
from sewershed.rules.moments import MomentError, read_day, read_moment, say
from sewershed.rules.problems import RulebookError, did_you_mean
from sewershed.rules.todo import Line
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown
from sewershed.rules.world import World

_GIVEN_KEYS = ("vocabulary", "rulebook", "book")
_CASE_KEYS = (
    "id", "like", "origin", "about", "book", "rulebook", "rule", "parents", "facts", "events", "as_of", "known_at", "expect",
)  # fmt: skip
_EXPECT_KEYS = (
    "obligations", "findings", "answers", "exposure", "todo", "may", "error", "exactly", "not_owed", "not_regulated",
)  # fmt: skip

_MAY_KEYS = ("event", "subject", "at", "role", "data", "contains")  # the question; the other keys describe the finding


class CaseError(ValueError):
    """A case that cannot be read, with every reason in a sentence."""


@dataclass(frozen=True, slots=True)
class OwnBook:
    """A rulebook that a case brings with it: its identity and its entries, as TOML."""

    rulebook: str
    rule: str


@dataclass(frozen=True, slots=True)
class Case:
    """One worked case."""

    id: str
    file: Path
    origin: str
    book: str  # the id of the book under which it is asked
    books: tuple[OwnBook, ...]  # the books it brings itself, the most local last; empty: the book stands in the library
    vocabularies: tuple[Path, ...]  # the vocabulary of its own books; empty: that of the programs
    facts: Mapping[str, Mapping[str, Any]]
    events: tuple[Mapping[str, Any], ...]
    as_of: str
    known_at: str
    expect: Mapping[str, Any]
    is_exact: bool = field(default=False)
    about: tuple[str, ...] = ()  # entries that it works besides those that it expects something of

    def __str__(self) -> str:
        return f"{self.file.stem} {self.id}"


# --------------------------------------------------------------------------- reading


def read_cases(path: Path) -> list[Case]:
    """Returns the cases of a file, or of every file of a folder.

    Raises:
        CaseError: with everything that is wrong with them. A case that expects nothing is refused.
    """
    files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    faults: list[str] = []
    cases = [case for file in files for case in _read_file(file, faults)]
    if faults:
        raise CaseError("\n".join(faults))
    return cases


def _read_file(file: Path, faults: list[str]) -> Iterator[Case]:
    try:
        data = tomllib.loads(file.read_text("utf-8"), parse_float=Decimal)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        faults.append(f"{file.name}: cannot be read: {error}")
        return
    _note_unknown(data, ("given", "case"), file.name, faults)
    given = data.get("given", {})
    _note_unknown(given, _GIVEN_KEYS, f"{file.name}: given", faults)
    read: dict[str, dict[str, Any]] = {}
    for table in data.get("case", ()):
        name = f"{file.name}: {table.get('id', 'a case without id')}"
        if not table.get("id"):
            faults.append(f"{name}: 'id' is missing")
            continue
        if table["id"] in read:
            faults.append(f"{name}: id used twice")
        like = table.get("like")
        if like is not None and like not in read:
            faults.append(f"{name}: like: no case '{like}' before it{did_you_mean(str(like), read)}")
            continue
        whole = {**read.get(str(like), {}), **table}
        read[str(table["id"])] = whole
        case = _case(file, name, given, whole, faults)
        if case is not None:
            yield case


def _case(file: Path, name: str, given: Mapping[str, Any], table: Mapping[str, Any], faults: list[str]) -> Case | None:
    before = len(faults)
    _note_unknown(table, _CASE_KEYS, name, faults)
    expect = table.get("expect", {})
    _note_unknown(expect, _EXPECT_KEYS, f"{name}: expect", faults)
    faults += [f"{name}: '{key}' is missing" for key in ("origin", "as_of") if not table.get(key)]
    if not any(key in expect for key in _EXPECT_KEYS if key != "exactly"):
        faults.append(f"{name}: it expects nothing; write what must come out under expect")
    books: tuple[OwnBook, ...] = ()
    book = str(table.get("book", given.get("book", "")))
    if "rule" in table:
        identity = str(table.get("rulebook", given.get("rulebook", "")))
        parents = [OwnBook(str(one.get("rulebook", "")), str(one.get("rule", ""))) for one in table.get("parents", ())]
        books = (*parents, OwnBook(identity, str(table["rule"])))
        try:
            book = str(tomllib.loads(identity).get("id", ""))
        except tomllib.TOMLDecodeError as error:
            faults.append(f"{name}: rulebook cannot be read: {error}")
    if not book:
        faults.append(f"{name}: write rule = the entries it is about, or book = the id of a rulebook")
    if len(faults) > before:
        return None
    return Case(
        id=str(table["id"]),
        file=file,
        origin=str(table["origin"]),
        book=book,
        books=books,
        vocabularies=tuple(file.parent / one / "vocabulary.toml" for one in given.get("vocabulary", ())),
        facts=table.get("facts", {}),
        events=tuple(table.get("events", ())),
        as_of=str(table["as_of"]),
        known_at=str(table.get("known_at", "")),
        expect={key: value for key, value in expect.items() if key != "exactly"},
        is_exact=bool(expect.get("exactly", False)),
        about=tuple(table.get("about", ())),
    )


def _note_unknown(table: Mapping[str, Any], known: Sequence[str], where: str, faults: list[str]) -> None:
    faults += [f"{where}: unknown key '{key}'{did_you_mean(key, known)}" for key in table if key not in known]


# --------------------------------------------------------------------------- running


def run_case(case: Case, programs: Iterable[Program] = (), library: Library | None = None) -> list[str]:
    """Returns what comes out otherwise than a case expects, in sentences; nothing when it is right.

    Args:
        case: the case.
        programs: what books that the case brings itself may call, and whose vocabulary they speak when the case's file
            names none.
        library: where the book of a case that names one is found.
    """
    wanted = case.expect.get("error")
    try:
        found = work_out(case, programs, library).differences()
    except CaseError as error:
        return [str(error)]
    except (RulebookError, GivenError, MomentError) as error:
        said = _message(error)
        if wanted is None:
            return [f"refused: {said}"]
        return [] if said == wanted else [f"refused with another message: {said}"]
    return found if wanted is None else ["nothing was refused", *found]


def _message(error: Exception) -> str:
    """Returns the message of a refusal; that of a loader without the names of files, which a case does not give."""
    if isinstance(error, RulebookError):
        return "\n".join(problem.text for problem in error.problems)
    return str(error)


@dataclass(frozen=True, slots=True)
class Worked:
    """A case that was worked out: the world that its record comes to, and how that differs from what it expects."""

    case: Case
    world: World
    given: Given

    def differences(self) -> list[str]:
        """Returns what came out otherwise than expected, in sentences; nothing when it is right."""
        return [text for key in self.case.expect if key != "error" for text in self._checks(self.case).of(key)]

    def differences_of(self, key: str, wanted: Mapping[str, Any]) -> list[str]:
        """Returns what came out otherwise than one expectation alone says: one item of the list under a key of ``expect``."""
        return self._checks(replace(self.case, expect={key: [wanted]}, is_exact=False)).of(key)

    def findings_of(self, wanted: Mapping[str, Any]) -> list[Finding]:
        """Returns how every rule would judge an act that a case asks about ahead: one item under ``may``."""
        data = self.given.data(str(wanted["event"]), wanted.get("data", {}))
        moment = read_moment(str(wanted["at"]), self.world.zone)
        contains = [str(one) for one in wanted.get("contains", ())]
        return self.world.may(
            str(wanted["event"]), str(wanted["subject"]), moment, str(wanted.get("role", "")), data, contains
        )

    def _checks(self, case: Case) -> _Checks:
        return _Checks(case, self)


def work_out(case: Case, programs: Iterable[Program] = (), library: Library | None = None) -> Worked:
    """Returns what a case's record comes to under its book, as of its moment.

    Refuses: a book that is not in the library, and a record that would be refused when somebody enters it.

    Args:
        case: the case.
        programs: as `run_case`.
        library: as `run_case`.

    Raises:
        RulebookError: where the books that the case brings itself cannot be loaded.
        CaseError: where there is no such book.
        GivenError: for a thing or a row that is refused.
        MomentError: for a moment that is none.
    """
    if case.books:
        library = _load_own(case, programs)
    if library is None or case.book not in library.books:
        raise CaseError(f"no rulebook '{case.book}'")
    book = library.books[case.book]
    given = Given(book.vocabulary, book.zone)
    given.take(case.facts, case.events)
    known_at = instant_asked(case.known_at, book.zone) if case.known_at else None
    return Worked(case, World(library, case.book, given, instant_asked(case.as_of, book.zone), known_at), given)


def _load_own(case: Case, programs: Iterable[Program]) -> Library:
    programs = list(programs)
    if case.vocabularies:
        functions = tuple(one for program in programs for one in program.functions)
        providers = tuple(one for program in programs for one in program.providers)
        first, *rest = case.vocabularies
        programs = [Program(first, functions, providers), *(Program(path) for path in rest)]
    with tempfile.TemporaryDirectory() as folder:
        shelves = []
        for number, own in enumerate(case.books):
            shelf = Path(folder) / f"book{number}"
            shelf.mkdir()
            (shelf / "rulebook.toml").write_text(own.rulebook, "utf-8")
            (shelf / "rules.toml").write_text(own.rule, "utf-8")
            shelves.append(shelf)
        return load(programs, shelves)


# --------------------------------------------------------------------------- comparing


@dataclass(frozen=True, slots=True)
class _Checks:
    """Compares what a world answers with what a case expects."""

    case: Case
    worked: Worked

    @property
    def world(self) -> World:
        """Returns the world of the case."""
        return self.worked.world

    @property
    def zone(self) -> ZoneInfo:
        """Returns the zone of its book."""
        return self.worked.world.zone

    def of(self, key: str) -> list[str]:
        """Returns the differences under one key of ``expect``."""
        wanted = self.case.expect[key]
        match key:
            case "obligations":
                return self._matched("obligation", wanted, [self._obligation(one) for one in self.world.obligations()])
            case "findings":
                return self._matched("finding", wanted, [self._finding(one) for one in self.world.findings()])
            case "exposure":
                return self._matched("exposure", wanted, [self._exposure(one) for one in self.world.exposure()])
            case "todo":
                return self._in_order(wanted, [self._todo(one) for one in self.world.todo()])
            case "answers":
                return [text for one in wanted for text in self._answer(one)]
            case "may":
                return [text for one in wanted for text in self._may(one)]
            case "not_owed":
                listed = [self._obligation(one) for one in self.world.obligations()]
                owed = {*OPEN_STATES, "met", "met_late"}
                return [
                    f"not owed, but it is {_say(one)}"
                    for description in wanted
                    for one in listed
                    if not _differ(description, one) and one["state"] in owed
                ]
            case _:
                findings = [self._finding(one) for one in self.world.findings()]
                return [
                    f"not regulated, but it is {_say(one)}"
                    for description in wanted
                    for one in findings
                    if not _differ(description, one) and one["outcome"] != "NOT_REGULATED"
                ]

    # ---------------------------------------------------------------- what came out, in the words of a case

    def _moment(self, moment: date | None) -> str:
        return "none" if moment is None else say(moment, self.zone)

    def _obligation(self, one: Obligation) -> dict[str, Any]:
        return {
            "rule": one.rule,
            "subject": one.thing,
            "state": one.state,
            "due": self._moment(one.due),
            "late": "unknown" if one.late is None else one.late,
            "label": one.label,
            "key": one.key,
            "opened_by": one.opened_by,
            "met_by": one.met_by,
            "asks": [str(want) for want in one.asks],
            "doubts": list(one.doubts),
            "if_read_as": [other.text for other in one.if_read_as],
            "notes": list(one.notes),
            "count": one.count,
        }

    def _finding(self, one: Finding) -> dict[str, Any]:
        return {
            "rule": one.rule,
            "subject": one.thing,
            "about": one.about,
            "outcome": one.outcome,
            "void": one.is_void,
            "steps": list(one.steps),
            "asks": [str(want) for want in one.asks],
            "doubts": list(one.doubts),
            "if_read_as": [other.text for other in one.if_read_as],
            "notes": list(one.notes),
            "defends": list(one.defends),
        }

    def _exposure(self, one: Exposure) -> dict[str, Any]:
        return {
            "penalty": one.rule,
            "rule": one.breached,
            "subject": one.thing,
            "first": one.first_on.isoformat(),
            "lowest": _plain(one.lowest),
            "highest": _plain(one.highest),
            "days": one.days,
            "asks": [str(want) for want in one.asks],
            "if_read_as": [other.text for other in one.if_read_as],
            "factors": list(one.factors),
        }

    def _todo(self, one: Line) -> dict[str, Any]:
        return {
            "rule": one.first.rule,
            "rules": list(one.rules),
            "subject": one.thing,
            "state": one.state,
            "word": one.word,
            "due": self._moment(one.due),
            "label": one.first.label,
            "count": one.count,
            "also": list(one.also),
            "asks": [str(want) for want in one.asks],
            "if_read_as": [other.text for other in one.if_read_as],
            "notes": list(one.notes),
        }

    # ---------------------------------------------------------------- lists

    def _matched(self, noun: str, wanted: Sequence[Mapping[str, Any]], found: list[dict[str, Any]]) -> list[str]:
        """Returns a sentence for each description that not exactly one fits, and, where all must be listed, for the rest."""
        differences: list[str] = []
        taken: set[int] = set()
        for description in wanted:
            fitting = [number for number, one in enumerate(found) if not _differ(description, one)]
            if len(fitting) == 1 and fitting[0] not in taken:
                taken.add(fitting[0])
            elif len(fitting) > 1:
                differences.append(f"{len(fitting)} {noun}s fit {_say(description)}; say more, so that one does")
            elif fitting:
                differences.append(f"two descriptions fit one {noun}: {_say(description)}")
            else:
                differences.append(_nearest(noun, description, found))
        if self.case.is_exact:
            rest = [one for number, one in enumerate(found) if number not in taken]
            differences += [f"{noun} not expected: {_say(one)}" for one in rest]
        return differences

    def _in_order(self, wanted: Sequence[Mapping[str, Any]], found: list[dict[str, Any]]) -> list[str]:
        differences = [
            f"to-do line {number}: {difference}"
            for number, (description, one) in enumerate(zip(wanted, found, strict=False), start=1)
            for difference in _differ(description, one)
        ]
        if len(wanted) != len(found):
            lines = "; ".join(_say(one) for one in found) or "none"
            differences.append(f"{len(found)} to-do lines, not {len(wanted)}: {lines}")
        return differences

    # ---------------------------------------------------------------- questions

    def _answer(self, wanted: Mapping[str, Any]) -> list[str]:
        name, subject = str(wanted["name"]), wanted.get("subject")
        day = read_day(str(wanted["day"])) if "day" in wanted else self.world.today
        value = self.world.answer(name, subject, day)
        told = {
            "is": "unknown" if isinstance(value, Unknown) else _plain(value),
            "asks": [str(want) for want in value.wants] if isinstance(value, Unknown) else [],
        }
        where = f"{name}{f' of {subject}' if subject else ''} on {day}"
        asked = {key: one for key, one in wanted.items() if key not in ("name", "subject", "day")}
        return [f"{where}: {difference}" for difference in _differ(asked, told)]

    def _may(self, wanted: Mapping[str, Any]) -> list[str]:
        event, subject = str(wanted["event"]), str(wanted["subject"])
        findings = self.worked.findings_of(wanted)
        described = {key: one for key, one in wanted.items() if key not in _MAY_KEYS}
        listed = [self._finding(one) for one in findings]
        fitting = [one for one in listed if not _differ(described, one)]
        if len(fitting) == 1:
            return []
        where = f"may {event} on {subject} at {wanted['at']}"
        return [f"{where}: {_nearest('finding', described, listed)}"]


def _nearest(noun: str, description: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> str:
    if not found:
        return f"no {noun} at all, expected {_say(description)}"
    nearest = min(found, key=lambda one: len(_differ(description, one)))
    return f"no {noun} fits {_say(description)}; nearest: {'; '.join(_differ(description, nearest))} ({_say(nearest)})"


def _differ(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """Returns in which of the expected keys something differs from its description."""
    differences = []
    for key, value in wanted.items():
        if key not in found:
            differences.append(f"nothing is called '{key}'{did_you_mean(key, found)}")
        elif not _COMPARE.get(key, _is_same)(value, found[key]):
            differences.append(f"{key} is {_plain(found[key])!r}, not {_plain(value)!r}")
    return differences


def _is_same(wanted: Any, found: Any) -> bool:
    """Tells whether a figure, a word or a day is the expected one. Edge: true is not 1."""
    if isinstance(wanted, bool) != isinstance(found, bool):
        return False
    return bool(_plain(wanted) == found)


def _is_said(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """Tells whether every expected sentence, or part of one, is said."""
    return all(any(part in sentence for sentence in found) for part in wanted)


def _are_all_said(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """Tells whether the sentences are the expected ones and no others; a part of each is enough."""
    return len(wanted) == len(found) and _is_said(wanted, found)


def _are_asked(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """Tells whether exactly the expected things are asked. A gap or a silence may be given by its words alone."""
    return len(wanted) == len(found) and all(
        any(said == one or said.endswith(f": {one}") for said in found) for one in wanted
    )


def _are_same(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """Tells whether two lists hold the same, in any order."""
    return sorted(wanted) == sorted(found)


_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "asks": _are_asked,
    "if_read_as": _are_all_said,
    "notes": _is_said,
    "steps": _is_said,
    "doubts": _are_same,
    "rules": _are_same,
    "also": _are_all_said,
    "factors": _are_same,
    "defends": _are_same,
}


def _plain(value: Any) -> Any:
    """Returns a value as a case would write it."""
    if isinstance(value, Thing):
        return value.id
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else value.normalize()
    return value


def _say(table: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {_plain(value)}" for key, value in table.items() if value not in ("", [], {}, None, ()))
