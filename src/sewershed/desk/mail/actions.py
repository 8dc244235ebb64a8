"""The verbs of mail: asking for digests when their hour has come, sending one, sending one again, turning them off."""

from __future__ import annotations

from django.db import transaction

from sewershed.desk.jobs import actions as jobs
from sewershed.desk.mail import queries
from sewershed.desk.mail.models import FAILED, UNKNOWN, WAITING, Mailing, NoDigest
from sewershed.desk.mail.tasks import send_digest
from sewershed.ledger import clock
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account
from sewershed.ledger.moments import day_words


def ask_for_digests() -> int:
    """Asks for today's digests when their hour has come, each account's once a day, and returns how many.

    Edge: at the hour itself they are asked for. A worker that was not there then asks when it is there again, the same day.
    """
    now, town = clock.now(), clock.current_town()
    if f"{now.astimezone(town.zone):%H:%M}" < town.mail.digest_at:
        return 0
    day = queries.today_of(now)
    had = Mailing.objects.filter(day=day.isoformat()).values_list("account", flat=True)
    wanted = [
        one for one in Account.objects.filter(is_active=True).exclude(id__in=list(had)) if queries.gets_digest(one)
    ]
    for account in wanted:
        with transaction.atomic():
            mailing = Mailing.objects.create(account=account, day=day.isoformat(), state=WAITING, changed_at=now)
            _ask(mailing)
    return len(wanted)


def send_again(id: int, account: Account) -> Mailing:
    """Has a digest sent again that failed, or of which it is not known whether it went; nothing does so by itself.

    Refuses: one that went, or is on its way.

    Raises:
        Refused: with the reason.
        NotFound: where the account sees no such mailing.
    """
    mailing = queries.mailing_named(id, account)
    with transaction.atomic():
        again = Mailing.objects.filter(id=id, state__in=(UNKNOWN, FAILED))
        if not again.update(state=WAITING, said="", changed_at=clock.now()):
            raise Refused("it went, or is on its way: it is not sent again")
        _ask(mailing)
    return mailing


def choose_digest(account: Account, *, is_wanted: bool) -> None:
    """Turns an account's digest on or off."""
    if is_wanted:
        NoDigest.objects.filter(account=account).delete()
    else:
        NoDigest.objects.get_or_create(account=account)


def _ask(mailing: Mailing) -> None:
    name = mailing.account.name
    title = f"Morning mail to {name}, {day_words(queries.today_of(clock.now()))}"
    jobs.ask(send_digest, title, mailing.account, f"digest {name} {mailing.day}", {"mailing": mailing.pk})
