"""Registers: lists of things in one look, which filter, sort, page and go out as CSV and Excel.

A program's `tables.py` derives from `Register`, names its columns and says what it counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from inspect import Parameter, signature
from typing import Any

import django_tables2
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.encoding import force_str
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django_tables2.utils import Accessor

from sewershed.desk.shell import marks
from sewershed.exchange import sheet
from sewershed.ledger import privacy
from sewershed.ledger.models import Account

PER_PAGE = 50
MOST_HELD = 500  # lines of a file that is made whole before it goes out
NOT_RECORDED = "Not recorded"
FILES = {"csv": (sheet.csv_bytes, "text/csv; charset=utf-8"), "xlsx": (sheet.xlsx_bytes, sheet.XLSX_TYPE)}


class Register(django_tables2.Table):  # type: ignore[misc]  # django-tables2 says nothing of its types
    """A list of things. `title` names it; `counts` says what it counts, one and many."""

    title = ""
    counts = ("line", "lines")

    class Meta:
        default = ""

    @property
    def said_count(self) -> str:
        """Returns how many there are, in words."""
        count = len(self.rows)
        return f"{count:,} {self.counts[0] if count == 1 else self.counts[1]}"

    @property
    def page_numbers(self) -> Iterable[int | str]:
        """Returns the numbers of pages to offer, those far away left out."""
        numbers: Iterable[int | str] = self.paginator.get_elided_page_range(self.page.number, on_each_side=1, on_ends=1)
        return numbers


class StateColumn(django_tables2.Column):  # type: ignore[misc]  # as above
    """The state of a thing: its mark with its word."""

    def render(self, value: str) -> SafeString:
        """Returns the marked word."""
        return marks.marked(value)

    def value(self, value: str) -> str:
        """Returns the word alone, for a file."""
        return value


class FactColumn(django_tables2.Column):  # type: ignore[misc]  # as above
    """A fact, which may be one that nobody recorded: then that is said, and never left empty."""

    empty_values = ()

    def render(self, value: Any) -> Any:
        """Returns the value, or that it is not recorded."""
        if value not in (None, ""):
            return f"{value:,}" if isinstance(value, int) else value
        return format_html(
            '<span class="state state--quiet is-unknown">{}{}</span>', marks.picture("unknown"), NOT_RECORDED
        )

    def value(self, value: Any) -> Any:
        """Returns the value as it is, for a file: what is not recorded is an empty cell."""
        return value


def number(**named: Any) -> FactColumn:
    """Returns a column of numbers, which stand under each other."""
    return FactColumn(attrs={"td": {"class": "num"}}, **named)


def narrowed(request: HttpRequest, register: type[Register], rows: Any) -> Register:
    """Returns a register of rows in the order and on the page that the address asks for."""
    shown = register(rows)
    django_tables2.RequestConfig(request, paginate={"per_page": PER_PAGE, "silent": True}).configure(shown)
    return shown


def as_file(register: Register, kind: str, name: str) -> HttpResponseBase:
    """Returns the whole list, narrowed and in the order asked for, as a file: kind is csv or xlsx.

    Edge: a long list as CSV goes out while it is made, and what its reader may not see is left out of it all the same.
    """
    lines = _values(register)
    head = next(lines)
    written, content_type = FILES[kind]
    named = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    if kind == "csv" and len(register.rows) > MOST_HELD:
        parts = _made_for(privacy.reader(), sheet.csv_parts(head, lines))
        return StreamingHttpResponse(parts, content_type=content_type, headers=named)
    return HttpResponse(written(head, lines), content_type=content_type, headers=named)


def _made_for(account: Account | None, parts: Iterator[bytes]) -> Iterator[bytes]:
    """Yields parts, each made for whoever reads: the page is over before the first of them is asked for."""
    while True:
        with privacy.read_by(account) if account is not None else nullcontext():
            part = next(parts, None)
        if part is None:
            return
        yield part


def links(request: HttpRequest) -> Mapping[str, str]:
    """Returns where the list as it is shown goes out as CSV and as Excel."""
    asked = request.GET.copy()
    asked.pop("page", None)
    found = {}
    for name, kind in (("csv", "csv"), ("excel", "xlsx")):
        asked["as"] = kind
        found[name] = f"{request.path}?{asked.urlencode()}"
    return found


def _values(register: Register) -> Iterator[list[Any]]:
    """Yields the head and then the cells of each line, as `as_values` of the library does, which asks for each cell what its column takes."""
    columns = [one for one in register.columns.iterall() if not one.column.exclude_from_export]
    yield [force_str(one.header, strings_only=True) for one in columns]
    cells = [(one, Accessor(one.accessor), _takes(one.value)) for one in columns]
    for record in register.data:
        line: list[Any] = []
        for bound, accessor, takes in cells:
            value = accessor.resolve(record, quiet=True)
            if value in bound.column.empty_values:
                line.append(None)
            else:
                known = {"value": value, "record": record, "bound_column": bound}
                line.append(bound.value(**{name: known[name] for name in takes}))
        yield [force_str(one, strings_only=True) for one in line]


def _takes(value: Any) -> tuple[str, ...]:
    """Returns what of a cell a column wants to know to give its value."""
    wanted, given = signature(value).parameters, ("value", "record", "bound_column")
    is_any = any(one.kind is Parameter.VAR_KEYWORD for one in wanted.values())
    return tuple(name for name in given if is_any or name in wanted)
