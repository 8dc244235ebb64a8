"""What the pages of the town show, from the ledger's queries, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from allauth.mfa.models import Authenticator
from django.db.models import Count
from django.urls import reverse

from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Choice, Happening, Known, Line, Link, Paper
from sewershed.desk.shell.queries import RoleShown, roles
from sewershed.desk.things.lines import line_of
from sewershed.desk.things.queries import facts_of, offices_to_choose, row_title
from sewershed.desk.town.models import KeptPlan
from sewershed.ledger import (
    adopting,
    backup,
    canonical,
    clock,
    doctor,
    journal,
    law,
    people,
    queries,
    rights,
    supplements,
)
from sewershed.ledger.adopting import Plan
from sewershed.ledger.errors import LedgerError, NotFound
from sewershed.ledger.journal import Asked, Entered
from sewershed.ledger.log import Head
from sewershed.ledger.models import Account
from sewershed.ledger.moments import day_words
from sewershed.ledger.papers.response_plan import response_plan_data
from sewershed.ledger.papers.source import Source
from sewershed.ledger.privacy import Privacy
from sewershed.ledger.projections import moment_of
from sewershed.ledger.shown import RowShown
from sewershed.ledger.town import Town
from sewershed.ledger.wording import Words, event_title, label_of, many, plain, refs_in_row, title, words_of
from sewershed.programs.spills.papers.values import CannotWriteError
from sewershed.rules.moments import day_of
from sewershed.rules.record import Moment
from sewershed.rules.vocabulary import Fact

TOWN = "town"  # the program to which the town's own things belong
OFFICES_CLOSED = "offices_closed"
BACKUP_WANTED, DOCTOR_WANTED, VERIFY_WANTED = "backup", "doctor", "verify"
MOST_COMPARED = 1000  # things over which two laws are compared while the page waits
MOST_ROWS_AT_ONCE, MOST_BYTES_AT_ONCE = 100_000, 200_000_000  # that are walked, or backed up, while the page waits
LISTS = ("contact", "equipment", "station")  # what a town keeps lists of; those of them that its vocabulary has
MOST_SAID = 160  # letters of what a row says, in the list
MOST_LISTED = 200  # of a list of the plan, on its page
REVISED, REVIEWED, PLACED, INSTRUCTED = "plan_revised", "plan_reviewed", "plan_copy_placed", "staff_instructed"
PLAN_EVENTS = (REVISED, REVIEWED, PLACED, INSTRUCTED)
PLAN_PAPER = "spill_response_plan"
PLAN_LISTS = {  # what the plan's page shows of each of its lists, beside the name
    "contact": ("phone", "after_hours", "used_for"),
    "equipment": ("count", "where", "state"),
    "station": ("generator", "pumps", "when_pumps_fail"),
}
STANDS = {"corrected": "Replaced", "withdrawn": "Withdrawn"}  # the mark of what no longer stands
SIZES = (("GB", 10**9), ("MB", 10**6), ("kB", 10**3))


# ------------------------------------------------------------------------------------------------ where one is


def parts(account: Account, here: str) -> tuple[Choice, ...]:
    """Returns the pages of the town that an account may open, the one it is on marked."""
    every = [("Town", "town"), ("People and offices", "town_people"), ("Days closed", "town_closed"), ("Law", "town_law"),
             ("Spill plan", "response_plan"), ("Log", "log")]  # fmt: skip
    if may_administer(account):
        every += [("Accounts", "accounts"), ("Backups", "backups"), ("Doctor", "doctor")]
    return tuple(Choice(text, reverse(name), is_chosen=name == here) for text, name in every)


def may_administer(account: Account) -> bool:
    """Tells whether an account may make accounts, adopt a supplement, back up."""
    return rights.may(account, "administer", rights.EVERY)


def may(account: Account, verb: str) -> bool:
    """Tells whether an account may do something with the town's own things."""
    return rights.may(account, verb, TOWN)


# ------------------------------------------------------------------------------------------------ the town


@dataclass(frozen=True, slots=True)
class ListShown:
    """A list that the town keeps."""

    name: str
    many: str
    means: str
    count: int


@dataclass(frozen=True, slots=True)
class TownShown:
    """What the first page of the town shows."""

    id: str
    facts: tuple[Known, ...]
    not_recorded: int
    state: tuple[Known, ...]
    lists: tuple[ListShown, ...]


def town_shown(account: Account, looking: Looking) -> TownShown:
    """Returns the facts of the town, how its record stands, and the lists that it keeps."""
    id_ = adopting.town_id()
    running = law.in_force()
    kind = running.vocabulary.things[TOWN]
    found = queries.facts(id_, as_account=account, as_of=looking.as_of, known_at=looking.known_at)
    shown, absent = facts_of(kind, found, words_of([], looking.instant), account, id_)
    counts = queries.counts(as_account=account)
    kinds = [running.vocabulary.things[name] for name in LISTS if name in running.vocabulary.things]
    lists = [
        ListShown(one.name, many(one), one.means, counts.get(one.name, 0))
        for one in kinds
        if rights.may(account, "see", one.program)
    ]
    return TownShown(id_, shown, absent, tuple(_state(account)), tuple(lists))


def _state(account: Account) -> Iterator[Known]:
    town, head = clock.current_town(), queries.head(as_account=account)
    running = law.in_force()
    yield Known("Law", f"{running.book.name} {running.book.edition}".strip(), f"Supplement {running.supplement[:12]}", reverse("town_law"))  # fmt: skip
    yield Known("Record", f"{head.position:,} rows", f"Head {head.short}", reverse("log"))
    found = backup.newest(town.backups)
    if found is None:
        yield Known("Last backup", missing="There is none")
    else:
        said = _backup(found)
        yield Known("Last backup", said.age, said.made)
    yield Known(
        "Zone", town.time_zone.replace("_", " "), f"Times on every page are {clock.now().astimezone(town.zone):%Z}"
    )
    if town.is_example:
        yield Known("Example", "Its records are invented", "Its clock is its own")


# ------------------------------------------------------------------------------------------------ people and offices


@dataclass(frozen=True, slots=True)
class Held:
    """A person in an office: how, from which day to which, on which paper."""

    person: str
    name: str
    how: str
    since: str
    until: str
    paper: str
    row: str


@dataclass(frozen=True, slots=True)
class OfficeShown:
    """An office of the law with those who hold it."""

    name: str
    title: str
    held: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class PersonShown:
    """Somebody of the town: offices held today, and the accounts that are theirs where the reader may know."""

    id: str
    name: str
    offices: str
    accounts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PeopleShown:
    """Who is who in the town."""

    offices: tuple[OfficeShown, ...]
    empty: tuple[str, ...]
    past: tuple[tuple[str, Held], ...]
    persons: tuple[PersonShown, ...]


def people_shown(account: Account, looking: Looking) -> PeopleShown:
    """Returns the offices with their holders, those that nobody holds, those that ended, and the town's people."""
    rights.require(account, "see", TOWN)
    known = people.holdings(canonical.instant_text(looking.known_at) if looking.known_at else "")
    staff = queries.things("person", as_account=account, where=[("is_staff", "=", "true")], limit=500).items
    accounts = queries.accounts(as_account=account) if may_administer(account) else ()
    ids = dict.fromkeys([*(one.id for one in staff), *(one.person for one in known), *(one.person for one in accounts if one.person)])  # fmt: skip
    words = words_of(ids, looking.instant)
    today = words.today
    held: dict[str, list[Held]] = {}
    for one in sorted(known, key=lambda one: (people.ORDER.index(one.as_), one.first)):
        if one.last is None or one.last >= today:
            held.setdefault(one.office, []).append(_held(one, words))
    named = offices_to_choose()
    offices = [OfficeShown(name, words.office(name), tuple(held[name])) for name, _ in named if name in held]
    past = [(words.office(one.office), _held(one, words)) for one in known if one.last is not None and one.last < today]
    return PeopleShown(
        offices=tuple(offices), empty=tuple(words.office(name) for name, _ in named if name not in held), past=tuple(past),
        persons=tuple(sorted(_persons(ids, known, accounts, words), key=lambda one: one.name.lower())),
    )  # fmt: skip


def _held(one: people.Holding, words: Words) -> Held:
    until = words.moment(one.last) if one.last else ""
    return Held(one.person, words.name(one.person), title(one.as_), words.moment(one.first), until, one.paper, one.row)


def _persons(
    ids: Iterable[str], known: Sequence[people.Holding], accounts: Sequence[Account], words: Words
) -> Iterator[PersonShown]:
    for id_ in ids:
        offices = sorted(words.office(one) for one in people.offices(id_, words.today, known))
        theirs = tuple(one.name for one in accounts if one.person == id_)
        yield PersonShown(id_, words.name(id_), ", ".join(offices), theirs)


def holding(row: str, account: Account) -> tuple[RowShown, str, str]:
    """Returns the row of a holding that runs on, with the name of its person and of its office.

    Raises:
        NotFound: where the row is no holding, or no longer stands.
        NotAllowed: for the account.
    """
    found = queries.row(row, as_account=account)
    stands = next((one for one in queries.rows(found.thing, as_account=account) if one.root == found.root and one.stands == "stands"), None)  # fmt: skip
    if stands is None or stands.name != people.OFFICE_HELD:
        raise NotFound(f"the row {row} says of nobody that they hold an office")
    words = words_of([stands.thing])
    return stands, words.name(stands.thing), words.office(str(stands.data.get("office", "")))


# ------------------------------------------------------------------------------------------------ accounts


@dataclass(frozen=True, slots=True)
class AccountShown:
    """An account as an administrator sees it."""

    name: str
    person: str
    roles: str
    word: str
    state: str
    second_factors: int
    last: str


def accounts_shown(account: Account) -> tuple[AccountShown, ...]:
    """Returns every account: whose, with which roles, whether anybody can sign in with it.

    Raises:
        NotAllowed: for an account that may not administer.
    """
    every = queries.accounts(as_account=account)
    words = words_of([one.person for one in every])
    factors = dict(Authenticator.objects.order_by().values_list("user_id").annotate(Count("id")))
    return tuple(_account(one, words, factors) for one in every)


def _account(one: Account, words: Words, factors: Mapping[Any, int]) -> AccountShown:
    if not one.is_active:
        word, state = "Ended", "Closed"
    elif one.has_usable_password() or factors.get(one.pk):
        word, state = "Met", "Can sign in"
    else:
        word, state = "Waiting", "No password"
    last = "Never"
    if one.last_login:  # by the real clock; an example town has one of its own
        last = words.moment((one.last_login + clock.current_town().clock_shift).replace(second=0, microsecond=0))
    return AccountShown(
        one.name, words.name(one.person) if one.person else "", ", ".join(sorted(one.role_set())), word, state,
        factors.get(one.pk, 0), last,
    )  # fmt: skip


def account_shown(name: str, account: Account) -> tuple[Account, AccountShown]:
    """Returns one account, as it is and as it is shown.

    Raises:
        NotFound: where there is none of that name.
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    one = rights.account_named(name)
    factors = {one.pk: Authenticator.objects.filter(user=one).count()}
    return one, _account(one, words_of([one.person]), factors)


def roles_shown(account: Account) -> tuple[RoleShown, ...]:
    """Returns every role with what it may do."""
    return roles(account)


# ------------------------------------------------------------------------------------------------ days closed


@dataclass(frozen=True, slots=True)
class ClosedShown:
    """Days on which the offices were closed beyond the holidays."""

    row: str
    days: str
    recorded: str


def closed_shown(account: Account, looking: Looking) -> tuple[ClosedShown, ...]:
    """Returns the days on which the town closed otherwise, the latest first."""
    words = words_of([], looking.instant)
    found = []
    for one in queries.rows(adopting.town_id(), as_account=account, known_at=looking.known_at):
        first = moment_of(one.at)
        if one.name != OFFICES_CLOSED or one.stands != "stands" or first is None:
            continue
        until = one.data.get("until")
        days = words.moment(first) + (f" to {day_words(date.fromisoformat(until), words.today)}" if until else "")
        recorded = words.moment(canonical.read_instant(one.recorded_at))
        found.append((one.at, ClosedShown(one.id, days, f"{recorded} by {one.recorded_by}")))
    return tuple(shown for _, shown in sorted(found, key=lambda item: item[0], reverse=True))


def holidays(looking: Looking) -> tuple[str, tuple[str, ...]]:
    """Returns the year looked at, and its weekdays that are no business days by the town's book."""
    calendar = law.in_force().book.calendar
    year = looking.instant.astimezone(looking.zone).year
    days = (date(year, 1, 1) + timedelta(days=number) for number in range(366))
    kept = (day for day in days if day.year == year and day.weekday() < 5 and not calendar.is_business_day(day))
    return str(year), tuple(day_words(day, date(year, 1, 1)) for day in kept)


# ------------------------------------------------------------------------------------------------ the log


@dataclass(frozen=True, slots=True)
class Changed:
    """A field that a correction changed."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class LogLine:
    """A row of the log in its list."""

    id: str
    position: int
    recorded: str
    by: str
    title: str
    thing: str
    about: str
    when: str
    said: str
    changes: tuple[Changed, ...]
    why: str
    word: str
    stands: str
    performed_by: str
    office: str
    source: str
    corrects: str

    @property
    def changed(self) -> str:
        """Returns what a correction changed, in one line."""
        return "; ".join(f"{one.name}: was {one.before}, is {one.after}" for one in self.changes)


def log_lines(account: Account, asked: Asked, offset: int, limit: int) -> tuple[tuple[LogLine, ...], int]:
    """Returns a part of the log in words, and how many rows there are of what is asked for.

    Raises:
        NotAllowed: for an account that may see nothing.
    """
    page = journal.entered(asked, as_account=account, offset=offset, limit=limit)
    vocabulary = law.in_force().vocabulary
    ids: set[str] = set()
    for one in page.items:
        known = _fields(one, vocabulary)
        for row in filter(None, (one.row, one.earlier)):
            ids.update([row.performed_by, *refs_in_row(row.data, known)])
    words = words_of(ids)
    return tuple(_line(one, words) for one in page.items), page.total


def _fields(one: Entered, vocabulary: Any) -> Mapping[str, Fact]:
    name = one.row.name or (one.earlier.name if one.earlier else "")
    event = vocabulary.events.get(name)
    thing = vocabulary.things.get(name)
    return event.data if event else thing.facts if thing else {}


def _line(one: Entered, words: Words) -> LogLine:
    row, known = one.row, _fields(one, words.vocabulary)
    said = "; ".join(f"{_label(name, known)}: {_value(value, name, known, words)}" for name, value in row.data.items())
    changes = tuple(_changes(one, known, words)) if row.kind != "void" else ()
    heading = _heading(one, words)
    return LogLine(
        id=row.id, position=row.position, recorded=words.moment(canonical.read_instant(row.recorded_at)), by=row.recorded_by, title=heading,
        thing=row.thing, about=one.label, when=_when(row, words), said=said, changes=changes,
        why=row.why, word=STANDS.get(row.stands, ""), stands=row.stands.capitalize(), performed_by=words.name(row.performed_by),
        office=row.office, source=row.source, corrects=row.root if row.root != row.id else "",
    )  # fmt: skip


def _heading(one: Entered, words: Words) -> str:
    row = one.row
    if row.kind == "void":
        name = one.earlier.name if one.earlier else ""
        of = event_title(words.vocabulary.events.get(name), name) if name in words.vocabulary.events else "facts"
        return f"Withdrawal of {of[:1].lower()}{of[1:]}"
    called = f"Facts: {plain(row.name)}" if row.kind == "facts" else row_title(row, words.vocabulary)
    return f"Correction of {called[:1].lower()}{called[1:]}" if one.earlier else called


def _changes(one: Entered, known: Mapping[str, Fact], words: Words) -> Iterator[Changed]:
    """Yields what a correction says otherwise than the row it corrects."""
    row, old = one.row, one.earlier
    if old is None:
        return
    around = [
        ("About", one.earlier_label, one.label), ("Happened", _when(old, words), _when(row, words)),
        ("Done by", words.name(old.performed_by), words.name(row.performed_by)), ("In the office of", old.office, row.office),
        ("How exact the time is", plain(old.at_is), plain(row.at_is)),
    ]  # fmt: skip
    for name in dict.fromkeys([*old.data, *row.data]):
        said = [_value(data[name], name, known, words) if name in data else "" for data in (old.data, row.data)]
        around.append((_label(name, known), said[0], said[1]))
    yield from (Changed(name, was or "not said", now or "not said") for name, was, now in around if was != now)


def _when(row: RowShown, words: Words) -> str:
    moment = moment_of(row.at)
    return words.moment(moment) if moment else ""


def _label(name: str, known: Mapping[str, Fact]) -> str:
    return label_of(known[name]) if name in known else title(name)


def _value(value: Any, name: str, known: Mapping[str, Fact], words: Words) -> str:
    return str(value) if value == Privacy.word else words.value(value, known[name].type if name in known else None)


def writers(account: Account) -> tuple[tuple[str, str], ...]:
    """Returns whose rows the log can be narrowed to: accounts that entered, persons who did."""
    named = [(f"account:{name}", f"Entered by {name}") for name in journal.writers(as_account=account)]
    persons = {person: label for one in queries.holders(as_account=account) for person, label in one.persons}
    return (*named, *((f"person:{id_}", f"Done by {label}") for id_, label in sorted(persons.items(), key=lambda one: one[1].lower())))  # fmt: skip


def kinds(account: Account) -> tuple[tuple[str, str], ...]:
    """Returns the kinds of rows that the log can be narrowed to."""
    events = sorted((name, title(name)) for name in journal.kinds(as_account=account))
    fixed = ((journal.CORRECTIONS, "Corrections"), (journal.WITHDRAWALS, "Withdrawals"), (journal.FACTS, "Facts"))
    return (*fixed, *events)


# ------------------------------------------------------------------------------------------------ the law that runs


@dataclass(frozen=True, slots=True)
class AdoptionShown:
    """A supplement that the town adopted."""

    number: str
    hash: str
    when: str
    by: str
    row: str
    is_running: bool


@dataclass(frozen=True, slots=True)
class BookShown:
    """A book of the town's line."""

    id: str
    name: str
    edition: str
    entries: int
    doubts: int


@dataclass(frozen=True, slots=True)
class LawShown:
    """The law that the town runs, how it came to it, and whether a newer one is installed."""

    adoptions: tuple[AdoptionShown, ...]
    books: tuple[BookShown, ...]
    is_newer_installed: bool


def law_shown(account: Account) -> LawShown:
    """Returns the law that the town runs."""
    rights.require(account, "see", TOWN)
    running, words = law.in_force(), words_of([])
    rows = supplements.adoptions()
    adoptions = [
        AdoptionShown(
            str(canonical.read(row.data).get("number", "")), digest[:12], words.moment(canonical.read_instant(row.recorded_at)),
            row.recorded_by, row.id, row is rows[-1][0],
        )
        for row, digest in rows
    ]  # fmt: skip
    books = [
        BookShown(one.id, one.name, one.edition, len(one.entries), len(one.doubts))
        for one in running.library.line(running.book_id)
    ]
    return LawShown(tuple(reversed(adoptions)), tuple(books), is_newer_installed())


def is_newer_installed() -> bool:
    """Tells whether other rulebooks are installed than those that run."""
    return supplements.hash_of(installed()) != law.in_force().supplement


def installed() -> dict[str, bytes]:
    """Returns the files of the supplement that would be adopted: the installed books, with the town's own."""
    town = clock.current_town()
    return supplements.gather(town.book, *supplements.installed(town.own_books))


def counts(account: Account) -> Mapping[str, int]:
    """Returns how many things there are of each type."""
    return queries.counts(as_account=account)


def is_large(account: Account) -> bool:
    """Tells whether the town is so large that comparing two laws over it is work for the worker."""
    return sum(counts(account).values()) > MOST_COMPARED


def plan_wanted() -> str:
    """Returns what is wanted by whoever asks what the installed books would change: the same text for the same."""
    return f"plan {supplements.hash_of(installed())} after {law.in_force().supplement}"


def kept_plan() -> Plan | None:
    """Returns what adopting the installed books would change, as it was worked out last, or None."""
    supplement, before = supplements.hash_of(installed()), law.in_force().supplement
    found = KeptPlan.objects.filter(supplement=supplement, before=before).first()
    if found is None:
        return None
    said = canonical.read(found.content)
    lists = (tuple(said[name]) for name in ("entries", "consequences", "unreadable"))
    return Plan(supplement, before, Head.read(said["head"]), *lists)


# ------------------------------------------------------------------------------------------------ doctor and backups


def is_long(account: Account) -> bool:
    """Tells whether the log is so long that walking all of it is work for the worker."""
    return queries.head(as_account=account).position > MOST_ROWS_AT_ONCE


def is_long_backup(account: Account) -> bool:
    """Tells whether a backup of the town takes so long that it is work for the worker."""
    if is_long(account):
        return True
    size = 0
    for path in clock.current_town().files.rglob("*"):
        size += path.stat().st_size if path.is_file() else 0
        if size > MOST_BYTES_AT_ONCE:
            return True
    return False


@dataclass(frozen=True, slots=True)
class AilmentShown:
    """What is wrong, why it matters, what to do: each in parts, every second one a command."""

    what: str
    matters: str
    do: tuple[str, ...]
    can_be_mended: bool


def ailments(account: Account) -> tuple[AilmentShown, ...]:
    """Returns what is wrong with the town, the gravest first.

    Raises:
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    return tuple(
        AilmentShown(
            f"{one.what[:1].upper()}{one.what[1:]}", one.matters, tuple(one.do.split("`")), one.cure is not None
        )
        for one in doctor.examine()
    )


@dataclass(frozen=True, slots=True)
class BackupShown:
    """A backup that lies in the town's folder."""

    name: str
    made: str
    age: str
    size: str
    head: str
    problem: str
    is_old: bool


def backups_shown(account: Account) -> tuple[BackupShown, ...]:
    """Returns the backups that lie in the town's folder, the newest first.

    Raises:
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    return tuple(_backup(path) for path in backup.all_in(clock.current_town().backups))


def backup_path(name: str, account: Account) -> Path:
    """Returns where a backup lies, by its name.

    Raises:
        NotFound: where the town's folder has none of that name.
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    for path in backup.all_in(clock.current_town().backups):
        if path.name == name:
            return path
    raise NotFound(f"there is no backup {name!r} in the town's folder")


def _backup(path: Path) -> BackupShown:
    size = size_words(path.stat().st_size)
    try:
        said = backup.manifest_of(path)
    except LedgerError as error:
        return BackupShown(path.name, "", "", size, "", str(error), is_old=True)
    made = canonical.read_instant(said["made_at"])
    age = clock.now() - made
    days = age.days
    ago = "today" if days < 1 else "1 day old" if days == 1 else f"{days:,} days old"
    faults = "; ".join(said["faults"])
    head = str(said["head"])
    return BackupShown(path.name, words_of([]).moment(made), ago[:1].upper() + ago[1:], size, head.partition(":")[0],
                       f"The chain was broken: {faults}" if faults else "", age > timedelta(days=doctor.BACKUP_DAYS))  # fmt: skip


def size_words(size: int) -> str:
    """Returns how large a file is, in words.

    Example:
        >>> size_words(1_234_567), size_words(900)
        ('1.2 MB', '900 bytes')
    """
    for unit, bytes_ in SIZES:
        if size >= bytes_:
            return f"{size / bytes_:,.1f} {unit}"
    return f"{size} bytes"


def contents_shown(found: backup.Contents, town: Town, account: Account) -> tuple[Known, ...]:
    """Returns what a backup holds, and how it stands to the record that runs."""
    said, words = found.manifest, words_of([])
    head = str(said["head"])
    shown = [
        Known("Town", str(said["town"]), "" if said["town"] == town.name else "Another town than this one"),
        Known("Made", words.moment(canonical.read_instant(str(said["made_at"])))),
        Known("Rows", f"{found.rows:,}", f"Head {head[:head.find(':') + 21]}"),
        Known("Accounts", f"{found.accounts:,}"),
        Known("Files", f"{found.files:,}", "Attachments, papers, rulebooks"),
    ]  # fmt: skip
    if said["town"] == town.name:
        behind = queries.head(as_account=account).position - found.rows
        shown.append(Known("Beside the record", f"{behind:,} rows came since" if behind > 0 else "It holds every row that there is"))  # fmt: skip
    return tuple(shown)


# ------------------------------------------------------------------------------------------------ the spill response plan


@dataclass(frozen=True, slots=True)
class PlanItem:
    """A line of one of the plan's lists: its name, what the list says of it, and its page."""

    id: str
    name: str
    cells: tuple[tuple[str, str], ...]  # head and what stands under it


@dataclass(frozen=True, slots=True)
class PlanList:
    """A list of the plan: contacts, equipment, stations."""

    type: str
    title: str
    heads: tuple[str, ...]
    items: tuple[PlanItem, ...]
    total: int
    may_add: bool
    may_change: bool


@dataclass(frozen=True, slots=True)
class PlanShown:
    """The spill response plan: version, what is due about it, its lists, its log, what it lacks."""

    town: str
    version: str
    due: tuple[Line, ...]
    lists: tuple[PlanList, ...]
    log: tuple[Happening, ...]
    wanting: tuple[str, ...]
    cannot: tuple[str, ...]  # why the paper cannot be written at all
    is_left_to_the_paper: bool  # what it lacks is found by whoever draws the paper: the record is long
    issued: tuple[Paper, ...]
    acts: tuple[Link, ...]


def has_plan() -> bool:
    """Tells whether the town's vocabulary speaks of a spill plan."""
    return REVISED in law.in_force().vocabulary.events


def plan_program() -> str:
    """Returns the program to which the happenings of the plan belong."""
    return law.in_force().vocabulary.events[REVISED].program


def plan_shown(account: Account, looking: Looking) -> PlanShown:
    """Returns the spill response plan as the record makes it.

    Raises:
        NotAllowed: for the account.
    """
    id_, vocabulary = adopting.town_id(), law.in_force().vocabulary
    as_of, known_at = looking.as_of, looking.known_at
    rows = [
        one
        for one in queries.rows(id_, as_account=account, known_at=known_at)
        if one.name in PLAN_EVENTS and one.stands == "stands" and _is_past(one, looking)
    ]
    dues = [
        one
        for one in queries.due(as_account=account, thing=id_, as_of=as_of, known_at=known_at).items
        if set(PLAN_EVENTS) & set(one.meets)
    ]
    refs = {ref for row in rows for ref in refs_in_row(row.data, vocabulary.events[row.name].data)}
    ids = refs | {one.performed_by for one in rows} | {person for due in dues for person in due.persons}
    words = words_of(ids, looking.instant)
    rows.sort(key=lambda one: one.at)
    revised = [one for one in rows if one.name == REVISED]
    version = str(revised[-1].data.get("version") or "") or words.moment(_moment(revised[-1])) if revised else ""
    is_left = is_long(account)  # it is worked out from every row of every station
    wanting, cannot = ((), ()) if is_left else _wanting(id_, account, looking)
    issued = queries.documents(as_account=account, about=id_, kind=PLAN_PAPER)
    may_record = rights.may(account, "record", plan_program())
    acts = [Link(text, url) for text, url in _plan_acts(id_)] if may_record else []
    return PlanShown(
        town=id_, version=version, due=tuple(line_of(one, words, account, is_alone=True) for one in dues),
        lists=tuple(_plan_list(name, columns, account) for name, columns in PLAN_LISTS.items() if name in vocabulary.things),
        log=tuple(_plan_row(one, words) for one in rows), wanting=wanting, cannot=cannot, is_left_to_the_paper=is_left,
        issued=tuple(Paper(one.get("number", ""), reverse("document", args=[one["id"]]), "Withdrawn" if one.get("withdrawn") else "") for one in issued),
        acts=tuple(acts),
    )  # fmt: skip


def _plan_acts(town: str) -> Iterator[tuple[str, str]]:
    yield "Log who was instructed", reverse("plan_instruct")
    for event, text in (
        (REVIEWED, "Record a review"),
        (REVISED, "Record a new version"),
        (PLACED, "Record where a copy lies"),
    ):
        yield text, f"{reverse('record', args=[town, event])}?then={reverse('response_plan')}"


def _is_past(row: RowShown, looking: Looking) -> bool:
    return not looking.is_elsewhere or day_of(_moment(row), looking.zone) <= day_of(looking.instant, looking.zone)


def _moment(row: RowShown) -> Moment:
    found = moment_of(row.at)
    assert found is not None  # an event always has a time
    return found


def _plan_row(row: RowShown, words: Words) -> Happening:
    known = words.vocabulary.events[row.name].data
    said = [
        f"{label_of(known[name])}: {words.value(value, known[name].type)}"
        for name, value in row.data.items()
        if name in known
    ]
    by = [f"By {words.name(row.performed_by)}"] if row.performed_by else []
    moment = _moment(row)
    return Happening(
        row_title(row, words.vocabulary), words.moment(moment), moment.isoformat(), ". ".join([*said, *by]),
        "key" if row.name in (REVISED, REVIEWED) else "", url=reverse("row", args=[row.id]),
    )  # fmt: skip


def _plan_list(name: str, columns: Sequence[str], account: Account) -> PlanList:
    kind = law.in_force().vocabulary.things[name]
    page = queries.things(name, as_account=account, limit=MOST_LISTED)
    items = [one for one in page.items if not one.retired_on]
    known = [one for one in columns if one in kind.facts]
    facts = queries.facts_of([one.id for one in items], name, known, as_account=account)
    words = words_of([])
    shown = [
        PlanItem(
            one.id,
            one.label,
            tuple(
                (label_of(kind.facts[column]), _cell(facts[one.id].get(column, ""), kind.facts[column], words))
                for column in known
            ),
        )
        for one in items
    ]
    may_record = rights.may(account, "record", kind.program)
    heads = tuple(label_of(kind.facts[one]) for one in known)
    return PlanList(name, many(kind), heads, tuple(shown), page.total, may_record, may_record)


def _cell(text: str, fact: Fact, words: Words) -> str:
    return text if text in ("", Privacy.word) else words.value(text, fact.type)


def _wanting(town: str, account: Account, looking: Looking) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns what the plan lacks, and why it cannot be written where it cannot."""
    source = Source(town, as_account=account, as_of=looking.as_of, known_at=looking.known_at)
    try:
        data = response_plan_data(source, None)
    except CannotWriteError as error:
        return (), tuple(error.problems)
    except LedgerError as error:
        return (), (str(error),)
    lacks = data["wanting"]
    assert isinstance(lacks, list)
    return tuple(str(one) for one in lacks), ()


def instructed_choices(account: Account) -> list[tuple[str, str]]:
    """Returns those of the town who may have been instructed: its staff, and whoever holds an office."""
    staff = queries.things("person", as_account=account, where=[("is_staff", "=", "true")], limit=500).items
    found = {one.id: one.label for one in staff}
    found |= {person: label for one in queries.holders(as_account=account) for person, label in one.persons}
    return sorted(found.items(), key=lambda item: item[1].lower())
