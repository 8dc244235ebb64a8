"""The job that sends a digest."""

from __future__ import annotations

from django.urls import reverse
from django_tasks import TaskContext, task

from sewershed.desk.jobs.runs import Outcome, Run
from sewershed.desk.jobs.worker import MOST_TRIES
from sewershed.desk.mail import queries
from sewershed.desk.mail.delivering import NotKnown, NotSent, deliver
from sewershed.desk.mail.models import FAILED, MARKED, NOTHING, SENT, UNKNOWN, WAITING, Mailing
from sewershed.ledger import clock

KILLED = "The work broke off while it was being sent."


class SendAgain(Exception):
    """The server did not take the message now; the worker tries again."""


@task(takes_context=True)
def send_digest(context: TaskContext, mailing: int) -> None:
    """Sends a digest. It is marked before it is handed over; one that is marked already was not seen to the end.

    Edge: what the server did not take is tried again, three times in all; of what may have gone, nothing is tried again.
    """
    run, now = Run.of(context), clock.now()
    found = Mailing.objects.select_related("account").get(id=mailing)
    if found.state == MARKED:
        _end(run, mailing, UNKNOWN, KILLED)
        return
    digest = queries.digest_of(found.account, now)
    if digest.is_empty:
        _end(run, mailing, NOTHING, "Nothing is overdue or due: no mail was sent.")
        return
    address = queries.address_of(found.account)
    message = queries.message_of(digest, address, mailing, now)
    mine = Mailing.objects.filter(id=mailing, state=WAITING)
    if not mine.update(state=MARKED, address=address, changed_at=now):
        return  # another try has it
    try:
        deliver(message, clock.current_town(), f"{found.day} {found.account.name}")
    except NotSent as error:
        if len(context.task_result.worker_ids) < MOST_TRIES:
            Mailing.objects.filter(id=mailing, state=MARKED).update(state=WAITING, said=str(error), changed_at=now)
            raise SendAgain(str(error)) from error
        _end(run, mailing, FAILED, f"It was not sent: {error}")
    except NotKnown as error:
        _end(run, mailing, UNKNOWN, str(error))
    else:
        _end(run, mailing, SENT, f"Sent: {digest.counts}.")


def _end(run: Run, mailing: int, state: str, said: str) -> None:
    """Says what became of a mailing, in one transaction with the end of its job."""
    with run.finish() as outcome:
        if state == UNKNOWN:
            said = f"It is not known if it was sent. {said}"
        Mailing.objects.filter(id=mailing).update(state=state, said=said, changed_at=clock.now())
        _fill(outcome, state, said)


def _fill(outcome: Outcome, state: str, said: str) -> None:
    outcome.said, outcome.is_unknown = said, state == UNKNOWN
    if state in (UNKNOWN, FAILED):
        outcome.url, outcome.text = reverse("digest"), "Look, and send it again"
