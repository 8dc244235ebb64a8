"""Lines of what is due, as the desk lays them out: in words, with where each leads and what records it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from urllib.parse import quote

from django.urls import NoReverseMatch, reverse

from sewershed.desk.shell.parts import Line, Link, Running
from sewershed.ledger import importing, rights
from sewershed.ledger.models import Account
from sewershed.ledger.moments import clock_words, day_words, left_words
from sewershed.ledger.shown import Due, Named
from sewershed.ledger.wording import Words, plain, title
from sewershed.rules.moments import day_of, is_instant
from sewershed.rules.record import Moment
from sewershed.rules.unknown import Want
from sewershed.rules.vocabulary import ThingType

FOLD = 3  # so many things with the same duty, day and state are one line
LEFT_TO_A_PERSON = ("decision", "gap", "silence", "no_figure")
MOST_SHOWN = 2  # of what is missing; the rest is counted
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


def line_of(due: Due, words: Words, account: Account, *, is_alone: bool = False) -> Line:
    """Returns a line of what is due.

    Args:
        due: the line of the ledger.
        words: of the page.
        account: who reads: no button is shown that it may not use.
        is_alone: the page is about this one thing, so its name is left out.
    """
    about = [] if is_alone else [due.thing_label]
    if due.asks and due.word in ("Cannot tell", "Needs decision"):
        about.append(f"Missing: {missing(due.asks, words)}")
    doubts = tuple(dict.fromkeys(one.doubt for one in due.if_read_as))
    return Line(
        word=due.word, what=what(due), about=". ".join(about), url=reverse("thing", args=[due.thing]),
        program=program_title(due.program), whose=words.whose(due.who, due.persons), how_long=how_long(due, words),
        when=when(due, words), clause=words.cites(due.rules[:1]), why_url=why_url(due.key), doubts=len(doubts),
        doubts_url=f"{why_url(due.key)}#doubts", act=act_of(due, words, account),
        caution=due.caution,
    )  # fmt: skip


def folded(dues: Iterable[Due], words: Words, account: Account, list_url: str) -> list[Line]:
    """Returns lines in their order, where the same duty, day and state on many things is one line that opens its list."""
    shown: list[Line] = []
    together: dict[tuple[object, ...], list[Due]] = {}
    known = list(dues)
    for one in known:
        together.setdefault(_same(one), []).append(one)
    for one in known:
        group = together[_same(one)]
        if len(group) < FOLD:
            shown.append(line_of(one, words, account))
        elif one is group[0]:
            whose = {words.whose(each.who, each.persons) for each in group}
            shown.append(
                Line(
                    word=one.word, what=what(one), about=f"{len(group)} of them: {_few(group)}",
                    url=f"{list_url}{'&' if '?' in list_url else '?'}rule={quote(one.rule)}",
                    program=program_title(one.program), whose=whose.pop() if len(whose) == 1 else words.office(one.who),
                    how_long=how_long(one, words), when=when(one, words), clause=words.cites(one.rules[:1]),
                    why_url=why_url(one.key), caution=one.caution,
                )
            )  # fmt: skip
    return shown


def _same(one: Due) -> tuple[object, ...]:
    return one.rules, one.due, one.state, tuple(ask.what for ask in one.asks)


def _few(group: Sequence[Due]) -> str:
    names = [one.thing_label for one in group[:MOST_SHOWN]]
    return "; ".join(names) + ("; …" if len(group) > MOST_SHOWN else "")


def what(due: Due) -> str:
    """Returns what is to be done, with its item or period, unless that is the day it is due or an instant."""
    is_said = due.label and due.label != str(due.due) and "T" not in due.label
    label = f" ({days_in(due.label)})" if is_said else ""
    more = f"; this and {due.count - 1} more like it are open" if due.count > 1 else ""
    return f"{due.means}{label}{more}"


def days_in(text: str) -> str:
    """Returns a text with its days as people write them.

    Example:
        >>> days_in("from 2020-01-01"), days_in("2024-Q1")
        ('from Wed Jan 1, 2020', '2024-Q1')
    """
    return _DAY.sub(lambda match: day_words(date.fromisoformat(match[0])), text)


def missing(asks: Sequence[Want], words: Words) -> str:
    """Returns what is missing, the first few in words and how many more."""
    said = list(dict.fromkeys(words.want(one) for one in asks))
    more = len(said) - MOST_SHOWN
    return "; ".join(said[:MOST_SHOWN]) + (f"; and {more} more" if more > 0 else "")


def how_long(due: Due, words: Words) -> str:
    """Returns how long there is, or how it stands where no time runs."""
    if due.met_at is not None and due.state in ("met", "met_late"):
        return due.word
    if due.state == "missed":
        return "Missed"
    if due.due is not None:
        left = left_words(due.due, words.now, words.zone)
        return f"{left}, if due" if due.state == "cannot_tell" and "left" in left else left[:1].upper() + left[1:]
    match due.state:
        case "waiting":
            return "Not started"
        case "cannot_tell":
            return "No day set"
        case "due":
            return "At once" if due.word == "Due soon" else "No time set"
    return due.word


def when(due: Due, words: Words) -> str:
    """Returns which day, and the time of day where hours count."""
    moment = due.met_at if due.met_at is not None else due.due
    return day_or_today(moment, words) if moment is not None else ""


def day_or_today(moment: Moment, words: Words) -> str:
    """Returns a moment in words, today by that word."""
    if day_of(moment, words.zone) != words.today:
        return words.moment(moment)
    return f"Today, {clock_words(moment, words.zone)}" if is_instant(moment) else "Today"


def why_url(key: str) -> str:
    """Returns where an answer is explained."""
    return reverse("why", args=[key])


def page_url(named: Named) -> str:
    """Returns the page that an app gives to things of a type under the type's own name, by number or id; else nothing."""
    return url_if(named.type, named.number or named.id)


def record_url(thing: str, event: str) -> str:
    """Returns where an event of a thing is recorded: a page that an app gives it as `record_<event>`, or the form of any event."""
    return url_if(f"record_{event}", thing) or reverse("record", args=[thing, event])


def import_url(kind: ThingType, account: Account) -> str:
    """Returns where a list of a type of thing is brought in, or nothing where the account may bring in none."""
    may = kind.name not in importing.NOT_FROM_LISTS and rights.may(account, "import", kind.program)
    return f"{where}?thing={kind.name}" if may and (where := url_if("imports")) else ""


def url_if(name: str, *args: str) -> str:
    """Returns the address of a page, or nothing where no app answers under its name."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""


def program_title(program: str) -> str:
    """Returns what a program is called."""
    return title(program)


def act_of(due: Due, words: Words, account: Account) -> Link | None:
    """Returns what would settle a line: a decision, a fact that is missing, or the record that meets it."""
    may_decide = rights.may(account, "decide", due.program)
    may_record = rights.may(account, "record", due.program)
    for want in due.asks if due.word in ("Needs decision", "Cannot tell") else ():
        url = want_url(want, due.thing, words)
        is_decision = want.kind in ("doubt", *LEFT_TO_A_PERSON)
        if url and (may_decide if is_decision else may_record):
            return Link("Decide" if is_decision else "Say what is missing", url)
    if due.meets and may_record:
        return Link(f"Record {plain(due.meets[0])}", record_url(due.thing, due.meets[0]))
    return None


def want_url(want: Want, thing: str, words: Words) -> str:
    """Returns where what is wanting can be said, or nothing where the desk has no place for it."""
    about = want.thing or thing
    owner, _, name = want.what.rpartition(".")
    match want.kind:
        case "doubt":
            return f"{reverse('doubt', args=[want.what])}?on={quote(about)}"
        case "decision" | "gap" | "silence" | "no_figure" if owner in words.vocabulary.events:
            return record_url(about, owner)  # it is judged where it is recorded, by whoever holds the office
        case "decision" | "gap" | "silence" | "no_figure" if name:
            return reverse("decide", args=[about, name])
        case "time_of_day" if want.event:
            return reverse("correct", args=[want.event])
        case "event":
            return record_url(about, want.what)
        case "fact" if want.event:
            return reverse("correct", args=[want.event])
        case "fact" if name and owner in words.vocabulary.events:
            return record_url(about, owner)
        case "fact" if name:
            return f"{reverse('set_facts', args=[about])}?fact={quote(name)}"
    return ""


def running_of(due: Due, words: Words) -> Running:
    """Returns the clock of a line: how long there is and until when; where no hours run, how it stands."""
    until = when(due, words).replace("Today", "today")
    before = "since" if due.word == "Overdue" else "until"
    return Running(how_long(due, words), f"{before} {until}" if until else "", 0, word=due.word)
