"""How the terminal looks: help with examples, lines that wrap under themselves, columns that align, progress, JSON."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

NARROWEST, WIDEST = 60, 120
_SILENT_SECONDS = 1.0  # shorter work shows no progress
_EACH_SECONDS = 0.25


class Verb(click.Command):
    """A command whose help ends with examples, printed as they are typed."""

    def __init__(self, *args: Any, examples: str = "", **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.examples = textwrap.dedent(examples).strip()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reads the words; what was given and is empty is refused."""
        rest = super().parse_args(ctx, args)
        refuse_empty(self, ctx)
        return rest

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the examples."""
        write_examples(formatter, self.examples)


class Verbs(click.Group):
    """A group of commands whose help ends with examples."""

    command_class = Verb

    def __init__(self, *args: Any, examples: str = "", **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.examples = textwrap.dedent(examples).strip()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reads the words; what was given and is empty is refused."""
        rest = super().parse_args(ctx, args)
        refuse_empty(self, ctx)
        return rest

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the examples."""
        write_examples(formatter, self.examples)


def refuse_empty(command: click.Command, ctx: click.Context) -> None:
    """Refuses an option that was given and is empty, as of a variable that was never set: it must not mean all, or nobody.

    Edge: an option that has a meaning when it is empty (a correction that takes the person away) has another default.
    """
    for param in command.params:
        name = param.name or ""
        is_typed = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_typed and ctx.params.get(name) == "" and param.default == "":
            raise click.BadParameter("it is empty; leave it out, or say something", ctx, param)


def write_examples(formatter: click.HelpFormatter, examples: str) -> None:
    """Writes examples into a help page."""
    if examples:
        formatter.write_paragraph()
        formatter.write_heading("Examples")
        for line in examples.splitlines():
            formatter.write(f"  {line}\n")


json_option = click.option("--json", "is_json", is_flag=True, help="Print facts as JSON, one object a line.")


def width() -> int:
    """Returns how many columns to fill."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((100, 24)).columns))


def say(text: str = "", *, indent: int = 0, first: str = "", **style: Any) -> None:
    """Prints text wrapped to the terminal; what follows the first line stands under it.

    Args:
        text: a paragraph.
        indent: columns before every line.
        first: what stands in those columns on the first line, in place of blanks.
        style: of the text, as `click.style` takes it.
    """
    room = max(20, width() - indent)
    lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
    for number, line in enumerate(lines):
        before = first.ljust(indent) if number == 0 else " " * indent
        shown = click.style(line, **style) if style else line
        click.echo(f"{before}{shown}".rstrip() if not style else f"{before}{shown}")


def heading(text: str, **style: Any) -> None:
    """Prints the heading of a part, after a blank line."""
    click.echo()
    click.echo(click.style(text, bold=True, **style))


def pairs(rows: Iterable[tuple[str, str]], *, indent: int = 2) -> None:
    """Prints names and what they are, the latter aligned and wrapped."""
    known = list(rows)
    if not known:
        return
    across = min(max(len(name) for name, _ in known) + 2, 30)
    for name, text in known:
        paragraphs = text.splitlines() or [""]
        for number, paragraph in enumerate(paragraphs):
            label = " " * indent + (name if number == 0 else "")
            if len(name) + 2 > across and number == 0:
                click.echo(label)
                label = ""
            say(paragraph, indent=indent + across, first=label)


def steps(texts: Iterable[str], *, indent: int = 2) -> None:
    """Prints numbered steps."""
    known = list(texts)
    digits = len(str(len(known)))
    for number, text in enumerate(known, 1):
        say(text, indent=indent + digits + 2, first=f"{' ' * indent}{number:>{digits}}")


def abbreviations(texts: Iterable[str], known: Mapping[str, str]) -> None:
    """Spells out, once, the abbreviations of the books that stand in texts which were printed."""
    used = spelled_out(" ".join(texts), known)
    if used:
        click.echo()
        say("; ".join(f"{short}: {means}" for short, means in used), dim=True)


def spelled_out(text: str, known: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns the abbreviations that stand in a text as words of their own, in the order in which they first do.

    Example:
        >>> spelled_out("Form CS-SSO, by the ORC", {"ORC": "operator", "SSO": "overflow", "CS-SSO": "the form"})
        [('CS-SSO', 'the form'), ('ORC', 'operator')]
    """
    places = {
        short: found.start() for short in known if (found := re.search(rf"(?<![\w-]){re.escape(short)}(?![\w-])", text))
    }
    return [(short, known[short]) for short in sorted(places, key=places.__getitem__)]


def from_here(text: str) -> str:
    """Returns a text with the files below the present folder named from there, as whoever stands in it would type them."""
    here = str(Path.cwd())
    if here == "/":
        return text
    below = re.sub(rf"(?<![\w./-]){re.escape(here)}/", "", text)
    return re.sub(rf"(?<![\w./-]){re.escape(here)}(?![\w/-])", ".", below)


def many(count: int, what: str, plural: str = "") -> str:
    """Returns a count with its noun.

    Example:
        >>> many(1, "day"), many(2, "day"), many(0, "entry", "entries")
        ('1 day', '2 days', '0 entries')
    """
    return f"{count:,} {what if count == 1 else plural or what + 's'}"


def print_json(value: Any) -> None:
    """Prints one object on a line, as JSON; exact numbers stand as texts, as they do in the log."""
    click.echo(json.dumps(plain(value), ensure_ascii=False))


def plain(value: Any) -> Any:
    """Returns a value as JSON has it."""
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, Iterable):
        return [plain(one) for one in value]
    raise TypeError(f"{value!r} is no fact to print")


@contextmanager
def progress(what: str) -> Iterator[Callable[[str], None]]:
    """Yields what tells how far long work has come, on standard error; work of less than a second shows nothing.

    A second thread keeps the line moving, so that work which tells nothing is seen to go on as well. Where nobody is at the
    terminal nothing is shown.

    Args:
        what: the work, such as "working out the town".
    """
    told = [""]

    def tell(how_far: str) -> None:
        told[0] = how_far

    if not sys.stderr.isatty():
        yield tell
        return
    ended, began = threading.Event(), time.monotonic()
    shower = threading.Thread(target=_show_progress, args=(what, told, began, ended), daemon=True)
    shower.start()
    try:
        yield tell
    finally:
        ended.set()
        shower.join()


def _show_progress(what: str, told: Sequence[str], began: float, ended: threading.Event) -> None:
    """Shows how far work has come, again and again, from its first second on until it ends; then takes the line away."""
    is_shown = False
    while not ended.wait(_EACH_SECONDS):
        passed = time.monotonic() - began
        if passed >= _SILENT_SECONDS:
            is_shown = True
            how_far = f": {told[0]}" if told[0] else ""
            click.echo(f"\r\x1b[K{what}{how_far} ({passed:.0f} s)", nl=False, err=True)
    if is_shown:
        click.echo("\r\x1b[K", nl=False, err=True)
