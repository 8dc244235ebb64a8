"""`sewershed report`: papers, as drafts or issued."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sewershed.cli import completing, terminal
from sewershed.cli.failing import Failure, check_folder
from sewershed.cli.terminal import Verb, json_option
from sewershed.cli.towns import Asked, Here, asking, in_town

if TYPE_CHECKING:
    from sewershed.ledger.papers.issuing import Kind


@click.command(
    cls=Verb,
    examples="""
    sewershed report ./spring-hope
    sewershed report ./spring-hope spill_report 24-001 -o report.pdf
    sewershed report ./spring-hope spill_report 24-001 --issue --by "A. Operator" --office orc
    sewershed report ./spring-hope statement_of_reasons 24-001 tell
    sewershed report ./spring-hope year_table FY2023 --data
    """,
)
@in_town
@click.argument("kind", required=False, default="", shell_complete=completing.papers)
@click.argument("about", nargs=-1, shell_complete=completing.keys)
@click.option("--part", default="", metavar="TEXT", help="What the paper takes besides: a call, a year.")
@click.option(
    "-o",
    "--output",
    default="",
    metavar="FILE",
    help="Where to write it, - for standard output; else a draft is written here, an issued paper is only kept.",
)
@click.option("--data", "is_data", is_flag=True, help="Write the data of the paper, as JSON, instead of its pages.")
@click.option("--issue", "is_issued", is_flag=True, help="Issue it: it takes its number and is kept.")
@click.option(
    "--by", default="", metavar="PERSON", shell_complete=completing.persons, help="With --issue: who signs it."
)
@click.option(
    "--office", default="", shell_complete=completing.offices, help="With --issue: in which office of the law."
)
@asking
@json_option
def report(
    here: Here,
    asked: Asked,
    kind: str,
    about: Sequence[str],
    part: str,
    output: str,
    is_data: bool,
    is_issued: bool,
    by: str,
    office: str,
    is_json: bool,
) -> None:
    """Makes a paper from the record: PDF, or its data. A draft unless it is issued.

    KIND is one of those that `sewershed report TOWN` lists. ABOUT is the thing it is about; for a statement of reasons the key
    that `sewershed due` prints; for the papers of the town the year, where they take one. A draft is marked so and not kept. An
    issued paper has a number, stays as it is for ever, and prints the head of the record.
    """
    from sewershed.ledger.papers import KINDS, draft, issue, why_unasked
    from sewershed.ledger.papers.telling import remarks

    if not kind:
        _list(is_json=is_json)
        return
    wanted = KINDS.get(kind.replace("-", "_"))
    if wanted is None:
        from sewershed.rules.problems import did_you_mean

        raise Failure(f"there is no paper {kind!r}{did_you_mean(kind, KINDS)}; there are {', '.join(KINDS)}")
    thing, part = _subject(here, wanted, about, part)
    if output not in ("", "-"):
        check_folder(output)
    name = f"{wanted.name}-{_file_name(here, thing, part, wanted)}"
    number, unasked, recorded = "", "", None
    with terminal.progress(f"writing the {wanted.title.lower()}") as tell:
        tell("reading the record")
        if is_issued:
            if asked.as_of or asked.known_at:
                raise click.UsageError("what is issued is issued now: leave out --as-of and --known-at")
            from sewershed.cli.handles import thing_named
            from sewershed.ledger import queries

            person = thing_named(here, by, "person").id if by else ""
            unasked = why_unasked(wanted.name, thing, as_account=here.account)
            recorded = issue(wanted.name, thing, as_account=here.account, part=part, performed_by=person, office=office)
            number = recorded.number
            kept = next(
                one for one in queries.documents(as_account=here.account, about=thing) if one["id"] == recorded.thing
            )
            content = queries.file(kept["data_sha256" if is_data else "sha256"], as_account=here.account)
        else:
            if by or office:
                raise click.UsageError("a draft is signed by nobody: --by and --office go with --issue")
            drawn = draft(
                wanted.name, thing, as_account=here.account, part=part, as_of=asked.as_of, known_at=asked.known_at
            )
            unasked = drawn.unasked
            content = drawn.data if is_data else drawn.pdf
        told = remarks(wanted.name, thing, as_account=here.account, as_of=asked.as_of, known_at=asked.known_at)
    if output == "-":
        sys.stdout.buffer.write(content)
        return
    path = _written(content, output, "" if is_issued else f"{name}-draft.{'json' if is_data else 'pdf'}")
    if is_json:
        terminal.print_json(
            {
                "kind": wanted.name,
                "about": thing,
                "number": number or None,
                "is_draft": not is_issued,
                "path": str(path),
                "unasked": unasked or None,
                "remarks": list(told),
            }
        )
        return
    click.echo(str(path))
    if recorded is not None:
        from sewershed.cli.record import tell_unheld

        tell_unheld(here, recorded)
    said = f"{wanted.title} {number}, issued and kept" if is_issued else f"{wanted.title}, a draft: nothing was kept"
    where = " in the town's files; -o writes a copy" if is_issued else "; written here, -o says where else"
    click.echo(f"{said}{'' if output else where}.", err=True)
    for remark in filter(None, (unasked, *told)):
        click.echo(remark, err=True)


def _written(content: bytes, output: str, draft: str) -> Path:
    """Returns where a paper lies after it was written: as asked, a draft here, an issued one where it is kept anyway."""
    if not (output or draft):
        from sewershed.ledger.files import path_of, sha256

        return path_of(sha256(content))
    path = Path(output or draft)
    path.write_bytes(content)
    return path


def _subject(here: Here, kind: Kind, about: Sequence[str], part: str) -> tuple[str, str]:
    """Returns the thing that a paper is about, and what it takes besides."""
    from sewershed.cli.handles import key_named, thing_named
    from sewershed.ledger import adopting

    if kind.about == "town":
        return adopting.town_id(), part or " ".join(about)
    if not kind.about:
        key = key_named(here, [*about, *([part] if part else [])])
        return key.split("|")[1], key
    if not about:
        raise click.UsageError(f"say which {kind.about} the {kind.title.lower()} is about")
    return thing_named(here, " ".join(about), kind.about).id, part


def _file_name(here: Here, thing: str, part: str, kind: Kind) -> str:
    from sewershed.cli.handles import number_forms, short_name, vocabulary_of
    from sewershed.ledger import queries

    label = queries.thing(thing, as_account=here.account).label
    short = short_name(label, thing, number_forms(vocabulary_of(here)))
    rule = part.partition("|")[0].rpartition(".")[2] if "|" in part else part
    return re.sub(r"[^A-Za-z0-9._-]+", "-", "-".join(one for one in (short, rule) if one)).strip("-")


def _list(*, is_json: bool) -> None:
    from sewershed.ledger.papers import KINDS

    if is_json:
        for kind in KINDS.values():
            terminal.print_json(
                {"kind": kind.name, "title": kind.title, "about": kind.about or None, "part": kind.part or None,
                 "is_public": kind.is_public}
            )  # fmt: skip
        return
    terminal.pairs(
        [
            (
                kind.name,
                f"{kind.title}, about {_about(kind)}"
                + (f"; --part: {kind.part}" if kind.part and kind.about not in ("", "town") else "")
                + (f" ({kind.part})" if kind.part and kind.about in ("", "town") else ""),
            )
            for kind in KINDS.values()
        ]
    )


def _about(kind: Kind) -> str:
    return {"town": "the town", "": "one answer"}.get(kind.about, f"a {kind.about}")
