"""What the pages of bringing in a list show, in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.urls import reverse

from sewershed.desk.imports.models import Arrival, PlannedLine
from sewershed.desk.shell.parts import Choice, Known, Link
from sewershed.desk.things.lines import program_title
from sewershed.desk.things.queries import row_title
from sewershed.ledger import canonical, clock, files, importing, journal, law, queries, rights
from sewershed.ledger import log as logbook
from sewershed.ledger.batches import IMPORT, Plan
from sewershed.ledger.errors import NotAllowed, NotFound, Refused
from sewershed.ledger.importing import Field, Kind, ListRefused, Recipe, Sheet
from sewershed.ledger.models import Account, Batch
from sewershed.ledger.moments import day_words, moment_words
from sewershed.ledger.projections import moment_of
from sewershed.ledger.shown import Page
from sewershed.ledger.wording import Words, label_of, plain, title, words_of
from sewershed.rules.types import Type
from sewershed.rules.vocabulary import Fact

MOST_AT_ONCE = 500  # lines that are looked at, or entered, while the page waits
MOST_SHOWN = 50  # batches in the list of what was brought in
MOST_SAMPLES = 3  # cells of a column that are shown beside its name
MOST_LETTERS = 40  # of such a cell
MOST_REASONS = 6  # kinds of reasons at the head of a plan
WHATS = {  # what a line would do: how that is called, once and of many
    "begin": ("Begins", "begin something"),
    "change": ("Changes", "change what is known"),
    "event": ("Is recorded", "record what happened"),
    "same": ("Stays as it is", "change nothing"),
    "refused": ("Cannot be read", "cannot be read"),
}
UNLIKELY = "unlikely"
NONE = ("", "-")  # the answer that a word of the list is none of the record
DOES = ("begin", "change", "event")
_LABEL = re.compile(r"\{(\w+)\}")  # fields of a label, as the vocabulary writes it
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\b\d[\d.,/:-]*\b")


# ------------------------------------------------------------------------------------------------ who may


def require_some(account: Account) -> None:
    """Refuses an account that may import into no program.

    Raises:
        NotAllowed: then.
    """
    if not importing.kinds(as_account=account):
        rights.require(account, "import", rights.EVERY)
        raise NotAllowed(f"{account.name} may not import: there is nothing of which it may bring in lists")


def may_bring_in(account: Account, type: str) -> bool:
    """Tells whether an account may bring in lists of a type of thing."""
    kind = law.in_force().vocabulary.things.get(type)
    return kind is not None and type not in importing.NOT_FROM_LISTS and rights.may(account, "import", kind.program)


def arrival_named(id: str, account: Account) -> Arrival:
    """Returns a list on its way: one's own; to whoever administers, anybody's.

    Raises:
        NotFound: where the account sees none of that id.
        NotAllowed: for an account that may import nothing.
    """
    require_some(account)
    found = Arrival.objects.filter(id=id).first()
    if found is None or not (found.account_id == account.pk or rights.may(account, "administer", rights.EVERY)):
        raise NotFound("there is no such list on its way, or it is somebody else's")
    return found


# ------------------------------------------------------------------------------------------------ the list itself


def sheets_of(arrival: Arrival, recipe: Recipe) -> tuple[Sheet, ...]:
    """Returns the lists of the file.

    Raises:
        ListRefused: where it cannot be read, or the sign between its cells is still open.
    """
    return importing.sheets_of(files.read(arrival.file), arrival.name, recipe.delimiter)


def sheet_of(arrival: Arrival, recipe: Recipe) -> Sheet:
    """Returns the list that is taken of the file.

    Raises:
        Refused: where it cannot be read.
    """
    try:
        return importing.sheet_named(sheets_of(arrival, recipe), recipe.sheet)
    except ListRefused as error:
        raise Refused(str(error)) from None


def kind_of(recipe: Recipe, account: Account) -> Kind:
    """Returns what the list is of.

    Raises:
        Refused: where that was not said.
        NotAllowed: for the account.
    """
    return importing.kind_named(recipe.thing, recipe.event, as_account=account)


def word_of(kind: Kind) -> str:
    """Returns the word by which a form names a kind."""
    return f"event:{kind.event.name}" if kind.event else f"thing:{kind.type.name}"


def kinds_to_choose(account: Account, likely: Sequence[Kind]) -> list[tuple[str, Any]]:
    """Returns what a list may be of, by program; what its columns look like stands first."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for one in importing.kinds(as_account=account):
        groups.setdefault(program_title(one.program), []).append((word_of(one), choice_title(one)))
    first = [("By its columns", [(word_of(one), choice_title(one)) for one in likely])] if likely else []
    return [("", "Choose"), *first, *groups.items()]


def choice_title(kind: Kind) -> str:
    """Returns a kind as it stands in the list to choose from."""
    return (
        f"{kind.title}: what happened to {plain(kind.type.plural or kind.type.name + 's')}"
        if kind.event
        else kind.title
    )


@dataclass(frozen=True, slots=True)
class ColumnShown:
    """A column of a list: its name, some of its cells, what it was taken for and why."""

    name: str
    samples: tuple[str, ...]
    because: str
    others: tuple[str, ...]


def columns_shown(sheet: Sheet, taken: importing.Taken, fields: Mapping[str, Field]) -> list[ColumnShown]:
    """Returns the columns of a list as they are shown to be taken."""
    shown = []
    for match in taken.matches:
        cells = dict.fromkeys(
            text for _, cell in sheet.column(match.column) if (text := importing.in_text(cell).strip())
        )
        samples = tuple(
            text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…" for text in list(cells)[:MOST_SAMPLES]
        )
        others = tuple(fields[name].label for name in match.others if name in fields)
        shown.append(ColumnShown(match.column, samples, match.because, others))
    return shown


def left_to_persons(kind: Kind) -> tuple[str, ...]:
    """Returns the facts that a person decides, and which no list says, each with who decides it."""
    words = words_of()
    return tuple(
        f"{label_of(fact).lower()} ({words.office(fact.judged_by)})"
        for fact in kind.known.values()
        if fact.judged_by and not fact.retired
    )


# ------------------------------------------------------------------------------------------------ where one is


def steps(arrival: Arrival | None, here: str) -> list[tuple[Choice, bool]]:
    """Returns the steps of bringing in a list, each with whether it lies behind."""
    names = [("File", ""), ("What it is", "import_what"), ("Columns", "import_columns"), ("Questions", "import_questions"), ("What would change", "import_plan")]  # fmt: skip
    at = next(place for place, one in enumerate(names) if one[1] == here)
    return [
        (Choice(text, reverse(name, args=[arrival.id]) if name and arrival and place < at else "", is_chosen=place == at), place < at)
        for place, (text, name) in enumerate(names)
    ]  # fmt: skip


def plan_wanted(arrival: Arrival) -> str:
    """Returns what is wanted by whoever has the lines of a large list looked at."""
    return f"plan of list {arrival.id}"


def apply_wanted(arrival: Arrival) -> str:
    """Returns what is wanted by whoever has a large list brought in."""
    return f"apply list {arrival.id}"


# ------------------------------------------------------------------------------------------------ the plan


def said_of(plan: Plan) -> str:
    """Returns the counts of a plan, as a sentence."""
    count = Counter(change.what for change in plan.changes)
    said = [f"{count[what]:,} {WHATS[what][1]}" for what in WHATS if count[what]]
    return (
        f"{len(plan.changes):,} line{'' if len(plan.changes) == 1 else 's'}: {', '.join(said)}."
        if said
        else "No lines."
    )


def counts_of(arrival: Arrival) -> dict[str, int]:
    """Returns how many lines of the kept plan do what."""
    said = canonical.read(arrival.counts)
    return {what: int(said.get(what, 0)) for what in WHATS}


def unlikely_of(arrival: Arrival) -> list[str]:
    """Returns what looks unlikely in the kept plan, in sentences."""
    return list(canonical.read(arrival.counts).get(UNLIKELY, ()))


def reasons_of(arrival: Arrival) -> list[tuple[str, int, int]]:
    """Returns the kinds of reasons why lines cannot be read: one as it is said, how many lines, the first of them."""
    found: dict[str, tuple[str, int, int]] = {}
    for number, content in arrival.lines.filter(what="refused").order_by("number").values_list("number", "content"):
        for reason in canonical.read(content).get("reasons", ()):
            kind = _QUOTED.sub("…", reason)
            said, count, first = found.get(kind, (reason, 0, number))
            found[kind] = (said, count + 1, first)
    return sorted(found.values(), key=lambda one: -one[1])[:MOST_REASONS]


@dataclass(frozen=True, slots=True)
class LineShown:
    """What a line of a list would do, in words."""

    number: int
    what: str
    about: str
    about_url: str
    says: tuple[tuple[str, str, str], ...]  # name, value, what is known now
    reasons: tuple[str, ...]
    note: str
    when: str = ""
    cells: tuple[tuple[str, str], ...] = ()


def planned(arrival: Arrival, what: str, offset: int, limit: int) -> Page[LineShown]:
    """Returns lines of a kept plan, in the order of the file; of one kind where that is said."""
    found = arrival.lines.filter(what=what) if what else arrival.lines.all()
    rows = list(found.order_by("number")[offset : offset + limit])
    said = [canonical.read(row.content) for row in rows]
    words = words_of(thing for one in said for thing in _ids_in(one))
    return Page(tuple(_line_shown(row, one, words) for row, one in zip(rows, said, strict=True)), found.count())


def _ids_in(said: Mapping[str, Any]) -> Iterator[str]:
    """Yields the things that a planned line names."""
    known = _known(said)
    yield from (said[name] for name in ("thing", "by") if said.get(name))
    for values in (said.get("data", {}), said.get("before", {})):
        for name, value in values.items():
            if name in known and known[name].type.kind == "ref" and isinstance(value, str):
                yield value


def _known(said: Mapping[str, Any]) -> Mapping[str, Fact]:
    vocabulary = law.in_force().vocabulary
    if said.get("event"):
        return vocabulary.events[said["event"]].data
    kind = vocabulary.things.get(said.get("type", ""))
    return kind.facts if kind else {}


def _line_shown(row: PlannedLine, said: Mapping[str, Any], words: Words) -> LineShown:
    known, before, thing = _known(said), said.get("before", {}), said.get("thing", "")
    says = [
        (label_of(known[name]), _value(value, known[name].type, words), _value(before[name], known[name].type, words) if before.get(name) is not None else "")
        for name, value in _in_order(said.get("data", {}), known)
    ]  # fmt: skip
    if said.get("by"):
        says.append(("Done by", words.names.get(said["by"], said["by"]), ""))
    return LineShown(
        row.number, row.what, _called(said, words),
        reverse("thing", args=[thing]) if thing else "", tuple(says), tuple(said.get("reasons", ())), said.get("note", ""),
        _when(said, words), tuple((name, text) for name, text in said.get("cells", ())),
    )  # fmt: skip


def _in_order(data: Mapping[str, Any], known: Mapping[str, Fact]) -> list[tuple[str, Any]]:
    """Returns what a line says in the order of the vocabulary: canonical texts order by name."""
    return [(name, data[name]) for name in known if name in data]


def _called(said: Mapping[str, Any], words: Words) -> str:
    """Returns what a line is about: the thing, or the name of what would begin."""
    thing, key = said.get("thing", ""), str(said.get("key", ""))
    if thing:
        return words.names.get(thing, key)
    kind = law.in_force().vocabulary.things.get(said.get("type", ""))
    names = [
        str(said["data"][name]) for name in _LABEL.findall(kind.label if kind else "") if said.get("data", {}).get(name)
    ]
    return " ".join(names) or key


def _when(said: Mapping[str, Any], words: Words) -> str:
    if not said.get("event"):
        return ""
    return _moment(said.get("at") or said.get("day") or "", words)


def _moment(text: str, words: Words) -> str:
    moment = moment_of(text)
    return words.moment(moment) if moment is not None else ""


def _value(value: Any, kind: Type, words: Words) -> str:
    if value is None:
        return "not known"
    return words.value(value, kind)


# ------------------------------------------------------------------------------------------------ what was brought in


@dataclass(frozen=True, slots=True)
class BatchShown:
    """A list that was brought in."""

    id: str
    title: str
    when: str
    by: str
    counts: str
    is_undone: bool
    undone: str


@dataclass(frozen=True, slots=True)
class Brought:
    """All of a list that was brought in."""

    shown: BatchShown
    kind: Kind | None
    row: logbook.Row
    facts: tuple[Known, ...]
    file: str
    file_name: str
    not_read: str
    refused: int
    may_undo: bool


def on_their_way(account: Account) -> list[Arrival]:
    """Returns the lists that an account brought and that are not in the record, the latest first."""
    return list(Arrival.objects.filter(account=account, batch="").order_by("-came_at", "id")[:MOST_SHOWN])


def brought_in(account: Account) -> list[BatchShown]:
    """Returns the lists that were brought in, the latest first, as far as the account may import into their programs."""
    rows = _batch_rows()
    found = [(one, rows.get(one.id)) for one in queries.batches(as_account=account) if one.kind == IMPORT]
    return [_batch_shown(one, row) for one, row in found if row is not None and _may_see(row, account)][:MOST_SHOWN]


def batch_named(id: str, account: Account) -> Brought:
    """Returns a list that was brought in.

    Raises:
        NotFound: where there is none.
        NotAllowed: for an account that may not import into its program.
    """
    require_some(account)
    one = next((one for one in queries.batches(as_account=account) if one.id == id and one.kind == IMPORT), None)
    row = _batch_rows().get(id)
    if one is None or row is None:
        raise NotFound(f"there is no list {id!r} that was brought in")
    if not _may_see(row, account):
        rights.require(account, "import", _program(row))
    said = canonical.read(row.data)
    recipe = Recipe.read(said["map"]) if str(said.get("map", "")).startswith("{") else Recipe()
    kind = _kind(recipe)
    name = str(said.get("note", "")).rpartition(", from ")[2] or "list"
    return Brought(
        _batch_shown(one, row), kind, row, tuple(_facts_of(row, said, recipe, kind)), said.get("file", ""), name, said.get("not_read", ""),
        int(said.get("refused", 0)), rights.may(account, "import", _program(row)) and not one.undone_at,
    )  # fmt: skip


def rows_of(id: str, account: Account, offset: int, limit: int) -> Page[RowShown]:
    """Returns what a list entered, in the order of its lines."""
    page = journal.entered(journal.Asked(batch=id), as_account=account, offset=offset, limit=limit)
    vocabulary = law.in_force().vocabulary
    refs = [one.row.thing for one in page.items]
    words = words_of(refs)
    return Page(tuple(
        RowShown(
            one.row.id, row_title(one.row, vocabulary), one.label, reverse("thing", args=[one.row.thing]), one.row.source.removeprefix("import row "),
            _moment(one.row.at, words), one.row.stands,
        )
        for one in page.items
    ), page.total)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RowShown:
    """A row that a list entered."""

    id: str
    title: str
    about: str
    about_url: str
    line: str
    when: str
    stands: str


def _batch_rows() -> dict[str, logbook.Row]:
    rows = logbook.select_list("kind = 'event' AND name = %s", ["batch_applied"])
    return {canonical.read(row.data)["batch"]: row for row in rows}


def _kind(recipe: Recipe) -> Kind | None:
    vocabulary = law.in_force().vocabulary
    if recipe.event in vocabulary.events:
        event = vocabulary.events[recipe.event]
        return Kind(vocabulary.things[event.on], event)
    return Kind(vocabulary.things[recipe.thing]) if recipe.thing in vocabulary.things else None


def _program(row: logbook.Row) -> str:
    text = str(canonical.read(row.data).get("map", ""))
    kind = _kind(Recipe.read(text)) if text.startswith("{") else None
    return kind.program if kind else rights.EVERY


def _may_see(row: logbook.Row, account: Account) -> bool:
    return rights.may(account, "import", _program(row))


def _batch_shown(one: Batch, row: logbook.Row) -> BatchShown:
    zone = clock.current_town().zone
    said = canonical.read(row.data)
    counts = {name: int(said.get(name, 0)) for name in ("begun", "changed", "unchanged", "refused")}
    words = [f"{counts[name]:,} {word}" for name, word in (("begun", "begun"), ("changed", "recorded or changed"), ("unchanged", "already there"), ("refused", "could not be read")) if counts[name]]  # fmt: skip
    return BatchShown(
        one.id, one.note, moment_words(canonical.read_instant(one.applied_at).replace(second=0), zone), row.recorded_by,
        ", ".join(words), bool(one.undone_at),
        moment_words(canonical.read_instant(one.undone_at).replace(second=0), zone) if one.undone_at else "",
    )  # fmt: skip


def _facts_of(row: logbook.Row, said: Mapping[str, Any], recipe: Recipe, kind: Kind | None) -> Iterator[Known]:
    if kind is not None:
        yield Known("What it is", kind.title, kind.means)
    total = sum(int(said.get(name, 0)) for name in ("begun", "changed", "unchanged", "refused"))
    yield Known("Lines", f"{total:,}")
    if recipe.sheet:
        yield Known("Sheet", recipe.sheet)
    labels = {name: label_of(fact) for name, fact in kind.known.items()} if kind else {}
    labels |= {importing.THING: f"which {plain(kind.type.name)}" if kind else "", importing.ON: "day", importing.AT: "day and time", importing.CLOCK: "time of day", importing.BY: "done by"}  # fmt: skip
    for column, name in recipe.columns.items():
        if name:
            yield Known((labels.get(name) or plain(name)).capitalize(), f"Column {column}")
    left = [column for column, name in recipe.columns.items() if not name and column not in recipe.key]
    if left:
        yield Known("Left out", ", ".join(left))
    if recipe.key:
        yield Known("Told apart by", " and ".join(recipe.key))
    for name, text in recipe.constants.items():
        yield Known(labels.get(name) or title(name), text, "The same for every line")
    for column, answers in recipe.answers.items():
        said_so = "; ".join(
            f"{kind.replace('_', ' ')}: {value if value not in NONE else 'none of them'}"
            for kind, value in answers.items()
        )
        yield Known(f"Answered of {column}", said_so)
    if recipe.day:
        yield Known("True on", day_words(date.fromisoformat(recipe.day), clock.today()))
    yield Known("File", str(said.get("file", ""))[:12], "The beginning of its hash: the file is kept")


def began(arrival: Arrival) -> str:
    """Returns when a list came, in words."""
    return moment_words(arrival.came_at.replace(second=0, microsecond=0), clock.current_town().zone)


def go_on(arrival: Arrival) -> Link:
    """Returns where bringing in a list goes on."""
    recipe = Recipe.read(arrival.recipe)
    name = "import_plan" if arrival.plan else "import_columns" if recipe.thing or recipe.event else "import_what"
    return Link("Go on", reverse(name, args=[arrival.id]))
