"""What the pages of papers show, from the ledger's queries, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.urls import reverse

from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Known, Line, Link, Running
from sewershed.desk.things.lines import line_of, page_url, record_url, running_of
from sewershed.desk.things.queries import people_to_choose, row_title, said_of
from sewershed.ledger import adopting, law, papers, people, queries, rights
from sewershed.ledger.errors import NotFound, Refused
from sewershed.ledger.models import Account
from sewershed.ledger.papers import KINDS, Drawn, Kind, Question
from sewershed.ledger.projections import moment_of
from sewershed.ledger.shown import Due, Named, Page, RowShown
from sewershed.ledger.wording import Words, capital, title, words_of
from sewershed.rules.moments import is_instant

DOCUMENT = "document"
TOWN = "town"
PER_PAGE = 25
MOST_WANTED = 200  # lines of what is due in which a paper is looked for
SERVED, WITHDRAWN, ISSUED = "document_served", "document_withdrawn", "document_issued"
HAPPENED = (ISSUED, SERVED, WITHDRAWN)
NEWEST = "-began"
_TYPED = re.compile(r"(: say which with `|: )sewershed record .*")  # for the command; a page has links


@dataclass(frozen=True, slots=True)
class Kept:
    """A paper that was issued, and what has become of it."""

    id: str
    kind: str
    number: str
    about: str
    about_label: str
    about_url: str
    issued: str
    by: str
    word: str
    said: str

    @property
    def name(self) -> str:
        """Returns what it is called: its kind and its number."""
        return f"{title_of(self.kind)} {self.number}".strip()


@dataclass(frozen=True, slots=True)
class Wanted:
    """A paper that something due waits for: a draft to look at, or one that was issued and is not marked as sent."""

    kind: Kind
    line: Line
    label: str
    url: str
    act: Link


@dataclass(frozen=True, slots=True)
class Open:
    """Something that a draft leaves open, and where it is answered."""

    asks: str
    url: str


@dataclass(frozen=True, slots=True)
class DraftShown:
    """A draft as it is looked at before it is issued."""

    kind: Kind
    thing: Named
    thing_url: str
    part: str
    file_url: str
    open: tuple[tuple[str, tuple[Open, ...]], ...]
    count: int
    refused: tuple[str, ...]
    due: Line | None
    running: Running | None
    issued: tuple[Kept, ...]
    signers: tuple[tuple[str, str], ...]
    offices: tuple[tuple[str, str], ...]
    may_issue: bool


@dataclass(frozen=True, slots=True)
class PaperShown:
    """An issued paper with everything that has become of it."""

    thing: Named
    kept: Kept
    kind: Kind | None
    facts: tuple[Known, ...]
    rows: tuple[tuple[str, str, tuple[Known, ...], str], ...]
    is_withdrawn: bool
    is_sent: bool
    may_send: bool
    may_withdraw: bool
    may_read: bool
    letter_to: str
    file_as: Link | None


def title_of(kind: str) -> str:
    """Returns what a kind of paper is called."""
    return KINDS[kind].title if kind in KINDS else title(kind)


def kind_named(kind: str) -> Kind:
    """Returns a kind of paper.

    Raises:
        NotFound: where there is none of that name.
    """
    if kind not in KINDS:
        raise NotFound(f"there is no paper {kind!r}")
    return KINDS[kind]


# ------------------------------------------------------------------------------------------------ the register


def kept_page(account: Account, kind: str, text: str, order: str, offset: int, limit: int) -> Page[Kept]:
    """Returns issued papers, the latest first unless ordered otherwise.

    Raises:
        NotAllowed: for the account.
    """
    where = [("kind", "=", kind)] if kind else []
    page = queries.things(DOCUMENT, as_account=account, where=where, text=text, order=order or NEWEST, offset=offset, limit=limit)  # fmt: skip
    return Page(kept_of([one.id for one in page.items], account), page.total, page.left_stale)


def kept_of(ids: Sequence[str], account: Account) -> tuple[Kept, ...]:
    """Returns issued papers by their ids, as far as the account may see what they are about."""
    facts = queries.facts_of(ids, DOCUMENT, ("kind", "number", "about"), as_account=account)
    histories = queries.happened(HAPPENED, ids, as_account=account)
    rows = [row for one in histories.values() for row in one]
    abouts = {one.get("about", "") for one in facts.values()}
    words = words_of([*abouts, *(row.performed_by for row in rows)])
    return tuple(_kept(one, facts[one], histories[one], words) for one in ids)


def _kept(id: str, facts: Mapping[str, str], rows: Sequence[RowShown], words: Words) -> Kept:
    about = facts.get("about", "")
    issued = next((row for row in rows if row.name == ISSUED), None)
    word, said = _state(rows, words)
    return Kept(
        id=id, kind=facts.get("kind", ""), number=facts.get("number", ""), about=about,
        about_label=capital(words.names.get(about, "")), about_url=reverse("thing", args=[about]) if about else "",
        issued=_when(issued, words) if issued else "", by=_by(issued, words) if issued else "", word=word, said=said,
    )  # fmt: skip


def _state(rows: Sequence[RowShown], words: Words) -> tuple[str, str]:
    """Returns how a paper stands: the word of its mark, and what is said beside it."""
    if any(row.name == WITHDRAWN for row in rows):
        return "Withdrawn", "Withdrawn"
    sent = [row for row in rows if row.name == SERVED]
    if not sent:
        return "Waiting", "Not marked as sent"
    last = sent[-1]
    way = f", {title(str(last.data['way'])).lower()}" if last.data.get("way") else ""
    if returned := last.data.get("returned_on"):
        return "Not met", f"Came back {_day(returned, words)}"
    if received := last.data.get("received_on"):
        return "Met", f"Received {_day(received, words)}{way}"
    return "Met", f"Sent {_day(last.data.get('sent_on') or last.at, words)}{way}"


def _day(text: Any, words: Words) -> str:
    moment = moment_of(str(text))
    if moment is None:
        return str(text)
    return words.moment(moment.replace(second=0) if is_instant(moment) else moment)


def _when(row: RowShown, words: Words) -> str:
    return _day(row.at, words)


def _by(row: RowShown, words: Words) -> str:
    said = [words.name(row.performed_by)] if row.performed_by else []
    said += [words.office(row.office)] if row.office else []
    return ", ".join(dict.fromkeys(said)) or row.recorded_by


def wanted(account: Account) -> tuple[Wanted, ...]:
    """Returns the papers that something due waits for, the most urgent first.

    Raises:
        NotAllowed: for the account.
    """
    dues = queries.due(as_account=account, limit=MOST_WANTED).items
    found = [(kind, due) for due in dues for kind in KINDS.values() if set(kind.goes_out_as) & set(due.meets)]
    seen: dict[tuple[str, str], tuple[Kind, Due]] = {}
    for kind, due in found:
        seen.setdefault((kind.name, due.thing), (kind, due))
    words = words_of({one for _, due in seen.values() for one in due.persons})
    return tuple(_wanted(kind, due, words, account) for kind, due in seen.values())


def _wanted(kind: Kind, due: Due, words: Words, account: Account) -> Wanted:
    unsent = [one for one in issued_about(due.thing, kind.name, account) if one.word == "Waiting"]
    url = reverse("document", args=[unsent[-1].id]) if unsent else reverse("draft", args=[kind.name, due.thing])
    act = Link("Mark as sent", record_url(unsent[-1].id, SERVED)) if unsent else Link("Look at the draft", url)
    return Wanted(kind, line_of(due, words, account), capital(due.thing_label), url, act)


def issued_about(thing: str, kind: str, account: Account) -> tuple[Kept, ...]:
    """Returns the papers of a kind that were issued about a thing, in the order in which they were."""
    ids = [one["id"] for one in queries.documents(as_account=account, about=thing, kind=kind)]
    return kept_of(ids, account) if ids else ()


def latest_unsent(thing: str, kind: str, account: Account) -> Kept | None:
    """Returns the last paper of a kind about a thing that was issued and neither sent nor withdrawn, or None."""
    return next((one for one in reversed(issued_about(thing, kind, account)) if one.word == "Waiting"), None)


def to_write(account: Account) -> tuple[Known, ...]:
    """Returns the papers about the town as a whole, which nothing calls for by itself."""
    town = adopting.town_id()
    return tuple(
        Known(kind.title, kind.part, url=reverse("draft", args=[kind.name, town])) for kind in KINDS.values() if kind.about == TOWN
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ a draft


def draft_shown(kind: Kind, thing: str, part: str, account: Account, looking: Looking) -> DraftShown:
    """Returns a draft with what it leaves open, what waits for it, and who may sign it, as of the instant at which the page looks.

    Edge: a draft that cannot be written yet says why; nothing else of the page is lost.

    Raises:
        NotFound: for the thing.
        NotAllowed: for the account.
    """
    named = queries.thing(thing, as_account=account)
    refused: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    try:
        drawn: Drawn = papers.draft(
            kind.name, named.id, as_account=account, part=part, as_of=looking.as_of, known_at=looking.known_at
        )
    except Refused as error:
        refused = tuple(error.reasons)
    except NotFound as error:
        refused = (str(error),)
    else:
        questions = papers.open_questions(drawn, named.id, as_account=account)
    dues = queries.due(as_account=account, thing=named.id, as_of=looking.as_of, known_at=looking.known_at).items
    due = next((one for one in dues if set(kind.goes_out_as) & set(one.meets)), None)
    words = words_of(due.persons if due else (), looking.instant)
    query = looking.query + (f"{'&' if looking.query else '?'}part={quote(part)}" if part else "")
    found: dict[str, list[Open]] = {}
    for one in questions:
        if one.owner:
            found.setdefault(one.head, []).append(Open(one.asks, _answered_at(one, named, account)))
    office = due.who if due else ""
    return DraftShown(
        kind=kind, thing=named, thing_url=page_url(named) or reverse("thing", args=[named.id]), part=part,
        file_url=reverse("draft_file", args=[kind.name, named.id]) + query, open=tuple((head, tuple(items)) for head, items in found.items()),
        count=sum(len(items) for items in found.values()), refused=tuple(capital(_TYPED.sub("", one)) for one in refused),
        due=line_of(due, words, account, is_alone=True) if due else None, running=running_of(due, words) if due else None,
        issued=issued_about(named.id, kind.name, account), signers=tuple(_signers(office, words, account)),
        offices=tuple(_offices(words)), may_issue=rights.may(account, "issue", named.program),
    )  # fmt: skip


def _answered_at(one: Question, named: Named, account: Account) -> str:
    """Returns where a question is answered, or nothing where the account may not answer it."""
    vocabulary = law.in_force().vocabulary
    about = adopting.town_id() if one.owner == TOWN else named.id
    kind = vocabulary.things.get(one.owner)
    program = kind.program if kind else named.program
    if not rights.may(account, "record", program):
        return ""
    if kind is not None:
        return f"{reverse('set_facts', args=[about])}?fact={quote(one.name)}"
    url = record_url(about, one.owner)
    return f"{url}#{quote(one.cause)}-{quote(one.key)}" if one.key else url


def _signers(office: str, words: Words, account: Account) -> Iterator[tuple[str, str]]:
    held = people.holders(office, words.today) if office else ()
    yield from sorted(people_to_choose(account), key=lambda one: one[0] not in held)


def _offices(words: Words) -> Iterator[tuple[str, str]]:
    """Yields the offices that somebody holds today: in another nobody can sign."""
    held = {one.office for one in people.holdings() if one.is_on(words.today)}
    yield from sorted(((one, words.office(one)) for one in held), key=lambda item: item[1])


# ------------------------------------------------------------------------------------------------ an issued paper


def paper_shown(document: str, account: Account) -> PaperShown:
    """Returns an issued paper: what it is, how it stands, everything that was recorded of it.

    Raises:
        NotFound: where there is none.
        NotAllowed: for the account.
    """
    named = queries.thing(document, as_account=account)
    if named.type != DOCUMENT:
        raise NotFound(f"{document} is no paper that was issued")
    kept = kept_of([named.id], account)[0]
    about = queries.thing(kept.about, as_account=account) if kept.about else None
    facts = {one.name: one.text for one in queries.facts(named.id, as_account=account)}
    rows = queries.happened(HAPPENED, [named.id], as_account=account)[named.id]
    words = words_of([kept.about, *(row.performed_by for row in rows)])
    kind = KINDS.get(kept.kind)
    is_withdrawn = any(row.name == WITHDRAWN for row in rows)
    program = about.program if about else named.program
    filed = kind.signed_with[1] if kind and len(kind.signed_with) > 1 and about else ""
    return PaperShown(
        thing=named, kept=kept, kind=kind, facts=tuple(_facts(kept, facts, words)),
        rows=tuple(_row(row, words) for row in reversed(rows)), is_withdrawn=is_withdrawn, is_sent=any(row.name == SERVED for row in rows),
        may_send=rights.may(account, "record", program) and rights.may(account, "record", named.program) and not is_withdrawn,
        may_withdraw=rights.may(account, "issue", program) and rights.may(account, "record", named.program) and not is_withdrawn,
        may_read=rights.is_inside(account) or bool(kind and kind.is_public), letter_to="",
        file_as=Link(f"Record {title(filed).lower()}", record_url(kept.about, filed)) if filed and rights.may(account, "record", program) else None,
    )  # fmt: skip


def _facts(kept: Kept, facts: Mapping[str, str], words: Words) -> Iterator[Known]:
    yield Known("About", kept.about_label, url=kept.about_url)
    yield Known("Number", kept.number)
    yield Known("Issued", kept.issued, f"By {kept.by}" if kept.by else "")
    if supplement := facts.get("supplement"):
        yield Known("Supplement", supplement[:12], "The law that ran when it was written")
    if digest := facts.get("sha256"):
        yield Known(
            "Fingerprint", digest[:16], "The first figures of its hash (SHA-256): a copy that differs has another"
        )


def _row(row: RowShown, words: Words) -> tuple[str, str, tuple[Known, ...], str]:
    said = said_of(row, words.vocabulary, words, DOCUMENT)
    return row_title(row, words.vocabulary), f"{_when(row, words)}, {_by(row, words)}", tuple(said), reverse("row", args=[row.id])  # fmt: skip


def sent_before(about: Named | None, event: Any, account: Account) -> dict[str, Any]:
    """Returns what the form of a sending shows beforehand: to whom such papers go, as the contacts say."""
    if about is None or event is None or "media" not in event.data:
        return {}
    page = queries.things("contact", as_account=account, where=[("gets_press_releases", "=", "true")])
    return {"media": "\n".join(one.label for one in page.items)}
