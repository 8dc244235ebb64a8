"""Registers of any type of thing: columns from the vocabulary, rows read a page at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import django_tables2
from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django_tables2.data import TableData

from sewershed.desk.shell.tables import NOT_RECORDED, FactColumn, Register
from sewershed.ledger import law, queries
from sewershed.ledger.models import Account
from sewershed.ledger.privacy import Privacy
from sewershed.ledger.shown import Named
from sewershed.ledger.wording import Words, label_of, many, plain, unit_words, words_of
from sewershed.rules.vocabulary import Fact, ThingType

AT_ONCE = 500  # things that are read together when a whole list goes out as a file
MOST_COLUMNS = 5  # beside the name, on a page; a file has all
LABEL = "label"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a list is narrowed to: facts that must hold, and a text in the name."""

    where: tuple[tuple[str, str, str], ...]
    text: str


class ThingColumn(django_tables2.Column):  # type: ignore[misc]  # django-tables2 says nothing of its types
    """The name of a thing, which leads to its page."""

    def render(self, record: Mapping[str, Any]) -> SafeString:
        """Returns the name as a link."""
        return format_html('<a href="{}">{}</a>', reverse("thing", args=[record["id"]]), capfirst(record[LABEL]))

    def value(self, record: Mapping[str, Any]) -> str:
        """Returns the name alone, for a file."""
        return str(record[LABEL])


class WordsColumn(FactColumn):
    """A fact in words, as it was recorded in a file."""

    def __init__(self, fact: Fact, caution: str = "", **given: Any) -> None:
        attrs = {"td": {"class": "num"}} if fact.type.kind in ("number", "money") else {"td": {"class": "wrap"}} if fact.type.kind == "text" else {}  # fmt: skip
        unit = f", {unit_words(fact.type.unit)}" if fact.type.unit else ""
        of_memory = f" ({caution})" if caution else ""
        super().__init__(verbose_name=f"{label_of(fact)}{unit}{of_memory}", accessor=fact.name, attrs=attrs, **given)
        self.fact = fact

    def render(self, value: Any) -> Any:
        """Returns the value in words, or that it is not recorded."""
        return super().render(value)


class ThingData(TableData):  # type: ignore[misc]  # as above
    """The things of a type as a table reads them: a page at a time, ordered and narrowed by the ledger."""

    def __init__(
        self, kind: ThingType, columns: Sequence[Fact], account: Account, asked: Asked, *, is_file: bool
    ) -> None:
        super().__init__(None)
        self.kind, self.columns, self.account, self.asked, self.is_file = kind, columns, account, asked, is_file
        self.order = ""
        self._total: int | None = None

    def __len__(self) -> int:
        """Returns how many there are."""
        if self._total is None:
            self._total = self._page(0, 1).total
        return self._total

    def __getitem__(self, key: slice | int) -> Any:
        """Returns a part of the list."""
        if isinstance(key, int):
            return self._rows(key, 1)[0]
        start, stop = key.start or 0, key.stop if key.stop is not None else len(self)
        return self._rows(start, stop - start)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        """Yields every thing, some at a time."""
        for things in self._parts():
            yield from self._shown(things)

    def order_by(self, aliases: Sequence[str]) -> None:
        """Orders the list by the first of the columns named."""
        self.order = str(aliases[0]) if aliases else ""

    def _page(self, offset: int, limit: int) -> Any:
        return queries.things(
            self.kind.name, as_account=self.account, where=self.asked.where, text=self.asked.text, order=self.order,
            offset=offset, limit=limit,
        )  # fmt: skip

    def _parts(self) -> Iterator[Sequence[Named]]:
        return queries.things_in_parts(
            self.kind.name, as_account=self.account, where=self.asked.where, text=self.asked.text, order=self.order, at_once=AT_ONCE,
        )  # fmt: skip

    def _rows(self, offset: int, limit: int) -> list[Mapping[str, Any]]:
        page = self._page(offset, limit)
        self._total = page.total
        return self._shown(page.items)

    def _shown(self, things: Sequence[Named]) -> list[Mapping[str, Any]]:
        ids = [one.id for one in things]
        names = [one.name for one in self.columns]
        facts = queries.facts_of(ids, self.kind.name, names, as_account=self.account)
        refs = {one.name for one in self.columns if one.type.kind == "ref"}
        words = words_of(text for known in facts.values() for name, text in known.items() if name in refs)
        return [self._row(one, facts[one.id], words) for one in things]

    def _row(self, one: Named, facts: Mapping[str, str], words: Words) -> Mapping[str, Any]:
        said = {fact.name: self._said(facts.get(fact.name, ""), fact, words) for fact in self.columns}
        return {"id": one.id, LABEL: one.label, **said}

    def _said(self, text: str, fact: Fact, words: Words) -> str:
        if text in ("", Privacy.word):
            return text
        if self.is_file and fact.type.kind in ("number", "money", "date", "instant", "moment", "text"):
            return text
        said = words.value(text, fact.type)
        return said.removesuffix(f" {unit_words(fact.type.unit, text)}") if fact.type.unit else said


def register_of(
    kind: ThingType, columns: Sequence[Fact], account: Account, asked: Asked, *, is_file: bool
) -> tuple[type[Register], ThingData]:
    """Returns the table of a type of thing, and what it is filled with."""
    made: dict[str, Any] = {LABEL: ThingColumn(verbose_name="Name", accessor=LABEL)}
    ground = law.in_force().ground
    for one in columns:
        made[one.name] = WordsColumn(one, ground.caution_of(f"{kind.name}.{one.name}") if one.derived else "")
    named = {"title": many(kind), "counts": (plain(kind.name), (kind.plural or f"{plain(kind.name)}s"))}
    table: type[Register] = type("ThingRegister", (Register,), {**named, **made})
    return table, ThingData(kind, columns, account, asked, is_file=is_file)


def asked_of(query: QueryDict, filters: Sequence[Fact]) -> Asked:
    """Returns what the address of a list narrows it to; what it does not know is passed over."""
    where = []
    for fact in filters:
        for ending, comparison in (("", "has" if fact.type.kind == "text" else "="), ("_from", ">="), ("_to", "<=")):
            value = query.get(f"{fact.name}{ending}", "").strip()
            if value and (not ending or fact.type.kind in RANGED):
                where.append((fact.name, comparison, value))
    return Asked(tuple(where), query.get("q", "").strip())


RANGED = ("number", "money", "date", "instant", "moment")

__all__ = ["MOST_COLUMNS", "NOT_RECORDED", "RANGED", "Asked", "ThingData", "asked_of", "register_of"]
