"""Which words a field takes that the vocabulary does not list: events of the same thing, keys of a form, offices, words of the law.

The vocabulary says where they stand (`one_of`); what they are is for the record and the adopted books to say.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from sewershed.ledger import clock, numbers, standing
from sewershed.ledger.law import Law
from sewershed.ledger.moments import moment_words
from sewershed.ledger.reading import kept_apart, moment_of
from sewershed.ledger.standing import Chain
from sewershed.rules.library import Library
from sewershed.rules.vocabulary import OneOf


def words(running: Law, owner: str, field: str, one_of: OneOf, part: str = "") -> Mapping[str, str] | None:
    """Returns the words that stand in the books, with what each means; None where the books say nothing of them.

    Args:
        running: the law.
        owner: the thing or event that has the field.
        field: the field.
        one_of: where its words stand.
        part: of a form's table with several parts, the one that is meant; all of them, if left out.
    """
    match one_of.source:
        case "roles":
            return running.book.roles
        case "books":
            found = running.library.law(running.book_id).words_beside(owner, field)
            return dict.fromkeys(found, "") or None
        case "form":
            text = form_of(running.library, running.book_id, one_of.name)
            return dict(_of_table(tomllib.loads(text).get(one_of.table, {}), one_of, part)) if text else None
    return None


def parts(running: Law, one_of: OneOf) -> tuple[str, ...]:
    """Returns the parts of a form's table; none where it has no parts, or no book has the form."""
    text = form_of(running.library, running.book_id, one_of.name) if one_of.by else ""
    return tuple(tomllib.loads(text).get(one_of.table, {})) if text else ()


def form_of(library: Library, book_id: str, paper: str) -> str:
    """Returns the file that gives the words of a paper: of the books of a town's line the nearest that has one; or nothing."""
    for book in library.line(book_id):
        for path in sorted((book.folder / "forms").glob("*.toml")):
            text = path.read_text("utf-8")
            if tomllib.loads(text).get("paper") == paper:
                return text
    return ""


def _of_table(table: Any, one_of: OneOf, part: str) -> Iterator[tuple[str, str]]:
    if not one_of.by:
        yield from ((str(key), str(label)) for key, label in table.items())
        return
    for rows in [table.get(part, ())] if part else table.values():
        yield from ((str(key), str(asks)) for key, asks in rows)


def events(thing: str, name: str) -> dict[str, Chain]:
    """Returns what stands of an event on a thing, by the id of its first row, the earliest recorded first."""
    return {one.root.id: one for one in standing.standing_about(thing) if one.content.name == name}


def event_words(running: Law, chain: Chain) -> str:
    """Returns how an event is named to somebody who must choose one: the word to write, what it says, and when it was."""
    moment, kind = moment_of(chain.content), running.vocabulary.events.get(chain.content.name)
    data = running.reader.present_data(chain.content)
    needed = [name for name, fact in kind.data.items() if fact.required and not fact.private] if kind else []
    said = [str(data[name]).replace("_", " ") for name in needed if data.get(name)]
    if moment is not None:
        said.append(moment_words(moment, clock.current_town().zone))
    return f"{number_of(chain) or chain.root.id} ({', '.join(said)})"


def number_of(chain: Chain) -> str:
    """Returns the number that an event took, or nothing."""
    return str(kept_apart(chain.root).get(numbers.NUMBER, ""))
