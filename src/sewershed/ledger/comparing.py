"""What changes from one law to another, in sentences: in the entries, and in what follows from the record."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from sewershed.ledger import canonical, supplements
from sewershed.ledger.law import Law
from sewershed.ledger.models import Thing as ThingRow
from sewershed.ledger.records import LogRecords
from sewershed.rules.findings import Finding, Obligation
from sewershed.rules.types import Type
from sewershed.rules.vocabulary import Vocabulary
from sewershed.rules.world import World

Flat = Mapping[str, str]  # path of a key -> its value as written
_LONGEST = 90


def entries(before: Law, after: Law) -> Iterator[str]:
    """Yields a sentence for each entry, book or word of the vocabulary that is new, gone or other than it was."""
    old, new = _entries_of(before), _entries_of(after)
    for name in sorted(old.keys() | new.keys()):
        if name not in old:
            yield f"{name} is new{_means(new[name])}"
        elif name not in new:
            yield f"{name} is gone{_means(old[name])}"
        else:
            yield from _changes(name, old[name], new[name])


def changed_types(before: Vocabulary, after: Vocabulary) -> Iterator[str]:
    """Yields a sentence for each name whose type or unit is another: what was recorded under it would mean something else.

    Edge: a choice may gain words; whether one it lost was ever used is found by reading the log.
    """
    owners = [(before.things, after.things, "facts"), (before.events, after.events, "data")]
    for old, new, inside in owners:
        for name in sorted(old.keys() & new.keys()):
            was, now = getattr(old[name], inside), getattr(new[name], inside)
            for field in sorted(was.keys() & now.keys()):
                if _bare(was[field].type) != _bare(now[field].type):
                    yield (
                        f"{name}.{field} was {was[field].type}, is {now[field].type}: a unit or a type never changes under "
                        f"a name. Give the new one a new name, and keep {field} with retired = true"
                    )


def _bare(kind: Type) -> Type:
    return replace(kind, words=()) if kind.kind == "choice" else kind


def consequences(
    before: Law, after: Law, now: datetime, progress: Callable[[int], None] | None = None
) -> Iterator[str]:
    """Yields a sentence for each obligation and each finding that the other law would change, thing by thing.

    Args:
        before: the law that runs.
        after: the law that would.
        now: the instant at which both are asked.
        progress: told how many things have been compared.
    """
    worlds = []
    for running in (before, after):
        records = LogRecords(running.reader)
        records.prefetch_all()
        worlds.append(World(running.library, running.book_id, records, now))
    old, new = worlds
    labels = dict(ThingRow.objects.values_list("id", "label"))
    for number, thing in enumerate(old.records.things()):
        yield from _differing(labels.get(thing, thing), _said(old, thing), _said(new, thing))
        if progress is not None and number % 100 == 0:
            progress(number)


def _said(world: World, thing: str) -> dict[str, tuple[str, str]]:
    """Returns, by key, the rule and what is said under it."""
    said = {one.key: (one.rule, say_obligation(world, one)) for one in world.obligations(thing)}
    return said | {one.key: (one.rule, say_finding(one)) for one in world.findings(thing)}


def _differing(label: str, old: Mapping[str, tuple[str, str]], new: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    for key in sorted(old.keys() | new.keys()):
        rule = (old.get(key) or new[key])[0]
        was, would = (found.get(key, ("", "nothing"))[1] for found in (old, new))
        if was != would:
            yield f"{rule} on {label}: is {was}; would be {would}"


def say_obligation(world: World, one: Obligation) -> str:
    """Returns how an obligation stands, in a few words."""
    words = [one.state.replace("_", " ")]
    if one.due is not None:
        words.append(f"{'' if one.state == 'due' else 'due '}{world.say(one.due)}")
    if one.asks and one.state == "cannot_tell":
        words.append("asking " + " and ".join(str(want) for want in one.asks))
    if one.label:
        words.append(f"({one.label})")
    return " ".join(words)


def say_finding(one: Finding) -> str:
    """Returns how a finding comes out, in a few words."""
    asks = " asking " + " and ".join(str(want) for want in one.asks) if one.asks else ""
    return f"{one.outcome}{asks}"


def _entries_of(running: Law) -> dict[str, Flat]:
    """Returns every entry, the identity of every book and every declaration of the vocabulary, flat, by name."""
    found: dict[str, Flat] = {}
    for path, content in supplements.parts_of(running.supplement).items():
        if not path.endswith(".toml"):
            continue
        said = tomllib.loads(content.decode("utf-8"), parse_float=Decimal)
        where, _, file = path.partition("/")
        if where == "programs":
            for table, names in said.items():
                found |= {f"vocabulary {table}.{name}": dict(_flat(spec)) for name, spec in names.items()}
        elif file.endswith("/rulebook.toml"):
            found[f"book {said['id']}"] = dict(_flat(said))
        elif "/forms/" in file:
            found[f"words of {file.removeprefix('books/').removesuffix('.toml')}"] = dict(_flat(said))
        else:
            for kind, tables in said.items():
                found |= {f"{kind} {table.get('id', '?')}": dict(_flat(table)) for table in tables}
    return found


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _flat(item, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
        for number, item in enumerate(value):
            yield from _flat(item, f"{path}[{number}]")
    else:
        yield path, value if isinstance(value, str) else canonical.write(value)


def _changes(name: str, old: Flat, new: Flat) -> Iterator[str]:
    for path in sorted(old.keys() | new.keys()):
        if path not in old:
            yield f"{name}: {path} is new: {_short(new[path])}"
        elif path not in new:
            yield f"{name}: {path} is gone; it was {_short(old[path])}"
        elif old[path] != new[path]:
            yield f"{name}: {path} was {_short(old[path])}, is {_short(new[path])}"


def _means(flat: Flat) -> str:
    return f": {flat['means']}" if flat.get("means") else ""


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
