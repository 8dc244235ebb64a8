"""The statement of reasons from the record: Why, on paper, about one obligation or finding."""

from __future__ import annotations

from collections.abc import Mapping

from sewershed.ledger import queries
from sewershed.ledger.errors import Refused
from sewershed.ledger.explaining import step_of
from sewershed.ledger.papers.source import Source, sentence
from sewershed.programs.spills.papers import statement_of_reasons
from sewershed.programs.spills.papers.statement_of_reasons import ClauseRead, FactUsed, Reading, Step
from sewershed.programs.spills.papers.statement_of_reasons import Doubt as DoubtRead
from sewershed.rules.findings import Explanation, Obligation, OtherReading
from sewershed.rules.moments import read_moment, say
from sewershed.rules.record import Event
from sewershed.rules.todo import word_of
from sewershed.rules.unknown import Want


def reasons_data(source: Source, signed_by: Event | None, part: str = "") -> Mapping[str, object]:
    """Returns the data of the statement of reasons.

    Refuses: a statement about nothing: the key says which obligation or finding it is about.
    """
    if not part:
        raise Refused(
            "a statement of reasons is about one obligation or finding: give its key; `sewershed due` shows them"
        )
    world = source.world
    why = queries.why(part, as_account=source.as_account, as_of=world.as_of, known_at=world.known_at)
    answer = why.answer
    assert answer is not None  # `why` refuses where there is none
    entry = world.entries[why.rule]
    whose, due, summary, state = "", None, "", ""
    if isinstance(answer, Obligation):
        duty = world.duty(answer)
        whose = source.title(duty.who) if duty else ""
        due, state = answer.due, word_of(world, answer)
        summary = "; ".join(answer.notes) or entry.means
    else:
        state = {"MET": "Met", "NOT_MET": "Not met", "CANNOT_TELL": "Cannot tell", "NOT_REGULATED": "Not regulated"}[
            answer.outcome
        ]
        summary = "; ".join(answer.notes) or entry.means
    statement = statement_of_reasons.StatementOfReasons(
        subject=source.label,
        question=entry.means,
        state=state,
        summary=sentence(summary) or "",
        due=due,
        key=part,
        as_of=world.as_of,
        as_known=world.known_at,
        clauses=tuple(ClauseRead(cite, why.means, why.edition, whose) for cite in why.cites),
        steps=tuple(Step(*step_of(one)) for one in why.steps) or (Step(why.means, state),),
        facts=tuple(_facts(source, answer)) if isinstance(answer, Obligation) else (),
        asks=tuple(
            (_asked(source, want), source.title(want.who) if want.who else "whoever was there") for want in answer.asks
        ),
        doubts=tuple(_doubts(source, why)),
        changes=tuple(_change(source, one) for one in answer.if_read_as),
    )
    return statement_of_reasons.build(statement, zone=source.zone)


def _asked(source: Source, want: Want) -> str:
    """Returns what is missing in the words of the vocabulary, with its name."""
    owner, _, name = want.what.partition(".")
    event, thing = source.world.vocabulary.events.get(owner), source.world.vocabulary.things.get(owner)
    known = (event.data.get(name) if event else None) or (thing.facts.get(name) if thing else None)
    return f"{known.means} ({want.what})" if want.kind == "fact" and known and known.means else str(want)


def _facts(source: Source, answer: Obligation) -> list[FactUsed]:
    """Returns the rows that opened it and that met it, with who recorded them when."""
    found = []
    for what, row in (("Opened by", answer.opened_by), ("Met by", answer.met_by)):
        if row:
            shown = queries.row(row, as_account=source.as_account)
            when = shown.at_how and f" ({shown.at_how})"
            found.append(
                FactUsed(
                    f"{what} {shown.name.replace('_', ' ')}",
                    f"{_moment(source, row, shown.at)}{when}",
                    f"{_local(source, shown.recorded_at)} by {shown.recorded_by}, row {shown.id}",
                )
            )
    return found


def _local(source: Source, instant: str) -> str:
    """Returns an instant as the log writes it on the town's own clock."""
    return say(read_moment(instant, source.zone), source.zone)


def _moment(source: Source, row: str, at: str) -> str:
    event = next((one for one in source.world.history(source.thing).events if one.id == row), None)
    return say(event.moment, source.zone) if event else at


def _doubts(source: Source, why: Explanation) -> list[DoubtRead]:
    found = []
    for one in why.doubts:
        doubt = source.world.doubts.get(one)
        if doubt is None:
            continue
        decided = source.world.decisions(one, source.thing)
        applied = decided[-1].reading if decided else doubt.applied
        others = {
            other.reading: other.text or other.state
            for other in (why.answer.if_read_as if why.answer else ())
            if other.doubt == one
        }
        readings = tuple(
            Reading(name, "the answer above" if name == applied else others.get(name, "the same"), name == applied)
            for name in doubt.choices
        )
        settled = (
            f"settled by a row of {decided[-1].day.isoformat()}"
            if decided
            else f"open; {source.title(doubt.settle_by)} settles it"
        )
        found.append(DoubtRead(f"{one}: {doubt.means}", readings, settled))
    return found


def _change(source: Source, other: OtherReading) -> tuple[str, str]:
    text = other.text or other.state.replace("_", " ")
    condition, _, result = text.partition(": ")
    return (condition[:1].upper() + condition[1:], result) if result else (f"If read as {other.reading}", text)
