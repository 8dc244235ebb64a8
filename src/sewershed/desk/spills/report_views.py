"""The pages of a spill from its estimate to the filed report: the spill itself, volume, telling, callers, joining."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.middleware import DeskRequest
from sewershed.desk.shell.parts import Link
from sewershed.desk.spills import actions as spill_actions
from sewershed.desk.spills import answering, assessment, joining, page, telling, volume
from sewershed.desk.spills.forms import EstimateForm
from sewershed.desk.spills.history import History
from sewershed.desk.spills.queries import Near, spill_named
from sewershed.desk.spills.volume import TO_WATER
from sewershed.desk.things import actions as things
from sewershed.desk.things.entering import entered, seen, status_of, tell
from sewershed.desk.things.forms import EventForm, ReasonForm
from sewershed.desk.things.lines import line_of, why_url
from sewershed.ledger import law, papers, queries, rights
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account
from sewershed.ledger.shown import Named
from sewershed.ledger.wording import title, words_of


@require_safe
def spill(request: HttpRequest, thing: str) -> HttpResponse:
    """Shows a spill: what is next, what runs, whom to tell what, and everything that is known of it."""
    account = _account(request)
    named = spill_named(thing, account)
    shown = page.spill_shown(named, account, _looking(request))
    first = shown.decisions[0] if shown.decisions and shown.decisions[0].readings else None
    context = {
        "shown": shown, "crumb": [_spills()], "why": Link("Why", why_url(shown.first.key)) if shown.first else None,
        "more_decisions": shown.decisions[1:] if first else shown.decisions,
        "tell_url": reverse("record_state_told", args=[named.id]),
    }  # fmt: skip
    return render(request, "spills/spill.html", context)


# ------------------------------------------------------------------------------------------------ how much


@require_safe
def volumes(request: HttpRequest, thing: str) -> HttpResponse:
    """Shows the estimates side by side and offers the methods."""
    account = _account(request)
    named = spill_named(thing, account)
    history = _history(named, account)
    rows, chosen = volume.estimates_of(history), volume.chosen_of(history)
    context = {
        "thing": named, "crumb": [_spills(), _to(named)], "methods": volume.methods(named),
        "workings": list(volume.workings(rows, chosen, history, queries.attachments(named.id, as_account=account))), "chosen_note": volume.chosen_note(chosen, history),
        "may_record": rights.may(account, "record", named.program),
    }  # fmt: skip
    return render(request, "spills/volumes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def volume_by(request: HttpRequest, thing: str, method: str) -> HttpResponse:
    """Works a volume out by one method, shows the working, and records it when that is asked for."""
    account = _account(request)
    named = spill_named(thing, account)
    rights.require(account, "record", named.program)
    if method not in volume.FORMS:
        raise Http404
    history = _history(named, account)
    around = EstimateForm(account, named, request.POST or None, request.FILES or None)
    form = volume.FORMS[method](history, request.POST or None)
    estimate, is_worked = None, False
    if request.method == "POST" and form.is_valid() & around.is_valid():
        said = around.columns()
        by = history.words.name(said["performed_by"]) if said["performed_by"] else account.name
        by = words_of([said["performed_by"]]).name(said["performed_by"]) if said["performed_by"] else by
        if method != volume.OTHER:
            estimate = form.estimate(by)
        is_worked = not form.errors
        if is_worked and request.POST.get("do") == "record":
            what = around.answers().get("what")
            data = volume.data_of(form, estimate, what if isinstance(what, str) else "total")
            if "result_gal" not in data:
                form.add_error(None, "It gives only a range: say the time of day, and it can be recorded.")
            else:
                try:
                    spill_actions.estimate(around, data, account)
                except Refused as error:
                    for reason in error.reasons:
                        form.add_error(None, reason[:1].upper() + reason[1:])
                else:
                    to = "reached surface water" if data["what"] == TO_WATER else "was spilled"
                    messages.success(
                        request, f"Recorded: {volume.figures_of(data['result_gal'])} gallons {to}, by this method."
                    )
                    return redirect("record_volume_estimated", named.id)
    context = {
        "thing": named, "crumb": [_spills(), _to(named), Link("How much", reverse("record_volume_estimated", args=[named.id]))],
        "form": form, "around": around, "estimate": estimate, "is_worked": is_worked and not form.errors,
        "shown": estimate.as_data() if estimate else None, "title": volume.title_of(method),
        "used_for": volume.USED_FOR[method], "are_forgotten": bool(request.FILES), "source": volume.source_of(method),
    }  # fmt: skip
    is_wrong = form.is_bound and bool(form.errors or around.errors)
    return render(request, "spills/volume_by.html", context, status=422 if is_wrong else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def assess(request: HttpRequest, thing: str) -> HttpResponse:
    """Chooses an estimate, says how much reached water, and what else is known of the spill's course."""
    account = _account(request)
    named = spill_named(thing, account)
    rights.require(account, "record", named.program)
    history = _history(named, account)
    form = assessment.AssessForm(account, named, history, request.POST or None)
    if done := entered(request, form, lambda: assessment.assess(form, account)):
        tell(request, form, done, "What is known of its volume and course")
        return redirect("spill", named.number or named.id)
    context = {"thing": named, "crumb": [_spills(), _to(named)], "form": form}
    return render(request, "spills/assess.html", context, status=status_of(form))


# ------------------------------------------------------------------------------------------------ telling


@require_http_methods(["GET", "HEAD", "POST"])
def tell_state(request: HttpRequest, thing: str) -> HttpResponse:
    """Records a call to the state, with what to say and the numbers to call beside it."""
    account = _account(request)
    named = spill_named(thing, account)
    rights.require(account, "record", named.program)
    event = law.in_force().vocabulary.events["state_told"]
    history = _history(named, account)
    town = telling.town_facts(account)
    numbers = telling.numbers(town, history.words, account)
    initial = {**_seen(named, account), "office": numbers[0].who if numbers else ""}
    form = EventForm(account, named, event, request.POST or None, initial=initial)
    form.fields[
        "spoken_to"
    ].help_text = "The name of the person on the line. A voice mail, a fax or a mail does not count"
    if answer := _recorded(request, form, named):
        return answer
    facts = {one.name: one for one in queries.facts(named.id, as_account=account)}
    due = next((one for one in queries.due(as_account=account, thing=named.id).items if event.name in one.meets), None)
    context = {
        "thing": named, "crumb": [_spills(), _to(named)], "form": form,
        "shown": {"to_tell": telling.to_tell(history, facts, town), "numbers": numbers, "tells_first": False},
        "line": line_of(due, words_of(due.persons), account, is_alone=True) if due else None,
    }  # fmt: skip
    return render(request, "spills/tell.html", context, status=status_of(form))


@require_safe
def tellings(request: HttpRequest, thing: str) -> HttpResponse:
    """Shows who is told of a spill in which steps: the state, the press, the public, others, each caller."""
    account, here = _account(request), _looking(request)
    named = spill_named(thing, account)
    shown = page.spill_shown(named, account, here)
    context = {
        "shown": shown, "thing": named, "crumb": [_spills(), _to(named)],
        "tellings": telling.tellings(named.id, shown.history, shown.base.dues, shown.base.every, account),
    }  # fmt: skip
    return render(request, "spills/telling.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def follow_up(request: HttpRequest, thing: str) -> HttpResponse:
    """Records that a caller was told what became of the report, one caller at a time."""
    account = _account(request)
    named = spill_named(thing, account)
    rights.require(account, "record", named.program)
    event = law.in_force().vocabulary.events["caller_followed_up"]
    history = _history(named, account)
    dues = queries.due(as_account=account, thing=named.id).items
    callers = telling.callers(named.id, history, dues, account)
    left = [one.call for one in callers if not one.followed]
    asked = request.GET.get("call", "") or (left[0] if len(left) == 1 else "")
    form = EventForm(account, named, event, request.POST or None, initial={**_seen(named, account), "call": asked})
    form.fields["call"] = telling.call_field(callers, form.fields["call"].label)
    form.fields["call"].initial = asked
    if answer := _recorded(request, form, named):
        return answer
    context = {"thing": named, "crumb": [_spills(), _to(named)], "form": form, "callers": callers}
    return render(request, "spills/callers.html", context, status=status_of(form))


@require_http_methods(["GET", "HEAD", "POST"])
def answers(request: HttpRequest, thing: str) -> HttpResponse:
    """Answers what the state's form asks about each cause that was found."""
    account = _account(request)
    named = spill_named(thing, account)
    rights.require(account, "record", named.program)
    asked = papers.asked_by_cause(named.id, as_account=account)
    form = answering.AnswersForm(asked, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            count = answering.answer(form, named.id, account)
        except Refused as error:
            form.add_error(None, list(error.reasons))
        else:
            said = f"Recorded: {count} answer{'' if count == 1 else 's'}." if count else "Nothing differs from what is known: nothing was recorded."  # fmt: skip
            messages.success(request, said)
            return redirect("draft", "spill_report", named.id)
    context = {"thing": named, "crumb": [_spills(), _to(named)], "form": form, "asked": asked}
    return render(request, "spills/answers.html", context, status=422 if form.errors else 200)


@require_safe
def paper_of(request: HttpRequest, thing: str, kind: str) -> HttpResponse:
    """Leads to a paper about a spill: its sending is what is recorded."""
    named = spill_named(thing, _account(request))
    return redirect("paper_for", kind, named.id)


# ------------------------------------------------------------------------------------------------ joining


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, thing: str) -> HttpResponse:
    """Joins a report with another of the same place and hour."""
    account = _account(request)
    named = spill_named(thing, account)
    rights.require(account, "correct", named.program)
    history = _history(named, account)
    facts = {one.name: one for one in queries.facts(named.id, as_account=account)}
    found = list(page.same(named, history, facts, account))
    asked = request.GET.get("with", "")
    if asked and asked not in [one.thing for one in found]:
        other = spill_named(asked, account)
        found.append(Near(other.id, other.label[:1].upper() + other.label[1:], "", page.url_of(other), is_same=False))
    choices = [(one.thing, f"{one.label}. {one.note}" if one.note else one.label) for one in found]
    form = joining.JoinForm(choices, request.POST or None, initial={"other": asked})
    if request.method == "POST" and form.is_valid():
        try:
            into = joining.join(named.id, form, account)
        except Refused as error:
            form.add_error(None, list(error.reasons))
        else:
            messages.success(request, "Joined. What happened to the one stands with the other; it can be undone.")
            return redirect("spill", into)
    context = {"thing": named, "crumb": [_spills(), _to(named)], "form": form, "found": found}
    return render(request, "spills/join.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def undo_joining(request: HttpRequest, thing: str, batch: str) -> HttpResponse:
    """Takes two reports apart again."""
    account = _account(request)
    named = spill_named(thing, account)
    rights.require(account, "correct", named.program)
    known = next(
        (one for one in queries.batches(as_account=account) if one.id == batch and one.kind == "joining"), None
    )
    if known is None:
        raise Http404
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            joining.take_apart(batch, form.cleaned_data["row_why"], account)
        except Refused as error:
            form.add_error(None, list(error.reasons))
        else:
            messages.success(request, "Undone: each report stands by itself again.")
            return redirect("spill", named.id)
    context = {"thing": named, "crumb": [_spills(), _to(named)], "form": form, "note": known.note}
    return render(request, "spills/undo_joining.html", context, status=422 if form.errors else 200)


# ------------------------------------------------------------------------------------------------ what these share


def _recorded(request: HttpRequest, form: EventForm, named: Named) -> HttpResponse | None:
    """Records what a form says and shows the spill; nothing where there is none, or something is wrong with it."""
    done = entered(request, form, lambda: things.record(form, _account(request)))
    if done is None:
        return None
    tell(request, form, done, title(form.event.name))
    return redirect("spill", named.number or named.id)


def _history(named: Named, account: Account) -> History:
    rows = queries.rows(named.id, as_account=account)
    return History.of(named.id, rows, words_of({row.performed_by for row in rows}))


def _seen(named: Named, account: Account) -> dict[str, Any]:
    return dict(seen(named, account))


def _spills() -> Link:
    return Link("Spills", reverse("spills"))


def _to(named: Named) -> Link:
    return Link(named.label[:1].upper() + named.label[1:], page.url_of(named))


def _looking(request: HttpRequest) -> Looking:
    return cast(DeskRequest, request).looking


def _account(request: HttpRequest) -> Account:
    return cast(Account, request.user)
