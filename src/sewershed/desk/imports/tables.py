"""The lines of a plan, and the rows that a list entered, as registers: read a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import django_tables2
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django_tables2.data import TableData

from sewershed.desk.imports.queries import WHATS, LineShown, RowShown
from sewershed.desk.shell import marks
from sewershed.desk.shell.tables import Register
from sewershed.ledger.shown import Page

_MARKS = {"same": "Waiting", "refused": "Cannot tell"}  # the others speak for themselves
_STANDS = {"corrected": "Replaced", "withdrawn": "Withdrawn"}


class _What(django_tables2.Column):  # type: ignore[misc]  # django-tables2 says nothing of its types
    """What a line would do."""

    def render(self, record: LineShown) -> SafeString:
        """Returns the word, marked where nothing would be entered."""
        said = WHATS[record.what][0]
        return marks.marked(_MARKS[record.what], said) if record.what in _MARKS else format_html("<b>{}</b>", said)


class _About(django_tables2.Column):  # type: ignore[misc]  # as above
    """What a line is about."""

    def render(self, record: LineShown) -> SafeString:
        """Returns the thing, leading to its page where it is in the record already."""
        when = format_html("<small>{}</small>", record.when) if record.when else ""
        if record.about_url:
            return format_html('<a href="{}">{}</a>{}', record.about_url, record.about, when)
        return format_html("{}{}", record.about, when)


class _Says(django_tables2.Column):  # type: ignore[misc]  # as above
    """What a line says: what would be entered, and what is known now; or why it cannot be read."""

    def render(self, record: LineShown) -> SafeString:
        """Returns the fields, the reasons, the note."""
        note = format_html("<small>{}</small>" if record.note else "{}", record.note[:1].upper() + record.note[1:])
        if record.what == "refused":
            reasons = format_html_join("", "<li>{}</li>", ((one,) for one in record.reasons))
            cells = format_html_join("; ", "{}: {}", ((name, text) for name, text in record.cells if text))
            return format_html('<ul class="changes">{}</ul><small>{}</small>', reasons, cells)
        lines = (
            (
                name,
                format_html("<del>{}</del><span class='usa-sr-only'> becomes </span> <ins>{}</ins>", before, value)
                if before
                else value,
            )
            for name, value, before in record.says
        )
        said = format_html_join("", "<li>{}: {}</li>", lines)
        return format_html('<ul class="changes">{}</ul>{}', said, note) if record.says else note


class PlanLines(Register):
    """What each line of a list would do, in the order of the file."""

    title, counts = "Lines of the list", ("line", "lines")
    number = django_tables2.Column(verbose_name="Line", orderable=False, attrs={"td": {"class": "num"}})
    what = _What(verbose_name="What it does", orderable=False, empty_values=())
    about = _About(verbose_name="About", orderable=False, empty_values=(), attrs={"td": {"class": "wrap"}})
    says = _Says(verbose_name="What it says", orderable=False, empty_values=(), attrs={"td": {"class": "wrap"}})


class _Row(django_tables2.Column):  # type: ignore[misc]  # as above
    """A row that was entered, leading to it."""

    def render(self, record: RowShown) -> SafeString:
        """Returns the title as a link, marked where it does not stand any more."""
        mark = marks.marked(_STANDS[record.stands], record.stands.capitalize()) if record.stands in _STANDS else ""
        return format_html('<a href="{}">{}</a> {}', reverse("row", args=[record.id]), record.title, mark)


class _Thing(django_tables2.Column):  # type: ignore[misc]  # as above
    """What a row is about."""

    def render(self, record: RowShown) -> SafeString:
        """Returns the thing as a link."""
        return format_html('<a href="{}">{}</a>', record.about_url, record.about)


class EnteredRows(Register):
    """The rows that a list entered."""

    title, counts = "Rows that were entered", ("row", "rows")
    line = django_tables2.Column(verbose_name="Line", orderable=False, attrs={"td": {"class": "num"}})
    row = _Row(verbose_name="Row", orderable=False, empty_values=())
    about = _Thing(verbose_name="About", orderable=False, empty_values=(), attrs={"td": {"class": "wrap"}})
    when = django_tables2.Column(verbose_name="Happened", orderable=False)


class PagedData(TableData):  # type: ignore[misc]  # as above
    """A list of which a page is read at a time: `read` is given offset and limit."""

    def __init__(self, read: Callable[[int, int], Page[Any]]) -> None:
        super().__init__(None)
        self.read = read
        self._total: int | None = None

    def __len__(self) -> int:
        """Returns how many there are."""
        if self._total is None:
            self._total = self.read(0, 1).total
        return self._total

    def __getitem__(self, key: slice | int) -> Any:
        """Returns a part of the list."""
        if isinstance(key, int):
            return self._rows(key, 1)[0]
        start = key.start or 0
        return self._rows(start, (key.stop if key.stop is not None else len(self)) - start)

    def __iter__(self) -> Iterator[Any]:
        """Yields all of the list."""
        yield from self._rows(0, len(self))

    def order_by(self, aliases: Sequence[str]) -> None:
        """Leaves the order as it is: it is that of the file."""

    def _rows(self, offset: int, limit: int) -> Sequence[Any]:
        page = self.read(offset, limit)
        self._total = page.total
        return page.items
