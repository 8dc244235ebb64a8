"""The pages from a call to the finding: the register, taking a call, sending somebody, on site."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sewershed.desk.shell import tables as registers
from sewershed.desk.shell.middleware import DeskRequest
from sewershed.desk.shell.parts import Link
from sewershed.desk.spills import actions, places, queries, tables
from sewershed.desk.spills.forms import (
    ADVICE,
    CALL,
    CONFIRMED,
    SPILL,
    CallForm,
    DispatchForm,
    FoundForm,
    PhotographsForm,
    StepForm,
)
from sewershed.desk.things.entering import Entered, entered, status_of, tell
from sewershed.desk.things.forms import AT, Entry
from sewershed.desk.things.lines import url_if
from sewershed.ledger import adopting, clock, law, rights
from sewershed.ledger.entry import Recorded
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account
from sewershed.ledger.moments import moment_of
from sewershed.ledger.wording import title
from sewershed.rules.moments import MomentError, is_after
from sewershed.rules.record import Moment

GEOJSON = "application/geo+json"
LONG_AGO_YEARS = 10  # a call of before then is a day that was mistyped


def _account(request: HttpRequest) -> Account:
    return cast(Account, request.user)


def _spills() -> Link:
    return Link("Spills", reverse("spills"))


def _crumb(spill: queries.SpillAtHand) -> list[Link]:
    label = spill.thing.label
    return [_spills(), Link(label[:1].upper() + label[1:], reverse("spill", args=[spill.thing.id]))]


# ------------------------------------------------------------------------------------------------ the register


@require_safe
def register(request: HttpRequest) -> HttpResponseBase:
    """Lists calls and spills, narrowed and in the order that the address asks for."""
    account = _account(request)
    rights.require(account, "see", queries.PROGRAM)
    as_ = request.GET.get("as", "")
    is_file = as_ in registers.FILES
    asked, only = tables.asked_of(request.GET), tables.within(request.GET, account)
    data = tables.SpillData(account, asked, only, is_file=is_file)
    made = registers.narrowed(request, tables.Spills, data)
    if is_file:
        return registers.as_file(made, as_, "spills")
    context = {
        "table": made, "form": tables.Narrowing(account, request.GET), "links": registers.links(request),
        "is_narrowed": bool(asked.where or asked.text or only is not None),
        "may_record": rights.may(account, "record", queries.PROGRAM),
        "year_url": url_if("paper_for", "year_table", adopting.town_id()),
    }  # fmt: skip
    return render(request, "spills/register.html", context)


# ------------------------------------------------------------------------------------------------ a call


@require_http_methods(["GET", "HEAD", "POST"])
def take_call(request: HttpRequest) -> HttpResponse:
    """Takes a call of what may be a spill, and leads on to sending somebody."""
    account = _account(request)
    rights.require(account, "record", queries.PROGRAM)
    form = CallForm(account, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            recorded = actions.take_call(form, account)
        except Refused as error:
            form.refuse(error)
        else:
            joined = " It is one more report of the same." if form.cleaned_data.get("join") else ""
            messages.success(request, f"Recorded: call {recorded.number}.{joined}")
            return redirect("dispatch", recorded.thing)
    here = form.data.get("where", "") if form.is_bound else ""
    context = {
        "form": form, "near": queries.near(account, clock.now(), here), "ring": queries.to_ring(account),
        "starts": queries.starts(account, clock.now().replace(second=0)), "advice": ADVICE, "groups": form.groups,
        "suggested": [one for group in form.groups for one in group.places if one.type != SPILL], "layers": places.layers(),
    }  # fmt: skip
    return render(request, "spills/call.html", context, status=status_of(form))


@require_safe
def beside_call(request: HttpRequest) -> HttpResponse:
    """Shows what may be the same, and which clocks start, for what has been typed of a call so far."""
    account = _account(request)
    rights.require(account, "record", queries.PROGRAM)
    at = _typed_moment(request)
    point = _typed_point(request.GET.get("point", ""))
    if point is None and (chosen := request.GET.get("pick", "")):
        there = places.place(chosen, account)
        point = (there.lat, there.lon) if there.lat is not None and there.lon is not None else None
    near = queries.near(account, at, request.GET.get("where", ""), point)
    return render(request, "spills/beside_call.html", {"near": near, "starts": queries.starts(account, at)})


@require_safe
def suggest(request: HttpRequest) -> HttpResponse:
    """Lists the places of which the name holds what was typed."""
    account = _account(request)
    rights.require(account, "record", queries.PROGRAM)
    found = places.suggested(request.GET.get("where", ""), account)
    return render(request, "spills/suggested.html", {"suggested": found})


def _typed_moment(request: HttpRequest) -> Moment:
    """Returns when a call came, as typed so far; now, where that is no moment yet or none of the last years."""
    day, time, now = request.GET.get(f"{AT}_day", ""), request.GET.get(f"{AT}_time", ""), clock.now()
    zone = clock.current_town().zone
    try:
        found = moment_of(f"{day} {time}", zone) if day else now
    except MomentError:
        return now
    return found if now.year - LONG_AGO_YEARS <= found.year and not is_after(found, now, zone) else now


def _typed_point(text: str) -> tuple[float, float] | None:
    parts = [part for part in text.replace(",", " ").split() if part]
    try:
        lat, lon = (float(part) for part in parts)
    except ValueError:
        return None
    return (lat, lon) if abs(lat) <= 90 and abs(lon) <= 180 else None


@require_safe
def drawn(request: HttpRequest) -> HttpResponse:
    """Hands out what the map draws of the record."""
    account = _account(request)
    rights.require(account, "see", queries.PROGRAM)
    shapes = {"type": "FeatureCollection", "features": list(places.features(account))}
    return HttpResponse(json.dumps(shapes, separators=(",", ":")), content_type=GEOJSON)


@require_safe
def layer(request: HttpRequest, name: str) -> HttpResponse:
    """Hands out a layer that the town laid beside the record."""
    rights.require(_account(request), "see", queries.PROGRAM)
    return HttpResponse(places.layer(name), content_type=GEOJSON)


# ------------------------------------------------------------------------------------------------ sending somebody


@require_http_methods(["GET", "HEAD", "POST"])
def dispatch(request: HttpRequest, thing: str) -> HttpResponse:
    """Sends somebody to a call, and keeps who was sent and who has the message."""
    if elsewhere := _elsewhere(request, thing):
        return elsewhere
    account = _account(request)
    spill = queries.at_hand(thing, account)
    may_record = rights.may(account, "record", queries.PROGRAM)
    ring = queries.to_ring(account)
    form = DispatchForm(account, spill.thing, [one.person for one in ring], request.POST or None)
    if request.method == "POST":
        rights.require(account, "record", queries.PROGRAM)
        if form.is_valid():
            try:
                actions.send(form, account)
            except Refused as error:
                form.refuse(error)
            else:
                said = ", who has the message" if form.cleaned_data.get("is_confirmed") else ""
                name = dict(form.fields["person"].choices)[form.cleaned_data["person"]]  # type: ignore[attr-defined]
                messages.success(request, f"Recorded: {name} was sent{said}.")
                return redirect("dispatch", spill.thing.id)
    at = spill.rows[0].at if spill.rows else ""
    context = {
        "spill": spill, "form": form, "crumb": _crumb(spill), "ring": ring, "may_record": may_record,
        "near": queries.near(account, _moment(at), spill.location, spill.point, spill.thing.id) if at else (),
        "may_join": rights.may(account, "correct", queries.PROGRAM),
    }  # fmt: skip
    return render(request, "spills/dispatch.html", context, status=status_of(form))


def _moment(text: str) -> Moment:
    return moment_of(text, clock.current_town().zone)


def _elsewhere(request: HttpRequest, thing: str) -> HttpResponse | None:
    """Leads to the page of a spill where another day is looked at: here only what is now is of use."""
    here = cast(DeskRequest, request).looking
    return redirect(reverse("spill", args=[thing]) + here.query) if here.is_elsewhere else None


@require_POST
def confirm(request: HttpRequest, thing: str) -> HttpResponse:
    """Records that the person who was sent said the message back."""
    account = _account(request)
    rights.require(account, "record", queries.PROGRAM)
    spill = queries.at_hand(thing, account)
    sent = next((one for one in spill.sent if one.person == request.POST.get("person", "")), None)
    if sent is None:
        raise Http404
    actions.confirm(spill.thing.id, sent.person, account)
    messages.success(request, f"Recorded: {sent.name} has the message.")
    return redirect("dispatch", spill.thing.id)


# ------------------------------------------------------------------------------------------------ on site


@require_safe
def on_site(request: HttpRequest, thing: str) -> HttpResponse:
    """Shows what there is to do before a spill: the next step with its form, the others as a list."""
    if elsewhere := _elsewhere(request, thing):
        return elsewhere
    account = _account(request)
    spill = queries.at_hand(thing, account)
    may_record = rights.may(account, "record", queries.PROGRAM)
    context = {"spill": spill, "crumb": _crumb(spill), "steps": queries.steps(spill), "may_record": may_record}
    if may_record and not spill.has_arrived:
        event = law.in_force().vocabulary.events[queries.ARRIVED]
        context["arrival"] = StepForm(account, spill.thing, event)
    return render(request, "spills/on_site.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def site_step(request: HttpRequest, thing: str, event: str) -> HttpResponse:
    """Records a step on site."""
    account = _account(request)
    rights.require(account, "record", queries.PROGRAM)
    spill = queries.at_hand(thing, account)
    kind = law.in_force().vocabulary.events.get(event)
    if kind is None or not queries.may_be_step(event):
        raise Http404
    form: PhotographsForm | StepForm
    if event == "photographs_taken":
        form = PhotographsForm(account, spill.thing, request.POST or None, request.FILES or None)
        enter = lambda: actions.photographs(form, account)  # noqa: E731  # one of two, both entered below
        button = "Keep the photographs"
    else:
        form = StepForm(account, spill.thing, kind, request.POST or None, request.FILES or None)
        enter = lambda: actions.take_step(form, account)  # noqa: E731  # as above
        button = f"Record {title(event).lower()}"
    context = {"title": title(event), "means": kind.means, "button": button, "event": event}
    return _entered(request, form, enter, spill, "spills/step.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def found(request: HttpRequest, thing: str) -> HttpResponse:
    """Records what a call turned out to be."""
    account = _account(request)
    rights.require(account, "record", queries.PROGRAM)
    spill = queries.at_hand(thing, account)
    calls = [row for row in spill.rows if row.name == CALL]
    form = FoundForm(account, spill.thing, calls, request.POST or None, request.FILES or None, premises=spill.premises)
    return _entered(
        request, form, lambda: actions.find(form, account), spill, "spills/found.html",
        {"title": "What is it?", "button": "Record what was found"},
    )  # fmt: skip


def _entered(
    request: HttpRequest, form: Entry, enter: Callable[[], Recorded], spill: queries.SpillAtHand, template: str,
    context: dict[str, Any],
) -> HttpResponse:  # fmt: skip
    """Enters what a form says and goes back to the site, or shows the form with what is wrong."""
    if done := entered(request, form, enter):
        return _told(request, form, spill, done, context["title"])
    crumb = [*_crumb(spill), Link("On site", reverse("on_site", args=[spill.thing.id]))]
    return render(request, template, {**context, "form": form, "spill": spill, "crumb": crumb}, status=status_of(form))


def _told(request: HttpRequest, form: Entry, spill: queries.SpillAtHand, done: Entered, said: str) -> HttpResponse:
    """Says what was recorded and leads on: to the site while there is something to do, else to the spill's page."""
    after = queries.at_hand(spill.thing.id, _account(request))
    is_found = bool(after.found) and after.found != spill.found
    if is_found and after.found == CONFIRMED:
        messages.success(request, f"It is a spill, and has its number: {after.thing.number}.")
    elif is_found:
        messages.success(request, f"Recorded: {after.outcome}. What was open is closed, and all of it is kept.")
    tell(request, form, done, "" if is_found else said)
    return redirect("spill" if is_found and after.found != CONFIRMED else "on_site", spill.thing.id)
