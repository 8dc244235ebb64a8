"""The log as a register: rows read a page at a time, with what a correction changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import django_tables2
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django_tables2.data import TableData

from sewershed.desk.shell import marks
from sewershed.desk.shell.tables import Register
from sewershed.desk.town.record import MOST_SAID, LogLine, log_lines
from sewershed.ledger.journal import Asked
from sewershed.ledger.models import Account

AT_ONCE = 500  # rows that are read together when the whole list goes out as a file


class _Recorded(django_tables2.Column):  # type: ignore[misc]  # django-tables2 says nothing of its types
    """When a row was entered, and which it is."""

    def render(self, record: LogLine) -> SafeString:
        """Returns the moment with the position."""
        return format_html("{}<small>Row {}</small>", record.recorded, f"{record.position:,}")


class _By(django_tables2.Column):  # type: ignore[misc]  # as above
    """Who entered a row, and who did what it says."""

    def render(self, record: LogLine) -> SafeString:
        """Returns the account, and the person where one is named."""
        done = format_html("<small>Done by {}</small>", record.performed_by) if record.performed_by else ""
        return format_html("{}{}", record.by, done)


class _What(django_tables2.Column):  # type: ignore[misc]  # as above
    """What a row is called and what it is about, each leading to its page; what has become of it since stands beside."""

    def render(self, record: LogLine) -> SafeString:
        """Returns title and thing as links."""
        mark = marks.marked(record.word, record.stands) if record.word else ""
        row, thing = reverse("row", args=[record.id]), reverse("thing", args=[record.thing])
        return format_html(
            '<b><a href="{}">{}</a></b> {}<small><a href="{}">{}</a></small>',
            row,
            record.title,
            mark,
            thing,
            record.about,
        )


class _Said(django_tables2.Column):  # type: ignore[misc]  # as above
    """What a row says and when that was; of a correction only what it changed, before and after."""

    def render(self, record: LogLine) -> SafeString:
        """Returns the changes, or the first of what is said."""
        why = format_html("<small>Because: {}</small>", record.why) if record.why else ""
        if record.changes:
            lines = ((one.name, one.before, one.after) for one in record.changes)
            said = format_html_join(
                "", "<li>{}: <del>{}</del><span class='usa-sr-only'> became </span> <ins>{}</ins></li>", lines
            )
            return format_html('<ul class="changes">{}</ul>{}', said, why)
        text = record.said if len(record.said) <= MOST_SAID else f"{record.said[:MOST_SAID]}…"
        when = (
            format_html("<small>Happened {}</small>", record.when) if record.when not in ("", record.recorded) else ""
        )
        return format_html("{}{}{}", text, when, why)


class LogTable(Register):
    """Who did what, when: the latest row first."""

    title, counts = "Log", ("row", "rows")
    recorded = _Recorded(verbose_name="Recorded", orderable=False)
    by = _By(verbose_name="By", orderable=False)
    what = _What(verbose_name="What", empty_values=(), orderable=False, attrs={"td": {"class": "wrap"}})
    said = _Said(verbose_name="What it says", empty_values=(), orderable=False, attrs={"td": {"class": "wrap"}})


class LogFile(Register):
    """The log for other programs: a column for each thing that a page puts together."""

    title, counts = "Log", ("row", "rows")
    position = django_tables2.Column(verbose_name="Row")
    recorded = django_tables2.Column(verbose_name="Recorded")
    by = django_tables2.Column(verbose_name="Entered by")
    performed_by = django_tables2.Column(verbose_name="Done by")
    office = django_tables2.Column(verbose_name="In the office of")
    title_ = django_tables2.Column(verbose_name="What", accessor="title")
    about = django_tables2.Column(verbose_name="About")
    thing = django_tables2.Column(verbose_name="Id of the thing")
    when = django_tables2.Column(verbose_name="Happened")
    said = django_tables2.Column(verbose_name="What it says")
    changed = django_tables2.Column(verbose_name="What it changed", accessor="changed")
    stands = django_tables2.Column(verbose_name="Stands")
    why = django_tables2.Column(verbose_name="Why")
    source = django_tables2.Column(verbose_name="From")
    id = django_tables2.Column(verbose_name="Id of the row")
    corrects = django_tables2.Column(verbose_name="Belongs to")


class LogData(TableData):  # type: ignore[misc]  # as above
    """The rows of the log as a table reads them, narrowed by the ledger."""

    def __init__(self, account: Account, asked: Asked) -> None:
        super().__init__(None)
        self.account, self.asked = account, asked
        self._total: int | None = None

    def __len__(self) -> int:
        """Returns how many there are."""
        if self._total is None:
            self._total = log_lines(self.account, self.asked, 0, 1)[1]
        return self._total

    def __getitem__(self, key: slice | int) -> Any:
        """Returns a part of the list."""
        if isinstance(key, int):
            return self._rows(key, 1)[0]
        start, stop = key.start or 0, key.stop if key.stop is not None else len(self)
        return self._rows(start, stop - start)

    def __iter__(self) -> Iterator[LogLine]:
        """Yields every row, some at a time."""
        last: int | None = None
        while lines := log_lines(self.account, self.asked, 0, AT_ONCE, last)[0]:
            yield from lines
            last = lines[-1].position

    def order_by(self, aliases: Sequence[str]) -> None:
        """Leaves the order as it is: the log has one."""

    def _rows(self, offset: int, limit: int) -> Sequence[LogLine]:
        lines, self._total = log_lines(self.account, self.asked, offset, limit)
        return lines
