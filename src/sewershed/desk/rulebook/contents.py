"""The contents of the rulebook: by program, by article in the text's own order, or what holds the words asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from urllib.parse import urlencode

from django.urls import reverse

from sewershed.desk.rulebook import searching
from sewershed.desk.rulebook.clauses import ClauseLine, clause_line
from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Choice, Link
from sewershed.desk.things.lines import program_title
from sewershed.ledger import canonical, law, ordinance, queries
from sewershed.ledger.law import Law
from sewershed.ledger.models import Account
from sewershed.ledger.ordinance import STATUSES, Article, doubts_of, kind_of, natural
from sewershed.ledger.wording import capital
from sewershed.rules.entries import Entry
from sewershed.rules.world import World

PROGRAM, ARTICLE = "program", "article"
MOST_FOUND = 100  # entries, and as many clauses, that hold what was asked for


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address of the contents asks for."""

    by: str = PROGRAM
    at: str = ""
    text: str = ""

    def url(self, **other: str) -> str:
        """Returns the address of the contents with something else asked for."""
        said = {"by": self.by if self.by != PROGRAM else "", "at": self.at, "q": self.text, **other}
        query = urlencode({name: value for name, value in said.items() if value})
        return reverse("rulebook") + (f"?{query}" if query else "")


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry in a list: what it asks, where it is printed, its doubts, what it holds open now."""

    id: str
    means: str
    cites: str
    kind: str
    doubts: int
    open: int
    overdue: int
    found: str = ""  # where in it stands what was asked for
    caution: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """How the law stands now: what each entry holds open, of it overdue, and which doubts nobody has settled."""

    running: Law
    held: Mapping[str, tuple[int, int]]
    unsettled: frozenset[str]


@dataclass(frozen=True, slots=True)
class GroupShown:
    """A program or an article in the contents."""

    title: str
    url: str
    count: int
    doubts: int
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class TextShown:
    """The articles of one text; it stands open where one of them is chosen."""

    title: str
    groups: tuple[GroupShown, ...]
    count: int
    is_open: bool


@dataclass(frozen=True, slots=True)
class SectionShown:
    """The groups of one book: programs, or texts with their articles."""

    title: str
    groups: tuple[GroupShown, ...] = ()
    texts: tuple[TextShown, ...] = ()


@dataclass(frozen=True, slots=True)
class BookShown:
    """A book of the town's line: what it holds, and how much of its texts runs."""

    name: str
    edition: str
    entries: int
    doubts: int
    clauses: int
    texts: tuple[tuple[str, str, tuple[int, ...], int], ...]  # name, address of its first article, by status, all
    sums: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ContentsShown:
    """What the page of contents shows."""

    asked: Asked
    orders: tuple[Choice, ...]
    sections: tuple[SectionShown, ...]
    heading: str
    lines: tuple[EntryLine, ...]
    more: int  # entries that hold what was asked for and are not shown
    clauses: tuple[ClauseLine, ...]
    more_clauses: int
    statuses: tuple[tuple[int, str], ...]  # of the article that is shown
    beside: tuple[Link, ...]  # the articles before and after it
    books: tuple[BookShown, ...]
    heads: tuple[str, ...]  # of the statuses
    open_doubts: int
    print_url: str


def law_at(looking: Looking) -> Law:
    """Returns the law of the instant at which a page looks, as it was known."""
    return law.in_force(canonical.instant_text(looking.known_at) if looking.known_at else "")


def contents(asked: Asked, account: Account, looking: Looking) -> ContentsShown:
    """Returns the contents of the town's books, and the clauses and entries of what is chosen or searched.

    Raises:
        NotAllowed: for an account that may see nothing.
    """
    running = law_at(looking)
    world = queries.world(as_account=account, as_of=looking.as_of, known_at=looking.known_at)
    unsettled = open_doubts(world)
    held = queries.open_by_rule(as_account=account) if not looking.is_elsewhere else {}
    lines, clauses, more, more_clauses, heading = _chosen(running, asked, Standing(running, held, unsettled))
    article = ordinance.articles(running).get(asked.at) if asked.by == ARTICLE and not asked.text else None
    is_whole = not (asked.text or asked.at)
    return ContentsShown(
        asked=asked,
        orders=tuple(Choice(text, asked.url(by=by if by != PROGRAM else "", at="", q=""), is_chosen=asked.by == by) for by, text in ((PROGRAM, "By program"), (ARTICLE, "By article"))),
        sections=_sections(running, asked, unsettled), heading=heading, lines=lines, more=more, clauses=clauses, more_clauses=more_clauses,
        statuses=tuple((count, STATUSES[one]) for one, count in article.counts().items()) if article else (),
        beside=tuple(_beside(running, article, asked)) if article else (),
        books=_books(running.supplement, running.book_id) if is_whole else (), heads=tuple(capital(one) for one in STATUSES.values()),
        open_doubts=len(unsettled), print_url=print_url(asked.at if not asked.text else ""),
    )  # fmt: skip


def _chosen(
    running: Law, asked: Asked, standing: Standing
) -> tuple[tuple[EntryLine, ...], tuple[ClauseLine, ...], int, int, str]:
    """Returns the lines and clauses of what is chosen or searched, how many more there are, and what it is called."""
    every = running.library.entries(running.book_id)
    if asked.text:
        found, places = searching.entries_with(running, asked.text), searching.passages_with(running, asked.text)
        lines = tuple(entry_line(one, standing, where) for one, where in found[:MOST_FOUND])
        clauses = tuple(clause_line(one, running) for one in places[:MOST_FOUND])
        heading = f"{len(found)} {'entry' if len(found) == 1 else 'entries'}"
        return lines, clauses, max(0, len(found) - MOST_FOUND), max(0, len(places) - MOST_FOUND), heading
    if asked.by == ARTICLE:
        article = ordinance.articles(running).get(asked.at)
        if article is None:
            return (), (), 0, 0, asked.at
        own = [one for one in every.values() if asked.at in articles_of(one)]
        named = [every[one] for place in article.passages for one in place.entries if one in every]
        entries = list({one.id: one for one in (*named, *own)}.values())
        clauses = tuple(clause_line(one, running) for one in article.passages if one.is_register)
        return tuple(entry_line(one, standing) for one in entries), clauses, 0, 0, asked.at
    chosen = [one for one in every.values() if asked.at and asked.at == program_of(one)]
    ordered = sorted(chosen, key=lambda one: natural(one.cites[0] if one.cites else one.id))
    return tuple(entry_line(one, standing) for one in ordered), (), 0, 0, program_title(asked.at)


def open_doubts(world: World) -> frozenset[str]:
    """Returns the doubts that nobody has settled for the whole town."""
    return frozenset(one for one in world.doubts if not world.decisions(one, None))


def print_url(part: str = "") -> str:
    """Returns the address of the ordinance as it runs, printed: of a part, or of all."""
    return reverse("ordinance") + (f"?{urlencode({'part': part})}" if part else "")


def program_of(entry: Entry) -> str:
    """Returns the program whose file an entry stands in."""
    return PurePosixPath(entry.file).stem


def articles_of(entry: Entry) -> tuple[str, ...]:
    """Returns the articles in which an entry is printed."""
    return tuple(dict.fromkeys(ordinance.article_of(cite) for cite in entry.cites))


def article_url(article: str) -> str:
    """Returns the address of an article in the contents."""
    return Asked(ARTICLE, article).url()


def entry_line(entry: Entry, standing: Standing, found: str = "") -> EntryLine:
    """Returns an entry as a line of a list."""
    open_, overdue = standing.held.get(entry.id, (0, 0))
    doubts = sum(one in standing.unsettled for one in doubts_of(entry))
    caution = ordinance.caution_of(standing.running, entry.id)
    return EntryLine(
        entry.id, entry.means, "; ".join(entry.cites), kind_of(entry), doubts, open_, overdue, found, caution
    )


def _sections(running: Law, asked: Asked, unsettled: frozenset[str]) -> tuple[SectionShown, ...]:
    """Returns the groups: programs of the whole line, or the articles of each book in the order of its texts."""
    if asked.by == PROGRAM:
        entries = running.library.entries(running.book_id).values()
        return (SectionShown("", tuple(programs(entries, asked, unsettled))),)
    names = {book.id: book.name for book in running.library.line(running.book_id)}
    found: dict[str, list[TextShown]] = {}
    every = running.library.entries(running.book_id)
    for text in ordinance.texts(running):
        groups = tuple(_article_group(one, asked, every, unsettled) for one in text.articles)
        is_open = not asked.text and any(one.is_chosen for one in groups)
        found.setdefault(text.book, []).append(TextShown(text.name, groups, text.count, is_open))
    return tuple(SectionShown(names[book], texts=tuple(many)) for book, many in found.items())


def _article_group(article: Article, asked: Asked, every: Mapping[str, Entry], unsettled: frozenset[str]) -> GroupShown:
    entries = {one for place in article.passages for one in place.entries}
    doubts = {doubt for one in entries if one in every for doubt in doubts_of(every[one]) if doubt in unsettled}
    is_chosen = article.name == asked.at and not asked.text
    return GroupShown(article.name, asked.url(at=article.name, q=""), len(article.passages), len(doubts), is_chosen)


def programs(entries: Iterable[Entry], asked: Asked, unsettled: frozenset[str]) -> Iterator[GroupShown]:
    """Yields the programs of some entries, with how many each has."""
    groups: dict[str, list[Entry]] = {}
    for one in entries:
        groups.setdefault(program_of(one), []).append(one)
    for name, found in sorted(groups.items()):
        doubts = {doubt for one in found for doubt in doubts_of(one) if doubt in unsettled}
        is_chosen = name == asked.at and not asked.text
        yield GroupShown(program_title(name), asked.url(at=name, q=""), len(found), len(doubts), is_chosen)


def _beside(running: Law, article: Article, asked: Asked) -> Iterator[Link]:
    names = list(ordinance.articles(running))
    order = [one.name for text in ordinance.texts(running) for one in text.articles if one.name in names]
    place = order.index(article.name)
    for at, word in ((place - 1, "Before"), (place + 1, "After")):
        if 0 <= at < len(order):
            yield Link(f"{word}: {order[at]}", asked.url(at=order[at]))


@lru_cache(maxsize=4)
def _books(supplement: str, book_id: str) -> tuple[BookShown, ...]:
    running = Law(supplement, book_id)
    found = []
    for book in running.library.line(book_id):
        own = [one for one in ordinance.texts(running) if one.book == book.id]
        rows = [
            (one, [place for article in one.articles for place in article.passages if place.is_register]) for one in own
        ]
        texts = tuple(
            (text.name, article_url(text.articles[0].name), _by_status(places), len(places))
            for text, places in rows
            if places
        )
        every = [place for _, places in rows for place in places]
        found.append(
            BookShown(
                book.name, book.edition, len(book.entries), len(book.doubts), len(every), texts, _by_status(every)
            )
        )
    return tuple(found)


def _by_status(places: Iterable[ordinance.Passage]) -> tuple[int, ...]:
    counts = ordinance.counted(places)
    return tuple(counts.get(one, 0) for one in STATUSES)
