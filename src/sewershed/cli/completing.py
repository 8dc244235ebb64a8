"""What the shell completes: things, keys, events, offices and papers of the town that was named before.

Completion is switched on in a shell by its own line, such as `eval "$(_SEWERSHED_COMPLETE=bash_source sewershed)"`; see
docs/howto/complete-in-the-shell.md. Whatever goes wrong while completing, nothing is completed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from sewershed.cli.towns import Here, is_town

if TYPE_CHECKING:
    from sewershed.rules.vocabulary import Fact

MOST = 50  # items that are offered
Offer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
Find = Callable[[Here, click.Context, str], Iterable[tuple[str, str]]]  # yields a word and what it means


def _offering(find: Find) -> Offer:
    """Returns what click asks, from a function that finds words in an open town."""

    @wraps(find)
    def offer(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        here = _here(ctx)
        if here is None:
            return []
        try:
            found = dict(find(here, ctx, incomplete))
        except Exception:  # noqa: BLE001  # a completion that fails must not print a traceback into the line being typed
            return []
        low = incomplete.lower()
        fitting = [(word, means) for word, means in found.items() if word.lower().startswith(low)]
        return [CompletionItem(word, help=means) for word, means in fitting[:MOST]]

    return offer


def _here(ctx: click.Context) -> Here | None:
    """Returns the town that was named before, or None."""
    above: click.Context | None = ctx
    while above is not None and not above.params.get("town"):
        above = above.parent
    folder = Path(above.params["town"]) if above is not None else None
    if folder is None or not is_town(folder):
        return None
    try:
        from sewershed.project.opening import open_town

        town = open_town(folder)
        from sewershed.ledger import clock, rights

        return Here(town, rights.owner(), clock.now(), str(folder))
    except Exception:  # noqa: BLE001  # as above
        return None


def _things(here: Here, type: str, incomplete: str) -> Iterable[tuple[str, str]]:
    from sewershed.cli.handles import number_forms, short_name, vocabulary_of
    from sewershed.ledger import queries

    vocabulary = vocabulary_of(here)
    forms = number_forms(vocabulary)
    for kind in (type,) if type else vocabulary.things:
        for one in queries.things(kind, as_account=here.account, text=incomplete, limit=MOST).items:
            yield short_name(one.label, one.id, forms), one.label


def _any_thing(here: Here, ctx: click.Context, incomplete: str) -> Iterable[tuple[str, str]]:
    return _things(here, "", incomplete)


def _subjects(here: Here, ctx: click.Context, incomplete: str) -> Iterable[tuple[str, str]]:
    """Yields the things on which the event that is being recorded can happen."""
    from sewershed.cli.handles import vocabulary_of

    event = vocabulary_of(here).events.get(str(ctx.params.get("event") or ctx.info_name))
    return _things(here, event.on if event is not None else "", incomplete)


def _persons(here: Here, ctx: click.Context, incomplete: str) -> Iterable[tuple[str, str]]:
    from sewershed.ledger import queries

    for one in queries.things("person", as_account=here.account, text=incomplete, limit=MOST).items:
        yield one.label, one.id


def _keys(here: Here, ctx: click.Context, incomplete: str) -> Iterable[tuple[str, str]]:
    """Yields the things of which something is due, and after one of them the last words of its rules."""
    from sewershed.cli.words import words_of
    from sewershed.ledger import queries

    typed = " ".join(ctx.params.get("key") or ctx.params.get("about") or ())
    lines = queries.due(as_account=here.account).items
    keys = words_of(here, lines, here.now).keys
    for line in lines:
        key = keys[line.key]
        if not typed:
            yield key.partition(" ")[0], line.thing_label
        elif key.startswith(f"{typed} "):
            yield key.removeprefix(f"{typed} "), line.means


def _events(here: Here, ctx: click.Context, incomplete: str) -> Iterable[tuple[str, str]]:
    from sewershed.cli.handles import vocabulary_of

    return [(one.name, one.means) for one in vocabulary_of(here).events.values() if not one.retired]


def _offices(here: Here, ctx: click.Context, incomplete: str) -> Iterable[tuple[str, str]]:
    from sewershed.ledger import law

    return law.in_force().book.roles.items()


def _papers(here: Here, ctx: click.Context, incomplete: str) -> Iterable[tuple[str, str]]:
    from sewershed.ledger.papers import KINDS

    return [(kind.name, kind.title) for kind in KINDS.values()]


def _tables(here: Here, ctx: click.Context, incomplete: str) -> Iterable[tuple[str, str]]:
    from sewershed.cli.handles import vocabulary_of

    yield "log", "every row of the record"
    yield "due", "everything that is or was due"
    yield from ((kind.name, kind.means) for kind in vocabulary_of(here).things.values())


def fields(known: Iterable[Fact]) -> Offer:
    """Returns what completes the fields of an event or a thing."""
    names = {f"{fact.name}=": fact.means for fact in known if not fact.retired and not fact.derived}

    def offer(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(name, help=means) for name, means in names.items() if name.startswith(incomplete)]

    return offer


any_thing, subject, persons, keys = map(_offering, (_any_thing, _subjects, _persons, _keys))
events, offices, papers, tables = map(_offering, (_events, _offices, _papers, _tables))
