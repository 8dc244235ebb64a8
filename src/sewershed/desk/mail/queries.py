"""What a digest says, to whom it goes, and what was mailed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from email.message import EmailMessage
from email.utils import format_datetime

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from sewershed.desk.mail.models import Mailing, NoDigest
from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Line
from sewershed.desk.things.lines import folded
from sewershed.desk.today import queries as today
from sewershed.ledger import clock, queries, rights
from sewershed.ledger.errors import NotFound
from sewershed.ledger.models import Account
from sewershed.ledger.moments import day_words

WORDS = {"Overdue": "overdue", "Due soon": "due soon"}
MOST_SHOWN = 60  # mailings on the page


@dataclass(frozen=True, slots=True)
class Digest:
    """What a digest says: lines under the word of their state."""

    account: Account
    day: str
    is_whole: bool
    parts: tuple[tuple[str, tuple[Line, ...]], ...]
    counts: str
    more: int  # lines of Today that were too many to look at
    left_stale: int

    @property
    def is_empty(self) -> bool:
        """Tells whether there is nothing to say."""
        return not self.parts and not self.left_stale


def digest_of(account: Account, now: datetime) -> Digest:
    """Returns what is overdue and due: a person's own, the whole for whoever answers for everybody."""
    town = clock.current_town()
    asked = today.Asked()
    shown = today.today_shown(account, Looking(now, town.zone), asked)
    parts, counts = [], []
    for word, said in WORDS.items():
        found = [one for one in shown.dues if one.word == word]
        if found:
            parts.append((word, tuple(folded(found, shown.words, account, asked.url(whose=shown.whose)))))
            counts.append(f"{len(found)} {said}")
    day = day_words(now.astimezone(town.zone).date())
    more = shown.total - shown.shown
    return Digest(account, day, shown.whose == today.ALL, tuple(parts), ", ".join(counts), more, shown.left_stale)


def message_of(digest: Digest, address: str, mailing: int, now: datetime) -> EmailMessage:
    """Returns a digest as a message, as text and as HTML."""
    town = clock.current_town()
    base = settings.ADDRESS.geturl().rstrip("/")
    context = {"digest": digest, "town": town, "base": base, "off_url": base + reverse("digest")}
    message = EmailMessage()
    message["From"] = town.mail.sender or "sewer-desk@localhost"
    message["To"] = address or f"{digest.account.name}@localhost"
    example = "Example data: " if town.is_example else ""
    message["Subject"] = f"{example}{town.name}, {digest.day}: {digest.counts or 'look at the desk'}"
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<digest-{mailing}-{now:%Y%m%dT%H%M%S}@{settings.ADDRESS.hostname}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(render_to_string("mail/digest.txt", context))
    message.add_alternative(render_to_string("mail/digest.html", context), subtype="html")
    return message


def address_of(account: Account) -> str:
    """Returns where an account's mail goes: what is recorded of its person; nothing where nothing is."""
    if not account.person:
        return ""
    known = queries.recorded(account.person, as_account=account).get("email")
    return " ".join(str(known or "").split())


def gets_digest(account: Account) -> bool:
    """Tells whether a digest goes to an account: it works for the town, did not turn it off, and there is somewhere to send it."""
    is_wanted = (
        account.is_active and rights.is_inside(account) and not NoDigest.objects.filter(account=account).exists()
    )
    return is_wanted and (not clock.current_town().mail.server or bool(address_of(account)))


def today_of(now: datetime) -> date:
    """Returns the town's day of an instant."""
    return now.astimezone(clock.current_town().zone).date()


def mailings(account: Account) -> list[Mailing]:
    """Returns the latest mailings: one's own; to whoever administers, all."""
    found = Mailing.objects.select_related("account").order_by("-day", "account__name")
    if not rights.may(account, "administer", rights.EVERY):
        found = found.filter(account=account)
    return list(found[:MOST_SHOWN])


def mailing_named(id: int, account: Account) -> Mailing:
    """Returns a mailing.

    Raises:
        NotFound: where the account sees none of that number.
    """
    found = Mailing.objects.select_related("account").filter(id=id).first()
    if found is None or not (found.account == account or rights.may(account, "administer", rights.EVERY)):
        raise NotFound("there is no such mailing, or it is somebody else's")
    return found
