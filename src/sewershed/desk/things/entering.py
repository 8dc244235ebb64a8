"""Entering what a form says, and telling what follows: whether it counts, what looks unlikely, what it changed elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from django.contrib import messages
from django.http import HttpRequest

from sewershed.desk.things import queries
from sewershed.desk.things.answers import NOT_ASKED
from sewershed.desk.things.forms import SEEN, Entry
from sewershed.desk.things.lines import how_long, what
from sewershed.ledger import law, working
from sewershed.ledger import queries as ledger
from sewershed.ledger.entry import Recorded
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account
from sewershed.ledger.shown import Due, Named, RowShown
from sewershed.ledger.wording import short_of, words_of

MOST_SAID = 4  # lines of one kind that what was recorded gives
States = Mapping[str, tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Entered:
    """What was entered, and what it changed on other things than its own."""

    recorded: Recorded
    changed: tuple[Due, ...] = ()
    waiting: int = 0  # other things that are so many that they are worked out later


def entered(request: HttpRequest, form: Entry, enter: Callable[[], Recorded]) -> Entered | None:
    """Enters what a form says; nothing where none was sent or something is wrong: the form then says what.

    Args:
        request: the form came with it.
        form: what was said.
        enter: enters it.
    """
    if request.method != "POST" or not form.is_valid():
        return None
    account = _account(request)
    about = [*([form.named.id] if form.named else []), *_refs(form)]
    before = _states(about, account)
    try:
        recorded = enter()
    except Refused as error:
        form.refuse(error)
        return None
    return _compared(recorded, about, before, account)


def status_of(form: Entry) -> int:
    """Returns how a page with a form answers: 422 where something is wrong with what was sent."""
    return 422 if form.is_bound and form.errors else 200


def seen(named: Named, account: Account) -> dict[str, int]:
    """Returns the last row that somebody who opens a form can have seen."""
    return {SEEN: ledger.last_row(named.id, as_account=account)}


# ------------------------------------------------------------------------------------------------ what it changed elsewhere


def _refs(form: Entry) -> list[str]:
    """Returns the things that a form points at."""
    said = ((fact, form.cleaned_data.get(name, NOT_ASKED)) for name, fact in form.known.items())
    return [value for fact, value in said if fact.type.kind == "ref" and isinstance(value, str) and value]


def _states(about: Sequence[str], account: Account) -> tuple[frozenset[str], States]:
    """Returns the things whose answers may change with rows on some, and how each of their obligations stands."""
    concerned = working.concerned_by(about)
    if not concerned or len(concerned) > working.AT_ONCE:
        return frozenset(), {}
    working.freshen(concerned)
    return frozenset(concerned), ledger.over(concerned, as_account=account, is_all=True)


def _compared(
    recorded: Recorded, about: Sequence[str], before: tuple[frozenset[str], States], account: Account
) -> Entered:
    concerned = set(working.concerned_by([recorded.thing, *about]))
    if len(concerned) > working.AT_ONCE:
        return Entered(recorded, waiting=len(concerned) - 1)
    others = sorted((concerned & before[0]) - {recorded.thing})
    after = ledger.over(others, as_account=account, is_all=True) if others else {}
    keys = {key for key, state in after.items() if before[1].get(key) != state}
    touched = list(dict.fromkeys(after[key][0] for key in sorted(keys)))
    lines = ledger.due(as_account=account, among=touched, is_all=True).items if touched else ()
    return Entered(recorded, tuple(one for one in lines if one.key in keys))


# ------------------------------------------------------------------------------------------------ telling


def tell(request: HttpRequest, form: Entry, done: Entered, said: str = "") -> None:
    """Says what was recorded, whether it counts, what looks unlikely, what it changed elsewhere and what others recorded meanwhile.

    Args:
        request: it is said on the next page.
        form: what was entered.
        done: what became of it.
        said: what was recorded, in words; nothing, where that was said already.
    """
    account, recorded = _account(request), done.recorded
    number = f" {recorded.number or recorded.thing_number}" if recorded.number or recorded.thing_number else ""
    if said:
        messages.success(request, f"Recorded: {said}{number}.")
    _tell_findings(request, recorded)
    tell_unheld(request, recorded)
    for remark in ledger.remarks(recorded.id, as_account=account):
        messages.warning(request, f"Is that right? {remark[:1].upper()}{remark[1:]}.")
    _tell_changed(request, done)
    last_seen = form.cleaned_data.get(SEEN)
    if last_seen and form.named is not None:
        _tell_others(request, _others(account, form.named.id, last_seen, recorded.id))


def _tell_findings(request: HttpRequest, recorded: Recorded) -> None:
    account, ground = _account(request), law.in_force().ground
    root = ledger.row(recorded.id, as_account=account).root
    for one in ledger.findings(as_account=account, thing=recorded.thing, limit=1000):
        if one.about == root and one.outcome != "MET":
            word = "It does not count" if one.is_void else "Not met" if one.outcome == "NOT_MET" else "Cannot tell"
            entry = ground.entries[one.rule]
            at = "; ".join(filter(None, (*entry.cites[:1], ground.caution(one.rule))))
            messages.warning(request, f"{word}: {entry.means} ({at}).")


def tell_unheld(request: HttpRequest, recorded: Recorded) -> None:
    """Says where a row does not count as done, or decided, in an office, and what can be done about it."""
    account = _account(request)
    row = ledger.row(recorded.id, as_account=account)
    wants = ledger.unheld(recorded.thing, as_account=account).get(row.root, ())
    words = words_of(want.who for want in wants)
    for want in wants:
        but = short_of(row.name, row.office, want)
        messages.warning(request, f"Entered, but {but}: {words.want(want)}.")


def _tell_changed(request: HttpRequest, done: Entered) -> None:
    """Says what is other than before on other things."""
    words = words_of({person for one in done.changed for person in one.persons})
    for one in done.changed[:MOST_SAID]:
        stands = how_long(one, words)
        state = one.word if one.word.lower() in stands.lower() else f"{one.word}, {stands[:1].lower()}{stands[1:]}"
        messages.info(request, f"It changes {one.thing_label}, too: {what(one)}. {state}.")
    if (more := len(done.changed) - MOST_SAID) > 0:
        messages.info(request, f"It changes {more} more on other things.")
    if done.waiting:
        messages.info(request, f"What follows for {done.waiting} other things is worked out now.")


def _others(account: Account, thing: str, last_seen: int, own: str) -> Iterable[RowShown]:
    rows = ledger.rows(thing, as_account=account, after=last_seen)
    return [one for one in rows if one.id != own and one.recorded_by != account.name]


def _tell_others(request: HttpRequest, rows: Iterable[RowShown]) -> None:
    vocabulary = law.in_force().vocabulary
    for one in list(rows)[:MOST_SAID]:
        row = queries.row_title(one, vocabulary)
        messages.warning(
            request,
            f"While you were writing, {one.recorded_by} recorded: {row}. Both rows stand; look whether they agree.",
        )


def _account(request: HttpRequest) -> Account:
    return cast(Account, request.user)
