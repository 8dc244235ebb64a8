"""`sewershed rules new`: the folder of a new rulebook, which loads as it stands and says where everything goes."""

from __future__ import annotations

import re
from pathlib import Path
from zoneinfo import ZoneInfo

import click

from sewershed.cli import terminal
from sewershed.cli.failing import Failure
from sewershed.cli.shelf import book_named, books_option, load
from sewershed.cli.terminal import Verb

_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*")
_IDENTITY = """\
# Which rulebook this is, whose child, and how time is counted there.
id = {place}
name = {name}
{parent}time_zone = {zone}
edition = {edition}                   # the label that every answer shows

[holidays]
base = "US"                         # a list that the holidays package knows; "" for none
add = []                            # days the text closes beyond it
drop = []                           # days of the list on which the town works

[clock]
fiscal_year_start = "07-01"

[roles]                             # offices of the law: our word = the title that the town uses
town = "the town"
# orc = "operator in responsible charge"
# town_manager = "town manager"

[abbreviations]                     # what lists spell out where a cite has used it
# UO = "Utilities Ordinance"
"""
_ENTRIES = """\
# The entries: one table for each thing that the text says, in any number of files and in any order.
# Nine kinds: value limit duty standard act status penalty calc doubt. Each has id, cites, means; `covers` names the clauses
# of register.tsv that it carries. `sewershed rules check` says everything that is wrong, at once.
#
# [[duty]]
# id = "{place}.spill.look"
# cites = ["UO 3-1"]
# covers = ["UO-3-1"]
# means = "Look at every report of a spill within three hours"
# who = "town"
# on = "spill"
# opens = {{ event = "call", once = [] }}
# due = {{ within = "3 hours" }}
# met_by = {{ event = "crew_arrived" }}
# closes = {{ event = ["found_to_be_none", "joined"] }}
"""
_CASES = """\
# Worked cases: what is given, when it is asked, what must come out. Take the expected value from the text itself, from a
# published table, or work it out on paper; never copy what the engine said. Write both sides of each edge.
#
# [given]
# book = "{place}"
#
# [[case]]
# id = "two hours and 59 minutes: in time"
# origin = "hand: 15:40 and three hours are 18:40"
# facts.s = {{ _type = "spill" }}
# events = [
#   {{ id = "c", event = "call", subject = "s", at = "2024-03-08T15:40" }},
#   {{ id = "a", event = "crew_arrived", subject = "s", at = "2024-03-08T18:39" }},
# ]
# as_of = "2024-03-09"
# expect.obligations = [{{ rule = "{place}.spill.look", state = "met", due = "2024-03-08T18:40-05:00" }}]
"""


@click.command(
    cls=Verb,
    examples="""
    sewershed rules new us.nc.pine_hollow ./pine-hollow/rulebooks/pine_hollow --name "Pine Hollow"
    sewershed rules new xx.otter_bend ./books/otter_bend --parent us --zone America/Chicago
    """,
)
@click.argument("place")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--name", default="", help="The name that papers give; from the last word of PLACE if left out.")
@click.option(
    "--parent", default=None, metavar="PLACE", help="The book above it; what stands before the last dot if left out."
)
@click.option("--zone", default="America/New_York", show_default=True, help="The time zone of the town.")
@click.option("--edition", default="1", show_default=True, help="How answers name this edition of the text.")
@books_option
def new(
    place: str, folder: Path, name: str, parent: str | None, zone: str, edition: str, own: tuple[Path, ...]
) -> None:
    """Begins the rulebook of PLACE in FOLDER: its identity, an empty register, files for entries and worked cases.

    It loads as it stands. A town that is made in the folder above `rulebooks` runs it: see docs/howto/your-town.md.
    """
    if not _ID.fullmatch(place):
        raise Failure(
            f"{place!r} cannot be the id of a book: words in lower case, most general first, as in us.nc.pine_hollow"
        )
    if folder.exists() and any(folder.iterdir()):
        raise Failure(f"{folder} is there and not empty; name a new folder, so that nothing is overwritten")
    library = load(own)
    if place in library.books:
        raise Failure(f"there is a rulebook {place} already, in {library.books[place].folder}")
    above = place.rpartition(".")[0] if parent is None else parent
    if parent is None and above not in library.books:
        raise Failure(
            f"there is no rulebook {above!r} above {place}",
            [f"--parent {one}" for one in sorted(library.books) if "." not in one] + ["--parent ''  for none"],
        )
    if above:
        book_named(library, above)
    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        raise Failure(f"{zone!r} is no time zone; write one such as America/Chicago") from None
    written = {
        "rulebook.toml": _IDENTITY.format(
            place=_quoted(place), name=_quoted(name or place.rpartition(".")[2].replace("_", " ").title()), zone=_quoted(zone),
            edition=_quoted(edition), parent=f"parent = {_quoted(above)}\n" if above else "",
        ),
        "rules.toml": _ENTRIES.format(place=place),
        "register.tsv": "\t".join(_columns()) + "\n",
        "cases/rules.toml": _CASES.format(place=place),
    }  # fmt: skip
    for path, text in written.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    click.echo(f"The rulebook {click.style(place, bold=True)} is begun:")
    terminal.pairs([(str(folder / path), what) for path, what in zip(written, _WHAT, strict=True)])
    click.echo(f"\nThen: sewershed rules check {place} --cases --books {folder.parent}")


_WHAT = (
    "its identity: offices, holidays, clock",
    "its entries; add files as you like",
    "every clause of the source, one a line",
    "its worked cases",
)


def _columns() -> tuple[str, ...]:
    from sewershed.rules.loading.books import REGISTER_COLUMNS

    return REGISTER_COLUMNS


def _quoted(text: str) -> str:
    """Returns a text as TOML writes it on one line."""
    return (
        '"'
        + "".join({"\\": "\\\\", '"': '\\"'}.get(one, one if one >= " " else f"\\u{ord(one):04x}") for one in text)
        + '"'
    )
