"""What the text leaves open: doubts with their readings, how each stands, and every decision on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from sewershed.ledger import journal
from sewershed.ledger.models import Account
from sewershed.ledger.moments import day_words
from sewershed.ledger.ordinance import the_office
from sewershed.ledger.projections import moment_of
from sewershed.ledger.wording import Words, capital
from sewershed.rules.world import World


@dataclass(frozen=True, slots=True)
class DoubtShown:
    """A doubt that touches an entry, and how it stands."""

    id: str
    means: str
    readings: tuple[tuple[str, str], ...]
    stands: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class DecisionShown:
    """A decision on a doubt: what, for what, since when, by whom, because."""

    doubt: str
    reading: str
    about: str
    about_url: str
    when: str
    because: str
    row: str
    counts: bool


def how_read(doubt: str, reading: str, world: World) -> str:
    """Returns by what a reading governs the whole town, or nothing where it does not."""
    decided = world.decisions(doubt, None) if doubt else []
    if decided:
        return "So decided" if decided[-1].reading == reading else ""
    known = world.doubts.get(doubt)
    return "Applied until somebody decides" if known is not None and known.applied == reading else ""


def doubts_shown(doubts: tuple[str, ...], world: World, words: Words) -> Iterator[DoubtShown]:
    """Yields doubts with their readings and how they stand for the whole town."""
    for id_ in doubts:
        doubt = world.doubts.get(id_)
        if doubt is None:
            continue
        decided = world.decisions(id_, None)
        if decided:
            stands = f"Decided {day_words(decided[-1].day, words.today)}: {decided[-1].reading}"
        elif doubt.applied:
            stands = f"Read until somebody decides as: {doubt.applied}"
        else:
            stands = "Until somebody decides, what hangs on it cannot be told"
        by = (
            f" {capital(the_office(doubt.settle_by, words.roles))} settles it."
            if doubt.settle_by and not decided
            else ""
        )
        readings = tuple((one, how_read(id_, one, world)) for one in doubt.choices)
        yield DoubtShown(id_, doubt.means, readings, f"{stands}.{by}", not decided)


def decisions_shown(doubts: tuple[str, ...], world: World, words: Words, account: Account) -> Iterator[DecisionShown]:
    """Yields every decision on some doubts, for all or for one thing."""
    if not doubts:
        return

    def counting(thing: str) -> set[str]:
        return {each.event for doubt in doubts for each in world.decisions(doubt, world.thing(thing))}

    for one in journal.decided(sorted(doubts), as_account=account):
        moment, data = moment_of(one.row.at), one.row.data
        yield DecisionShown(
            str(data.get("doubt", "")), str(data.get("reading", "")), one.label, reverse("thing", args=[one.row.thing]),
            words.moment(moment) if moment else "", str(data.get("because", "")), one.row.id, one.row.root in counting(one.row.thing),
        )  # fmt: skip
