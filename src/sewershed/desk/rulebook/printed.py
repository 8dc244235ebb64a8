"""How the ordinance runs, to be printed: clause by clause with a line for the attorney, of a part or of all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from urllib.parse import urlencode

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from sewershed.desk.rulebook.contents import ARTICLE, Asked, law_at, print_url
from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Link
from sewershed.ledger import adopting, ordinance, papers, queries
from sewershed.ledger.models import Account
from sewershed.ledger.moments import day_words
from sewershed.ledger.papers.source import Source
from sewershed.programs.town.papers.how_it_runs import BANNER, HowItRuns


@dataclass(frozen=True, slots=True)
class PrintedShown:
    """The ordinance as it runs, of a part or of all; without a part that is chosen, what can be chosen."""

    part: str
    runs: HowItRuns | None
    body: SafeString
    day: str
    banner: str
    supplement: str
    digest: str
    head: str
    parts: tuple[tuple[str, tuple[Link, ...]], ...]
    file_url: str
    all_url: str
    crumb: tuple[Link, ...]


WHOLE = "all"


def printed_shown(part: str, account: Account, looking: Looking) -> PrintedShown:
    """Returns how the ordinance runs: a part, all of it, or what there is to choose.

    Raises:
        NotFound: where no article, text or program is called so.
        NotAllowed: for an account that may see nothing.
    """
    running = law_at(looking)
    world = queries.world(as_account=account, as_of=looking.as_of, known_at=looking.known_at)
    source = Source(adopting.town_id(), as_account=account, as_of=looking.as_of, known_at=looking.known_at)
    wanted = "" if part == WHOLE else part
    runs = papers.how_it_runs_said(running, world, wanted) if part else None
    body = (
        _body(running.supplement, running.book_id, wanted, world.today, papers.decided_in(world))
        if runs
        else SafeString("")
    )
    number, digest = source.supplement
    crumb = [Link("Rulebook", reverse("rulebook"))]
    if part:
        crumb.append(Link("How the ordinance runs", print_url()))
    if part in ordinance.articles(running):
        crumb.insert(1, Link(part, Asked(ARTICLE, part).url()))
    return PrintedShown(
        part=part, runs=runs, body=body, day=day_words(world.today), banner=BANNER, supplement=number, digest=digest,
        head=queries.head(as_account=account).short,
        parts=tuple((title, tuple(Link(said, print_url(name)) for name, said in group)) for title, group in papers.parts(running)),
        file_url=reverse("ordinance_file") + f"?{urlencode({'part': part})}", all_url=print_url(WHOLE), crumb=tuple(crumb),
    )  # fmt: skip


@lru_cache(maxsize=8)
def _body(supplement: str, book_id: str, part: str, day: date, decided: papers.Decided) -> SafeString:
    """Returns the clauses laid out: the same until the law, a decision or the day is another."""
    return render_to_string(
        "rulebook/runs.html", {"runs": papers.how_it_runs_on(supplement, book_id, part, day, decided)}
    )


def pages(part: str, account: Account, looking: Looking) -> bytes:
    """Returns the same as a paper.

    Raises:
        NotFound: where no article, text or program is called so.
        NotAllowed: for an account that may see nothing.
    """
    return papers.how_it_runs_pdf(
        "" if part == WHOLE else part, as_account=account, as_of=looking.as_of, known_at=looking.known_at
    )
