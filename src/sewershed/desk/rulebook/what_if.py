"""What if: what comes out under an entry on a record that somebody makes up. Nothing of it is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from sewershed.desk.rulebook.answers import Answers, answers
from sewershed.desk.rulebook.cases import case_named
from sewershed.desk.rulebook.clauses import entry_url
from sewershed.desk.rulebook.contents import law_at
from sewershed.desk.rulebook.forms import AS_OF, WhatIf
from sewershed.desk.rulebook.queries import crumb_to, entry_named
from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Choice, Link
from sewershed.desk.things.answers import NOT_ASKED, MomentAnswer
from sewershed.ledger import ordinance, rights
from sewershed.ledger.law import Law
from sewershed.ledger.models import Account
from sewershed.ledger.wording import Words, words_of
from sewershed.rules.entries import Entry
from sewershed.rules.given import Given, GivenError, instant_asked
from sewershed.rules.moments import MomentError
from sewershed.rules.world import World

MOST_YEARS, MOST_YEARS_OF_A_FACT = 10, 100  # between what is tried and the day about which is asked


@dataclass(frozen=True, slots=True)
class WhatIfShown:
    """The form with what is said in it, and what comes out."""

    entry: Entry
    crumb: tuple[Link, ...]
    form: WhatIf
    key: str  # of the case that it begins with
    starts: tuple[Choice, ...]
    got: Answers | None  # None: nothing was asked yet, or something of the form is wrong
    refused: str
    caution: str


def what_if_shown(name: str, key: str, said: Mapping[str, Any], account: Account, looking: Looking) -> WhatIfShown:
    """Returns the form of an entry, filled in as it was sent or as a worked case has it, and what comes out of it.

    Edge: a case is worked out as it stands; an empty record is not, since nothing was said.

    Raises:
        NotFound: where there is no such entry, or no such case of it.
        NotAllowed: for an account that may see nothing.
    """
    rights.require(account, "see", rights.EVERY)
    running = law_at(looking)
    entry = entry_named(name, running)
    case = case_named(entry, key, running) if key else None
    form = WhatIf(entry, running, case, said, now=f"{looking.day}T{looking.time}")
    got: Answers | None = None
    refused, words = "", words_of((), looking.instant, running=running)
    try:
        if form.is_bound:
            if form.is_valid():
                facts, rows = form.record()
                _refuse_far(form)
                at = instant_asked(str(form.cleaned_data[AS_OF]), running.book.zone)
                known = instant_asked(case.known_at, running.book.zone) if case and case.known_at else None
                got = _come_out(entry, running, facts, rows, at, known, words)
        elif case is not None:
            at = instant_asked(case.as_of, running.book.zone)
            known = instant_asked(case.known_at, running.book.zone) if case.known_at else None
            got = _come_out(entry, running, case.facts, case.events, at, known, words)
    except (GivenError, MomentError) as error:
        refused = str(error)
    except OverflowError:
        refused = "There is no such moment in the calendar; write years from 2 to 9998."
    if form.is_bound:
        form = _unfolded(form)
    return WhatIfShown(
        entry, (*crumb_to(entry), Link("; ".join(entry.cites[:1]) or entry.id, entry_url(name))), form, key,
        tuple(_starts(entry, key, running)), got, refused, ordinance.caution_of(running, entry.id),
    )  # fmt: skip


def _refuse_far(form: WhatIf) -> None:
    """Refuses moments so far apart that what is owed between them would fill no page and take its time.

    Edge: counted in months; events of ten years and facts of a hundred before or after the one asked about are near enough.

    Raises:
        GivenError: naming the field.
    """
    asked = date.fromisoformat(str(form.cleaned_data[AS_OF])[:10])
    for name, value in form.cleaned_data.items():
        if not isinstance(form.fields[name], MomentAnswer) or value in (None, NOT_ASKED):
            continue
        years = MOST_YEARS if name in form.happened else MOST_YEARS_OF_A_FACT
        day = date.fromisoformat(str(value)[:10])
        if abs((day.year - asked.year) * 12 + day.month - asked.month) > years * 12:
            raise GivenError(
                f"{form.fields[name].label}, {value}: more than {years} years from {asked}, about which is asked; try it nearer"
            )


def _unfolded(form: WhatIf) -> WhatIf:
    """Opens what is wrong, so that it can be seen."""
    form.more = [replace(one, is_folded=not any(name in form.errors for name in one.names)) for one in form.more]
    return form


def _come_out(
    entry: Entry,
    running: Law,
    facts: Mapping[str, Mapping[str, Any]],
    rows: Sequence[Mapping[str, Any]],
    at: datetime,
    known_at: datetime | None,
    words: Words,
) -> Answers:
    given = Given(running.vocabulary, running.book.zone)
    given.take(facts, rows)
    world = World(running.library, running.book_id, given, at, known_at)
    return answers(world, entry, words)


def _starts(entry: Entry, key: str, running: Law) -> Iterator[Choice]:
    """Yields what the form may begin with: nothing, or a worked case of the entry."""
    url = reverse("what_if", args=[entry.id])
    yield Choice("An empty record", url, is_chosen=not key)
    for one in ordinance.worked(running).get(entry.id, ()):
        yield Choice(one.id, f"{url}?{urlencode({'case': str(one)})}", is_chosen=key == str(one))
