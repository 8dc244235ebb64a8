"""A job under way, as its function sees it: it says how far it is, and ends with its rows and its mark in one transaction.

@task(takes_context=True)
def count_pipes(context, account):
    run = Run.of(context)
    ...                                # long, without any lock
    run.tell(1200, 4000, "pipes")
    with run.finish() as outcome:      # short, under the lock of the log
        actions.record(...)
        outcome.said = "4,000 pipes counted."
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from django_tasks import TaskContext, TaskResultStatus
from django_tasks_db.models import DBTaskResult

from sewershed.desk.jobs.models import Job
from sewershed.ledger import log as logbook
from sewershed.ledger.errors import LedgerError

TELL_SECONDS = 1.0  # how far it is is written down no more often than this


class NotOurs(LedgerError):
    """The job was stopped, or another process has taken it up: what this one did is not kept."""


@dataclass(slots=True)
class Outcome:
    """What came of a job, filled in by its function."""

    said: str = ""
    url: str = ""
    text: str = ""
    is_unknown: bool = False


@dataclass(slots=True)
class Run:
    """A job under way, held by one process."""

    id: UUID
    claim: str  # by which worker, in which try
    is_finished: bool = False
    _told_at: float = field(default=0.0, repr=False)

    @classmethod
    def of(cls, context: TaskContext) -> Run:
        """Returns the run that a function of a task is."""
        result = context.task_result
        return cls(UUID(result.id), str(result.worker_ids[-1]))

    def tell(self, done: int, total: int = 0, said: str = "") -> None:
        """Says how far the job is; more often than once a second it is not written down."""
        now = time.monotonic()
        if now - self._told_at < TELL_SECONDS:
            return
        self._told_at = now
        Job.objects.filter(task_id=self.id).update(done=done, total=total, said=said)

    @contextmanager
    def finish(self) -> Iterator[Outcome]:
        """Holds the lock of the log while the job's rows are entered, and marks it done with them: both, or neither.

        Refuses: to keep anything where the job is no longer this process's own.

        Raises:
            NotOurs: then.
        """
        with logbook.writing():
            found = DBTaskResult.objects.select_for_update().filter(id=self.id).first()
            if found is None or found.status != TaskResultStatus.RUNNING or found.worker_ids[-1] != self.claim:
                raise NotOurs("the job was stopped or taken up by another process")
            outcome = Outcome()
            yield outcome
            found.set_successful(None)
            Job.objects.filter(task_id=self.id).update(
                said=outcome.said, url=outcome.url, text=outcome.text, is_unknown=outcome.is_unknown
            )
        self.is_finished = True
