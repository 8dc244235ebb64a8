"""Notes on a book that is sound: what a reader should not take at its word.

A problem keeps a book from being used; a note does not. It says where nobody has named the clause, held an entry against its
source, settled what the text leaves open, or worked an entry by hand, and where two entries say the same or contradict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sewershed.rules.cases import Case
from sewershed.rules.coverage import cases_below, not_worked
from sewershed.rules.entries import Doubt, Entry
from sewershed.rules.library import Library
from sewershed.rules.loading.books import Book
from sewershed.rules.overlaps import overlaps

KINDS: Mapping[str, str] = {
    "uncited": "no clause is named, or none of the book's register",
    "unverified": "from memory: check before relying on it",
    "doubtful": "the text leaves open what they say",
    "overlapping": "two entries say the same twice, or contradict each other",
    "not_worked": "no worked case from outside our engine names them",
}


@dataclass(frozen=True, slots=True)
class Note:
    """One thing to know of an entry or a doubt: which kind of note it is, where it stands, and what it says."""

    kind: str
    entry: str
    file: str
    says: str


def notes(book: Book, library: Library, cases: Iterable[Case]) -> list[Note]:
    """Returns what there is to know of a book's own entries and doubts, by kind and then in the order of the book.

    Edge: an entry is *uncited* where its citations are empty and, in a book with a register, where it covers no row of it; a
        doubt only where it cites nothing. It is *unverified* where it was written from memory, and only then: what merely
        rests on such an entry is not. It is *doubtful* where it names a doubt, has readings of one, stands in what one is
        about, or counts days that its book's text does not name; a doubt is open until a town settles it by a row, so each
        counts. Two entries are *overlapping* as `overlaps` says, noted under the more local one. It is *not worked* as in
        `coverage`; a case of a book that does not stand below this one works nothing of it.

    Args:
        book: the book.
        library: the library in which it stands.
        cases: worked cases, of whatever book: what a parent says may be worked in a child's.
    """
    entries = list(book.entries.values())
    found = [*_uncited(book), *_unverified(entries), *_doubtful(book, library), *_overlapping(book, library)]
    return found + [
        Note("not_worked", one.id, one.file, "no worked case names it, or what it answers")
        for one in not_worked(entries, cases_below(book, library, cases))
    ]


def _uncited(book: Book) -> Iterator[Note]:
    for entry in book.entries.values():
        if not _cites(entry):
            yield Note("uncited", entry.id, entry.file, "cites nothing")
        elif book.register is not None and not entry.covers:
            yield Note("uncited", entry.id, entry.file, f"cites {'; '.join(entry.cites)}, and covers no row of the register")  # fmt: skip
    for doubt in book.doubts.values():
        if not _cites(doubt):
            yield Note("uncited", doubt.id, doubt.file, "cites nothing")


def _cites(one: Entry | Doubt) -> bool:
    return any(cite.strip() for cite in one.cites)


def _unverified(entries: Iterable[Entry]) -> Iterator[Note]:
    for entry in entries:
        if entry.caution:
            yield Note("unverified", entry.id, entry.file, entry.note or entry.means)


def _doubtful(book: Book, library: Library) -> Iterator[Note]:
    law = library.law(book.id)
    for entry in book.entries.values():
        named = dict.fromkeys((*entry.doubts, entry.reading_of, *(one.id for one in law.doubts.values() if entry.id in one.about)))  # fmt: skip
        if entry.id in law.unsaid:
            named[book.unsaid_doubt] = None
        doubts = [law.doubts[name] for name in named if name in law.doubts]
        if doubts:
            yield Note("doubtful", entry.id, entry.file, "; ".join(_read(one) for one in doubts))


def _read(doubt: Doubt) -> str:
    return f"{doubt.id}, read as “{doubt.applied}” until settled" if doubt.applied else f"{doubt.id}, not read either way until settled"  # fmt: skip


def _overlapping(book: Book, library: Library) -> Iterator[Note]:
    for one in overlaps(book, library):
        yield Note("overlapping", one.entry, book.entries[one.entry].file, f"with {one.other}: {one.how}")
