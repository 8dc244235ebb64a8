"""Comparing: what one law says and another does not, entry by entry and line by line (docs/explanation/rulebook.md 19).

Two places are compared by what stays of the ids of their entries without the place. What is compared is what entries say,
not how they are written; the plan of an adoption compares files to the letter (ledger/comparing).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sewershed.rules.entries import Doubt, Entry
from sewershed.rules.loading.books import Book
from sewershed.rules.sentences import editions

Said = Mapping[str, str]  # what a line is about -> what it says


@dataclass(frozen=True, slots=True)
class Difference:
    """A line that is other in one law than in the other; None where the law has no such line or entry.

    `what` is empty where the whole entry is missing on one side; `old` and `new` are then what it means.
    """

    entry: str
    what: str
    old: str | None
    new: str | None


def differences(old: Mapping[str, Entry | Doubt], new: Mapping[str, Entry | Doubt]) -> Iterator[Difference]:
    """Yields everything in which two laws differ, by the names under which their entries are given, in their order.

    Edge: entries that are written otherwise and say the same do not differ.
    """
    for name in sorted(old.keys() | new.keys()):
        one, other = old.get(name), new.get(name)
        if one is None or other is None:
            yield Difference(
                _named(name, one or other), "", _meant(one) if one else None, _meant(other) if other else None
            )
            continue
        before, after = said_of(one), said_of(other)
        for what in dict.fromkeys((*before, *after)):
            if before.get(what) != after.get(what):
                yield Difference(_named(name, other), what, before.get(what), after.get(what))


def by_local_name(book: Book) -> dict[str, Entry | Doubt]:
    """Returns the entries and doubts of one book by their names without the place: `us.nc.spill.tell` as `spill.tell`."""
    own: dict[str, Entry | Doubt] = {**book.entries, **book.doubts}
    return {name.removeprefix(f"{book.id}."): entry for name, entry in own.items()}


def said_of(entry: Entry | Doubt) -> dict[str, str]:
    """Returns everything that an entry says, line by line, each under what it is about.

    Lines of an edition are headed by when it is in force, those of a reading by its name.
    """
    found = {"meaning": entry.means, "clause": "; ".join(entry.cites), "note": entry.note}
    if isinstance(entry, Doubt):
        found |= {
            "readings": "; ".join(entry.choices),
            "reading applied until settled": entry.applied,
            "office that settles it": entry.settle_by,
            "what it touches": ", ".join(entry.about),
        }
        return {what: text for what, text in found.items() if text}
    found |= {
        "kind": entry.kind,
        "doubts": ", ".join(entry.doubts),
        "readings of": entry.reading_of,
        "stand toward its parent": f"{entry.combine.how} {entry.combine.other}" if entry.combine else "",
        "certainty": "" if entry.certainty == "verified" else f"from {entry.certainty}",
    }
    for edition, reading, lines in editions(entry):
        since = f"from {edition.since}, " if edition.since else ""
        until = f"until {edition.until}, " if edition.until else ""
        read = f"read as “{reading}”, " if reading else ""
        for label, text in lines:
            what, number = f"{since}{until}{read}{label}", 2
            while what in found:
                what, number = f"{since}{until}{read}{label} ({number})", number + 1
            found[what] = text
    return {what: text for what, text in found.items() if text}


def _named(name: str, entry: Entry | Doubt | None) -> str:
    kind = entry.kind if isinstance(entry, Entry) else "doubt"
    return name if kind == "doubt" else f"{kind} {name}"


def _meant(entry: Entry | Doubt) -> str:
    return f"{entry.means} ({'; '.join(entry.cites)})" if entry.cites else entry.means
