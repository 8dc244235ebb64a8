"""`sewershed rules coverage`, `rules new` and `rules diff`: whether all of an ordinance runs, a new one begun, two compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sewershed.cli import terminal
from sewershed.cli.failing import found
from sewershed.cli.shelf import book_named, books_option, cases_of, load, load_folder
from sewershed.cli.terminal import Verb, json_option

if TYPE_CHECKING:
    from sewershed.rules.coverage import Coverage
    from sewershed.rules.loading.books import Book

_STATUSES = ("rule", "judged", "text", "outside", "unread")


@click.command(
    cls=Verb,
    examples="""
    sewershed rules coverage
    sewershed rules coverage us.nc.spring_hope
    sewershed rules coverage --json
    """,
)
@click.argument("place", required=False, default="")
@books_option
@json_option
def coverage(place: str, own: tuple[Path, ...], is_json: bool) -> None:
    """Counts the clauses of each register by topic, kind and status, and names what is not accounted for.

    That is a row that names nothing or what is not there, and an entry that no worked case names. Exit status 1 when there
    is one. Clauses that are unread are counted, and are no fault.
    """
    from sewershed.programs import papers
    from sewershed.rules.coverage import coverage as cover

    library = load(own)
    books = library.line(book_named(library, place)) if place else tuple(library.books.values())
    cases = [case for book in library.books.values() for case in cases_of(book)]
    covered = [cover(book, library, cases, papers()) for book in books]
    for one in covered:
        if is_json:
            clauses = [
                {"topic": key[0], "kind": key[1], "status": key[2], "count": n}
                for key, n in sorted(one.clauses.items())
            ]
            terminal.print_json(
                {"book": one.book, "clauses": clauses, "problems": one.problems, "unverified": one.unverified}
            )
        else:
            _print(one)
    problems = sum(len(one.problems) for one in covered)
    if not is_json:
        clauses_ = sum(sum(one.clauses.values()) for one in covered)
        unread = sum(count for one in covered for key, count in one.clauses.items() if key[2] == "unread")
        click.echo()
        said = f"{terminal.many(clauses_, 'clause')}, {unread} unread; {terminal.many(problems, 'row or entry', 'rows and entries')} not accounted for."
        click.echo(click.style(said, bold=bool(problems)))
    if problems:
        found()


@click.command(
    cls=Verb,
    examples="""
    sewershed rules diff us.nc.spring_hope us.nh.hampton
    sewershed rules diff us.nc.spring_hope ./spring-hope-2027
    sewershed rules diff ./older ./newer --json
    """,
)
@click.argument("old")
@click.argument("new")
@books_option
@json_option
def diff(old: str, new: str, own: tuple[Path, ...], is_json: bool) -> None:
    """Says in which entries two rulebooks differ, line by line.

    OLD and NEW are each the id of a place or the folder of a rulebook. Entries are compared by their names without the place;
    those of the books above are not. Exit status 0 whether they differ or not.
    """
    from sewershed.rules.comparing import by_local_name, differences

    before, after = _book(old, own), _book(new, own)
    differing = list(differences(by_local_name(before), by_local_name(after)))
    if is_json:
        for one in differing:
            terminal.print_json({"entry": one.entry, "what": one.what, "old": one.old, "new": one.new})
        return
    shown = ""
    for one in differing:
        if one.entry != shown:
            terminal.heading(one.entry)
            shown = one.entry
        if not one.what:
            where = new if one.old is None else old
            terminal.say(f"only in {where}: {one.old or one.new}", indent=4, first="  ")
            continue
        terminal.say(f"{one.what}:", indent=2)
        for where, text in ((old, one.old), (new, one.new)):
            terminal.say(f"{where}: {text or 'says nothing of it'}", indent=6, first="    ")
    click.echo()
    entries = len({one.entry for one in differing})
    click.echo(f"{terminal.many(entries, 'entry differs', 'entries differ')}." if entries else "They say the same.")


def _book(name: str, own: tuple[Path, ...]) -> Book:
    """Returns the rulebook of a place, or that of a folder, which may be another edition of one that is installed."""
    folder = Path(name)
    if not (folder / "rulebook.toml").is_file():
        library = load(own)
        return library.books[book_named(library, name)]
    return load_folder(folder, own)


def _print(one: Coverage) -> None:
    terminal.heading(one.book)
    if not one.clauses:
        click.echo("  no register: what it says is cited entry by entry")
    for column, name in enumerate(("topic", "kind")):
        if one.clauses:
            _table(name, one.by(column))
    if one.unverified:
        terminal.say(
            f"{terminal.many(len(one.unverified), 'entry rests', 'entries rest')} on memory: check before relying on it: "
            f"{', '.join(one.unverified)}",
            indent=2,
        )
    for text in one.problems:
        terminal.say(text, indent=4, first="  - ", fg="red")


def _table(name: str, rows: Mapping[str, Counter[str]]) -> None:
    width = max(len(name), *(len(one) for one in rows))
    click.echo(
        click.style(f"\n  {name:<{width}}" + "".join(f"{status:>9}" for status in (*_STATUSES, "all")), dim=True)
    )
    for row, counts in rows.items():
        cells = "".join(f"{counts[status] or '':>9}" for status in _STATUSES)
        click.echo(f"  {row:<{width}}{cells}{counts.total():>9}")
    whole = sum(rows.values(), Counter[str]())
    cells = "".join(f"{whole[status] or '':>9}" for status in _STATUSES)
    click.echo(click.style(f"  {'all':<{width}}{cells}{whole.total():>9}", bold=True))
