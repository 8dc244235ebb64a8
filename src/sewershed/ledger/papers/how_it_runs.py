"""How the ordinance runs, from the law that the town has adopted and the decisions on its doubts: for a page and for a paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time
from functools import lru_cache
from pathlib import PurePosixPath

from sewershed.exchange.paper import Frame
from sewershed.ledger import adopting, canonical, law, ordinance
from sewershed.ledger.errors import NotFound
from sewershed.ledger.law import Law
from sewershed.ledger.models import Account
from sewershed.ledger.moments import day_words
from sewershed.ledger.ordinance import Article, Passage, Sentence, doubts_of, the_office
from sewershed.ledger.papers.issuing import frame_of, press
from sewershed.ledger.papers.source import WITHOUT_NUMBER, Source
from sewershed.ledger.wording import capital, title
from sewershed.ledger.worked import case_said
from sewershed.programs.town.papers import how_it_runs
from sewershed.programs.town.papers.how_it_runs import (
    ArticleRuns,
    CaseRuns,
    ClauseRuns,
    DoubtRuns,
    HowItRuns,
    LineSaid,
    ReadingRuns,
    RuleRuns,
)
from sewershed.rules.entries import Doubt, Entry
from sewershed.rules.world import World

TITLE = "How the ordinance runs"
MOST_CASES = 4  # of an entry, on paper; the desk lists all
Decided = tuple[tuple[str, str, date], ...]  # doubt, reading, since when


def how_it_runs_pdf(
    part: str = "", *, as_account: Account, as_of: datetime | None = None, known_at: datetime | None = None
) -> bytes:
    """Returns the pages on how the ordinance runs. They are no paper of the record: the supplement is their number.

    Edge: the same law, decisions, day and record give the same bytes; those that were made last are kept.

    Raises:
        NotFound: where no article, text or program is called as the part.
        NotAllowed: for an account that may see nothing.
    """
    source = Source(adopting.town_id(), as_account=as_account, as_of=as_of, known_at=known_at)
    running = law.in_force(canonical.instant_text(known_at) if known_at else "")
    runs = how_it_runs_said(running, source.world, part)
    number, digest = source.supplement
    shown = digest[:8] if number == WITHOUT_NUMBER else number
    frame = frame_of(source, TITLE, f"{TITLE}: {runs.part}" if runs.part else TITLE, number=shown)
    return _pages(runs, frame)


@lru_cache(maxsize=4)
def _pages(runs: HowItRuns, frame: Frame) -> bytes:
    at = datetime.combine(runs.day, time(12), UTC)
    return press().paper(how_it_runs.TEMPLATE, frame, how_it_runs.build(runs), at=at).pdf


def how_it_runs_said(running: Law, world: World, part: str = "") -> HowItRuns:
    """Returns how the ordinance runs on the day of a world, clause by clause, its doubts as they then stand.

    Edge: an entry that carries several clauses is printed at the first; the others say where.

    Args:
        running: the law.
        world: whose day it is, and whose decisions.
        part: an article, a text or a program; all of it, if left out.

    Raises:
        NotFound: where nothing is called so.
    """
    return how_it_runs_on(running.supplement, running.book_id, part, world.today, decided_in(world))


def decided_in(world: World) -> Decided:
    """Returns the decisions on doubts that govern the whole town: with the law and the day, all on which the answer rests."""
    return tuple(
        (doubt, found[-1].reading, found[-1].day) for doubt in world.doubts if (found := world.decisions(doubt, None))
    )


def parts(running: Law) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Returns what can be printed by itself: programs, texts; each by the name that `part` takes, and what it is called."""
    entries = running.library.entries(running.book_id).values()
    programs = sorted({PurePosixPath(one.file).stem for one in entries})
    texts = dict.fromkeys(one.name for one in ordinance.texts(running))
    return ("Programs", tuple((one, title(one)) for one in programs)), ("Texts", tuple((one, one) for one in texts))


@lru_cache(maxsize=16)
def how_it_runs_on(supplement: str, book_id: str, part: str, day: date, decided: Decided) -> HowItRuns:
    """Returns what `how_it_runs_said` does, from all that it rests on.

    Raises:
        NotFound: where nothing is called as the part.
    """
    running = Law(supplement, book_id)
    made = _Making(running, day, decided)
    articles = tuple(made.articles(_articles_of(running, part)))
    clauses = [clause for article in articles for clause in article.clauses]
    shown = [rule for clause in clauses for rule in clause.rules if not rule.printed_at]
    doubts = {one.id for rule in shown for one in rule.doubts} | {one.id for each in clauses for one in each.doubts}
    counts = dict.fromkeys(ordinance.STATUSES, 0)
    for one in clauses:
        counts[one.status] += 1
    settled = {doubt for doubt, _, _ in decided}
    line = running.library.line(book_id)
    return HowItRuns(
        town=line[0].name, part=_called(running, part), editions=tuple(f"{one.name} {one.edition}".strip() for one in line), day=day,
        counts=tuple((count, ordinance.STATUSES[status]) for status, count in counts.items() if count),
        doubts=len(doubts - settled), from_memory=sum(bool(made.entries[one.id].caution) for one in shown), articles=articles,
    )  # fmt: skip


def _called(running: Law, part: str) -> str:
    return next((said for _, group in parts(running) for name, said in group if name == part), part)


def _articles_of(running: Law, part: str) -> Iterator[Article]:
    """Yields the articles of a part; of a program those clauses alone that its entries carry."""
    every = [article for text in ordinance.texts(running) for article in text.articles]
    if not part:
        yield from every
        return
    found = [one for one in every if part == one.name]
    found = found or [one for text in ordinance.texts(running) if text.name == part for one in text.articles]
    if found:
        yield from found
        return
    entries = {
        one.id for one in running.library.entries(running.book_id).values() if PurePosixPath(one.file).stem == part
    }
    if not entries:
        raise NotFound(f"no article, text or program is called {part!r}")
    for one in every:
        own = tuple(place for place in one.passages if entries & set(place.entries))
        if own:
            yield Article(one.name, one.book, one.text, own)


class _Making:
    """Makes the clauses of one printing: each entry is said once."""

    def __init__(self, running: Law, day: date, decided: Decided) -> None:
        self.running, self.day = running, day
        self.decided = {doubt: (reading, since) for doubt, reading, since in decided}
        self.entries = running.library.entries(running.book_id)
        self.doubts = running.library.doubts(running.book_id)
        self.printed: dict[str, str] = {}  # entry -> the clause at which it is said

    def articles(self, articles: Iterable[Article]) -> Iterator[ArticleRuns]:
        """Yields the articles, each headed by its text where that begins."""
        texts = {article.name: text.name for text in ordinance.texts(self.running) for article in text.articles}
        before = ""
        for one in articles:
            text = texts.get(one.name, "")
            yield ArticleRuns(
                one.name, text if text != before else "", tuple(self.clause(place) for place in one.passages)
            )
            before = text

    def clause(self, place: Passage) -> ClauseRuns:
        """Returns a clause with the entries that carry it."""
        rules = tuple(self.rule(self.entries[one], place.cite) for one in place.entries if one in self.entries)
        by_entries = {doubt for one in place.entries if one in self.entries for doubt in doubts_of(self.entries[one])}
        own = [one for one in ordinance.doubts_touching(place, self.entries, self.doubts) if one not in by_entries]
        carriers = tuple(one.said for one in place.carriers if one.kind not in ("entry", "doubt"))
        return ClauseRuns(
            place.id if place.is_register else "", place.cite, place.means, place.status, place.said, carriers,
            tuple(self.doubt(self.doubts[one]) for one in own if one in self.doubts), rules,
        )  # fmt: skip

    def rule(self, entry: Entry, cite: str) -> RuleRuns:
        """Returns an entry as it runs, or where it was said before."""
        head = (entry.id, entry.means, ordinance.kind_of(entry), "; ".join(entry.cites))
        if entry.id in self.printed:
            return RuleRuns(*head, "", printed_at=self.printed[entry.id])
        self.printed[entry.id] = cite
        edition = ordinance.in_force(self.running, entry, self.day)
        cases = [case_said(one, entry, self.entries) for one in ordinance.worked(self.running).get(entry.id, ())]
        cases = [one for one in cases if one.expected]
        return RuleRuns(
            *head, edition.when if edition else "",
            lines=_lines(edition.lines) if edition else (),
            readings=tuple(
                ReadingRuns(one.name, self.how_read(entry.reading_of, one.name), _lines(one.lines)) for one in edition.readings
            ) if edition else (),
            doubts=tuple(self.doubt(self.doubts[one]) for one in doubts_of(entry) if one in self.doubts),
            cases=tuple(CaseRuns(one.name, one.expected, one.origin) for one in cases[:MOST_CASES]),
            more_cases=max(0, len(cases) - MOST_CASES),
            from_memory=ordinance.caution_of(self.running, entry.id), note=entry.note,
        )  # fmt: skip

    def doubt(self, doubt: Doubt) -> DoubtRuns:
        """Returns a doubt with the reading that is applied."""
        office = the_office(doubt.settle_by, self.running.book.roles) if doubt.settle_by else ""
        if doubt.id in self.decided:
            reading, since = self.decided[doubt.id]
            stands = f"Decided {day_words(since)}: {reading}."
        elif doubt.applied:
            stands = f"Applied until somebody decides: {doubt.applied}."
        else:
            stands = "Until somebody decides, what hangs on it cannot be told."
        by = f" {capital(office)} settles it." if office and doubt.id not in self.decided else ""
        return DoubtRuns(doubt.id, doubt.means, doubt.choices, f"{stands}{by}")

    def how_read(self, doubt: str, reading: str) -> str:
        """Returns by what a reading governs, or nothing where it does not."""
        if doubt in self.decided:
            return "So decided" if self.decided[doubt][0] == reading else ""
        known = self.doubts.get(doubt)
        return "Applied until somebody decides" if known is not None and known.applied == reading else ""


def _lines(lines: Iterable[Sentence]) -> tuple[LineSaid, ...]:
    return tuple(LineSaid(one.name, one.whole) for one in lines)
