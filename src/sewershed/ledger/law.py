"""The law of the open town as the ledger uses it: the adopted supplement, its vocabulary, its book."""

from __future__ import annotations

from dataclasses import dataclass

from sewershed.ledger import supplements
from sewershed.ledger.clock import current_town
from sewershed.ledger.reading import RowReader
from sewershed.rules.law import Law as Ground
from sewershed.rules.library import Library
from sewershed.rules.loading.books import Book
from sewershed.rules.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Law:
    """One supplement, as one town runs it."""

    supplement: str  # its hash
    book_id: str

    @property
    def library(self) -> Library:
        """Returns the books, read and checked."""
        return supplements.library(self.supplement)

    @property
    def book(self) -> Book:
        """Returns the town's own book."""
        return self.library.books[self.book_id]

    @property
    def vocabulary(self) -> Vocabulary:
        """Returns the vocabulary, with the facts that the town's line of books derives."""
        return self.book.vocabulary

    @property
    def ground(self) -> Ground:
        """Returns the entries that the town lives under, sorted by what they are asked about."""
        return self.library.law(self.book_id)

    @property
    def reader(self) -> RowReader:
        """Returns what reads rows under this vocabulary."""
        return supplements.reader(self.supplement, self.book_id)


def in_force(known_at: str = "") -> Law:
    """Returns the law that the town runs, or ran as far as was known at an instant."""
    return Law(supplements.adopted(known_at), current_town().book)
