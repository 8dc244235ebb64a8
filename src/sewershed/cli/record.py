"""`sewershed record`: whatever is entered, corrected, withdrawn or decided.

    sewershed record TOWN EVENT --on THING --at TIME --set FIELD=VALUE
    sewershed record TOWN THINGTYPE new --set FACT=VALUE

The commands for events and types of thing are made from the vocabulary that the town runs, so that `--help` shows the fields.
"""

from __future__ import annotations

import json
import shlex
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import update_wrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from sewershed.cli import completing, terminal
from sewershed.cli.failing import Failure
from sewershed.cli.terminal import Verb, Verbs, json_option
from sewershed.cli.towns import Here, acting, is_town, town_argument

if TYPE_CHECKING:
    from sewershed.ledger.entry import Recorded
    from sewershed.ledger.shown import Due, RowShown
    from sewershed.rules.entries import Entry
    from sewershed.rules.vocabulary import EventType, Fact, ThingType, Vocabulary

Function = Callable[..., Any]
_FIXED = ("facts", "correct", "withdraw", "decide", "attach", "join", "undo")


class Recording(Verbs):
    """The commands that every town has, and one for each event and each type of thing of its vocabulary."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the commands that every town has; `--list` prints the others."""
        return list(_FIXED)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns a command; one for an event or a thing is made from the vocabulary of the town."""
        if cmd_name in _FIXED:
            return super().get_command(ctx, cmd_name)
        town = ctx.params.get("town")
        if town is None or not is_town(Path(town)):
            return None
        vocabulary = _vocabulary_of(Path(town))
        if cmd_name in vocabulary.events:
            return _event_command(vocabulary.events[cmd_name])
        if cmd_name in vocabulary.things:
            return _thing_command(vocabulary.things[cmd_name])
        return None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reads the words; --list and --help may stand behind TOWN, where a person writes them."""
        ctx.allow_interspersed_args = "--list" in args or (len(args) > 1 and args[1].startswith("-"))
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Returns the command; an unknown word says what may be meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from sewershed.rules.problems import did_you_mean

            vocabulary = _vocabulary_of(Path(ctx.params["town"]))
            near = did_you_mean(args[0], [*vocabulary.events, *vocabulary.things, *_FIXED])
            raise click.UsageError(
                f"no event or thing is called {args[0]!r}{near or '; there are many'} (`sewershed record TOWN --list` prints them)",
                ctx,
            ) from None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[click.shell_completion.CompletionItem]:
        """Returns what may follow TOWN: events and types of thing of its vocabulary."""
        from click.shell_completion import CompletionItem

        found = super().shell_complete(ctx, incomplete)
        town = ctx.params.get("town")
        if town is not None and is_town(Path(town)):
            vocabulary = _vocabulary_of(Path(town))
            names = {name: thing.means for name, thing in vocabulary.things.items()}
            names |= {name: event.means for name, event in vocabulary.events.items()}
            found += [CompletionItem(name, help=means) for name, means in names.items() if name.startswith(incomplete)]
        return found


@click.group(
    cls=Recording,
    invoke_without_command=True,
    examples="""
    sewershed record ./spring-hope --list --about spill
    sewershed record ./spring-hope spill new --set location="Branch Street"
    sewershed record ./spring-hope call --on SPILL --at "2024-03-08 15:40" --set what=sewage_in_water
    echo '{"what": "smell"}' | sewershed record ./spring-hope call --on SPILL --at now --json -
    sewershed record ./spring-hope call --help
    """,
)
@town_argument
@click.option(
    "--list", "is_listing", is_flag=True, help="Print every event and thing that can be recorded, with its fields."
)
@click.option("--about", default="", metavar="TYPE", help="With --list: only this type of thing, event or program.")
@json_option
@click.pass_context
def record(ctx: click.Context, town: Path, is_listing: bool, about: str, is_json: bool) -> None:
    """Enters what happened; corrects, withdraws, decides.

    Nothing is ever changed or taken out. The command is an event (`call`), a type of thing followed by `new` (`spill new`), or one of the commands below. The new row's id
    is printed, or the new thing's; what follows from it goes to standard error.
    """
    ctx.obj = town
    if is_listing:
        _print_vocabulary(_vocabulary_of(town), about, is_json=is_json)
    elif ctx.invoked_subcommand is None:
        raise click.UsageError("say what to record, or --list to see what there is", ctx)


def _in_recorded_town(command: Function) -> Function:
    """Gives a command below `record` the town that was named before it."""

    def called(**rest: Any) -> Any:
        return command(town=click.get_current_context().obj, **rest)

    return update_wrapper(called, command)


# ------------------------------------------------------------------------------------------------ what entries share

_WHEN_WHO = (
    click.option("--by", default="", metavar="PERSON", shell_complete=completing.persons, help="Who did it."),
    click.option("--office", default="", shell_complete=completing.offices, help="In which office of the law."),
)


def _set(known: Mapping[str, Fact] | None = None) -> Callable[[Function], Function]:
    offer = completing.fields((known or {}).values())
    text = "A field; again for each."
    return click.option("--set", "settings", multiple=True, metavar="FIELD=VALUE", shell_complete=offer, help=text)


_on_option = click.option(
    "--on",
    "thing",
    default="",
    metavar="THING",
    shell_complete=completing.subject,
    help="The thing: id, number, alias or name.",
)
_at_option = click.option(
    "--at", default="", metavar="TIME", help='When: 2024-03-08, "2024-03-08 15:40", 15:40, "3:40 pm", now, today.'
)
_exact_options = (
    click.option(
        "--at-is", type=click.Choice(["exact", "about", "estimated"]), default=None, help="How exact that is."
    ),
    click.option("--at-how", default=None, metavar="TEXT", help="How it was estimated."),
)
_source_option = click.option(
    "--source",
    default="command",
    metavar="TEXT",
    help="How it came: telephone offline, paper sheet ...",
    show_default=True,
)
_id_option = click.option("--id", default="", help="Id of the row: entered twice, it is one row.")
_why_option = click.option("--why", required=True, metavar="TEXT", help="The reason.")


def _all(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    def add(command: Function) -> Function:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def _event_command(kind: EventType) -> click.Command:
    """Returns the command that records an event."""

    @_in_recorded_town
    @acting
    @_all(
        _on_option, _at_option, _set(kind.data), *_WHEN_WHO, *_exact_options,
        click.option("--contains", default="", metavar="KEYS", help="Parts that a paper holds, commas between."),
        _source_option, _id_option,
        click.option("--json", "fields", type=click.File("r"), help="Read the fields as JSON from a file, - for standard input."),
    )  # fmt: skip
    def command(
        here: Here, thing: str, at: str, settings: Sequence[str], by: str, office: str, at_is: str | None,
        at_how: str | None, contains: str, source: str, id: str, fields: IO[str] | None,
    ) -> None:  # fmt: skip
        from sewershed.ledger import actions

        said = _row_in(fields)
        on = kind.on or _type_of(here, thing or said.get("thing", ""))
        about = _thing(here, thing or said.pop("thing", ""), on, kind.name)
        whole = {
            "at": _moment(here, at or said.get("at", ""), kind.precision), "performed_by": _person(here, by or said.get("performed_by", "")),
            "office": office or said.get("office", ""), "at_is": at_is or said.get("at_is", "exact"),
            "at_how": at_how or said.get("at_how", ""), "source": said.get("source", source),
            "id": id or said.get("id", ""),
            "contains": [one.strip() for one in contains.split(",") if one.strip()] or said.get("contains", ()),
        }  # fmt: skip

        def enter() -> Recorded:
            data = {**said.get("data", {}), **_read(here, settings, kind.data, about)}
            return actions.record(kind.name, about, as_account=here.account, data=data, **whole)

        _enter(here, [about], enter)

    made = click.command(
        kind.name,
        cls=Verb,
        help=f"{kind.means or kind.name}.\n\nIt happens to a {kind.on or 'thing of any type'}.\n\n"
        + _field_help(kind.name, kind.data),
        examples=f'sewershed record TOWN {kind.name} --on {(kind.on or "THING").upper()} --at "2024-03-08 15:40"'
        + "".join(f" --set {name}=..." for name, fact in kind.data.items() if fact.required),
    )
    return made(command)


def _thing_command(kind: ThingType) -> click.Command:
    """Returns the command that begins a thing of a type."""

    @_in_recorded_town
    @acting
    @click.argument("new", type=click.Choice(["new"]))
    @_all(
        _set(kind.facts),
        click.option("--id", default="", help="Id of the thing; a fresh one if left out."),
        click.option("--from", "day", default="", metavar="DAY", help="First day on which these facts hold; always, if left out."),
        click.option("--alias", "aliases", multiple=True, help="Another name; again for each."),
        click.option("--source-id", default="", help="Its id in the files it is imported from."),
        *_WHEN_WHO, _source_option,
        click.option("--json", "fields", type=click.File("r"), help="Read the facts as JSON from a file, - for standard input."),
    )  # fmt: skip
    def command(
        here: Here, new: str, settings: Sequence[str], id: str, day: str, aliases: Sequence[str], source_id: str,
        by: str, office: str, source: str, fields: IO[str] | None,
    ) -> None:  # fmt: skip
        from sewershed.ledger import actions
        from sewershed.ledger.moments import iso_text

        said = _row_in(fields)
        facts = {**said.get("data", {}), **_read(here, settings, kind.facts, "")}
        recorded = actions.set_facts(
            id or said.get("thing", ""), facts, as_account=here.account, type=kind.name,
            day=iso_text(day or said.get("at", "")), aliases=aliases or said.get("aliases", ()),
            source_id=source_id or said.get("source_id", ""), performed_by=_person(here, by), office=office, source=source,
        )  # fmt: skip
        click.echo(recorded.thing)
        number = f", number {recorded.thing_number}" if recorded.thing_number else ""
        click.echo(f"A new {kind.name.replace('_', ' ')}{number}, row {recorded.id}.", err=True)

    made = click.command(
        kind.name,
        cls=Verb,
        help=f"{kind.means or kind.name}. With `new` one begins; `facts` says more of one that is there.\n\n"
        + _field_help(kind.name, kind.facts),
        examples=f"sewershed record TOWN {kind.name} new"
        + "".join(f" --set {name}=..." for name, fact in kind.facts.items() if fact.required),
    )
    return made(command)


# ------------------------------------------------------------------------------------------------ the other entries


@record.command(
    cls=Verb,
    examples="""
    sewershed record ./spring-hope facts 24-001 --set incident_number=202400321
    sewershed record ./spring-hope facts "Oak Street" --from 2024-03-01 --set generator=on_site
    """,
)
@click.argument("thing", shell_complete=completing.any_thing)
@_in_recorded_town
@acting
@_all(
    _set(),
    click.option("--from", "day", default="", metavar="DAY", help="First day on which it holds; always, if left out."),
    click.option("--alias", "aliases", multiple=True, help="Another name; again for each."),
    click.option("--why", default="", metavar="TEXT", help="A reason, where there is one to give."),
    *_WHEN_WHO,
    _source_option,
    _id_option,
    click.option(
        "--json", "fields", type=click.File("r"), help="Read the facts as JSON from a file, - for standard input."
    ),
)
def facts(
    here: Here,
    thing: str,
    settings: Sequence[str],
    day: str,
    aliases: Sequence[str],
    why: str,
    by: str,
    office: str,
    source: str,
    id: str,
    fields: IO[str] | None,
) -> None:
    """Says facts of a THING, from a day on or for as long as it exists. A value left empty is asked and not known."""
    from sewershed.cli.handles import thing_named, vocabulary_of
    from sewershed.ledger import actions
    from sewershed.ledger.moments import iso_text

    about = thing_named(here, thing)
    known = vocabulary_of(here).things[about.type].facts
    said = _row_in(fields)

    def enter() -> Recorded:
        values = {**said.get("data", {}), **_read(here, settings, known, about.id)}
        return actions.set_facts(
            about.id,
            values,
            as_account=here.account,
            day=iso_text(day),
            aliases=aliases,
            why=why,
            performed_by=_person(here, by),
            office=office,
            source=source,
            id=id,
        )

    _enter(here, [about.id], enter)


@record.command(
    cls=Verb,
    examples="""
    sewershed record ./spring-hope correct ROW --why "the meter was misread" --set ground_gal=1500
    sewershed record ./spring-hope correct ROW --why "an hour earlier, by the phone log" --at "2024-03-08 14:40"
    """,
)
@click.argument("row")
@_in_recorded_town
@acting
@_all(
    _why_option,
    _set(),
    click.option("--unset", multiple=True, metavar="FIELD", help="Leave a field out, as never asked; again for each."),
    click.option("--at", default=None, metavar="TIME", help="When it really was."),
    click.option("--on", "thing", default=None, metavar="THING", help="The thing it was really about."),
    click.option("--by", default=None, metavar="PERSON", help="Who really did it."),
    click.option("--office", default=None, help="In which office of the law."),
    *_exact_options,
    _source_option,
)
def correct(
    here: Here,
    row: str,
    why: str,
    settings: Sequence[str],
    unset: Sequence[str],
    at: str | None,
    thing: str | None,
    by: str | None,
    office: str | None,
    at_is: str | None,
    at_how: str | None,
    source: str,
) -> None:
    """Enters a row in place of ROW. What is not given stays as it was; the old row stays in the record.

    ROW is its id, or any id of its corrections; `sewershed show TOWN THING` prints them.
    """
    from sewershed.cli.handles import thing_named, vocabulary_of
    from sewershed.ledger import actions, queries

    old = queries.row(row, as_account=here.account)
    now_on = _now_on(here, old)
    onto = now_on if thing is None else thing_named(here, thing).id
    vocabulary = vocabulary_of(here)
    about = vocabulary.things[queries.thing(old.thing, as_account=here.account).type]
    known = vocabulary.events[old.name].data if old.name in vocabulary.events else about.facts

    def enter() -> Recorded:
        return actions.correct(
            row,
            as_account=here.account,
            why=why,
            data=_read(here, settings, known, now_on),
            without=unset,
            at=None if at is None else _moment(here, at),
            thing=None if thing is None else onto,
            performed_by=None if by is None else _person(here, by),
            office=office,
            at_is=at_is,
            at_how=at_how,
            source=source,
        )

    _enter(here, [now_on, onto], enter)


def _now_on(here: Here, row: RowShown) -> str:
    """Returns the thing that a row is about now, after all its corrections."""
    from sewershed.ledger import queries

    rows = queries.rows(row.thing, as_account=here.account)
    return next(one.thing for one in reversed(rows) if one.root == row.root and one.kind != "void")


@record.command(cls=Verb, examples='sewershed record ./spring-hope withdraw ROW --why "entered for the wrong street"')
@click.argument("row")
@_in_recorded_town
@acting
@_all(_why_option, _source_option)
def withdraw(here: Here, row: str, why: str, source: str) -> None:
    """Voids a ROW that should not have been entered. It stays in the record; a correction brings it back."""
    from sewershed.ledger import actions, queries

    thing = _now_on(here, queries.row(row, as_account=here.account))
    _enter(here, [thing], lambda: actions.withdraw(row, as_account=here.account, why=why, source=source))


@record.command(
    cls=Verb,
    examples="""
    sewershed record ./spring-hope decide --on 24-001 --fact reportable --value yes --because "near the school" --at now
    sewershed record ./spring-hope decide --doubt D-SH-06 --reading "report it" --because "board, 4 March" --at 2024-03-05
    """,
)
@_in_recorded_town
@acting
@_all(
    click.option(
        "--on", "thing", default="", metavar="THING", help="The thing; the town itself, if left out: for all."
    ),
    click.option("--fact", default="", help="The fact that a person decides."),
    click.option("--value", default="", help="What was decided of it."),
    click.option("--doubt", default="", metavar="ID", help="The doubt that is settled."),
    click.option("--reading", default="", metavar="TEXT", help="Which reading of it holds."),
    click.option("--because", required=True, metavar="TEXT", help="The reason."),
    click.option("--paper", default="", metavar="TEXT", help="The paper that says so."),
    _at_option,
    *_WHEN_WHO,
    _source_option,
    _id_option,
)
def decide(
    here: Here,
    thing: str,
    fact: str,
    value: str,
    doubt: str,
    reading: str,
    because: str,
    paper: str,
    at: str,
    by: str,
    office: str,
    source: str,
    id: str,
) -> None:
    """Records what a person decided: a fact that the law leaves to them, or how an unclear text is read.

    A doubt settled for one thing goes before one settled for the town. It governs what opens from its day on and what is open
    on it; what was met stays.
    """
    from sewershed.cli.fields import value_of
    from sewershed.cli.handles import thing_named, vocabulary_of
    from sewershed.ledger import actions, adopting

    about = thing_named(here, thing).id if thing else adopting.town_id()
    decided: Any = value
    if fact:
        kind = vocabulary_of(here).to_decide(thing_named(here, about).type, fact)
        decided = value_of(value, kind.type, find=_finder(here)) if kind is not None else value
    _enter(
        here,
        [about] if thing else [],
        lambda: actions.decide(
            about,
            as_account=here.account,
            because=because,
            at=_moment(here, at),
            fact=fact,
            value=decided,
            doubt=doubt,
            reading=reading,
            paper=paper,
            performed_by=_person(here, by),
            office=office,
            source=source,
            id=id,
        ),
    )
    if fact:
        _tell_decided_by_text(here, about, fact)
    if doubt:
        from sewershed.ledger import law

        running = law.in_force()
        if not running.library.law(running.book_id).readers_of(doubt):
            click.echo(
                f"  Nothing follows from it: no entry of the books reads {doubt} one way or the other.", err=True
            )


@record.command(
    cls=Verb,
    examples='sewershed record ./spring-hope attach 24-001 manhole.jpg --caption "before clean-up" --taken-at 16:05',
)
@click.argument("thing", shell_complete=completing.any_thing)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@_in_recorded_town
@acting
@_all(
    click.option("--caption", default="", metavar="TEXT", help="What it shows."),
    click.option("--taken-at", default="", metavar="TIME", help="When the photograph was taken."),
    _source_option,
)
def attach(here: Here, thing: str, file: Path, caption: str, taken_at: str, source: str) -> None:
    """Keeps a FILE with a THING: a photograph, a sheet, a log. Prints the id of the attachment."""
    from sewershed.cli.handles import thing_named
    from sewershed.ledger import actions

    recorded = actions.attach(
        thing_named(here, thing).id,
        file.read_bytes(),
        as_account=here.account,
        name=file.name,
        mime=_mime(file),
        caption=caption,
        taken_at=_moment(here, taken_at) if taken_at else "",
        source=source,
    )
    click.echo(recorded.thing)


@record.command(
    cls=Verb, examples='sewershed record ./spring-hope join C24-002 24-001 --why "two calls about one manhole"'
)
@click.argument("thing", shell_complete=completing.any_thing)
@click.argument("into", shell_complete=completing.any_thing)
@_in_recorded_town
@acting
@_all(_why_option, _source_option)
def join(here: Here, thing: str, into: str, why: str, source: str) -> None:
    """Joins a THING INTO another that it turned out to be. Prints the id of the batch, by which `undo` takes it back."""
    from sewershed.cli.handles import thing_named
    from sewershed.ledger import actions

    first = thing_named(here, thing)
    second = thing_named(here, into, first.type)
    click.echo(actions.join(first.id, second.id, as_account=here.account, why=why, source=source))
    click.echo(f"{first.label} is joined into {second.label}.", err=True)


@record.command(cls=Verb, examples='sewershed record ./spring-hope undo BATCH --why "they are two manholes after all"')
@click.argument("batch")
@_in_recorded_town
@acting
@_why_option
def undo(here: Here, batch: str, why: str) -> None:
    """Takes a BATCH back, an import or a joining: its rows are void, what it had changed stands as before."""
    from sewershed.ledger import actions

    recorded = actions.undo_batch(batch, as_account=here.account, why=why)
    click.echo(recorded.id)


# ------------------------------------------------------------------------------------------------ reading what was typed


def _vocabulary_of(town: Path) -> Vocabulary:
    from sewershed.project.opening import open_town

    open_town(town)
    from sewershed.ledger import law

    return law.in_force().vocabulary


_ROW_KEYS = ("thing", "at", "data", "performed_by", "office", "at_is", "at_how", "contains", "source", "id", "aliases", "source_id")  # fmt: skip


def _row_in(fields: IO[str] | None) -> dict[str, Any]:
    """Returns a row as JSON gives it: an object with `data` is a whole row, one without holds its fields alone."""
    if fields is None:
        return {}
    file = getattr(fields, "name", "standard input")
    try:
        said = json.loads(fields.read(), parse_float=Decimal)
    except ValueError as error:
        raise Failure(f"{file} is not JSON: {error}") from None
    if not isinstance(said, dict):
        raise Failure(f"{file} holds no object; write one object with the fields of the row")
    if "data" not in said:
        return {"data": said}
    unknown = sorted(set(said) - set(_ROW_KEYS))
    if unknown:
        raise Failure(f"{file}: unknown key {', '.join(unknown)}; beside data there may be {', '.join(_ROW_KEYS)}")
    return said


def _read(here: Here, settings: Sequence[str], known: Mapping[str, Fact], about: str) -> dict[str, Any]:
    from sewershed.cli.fields import read_settings

    def attach(path: Path) -> str:
        from sewershed.ledger import actions, files

        content = path.read_bytes()
        actions.attach(about, content, as_account=here.account, name=path.name, mime=_mime(path), source="command")
        return files.sha256(content)

    return read_settings(tuple(settings), known, find=_finder(here), attach=attach if about else None)


def _finder(here: Here) -> Callable[[str, str], str]:
    from sewershed.cli.handles import thing_named

    return lambda name, kind: thing_named(here, name, kind).id


def _thing(here: Here, name: str, type: str, event: str) -> str:
    from sewershed.cli.handles import thing_named
    from sewershed.ledger import adopting

    if not name and type == "town":  # there is one
        return adopting.town_id()
    if not name:
        raise click.UsageError(f"say on which {type or 'thing'} {event} happened: --on THING")
    return thing_named(here, name, type).id


def _type_of(here: Here, name: str) -> str:
    from sewershed.cli.handles import thing_named

    return thing_named(here, name).type if name else ""


def _person(here: Here, name: str) -> str:
    from sewershed.cli.handles import thing_named

    return thing_named(here, name, "person").id if name else ""


def _moment(here: Here, text: str, precision: str = "either") -> str:
    """Returns a moment that has to be said, as the ledger reads it."""
    from sewershed.cli.moments import WAYS, typed

    if not text:
        raise click.UsageError(f"say when with --at: {WAYS}")
    return typed(here, text, precision)


def _mime(file: Path) -> str:
    import mimetypes

    return mimetypes.guess_type(file.name)[0] or "application/octet-stream"


# ------------------------------------------------------------------------------------------------ what follows


MOST_TOLD = 12  # lines that changed
MOST_COMPARED = 500  # the most urgent lines of a town, where what was entered may concern all of it


def _enter(here: Here, things: Iterable[str], enter: Callable[[], Recorded]) -> None:
    """Enters something, prints the id of its row, and tells on standard error what it changed in what is due.

    Args:
        here: the town.
        things: whose lines are compared; the most urgent of the town's, if there are none.
        enter: enters it.
    """
    from sewershed.ledger import actions, queries

    def lines(about: str) -> dict[str, Due]:
        page = queries.due(as_account=here.account, thing=about, limit=None if about else MOST_COMPARED)
        return {one.key: one for one in page.items}

    concerned = tuple(dict.fromkeys(things)) or ("",)
    before = {key: line for about in concerned for key, line in lines(about).items()}
    narrow = [one for one in concerned if one]
    over = queries.over(narrow, as_account=here.account)
    with actions.together():
        recorded = enter()
    click.echo(recorded.id)
    label = queries.thing(recorded.thing, as_account=here.account).label
    number = f"number {recorded.number}; " if recorded.number else ""
    click.echo(f"{label}: {number}row {recorded.head.position} of the record.", err=True)
    for remark in queries.remarks(recorded.id, as_account=here.account):
        click.echo(f"  Is that right? {remark[:1].upper()}{remark[1:]}.", err=True)
    _tell_findings(here, recorded)
    tell_unheld(here, recorded)
    after = {key: line for about in concerned for key, line in lines(about).items()}
    changed = [line for key, line in after.items() if key not in before or _is_other(before[key], line)]
    gone = [line for key, line in before.items() if key not in after]
    came_out = queries.over(narrow, as_account=here.account)
    other = [
        key for key, how in came_out.items() if key in over and over[key] != how
    ]  # over before and after, otherwise
    touched = dict.fromkeys([line.thing for line in gone] + [came_out[key][0] for key in other])
    page = queries.due(as_account=here.account, among=list(touched), is_all=True).items if touched else ()
    every = {one.key: one for one in page}
    told = dict.fromkeys([line.key for line in gone] + other)
    changed = [every[key] for key in told if key in every] + [line for line in changed if line.key not in told]
    again = {(line.thing, line.rule, line.label) for line in after.values()}  # the same is due, from another row on
    ended = [line for line in gone if line.key not in every and (line.thing, line.rule, line.label) not in again]
    _tell(here, ended, changed)


def _tell_findings(here: Here, recorded: Recorded) -> None:
    """Tells what was found of the row itself: that it does not count, or breaks a rule."""
    from sewershed.ledger import law, queries

    row = queries.row(recorded.id, as_account=here.account)
    for one in queries.findings(as_account=here.account, thing=recorded.thing, limit=10_000):
        if one.about == row.root and one.outcome != "MET":
            entry = law_entries()[one.rule]
            word = "Does not count" if one.is_void else {"NOT_MET": "Not met"}.get(one.outcome, "Cannot tell")
            caution = f"; {said}" if (said := law.in_force().ground.caution(one.rule)) else ""
            click.echo(f"  {word}: {entry.means} ({'; '.join(entry.cites)}{caution})", err=True)
            if one.is_void:
                line = f"sewershed record {shlex.quote(here.typed)} correct {recorded.id} --why ... --set ..."
                click.echo(f"  If it was otherwise, say so: {line}", err=True)


def tell_unheld(here: Here, recorded: Recorded) -> None:
    """Tells at once where a row does not count as done, or decided, in an office, and what can be done about it."""
    from sewershed.cli.words import words_of
    from sewershed.ledger import queries
    from sewershed.ledger.wording import short_of

    row = queries.row(recorded.id, as_account=here.account)
    wants = queries.unheld(recorded.thing, as_account=here.account).get(row.root, ())
    words = words_of(here, [], here.now, {want.who for want in wants})
    for want in wants:
        click.echo(f"  Entered, but {short_of(row.name, row.office, want)}: {words.want(want)}", err=True)
        if want.who and want.day is not None:
            whose = shlex.quote(words.names.get(want.who, want.who))
            click.echo(
                f"    sewershed record {shlex.quote(here.typed)} office_held --on {whose} --at {want.day} --set office={want.what}",
                err=True,
            )


def _tell_decided_by_text(here: Here, thing: str, fact: str) -> None:
    """Tells where a decision on a fact decides nothing, since the text itself does; with the steps."""
    from sewershed.ledger import queries

    world = queries.world(as_account=here.account)
    kind = world.vocabulary.things[world.thing(thing).type]
    if fact not in kind.facts or not kind.facts[fact].derived:
        return
    if steps := world.steps_without_decision(thing, fact):
        click.echo("  Entered, and it decides nothing, since the text itself decides:", err=True)
        for step in steps:
            click.echo(f"    {step}", err=True)


def law_entries() -> Mapping[str, Entry]:
    """Returns the entries of the law that the town runs, by id."""
    from sewershed.ledger import law

    running = law.in_force()
    return running.library.entries(running.book_id)


def _is_other(one: Due, other: Due) -> bool:
    return (one.state, one.due, one.asks, one.if_read_as) != (other.state, other.due, other.asks, other.if_read_as)


def _tell(here: Here, gone: Sequence[Due], changed: Sequence[Due]) -> None:
    """Prints lines that are no more, and those that are other than they were, one a row, cut to the terminal's width.

    Below one that is from memory stands so.
    """
    from sewershed.cli.words import words_of

    words = words_of(here, [*gone, *changed], here.now)
    told = [("No longer due", line) for line in gone] + [(line.word, line) for line in changed]
    rows = [
        (word, words.moment(line.due) if line.due is not None else "", words.keys[line.key], line.means)
        for word, line in told[:MOST_TOLD]
    ]
    across = [max(len(row[column]) for row in rows) + 2 for column in range(3)] if rows else []
    for row, (_, line) in zip(rows, told, strict=False):
        text = "".join(part.ljust(room) for part, room in zip(row[:3], across, strict=True)) + row[3]
        click.echo(f"  {text if len(text) <= terminal.width() - 2 else text[: terminal.width() - 3] + '…'}", err=True)
        if line.caution:
            click.echo(f"    {line.caution}", err=True)
    if len(told) > MOST_TOLD:
        click.echo(f"  and {len(told) - MOST_TOLD} more: sewershed due", err=True)


# ------------------------------------------------------------------------------------------------ the vocabulary


def _field_pairs(owner: str, known: Mapping[str, Fact]) -> list[tuple[str, str]]:
    """Returns each field that can be entered, with what may stand in it and what it means."""
    from sewershed.cli.fields import type_words
    from sewershed.ledger import law

    roles = law.in_force().book.roles
    pairs = []
    for fact in known.values():
        if not fact.retired and not fact.derived:
            first = f"{type_words(fact, roles)}{' (needed)' if fact.required else ''}"
            pairs.append((fact.name, "\n".join(filter(None, (first, fact.means, *_choices(owner, fact))))))
    return pairs


def _choices(owner: str, fact: Fact) -> list[str]:
    """Returns the words of a field that the town's books list, as lines; those of a form with what it asks."""
    from sewershed.ledger import choices, law

    if fact.one_of is None:
        return []
    running, lines = law.in_force(), []
    for part in choices.parts(running, fact.one_of) or ("",):
        known = choices.words(running, owner, fact.name, fact.one_of, part) or {}
        if part and known:
            lines += [f"{fact.one_of.by}={part}", *(f"- {word}: {means}" for word, means in known.items())]
        elif known:
            lines.append(f"One of {', '.join(known)}")
    return lines


def _field_help(owner: str, known: Mapping[str, Fact]) -> str:
    """Returns the fields as a part of a help page, which click leaves as it is."""
    pairs = _field_pairs(owner, known)
    if not pairs:
        return "It has no fields."
    across = max(len(name) for name, _ in pairs) + 2
    lines = ["\b", "Fields:"]
    for name, text in pairs:
        before = f"  {name.ljust(across)}"
        for paragraph in text.splitlines():
            for line in textwrap.wrap(paragraph, max(30, terminal.width() - across - 6), break_on_hyphens=False):
                lines.append(f"{before}{line}")
                before = " " * (across + 2)
    return "\n".join(lines)


def _print_vocabulary(vocabulary: Vocabulary, about: str, *, is_json: bool) -> None:
    from sewershed.rules.problems import did_you_mean

    things, events = _about(vocabulary, about)
    if not (events or things):
        known = {*vocabulary.things, *vocabulary.events, *(one.program for one in vocabulary.things.values())}
        near = did_you_mean(about, known) or "; leave --about out to see everything"
        raise Failure(f"nothing is called {about!r}{near}")
    if is_json:
        for kind in things:
            terminal.print_json(
                {
                    "thing": kind.name,
                    "program": kind.program,
                    "means": kind.means,
                    "fields": _fields(kind.name, kind.facts),
                }
            )
        for event in events:
            terminal.print_json(
                {
                    "event": event.name, "on": event.on or None, "program": event.program, "means": event.means,
                    "precision": event.precision, "fields": _fields(event.name, event.data),
                }
            )  # fmt: skip
        for name, unit in _measured(vocabulary, about).items():
            terminal.print_json({"parameter": name, "unit": unit})
        return
    for program in dict.fromkeys(one.program for one in things):
        if not about:
            terminal.heading(program.upper())
        for thing in (one for one in things if one.program == program):
            _print_thing(thing, [one for one in events if one.on == thing.name], is_brief=not about)
    rest = [one for one in events if one.on not in {thing.name for thing in things}]
    if rest:
        if not about:
            terminal.heading("OF ANY THING")
        _print_events(rest, is_brief=not about)
    if measured := _measured(vocabulary, about):
        terminal.heading("WHAT A SAMPLE_RESULT MAY BE OF, AND THE UNIT THAT A LIMIT HAS")
        terminal.pairs(list(measured.items()), indent=4)
    if not about:
        click.echo()
        terminal.say(
            "`--list --about spill` shows the fields of all that concerns a spill, `record TOWN call --help` those of one event."
        )


def _measured(vocabulary: Vocabulary, about: str) -> dict[str, str]:
    """Returns what a laboratory reports, each with its unit, where all or the event of a result is listed."""
    return dict(sorted(vocabulary.parameters.items())) if about in ("", "sample_result") else {}


def _about(vocabulary: Vocabulary, about: str) -> tuple[list[ThingType], list[EventType]]:
    """Returns the things and events that are asked for: a type of thing with its events, an event, or those of a program.

    Edge: a word that is both a type of thing and a program is the thing.
    """
    things = [one for one in vocabulary.things.values() if not one.retired]
    events = [one for one in vocabulary.events.values() if not one.retired]
    if about in vocabulary.things:
        return [one for one in things if one.name == about], [one for one in events if one.on == about]
    if about in vocabulary.events:
        return [], [one for one in events if one.name == about]
    return [one for one in things if about in ("", one.program)], [one for one in events if about in ("", one.program)]


def _print_thing(thing: ThingType, events: Sequence[EventType], *, is_brief: bool) -> None:
    terminal.heading(f"{thing.name} new")
    terminal.say(thing.means, indent=2)
    if not is_brief:
        terminal.pairs(_field_pairs(thing.name, thing.facts), indent=4)
    _print_events(events, is_brief=is_brief)


def _print_events(events: Sequence[EventType], *, is_brief: bool) -> None:
    if is_brief:
        terminal.pairs([(one.name, one.means) for one in events], indent=4)
        return
    for one in events:
        click.echo()
        click.echo(click.style(f"    {one.name}", bold=True))
        terminal.say(one.means, indent=6)
        terminal.pairs(_field_pairs(one.name, one.data), indent=6)


def _fields(owner: str, known: Mapping[str, Fact]) -> list[dict[str, Any]]:
    from sewershed.ledger import choices, law

    running = law.in_force()
    return [
        {
            "name": fact.name, "type": fact.type.kind, "unit": fact.type.unit or None, "of": fact.type.words or None,
            "to": fact.type.to or None, "required": fact.required, "judged_by": fact.judged_by or None,
            "private": fact.private, "means": fact.means, "min": fact.least, "max": fact.most,
            "event": fact.one_of.name if fact.one_of and fact.one_of.source == "event" else None,
            "one_of": choices.words(running, owner, fact.name, fact.one_of) if fact.one_of else None,
        }
        for fact in known.values()
        if not fact.retired and not fact.derived
    ]  # fmt: skip
