"""A worked case, run: what is given, what must come out, and what comes out here, with its steps. Nothing is recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from sewershed.desk.rulebook.answers import Answers, AnswerShown, answers, of_finding, of_value
from sewershed.desk.rulebook.clauses import entry_url
from sewershed.desk.rulebook.contents import law_at
from sewershed.desk.rulebook.queries import crumb_to, entry_named
from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Link
from sewershed.ledger import ordinance, rights
from sewershed.ledger.errors import NotFound
from sewershed.ledger.law import Law
from sewershed.ledger.models import Account
from sewershed.ledger.moments import in_words
from sewershed.ledger.wording import Words, words_of
from sewershed.ledger.worked import CaseSaid, case_said, expectations
from sewershed.programs import programs
from sewershed.rules.cases import Case, CaseError, Worked, run_case, work_out
from sewershed.rules.entries import Entry
from sewershed.rules.given import GivenError
from sewershed.rules.moments import MomentError, read_day
from sewershed.rules.problems import RulebookError

MOST_SHOWN = 40  # a case is short: all that comes out of it


@dataclass(frozen=True, slots=True)
class Expected:
    """What a case expects, and whether it came out so."""

    said: str
    is_so: bool
    differs: str = ""


@dataclass(frozen=True, slots=True)
class CaseRun:
    """A worked case that was run."""

    entry: Entry
    said: CaseSaid
    crumb: tuple[Link, ...]
    expected: tuple[Expected, ...]
    got: Answers
    beside: tuple[str, ...]  # what else the case expects and came out otherwise
    refused: str
    is_right: bool
    what_if_url: str
    caution: str
    others: tuple[Link, ...]


def case_run(name: str, key: str, account: Account, looking: Looking) -> CaseRun:
    """Returns a worked case of an entry with what comes out of it under the law that the town runs.

    Edge: a case that fails does so here as it does for `sewershed rules check --cases`; the page says in what.

    Raises:
        NotFound: where there is no such entry, or no such case of it.
        NotAllowed: for an account that may see nothing.
    """
    rights.require(account, "see", rights.EVERY)
    running = law_at(looking)
    entry = entry_named(name, running)
    case = case_named(entry, key, running)
    every = running.library.entries(running.book_id)
    words = words_of((), looking.instant, running=running)
    expected, got, refused = _worked_out(case, entry, running, words)
    wrong = run_case(case, programs() if case.books else (), running.library)
    own = " ".join(one.differs for one in expected)
    return CaseRun(
        entry=entry, said=case_said(case, entry, every), crumb=(*crumb_to(entry), Link("; ".join(entry.cites[:1]) or entry.id, entry_url(name))),
        expected=expected, got=got, beside=tuple(said for one in wrong if (said := in_words(one)) not in own), refused=refused, is_right=not wrong,
        what_if_url=f"{reverse('what_if', args=[name])}?{urlencode({'case': key})}", caution=ordinance.caution_of(running, entry.id),
        others=tuple(
            Link(one.id, reverse("rulebook_case", args=[name, str(one)])) for one in ordinance.worked(running).get(name, ()) if str(one) != key
        ),
    )  # fmt: skip


def case_named(entry: Entry, key: str, running: Law) -> Case:
    """Returns a worked case of an entry.

    Raises:
        NotFound: where it has none of that name.
    """
    for one in ordinance.worked(running).get(entry.id, ()):
        if str(one) == key:
            return one
    raise NotFound(f"{entry.id} has no worked case {key!r}")


def _worked_out(case: Case, entry: Entry, running: Law, words: Words) -> tuple[tuple[Expected, ...], Answers, str]:
    every = running.library.entries(running.book_id)
    wanted = list(expectations(case, entry, every))
    try:
        worked = work_out(case, programs() if case.books else (), running.library)
    except (CaseError, RulebookError, GivenError, MomentError) as error:
        return tuple(Expected(said, key == "error") for key, _, said in wanted), Answers(()), str(error)
    expected = tuple(_expected(worked, *one) for one in wanted)
    came = answers(worked.world, entry, words, MOST_SHOWN)
    got = list(came.shown)
    for key, item, _ in wanted:
        for one in _asked(worked, entry, key, item, words):
            if one not in got:
                got.append(one)
    return expected, Answers(tuple(got), came.more), ""


def _expected(worked: Worked, key: str, item: Mapping[str, Any], said: str) -> Expected:
    wrong = worked.differences_of(key, item) if item else [f"nothing came out as {key}"]
    return Expected(in_words(said), not wrong, in_words("; ".join(wrong)))


def _asked(worked: Worked, entry: Entry, key: str, item: Mapping[str, Any], words: Words) -> Iterator[AnswerShown]:
    """Yields what a case asks beside what comes out by itself: a value on a day, an act ahead."""
    if key == "answers":
        day: date | None = read_day(str(item["day"])) if "day" in item else None
        yield of_value(worked.world, str(item["name"]), item.get("subject"), words, day)
    elif key == "may":
        found = [one for one in worked.findings_of(item) if one.rule == entry.id]
        yield from (of_finding(worked.world, one, words) for one in found)
