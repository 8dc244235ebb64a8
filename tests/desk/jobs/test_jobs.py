"""Jobs: done once whatever is killed, their rows and their mark together, shown with how far they are, stopped, tried again."""

from __future__ import annotations

import os
import re
import signal
import time
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connections, transaction
from django.utils import timezone
from django_tasks import TaskContext, TaskResultStatus, task
from django_tasks_db.models import DBTaskResult

from sewershed.desk.jobs import actions, lines, queries, tasks, worker
from sewershed.desk.jobs.models import Job, KeptLine, KeptList
from sewershed.desk.jobs.runs import NotOurs, Run
from sewershed.desk.jobs.worker import Worker
from sewershed.desk.shell.looking import Looking
from sewershed.desk.today import queries as today
from sewershed.ledger import actions as ledger
from sewershed.ledger import log, working
from sewershed.ledger import queries as reads
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Heartbeat, Thing
from tests.desk.conftest import NOW
from tests.desk.recorded import spill

HERE = "tests.desk.jobs.test_jobs"


@task(takes_context=True)
def enter(context: TaskContext, thing: str, how: str) -> None:
    """Records one row, and on the way does what a test wants to go wrong."""
    from sewershed.ledger import rights

    run = Run.of(context)
    run.tell(1, 2, "rows")
    if how == "killed before":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "refused":
        raise Refused("the pipe is too short")
    if how == "broken" or (how == "broken once" and len(context.task_result.worker_ids) == 1):
        raise ZeroDivisionError
    if how == "long":
        time.sleep(60)
    with run.finish() as outcome:
        ledger.set_facts(thing, {"location": "Elm Street"}, as_account=rights.owner(), type="spill", source="command")
        if how == "killed within" or (how == "killed once" and len(context.task_result.worker_ids) == 1):
            os.kill(os.getpid(), signal.SIGKILL)
        outcome.said, outcome.url, outcome.text = "1 row.", "/things/spill/", "Show it"


def ask(how: str, admin, thing: str = "e1") -> Job:
    return actions.ask(enter, f"Enter {thing}", admin, f"enter {thing} {how}", {"thing": thing, "how": how})


@pytest.fixture
def at_once(monkeypatch):
    """Lets what broke be tried again at once."""
    monkeypatch.setattr(worker, "WAIT_BEFORE_AGAIN", timedelta())


def state(job: Job) -> str:
    return queries.work_of(Job.objects.select_related("task").get(task_id=job.task_id)).state


def text_of(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


# ------------------------------------------------------------------------------------------------ done once


def test_a_job_is_done_and_says_what_came_of_it(town, admin, signed_in):
    job = ask("well", admin)
    assert state(job) == "running"
    Worker().until_idle()
    assert state(job) == "done"
    assert Thing.objects.filter(id="e1").exists()
    client = signed_in()
    said = text_of(client.get("/jobs/"))
    assert "Enter e1" in said
    assert "1 row. Show it" in said
    assert "every 2s" not in client.get(f"/jobs/{job.task_id}/").content.decode()


@pytest.mark.parametrize(("how", "rows"), [("killed before", 0), ("killed within", 0), ("killed once", 1)])
def test_what_is_killed_leaves_no_half_and_is_tried_three_times(town, admin, at_once, how, rows):
    job, before = ask(how, admin), log.head().position
    Worker().until_idle()
    assert log.head().position - before == rows
    assert state(job) == ("done" if rows else "failed")
    assert len(DBTaskResult.objects.get(id=job.task_id).worker_ids) == (2 if rows else 3)


def test_what_breaks_is_tried_again_and_what_is_refused_is_not(town, admin, at_once, caplog):
    once, always, refused = ask("broken once", admin, "e1"), ask("broken", admin, "e2"), ask("refused", admin, "e3")
    Worker().until_idle()
    assert (state(once), state(always), state(refused)) == ("done", "failed", "failed")
    assert Job.objects.get(task_id=refused.task_id).said == "the pipe is too short"
    assert "The fault is ours" in Job.objects.get(task_id=always.task_id).said
    tries = {one.task_id: len(one.task.worker_ids) for one in Job.objects.select_related("task")}
    assert (tries[once.task_id], tries[always.task_id], tries[refused.task_id]) == (2, 3, 1)


def test_what_breaks_waits_before_it_is_tried_again(town, admin):
    job = ask("broken", admin)
    Worker().until_idle()
    found = DBTaskResult.objects.get(id=job.task_id)
    assert found.status == TaskResultStatus.READY
    assert found.run_after > timezone.now()
    assert queries.work_of(queries.job_named(job.task_id, admin)).said == "Waits to be tried again."


def test_a_worker_takes_up_what_a_killed_one_left_and_the_other_keeps_nothing(town, admin):
    """A worker that was taken for dead comes back to itself in the middle of a job: what it did is not kept."""
    job = ask("well", admin)
    found = DBTaskResult.objects.get(id=job.task_id)
    found.claim("gone 1")
    gone = Run(found.id, "gone 1")
    one = Worker()
    assert one.take_up() == 1
    one.until_idle()
    assert state(job) == "done"
    before = log.head()
    with pytest.raises(NotOurs), gone.finish():
        ledger.set_facts("e9", {"location": "Ash Street"}, as_account=admin, type="spill")
    assert log.head() == before


def test_a_job_asked_for_in_what_fails_was_never_asked_for_and_the_same_is_asked_for_once(town, admin):
    def ask_and_fail() -> None:
        with transaction.atomic():
            ask("well", admin)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        ask_and_fail()
    assert not DBTaskResult.objects.exists()
    assert ask("well", admin).task_id == ask("well", admin).task_id
    assert DBTaskResult.objects.count() == 1
    Worker().until_idle()
    assert (
        ask("well", admin).task_id != Job.objects.order_by("asked_at").first().task_id
    )  # it has ended: asked for anew


def test_a_job_can_be_stopped_while_it_waits_and_while_it_runs(town, admin, signed_in):
    client, one = signed_in(), Worker()
    waits = ask("well", admin, "e1")
    assert client.post(f"/jobs/{waits.task_id}/stop/").status_code == 302
    assert state(waits) == "stopped"
    runs = ask("long", admin, "e2")
    one.step()
    assert one.child
    assert client.get(f"/jobs/{runs.task_id}/", headers={"HX-Request": "true"}).status_code == 200
    client.post(f"/jobs/{runs.task_id}/stop/")
    one.until_idle()
    assert state(runs) == "stopped"
    assert "Stopped" in text_of(client.get("/jobs/"))
    assert not Thing.objects.filter(id__in=["e1", "e2"]).exists()


def test_jobs_are_ones_own_and_the_administrator_sees_all(town, admin, signed_in):
    job = ask("well", admin)
    clerk = signed_in("clerk")
    assert "Enter e1" not in text_of(clerk.get("/jobs/"))
    for path in (f"/jobs/{job.task_id}/", "/jobs/00000000-0000-0000-0000-000000000000/"):
        assert clerk.get(path).status_code == 404
    assert clerk.post(f"/jobs/{job.task_id}/stop/").status_code == 404
    assert state(job) == "running"


def test_old_jobs_are_forgotten(town, admin):
    job = ask("well", admin)
    Worker().until_idle()
    Job.objects.update(asked_at=NOW - timedelta(days=91))
    tasks.forget_old()
    assert not DBTaskResult.objects.filter(id=job.task_id).exists()


# ------------------------------------------------------------------------------------------------ one worker a town


def test_another_worker_of_the_machine_waits_for_the_lock_of_the_folder(town, monkeypatch):
    with worker._alone() as first, worker._alone() as second:
        assert first()
        assert not second()
    with worker._alone() as second:
        assert second()


def test_a_worker_that_died_on_this_machine_is_followed_at_once_and_one_of_another_after_its_silence(town):
    first, second, elsewhere = Worker(), Worker(), Worker(name="other 1-a")
    assert working.beat(first.name)
    assert working.beat(second.name)
    assert not working.beat(elsewhere.name)
    assert not elsewhere.step()
    Heartbeat.objects.update(worker=elsewhere.name)
    assert not working.beat(second.name)


def test_the_worker_works_out_what_is_stale_and_what_is_due_each_minute(town, admin, monkeypatch):
    spill(admin)
    Thing.objects.update(is_stale=True)
    done: list[str] = []
    monkeypatch.setattr(
        worker, "EACH_MINUTE", [lambda: done.append("digest"), lambda: 1 / 0, lambda: done.append("more")]
    )
    one = Worker()
    one.until_idle()
    assert not Thing.objects.filter(is_stale=True).exists()
    assert done == ["digest", "more"]  # one that fails does not keep the others from theirs
    Thing.objects.update(is_stale=True)  # as a write does that concerns more than 200
    one.until_idle()
    assert not Thing.objects.filter(is_stale=True).exists()
    assert done == ["digest", "more"]  # no minute has passed


# ------------------------------------------------------------------------------------------------ lists of another day


AGO = datetime(2024, 3, 11, 14, 0, tzinfo=UTC)


def test_a_line_comes_back_from_its_text_as_it_was(town, admin):
    spill(admin)
    every = reads.due(as_account=admin, is_all=True).items
    assert len(every) > 10
    assert [lines.due_from(lines.due_text(one)) for one in every] == list(every)


def test_a_list_of_another_day_is_a_job_and_kept(town, admin, signed_in, monkeypatch):
    spill(admin)
    monkeypatch.setattr(today, "MOST_THINGS_ELSEWHERE", 0)
    client, asked = signed_in("manager"), {"day": "2024-03-11", "time": "10:00"}
    assert "Work it out" in text_of(client.get("/", asked))
    answer = client.post("/jobs/day/", asked)
    assert answer.status_code == 302
    assert "Waits for its turn." in text_of(client.get("/", asked))
    Worker().until_idle()
    assert "Show the list" in text_of(client.get(answer.headers["Location"]))
    page = text_of(client.get("/", asked))
    assert "Look at every report of a spill within two hours" in page
    assert "Work it out" not in page
    kept = KeptList.objects.get()
    expected = reads.due(as_account=admin, as_of=AGO)
    assert queries.kept_due(kept) == expected
    assert (
        queries.kept_due(kept, program="spills", limit=2).items
        == tuple(one for one in expected.items if one.program == "spills")[:2]
    )
    assert queries.kept_due(kept, person="orc").total == sum("orc" in one.persons for one in expected.items) > 0
    client.post("/jobs/day/", asked)
    Worker().until_idle()
    assert KeptList.objects.count() == 1  # kept: not worked out again
    ledger.set_facts("s2", {"location": "Ash Street"}, as_account=admin, type="spill")
    assert "Work it out" in text_of(client.get("/", asked))  # another head is another list


def test_lists_are_kept_apart_by_what_was_known_and_by_what_one_may_see_and_the_oldest_go(town, admin, monkeypatch):
    spill(admin)
    monkeypatch.setattr(tasks, "MOST_KEPT", 2)
    now = NOW
    for known in (False, True):
        tasks.ask_for_day(Looking(now, town.zone, AGO, known), admin)
        Worker().until_idle()
    assert {one.known_at for one in KeptList.objects.all()} == {None, AGO}
    known_then = queries.kept_list(AGO, AGO, admin)
    assert (
        queries.kept_due(known_then).total < queries.kept_due(queries.kept_list(AGO, None, admin)).total
    )  # nothing was recorded by then
    monkeypatch.setattr(queries, "sees", lambda _: "spills")
    assert queries.kept_list(AGO, None, admin) is None
    monkeypatch.undo()
    monkeypatch.setattr(tasks, "MOST_KEPT", 1)
    tasks.ask_for_day(Looking(now, town.zone, AGO - timedelta(hours=1)), admin)
    Worker().until_idle()
    assert KeptList.objects.count() == 1
    assert set(KeptLine.objects.values_list("list", flat=True)) <= {KeptList.objects.get().id}


def test_a_day_that_is_none_is_refused_in_a_sentence(town, signed_in):
    answer = signed_in().post("/jobs/day/", {"day": "2024-03-10", "time": "02:30"})
    assert answer.status_code == 422
    assert "Nothing was recorded" in text_of(answer)
    connections.close_all()
