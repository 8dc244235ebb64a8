"""The pages of jobs."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from sewershed.desk.jobs import actions, queries, tasks
from sewershed.desk.shell.looking import looking
from sewershed.ledger import clock
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account


@require_safe
def jobs(request: HttpRequest) -> HttpResponse:
    """Lists the jobs under way, and those that have ended with what came of them."""
    running, ended = queries.jobs_shown(_account(request))
    return render(request, "jobs/jobs.html", {"running": running, "ended": ended})


@require_safe
def job(request: HttpRequest, id: UUID) -> HttpResponse:
    """Shows a job; asked again by itself, it answers with the component alone."""
    shown = queries.job_named(id, _account(request))
    context = {"job": shown, "work": queries.work_of(shown)}
    return render(request, "jobs/work.html" if request.headers.get("HX-Request") else "jobs/job.html", context)


@require_POST
def stop(request: HttpRequest, id: UUID) -> HttpResponse:
    """Stops a job."""
    actions.stop(id, _account(request))
    return redirect("job", id)


@require_POST
def list_of_day(request: HttpRequest) -> HttpResponse:
    """Asks for the list over the town of another day, and shows the job."""
    here = looking(request.POST.dict(), clock.now(), clock.current_town().zone)
    if not here.is_elsewhere:
        raise Refused(here.problem or "no day is said: which day is asked about?")
    return redirect("job", tasks.ask_for_day(here, _account(request)).task_id)


def _account(request: HttpRequest) -> Account:
    return cast(Account, request.user)
