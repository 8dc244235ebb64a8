"""The long work of the town's pages: a backup of a large town, and what a newer law would change in it."""

from __future__ import annotations

from django.urls import reverse
from django_tasks import TaskContext, task

from sewershed.desk.jobs import actions as jobs
from sewershed.desk.jobs.models import Job
from sewershed.desk.jobs.runs import Run
from sewershed.desk.town import actions, adopted, care
from sewershed.ledger import adopting, doctor, log, rights
from sewershed.ledger.log import Head
from sewershed.ledger.models import Account
from sewershed.ledger.verify import verify


def ask_for_backup(account: Account) -> Job:
    """Asks for a backup, and returns the job; one that is under way already is that one.

    Raises:
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    return jobs.ask(back_up, "Make a backup", account, care.BACKUP_WANTED, {"account": account.name})


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
        read_newer_law, "What a newer law would change", account, adopted.plan_wanted(), {"account": account.name}
    )


@task(takes_context=True)
def read_newer_law(context: TaskContext, account: str) -> None:
    """Works out what adopting the installed books would change, thing by thing, and keeps it to be read."""
    run, asks = Run.of(context), rights.account_named(account)
    total = sum(adopted.counts(asks).values())
    plan = adopting.plan(
        adopted.installed(), as_account=asks, progress=lambda done: run.tell(done, total, "things compared")
    )
    with run.finish() as outcome:
        actions.keep_plan(plan)
        outcome.said = (
            f"{len(plan.entries)} changes in the law, {len(plan.consequences)} in what follows from the record."
        )
        outcome.url, outcome.text = reverse("newer_law"), "Read what would change"


def ask_for_doctor(account: Account) -> Job:
    """Asks what is wrong with the town, and returns the job.

    Raises:
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    return jobs.ask(examine, "Look what is wrong with the town", account, care.DOCTOR_WANTED, {})


@task(takes_context=True)
def examine(context: TaskContext) -> None:
    """Looks what is wrong with the town, and says it."""
    run = Run.of(context)
    found = doctor.examine(progress=lambda said: run.tell(0, 0, f"Looks at {said}."))
    with run.finish() as outcome:
        outcome.said = " ".join(f"{place}. {one}" for place, one in enumerate(found, 1)) or "Nothing is wrong."


def ask_for_walk(account: Account, head: str) -> Job:
    """Asks whether each row of the log stands as it was written, and returns the job.

    Raises:
        NotAllowed: for an account that may see nothing.
    """
    rights.require(account, "see", rights.EVERY)
    return jobs.ask(walk, "Walk the chain of the log", account, f"{care.VERIFY_WANTED} {head}", {"head": head})


@task(takes_context=True)
def walk(context: TaskContext, head: str) -> None:
    """Walks the chain of the log, and says whether each row stands as it was written."""
    run, stated = Run.of(context), Head.read(head) if head else None
    total = log.head().position
    verdict = verify(stated, lambda position: run.tell(position, total, "rows"))
    with run.finish() as outcome:
        sound = f"{verdict.head.position:,} rows, each as it was written. Head {verdict.head.short}"
        outcome.said = sound if verdict.is_sound else f"The record can be disputed: {'; '.join(verdict.faults)}"
        outcome.url, outcome.text = reverse("log"), "Show the log"
