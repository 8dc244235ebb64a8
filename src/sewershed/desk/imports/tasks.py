"""The long work of bringing in a list: looking at all of its lines, and entering them."""

from __future__ import annotations

from django.urls import reverse
from django_tasks import TaskContext, task

from sewershed.desk.imports import actions, queries
from sewershed.desk.imports.models import Arrival
from sewershed.desk.jobs import actions as jobs
from sewershed.desk.jobs.models import Job
from sewershed.desk.jobs.runs import Run
from sewershed.ledger import rights
from sewershed.ledger.models import Account


def ask_for_plan(arrival: Arrival, account: Account) -> Job:
    """Asks what a large list would change, and returns the job."""
    return jobs.ask(
        look, f"Look at the lines of {arrival.name}", account, queries.plan_wanted(arrival),
        {"account": account.name, "arrival": arrival.id},
    )  # fmt: skip


@task(takes_context=True)
def look(context: TaskContext, account: str, arrival: str) -> None:
    """Works out what each line of a list would change, and keeps it to be read."""
    run, asks = Run.of(context), rights.account_named(account)
    one = queries.arrival_named(arrival, asks)
    run.tell(0, 0, "Opens the file.")
    made = actions.made(one, asks, lambda done, total: run.tell(done, total, "lines"))
    with run.finish() as outcome:
        actions.keep(one, made)
        outcome.said = queries.said_of(made.plan)
        outcome.url, outcome.text = reverse("import_plan", args=[arrival]), "Read the plan"


def ask_to_apply(arrival: Arrival, approved: str, account: Account) -> Job:
    """Asks to bring in a large list as its plan was read, and returns the job."""
    return jobs.ask(
        bring_in, f"Bring in {arrival.name}", account, queries.apply_wanted(arrival),
        {"account": account.name, "arrival": arrival.id, "approved": approved},
    )  # fmt: skip


@task(takes_context=True)
def bring_in(context: TaskContext, account: str, arrival: str, approved: str) -> None:
    """Enters what was approved, as one batch; where the plan would be another one now, that is kept to be read."""
    run, asks = Run.of(context), rights.account_named(account)
    one = queries.arrival_named(arrival, asks)
    run.tell(0, 0, "Opens the file.")
    made = actions.made(one, asks, lambda done, total: run.tell(done, total, "lines looked at again"))
    with run.finish() as outcome:
        if made.plan.hash != approved:
            actions.keep(one, made)
            outcome.said = "The record has changed since the plan was read, and it would do something else now. Nothing was entered."
            outcome.url, outcome.text = reverse("import_plan", args=[arrival]), "Read the plan as it is now"
            return
        batch = actions.enter(one, made, asks)
        outcome.said = queries.said_of(made.plan)
        outcome.url, outcome.text = reverse("imported", args=[batch]), "Show what was brought in"
