"""The letters from the record: to whoever reported it, and to the owner of a private line. Both carry their reader's own data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from sewershed.ledger import queries
from sewershed.ledger.errors import NotFound, Refused
from sewershed.ledger.papers.source import Source, sentence
from sewershed.ledger.papers.spill_report import stop_of
from sewershed.programs.spills.papers import caller_letter, owner_letter
from sewershed.programs.spills.papers.caller_letter import Outcome
from sewershed.rules.record import Event

_BY_STATE: Mapping[str, Outcome] = {"confirmed": "spill", "none": "none", "private": "private", "not_ours": "not_ours"}
ASKED = ("Have the line from your building to the town's main cleared and mended.", "Tell us when it is done.")


def caller_letter_data(source: Source, signed_by: Event | None, part: str = "") -> Mapping[str, object]:
    """Returns the data of the letter to whoever made a call; the first caller who left a name, if none is said.

    Refuses: a call that is not there, a call whose outcome is not known yet, and a caller without a name.
    """
    found = source.first("call", when=lambda event: event.id == part if part else bool(source.datum(event, "reporter")))
    if found is None:
        raise NotFound(
            f"there is no call {part!r} on {source.label}"
            if part
            else f"no caller of {source.label} left a name: telephone"
        )
    outcome = _outcome(source)
    arrived = source.first("crew_arrived", "spill_investigated")
    advised, claim = source.last("backup_advised"), source.last("claim_form_given")
    followed = source.last("caller_followed_up", when=lambda event: event.data.get("call") == found.id)
    said, advice = source.datum(followed, "said"), source.datum(advised, "advice")
    letter = caller_letter.CallerLetter(
        to=tuple(filter(None, (source.datum(found, "reporter"),))),
        day=signed_by.day if signed_by else source.day,
        call_number=queries.row(found.id, as_account=source.as_account).number or None,
        called=found.moment,
        location=source.datum(found, "location") or source.fact("location"),
        outcome=outcome,
        arrived=arrived.moment if arrived else None,
        stopped=None if outcome in ("none", "backup_lateral") else stop_of(source),
        said=tuple(filter(None, (sentence(said),))),
        advice=tuple(filter(None, (sentence(advice),))),
        claim=f"On {claim.day.isoformat()} you were given the form for a claim. Please send it back to us."
        if claim
        else None,
        signer=_signer(source, signed_by),
        signer_title=source.office(signed_by),
        signer_telephone=_telephone(source),
    )
    return caller_letter.build(letter, zone=source.zone)


def owner_letter_data(source: Source, signed_by: Event | None, part: str = "") -> Mapping[str, object]:
    """Returns the data of the letter to the owner of a private line.

    Refuses: what nobody found to be private, premises that are not recorded, and an owner who is not.
    """
    found = source.last("found_private")
    spill = source.number or source.thing.id
    if found is None:
        raise Refused(
            [
                f"nobody found {source.label} to be private, and a letter would tell its owner so",
                f'if it is, record it: sewershed record TOWN found_private --on {spill} --at "WHEN" --set premises=PREMISES',
            ]
        )
    named = source.datum(found, "premises") or source.fact("premises")
    if named is None:
        raise NotFound(
            f"the premises of {source.label} are not recorded: say which with `sewershed record TOWN facts {spill} --set "
            "premises=PREMISES`, and who owns them with `sewershed record TOWN facts PREMISES --set owner=PERSON`"
        )
    premises = source.at(named.id)
    owner = premises.ref("owner")
    made_safe = source.last("made_safe", "spill_contained", "area_secured")
    clauses = tuple(
        owner_letter.Clause(_cited(source, one.rule), source.world.entries[one.rule].means)
        for one in source.world.obligations(source.thing.id)
        if (duty := source.world.duty(one)) is not None
        and source.world.book.roles.get(duty.to, "").startswith(f"{source.thing.type}.premises")
    )
    letter = owner_letter.OwnerLetter(
        to=tuple(filter(None, (owner.fact("name"), owner.fact("mailing_address")))) if owner else (),
        day=signed_by.day if signed_by else source.day,
        premises=str(premises.fact("address") or premises.label),
        seen=found.moment,
        findings=sentence(source.datum(found, "findings")),
        made_safe=sentence(source.datum(made_safe, "how")),
        asked=ASKED,
        by=None,
        by_clause=None,
        clauses=clauses,
        signer=_signer(source, signed_by),
        signer_title=source.office(signed_by),
        signer_telephone=_telephone(source),
    )
    return owner_letter.build(letter, zone=source.zone)


def _cited(source: Source, rule: str) -> str:
    """Returns where an entry stands, and whether it is from memory."""
    cites = ", ".join(source.world.entries[rule].cites)
    return "; ".join(filter(None, (cites, source.world.law.caution(rule))))


def _outcome(source: Source) -> Outcome:
    origin = source.fact("backup_origin")
    state = str(source.fact("state"))
    if source.first("call", when=lambda event: event.data.get("what") == "backup_indoors"):
        if origin == "lateral" and state != "confirmed":
            return "backup_lateral"
        if origin == "main" and state == "confirmed":
            return "backup_main"
    if state not in _BY_STATE:
        raise NotFound(
            f"what became of {source.label} is not known yet: nobody has confirmed it or found it to be none"
        )
    return _BY_STATE[state]


def _signer(source: Source, signed_by: Event | None) -> str | None:
    return source.person(signed_by.by) if signed_by else None


def _telephone(source: Source) -> str | None:
    return cast("str | None", source.at(source.town).fact("telephone"))


__all__ = ["caller_letter_data", "owner_letter_data"]
