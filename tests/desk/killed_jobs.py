"""The job of the trial that kills the server: it takes a little while, and then enters one row."""

from __future__ import annotations

import time

from django_tasks import TaskContext, task


@task(takes_context=True)
def enter_slowly(context: TaskContext, thing: str) -> None:
    """Enters a thing, after a while without any lock and with a while under it."""
    from sewershed.desk.jobs.runs import Run
    from sewershed.ledger import actions, rights

    run = Run.of(context)
    time.sleep(0.1)
    with run.finish() as outcome:
        actions.set_facts(thing, {"location": "Job Street"}, as_account=rights.owner(), type="spill", source="command")
        time.sleep(0.05)
        outcome.said = "1 row."
