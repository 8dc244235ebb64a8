"""What a paper asks and the record does not say yet, and by which fact or record each is answered."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sewershed.ledger.models import Account
from sewershed.ledger.papers import plea
from sewershed.ledger.papers.issuing import Drawn
from sewershed.ledger.papers.source import Source, texts
from sewershed.ledger.papers.spill_report import FORM
from sewershed.programs.spills.papers import press_release, public_notice
from sewershed.programs.spills.papers.form import Form, read_form

SIGNING = ("", "")  # answered by whoever issues the paper
# By which fact of which thing, or which record, each field of the papers is answered; all of them as `ledger.papers` reads them.
ANSWERED_BY: Mapping[str, tuple[str, str]] = {
    **{name: ("town", fact) for name, fact in (
        ("permit_number", "collection_permit"), ("facility", "collection_system"), ("owner", "full_name"), ("city", "name"),
        ("county", "county"), ("region", "county"), ("river_basin", "river_basin"), ("contact_telephone", "telephone"),
    )},
    **{name: ("spill", name) for name in ("incident_number", "source", "location", "manhole", "weather")},
    "latitude": ("spill", "point"), "longitude": ("spill", "point"),
    **dict.fromkeys(("start_day", "start_clock", "start_how", "start"), ("start_estimated", "started_at")),
    **dict.fromkeys(("stop_day", "stop_clock", "stop_how", "stop", "duration", "remedied", "done"), ("spill_stopped", "stopped_at")),
    **{name: ("spill_assessed", name) for name in ("total", "reached_water", "water", "water_name", "fish_kill", "fish_killed")},
    "volume_how": ("volume_chosen", "estimate"), "recovered": ("volume_recovered", "recovered_gal"),
    **dict.fromkeys(("told_person", "told_office", "told_day", "told_clock", "told"), ("state_told", "spoken_to")),
    **dict.fromkeys(("visited_orc", "visited_backup", "visitor", "visitor_certificate", "visited_day", "visited_clock"), ("orc_visited", "visitor")),
    "determined": ("reached_water_determined", "surface_water_gal"), "cause": ("cause_found", "description"),
    **dict.fromkeys(("counties", "newspapers", "terms_fixed_on"), ("notice_terms_fixed", "counties")), "contact": SIGNING,
}  # fmt: skip
CAUSE, CAUSES = "Cause", ("cause_found", "causes")
ANSWER = ("form_answered", "answer")


@dataclass(frozen=True, slots=True)
class Question:
    """Something that a paper asks and the record does not say: where it stands, and what answers it."""

    head: str
    asks: str
    owner: str  # a type of thing or an event
    name: str  # its fact or datum
    cause: str = ""  # of Part II: under which cause, by which key
    key: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that the form asks about a cause, with its answer and the log it rests on, as far as there are any."""

    cause: str
    cause_label: str
    key: str
    asks: str
    answer: str
    rests_on: str


def asked_by_cause(about: str, *, as_account: Account) -> tuple[Asked, ...]:
    """Returns what the state's form asks about each cause that was found, with what is recorded or what a log says by itself.

    Raises:
        NotFound: for the thing.
        NotAllowed: for the account.
        Refused: where no book of the town has the form.
    """
    source = Source(about, as_account=as_account)
    form = read_form(source.form(FORM))
    known, found = plea.answers(source, form), []
    for cause in texts(source.datum(source.last("cause_found"), "causes")):
        for key, asks in form.questions.get(cause, ()):
            answer = known.get(cause, {}).get(key)
            said = (answer.text or "", answer.rests_on) if answer else ("", "")
            found.append(Asked(cause, form.causes[cause], key, asks, *said))
    return tuple(found)


def open_questions(drawn: Drawn, about: str, *, as_account: Account) -> tuple[Question, ...]:
    """Returns what a draft leaves open, in the order in which it asks; a paper that asks nothing leaves nothing open.

    Raises:
        NotFound: for the thing.
        NotAllowed: for the account.
    """
    paper = json.loads(drawn.data)["paper"]
    if drawn.kind.name == FORM:
        form = read_form(Source(about, as_account=as_account).form(FORM))
        return (*_of_form(paper, form), *_of_part_two(paper, form))
    labels = {"press_release": press_release.LABELS, "public_notice": public_notice.LABELS}.get(drawn.kind.name, {})
    keys = {label: key for key, label in labels.items()}
    return tuple(
        Question(part["head"], label, *ANSWERED_BY.get(keys.get(label, ""), SIGNING))
        for part in paper.get("not_known", ())
        for label in part["labels"]
    )


def _of_form(paper: Mapping[str, object], form: Form) -> Iterator[Question]:
    """Yields what Part I leaves open; what the signing answers is not asked."""
    keys = {(section.head, label): ANSWERED_BY[key] for section in form.sections for key, label in section.fields}
    for part in paper["not_known"]:  # type: ignore[attr-defined]  # a list, as the paper builds it
        for label in part["labels"]:
            by = CAUSES if part["head"] == CAUSE else keys.get((part["head"], label))
            if by is not None:
                yield Question(part["head"], label, *by)


def _of_part_two(paper: Mapping[str, object], form: Form) -> Iterator[Question]:
    words = {label: cause for cause, label in form.causes.items()}
    for part in paper["part_two"]:  # type: ignore[attr-defined]  # as above
        cause = words[part["cause"]]
        keys = {asks: key for key, asks in form.questions.get(cause, ())}
        for row in part["rows"]:
            if not row["answer"]:
                yield Question(f"{form.part_two}: {part['cause']}", row["asks"], *ANSWER, cause, keys[row["asks"]])
