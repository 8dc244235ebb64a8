"""Part II of a spill report: what the form asks by cause, answered from logs kept at the time.

A state excuses a spill only on what was logged when it happened. So an answer is what somebody recorded for the question,
or what a log of the town says by itself; each names the log. What no log says stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

from sewershed.ledger.papers.source import Source, texts
from sewershed.programs.spills.papers.form import Form
from sewershed.programs.spills.papers.spill_report import Answer
from sewershed.rules.figures import plain
from sewershed.rules.record import Event

_FromLogs = Callable[[Source], "Answer | None"]


def answers(source: Source, form: Form) -> Mapping[str, Mapping[str, Answer]]:
    """Returns the answers to what the form asks, by cause and question, for the causes that were found.

    Edge: what somebody recorded for a question goes before what a log says by itself; the last answer counts.
    """
    found: dict[str, dict[str, Answer]] = {}
    for cause in texts(source.datum(source.last("cause_found"), "causes")):
        given = found.setdefault(cause, {})
        for key, _ in form.questions.get(cause, ()):
            answer = _recorded(source, cause, key) or _from_logs(source, cause, key)
            if answer is not None:
                given[key] = answer
    return found


def _recorded(source: Source, cause: str, key: str) -> Answer | None:
    event = source.last("form_answered", when=lambda one: one.data["cause"] == cause and one.data["question"] == key)
    if event is None:
        return None
    return Answer(str(event.data["answer"]), str(source.datum(event, "rests_on") or ""))


def _from_logs(source: Source, cause: str, key: str) -> Answer | None:
    found = _BY_ITSELF.get((cause, key)) or _BY_ITSELF.get(("", key))
    return found(source) if found else None


def _last_cleaned(source: Source) -> Answer | None:
    pipe = source.ref("pipe")
    cleaned = pipe.last("line_cleaned", when=lambda one: one.day <= _first_day(source)) if pipe else None
    if pipe is None or cleaned is None:
        return None
    parts = [cleaned.day.isoformat(), f"{plain(cleaned.data['length_ft'])} ft", str(cleaned.data.get("method") or "")]  # type: ignore[arg-type]  # a number by the vocabulary
    return Answer(", ".join(part for part in parts if part), f"cleaning log of {pipe.label}")


def _earlier(source: Source) -> Answer | None:
    """Returns the confirmed spills of the same pipe, manhole or station before this one."""
    here = {one.thing.id for name in ("pipe", "manhole", "station") if (one := source.ref(name))}
    if not here:
        return None
    day = _first_day(source)
    others = [
        one
        for one in source.all("spill")
        if one.thing != source.thing
        and one.fact("state") == "confirmed"
        and _first_day(one) < day
        and here & {there.thing.id for name in ("pipe", "manhole", "station") if (there := one.ref(name))}
    ]
    since = source.at(source.town).fact("spill_records_since")
    held = f"register of spills, held since {since.isoformat()}" if since else "register of spills"
    said = "; ".join(f"spill {one.number} of {_first_day(one).isoformat()}" for one in others)
    return Answer(said or "none on record", held)


def _described(source: Source) -> Answer | None:
    found: Event | None = source.last("cause_found", when=lambda one: bool(one.data.get("description")))
    return Answer(str(found.data["description"]), f"finding of {found.day.isoformat()}") if found else None


def _of_pipe(name: str, say: Callable[[object], str]) -> _FromLogs:
    def answer(source: Source) -> Answer | None:
        pipe = source.ref("pipe")
        value = pipe.fact(name) if pipe else None
        return None if pipe is None or value is None else Answer(say(value), f"sewer map, {pipe.label}")

    return answer


def _alternate_power(source: Source) -> Answer | None:
    station = source.ref("station")
    said = {"on_site": "a generator on site", "portable": "a portable generator", "none": "none"}
    known = station.fact("generator") if station else None
    return Answer(said[str(known)], f"record of {station.label}") if station and known else None


def _first_day(source: Source) -> date:
    first = source.first("call", "spill_confirmed")
    return first.day if first else source.day


_BY_ITSELF: Mapping[tuple[str, str], _FromLogs] = {
    ("grease", "last_cleaned"): _last_cleaned,
    ("debris", "last_checked"): _last_cleaned,
    ("", "earlier"): _earlier,
    ("natural_conditions", "describe"): _described,
    ("other", "describe"): _described,
    ("power", "alternate"): _alternate_power,
    ("pipe_failure", "size"): _of_pipe("diameter_in", lambda value: f"{plain(value)} in"),  # type: ignore[arg-type]  # a number by the vocabulary
    ("pipe_failure", "material"): _of_pipe("material", str),
    ("pipe_failure", "age"): _of_pipe("laid_on", lambda value: f"laid {value}"),
    ("pipe_failure", "kind"): _of_pipe("is_gravity", lambda value: "gravity sewer" if value else "force main"),
    ("pipe_failure", "high_priority"): _of_pipe("is_high_priority", lambda value: "yes" if value else "no"),
}
