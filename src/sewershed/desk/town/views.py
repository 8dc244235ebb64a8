"""The pages of the town itself."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sewershed.desk.jobs import queries as jobs
from sewershed.desk.shell import tables as shell_tables
from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.middleware import DeskRequest
from sewershed.desk.shell.parts import Link
from sewershed.desk.town import actions, adopted, care, forms, plan, queries, staff, tables, tasks
from sewershed.ledger import adopting, clock, importing, rights
from sewershed.ledger import journal as ledger_journal
from sewershed.ledger import queries as ledger
from sewershed.ledger import verify as walking
from sewershed.ledger.errors import LedgerError, Refused, TownError
from sewershed.ledger.log import Head
from sewershed.ledger.models import Account

GET_OR_POST = ["GET", "HEAD", "POST"]
MOST_SENTENCES = 500  # of a plan on its page; how many more there are is said


@require_safe
def town(request: HttpRequest) -> HttpResponse:
    """Shows the town: its facts, how its record stands, the lists it keeps."""
    account = _account(request)
    shown = queries.town_shown(account, _looking(request))
    context = {
        "shown": shown,
        "may_record": queries.may(account, "record"),
        "may_import": bool(importing.kinds(as_account=account)),
    }
    return _page(request, "town", "town/town.html", context)


# ------------------------------------------------------------------------------------------------ people and offices


@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """Shows who holds which office, and who the town's people are."""
    account = _account(request)
    context = {
        "shown": staff.people_shown(account, _looking(request)), "may_record": queries.may(account, "record"),
        "may_correct": queries.may(account, "correct"), "may_administer": queries.may_administer(account),
    }  # fmt: skip
    return _page(request, "town_people", "town/people.html", context)


@require_http_methods(GET_OR_POST)
def office_held(request: HttpRequest) -> HttpResponse:
    """Records that somebody holds an office of the law."""
    account = _account(request)
    rights.require(account, "record", queries.TOWN)
    form = forms.OfficeForm(account, request.POST or None)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        until = said["until"].isoformat() if said["until"] else ""
        try:
            actions.hold_office(
                said["person"], said["office"], first=said["first"].isoformat(), until=until, as_=said["as_"],
                paper=said["paper"], account=account, id=said["row_id"],
            )  # fmt: skip
        except Refused as error:
            form.add_error(None, list(error.reasons))
        else:
            messages.success(request, "Recorded: who holds the office.")
            return redirect("town_people")
    context = {"form": form, "title": "Who holds an office", "button": "Record who holds it", "crumb": _crumb("town_people"),
               "means": "What somebody did in an office of the law counts only if they held it that day."}  # fmt: skip
    return _form(request, form, context)


@require_http_methods(GET_OR_POST)
def office_ended(request: HttpRequest, row: str) -> HttpResponse:
    """Records until which day somebody held an office."""
    account = _account(request)
    rights.require(account, "correct", queries.TOWN)
    held, name, office = staff.holding(row, account)
    form = forms.OfficeEndForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        try:
            actions.end_office(held.id, until=said["until"].isoformat(), why=said["why"], account=account)
        except Refused as error:
            form.add_error(None, list(error.reasons))
        else:
            messages.success(request, f"Recorded: the last day of {name} as {office}.")
            return redirect("town_people")
    context = {"form": form, "title": f"{name} is no longer {office}", "button": "Record the last day", "crumb": _crumb("town_people"),
               "means": "The row that says who holds the office gets its last day by a correction; it stays in the record."}  # fmt: skip
    return _form(request, form, context)


# ------------------------------------------------------------------------------------------------ days closed


@require_safe
def closed(request: HttpRequest) -> HttpResponse:
    """Shows the days on which the offices are closed: by the book, and otherwise."""
    account, here = _account(request), _looking(request)
    year, holidays = queries.holidays(here)
    context = {
        "days": queries.closed_shown(account, here), "year": year, "holidays": holidays, "id": adopting.town_id(),
        "may_record": queries.may(account, "record"), "may_correct": queries.may(account, "correct"),
    }  # fmt: skip
    return _page(request, "town_closed", "town/closed.html", context)


# ------------------------------------------------------------------------------------------------ accounts


@require_safe
def accounts(request: HttpRequest) -> HttpResponse:
    """Lists the accounts: whose, with which roles, whether anybody can sign in."""
    return _page(request, "accounts", "town/accounts.html", {"accounts": staff.accounts_shown(_account(request))})


@require_http_methods(GET_OR_POST)
def invite(request: HttpRequest) -> HttpResponse:
    """Makes an account and shows, this once, the link with which its person signs in first."""
    account = _account(request)
    rights.require(account, "administer", rights.EVERY)
    form = forms.AccountForm(account, staff.roles_shown(account), request.POST or None, is_new=True)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        try:
            path = actions.invite(said["name"], said["roles"], said["person"], account)
        except Refused as error:
            form.add_error(None, list(error.reasons))
        else:
            return _link(request, said["name"], path)
    context = {"form": form, "title": "New account", "button": "Make the account", "crumb": _crumb("accounts"),
               "means": "It is for one person, who chooses the password with a one-time link that you hand over."}  # fmt: skip
    return _form(request, form, context)


@require_http_methods(GET_OR_POST)
def account(request: HttpRequest, name: str) -> HttpResponse:
    """Shows one account, and changes its roles, its person, its way in."""
    own = _account(request)
    one, shown = staff.account_shown(name, own)
    initial = {"person": one.person, "roles": sorted(one.role_set())}
    do = request.POST.get("do", "")
    given = request.POST if do == "change" else None
    form = forms.AccountForm(own, staff.roles_shown(own), given, is_new=False, initial=initial)
    try:
        if do == "link":
            return _link(request, name, actions.link(name, own))
        if do == "change" and form.is_valid():
            actions.change(name, form.cleaned_data["roles"], form.cleaned_data["person"], own)
            messages.success(request, f"{name} has these roles from now on.")
            return redirect("account_of", name)
        if do in ("close", "open"):
            actions.close(name, own, is_active=do == "open")
            messages.success(
                request, f"{name} is {'open again' if do == 'open' else 'closed: nobody signs in with it'}."
            )
            return redirect("account_of", name)
        if do == "forget":
            count = actions.forget_second_factors(name, own)
            messages.success(request, f"{count} second factor{'' if count == 1 else 's'} of {name} taken away.")
            return redirect("account_of", name)
    except Refused as error:
        form.add_error(None, list(error.reasons)) if form.is_bound else messages.error(request, " ".join(error.reasons))
        if not form.is_bound:
            return redirect("account_of", name)
    context = {"form": form, "shown": shown, "one": one, "crumb": _crumb("accounts"), "is_own": one.pk == own.pk}
    return render(request, "town/account.html", context, status=422 if form.errors else 200)


def _link(request: HttpRequest, name: str, path: str) -> HttpResponse:
    context = {"address": request.build_absolute_uri(path), "name": name, "crumb": _crumb("accounts")}
    return render(request, "town/link.html", context)


# ------------------------------------------------------------------------------------------------ the log


@require_safe
def log(request: HttpRequest) -> HttpResponseBase:
    """Shows who did what, when; a correction with what it changed."""
    account = _account(request)
    form = forms.LogForm(account, request.GET)
    form.is_valid()  # a page of a list is never wrong: what cannot be read is passed over
    said = form.cleaned_data
    asked, problem = _asked(said, account)
    kind = request.GET.get("as", "")
    is_file = kind in shell_tables.FILES
    data = tables.LogData(account, asked)
    made = shell_tables.narrowed(request, tables.LogFile if is_file else tables.LogTable, data)
    if is_file:
        return shell_tables.as_file(made, kind, "log")
    context = {
        "table": made, "form": form, "links": shell_tables.links(request), "problem": problem, "head": ledger.head(as_account=account),
        "is_narrowed": any(said.get(name) for name in ("thing", "by", "what", "from", "to")),
    }  # fmt: skip
    return _page(request, "log", "town/log.html", context)


def _asked(said: dict[str, Any], account: Account) -> tuple[ledger_journal.Asked, str]:
    """Returns what the log is narrowed to, and why a thing that was named cannot be found."""
    thing, problem = said.get("thing", ""), ""
    if thing:
        try:
            thing = ledger.thing(thing, as_account=account).id
        except LedgerError as error:
            thing, problem = "-", str(error)  # no thing is called so: nothing answers
    whose, _, name = said.get("by", "").partition(":")
    return (
        ledger_journal.Asked(
            thing, name if whose == "person" else "", name if whose == "account" else "", said.get("what", ""), said.get("from"),
            said.get("to"),
        ),
        problem,
    )  # fmt: skip


@require_http_methods(GET_OR_POST)
def verify(request: HttpRequest) -> HttpResponse:
    """Walks the chain of the log and says whether each row stands as it was written; of a long one as a job."""
    account = _account(request)
    head = ledger.head(as_account=account)  # refuses who may see nothing
    is_long, is_asked = care.is_long(account), "walk" in request.GET or request.method == "POST"
    form = forms.HeadForm((request.POST if request.method == "POST" else request.GET) if is_asked else None)
    verdict = None
    if is_asked and form.is_valid():
        try:
            stated = Head.read(form.cleaned_data["head"]) if form.cleaned_data["head"] else None
            verdict = None if care.is_long(account) else walking.verify(stated)
        except Refused as error:
            form.add_error("head", list(error.reasons))
        else:
            if is_long and request.method == "POST":
                return redirect("job", tasks.ask_for_walk(account, form.cleaned_data["head"]).task_id)
    context = {
        "form": form,
        "verdict": verdict,
        "head": head,
        "is_long": is_long,
        "crumb": [Link("Log", reverse("log"))],
    }
    return render(request, "town/verify.html", context, status=422 if form.errors else 200)


# ------------------------------------------------------------------------------------------------ the law


@require_safe
def law_in_force(request: HttpRequest) -> HttpResponse:
    """Shows which law the town runs, and whether a newer one is installed."""
    account = _account(request)
    context = {"shown": adopted.law_shown(account), "may_administer": queries.may_administer(account)}
    return _page(request, "town_law", "town/law.html", context)


@require_http_methods(GET_OR_POST)
def newer_law(request: HttpRequest) -> HttpResponse:
    """Shows what adopting the installed books would change, and adopts them once that was read."""
    account = _account(request)
    rights.require(account, "administer", rights.EVERY)
    if request.POST.get("do") == "read":
        return redirect("job", tasks.ask_for_plan(account).task_id)
    is_large = adopted.is_large(account)
    plan = adopted.kept_plan() if is_large else adopting.plan(adopted.installed(), as_account=account)
    work = jobs.under_way(adopted.plan_wanted(), account) if is_large else None
    if plan is None or (work is not None and work.is_running):
        context: dict[str, Any] = {"work": work, "crumb": _crumb("town_law")}
        return render(
            request,
            "town/newer_law.html",
            {**context, "is_to_be_read": True, "is_same": not adopted.is_newer_installed()},
        )
    form = forms.ApproveForm(request.POST or None, initial={"plan": plan.hash})
    if request.method == "POST" and form.is_valid():
        try:
            recorded = actions.adopt(plan, form.cleaned_data["plan"], form.cleaned_data["number"], account)
        except Refused as error:
            form.add_error(None, list(error.reasons))
        else:
            messages.success(request, f"Supplement {plan.supplement[:12]} is adopted, row {recorded.id}. What follows from it is worked out as it is looked at.")  # fmt: skip
            return redirect("town_law")
    shown = [
        ("unreadable", "What hinders it", plan.unreadable),
        ("entries", "In the law", plan.entries),
        ("consequences", "In what follows from the record", plan.consequences),
    ]
    context = {
        "plan": plan, "form": form, "crumb": _crumb("town_law"), "is_same": plan.supplement == plan.before, "is_large": is_large,
        "since": ledger.head(as_account=account).position - plan.head.position,
        "parts": [(id_, name, lines[:MOST_SENTENCES], len(lines), max(0, len(lines) - MOST_SENTENCES)) for id_, name, lines in shown if lines or id_ != "unreadable"],
    }  # fmt: skip
    return render(request, "town/newer_law.html", context, status=422 if form.errors else 200)


# ------------------------------------------------------------------------------------------------ doctor and backups


@require_http_methods(GET_OR_POST)
def doctor(request: HttpRequest) -> HttpResponse:
    """Shows what is wrong with the town and how to mend it, and mends what loses nothing."""
    account = _account(request)
    rights.require(account, "administer", rights.EVERY)
    is_long = care.is_long(account)
    if request.method == "POST":
        if request.POST.get("do") == "look":
            return redirect("job", tasks.ask_for_doctor(account).task_id)
        for said in actions.mend(account):
            messages.success(request, f"Mended: {said}")
        return redirect("doctor")
    if is_long:
        work = jobs.under_way(care.DOCTOR_WANTED, account)
        return _page(request, "doctor", "town/doctor.html", {"is_long": True, "work": work})
    found = care.ailments(account)
    context = {"found": found, "can_mend": any(one.can_be_mended for one in found)}
    return _page(request, "doctor", "town/doctor.html", context)


@require_http_methods(GET_OR_POST)
def backups(request: HttpRequest) -> HttpResponse:
    """Lists the backups, and makes one."""
    account = _account(request)
    if request.method == "POST":
        rights.require(account, "administer", rights.EVERY)
        if care.is_long_backup(account):
            return redirect("job", tasks.ask_for_backup(account).task_id)
        made = actions.make_backup(account)
        messages.success(request, f"The backup is made: {made.head.position:,} rows, head {made.head.short}. Write the head down elsewhere.")  # fmt: skip
        for fault in made.faults:
            messages.error(request, fault)
        return redirect("backups")
    return _page(request, "backups", "town/backups.html", {"backups": care.backups_shown(account)})


@require_safe
def backup_file(request: HttpRequest, name: str) -> HttpResponse | FileResponse:
    """Hands out a backup: to administrators alone, since it holds everything."""
    path = care.backup_path(name, _account(request))
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type="application/gzip")


@require_http_methods(GET_OR_POST)
def restore(request: HttpRequest) -> HttpResponse:
    """Looks whether a backup can be restored, and shows the command that does it: a server cannot replace its own record."""
    account = _account(request)
    listed = care.backups_shown(account)
    town_ = clock.current_town()
    name = request.POST.get("name", "")
    form = (
        forms.UploadForm(request.POST, request.FILES) if request.method == "POST" and not name else forms.UploadForm()
    )
    contents, problem, path = None, "", ""
    try:
        if name:
            path = str(care.backup_path(name, account))
            contents = actions.check_backup(care.backup_path(name, account), account)
        elif form.is_bound and form.is_valid():
            name = path = form.cleaned_data["backup"].name
            contents = actions.check_upload(form.cleaned_data["backup"], account)
    except TownError as error:
        problem = str(error)
    context: dict[str, Any] = {
        "form": form,
        "backups": listed,
        "crumb": _crumb("backups"),
        "name": name,
        "problem": problem,
    }
    if contents is not None:
        context |= {
            "contents": contents, "facts": care.contents_shown(contents, town_, account),
            "path": path, "folder": town_.folder, "again": town_.folder.with_name(f"{town_.folder.name}-restored"),
        }  # fmt: skip
    return render(request, "town/restore.html", context, status=422 if form.errors or problem else 200)


# ------------------------------------------------------------------------------------------------ the spill plan


@require_safe
def response_plan(request: HttpRequest) -> HttpResponse:
    """Shows the spill response plan: what is due about it, its lists, its log, what it lacks."""
    account = _account(request)
    if not plan.has_plan():
        raise Http404
    return _page(request, "response_plan", "town/plan.html", {"shown": plan.plan_shown(account, _looking(request))})


@require_http_methods(GET_OR_POST)
def plan_instruct(request: HttpRequest) -> HttpResponse:
    """Records who was instructed to consult the spill plan."""
    account = _account(request)
    if not plan.has_plan():
        raise Http404
    shown = plan.plan_shown(account, _looking(request))
    rights.require(account, "record", plan.plan_program())
    form = forms.InstructForm(account, shown.version, request.POST or None)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        try:
            actions.instruct(
                said["people"], at=said["at"].isoformat(), version=said["version"], by=said["by"], account=account, id=said["row_id"]
            )  # fmt: skip
        except Refused as error:
            form.add_error(None, list(error.reasons))
        else:
            messages.success(request, f"Recorded: {len(said['people'])} instructed.")
            return redirect("response_plan")
    context = {"form": form, "title": "Who was instructed", "button": "Record who was instructed", "crumb": _crumb("response_plan"),
               "means": "To consult the plan when there is a spill. Each is named, so that it can be shown later."}  # fmt: skip
    return _form(request, form, context)


# ------------------------------------------------------------------------------------------------ what these share


def _account(request: HttpRequest) -> Account:
    return cast(Account, request.user)


def _looking(request: HttpRequest) -> Looking:
    return cast(DeskRequest, request).looking


def _page(request: HttpRequest, here: str, template: str, context: dict[str, Any]) -> HttpResponse:
    """Shows one of the pages of the town with the way to the others."""
    return render(request, template, {**context, "parts": queries.parts(_account(request), here)})


def _form(request: HttpRequest, form: Any, context: dict[str, Any]) -> HttpResponse:
    return render(request, "town/form.html", context, status=422 if form.is_bound and form.errors else 200)


_TITLES = {"town_people": "People and offices", "accounts": "Accounts", "town_law": "Law", "backups": "Backups", "response_plan": "Spill plan"}  # fmt: skip


def _crumb(name: str) -> list[Link]:
    return [Link("Town", reverse("town")), Link(_TITLES[name], reverse(name))]
