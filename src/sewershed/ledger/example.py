"""An example town from data: its people, things and rows are read from files and entered through the actions, in order of time.

The files stand under `sewershed/examples/<name>/`; what is in them is data, so that another example needs no code. Each row
is entered at the instant at which somebody would have entered it, on the example's own clock.

    example.toml    book, now, founded_at, the facts of the town, the accounts and whose they are
    *.toml          [[thing]] type, id, facts, aliases, day, rows = [ ... ]; a thing without facts is one that is there already
                    [[round]] event, things, from, until, every_days, by, data: the same visit again and again
    map/*.geojson   laid into the town's own folder of maps

A row says what it is by one of the keys `event`, `facts`, `decide`, `settle`, `correct`, `withdraw`, `join`, `attach`, `issue`.
A time of day alone is that of the thing's `day`. Its id is the thing's with its number, `s22-01.3`, unless it says another.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import sewershed
from sewershed.ledger import accounts, actions, clock, files, papers, rights, working
from sewershed.ledger import log as logbook
from sewershed.ledger.errors import LedgerError, Refused
from sewershed.ledger.models import Account
from sewershed.rules.moments import is_instant, read_moment
from sewershed.rules.record import Moment

SHELF = Path(sewershed.__path__[0]) / "examples"
HEAD_FILE = "example.toml"
FOUNDING_ROWS = 2  # the town and its supplement, which stand before anything is played
_CLOSING = time(17)  # when somebody enters what has a day alone
_FILE = "file:"  # a value that begins so is the hash of a file of the example
_KINDS = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".pdf": "application/pdf",
    ".txt": "text/plain",
    ".csv": "text/csv",
}
_WAYS = ("event", "facts", "decide", "settle", "correct", "withdraw", "join", "attach", "issue")


@dataclass(frozen=True, slots=True)
class Example:
    """What an example's own file says of it."""

    folder: Path
    book: str
    now: datetime
    founded_at: datetime
    facts: Mapping[str, Any]
    accounts: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class _Deed:
    """One thing to do, at the instant at which it is entered."""

    at: datetime
    where: str  # file and row, for a message
    do: Callable[[], object] = field(compare=False)


def read_example(name: str = "") -> Example:
    """Returns what an example says of itself; the first there is, if none is named.

    Refuses: an example that there is not.

    Raises:
        Refused: with those there are.
    """
    known = names()
    chosen = name or next(iter(known), "")
    path = SHELF / chosen / HEAD_FILE
    if chosen not in known:
        raise Refused(f"there is no example {name!r}; there are {', '.join(known) or 'none'}")
    said = tomllib.loads(path.read_text("utf-8"))
    return Example(
        path.parent, str(said["book"]), datetime.fromisoformat(said["now"]), datetime.fromisoformat(said["founded_at"]),
        said["town"], tuple(said["account"]),
    )  # fmt: skip


def names() -> list[str]:
    """Returns the names of the examples that came with the package."""
    return sorted(path.parent.name for path in SHELF.glob(f"*/{HEAD_FILE}"))


def is_played() -> bool:
    """Tells whether the open town holds more than the rows with which every town begins."""
    return logbook.head().position > FOUNDING_ROWS


def play(example: Example, progress: Callable[[str], None] = lambda _: None) -> None:
    """Enters an example into the open town, all of it or nothing, and works out what follows.

    Edge: of deeds of one instant, that which stands first in the files is done first.

    Refuses: a town that is no example, one that holds rows already, and a row that could not be entered otherwise.

    Args:
        example: what to play.
        progress: is told how far it has come.

    Raises:
        Refused: naming file and row.
    """
    if is_played():
        raise Refused(f"{clock.current_town().name} holds a record already; make the example in another folder")
    with actions.together():
        player = _Player(example)
        deeds = sorted(
            player.deeds(), key=lambda deed: deed.at
        )  # stable: the order of the files counts within an instant
        for number, deed in enumerate(deeds, 1):
            if number % 100 == 0:
                progress(f"{number} of {len(deeds)} rows")
            with clock.at(deed.at):
                try:
                    deed.do()
                except (LedgerError, ValueError, KeyError, TypeError) as error:
                    raise Refused(f"{deed.where}: {error}") from error
    for path in sorted(example.folder.glob("map/*.geojson")):
        clock.current_town().maps.mkdir(parents=True, exist_ok=True)
        files.put(clock.current_town().maps / path.name, path.read_bytes())
    progress("working out what follows")
    with clock.at(example.now):  # not the few seconds later that playing took
        working.tick()


class _Player:
    """Turns the files of an example into deeds."""

    def __init__(self, example: Example) -> None:
        self.example = example
        self.zone = clock.current_town().zone
        self.owner = rights.owner()
        self.accounts: dict[str, Account] = {}
        self.account_of = {str(one["person"]): str(one["name"]) for one in example.accounts if "person" in one}
        self.account_of |= {
            str(person): str(one["name"]) for one in example.accounts for person in one.get("also_for", ())
        }

    def deeds(self) -> Iterator[_Deed]:
        """Yields the deeds in the order of the files."""
        for path in sorted(self.example.folder.glob("*.toml")):
            if path.name == HEAD_FILE:
                continue
            said = tomllib.loads(path.read_text("utf-8"))
            for thing in said.get("thing", ()):
                yield from self._thing(path.name, thing)
            for again in said.get("round", ()):
                yield from self._round(path.name, again)

    # ---------------------------------------------------------------- things and their rows

    def _thing(self, file: str, said: Mapping[str, Any]) -> Iterator[_Deed]:
        thing, day, rows = str(said["id"]), str(said.get("day", "")), list(said.get("rows", ()))
        if "facts" in said:
            at = self._entered(said, day) if "recorded" in said or not rows else self._entered(rows[0], day)
            yield _Deed(at, f"{file}: {thing}", lambda: self._begin(thing, said))
        for number, row in enumerate(rows, 1):
            name = f"{thing}.{number}"
            yield _Deed(self._entered(row, day), f"{file}: {name}", self._deed(thing, name, row, day))

    def _round(self, file: str, said: Mapping[str, Any]) -> Iterator[_Deed]:
        first, last, skipped = (
            _instant(said["from"], self.zone),
            _instant(said["until"], self.zone),
            set(said.get("without", ())),
        )
        at, number = first, 0
        while at <= last:
            number += 1
            local = at.astimezone(self.zone)
            for place, thing in enumerate(said["things"]):
                row = {**said, "at": (local + timedelta(minutes=place * int(said.get("minutes_each", 0)))).isoformat()}
                name = f"{thing}.{said['event']}.{number}"
                if local.date().isoformat() not in skipped:
                    yield _Deed(self._entered(row, ""), f"{file}: {name}", self._deed(str(thing), name, row, ""))
            at = (
                (local.replace(tzinfo=None) + timedelta(days=int(said["every_days"])))
                .replace(tzinfo=self.zone)
                .astimezone(UTC)
            )

    def _begin(self, thing: str, said: Mapping[str, Any]) -> object:
        done = actions.set_facts(
            thing, self._values(said["facts"]), type=str(said["type"]), as_account=self._account(said),
            aliases=said.get("aliases", ()), performed_by=str(said.get("by", "")), source=str(said.get("source", "form")),
            id=f"{thing}.0",
        )  # fmt: skip
        for account in self.example.accounts:
            if account.get("person") == thing:
                opened = accounts.open_account(
                    str(account["name"]), as_account=self.owner, roles=account["roles"], person=thing
                )
                self.accounts[opened.name] = opened
        return done

    def _deed(self, thing: str, name: str, row: Mapping[str, Any], day: str) -> Callable[[], object]:
        way = next((one for one in _WAYS if one in row), "")
        if not way:
            raise Refused(f"{name}: a row says what it is by one of {', '.join(_WAYS)}")
        common: dict[str, Any] = {"source": str(row.get("source", "form"))}
        who: dict[str, Any] = {"performed_by": str(row.get("by", "")), "office": str(row.get("office", ""))}
        at = self._at(row, day)
        data = self._values(row.get("data", {}))
        own = str(row.get("id", name))

        def do() -> object:
            account = self._account(row)
            match way:
                case "event":
                    exact = {"at_is": str(row.get("at_is", "exact")), "at_how": str(row.get("at_how", ""))}
                    return actions.record(
                        row["event"], thing, at=at, data=data, id=own, as_account=account, **exact, **who, **common
                    )
                case "facts":
                    return actions.set_facts(
                        thing, self._values(row["facts"]), day=str(row.get("day", "")), id=own, as_account=account,
                        why=str(row.get("why", "")), **who, **common,
                    )  # fmt: skip
                case "decide":
                    return actions.decide(
                        thing, fact=row["decide"], value=row["value"], because=row["because"], at=at, id=own,
                        as_account=account, **who, **common,
                    )  # fmt: skip
                case "settle":
                    return actions.decide(
                        thing, doubt=row["settle"], reading=row["reading"], because=row["because"], at=at, id=own,
                        as_account=account, **who, **common,
                    )  # fmt: skip
                case "correct":
                    moved = {"at": at} if "at" in row else {}
                    return actions.correct(
                        row["correct"], why=row["why"], data=data, without=row.get("without", ()), as_account=account,
                        **moved, **common,
                    )  # fmt: skip
                case "withdraw":
                    return actions.withdraw(row["withdraw"], why=row["why"], as_account=account, **common)
                case "join":
                    return actions.join(thing, row["join"], why=row["why"], as_account=account, **common)
                case "attach":
                    path = self.example.folder / str(row["attach"])
                    return actions.attach(
                        thing, path.read_bytes(), name=str(row.get("name", path.name)), mime=_KINDS[path.suffix],
                        caption=str(row.get("caption", "")), id=own, as_account=account, **common,
                    )  # fmt: skip
                case _:
                    return papers.issue(row["issue"], thing, part=str(row.get("part", "")), as_account=account, **who)

        return do

    # ---------------------------------------------------------------- values, moments, accounts

    def _values(self, said: Any) -> Any:
        """Returns values with each named file put in as its hash."""
        if isinstance(said, Mapping):
            return {name: self._values(value) for name, value in said.items()}
        if isinstance(said, list):
            return [self._values(value) for value in said]
        if isinstance(said, str) and said.startswith(_FILE):
            return files.sha256((self.example.folder / said.removeprefix(_FILE)).read_bytes())
        return repr(said) if isinstance(said, float) else said

    def _at(self, row: Mapping[str, Any], day: str) -> str:
        said = str(row.get("at", ""))
        return f"{day}T{said}" if len(said) == len("07:05") and ":" in said else said

    def _entered(self, row: Mapping[str, Any], day: str) -> datetime:
        """Returns when a row was entered: when it says so, else when it happened; of a bare day at its end of business."""
        said = str(row.get("recorded", ""))
        text = self._at({"at": said}, day) if said else self._at(row, day)
        if not text:
            return self.example.founded_at
        moment: Moment = read_moment(text, self.zone)
        if is_instant(moment):
            return moment
        assert isinstance(moment, date)
        return datetime.combine(moment, _CLOSING, self.zone).astimezone(UTC)

    def _account(self, row: Mapping[str, Any]) -> Account:
        name = str(row.get("as", "")) or self.account_of.get(str(row.get("by", "")), "")
        if not name:
            return self.owner
        if name not in self.accounts:
            raise Refused(f"there is no account {name} yet")
        return self.accounts[name]


def _instant(text: object, zone: ZoneInfo) -> datetime:
    moment = read_moment(str(text), zone)
    if not is_instant(moment):
        raise Refused(f"{text!r} has no time of day")
    assert isinstance(moment, datetime)
    return moment
