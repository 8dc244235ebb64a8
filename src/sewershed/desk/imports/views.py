"""The pages of bringing in a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sewershed.desk.imports import actions, forms, queries, tables, tasks
from sewershed.desk.imports.models import Arrival
from sewershed.desk.jobs import queries as jobs
from sewershed.desk.shell.parts import Choice, Link
from sewershed.desk.shell.tables import narrowed
from sewershed.ledger import files, importing
from sewershed.ledger import queries as ledger
from sewershed.ledger.batches import PlanChanged
from sewershed.ledger.errors import Refused
from sewershed.ledger.importing import ListRefused, Recipe, Sheet
from sewershed.ledger.models import Account

GET_OR_POST = ["GET", "HEAD", "POST"]


@require_http_methods(GET_OR_POST)
def imports(request: HttpRequest) -> HttpResponse:
    """Takes a file; lists what is on its way and what was brought in."""
    account = _account(request)
    queries.require_some(account)
    form = forms.FileForm(request.POST or None, request.FILES or None)
    recipe = _asked_for(request)
    if request.method == "POST" and form.is_valid():
        upload = form.cleaned_data["list"]
        try:
            files.check_size(upload.size)
            arrival = actions.take(upload.read(), upload.name, recipe, account)
        except Refused as error:
            form.add_error("list", list(error.reasons))
        else:
            return redirect("import_what", arrival.id)
    on_their_way = [(one, queries.began(one), queries.go_on(one)) for one in queries.on_their_way(account)]
    context = {
        "form": form, "on_their_way": on_their_way, "brought_in": queries.brought_in(account), "recipe": recipe,
        "kind": _kind_or_none(recipe, account), "steps": queries.steps(None, ""),
    }  # fmt: skip
    return render(request, "imports/imports.html", context, status=422 if form.errors else 200)


@require_http_methods(GET_OR_POST)
def what(request: HttpRequest, arrival: str) -> HttpResponse:
    """Asks what a list is of, and which sheet of the file; where that is known already, the columns come next."""
    account, one, recipe = _begun(request, arrival)
    delimiters: tuple[str, ...] = ()
    try:
        sheets = queries.sheets_of(one, recipe)
    except ListRefused as error:
        sheets, delimiters = (), error.delimiters
        if not delimiters:
            raise Refused(str(error)) from None
    is_known = bool(recipe.thing or recipe.event) and len(sheets) == 1 and not delimiters
    if is_known and "again" not in request.GET and request.method != "POST":
        return redirect("import_columns", one.id)
    likely = _likely(sheets, account)
    kind = _kind_or_none(recipe, account)
    initial = {
        "sheet": recipe.sheet,
        "kind": queries.word_of(kind) if kind else queries.word_of(likely[0]) if len(likely) == 1 else "",
    }
    form = forms.WhatForm(account, sheets, delimiters, likely, request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        if delimiters:
            actions.say(one, delimiter=said["delimiter"])
            return redirect("import_what", one.id)
        which, _, name = said["kind"].partition(":")
        sheet = said.get("sheet", "")
        is_same = (recipe.thing, recipe.event, recipe.sheet) == (
            name if which == "thing" else "",
            name if which == "event" else "",
            sheet,
        )
        afresh: dict[str, Any] = {} if is_same else {"columns": {}, "constants": {}, "key": "", "answers": {}}
        actions.say(
            one, sheet=sheet, thing=name if which == "thing" else "", event=name if which == "event" else "", **afresh
        )
        return redirect("import_columns", one.id)
    return _step(request, one, "import_what", form, {"sheets": sheets})


@require_http_methods(GET_OR_POST)
def columns(request: HttpRequest, arrival: str) -> HttpResponse:
    """Shows what each column was taken for, and why; somebody corrects it."""
    account, one, recipe = _begun(request, arrival)
    if not (recipe.thing or recipe.event):
        return redirect("import_what", one.id)
    sheet, kind = queries.sheet_of(one, recipe), queries.kind_of(recipe, account)
    fields, taken = importing.fields_of(kind, as_account=account), importing.suggested(sheet, kind, as_account=account)
    chosen = recipe.columns or {match.column: match.target or "" for match in taken.matches}
    needed = importing.needed(kind, Recipe(columns=chosen), as_account=account)
    form = forms.ColumnsForm(sheet, kind, taken, fields, needed, request.POST or None, recipe=recipe)
    if request.method == "POST" and form.is_valid():
        said = form.said()
        wanting = importing.wanting(kind, Recipe(**said), sheet, as_account=account)
        for sentence in wanting:
            form.add_error(None, f"{sentence[:1].upper()}{sentence[1:]}.")
        if not wanting:
            recipe = actions.say(one, **said)
            asked = importing.asked(kind, recipe, sheet, as_account=account)
            return redirect("import_questions" if asked else "import_plan", one.id)
    shown = queries.columns_shown(sheet, taken, fields)
    context = {
        "kind": kind, "sheet": sheet, "columns": list(zip(shown, form.rows, strict=True)), "left": queries.left_to_persons(kind),
        "needed": needed,
    }  # fmt: skip
    return _step(request, one, "import_columns", form, context)


@require_http_methods(GET_OR_POST)
def questions(request: HttpRequest, arrival: str) -> HttpResponse:
    """Asks what the list leaves open, once a column."""
    account, one, recipe = _begun(request, arrival)
    if not recipe.columns:
        return redirect("import_columns", one.id)
    sheet, kind = queries.sheet_of(one, recipe), queries.kind_of(recipe, account)
    asked = importing.asked(kind, recipe, sheet, as_account=account)
    if not asked:
        return redirect("import_plan", one.id)
    form = forms.QuestionsForm(asked, recipe, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        actions.say(one, answers=form.said())
        return redirect("import_plan", one.id)
    hopeless = [one for one in asked if not one.choices]
    return _step(request, one, "import_questions", form, {"hopeless": hopeless, "kind": kind, "sheet": sheet})


@require_http_methods(GET_OR_POST)
def plan(request: HttpRequest, arrival: str) -> HttpResponse:
    """Shows line by line what would change, and brings it in once that was read."""
    account, one, recipe = _begun(request, arrival)
    if one.batch:
        return redirect("imported", one.batch)
    if not recipe.columns:
        return redirect("import_columns", one.id)
    sheet, kind = queries.sheet_of(one, recipe), queries.kind_of(recipe, account)
    asked = importing.asked(kind, recipe, sheet, as_account=account)
    if importing.unanswered(asked, recipe):
        return redirect("import_questions", one.id)
    is_long = len(sheet.lines) > queries.MOST_AT_ONCE
    form = forms.ApproveForm(request.POST if "plan" in request.POST else None)
    if request.method == "POST" and form.is_valid():
        if (answer := _applied(request, one, form.cleaned_data["plan"], account, is_long=is_long)) is not None:
            return answer
    elif request.method == "POST" and is_long:
        return redirect("job", tasks.ask_for_plan(one, account).task_id)
    if not is_long and (not one.plan or one.head != str(ledger.head(as_account=account))):
        actions.keep(one, actions.made(one, account))
    if request.GET.get("as") == "csv":
        return _bad_lines(one, account)
    context: dict[str, Any] = {"kind": kind, "sheet": sheet, "is_long": is_long}
    if not one.plan:
        work = jobs.under_way(queries.plan_wanted(one), account)
        if work is None:
            return redirect("job", tasks.ask_for_plan(one, account).task_id)
        return _step(request, one, "import_plan", form, {**context, "work": work})
    return _step(request, one, "import_plan", form, {**context, **_plan_shown(request, one, sheet, account)})


def _applied(
    request: HttpRequest, one: Arrival, approved: str, account: Account, *, is_long: bool
) -> HttpResponse | None:
    """Brings in what was approved; or says why not, and lets the plan be shown as it is now."""
    if is_long:
        return redirect("job", tasks.ask_to_apply(one, approved, account).task_id)
    try:
        batch = actions.apply(one, approved, account)
    except PlanChanged:
        messages.warning(request, "The record has changed since you read the plan, and it would do something else now. Nothing was entered: this is the plan as it is now.")  # fmt: skip
        return redirect("import_plan", one.id)
    except Refused as error:
        messages.error(request, " ".join(error.reasons))
        return redirect("import_plan", one.id)
    messages.success(request, "The list is brought in. It can be undone as a whole.")
    return redirect("imported", batch)


def _plan_shown(request: HttpRequest, one: Arrival, sheet: Sheet, account: Account) -> dict[str, Any]:
    """Returns what the page of a plan shows."""
    counts, chosen = queries.counts_of(one), request.GET.get("what", "")
    chosen = chosen if chosen in queries.WHATS else ""
    here = request.path
    choices = [Choice("All", here, sum(counts.values()), not chosen)]
    choices += [
        Choice(queries.WHATS[name][0], f"{here}?what={name}", counts[name], name == chosen)
        for name in queries.WHATS
        if counts[name]
    ]
    data = tables.PagedData(lambda offset, limit: queries.planned(one, chosen, offset, limit))
    position = ledger.head(as_account=account).position
    return {
        "table": narrowed(request, tables.PlanLines, data), "choices": choices, "counts": counts, "does": sum(counts[name] for name in queries.DOES),
        "refused": counts["refused"], "reasons": queries.reasons_of(one), "unlikely": queries.unlikely_of(one), "approved": one.plan, "total": sum(counts.values()),
        "since": position - int(one.head.partition(":")[0]), "apart": importing.noted_lines(sheet),
        "work": jobs.under_way(queries.apply_wanted(one), account),
    }  # fmt: skip


def _bad_lines(one: Arrival, account: Account) -> HttpResponse:
    made = actions.made(one, account)
    return _handed(
        importing.not_read(made.sheet, made.plan), f"{_stem(one.name)}-not-read.csv", "text/csv; charset=utf-8"
    )


@require_POST
def forget(request: HttpRequest, arrival: str) -> HttpResponse:
    """Forgets a list that was not brought in."""
    _, one, _ = _begun(request, arrival)
    if one.batch:
        return redirect("imported", one.batch)
    actions.forget(one)
    messages.success(request, f"{one.name} is forgotten. Nothing of it is in the record.")
    return redirect("imports")


# ------------------------------------------------------------------------------------------------ what was brought in


@require_safe
def imported(request: HttpRequest, batch: str) -> HttpResponse:
    """Shows what a list did, row by row, and lets it be undone."""
    account = _account(request)
    brought = queries.batch_named(batch, account)
    data = tables.PagedData(lambda offset, limit: queries.rows_of(batch, account, offset, limit))
    context = {"brought": brought, "table": narrowed(request, tables.EnteredRows, data), "crumb": [_to_imports()]}
    return render(request, "imports/imported.html", context)


@require_http_methods(GET_OR_POST)
def undo(request: HttpRequest, batch: str) -> HttpResponse:
    """Takes back what was brought in, with a reason; where later rows rest on it they are listed."""
    account = _account(request)
    brought = queries.batch_named(batch, account)
    form = forms.UndoForm(request.POST or None)
    resting: tuple[str, ...] = ()
    if request.method == "POST" and form.is_valid():
        try:
            actions.undo(batch, form.cleaned_data["why"], account)
        except Refused as error:
            resting = error.reasons
        else:
            messages.success(
                request, "Taken back. What the list had begun is withdrawn; what it had changed stands as before."
            )
            return redirect("imported", batch)
    title = brought.shown.title
    context = {
        "brought": brought,
        "form": form,
        "resting": resting,
        "crumb": [_to_imports(), Link(title, reverse("imported", args=[batch]))],
    }
    return render(request, "imports/undo.html", context, status=422 if form.errors or resting else 200)


@require_safe
def file(request: HttpRequest, batch: str) -> HttpResponse:
    """Hands out the file of a list as it came."""
    brought = queries.batch_named(batch, _account(request))
    if not brought.file:
        raise Http404
    return _handed(files.read(brought.file), brought.file_name, "application/octet-stream")


@require_POST
def again(request: HttpRequest, batch: str) -> HttpResponse:
    """Begins again with the file of a list, for what else its lines say."""
    account = _account(request)
    brought = queries.batch_named(batch, account)
    if not brought.file:
        raise Http404
    size = len(files.read(brought.file))
    return redirect("import_what", actions.take_again(brought.file, brought.file_name, size, account).id)


@require_safe
def not_read(request: HttpRequest, batch: str) -> HttpResponse:
    """Hands out the lines of a list that could not be read, each with the reason."""
    brought = queries.batch_named(batch, _account(request))
    if not brought.not_read:
        raise Http404
    return _handed(files.read(brought.not_read), f"{_stem(brought.file_name)}-not-read.csv", "text/csv; charset=utf-8")


# ------------------------------------------------------------------------------------------------ what these share


def _account(request: HttpRequest) -> Account:
    return cast(Account, request.user)


def _begun(request: HttpRequest, arrival: str) -> tuple[Account, Arrival, Recipe]:
    account = _account(request)
    one = queries.arrival_named(arrival, account)
    recipe = Recipe.read(one.recipe)
    if recipe.thing or recipe.event:
        queries.kind_of(recipe, account)  # refuses who may not bring in such a list
    return account, one, recipe


def _asked_for(request: HttpRequest) -> Recipe:
    """Returns what the address says that the list will be of: a register leads here with its own type."""
    return Recipe(thing=request.GET.get("thing", ""), event=request.GET.get("event", ""))


def _kind_or_none(recipe: Recipe, account: Account) -> importing.Kind | None:
    try:
        return queries.kind_of(recipe, account) if recipe.thing or recipe.event else None
    except Refused:
        return None


def _step(request: HttpRequest, one: Arrival, here: str, form: Any, context: dict[str, Any]) -> HttpResponse:
    steps = queries.steps(one, here)
    template = f"imports/{here.removeprefix('import_')}.html"
    whole = {"arrival": one, "form": form, "steps": steps, "crumb": [_to_imports()], **context}
    return render(request, template, whole, status=422 if form.errors else 200)


def _likely(sheets: Sequence[Sheet], account: Account) -> tuple[importing.Kind, ...]:
    """Returns what the sheets of a file may be of, by their columns."""
    found = {queries.word_of(kind): kind for sheet in sheets for kind in importing.likely(sheet, as_account=account)}
    return tuple(found.values())


def _to_imports() -> Link:
    return Link("Bring in a list", reverse("imports"))


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name


def _handed(content: bytes, name: str, mime: str) -> HttpResponse:
    """Returns a file to be kept; nothing of it is ever shown or run in the browser."""
    clean = "".join(one for one in name if one.isalnum() or one in "._- ") or "list"
    return HttpResponse(
        content, content_type=mime,
        headers={"Content-Disposition": f'attachment; filename="{clean}"', "Content-Security-Policy": "sandbox"},
    )  # fmt: skip
