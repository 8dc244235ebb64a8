"""`sewershed account`: who may do what in a town's record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sewershed.cli import terminal
from sewershed.cli.terminal import Verb, json_option
from sewershed.cli.towns import Here, in_town

if TYPE_CHECKING:
    from sewershed.ledger.models import Account


@click.command(
    cls=Verb,
    examples="""
    sewershed account ./spring-hope
    sewershed account ./spring-hope clerk --new --roles clerk --person "T. Clerk"
    sewershed account ./spring-hope clerk --roles clerk,inspector
    sewershed account ./spring-hope clerk --close
    """,
)
@in_town
@click.argument("name", required=False, default="")
@click.option("--new", "is_new", is_flag=True, help="Make the account; its name is never given again.")
@click.option(
    "--roles", default=None, metavar="ROLES", help="What it may do, commas between; without NAME all are listed."
)
@click.option("--person", default=None, metavar="PERSON", help="To whom it belongs.")
@click.option("--password", "asks_password", is_flag=True, help="Ask for its password.")
@click.option(
    "--close/--open", "is_closed", default=None, help="Close it, or open it again. The record keeps its name."
)
@json_option
def account(
    here: Here,
    name: str,
    is_new: bool,
    roles: str | None,
    person: str | None,
    asks_password: bool,
    is_closed: bool | None,
    is_json: bool,
) -> None:
    """Lists accounts and roles, makes and changes them.

    A role is what an account may do here; an office is what a person is in the law (`record TOWN office_held`). An account
    belongs to one person.
    """
    from sewershed.cli.handles import thing_named
    from sewershed.ledger import actions, queries

    if name and (is_new or roles is not None or person is not None or asks_password or is_closed is not None):
        password = click.prompt("Password", hide_input=True, confirmation_prompt=True) if asks_password else None
        wanted = None if roles is None else {one.strip() for one in roles.split(",") if one.strip()}
        belongs = None if person is None else (thing_named(here, person, "person").id if person else "")
        if is_new:
            actions.open_account(
                name,
                as_account=here.account,
                roles=wanted or set(),
                person=belongs or "",
                password=password or "",
                source="command",
            )
        else:
            actions.change_account(
                name,
                as_account=here.account,
                roles=wanted,
                person=belongs,
                password=password,
                is_active=None if is_closed is None else not is_closed,
                source="command",
            )
    shown = [one for one in queries.accounts(as_account=here.account) if name in ("", one.name)]
    if is_json:
        for one in shown:
            terminal.print_json(_facts(one))
        return
    for one in shown:
        click.echo(f"{click.style(one.name, bold=True)}  {_said(here, one)}")
    if not name:
        _print_roles()


def _said(here: Here, one: Account) -> str:
    from sewershed.ledger import queries

    parts = [", ".join(sorted(one.role_set())) or "no role"]
    if one.person:
        parts.append(queries.thing(one.person, as_account=here.account).label)
    if not one.is_active:
        parts.append("closed")
    elif not one.has_usable_password():
        parts.append("no password: the command alone acts as it")
    return " · ".join(parts)


def _print_roles() -> None:
    import tomllib

    from sewershed.ledger.rights import TABLE

    table = tomllib.loads(TABLE.read_text("utf-8"))["roles"]
    terminal.heading("Roles")
    terminal.pairs(
        [
            (
                role,
                row["means"]
                + "\n"
                + "; ".join(
                    f"{'everything' if program == '*' else program}: {', '.join(verbs)}"
                    for program, verbs in row.items()
                    if program != "means"
                ),
            )
            for role, row in table.items()
        ]
    )


def _facts(one: Account) -> dict[str, Any]:
    return {
        "name": one.name,
        "roles": sorted(one.role_set()),
        "person": one.person or None,
        "is_active": one.is_active,
        "has_password": one.has_usable_password(),
        "made_at": one.made_at,
    }
