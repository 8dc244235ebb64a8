"""What the API takes and what it says, each with an example: of these its OpenAPI is made.

Instants are UTC to the second, `2024-03-11T13:10:00Z`; days are days, `2024-03-11`. Numbers of the record are texts with the
digits that were entered. What is not there is left empty, and never guessed.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

MOMENT = r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})?)?$"
MOST = 1000  # lines of one answer
MOST_TEXT = 10_000  # letters of one text
CAUTION = "Says so where what gives it was written from memory, or rests on what was; check it before relying on it"

Text = Annotated[str, Field(max_length=MOST_TEXT)]
When = Annotated[str, Field(pattern=MOMENT, examples=["2024-03-11T09:10"])]


def _example(**said: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"example": said})


# ------------------------------------------------------------------------------------------------ what it takes


class Asking(Schema):
    """What is sent: nothing but these fields, each of its kind."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Looking(Schema):
    """At which instant: with a day alone at its end; known now, or as known at an instant."""

    as_of: When | None = Field(None, description="Another instant, or the end of a day; now, if left out")
    known_at: When | None = Field(None, description="Only what had been recorded by then")


class Part(Schema):
    """Which part of a list."""

    offset: int = Field(0, ge=0, le=10_000_000, description="So many are left out at the beginning")
    limit: int = Field(200, ge=1, le=MOST, description="So many are returned")


class DueAsked(Looking, Part):
    """Which lines of what is due."""

    program: Text = Field("", description="Only this program")
    person: Text = Field("", description="Only what this person must do")
    which: Literal["open", "all"] = Field(
        "open", description="all: also what was met, ended or withdrawn, one line each"
    )


class ThingsAsked(Part):
    """Which things of a type."""

    text: Text = Field("", description="Must stand in the label, the number or an alias")
    where: list[Text] = Field(
        [], max_length=20, description="Facts that must hold, each NAME OPERATOR VALUE with blanks between; the operator is one of = < <= > >= has"
    )  # fmt: skip
    order: Text = Field("", description="A fact to order by, or label; with a minus before it, from the largest")


class LogAsked(Part):
    """Which rows of the log."""

    thing: Text = Field("", description="Only about this thing, by its id")
    person: Text = Field("", description="Only what this person did, by its id")
    account: Text = Field("", description="Only what this account entered")
    what: Text = Field("", description="Only this event, or: corrections, facts, withdrawals")


class FindAsked(Schema):
    """What is looked for."""

    q: Text = Field(description="A part of a label, a number or another name")
    limit: int = Field(20, ge=1, le=200)


class NewEvent(Asking):
    """Something that happened."""

    model_config = ConfigDict(
        extra="forbid", strict=True,
        json_schema_extra={"example": {"at": "2024-03-11T09:10", "data": {"what": "sewage_on_ground", "reporter": "A neighbor"}}},
    )  # fmt: skip
    at: When = Field(description="When it happened, on the town's clock or with an offset")
    data: dict[str, Any] = Field({}, description="Its fields: ask for them with GET. null is asked and not known")
    performed_by: Text = Field("", description="The id of the person who did it")
    office: Text = Field("", description="In which office of the law")
    at_is: Literal["exact", "about", "estimated"] = "exact"
    at_how: Text = Field("", description="How the time was estimated")
    contains: list[Text] = Field([], description="Ids of events that are part of it")
    id: Text = Field("", description="An id of yours, so that sending it twice is one row")


class NewFacts(Asking):
    """Facts of a thing, from a day on."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"example": {"facts": {"location": "Oak Street at First"}}}
    )
    facts: dict[str, Any] = Field(description="Its facts: ask for them with GET. null is asked and not known")
    day: When | None = Field(
        None, description="The first day on which they hold; left out: as long as the thing exists"
    )
    performed_by: Text = ""
    office: Text = ""
    why: Text = ""
    id: Text = Field("", description="An id of yours for the row, so that sending it twice is one row")


class NewThing(NewFacts):
    """A thing with its first facts."""

    thing: Text = Field("", description="The id of the thing; left out: a fresh one")
    source_id: Text = Field("", description="Its id in the files that it comes from")
    aliases: list[Text] = Field([], description="Other names by which it is known")


class Correction(Asking):
    """What takes the place of what a row says. What is left out stays as it was."""

    model_config = ConfigDict(
        extra="forbid", strict=True,
        json_schema_extra={"example": {"why": "misread the meter", "data": {"ground_gal": "1500"}}},
    )  # fmt: skip
    why: Text = Field(min_length=1, description="For whoever reads the record later")
    data: dict[str, Any] = Field({}, description="Fields that differ")
    without: list[Text] = Field([], description="Fields to leave out, as never asked")
    at: When | None = None
    thing: Text | None = None
    performed_by: Text | None = None
    office: Text | None = None


class Withdrawal(Asking):
    """Why a row is taken back."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"example": {"why": "entered for the wrong street"}}
    )
    why: Text = Field(min_length=1, description="For whoever reads the record later")


class FactDecision(Asking):
    """What a person decided of a fact."""

    model_config = ConfigDict(
        extra="forbid", strict=True,
        json_schema_extra={"example": {"value": "true", "because": "seen on site", "performed_by": "orc", "office": "orc"}},
    )  # fmt: skip
    value: bool | Text = Field(description="The value, as the vocabulary takes it")
    because: Text = Field(min_length=1)
    at: When | None = Field(None, description="When it was decided; now, if left out")
    performed_by: Text = ""
    office: Text = ""
    paper: Text = ""
    id: Text = ""


class DoubtDecision(Asking):
    """Which reading of a doubt holds."""

    model_config = ConfigDict(
        extra="forbid", strict=True,
        json_schema_extra={"example": {"reading": "calendar days", "on": "town", "because": "the attorney's letter"}},
    )  # fmt: skip
    reading: Text
    on: Text = Field(min_length=1, description="The id of a thing; that of the town: for every thing")
    because: Text = Field(min_length=1)
    at: When | None = Field(None, description="When it was decided; now, if left out")
    performed_by: Text = ""
    office: Text = ""
    paper: Text = ""
    id: Text = ""


class MayQuestion(Asking):
    """An act that is asked about ahead."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"example": {"at": "2024-03-18", "data": {}}}
    )
    at: When | None = None
    data: dict[str, Any] = Field({})
    office: Text = ""


class NewPaper(Asking):
    """A paper to issue."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"example": {"performed_by": "orc", "office": "orc"}}
    )
    part: Text = Field("", description="What the kind takes besides: a year, a call, a key")
    performed_by: Text = Field("", description="The person who signs it")
    office: Text = ""


# ------------------------------------------------------------------------------------------------ what it says


class Refusal(Schema):
    """Why not, in sentences; and beside which field, where that is known."""

    model_config = _example(
        reasons=["call.what is 'smell': write one of sewage_on_ground, backup, odor"],
        fields={"data.what": ["call.what is 'smell': write one of sewage_on_ground, backup, odor"]},
    )
    reasons: list[str]
    fields: dict[str, list[str]] = Field({})


class Me(Schema):
    """As whom a token acts."""

    model_config = _example(
        account="clerk",
        roles=["clerk"],
        person="p7",
        town="Spring Hope",
        is_example=True,
        now="2024-03-11T15:00:00Z",
        head="2:9f2c",
    )
    account: str
    roles: list[str]
    person: str
    town: str
    is_example: bool
    now: str
    head: str


class Name(Schema):
    """A thing by its names."""

    model_config = _example(
        id="s1", type="spill", label="Oak Street at First", number="24-001", program="spills", source_id="", retired_on="", joined_into="", is_gone=False
    )  # fmt: skip
    id: str
    type: str
    label: str
    number: str
    program: str
    source_id: str
    retired_on: str
    joined_into: str
    is_gone: bool


class Listed(Name):
    """A thing in a list, with its facts."""

    facts: dict[str, str] = Field({})
    cautions: dict[str, str] = Field({}, description=f"By the name of a fact. {CAUTION}")


class Things(Schema):
    """Things of a list."""

    items: list[Listed]
    total: int
    left_stale: int = Field(0, description="Things that could not be worked out up to now: they count as cannot tell")


class FactShape(Schema):
    """A fact of a thing as it stands."""

    model_config = _example(
        name="location", label="Where", text="Oak Street at First", unit="", from_day="", row="8k2m", is_derived=False, is_hidden=False
    )  # fmt: skip
    name: str
    label: str
    text: str
    unit: str
    from_day: str
    row: str
    is_derived: bool
    is_hidden: bool
    caution: str = Field("", description=CAUTION)


class Missing(Schema):
    """What is missing, and who can say it."""

    kind: str
    what: str
    thing: str = ""
    who: str = ""
    event: str = ""
    day: str = ""


class OtherReadingShape(Schema):
    """What would come out under another reading of a doubt."""

    doubt: str
    reading: str
    state: str
    due: str = ""
    text: str = ""


class DueShape(Schema):
    """One line of what is due: under which clause, on what, whose, when, and why it cannot be told where it cannot."""

    model_config = _example(
        key="us.nc.spring_hope.spills.attend|s1|c1", rule="us.nc.spring_hope.spills.attend", rules=["us.nc.spring_hope.spills.attend"],
        cites=["SORP III.A.2"], means="Look at every report of a spill within two hours", edition="", program="spills", thing="s1",
        thing_label="call C24-001, Oak Street at First", who="crew", persons=[], who_note="crew: nobody found", to="", state="due", word="Due soon",
        label="", opened_by="c1", due="2024-03-11T15:10:00Z", met_by="", met_at="", asks=[], doubts=[], if_read_as=[], also=[], notes=[], count=1, meets=["crew_arrived"],
    )  # fmt: skip
    key: str
    rule: str
    rules: list[str]
    cites: list[str]
    means: str
    edition: str
    program: str
    thing: str
    thing_label: str
    who: str
    persons: list[str]
    who_note: str
    to: str
    state: str
    word: str
    label: str
    opened_by: str
    due: str
    met_by: str
    met_at: str
    asks: list[Missing]
    doubts: list[str]
    if_read_as: list[OtherReadingShape]
    also: list[str]
    notes: list[str]
    count: int
    meets: list[str]
    caution: str = Field("", description=CAUTION)


class Dues(Schema):
    """What is due, most urgent first."""

    items: list[DueShape]
    total: int
    left_stale: int = Field(0, description="Things that could not be worked out up to now: they count as cannot tell")


class FindingShape(Schema):
    """What a rule says of an act or of a thing as it stands."""

    model_config = _example(
        key="us.x.rule|s1|c1", rule="us.x.rule", kind="act", thing="s1", outcome="NOT_MET", about="c1", day="2024-03-11", is_void=False, asks=[], doubts=[],
        if_read_as=[], notes=[], steps=[], cites=["22-359(e)"], means="A kitchen empties its interceptor every 90 days",
    )  # fmt: skip
    key: str
    rule: str
    kind: str
    thing: str
    outcome: str
    about: str
    day: str
    is_void: bool
    asks: list[Missing]
    doubts: list[str]
    if_read_as: list[OtherReadingShape]
    notes: list[str]
    steps: list[str]
    cites: list[str]
    means: str
    caution: str = Field("", description=CAUTION)


class Findings(Schema):
    """How every rule about an act would judge it. None is no permission: no rule is about it."""

    items: list[FindingShape]


class RowShape(Schema):
    """A row of the record."""

    model_config = _example(
        id="c1", root="c1", position=7, kind="event", name="call", thing="s1", at="2024-03-11T13:10:00Z", at_is="exact", at_how="",
        recorded_at="2024-03-11T15:00:00Z", recorded_by="clerk", performed_by="", office="", data={"what": "sewage_on_ground"}, number="C24-001", why="",
        source="form", batch="", stands="stands",
    )  # fmt: skip
    id: str
    root: str
    position: int
    kind: str
    name: str
    thing: str
    at: str
    at_is: str
    at_how: str
    recorded_at: str
    recorded_by: str
    performed_by: str
    office: str
    data: dict[str, Any]
    number: str
    why: str
    source: str
    batch: str
    stands: str


class Rows(Schema):
    """Rows of the record, in the order in which they were entered."""

    items: list[RowShape]
    total: int


class ThingPage(Schema):
    """Everything about a thing."""

    thing: Name
    facts: list[FactShape]
    due: list[DueShape]
    findings: list[FindingShape]


class KnownShape(Schema):
    """A doubt or a word with what it means."""

    id: str
    means: str


class WhyShape(Schema):
    """An answer and everything that it rests on."""

    key: str
    rule: str
    cites: list[str]
    means: str
    edition: str
    thing: str
    label: str
    word: str
    state: str
    due: str
    steps: list[str]
    asks: list[Missing]
    doubts: list[KnownShape]
    if_read_as: list[OtherReadingShape]
    rows: list[RowShape]
    changes: list[list[str]]
    caution: str = Field("", description=CAUTION)


class DoubtShape(Schema):
    """A doubt of the text, with its readings."""

    model_config = _example(
        id="us.x.days",
        means="Whether days are business days",
        cites=["22-1"],
        readings=["calendar days", "business days"],
        applied="calendar days",
        settled_on="",
        settle_by="manager",
    )
    id: str
    means: str
    cites: list[str]
    readings: list[str]
    applied: str
    settled_on: str
    settle_by: str


class Doubts(Schema):
    """The doubts of the books that the town runs."""

    items: list[DoubtShape]


class FieldShape(Schema):
    """A field of the vocabulary: what it means, and what it takes."""

    model_config = _example(
        name="ground_gal",
        label="On the ground",
        means="How much lay on the ground",
        type="number",
        unit="gallon",
        choices=[],
        to="",
        is_required=False,
        is_private=False,
    )
    name: str
    label: str
    means: str
    type: str
    unit: str
    choices: list[str]
    to: str = Field(description="The type of thing that a reference names")
    is_required: bool
    is_private: bool


class EventShape(Schema):
    """An event that can be recorded, with its fields."""

    name: str
    title: str
    means: str
    on: str
    precision: str
    fields: list[FieldShape]


class EventShapes(Schema):
    """The events that can be recorded."""

    items: list[EventShape]


class TypeShape(Schema):
    """A type of thing, how many there are, and its facts."""

    name: str
    many: str
    means: str
    program: str
    count: int
    facts: list[FieldShape]


class TypeShapes(Schema):
    """The types of thing of the vocabulary."""

    items: list[TypeShape]


class FactsForm(Schema):
    """What is recorded of a thing, and what it takes."""

    recorded: dict[str, Any]
    fields: list[FieldShape]


class Recorded(Schema):
    """What was recorded, and what the rules say of it."""

    model_config = _example(id="c1", thing="s1", number="C24-001", thing_number="", head="7:9f2c4b1e", findings=[])
    id: str
    thing: str
    number: str
    thing_number: str
    head: str
    findings: list[FindingShape] = Field([])


class Papers(Schema):
    """Documents or files, each with its facts."""

    model_config = _example(
        items=[{"id": "d1", "label": "Spill report 24-001", "kind": "spill_report", "about": "s1", "number": "24-001"}]
    )
    items: list[dict[str, str]]


class JobShape(Schema):
    """A job: how far it is, and what came of it."""

    model_config = _example(
        id="5e7c0f9a-0000-4000-8000-000000000000", title="What was due on Sat Jun 30, 2023, 11:59 pm", state="running", done=1200, total=4000, said="1,200 of 4,000 things", url=""
    )  # fmt: skip
    id: str
    title: str
    state: str
    done: int
    total: int
    said: str
    url: str


class Jobs(Schema):
    """Jobs, the latest first."""

    items: list[JobShape]
