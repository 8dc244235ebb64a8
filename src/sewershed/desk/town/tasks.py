"""The long work of the town's pages: a backup of a large town, and what a newer law would change in it."""

from __future__ import annotations

from django.urls import reverse
from django_tasks import TaskContext, task

from sewershed.desk.jobs import actions as jobs
from sewershed.desk.jobs.models import Job
from sewershed.desk.jobs.runs import Run
from sewershed.desk.town import actions, queries
from sewershed.ledger import adopting, rights
from sewershed.ledger.models import Account


def ask_for_backup(account: Account) -> Job:
    """Asks for a backup, and returns the job; one that is under way already is that one.

    Raises:
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    return jobs.ask(back_up, "Make a backup", account, queries.BACKUP_WANTED, {"account": account.name})


@task(takes_context=True)
def back_up(context: TaskContext, account: str) -> None:
    """Writes a backup into the town's folder."""
    run = Run.of(context)
    made = actions.make_backup(
        rights.account_named(account), lambda said: run.tell(0, 0, f"{said[:1].upper()}{said[1:]}.")
    )
    with run.finish() as outcome:
        outcome.said = f"{made.head.position:,} rows, head {made.head.short}. Write the head down elsewhere."
        if made.faults:
            outcome.said += f" The chain is broken: {'; '.join(made.faults)}"
        outcome.url, outcome.text = reverse("backups"), "Show the backups"


def ask_for_plan(account: Account) -> Job:
    """Asks what adopting the installed books would change, and returns the job.

    Raises:
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    return jobs.ask(
        read_newer_law, "What a newer law would change", account, queries.plan_wanted(), {"account": account.name}
    )


@task(takes_context=True)
def read_newer_law(context: TaskContext, account: str) -> None:
    """Works out what adopting the installed books would change, thing by thing, and keeps it to be read."""
    run, asks = Run.of(context), rights.account_named(account)
    total = sum(queries.counts(asks).values())
    plan = adopting.plan(
        queries.installed(), as_account=asks, progress=lambda done: run.tell(done, total, "things compared")
    )
    with run.finish() as outcome:
        actions.keep_plan(plan)
        outcome.said = (
            f"{len(plan.entries)} changes in the law, {len(plan.consequences)} in what follows from the record."
        )
        outcome.url, outcome.text = reverse("newer_law"), "Read what would change"
