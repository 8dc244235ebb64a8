"""The verbs of bringing in a list: taking the file, saying what it is, looking at its lines, entering them, undoing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sewershed.desk.imports import queries
from sewershed.desk.imports.models import Arrival, PlannedLine
from sewershed.exchange.lists import Sheet
from sewershed.ledger import actions, canonical, clock, files, importing
from sewershed.ledger.batches import Change, Plan, PlanChanged
from sewershed.ledger.entry import Recorded
from sewershed.ledger.errors import Refused
from sewershed.ledger.importing import ListRefused, Recipe
from sewershed.ledger.models import Account

_AT_ONCE = 1000
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Made:
    """A plan, with the list that it is of."""

    plan: Plan
    sheet: Sheet


def take(content: bytes, name: str, recipe: Recipe, account: Account) -> Arrival:
    """Keeps a file that somebody brought. Where the sign between its cells is open, that is asked next.

    Raises:
        Refused: for a file that is too large, that is empty, or that is no list, with the reason.
        NotAllowed: for an account that may not import anything.
    """
    queries.require_some(account)
    files.check_size(len(content))
    try:
        importing.sheets_of(content, name)
    except ListRefused as error:
        if not error.delimiters:
            raise Refused(str(error)) from None
    return Arrival.objects.create(
        account=account, file=files.store(content), name=name, size_bytes=len(content), came_at=clock.now(),
        recipe=recipe.text(),
    )  # fmt: skip


def take_again(file: str, name: str, size_bytes: int, account: Account) -> Arrival:
    """Begins again with a file that is kept: its lines may say more than was taken of them."""
    return Arrival.objects.create(account=account, file=file, name=name, size_bytes=size_bytes, came_at=clock.now())


def say(arrival: Arrival, **said: Any) -> Recipe:
    """Says how a list is taken; a plan that was made of it is no longer of use."""
    recipe = replace(Recipe.read(arrival.recipe), **said)
    arrival.recipe, arrival.plan, arrival.head, arrival.counts = recipe.text(), "", "", "{}"
    arrival.save()
    arrival.lines.all().delete()
    return recipe


def made(arrival: Arrival, account: Account, progress: Progress | None = None) -> Made:
    """Makes the plan of a list from its file, under the record as it stands.

    Raises:
        Refused: with what is still to be said.
        NotAllowed: for the account.
    """
    recipe = Recipe.read(arrival.recipe)
    sheet = queries.sheet_of(arrival, recipe)
    plan = importing.plan_list(sheet, arrival.file, arrival.name, recipe, as_account=account, progress=progress)
    return Made(plan, sheet)


def keep(arrival: Arrival, one: Made) -> None:
    """Keeps a plan so that it can be read in peace."""
    plan = one.plan
    rows = importing.cells_of(one.sheet)
    recipe = Recipe.read(arrival.recipe)
    taken = [
        (at, column)
        for at, column in enumerate(one.sheet.columns)
        if recipe.columns.get(column) or column in recipe.key
    ]
    arrival.lines.all().delete()
    PlannedLine.objects.bulk_create(
        (_line(arrival, change, {column: rows[change.number][at] for at, column in taken}) for change in plan.changes),
        batch_size=_AT_ONCE,
    )
    counts = {what: str(sum(change.what == what for change in plan.changes)) for what in queries.WHATS}
    unlikely = importing.unlikely(plan, queries.kind_of(recipe, arrival.account))
    arrival.plan, arrival.head = plan.hash, str(plan.head)
    arrival.counts = canonical.write({**counts, queries.UNLIKELY: unlikely})
    arrival.save()


def _line(arrival: Arrival, change: Change, cells: Mapping[str, Any]) -> PlannedLine:
    columns = change.columns
    said = {
        "type": change.type, "thing": change.thing, "key": change.source_id, "data": columns.get("data", {}), "before": dict(change.before),
        "at": columns.get("at", ""), "day": columns.get("day", ""), "by": columns.get("performed_by", ""),
        "event": columns.get("name", "") if columns.get("kind") == "event" else "", "reasons": list(change.reasons), "note": change.note,
        "cells": [[name, importing.in_text(cell)] for name, cell in cells.items()] if change.what == "refused" else [],
    }  # fmt: skip
    return PlannedLine(
        arrival=arrival,
        number=change.number,
        what=change.what,
        content=canonical.write({name: one for name, one in said.items() if one}),
    )


def apply(arrival: Arrival, approved: str, account: Account) -> str:
    """Enters what was approved as one batch, and returns its id; a plan that would be another one now is kept, to be read.

    Raises:
        PlanChanged: where the record has changed so that the plan would do something else.
        Refused: with what is still to be said; where nothing would change.
        NotAllowed: for the account.
    """
    one = made(arrival, account)
    if one.plan.hash != approved:
        keep(arrival, one)
        raise PlanChanged(one.plan)
    return enter(arrival, one, account)


def enter(arrival: Arrival, one: Made, account: Account) -> str:
    """Enters a plan as one batch, the lines that could not be read kept with it, and returns its id.

    Raises:
        PlanChanged: where the record has changed in this very moment.
        Refused: where nothing would change, or it was entered already.
        NotAllowed: for the account.
    """
    plan = importing.with_not_read(one.sheet, one.plan)
    with actions.together():
        there = Arrival.objects.select_for_update().get(id=arrival.id)
        if there.batch:
            raise Refused("this list was brought in already")
        batch = actions.apply_batch(plan, as_account=account)
        if not batch:
            raise Refused("the record says all of this already: there is nothing to bring in")
        Arrival.objects.filter(id=arrival.id).update(batch=batch)
    return batch


def forget(arrival: Arrival) -> None:
    """Forgets a list that was not brought in. Its file stays among the kept ones, named by nobody."""
    arrival.delete()


def undo(batch: str, why: str, account: Account) -> Recorded:
    """Takes back what was brought in.

    Raises:
        Refused: with the rows that rest on it.
        NotAllowed: for the account.
    """
    return actions.undo_batch(batch, as_account=account, why=why)
