"""The worker: it does the jobs one after another, brings what is stored up to now each minute, and takes up what a kill left.

There is one a town. It holds a lock on a file of the town's folder, which goes with it however it dies, and gives a sign of
life in the database besides. Each job runs in a process of its own, so that one that breaks, grows or is stopped leaves the
worker as it was.
"""

from __future__ import annotations

import fcntl
import logging
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from types import FrameType
from typing import Any, cast

from django.db import close_old_connections, connections, transaction
from django.utils import timezone
from django_tasks import TaskContext, TaskResult, TaskResultStatus
from django_tasks_db.models import DBTaskResult

from sewershed.desk.jobs import tasks
from sewershed.desk.jobs.models import Job
from sewershed.desk.jobs.runs import NotOurs
from sewershed.ledger import clock, orphans, working
from sewershed.ledger.errors import LedgerError
from sewershed.ledger.models import Thing

LOCK_FILE = ".worker"
BEAT_SECONDS = 60.0
LOOK_SECONDS = 0.5  # how often it looks whether there is something to do
MOST_TRIES = 3
WAIT_BEFORE_AGAIN = timedelta(seconds=30)  # after a fault, twice that after the second
_BROKEN = "The work broke off three times without saying why; the log of the server may tell more."
_FAULT = "The fault is ours, not yours; the log of the server says more."
_log = logging.getLogger("sewershed.jobs")
Each = Callable[[], object]
EACH_MINUTE: list[Each] = []  # what other apps have done each minute, such as a digest that is due


def each_minute(work: Each) -> Each:
    """Names a function that the worker calls each minute; it should be short, or ask for jobs."""
    EACH_MINUTE.append(work)
    return work


@dataclass(slots=True)
class Worker:
    """The one worker of a town."""

    name: str = field(default_factory=lambda: f"{socket.gethostname()} {os.getpid()}-{secrets.token_hex(3)}")
    is_told_to_stop: bool = False
    child: int = 0  # the process of the job under way
    job: DBTaskResult[..., Any] | None = None
    _beat_at: float = field(default=float("-inf"), repr=False)

    def run(self) -> None:
        """Works until it is told to stop; a job under way is broken off then, and taken up by the next worker."""
        signal.signal(signal.SIGTERM, self._stop)
        with _alone() as is_alone:
            while not self.is_told_to_stop and not is_alone():
                time.sleep(LOOK_SECONDS)
            while not self.is_told_to_stop and not self._may_work():
                time.sleep(LOOK_SECONDS)
            self.take_up()
            while not self.is_told_to_stop:
                close_old_connections()
                if not self.step():
                    time.sleep(LOOK_SECONDS)
            self._end_child()

    def step(self) -> bool:
        """Does what is to be done now, and tells whether something was."""
        if not self._may_work():
            self._end_child()
            return False
        is_busy = self._look_after_child() if self.child else self._begin_next()
        if _has_stale():
            _safely(working.tick)
            return True
        return is_busy

    def until_idle(self) -> None:
        """Works until no job is left that could run now."""
        while self.step() or self.child:
            time.sleep(0.01)

    def take_up(self) -> int:
        """Takes up the jobs that a worker left behind, and returns how many: those tried often enough have failed."""
        with transaction.atomic():
            left = list(DBTaskResult.objects.select_for_update().filter(status=TaskResultStatus.RUNNING))
            for one in left:
                _again_or_failed(one, _BROKEN, at_once=True)
        return len(left)

    # ---------------------------------------------------------------- its turn

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.is_told_to_stop = True

    def _may_work(self) -> bool:
        """Gives the sign of life when it is time, and does what is done each minute."""
        if time.monotonic() - self._beat_at < BEAT_SECONDS:
            return True
        if not working.beat(self.name):
            return False
        self._beat_at = time.monotonic()
        for work in (working.tick, *EACH_MINUTE, tasks.forget_old):
            _safely(work)
        return True

    # ---------------------------------------------------------------- jobs

    def _begin_next(self) -> bool:
        with transaction.atomic():
            found = DBTaskResult.objects.ready().get_locked()
            if found is None:
                return False
            found.claim(f"{self.name} {len(found.worker_ids) + 1}")
        self.job = found
        if sys.platform != "linux":  # elsewhere forks are not safe
            _do(found)
            self.job = None
            return True
        parent = os.getpid()
        connections.close_all()  # a child must not speak on its parent's line
        self.child = os.fork()
        if self.child == 0:
            _be_child(found, parent)
        return True

    def _look_after_child(self) -> bool:
        """Looks whether the job under way has ended or must, and tells whether another can begin."""
        assert self.job is not None
        ended, status = os.waitpid(self.child, os.WNOHANG)
        if not ended:
            if Job.objects.filter(task=self.job, is_stopped=True).exists():
                self._end_child()
                _fail(self.job, "Stopped.")
                return True
            return False
        self.child = 0
        if status:
            with transaction.atomic():
                found = DBTaskResult.objects.select_for_update().filter(id=self.job.id).first()
                if found is not None and found.status == TaskResultStatus.RUNNING:
                    _again_or_failed(found, _BROKEN)
        self.job = None
        return True

    def _end_child(self) -> None:
        if self.child:
            with suppress(ProcessLookupError):
                os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
            self.child = 0


@contextmanager
def _alone() -> Iterator[Callable[[], bool]]:
    """Gives what tells whether this process has the town's folder to itself; once it has, it keeps it until it ends."""
    with (clock.current_town().folder / LOCK_FILE).open("w") as lock:

        def is_alone() -> bool:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

        yield is_alone


def _safely(work: Each) -> None:
    """Does something whose failing must not end the worker."""
    try:
        work()
    except Exception:  # noqa: BLE001  # whatever it is, it is written down and the worker goes on
        _log.exception("%s failed; it is tried again in a minute", getattr(work, "__name__", work))


def _has_stale() -> bool:
    return Thing.objects.filter(is_stale=True).exists()


def _be_child(job: DBTaskResult[..., Any], parent: int) -> None:
    """Does a job in a process of its own, and ends it without the worker's farewells."""
    status = 1
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        orphans.end_with(parent)
        _do(job)
        status = 0
    finally:
        os._exit(status)


def _do(job: DBTaskResult[..., Any]) -> None:
    """Does a job; one that its function did not finish is marked done afterwards."""
    try:
        task = job.task
        if task.takes_context:
            context = TaskContext(task_result=cast(TaskResult[Any], job.task_result))
            task.call(context, *job.args_kwargs["args"], **job.args_kwargs["kwargs"])
        else:
            task.call(*job.args_kwargs["args"], **job.args_kwargs["kwargs"])
    except NotOurs:
        return
    except LedgerError as error:
        _fail(job, str(error))
    except Exception as error:  # noqa: BLE001  # as above
        _log.exception("the job %s (%s) failed", job.task_path, job.id)
        with transaction.atomic():
            found = DBTaskResult.objects.select_for_update().get(id=job.id)
            if _is_ours(found, job):
                _again_or_failed(found, _FAULT, error)
    else:
        with transaction.atomic():
            found = DBTaskResult.objects.select_for_update().get(id=job.id)
            if _is_ours(found, job):
                found.set_successful(None)


def _is_ours(found: DBTaskResult[..., Any], job: DBTaskResult[..., Any]) -> bool:
    return bool(found.status == TaskResultStatus.RUNNING and found.worker_ids == job.worker_ids)


def _fail(job: DBTaskResult[..., Any], said: str) -> None:
    with transaction.atomic():
        found = DBTaskResult.objects.select_for_update().get(id=job.id)
        if _is_ours(found, job):
            DBTaskResult.objects.filter(id=job.id).update(status=TaskResultStatus.FAILED, finished_at=timezone.now())
            Job.objects.filter(task_id=job.id).update(said=said)


def _again_or_failed(
    found: DBTaskResult[..., Any], said: str, error: Exception | None = None, *, at_once: bool = False
) -> None:
    """Has a job tried again, or says that it failed; under a lock of its row."""
    tries = len(found.worker_ids)
    if tries < MOST_TRIES:
        run_after = timezone.now() if at_once else timezone.now() + WAIT_BEFORE_AGAIN * tries
        DBTaskResult.objects.filter(id=found.id).update(status=TaskResultStatus.READY, run_after=run_after)
        return
    if error is not None:
        found.set_failed(error)
    else:
        DBTaskResult.objects.filter(id=found.id).update(status=TaskResultStatus.FAILED, finished_at=timezone.now())
    Job.objects.filter(task_id=found.id).update(said=said)
