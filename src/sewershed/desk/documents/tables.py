"""The register of papers: read a page at a time, the highest number first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import django_tables2
from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django_tables2.data import TableData

from sewershed.desk.documents import queries
from sewershed.desk.shell import marks
from sewershed.desk.shell.tables import FactColumn, Register
from sewershed.ledger.models import Account
from sewershed.ledger.papers import KINDS

AT_ONCE = 200  # papers that are read together when the whole list goes out as a file


class PaperColumn(django_tables2.Column):  # type: ignore[misc]  # django-tables2 says nothing of its types
    """The name of a paper, which leads to its page."""

    def render(self, record: queries.Kept) -> SafeString:
        """Returns the name as a link."""
        return format_html('<a href="{}">{}</a>', reverse("document", args=[record.id]), record.name)

    def value(self, record: queries.Kept) -> str:
        """Returns the name alone, for a file."""
        return record.name


class AboutColumn(django_tables2.Column):  # type: ignore[misc]  # as above
    """What a paper is about."""

    def render(self, record: queries.Kept) -> SafeString:
        """Returns the thing as a link."""
        return format_html('<a href="{}">{}</a>', record.about_url, record.about_label)

    def value(self, record: queries.Kept) -> str:
        """Returns its name alone, for a file."""
        return record.about_label


class StandsColumn(django_tables2.Column):  # type: ignore[misc]  # as above
    """How a paper stands: its mark with what became of it."""

    def render(self, record: queries.Kept) -> SafeString:
        """Returns the mark with the words."""
        return marks.marked(record.word, record.said)

    def value(self, record: queries.Kept) -> str:
        """Returns the words alone, for a file."""
        return record.said


class Papers(Register):
    """Papers that were issued."""

    title, counts = "Documents", ("paper", "papers")
    name = PaperColumn(verbose_name="Paper", accessor="number", order_by="number")
    about = AboutColumn(verbose_name="About", accessor="about_label", orderable=False, attrs={"td": {"class": "wrap"}})
    issued = FactColumn(verbose_name="Issued", orderable=False)
    by = FactColumn(verbose_name="By", orderable=False)
    stands = StandsColumn(verbose_name="How it stands", accessor="said", orderable=False)


class PaperData(TableData):  # type: ignore[misc]  # as above
    """Issued papers as a table reads them."""

    def __init__(self, account: Account, kind: str, text: str) -> None:
        super().__init__(None)
        self.account, self.kind, self.text, self.order = account, kind, text, ""
        self._total: int | None = None

    def __len__(self) -> int:
        """Returns how many there are."""
        if self._total is None:
            self._total = queries.kept_page(self.account, self.kind, self.text, self.order, 0, 1).total
        return self._total

    def __getitem__(self, key: slice | int) -> Any:
        """Returns a part of the list."""
        if isinstance(key, int):
            return self._rows(key, 1)[0]
        start = key.start or 0
        return self._rows(start, (key.stop if key.stop is not None else len(self)) - start)

    def __iter__(self) -> Iterator[queries.Kept]:
        """Yields every paper, some at a time."""
        for start in range(0, len(self), AT_ONCE):
            yield from self._rows(start, AT_ONCE)

    def order_by(self, aliases: Sequence[str]) -> None:
        """Orders the list by number."""
        self.order = str(aliases[0]) if aliases else ""

    def _rows(self, offset: int, limit: int) -> Sequence[queries.Kept]:
        page = queries.kept_page(self.account, self.kind, self.text, self.order, offset, limit)
        self._total = page.total
        return page.items


class Narrowing(forms.Form):
    """Narrows the register: a text in the name, a kind of paper."""

    q = forms.CharField(label="Name or number", required=False)
    kind = forms.ChoiceField(
        label="Kind", required=False, choices=[("", "Any"), *((one.name, one.title) for one in KINDS.values())]
    )


def asked_of(query: QueryDict) -> tuple[Narrowing, str, str]:
    """Returns the form that narrows the register, the kind and the text that the address asks for."""
    form = Narrowing(query)
    said = form.cleaned_data if form.is_valid() else {}
    return form, said.get("kind", ""), said.get("q", "").strip()
