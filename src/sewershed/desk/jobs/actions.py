"""The verbs of jobs: asking for one, stopping one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django_tasks import TaskResultStatus
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from sewershed.desk.jobs import queries
from sewershed.desk.jobs.models import Job
from sewershed.ledger import clock
from sewershed.ledger.models import Account

UNDER_WAY = (TaskResultStatus.READY, TaskResultStatus.RUNNING)


def ask(task: Task[Any, Any], title: str, account: Account | None, wanted: str, said: Mapping[str, Any]) -> Job:
    """Asks for a job, and returns it; where the same is under way already, that one.

    Edge: inside a transaction that fails it was never asked for.

    Args:
        task: what is done.
        title: what people see.
        account: who asks; None for the town's own.
        wanted: what is wanted, the same text for the same.
        said: handed to the task; plain values.
    """
    with transaction.atomic():
        there = Job.objects.filter(wanted=wanted, task__status__in=UNDER_WAY).first()
        if there is not None:
            return there
        result = task.enqueue(**said)
        return Job.objects.create(
            task_id=UUID(result.id), title=title, account=account, wanted=wanted, asked_at=clock.now()
        )


def stop(id: UUID, account: Account) -> Job:
    """Stops a job: one that waits at once, one that runs as soon as the worker sees it, within a second.

    Edge: a job that has ended stays as it is.

    Raises:
        NotFound: where the account sees no such job.
    """
    job = queries.job_named(id, account)
    with transaction.atomic():
        waits = DBTaskResult.objects.select_for_update().filter(id=job.task_id, status=TaskResultStatus.READY)
        stopped = waits.update(status=TaskResultStatus.FAILED)
        runs = Job.objects.filter(task_id=job.task_id, task__status=TaskResultStatus.RUNNING)
        if stopped or runs.exists():
            Job.objects.filter(task_id=job.task_id).update(is_stopped=True, said="Stopped." if stopped else job.said)
    return queries.job_named(id, account)
