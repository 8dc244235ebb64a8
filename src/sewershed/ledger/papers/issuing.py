"""Papers drafted and issued: which there are, what each is about, and how it comes to its number and its frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from sewershed.exchange.paper import Frame, Press
from sewershed.exchange.paper import Paper as Printed
from sewershed.ledger import actions, clock, people, queries
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account
from sewershed.ledger.papers import letters, notices, reasons, response_plan, spill_report, year_table
from sewershed.ledger.papers.asking import unasked
from sewershed.ledger.papers.source import Source, texts
from sewershed.ledger.wording import capital
from sewershed.programs.spills.papers import (
    caller_letter,
    owner_letter,
    press_release,
    public_notice,
    spill_response_plan,
    statement_of_reasons,
)
from sewershed.programs.spills.papers import spill_report as report_paper
from sewershed.programs.spills.papers import year_table as year_paper
from sewershed.programs.spills.papers.values import CannotWriteError
from sewershed.rules.record import Event, Row

_Build = Callable[[Source, Event | None, str], Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of paper: what it is about, what it takes besides, and what it is written with."""

    name: str
    title: str
    about: str  # the type of thing; "" for any
    template: str
    build: _Build
    is_public: bool = False
    heading: str = ""  # of one of them, {where} being the place; its title, if left out
    signed_with: tuple[str, ...] = ()  # the events by which somebody signs it or lets it go
    tells: tuple[str, ...] = ()  # the events by which somebody is told what it says, by it or in another way
    part: str = ""  # what `part` means for it: a year, a call, a key; "" where it takes none

    @property
    def goes_out_as(self) -> tuple[str, ...]:
        """Returns the events that its going out is on the thing it is about; the first is its sending."""
        return self.signed_with or self.tells


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("spill_report", "Spill report", "spill", report_paper.TEMPLATE, spill_report.data_of, heading="Spill report: {where}", signed_with=("spill_form_sent", "spill_form_filed")),
        Kind(
            "press_release", "Press release", "spill", press_release.TEMPLATE, notices.press_release_data, heading="Sewer spill: {where}", is_public=True,
            signed_with=("press_release",)
        ),
        Kind(
            "public_notice", "Public notice", "spill", public_notice.TEMPLATE, notices.public_notice_data, heading="Notice of a sewer spill: {where}", is_public=True,
            signed_with=("public_notice",)
        ),
        Kind(
            "caller_letter", "Letter to the caller", "spill", caller_letter.TEMPLATE, letters.caller_letter_data, heading="What you reported: {where}",
            part="the id of the call; the first caller with a name, if left out",
        ),
        Kind("owner_letter", "Letter to the owner", "spill", owner_letter.TEMPLATE, letters.owner_letter_data, heading="Sewage from a private line: {where}", tells=("owner_notified",)),
        Kind(
            "statement_of_reasons", "Statement of reasons", "", statement_of_reasons.TEMPLATE, reasons.reasons_data,
            part="the key of the obligation or finding",
        ),
        Kind(
            "year_table", "Spills of the year", "town", year_paper.TEMPLATE, year_table.year_table_data, is_public=True,
            part="the year, such as FY2023 or 2023; the last whole fiscal year, if left out",
        ),
        Kind(
            "spill_response_plan", "Spill response plan", "town", spill_response_plan.TEMPLATE,
            response_plan.response_plan_data,
        ),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Drawn:
    """A paper drawn from the record: its kind, its title, its pages and its data, and why no rule asks for it."""

    kind: Kind
    title: str
    pdf: bytes
    data: bytes
    unasked: str = ""


def draft(
    kind: str,
    about: str,
    *,
    as_account: Account,
    part: str = "",
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> Drawn:
    """Returns a draft of a paper, marked as that. Nothing is recorded and nothing kept.

    Edge: a report that was sent, or a release that went out, names who signed it; before that nobody.

    Refuses: a kind that there is not, a thing of another type, and what the paper itself refuses.

    Args:
        kind: one of `KINDS`.
        about: the id of the thing.
        as_account: who asks.
        part: what the kind takes besides: a year, a call, a key.
        as_of: the instant it is about; now, if left out.
        known_at: leaves out what was recorded later.

    Raises:
        Refused: with every reason.
        NotFound: for the thing, or a part of it.
        NotAllowed: for the account.
    """
    wanted = _kind(kind, part)
    source = Source(about, as_account=as_account, as_of=as_of, known_at=known_at, is_public=wanted.is_public)
    why = unasked(source, wanted.signed_with)
    printed = _print(wanted, source, part, signed_by=_signed(wanted, source), number=None, why_unasked=why)
    return Drawn(wanted, _title(wanted, source), printed.pdf, printed.data, why)


def why_unasked(kind: str, about: str, *, as_account: Account) -> str:
    """Returns why no rule asks for a paper now, or why that cannot be told; nothing where a rule does, or none ever would."""
    return unasked(Source(about, as_account=as_account), KINDS[kind].signed_with)


def issue(
    kind: str,
    about: str,
    *,
    as_account: Account,
    part: str = "",
    performed_by: str = "",
    office: str = "",
) -> actions.Recorded:
    """Issues a paper: it takes its number, is printed with it, kept and entered, and returns its row.

    Refuses: as `draft`, and a paper that would assert what nobody recorded; no number is then taken.

    Args:
        kind: one of `KINDS`.
        about: the id of the thing.
        as_account: who issues it.
        part: what the kind takes besides.
        performed_by: the person who signs it.
        office: in which office.

    Raises:
        Refused: with every reason.
        NotFound: for the thing, or a part of it.
        NotAllowed: for the account.
    """
    wanted = _kind(kind, part)
    performed_by = performed_by or (as_account.person if office else "")

    def render(stamp: actions.Stamp) -> actions.Paper:
        source = Source(about, as_account=as_account, is_public=wanted.is_public)
        printed = _print(wanted, source, part, signed_by=_signing(source, performed_by, office), number=stamp.number)
        return actions.Paper(printed.pdf, printed.data)

    return actions.issue(
        kind, about, render, as_account=as_account, template=wanted.template, performed_by=performed_by, office=office
    )


def _kind(kind: str, part: str) -> Kind:
    if kind not in KINDS:
        raise Refused(f"there is no paper {kind!r}; there are {', '.join(KINDS)}")
    if part and not KINDS[kind].part:
        raise Refused(f"the {KINDS[kind].title.lower()} takes nothing besides what it is about; leave {part!r} out")
    return KINDS[kind]


def _print(
    kind: Kind, source: Source, part: str, *, signed_by: Event | None, number: str | None, why_unasked: str = ""
) -> Printed:
    if kind.about and source.thing.type != kind.about:
        raise Refused(f"the {kind.title.lower()} is about a {kind.about}; {source.thing.id} is a {source.thing.type}")
    try:
        data = kind.build(source, signed_by, part)
    except CannotWriteError as error:
        raise Refused([f"the {kind.title.lower()} cannot be written:", *error.problems]) from error
    if number is not None:
        _refuse_unfounded(kind, source, data.get("before_issuing"))
    office = capital(source.title(signed_by.office)) if signed_by and signed_by.office else ""
    frame = frame_of(source, kind.title, _title(kind, source), number=number, office=office, unasked=why_unasked)
    return press().paper(kind.template, frame, data, at=source.world.as_of)


def _refuse_unfounded(kind: Kind, source: Source, missing: object) -> None:
    """Refuses to issue a paper that would assert what nobody recorded, with what is missing and what to type."""
    if not isinstance(missing, Mapping) or not missing:
        return
    lines = dict.fromkeys(notices.RECORDED_BY[name].format(spill=source.number or source.thing.id) for name in missing)
    raise Refused(
        [
            f"the {kind.title.lower()} cannot be issued, for it would tell the public what nobody recorded:",
            *missing.values(),
            *(f"if it was so, record it: {line}" for line in lines),
        ]
    )


def _title(kind: Kind, source: Source) -> str:
    where = source.fact("location") if kind.about == "spill" else None
    return kind.heading.format(where=where or source.label) if kind.heading else kind.title


def _signed(kind: Kind, source: Source) -> Event | None:
    return source.last(*kind.signed_with) if kind.signed_with else None


def _signing(source: Source, performed_by: str, office: str) -> Event | None:
    """Returns the signing that is under way, as an event like any other; none where nobody is named."""
    if not (performed_by or office):
        return None
    now, held = source.world.as_of, people.offices(performed_by, source.day)
    row = Row(
        "signing", "event", "document_issued", source.thing.id, now, {}, by=performed_by, office=office, held=held
    )
    return Event(row, row, now, source.zone)


def frame_of(
    source: Source, kind: str, title: str, *, number: str | None, office: str = "", unasked: str = ""
) -> Frame:
    """Returns what stands around a paper of the town: who writes, and under which rules and record.

    Args:
        source: what it is made from.
        kind: what paper it is.
        title: its title.
        number: its number; None on a draft.
        office: the office that writes it.
        unasked: of a draft: why no rule asks for it.
    """
    town = source.at(source.town)
    supplement_number, supplement_hash = source.supplement
    return Frame(
        town=str(town.fact("full_name") or town.fact("name")),
        address=texts(town.fact("address")),
        office=office,
        kind=kind,
        title=title,
        number=number,
        is_draft=number is None,
        is_example=clock.current_town().is_example,
        supplement_number=supplement_number,
        supplement_hash=supplement_hash,
        head=queries.head(as_account=source.as_account).short,
        unasked=unasked,
        cautions=tuple(source.cautions.values()),
    )


@cache
def press() -> Press:
    """Returns what prints papers: one for the whole process, since its compiler remembers."""
    return Press()
