"""What the pages of jobs show: one's own jobs; to whoever administers, all of them. And the lists that were kept."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet
from django.urls import reverse
from django_tasks import TaskResultStatus

import sewershed
from sewershed.desk.jobs.lines import due_from
from sewershed.desk.jobs.models import Job, KeptLine, KeptList
from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Link, Work
from sewershed.ledger import law, queries, rights
from sewershed.ledger.errors import NotFound
from sewershed.ledger.models import Account
from sewershed.ledger.shown import Due, Page

MOST_SHOWN = 100
MOST_LETTERS = 200  # of the id of a person: no id is longer, and no database looks for what is much longer
_STATES = {
    TaskResultStatus.READY: "running",
    TaskResultStatus.RUNNING: "running",
    TaskResultStatus.SUCCESSFUL: "done",
    TaskResultStatus.FAILED: "failed",
}


def seen(account: Account) -> QuerySet[Job]:
    """Returns the jobs that an account may see."""
    found = Job.objects.select_related("task", "account")
    return found if rights.may(account, "administer", rights.EVERY) else found.filter(account=account)


def job_named(id: UUID, account: Account) -> Job:
    """Returns a job.

    Raises:
        NotFound: where the account sees none of that id.
    """
    found = seen(account).filter(task_id=id).first()
    if found is None:
        raise NotFound("there is no such job, or it is somebody else's")
    return found


def jobs_shown(account: Account) -> tuple[list[tuple[Job, Work]], list[tuple[Job, Work]]]:
    """Returns the jobs under way, and those that have ended, the latest first."""
    found = [(job, work_of(job)) for job in seen(account).order_by("-asked_at", "-task__enqueued_at")[:MOST_SHOWN]]
    return [one for one in found if one[1].is_running], [one for one in found if not one[1].is_running]


def work_of(job: Job) -> Work:
    """Returns a job as the component shows it."""
    status = TaskResultStatus(job.task.status)
    state = _STATES[status]
    if job.is_stopped and state != "done":
        state = "stopped" if state == "failed" else state
    elif job.is_unknown:
        state = "unknown"
    said = job.said
    if status == TaskResultStatus.READY:
        said = "Waits for its turn." if not job.task.worker_ids else "Waits to be tried again."
    elif status == TaskResultStatus.RUNNING and job.total:
        said = f"{job.done:,} of {job.total:,} {job.said}".rstrip()
    return Work(
        title=job.title, state=state, done=job.done, total=job.total, said=said or "Begun.", url=reverse("job", args=[job.task_id]),
        result=Link(job.text, job.url) if job.url else None,
        stop_url=reverse("stop_job", args=[job.task_id]) if state == "running" and not job.is_stopped else "",
    )  # fmt: skip


def under_way(wanted: str, account: Account) -> Work | None:
    """Returns the latest job of an account that wants just this, or None."""
    job = seen(account).filter(wanted=wanted).order_by("-asked_at", "-task__enqueued_at").first()
    return work_of(job) if job is not None else None


# ------------------------------------------------------------------------------------------------ lists of another day


def wanted_of(looking: Looking, account: Account) -> str:
    """Returns what is wanted by whoever looks at the whole town on another day: the same text for the same list."""
    known = looking.known_at.isoformat() if looking.known_at else ""
    return f"due {queries.head(as_account=account).short} {looking.instant.isoformat()} {known} {sees(account)}"


def sees(account: Account) -> str:
    """Returns the programs that an account may see, in order."""
    programs = {kind.program for kind in law.in_force().vocabulary.things.values()}
    return " ".join(sorted(one for one in programs if rights.may(account, "see", one)))


def kept_list(as_of: datetime, known_at: datetime | None, account: Account) -> KeptList | None:
    """Returns the list of another day that was worked out from the record as it stands, or None."""
    return KeptList.objects.filter(
        head=str(queries.head(as_account=account)), as_of=as_of, known_at=known_at, sees=sees(account), version=sewershed.__version__
    ).first()  # fmt: skip


def kept_due(
    kept: KeptList, *, program: str = "", person: str = "", rule: str = "", limit: int | None = None
) -> Page[Due]:
    """Returns lines of a kept list, most urgent first, narrowed as `ledger.queries.due` narrows."""
    found = KeptLine.objects.filter(list=kept)
    found = found.filter(program=program) if program else found
    found = found.filter(Q(persons__contains=f" {person[:MOST_LETTERS]} ")) if person else found
    found = found.filter(rule=rule) if rule else found
    chosen = found.order_by("place").values_list("content", flat=True)
    return Page(tuple(due_from(one) for one in chosen[:limit]), found.count())
