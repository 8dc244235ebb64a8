"""The jobs of the desk that belong to no program: a list over the town for another day."""

from __future__ import annotations

from datetime import datetime, timedelta

from django_tasks import TaskContext, task

import sewershed
from sewershed.desk.jobs import actions, queries
from sewershed.desk.jobs.lines import due_text
from sewershed.desk.jobs.models import Job, KeptLine, KeptList
from sewershed.desk.jobs.runs import Run
from sewershed.desk.shell.looking import Looking
from sewershed.ledger import clock, rights
from sewershed.ledger import log as logbook
from sewershed.ledger import queries as ledger
from sewershed.ledger.models import Account
from sewershed.ledger.shown import Due

MOST_KEPT = 20  # lists; the oldest go first
_BATCH = 400


def ask_for_day(looking: Looking, account: Account) -> Job:
    """Asks for the list of what was due over the town on another day; where it is there already, nothing is worked out again."""
    known = looking.known_at
    return actions.ask(
        list_of_day, f"What was due on {looking.words}", account, queries.wanted_of(looking, account),
        {"account": account.name, "as_of": looking.instant.isoformat(), "known_at": known.isoformat() if known else "",
         "url": f"/{looking.query}"},
    )  # fmt: skip


@task(takes_context=True)
def list_of_day(context: TaskContext, account: str, as_of: str, known_at: str, url: str) -> None:
    """Works out what was due over the town on another day, and keeps it for whoever may see the same.

    Edge: it is kept for the end of the log with which the work began; a row entered since makes it another list.
    """
    run, asks = Run.of(context), rights.account_named(account)
    instant = datetime.fromisoformat(as_of)
    known = datetime.fromisoformat(known_at) if known_at else None
    head = str(ledger.head(as_account=asks))
    lines: tuple[Due, ...] = ()
    if queries.kept_list(instant, known, asks) is None:
        run.tell(0, 0, "Reading the record.")
        page = ledger.due(
            as_account=asks, as_of=instant, known_at=known, progress=lambda done, total: run.tell(done, total, "things")
        )
        lines = page.items
    with run.finish() as outcome:
        kept = queries.kept_list(instant, known, asks) or _keep(head, instant, known, asks, lines)
        count = KeptLine.objects.filter(list=kept).count()
        outcome.said = f"{count:,} line{'' if count == 1 else 's'}."
        outcome.url, outcome.text = url, "Show the list"


def _keep(head: str, as_of: datetime, known_at: datetime | None, account: Account, lines: tuple[Due, ...]) -> KeptList:
    kept = KeptList.objects.create(
        head=head, as_of=as_of, known_at=known_at, sees=queries.sees(account), version=sewershed.__version__, made_at=clock.now()
    )  # fmt: skip
    KeptLine.objects.bulk_create(
        [
            KeptLine(list=kept, place=place, program=one.program, persons=f" {' '.join(one.persons)} ", rule=one.rule, content=due_text(one))
            for place, one in enumerate(lines)
        ],
        batch_size=_BATCH,
    )  # fmt: skip
    old = KeptList.objects.order_by("-made_at", "-id").values_list("id", flat=True)[MOST_KEPT:]
    KeptList.objects.filter(id__in=list(old)).delete()
    return kept


ENDED_DAYS = timedelta(days=90)  # so long an ended job can be looked up


def forget_old() -> None:
    """Forgets jobs that ended long ago; what they recorded stands in the record."""
    with logbook.writing():
        old = Job.objects.filter(asked_at__lt=clock.now() - ENDED_DAYS).exclude(task__status__in=actions.UNDER_WAY)
        for job in old.select_related("task")[:_BATCH]:
            job.task.delete()
