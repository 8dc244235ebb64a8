"""The register of calls and spills: a page at a time, read through the ledger, the latest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import django_tables2
from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from sewershed.desk.shell import marks
from sewershed.desk.shell.tables import FactColumn, Register
from sewershed.desk.spills import queries
from sewershed.desk.spills.forms import CALL, CONFIRMED, SPILL
from sewershed.desk.things import queries as things
from sewershed.desk.things.tables import AT_ONCE, Asked, ThingData
from sewershed.ledger import law
from sewershed.ledger import queries as ledger
from sewershed.ledger.models import Account
from sewershed.ledger.projections import moment_of
from sewershed.ledger.shown import Due, Named, RowShown
from sewershed.ledger.wording import Words, title, words_of

ORDERS = {"name": "label", "called": "began", "state": "state", "gallons": "total_gal"}
FACTS = ("state", "total_gal")
NEWEST = "-began"


class Narrowing(forms.Form):
    """What the register is narrowed to."""

    q = forms.CharField(label="Place or number", required=False)
    state = forms.ChoiceField(required=False)
    cause = forms.ChoiceField(required=False)
    whose = forms.ChoiceField(label="Whose turn", required=False)
    open = forms.ChoiceField(label="Open", required=False, choices=[("", "All"), ("yes", "Something is open")])
    gallons_from = forms.CharField(
        label="Gallons from", required=False, widget=forms.TextInput({"inputmode": "decimal"})
    )

    def __init__(self, account: Account, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        choices = {
            "state": queries.state_words(), "cause": queries.cause_words(), "whose": things.people_to_choose(account)
        }  # fmt: skip
        for name, words in choices.items():
            self.fields[name].choices = [("", "Any"), *words]  # type: ignore[attr-defined]
        self.is_valid()  # a page of a list is never wrong: what cannot be read is passed over


def asked_of(query: QueryDict) -> Asked:
    """Returns the facts and the text to which the address narrows the register."""
    known, where = law.in_force().vocabulary.things[SPILL].facts, []
    if state := query.get("state", "").strip():
        where.append(("state", "=", state))
    gallons = query.get("gallons_from", "").strip().replace(",", "")
    if gallons and gallons.replace(".", "", 1).isdecimal():
        where.append(("total_gal", ">=", gallons))
    return Asked(tuple(one for one in where if one[0] in known), query.get("q", "").strip())


def within(query: QueryDict, account: Account) -> set[str] | None:
    """Returns the spills to which cause, person and open lines narrow the register; None where they do not."""
    found: list[set[str]] = []
    if cause := query.get("cause", "").strip():
        found.append(queries.with_cause(cause, account))
    if (person := query.get("whose", "").strip()) or query.get("open"):
        found.append(queries.with_lines(account, person))
    return set.intersection(*found) if found else None


class SpillData(ThingData):
    """Calls and spills as the table reads them."""

    def __init__(self, account: Account, asked: Asked, only: set[str] | None, *, is_file: bool) -> None:
        kind = law.in_force().vocabulary.things[SPILL]
        columns = [kind.facts[name] for name in FACTS if name in kind.facts]
        super().__init__(kind, columns, account, asked, is_file=is_file)
        self.only = only

    def order_by(self, aliases: Any) -> None:
        """Orders the list by the first of the columns named."""
        name = str(aliases[0]) if aliases else ""
        sign = "-" if name.startswith("-") else ""
        by = ORDERS.get(name.removeprefix("-"), "")
        self.order = f"{sign}{by}" if by in ("label", "began") or by in self.kind.facts else ""

    def _page(self, offset: int, limit: int) -> Any:
        return ledger.things(
            SPILL, as_account=self.account, where=self.asked.where, text=self.asked.text, within=self.only,
            order=self.order or NEWEST, offset=offset, limit=limit,
        )  # fmt: skip

    def _parts(self) -> Iterator[Sequence[Named]]:
        return ledger.things_in_parts(
            SPILL, as_account=self.account, where=self.asked.where, text=self.asked.text, within=self.only,
            order=self.order or NEWEST, at_once=AT_ONCE,
        )  # fmt: skip

    def _shown(self, things: Sequence[Named]) -> list[Mapping[str, Any]]:
        ids = [one.id for one in things]
        facts = ledger.facts_of(ids, SPILL, [one.name for one in self.columns], as_account=self.account)
        rows = ledger.happened({CALL, "cause_found", *queries.FINDINGS}, ids, as_account=self.account)
        dues: dict[str, list[Due]] = {}
        for one in ledger.due(as_account=self.account, among=ids).items if ids else ():
            dues.setdefault(one.thing, []).append(one)
        words = words_of({person for found in dues.values() for one in found[:1] for person in one.persons})
        return [self._said_of(one, facts[one.id], rows[one.id], dues.get(one.id, []), words) for one in things]

    def _said_of(
        self, one: Named, facts: Mapping[str, str], rows: Sequence[RowShown], dues: Sequence[Due], words: Words
    ) -> Mapping[str, Any]:
        finding, gallons = queries.finding_of(rows), self.kind.facts.get("total_gal")
        return {
            "id": one.id, "name": one.label[:1].upper() + one.label[1:], "called": self._called(rows, words),
            "is_spill": finding is not None and finding.name == CONFIRMED,
            "state": queries.state_of(facts.get("state", ""), rows), "cause": ", ".join(map(title, queries.causes_of(rows))),
            "gallons": self._said(facts.get("total_gal", ""), gallons, words) if gallons else "",
            "whose": words.whose(dues[0].who, dues[0].persons) if dues else "", "open": len(dues),
            "word": dues[0].word if dues else "",
        }  # fmt: skip

    def _called(self, rows: Sequence[RowShown], words: Words) -> str:
        first = next((row for row in rows if row.name == CALL), None)
        moment = moment_of(first.at) if first is not None else None
        if moment is None:
            return ""
        return words.said(moment) if self.is_file else words.moment(moment)


class NameColumn(django_tables2.Column):  # type: ignore[misc]  # django-tables2 says nothing of its types
    """The name of a spill, which leads to its page."""

    def render(self, record: Mapping[str, Any]) -> SafeString:
        """Returns the name as a link."""
        return format_html('<a href="{}">{}</a>', reverse("spill", args=[record["id"]]), record["name"])

    def value(self, record: Mapping[str, Any]) -> str:
        """Returns the name alone, for a file."""
        return str(record["name"])


class OpenColumn(django_tables2.Column):  # type: ignore[misc]  # as above
    """How much is open on a spill, with the mark of what is most urgent."""

    def render(self, value: int, record: Mapping[str, Any]) -> Any:
        """Returns the mark with the number, or nothing where nothing is open."""
        return marks.marked(record["word"], f"{value} open") if value else ""

    def value(self, value: int) -> int:
        """Returns the number alone, for a file."""
        return value


class GallonsColumn(django_tables2.Column):  # type: ignore[misc]  # as above
    """The gallons of a spill; of what turned out to be none there are none to record."""

    empty_values = ()

    def render(self, value: Any, record: Mapping[str, Any]) -> Any:
        """Returns the gallons, or that nobody recorded them."""
        return FactColumn().render(value) if value or record["is_spill"] else ""


class Spills(Register):
    """Calls and spills."""

    title = "Calls and spills"
    counts = ("call or spill", "calls and spills")

    name = NameColumn(verbose_name="Call or spill", accessor="id", attrs={"td": {"class": "wrap"}})
    state = django_tables2.Column(verbose_name="What it is", default="")
    open = OpenColumn(verbose_name="Open", orderable=False, default="")
    whose = django_tables2.Column(
        verbose_name="Whose turn", orderable=False, default="", attrs={"td": {"class": "wrap"}}
    )
    called = django_tables2.Column(verbose_name="First call", default="")
    gallons = GallonsColumn(verbose_name="Gallons", attrs={"td": {"class": "num"}})
    cause = django_tables2.Column(verbose_name="Cause", orderable=False, default="", attrs={"td": {"class": "wrap"}})
