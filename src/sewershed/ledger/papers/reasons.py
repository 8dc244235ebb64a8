"""The statement of reasons from the record: Why, on paper, about one obligation or finding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from sewershed.ledger import queries, steps
from sewershed.ledger.errors import Refused
from sewershed.ledger.explaining import Reasons, gather
from sewershed.ledger.moments import moment_words
from sewershed.ledger.papers.source import Source, sentence
from sewershed.ledger.privacy import Privacy
from sewershed.ledger.shown import RowShown
from sewershed.ledger.wording import Words, capital, label_of, not_held, plain, refs_in_row, title, words_of
from sewershed.programs.spills.papers import statement_of_reasons
from sewershed.programs.spills.papers.statement_of_reasons import ClauseRead, FactUsed, Reading, Step
from sewershed.programs.spills.papers.statement_of_reasons import Doubt as DoubtRead
from sewershed.rules.findings import Obligation, OtherReading
from sewershed.rules.moments import read_moment
from sewershed.rules.record import Event
from sewershed.rules.todo import word_of
from sewershed.rules.unknown import Want
from sewershed.rules.vocabulary import Fact

_LONG_AGO = datetime(1900, 1, 1, tzinfo=UTC)  # days are said with their year, which a page of the same year leaves out


def reasons_data(source: Source, signed_by: Event | None, part: str = "") -> Mapping[str, object]:
    """Returns the data of the statement of reasons.

    Refuses: a statement about nothing: the key says which obligation or finding it is about.
    """
    if not part:
        raise Refused(
            "a statement of reasons is about one obligation or finding: give its key; `sewershed due` shows them"
        )
    world = source.world
    reasons = gather(part, as_account=source.as_account, as_of=world.as_of, known_at=world.known_at)
    why, answer = reasons.why, reasons.why.answer
    assert answer is not None  # `why` refuses where there is none
    entry, caution = world.entries[why.rule], world.law.caution(why.rule)
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
        met_at=answer.met_at if isinstance(answer, Obligation) else None,
        key=part,
        as_of=world.as_of,
        as_known=world.known_at,
        clauses=tuple(ClauseRead(cite, why.means, why.edition, whose, caution) for cite in why.cites),
        steps=tuple(_steps(source, reasons)) or (Step(why.means, state),),
        facts=tuple(_facts(source, reasons)),
        not_counted=tuple((title(event), when, because) for event, when, because, _ in reasons.not_counted),
        asks=tuple((_asked(source, want), _asked_of(source, want)) for want in answer.asks),
        doubts=tuple(_doubts(source, reasons)),
        changes=tuple(_change(source, one) for one in answer.if_read_as),
    )
    return statement_of_reasons.build(statement, zone=source.zone)


def _steps(source: Source, reasons: Reasons) -> Iterator[Step]:
    """Yields the steps in the words in which a page says them: whoever disputes a verdict need not read the rules' own."""
    words = words_of(now=_LONG_AGO)
    for line in reasons.why.steps:
        one = steps.said(line, words, source.thing.type)
        yield Step(one.text, one.result)


def _asked(source: Source, want: Want) -> str:
    """Returns what is missing in the words of the vocabulary, with its name."""
    owner, _, name = want.what.partition(".")
    event, thing = source.world.vocabulary.events.get(owner), source.world.vocabulary.things.get(owner)
    known = (event.data.get(name) if event else None) or (thing.facts.get(name) if thing else None)
    if want.kind == "office":
        day = moment_words(want.day, source.zone) if want.day is not None else ""
        return not_held(source.person(want.who) or want.who, want.what, source.title(want.what), day)
    return f"{known.means} ({want.what})" if want.kind == "fact" and known and known.means else str(want)


def _asked_of(source: Source, want: Want) -> str:
    """Returns who can say what is missing."""
    if want.kind == "office":
        return "whoever held that office then"
    return source.title(want.who) if want.who else "whoever was there"


def _facts(source: Source, reasons: Reasons) -> list[FactUsed]:
    """Returns the rows that the answer rests on: what each says, of which day, by whom, and who recorded it when."""
    answer, found = reasons.why.answer, []
    opened, met = (answer.opened_by, answer.met_by) if isinstance(answer, Obligation) else ("", "")
    words = words_of(ref for row in reasons.rows for ref in refs_in_row(row.data, _fields(source, row)))
    for row in reasons.rows:
        before = {opened: "Opened by ", met: "Met by "}.get(row.root, "") if row.root else ""
        name = row.name if row.kind == "event" else "facts"
        of = (
            ""
            if row.thing == source.thing.id
            else f" of {queries.thing(row.thing, as_account=source.as_account).label}"
        )
        known = _fields(source, row)
        said = "; ".join(f"{_label(known, key)}: {_value(words, known.get(key), one)}" for key, one in row.data.items())
        when = _local(source, row.at) if row.at else "always"
        how = f" ({row.at_how})" if row.at_how else ""
        doubtful = "".join(f"; {_asked(source, one)}" for one in reasons.unheld.get(row.root, ()))
        found.append(
            FactUsed(
                capital(f"{before}{plain(name)}{of}"),
                f"{when}{how}{': ' if said else ''}{said}",
                f"{_who(source, row)}{_local(source, row.recorded_at)} by {row.recorded_by}, row {row.id}{doubtful}",
            )
        )
    return found


def _fields(source: Source, row: RowShown) -> Mapping[str, Fact]:
    vocabulary = source.world.vocabulary
    if row.kind == "event":
        return vocabulary.events[row.name].data
    return vocabulary.things[row.name].facts


def _label(known: Mapping[str, Fact], name: str) -> str:
    return label_of(known[name]) if name in known else title(name)


def _value(words: Words, fact: Fact | None, value: object) -> str:
    """Returns a value in words; a private one is left out, since whoever disputes a verdict reads the paper."""
    is_left_out = value == Privacy.word or (fact is not None and fact.private)
    return Privacy.word if is_left_out else words.value(value, fact.type if fact else None)


def _who(source: Source, row: RowShown) -> str:
    person = source.person(row.performed_by) or row.performed_by
    done = ", ".join(filter(None, (person, source.title(row.office) if row.office else "")))
    return f"Done by {done}; recorded " if done else "Recorded "


def _local(source: Source, moment: str) -> str:
    """Returns a moment as the log writes it in words, on the town's own clock."""
    return moment_words(read_moment(moment, source.zone), source.zone)


def _doubts(source: Source, reasons: Reasons) -> list[DoubtRead]:
    """Returns the doubts with what each reading gives; the one marked as applied is the one by which the answer came out."""
    found = []
    for one in reasons.doubts:
        doubt = source.world.doubts[one.id]
        decided = source.world.decisions(one.id, source.thing)
        readings = tuple(
            Reading(shown.name, "the answer above" if shown.is_applied else shown.result, shown.is_applied)
            for shown in one.readings
        )
        settled = f"open; {source.title(doubt.settle_by)} settles it"
        if decided:
            settled = f"settled by a row of {decided[-1].day.isoformat()} as {decided[-1].reading}"
            if all(shown.name != decided[-1].reading for shown in one.readings if shown.is_applied):
                settled += "; what was over before stays as it was read"
        found.append(DoubtRead(f"{one.id}: {doubt.means}", readings, settled))
    return found


def _change(source: Source, other: OtherReading) -> tuple[str, str]:
    text = other.text or other.state.replace("_", " ")
    condition, _, result = text.partition(": ")
    return (condition[:1].upper() + condition[1:], result) if result else (f"If read as {other.reading}", text)
