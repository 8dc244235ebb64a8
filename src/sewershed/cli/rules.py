"""`sewershed rules`: the rulebooks themselves. Starts without Django."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sewershed.cli import terminal
from sewershed.cli.beginning import new
from sewershed.cli.coverage import coverage, diff
from sewershed.cli.failing import Failure, found
from sewershed.cli.shelf import book_named, books_option, cases_of, load, programs_of
from sewershed.cli.terminal import Verbs, json_option

if TYPE_CHECKING:
    from sewershed.rules.cases import Case
    from sewershed.rules.entries import Doubt, Edition, Entry
    from sewershed.rules.law import Law
    from sewershed.rules.library import Library
    from sewershed.rules.loading.books import Book
    from sewershed.rules.notes import Note

_PLURALS = {"duty": "duties", "status": "statuses", "penalty": "penalties"}


@click.group(
    cls=Verbs,
    examples="""
    sewershed rules check
    sewershed rules doubts us.nc.spring_hope
    sewershed rules show us.nc.spring_hope.spill.tell
    """,
)
def rules() -> None:
    """Reads the rulebooks: checks, doubts, entries.

    PLACE is the id of a rulebook, written with dots, most general part first.
    """


@rules.command(
    examples="""
    sewershed rules check
    sewershed rules check us.nc.spring_hope --cases
    sewershed rules check us.nc.spring_hope --strict
    sewershed rules check --books ./spring-hope/rulebooks
    """
)
@click.argument("place", required=False, default="")
@books_option
@click.option("--cases", "with_cases", is_flag=True, help="Also run the worked cases of the books.")
@click.option("--strict", "is_strict", is_flag=True, help="Exit status 1 for a note, too.")
@json_option
def check(place: str, own: tuple[Path, ...], with_cases: bool, is_strict: bool, is_json: bool) -> None:
    """Checks every name, type, unit and reference of the rulebooks, and with --cases their worked cases.

    Names every problem at once, with its file and entry. Exit status 1 when there is one.

    Of books that are sound it notes what should not be taken at its word: entries that are uncited, from memory, touched by a
    doubt, overlapping, without a worked case. A note is no problem, unless --strict.
    """
    from sewershed.rules.notes import notes
    from sewershed.rules.problems import RulebookError

    try:
        library = load(own)
    except RulebookError as error:
        _report_problems(error, is_json)
    lines = [book for book in library.books.values() if not place or book in library.line(book_named(library, place))]
    cases, wrong = _cases_of(library.books.values())
    noted = {book.id: notes(book, library, [one for known in cases.values() for one in known]) for book in lines}
    wrong = [one for one in wrong if one[0] in lines]
    wrong += _wrong_cases(lines, cases, library, own) if with_cases else []
    if is_json:
        for book in lines:
            found_wrong = [text for one, text in wrong if one is book]
            terminal.print_json({**_summary(book), "notes": [_note_facts(one) for one in noted[book.id]], "wrong_cases": found_wrong})  # fmt: skip
    else:
        for book in lines:
            _print_book(book, library.law(book.id))
        _print_notes([one for book in lines for one in noted[book.id]])
        for _, text in wrong:
            terminal.say(text, indent=4, first="  ! ", fg="red")
        click.echo()
        click.echo(_sum(lines, wrong, sum(len(cases[book.id]) for book in lines) if with_cases else None))
    if wrong or (is_strict and any(noted.values())):
        found()


@rules.command(
    examples="""
    sewershed rules doubts us.nc.spring_hope
    sewershed rules doubts us.nc.spring_hope --json
    """,
)
@click.argument("place")
@books_option
@json_option
def doubts(place: str, own: tuple[Path, ...], is_json: bool) -> None:
    """Lists what the texts of a place leave open: the readings, which one is applied, who settles it.

    A town settles a doubt by a row: `sewershed record TOWN decide --doubt ID --reading "..." --because "..."`.
    """
    library = load(own)
    book = book_named(library, place)
    known, law = library.doubts(book), library.law(book)
    for doubt in known.values():
        if is_json:
            terminal.print_json(_doubt_facts(doubt) | {"read_by": law.readers_of(doubt.id)})
        else:
            print_doubt(doubt, library.books[book].roles, is_read=bool(law.readers_of(doubt.id)))
    if not is_json:
        texts = [text for doubt in known.values() for text in (doubt.means, *doubt.cites, *doubt.choices)]
        terminal.abbreviations(texts, library.books[book].abbreviations)
        applied = sum(1 for doubt in known.values() if doubt.applied)
        click.echo()
        terminal.say(_sum_of_doubts(len(known), applied, library.books[book].name))


NOT_READ = "No entry reads it one way or the other: it is shown, and nothing follows from deciding it."


def _sum_of_doubts(count: int, applied: int, place: str) -> str:
    if not count:
        return f"No doubt is written down for {place}: nobody has noted yet that its texts leave something open."
    said = [f"for {applied} one reading is applied until somebody decides"] if applied else []
    said += [f"{count - applied} wait for a decision"] if count > applied else []
    return f"{terminal.many(count, 'doubt')}; {', '.join(said)}."


@rules.command(
    examples="""
    sewershed rules show us.nc.spring_hope.spill.tell
    sewershed rules show D-SH-06
    sewershed rules show us.nc.spring_hope.spill.written --json
    """
)
@click.argument("entry")
@books_option
@json_option
def show(entry: str, own: tuple[Path, ...], is_json: bool) -> None:
    """Shows one entry as sentences: its clause, what it means, who, when, and every reading of it.

    ENTRY is its id, or the last words of it where only one entry ends so.
    """
    from sewershed.rules.entries import Doubt

    library = load(own)
    shown = _entry(library, entry)
    if is_json:
        terminal.print_json(_facts_of(library, shown))
    elif isinstance(shown, Doubt):
        print_doubt(shown, library.books[shown.book].roles, is_read=_is_read(library, shown))
    else:
        _print_entry(library, shown)
    if not is_json:
        terminal.abbreviations((shown.means, *shown.cites), library.books[shown.book].abbreviations)


for _command in (coverage, new, diff):
    rules.add_command(_command)


# ------------------------------------------------------------------------------------------------ reading them


def _entry(library: Library, name: str) -> Entry | Doubt:
    from sewershed.rules.problems import did_you_mean

    known: dict[str, Entry | Doubt] = {}
    for book in library.books.values():
        known |= book.entries
        known |= book.doubts
    if name in known:
        return known[name]
    ending = [one for one in known if one.endswith(f".{name}")]
    if len(ending) == 1:
        return known[ending[0]]
    if ending:
        raise Failure(f"{len(ending)} entries end with .{name}; write more of the id:", sorted(ending))
    raise Failure(f"no rulebook has an entry '{name}'{did_you_mean(name, known)}")


# ------------------------------------------------------------------------------------------------ check


def _report_problems(error: Any, is_json: bool) -> None:
    if is_json:
        for problem in error.problems:
            terminal.print_json({"file": problem.file, "problem": problem.text})
        found()
    by_file: dict[str, list[str]] = {}
    for problem in error.problems:
        by_file.setdefault(problem.file, []).append(problem.text)
    for file, texts in by_file.items():
        terminal.heading(file or "the books together")
        for text in texts:
            terminal.say(text, indent=4, first="  -")
    click.echo()
    click.echo(
        click.style(
            f"{terminal.many(len(error.problems), 'problem')}: no book is used until they are mended.", bold=True
        )
    )
    found()


def _cases_of(books: Iterable[Book]) -> tuple[dict[str, list[Case]], list[tuple[Book, str]]]:
    """Returns the worked cases by book, and what cannot be read of them."""
    from sewershed.rules.cases import CaseError

    known: dict[str, list[Case]] = {}
    unread: list[tuple[Book, str]] = []
    for book in books:
        try:
            known[book.id] = cases_of(book)
        except CaseError as error:
            known[book.id] = []
            unread += [(book, text) for text in str(error).splitlines()]
    return known, unread


def _wrong_cases(
    books: Sequence[Book], cases: Mapping[str, Sequence[Case]], library: Library, own: Sequence[Path]
) -> list[tuple[Book, str]]:
    from sewershed.rules.cases import run_case

    programs, wrong = programs_of(own), []
    with terminal.progress("running the worked cases") as tell:
        for book in books:
            for number, case in enumerate(cases[book.id], 1):
                tell(f"{book.name}, {number} of {len(cases[book.id])}")
                wrong += [(book, f"{case}: {text}") for text in run_case(case, programs, library)]
    return wrong


def _note_facts(one: Note) -> dict[str, str]:
    return {"kind": one.kind, "entry": one.entry, "file": one.file, "says": one.says}


def _print_notes(noted: Sequence[Note]) -> None:
    """Prints notes by kind, one a line, and how many there are of each."""
    from sewershed.rules.notes import KINDS

    counts = Counter(one.kind for one in noted)
    for kind, means in KINDS.items():
        if counts[kind]:
            terminal.heading(f"{kind.replace('_', ' ').capitalize()}  {counts[kind]}: {means}")
        for one in noted:
            if one.kind == kind:
                terminal.say(f"{one.entry}: {one.says}", indent=4, first="  -")
    said = ", ".join(f"{counts[kind]} {kind.replace('_', ' ')}" for kind in KINDS)
    click.echo()
    terminal.say(f"Noted: {said}. A note is no problem; --strict makes it one.")


def _summary(book: Book) -> dict[str, Any]:
    clauses = Counter(clause.status for clause in (book.register or {}).values())
    return {
        "id": book.id,
        "name": book.name,
        "parent": book.parent or None,
        "edition": book.edition,
        "entries": len(book.entries),
        "kinds": dict(Counter(entry.kind for entry in book.entries.values())),
        "doubts": len(book.doubts),
        "clauses": dict(clauses),
    }


def _sum(books: Sequence[Book], wrong: Sequence[object], cases_run: int | None) -> str:
    entries = terminal.many(sum(len(book.entries) for book in books), "entry", "entries")
    said = f"{terminal.many(len(books), 'book')}, {entries}"
    if cases_run is not None:
        said += f", {terminal.many(cases_run, 'worked case')}"
    elif wrong:
        return click.style(f"{said}: {terminal.many(len(wrong), 'problem')} in the worked cases.", bold=True)
    return click.style(f"{said}: {len(wrong)} came out otherwise.", bold=True) if wrong else f"{said}: all sound."


def _print_book(book: Book, law: Law) -> None:
    facts = _summary(book)
    counts = sorted(facts["kinds"].items(), key=lambda one: -one[1])
    kinds = ", ".join(terminal.many(count, kind, _PLURALS.get(kind, "")) for kind, count in counts)
    click.echo(f"{click.style(book.id, bold=True)}  {book.name}{', ' + book.edition if book.edition else ''}")
    unread = [doubt for doubt in book.doubts if not law.readers_of(doubt)]
    shown_only = f", of which no entry reads {', '.join(unread)}: nothing follows from deciding them" if unread else ""
    terminal.say(f"{kinds or 'no entry'}; {terminal.many(facts['doubts'], 'doubt')}{shown_only}", indent=2)
    if facts["clauses"]:
        clauses: Mapping[str, int] = facts["clauses"]
        listed = ", ".join(f"{count} {status}" for status, count in sorted(clauses.items(), key=lambda one: -one[1]))
        terminal.say(f"{terminal.many(sum(clauses.values()), 'clause')} in its register: {listed}", indent=2)


# ------------------------------------------------------------------------------------------------ doubts, entries


def print_doubt(doubt: Doubt, roles: Mapping[str, str], *, is_read: bool = True) -> None:
    """Prints a doubt: what is open, the readings, which is applied, who settles it, and whether anything follows from that."""
    click.echo()
    click.echo(f"{click.style(doubt.id, fg='magenta', bold=True)}  {'; '.join(doubt.cites)}")
    terminal.say(doubt.means, indent=2)
    for choice in doubt.choices:
        is_applied = choice == doubt.applied
        terminal.say(f"{choice}{' (applied until settled)' if is_applied else ''}", indent=6, first=f"    {'*' if is_applied else '-'}")  # fmt: skip
    by = (
        f"settled by the {roles.get(doubt.settle_by, doubt.settle_by)}"
        if doubt.settle_by
        else "nobody is named to settle it"
    )
    terminal.say(f"{by}; touches {', '.join(doubt.about)}", indent=2)
    if not is_read:
        terminal.say(NOT_READ, indent=2)
    if doubt.note:
        terminal.say(doubt.note, indent=2, dim=True)


def _doubt_facts(doubt: Doubt) -> dict[str, Any]:
    return {
        "id": doubt.id,
        "book": doubt.book,
        "cites": doubt.cites,
        "means": doubt.means,
        "choices": doubt.choices,
        "applied": doubt.applied or None,
        "settle_by": doubt.settle_by,
        "about": doubt.about,
        "covers": doubt.covers,
        "note": doubt.note,
    }


def _facts_of(library: Library, shown: Entry | Doubt) -> dict[str, Any]:
    from sewershed.rules.entries import Doubt
    from sewershed.rules.sentences import editions

    if isinstance(shown, Doubt):
        return _doubt_facts(shown)
    return {
        "id": shown.id,
        "kind": shown.kind,
        "book": shown.book,
        "file": shown.file,
        "cites": shown.cites,
        "covers": shown.covers,
        "means": shown.means,
        "doubts": _doubts_of(shown),
        "certainty": shown.certainty,
        "caution": library.law(shown.book).caution(shown.id) or None,
        "note": shown.note,
        "editions": [
            {"from": edition.since, "until": edition.until, "reading": reading, "says": [list(line) for line in lines]}
            for edition, reading, lines in editions(shown)
        ],
    }


def _doubts_of(entry: Entry) -> list[str]:
    return list(dict.fromkeys((*entry.doubts, *((entry.reading_of,) if entry.reading_of else ()))))


def _print_entry(library: Library, entry: Entry) -> None:
    from sewershed.rules.sentences import editions

    book = library.books[entry.book]
    caution = library.law(entry.book).caution(entry.id)
    click.echo(f"{click.style(entry.id, bold=True)}  {entry.kind}, {book.name} {book.edition}".rstrip())
    terminal.say(entry.means, indent=2)
    click.echo()
    terminal.pairs(
        [
            ("clause", "; ".join(entry.cites)),
            *([("of the register", ", ".join(entry.covers))] if entry.covers else []),
            *([("stands in", entry.file)]),
            *([("caution", caution)] if caution else []),
            *([("toward its parent", f"{entry.combine.how.replace('_', ' ')} {entry.combine.other}")] if entry.combine else []),
            *([("note", entry.note)] if entry.note else []),
        ]
    )  # fmt: skip
    by_edition: dict[tuple[object, object], list[tuple[Edition, str, list[tuple[str, str]]]]] = {}
    for one in editions(entry):
        by_edition.setdefault((one[0].since, one[0].until), []).append(one)
    for readings in by_edition.values():
        _print_edition(readings, library.doubts(entry.book).get(entry.reading_of))
    touching = _doubts_of(entry)
    if touching:
        known = library.doubts(entry.book)
        for doubt in touching:
            print_doubt(known[doubt], book.roles, is_read=_is_read(library, known[doubt]))


def _is_read(library: Library, doubt: Doubt) -> bool:
    return bool(library.law(doubt.book).readers_of(doubt.id))


def _print_edition(readings: Sequence[tuple[Edition, str, list[tuple[str, str]]]], doubt: Doubt | None) -> None:
    """Prints one edition: what all its readings say, then what each says besides."""
    edition = readings[0][0]
    when = [f"from {edition.since}" if edition.since else "", f"until {edition.until}" if edition.until else ""]
    said = " ".join(part for part in when if part)
    click.echo()
    if said:
        click.echo(click.style(f"  in force {said}", bold=True))
    shared = [line for line in readings[0][2] if all(line in lines for _, _, lines in readings)]
    terminal.pairs(shared)
    for _, reading, lines in readings:
        own = [line for line in lines if line not in shared]
        if reading:
            applied = ", applied until settled" if doubt is not None and doubt.applied == reading else ""
            click.echo()
            click.echo(click.style(f"  read as “{reading}”{applied}", bold=True))
        terminal.pairs(own)
