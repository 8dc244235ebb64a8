"""The server is killed under load, again and again: no record is lost or half there, no job is done twice."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from sewershed.desk.api.actions import make_token
from sewershed.desk.jobs import actions as jobs
from sewershed.ledger import log, working
from sewershed.ledger.verify import verify
from tests.desk.killed_jobs import enter_slowly
from tests.trials import IS_SOAK, trials

KILLS = 100
WRITERS = 3
JOBS_EACH = 4  # asked for before each start
PATIENCE_SECONDS = 90
PROGRAM = Path(sys.executable).parent / "sewershed"
CHECKOUT = Path(__file__).parents[2]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def serve(folder: Path, port: int) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}  # the worker finds the job of this trial there
    command = [str(PROGRAM), "serve", str(folder), "--port", str(port)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)


def is_answered(port: int) -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/sign-in/", timeout=5)
    except OSError:
        return False
    return True


def wait_until(is_so, what: str) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < until, what
        time.sleep(0.05)


class Writer(threading.Thread):
    """A program that records as fast as it is answered, and notes what it was told is recorded."""

    def __init__(self, name: str, port: int, token: str) -> None:
        super().__init__(name=name, daemon=True)
        self.port, self.token = port, token
        self.tried: list[str] = []
        self.told: list[str] = []
        self.is_over = False

    def send(self, path: str, body: dict[str, object]) -> bool:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api{path}", json.dumps(body).encode(),
            {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )  # fmt: skip
        self.tried.append(str(body["id"]))
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                assert answer.status == 201
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read()) from None  # refused: a fault of the trial, seen as nothing recorded
        except OSError:
            return False
        self.told.append(str(body["id"]))
        return True

    def run(self) -> None:
        for number in range(10_000):
            if self.is_over:
                return
            thing = f"{self.name}-{number}"
            begun = self.send("/things/spill/new/", {"thing": thing, "facts": {"location": thing}, "id": f"{thing}-f"})
            if not begun:
                return
            called = {"at": "2024-03-11T09:10", "data": {"what": "sewage_on_ground"}, "id": f"{thing}-c"}
            if not self.send(f"/thing/{thing}/record/call/", called):
                return


@pytest.mark.soak
def test_a_server_that_is_killed_under_load_loses_nothing_and_does_nothing_twice(town, admin):
    draw = random.Random() if IS_SOAK else random.Random(5357)
    token = make_token(admin, "a writer", {"administrator"})
    told: list[str] = []
    tried: list[str] = []
    asked: list[str] = []
    for kill in range(trials(KILLS)):
        for _ in range(JOBS_EACH):
            asked.append(f"job-{len(asked)}")
            jobs.ask(enter_slowly, "Enter slowly", admin, asked[-1], {"thing": asked[-1]})
        port = free_port()
        server = serve(town.folder, port)
        wait_until(lambda port=port: is_answered(port), "the server does not come up")
        writers = [Writer(f"k{kill}-{number}", port, token) for number in range(WRITERS)]
        for one in writers:
            one.start()
        wait_until(lambda writers=writers: any(one.told for one in writers), "nothing is recorded")
        time.sleep(draw.uniform(0, 0.8))
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        wait_until(lambda port=port: not is_answered(port), "the server's children outlive it")
        for one in writers:
            one.is_over = True
            one.join(PATIENCE_SECONDS)
        told += [each for one in writers for each in one.told]
        tried += [each for one in writers for each in one.tried]
    server = serve(town.folder, free_port())
    wait_until(lambda: not DBTaskResult.objects.filter(status__in=jobs.UNDER_WAY).exists(), "the jobs do not end")
    server.terminate()
    server.wait(PATIENCE_SECONDS)

    assert verify().faults == ()
    rows = log.select_list("position > 0")
    ids = [row.id for row in rows]
    assert len(told) > trials(KILLS)
    assert sorted(set(told) - set(ids)) == []  # what it said is recorded is there
    assert len(ids) == len(set(ids))
    by_thing: dict[str, list[str]] = {}
    for row in rows:
        by_thing.setdefault(row.thing, []).append(row.id)
    entered = {each for each in ids if re.fullmatch(r"k\d+-\d+-\d+-[cf]", each)}
    assert entered <= set(tried)
    calls = [row for row in rows if row.name == "call"]
    numbers = [json.loads(row.data)["_number"] for row in calls]
    assert len(numbers) == len(set(numbers))  # no number was given twice
    done = {
        one.args_kwargs["kwargs"]["thing"]: one.status
        for one in DBTaskResult.objects.filter(task_path__endswith="enter_slowly")
    }
    assert sorted(done) == sorted(asked)
    twice_or_never = {thing: (status, len(by_thing.get(thing, ()))) for thing, status in done.items()
                      if len(by_thing.get(thing, ())) != (status == TaskResultStatus.SUCCESSFUL)}  # fmt: skip
    assert twice_or_never == {}
    assert working.recompute().differences == ()
