"""The only ways in: what they enter, what they refuse and how they say it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from sewershed.ledger import actions, adopting, clock, files, log, queries, standing, working
from sewershed.ledger.errors import NotAllowed, NotFound, Refused
from sewershed.ledger.models import Alias, Ref, Thing

PDF = b"%PDF-1.7 a paper"


@pytest.fixture
def yard(town, admin) -> str:
    return actions.set_facts("y1", {"address": "1 Main Street"}, as_account=admin, type="yard").thing


def complain(yard, admin, at="2024-03-08T15:40", **more):
    return actions.record("complaint", yard, as_account=admin, at=at, **more)


# ------------------------------------------------------------------ events


def test_an_event_is_one_row_with_its_number(town, admin, yard):
    done = complain(yard, admin, data={"what": "smell", "depth_in": "2.50"}, source="form")
    (row,) = log.select_list("id = %s", [done.id])
    assert (row.kind, row.name, row.thing, row.at, row.utc_offset) == (
        "event",
        "complaint",
        "y1",
        "2024-03-08T20:40:00Z",
        "-05:00",
    )
    assert json.loads(row.data)["depth_in"] == "2.50"
    assert (done.number, row.recorded_by) == ("C24-001", "admin")
    assert complain(yard, admin, at="2023-12-31T23:59").number == "C23-001"  # the year of the day in the town
    assert complain(yard, admin, at="2024-01-01T04:59Z").number == "C23-002"  # 23:59 the day before, in the town
    assert complain(yard, admin, at="2024-01-01T05:00Z").number == "C24-002"


def test_everything_that_is_wrong_is_said_at_once(town, admin, yard):
    with pytest.raises(Refused) as refused:
        complain(yard, admin, at="2024-03-08", data={"wat": "x", "depth_in": "deep", "caller": "nobody"}, office="king")
    assert refused.value.reasons == (
        "complaint needs the time of day",
        "complaint has no 'wat'; did you mean 'what'?",
        "complaint.depth_in is 'deep': write a number with figures and a point, without commas or unit",
        "unknown office 'king'; the offices are inspector, supervisor, town, town_manager",
        "complaint.caller: there is no person nobody",
    )


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("2023-11-05T01:30", "2023-11-05T01:30 happens twice in America/New_York"),
        ("2024-03-10T02:30", "2024-03-10T02:30 does not exist in America/New_York"),
        ("2024-03-99", "is not a date"),
        ("", "yard_inspected needs a time"),
    ],
)
def test_a_time_that_is_none_is_refused(town, admin, yard, at, message):
    with pytest.raises(Refused, match=message):
        actions.record("yard_inspected", yard, as_account=admin, at=at)


def test_what_is_after_now_is_refused(town, admin, yard):
    now = datetime(2024, 3, 11, 15, 0, tzinfo=UTC)  # 11:00 in the town
    with clock.at(now):
        complain(yard, admin, at="2024-03-11T11:00:00")
        with pytest.raises(Refused, match="has not come yet"):
            complain(yard, admin, at="2024-03-11T11:00:01")
        actions.record("yard_inspected", yard, as_account=admin, at="2024-03-11")
        with pytest.raises(Refused, match="has not come yet"):
            actions.record("yard_inspected", yard, as_account=admin, at="2024-03-12")
    with clock.at(datetime(2024, 3, 12, 3, 59, tzinfo=UTC)), pytest.raises(Refused):  # still the 11th in the town
        actions.record("yard_inspected", yard, as_account=admin, at="2024-03-12")
    with clock.at(datetime(2024, 3, 12, 4, 0, tzinfo=UTC)):
        actions.record("yard_inspected", yard, as_account=admin, at="2024-03-12")


def test_a_day_is_a_day_and_an_estimate_says_how(town, admin, yard):
    with pytest.raises(Refused, match="yard_cleared takes only a day, such as 2024-03-08"):
        actions.record("yard_cleared", yard, as_account=admin, at="2024-03-08T10:00")
    with pytest.raises(Refused, match="how it was estimated"):
        complain(yard, admin, at_is="estimated")
    complain(yard, admin, at_is="estimated", at_how="from the water's mark")
    with pytest.raises(Refused, match="exact, about, estimated"):
        complain(yard, admin, at_is="roughly")


def test_events_with_an_action_of_their_own_are_not_recorded(town, admin, yard):
    with pytest.raises(Refused, match="decided is entered by the action decide"):
        actions.record("decided", yard, as_account=admin, at="2024-03-08")


def test_the_same_entry_sent_twice_is_one_row(town, admin, yard):
    first = complain(yard, admin, id="phone-1", data={"what": "smell"})
    assert complain(yard, admin, id="phone-1", data={"what": "smell"}) == first._replace(head=log.head())
    assert len(log.select_list("name = 'complaint'")) == 1
    with pytest.raises(Refused, match="the id phone-1 is taken by another entry"):
        complain(yard, admin, id="phone-1", data={"what": "noise"})


# ------------------------------------------------------------------ facts and things


def test_a_thing_begins_with_facts_and_takes_its_number(town, admin):
    done = actions.set_facts("", {"address": "2 Elm Street"}, as_account=admin, type="yard", aliases=["the old yard"])
    thing = Thing.objects.get(id=done.thing)
    assert (thing.type, thing.number, thing.label) == ("yard", "Y24-001", "yard Y24-001: 2 Elm Street")
    assert list(Alias.objects.values_list("text", flat=True)) == ["the old yard"]
    assert actions.set_facts("", {}, as_account=admin, type="yard").thing_number == "Y24-002"


def test_a_number_is_not_given_again(town, admin, yard):
    assert Thing.objects.get(id=yard).number == "Y24-001"
    (row,) = log.select_list("thing = %s", [yard])
    actions.withdraw(row.id, as_account=admin, why="a slip")
    assert Thing.objects.get(id=yard).is_gone
    assert actions.set_facts("", {}, as_account=admin, type="yard").thing_number == "Y24-002"


def test_facts_hold_from_their_day_and_the_later_row_wins(town, admin, yard):
    actions.set_facts(yard, {"use": "home"}, as_account=admin, day="2024-01-01")
    actions.set_facts(yard, {"use": "shop"}, as_account=admin, day="2024-02-01")
    actions.set_facts(yard, {"use": "home"}, as_account=admin, day="2024-02-01")
    day = datetime(2024, 1, 31, tzinfo=UTC).date()
    assert standing.facts_on(yard, day)["use"] == "home"
    actions.set_facts(yard, {"use": "shop"}, as_account=admin, day="2024-01-01")
    assert standing.facts_on(yard, day)["use"] == "shop"
    assert "use" not in standing.facts_on(yard, day - timedelta(days=31))
    assert standing.facts_on(yard, day + timedelta(days=1))["use"] == "home"


def test_not_known_is_not_the_same_as_not_asked(town, admin, yard):
    actions.set_facts(yard, {"use": None}, as_account=admin)
    assert standing.facts_on(yard, None) == {"address": "1 Main Street", "use": None}


def test_a_judged_fact_is_decided_not_set(town, admin, yard):
    with pytest.raises(Refused, match=r"yard\.sound is decided by inspector; record who decided it"):
        actions.set_facts(yard, {"sound": True}, as_account=admin)
    done = actions.decide(yard, fact="sound", value="yes", because="walked it", at="2024-03-08", as_account=admin)
    assert json.loads(log.select_list("id = %s", [done.id])[0].data) == {
        "because": "walked it",
        "fact": "sound",
        "value": "true",
    }
    for wrong, message in [
        ({"fact": "use", "value": "shop"}, r"yard\.use is not decided by anybody"),
        ({"fact": "sound", "value": "perhaps"}, r"yard\.sound is 'perhaps': write yes or no"),
        ({"fact": "sound"}, "says no value"),
        ({"doubt": "D-1", "reading": "a"}, "there is no doubt 'D-1'"),
        ({}, "of a fact or of a doubt"),
    ]:
        with pytest.raises(Refused, match=message):
            actions.decide(yard, because="walked it", at="2024-03-08", as_account=admin, **wrong)
    with pytest.raises(Refused, match="needs a reason"):
        actions.decide(yard, fact="sound", value=True, because=" ", at="2024-03-08", as_account=admin)


def test_references_are_kept_and_must_point_somewhere(town, admin, yard):
    person = actions.set_facts("p1", {"name": "an owner"}, as_account=admin, type="person").thing
    actions.set_facts(yard, {"owner": person}, as_account=admin)
    assert list(Ref.objects.values_list("thing", "type", "fact", "to")) == [("y1", "yard", "owner", "p1")]
    with pytest.raises(Refused, match=r"yard\.owner: y1 is a yard, not a person"):
        actions.set_facts(yard, {"owner": "y1"}, as_account=admin)


def test_money_shapes_lists_and_files_are_checked(town, admin, yard):
    with pytest.raises(Refused, match="money has two places"):
        actions.set_facts(yard, {"debt_usd": "1.005"}, as_account=admin)
    with pytest.raises(Refused, match="the digits that were entered"):
        actions.set_facts(yard, {"area_ft2": 1.5}, as_account=admin)
    with pytest.raises(Refused, match="attach it first"):
        actions.record("yard_inspected", yard, as_account=admin, at="2024-03-08", data={"photo": "0" * 64})
    done = actions.record(
        "yard_inspected", yard, as_account=admin, at="2024-03-08", data={"steps": [{"id": "a", "by": "2024-04-01"}]}
    )
    assert json.loads(log.select_list("id = %s", [done.id])[0].data) == {"steps": [{"by": "2024-04-01", "id": "a"}]}
    with pytest.raises(Refused, match=r"yard_inspected\.steps\[0\] has no 'until'"):
        actions.record("yard_inspected", yard, as_account=admin, at="2024-03-08", data={"steps": [{"until": "x"}]})


# ------------------------------------------------------------------ corrections and withdrawals


def test_a_correction_replaces_what_it_names_and_leaves_the_rest(town, admin, yard):
    first = complain(yard, admin, data={"what": "smell", "depth_in": "3"})
    second = actions.correct(first.id, as_account=admin, why="misheard", data={"depth_in": "2"}, at="2024-03-08T15:30")
    third = actions.correct(first.id, as_account=admin, why="nor that", without=["depth_in"])
    chain = standing.chain_of(second.id)
    assert [row.id for row in chain.rows] == [first.id, second.id, third.id]
    assert (chain.content.at, json.loads(chain.content.data)) == ("2024-03-08T20:30:00Z", {"what": "smell"})
    with pytest.raises(Refused, match="a correction needs a reason"):
        actions.correct(first.id, as_account=admin, why="", data={"what": "noise"})


def test_a_withdrawn_row_comes_back_by_a_correction(town, admin, yard):
    first = complain(yard, admin, data={"what": "smell"})
    actions.withdraw(first.id, as_account=admin, why="another yard")
    assert standing.chain_of(first.id).is_void
    with pytest.raises(Refused, match=r"it was withdrawn on .* by admin: another yard"):
        actions.withdraw(first.id, as_account=admin, why="again")
    actions.correct(first.id, as_account=admin, why="it was this one after all")
    chain = standing.chain_of(first.id)
    assert not chain.is_void
    assert json.loads(chain.content.data) == {"what": "smell"}


def test_a_correction_may_move_a_row_to_another_thing(town, admin, yard):
    other = actions.set_facts("y2", {}, as_account=admin, type="yard").thing
    first = complain(yard, admin)
    actions.correct(first.id, as_account=admin, why="the other yard", thing=other)
    assert [chain.root.id for chain in standing.standing_about(other) if chain.root.kind == "event"] == [first.id]
    assert [chain.root.kind for chain in standing.standing_about(yard)] == ["facts"]
    assert len(standing.rows_about(yard)) == 3  # its facts, the call, and the row that took the call away
    person = actions.set_facts("p1", {}, as_account=admin, type="person").thing
    with pytest.raises(Refused, match="complaint is about a yard, not a person"):
        actions.correct(first.id, as_account=admin, why="x", thing=person)


def test_a_correction_of_facts_keeps_aliases(town, admin):
    done = actions.set_facts(
        "", {"address": "2 Elm"}, as_account=admin, type="yard", aliases=["B", "A"], source_id="17"
    )
    actions.correct(done.id, as_account=admin, why="misspelt", data={"address": "2 Elm Street"})
    thing = Thing.objects.get(id=done.thing)
    assert (thing.label, thing.source_id, thing.number) == ("yard Y24-001: 2 Elm Street", "17", "Y24-001")
    assert sorted(Alias.objects.values_list("text", flat=True)) == ["A", "B"]


# ------------------------------------------------------------------ files and papers


def test_a_file_is_kept_under_its_hash(town, admin, yard):
    done = actions.attach(yard, PDF, as_account=admin, name="sheet.pdf", mime="application/pdf", taken_at="2024-03-08")
    facts = standing.facts_on(done.thing, None)
    assert facts["about"] == "y1"
    assert files.read(facts["file"]) == PDF
    assert facts["size_bytes"] == str(len(PDF))


@pytest.mark.parametrize(
    ("content", "mime", "message"),
    [
        (b"", "image/png", "the file is empty"),
        (PDF, "image/png", "its first bytes are those of another kind"),
        (b"MZ", "application/x-msdownload", "are not kept"),
        (b"a\x00b", "text/csv", "is no text"),
    ],
)
def test_a_file_that_is_not_what_it_claims_is_refused(town, admin, yard, content, mime, message):
    with pytest.raises(Refused, match=message):
        actions.attach(yard, content, as_account=admin, name="x", mime=mime)


def test_the_largest_file_is_taken_and_one_byte_more_is_not():
    files.check(b"12345", "text/plain", most_bytes=5)
    with pytest.raises(Refused, match="6 bytes, more than the 5"):
        files.check(b"123456", "text/plain", most_bytes=5)


def test_a_paper_takes_its_number_in_the_transaction_that_issues_it(town, admin, yard):
    def render(stamp):
        return actions.Paper(PDF + stamp.number.encode(), b"{}")

    def fail(stamp):
        raise RuntimeError("no ink")

    first = actions.issue("notice", yard, render, as_account=admin, template="notice@1")
    with pytest.raises(RuntimeError):
        actions.issue("notice", yard, fail, as_account=admin, template="notice@1")
    second = actions.issue("notice", yard, render, as_account=admin, template="notice@1")
    other = actions.issue("letter", yard, render, as_account=admin, template="letter@1")
    assert [first.number, second.number, other.number] == ["24-001", "24-002", "24-001"]
    facts = standing.facts_on(first.thing, None)
    assert files.read(facts["sha256"]) == PDF + b"24-001"
    assert (facts["kind"], facts["about"], facts["template"]) == ("notice", "y1", "notice@1")
    actions.record("document_withdrawn", second.thing, as_account=admin, at="2024-03-11", data={"because": "a slip"})
    assert actions.issue("notice", yard, render, as_account=admin, template="notice@1").number == "24-003"


# ------------------------------------------------------------------ rights


def test_an_account_does_what_its_roles_allow(town, admin, yard):
    crew = actions.open_account("crew1", as_account=admin, roles={"auditor"})
    with pytest.raises(NotAllowed, match=r"crew1 may not record in yard \(its roles: auditor\)"):
        complain(yard, crew)
    clerk = actions.open_account("clerk", as_account=admin, roles={"clerk"})
    first = complain(yard, clerk)
    kept = list(files.all_kept(town.files))
    for account, thing, refusal in ((crew, yard, NotAllowed), (clerk, "nowhere", NotFound)):
        with pytest.raises(refusal):
            actions.attach(thing, b"of nobody who may enter it", as_account=account, name="a.txt", mime="text/plain")
    assert list(files.all_kept(town.files)) == kept  # nothing was kept either
    with pytest.raises(NotAllowed, match="clerk may not withdraw"):
        actions.withdraw(first.id, as_account=clerk, why="x")
    with pytest.raises(NotAllowed, match="may not administer"):
        actions.open_account("other", as_account=clerk, roles={"clerk"})
    clerk = actions.change_account("clerk", as_account=admin, is_active=False)
    with pytest.raises(NotAllowed, match="the account clerk is closed"):
        complain(yard, clerk)


def test_accounts_are_named_once_and_one_administers(town, admin):
    with pytest.raises(Refused, match="was given before"):
        actions.open_account("admin", as_account=admin, roles={"clerk"})
    with pytest.raises(Refused, match="there is no role king"):
        actions.open_account("other", as_account=admin, roles={"king"})
    with pytest.raises(Refused, match="admin is the last administrator"):
        actions.change_account("admin", as_account=admin, roles={"clerk"})
    with pytest.raises(Refused, match="say as which one"):
        actions.open_account("other", as_account=None, roles={"administrator"})


def access(admin) -> list[tuple[str, dict[str, object]]]:
    """Who changed what of whose access, as the log has it."""
    rows = queries.rows(adopting.town_id(), as_account=admin)
    return [(one.recorded_by, dict(one.data)) for one in rows if one.name == "access_changed"]


def test_who_may_do_what_is_in_the_log_and_no_secret(town, admin):
    actions.set_facts("p1", {"name": "A Person"}, as_account=admin, type="person")
    clerk = actions.open_account("clerk", as_account=admin, roles={"clerk"}, password="sluice gate ratchet nine")
    actions.change_account("clerk", as_account=admin, roles={"clerk"}, person="", is_active=True)  # nothing differs
    actions.change_account("clerk", as_account=admin, roles={"crew", "inspector"}, person="p1")
    actions.change_account("clerk", as_account=clerk, password="another ratchet nine")
    actions.change_account("clerk", as_account=admin, password="", is_active=False, source="command")
    actions.change_account("clerk", as_account=admin, is_active=True)
    with pytest.raises(Refused, match="last administrator"):
        actions.change_account("admin", as_account=admin, is_active=False)
    assert access(admin) == [
        ("admin", {"what": "account_opened", "account": "clerk", "roles": ["clerk"]}),
        ("admin", {"what": "roles_given", "account": "clerk", "roles": ["crew", "inspector"]}),
        ("admin", {"what": "person_named", "account": "clerk", "person": "p1"}),
        ("clerk", {"what": "password_set", "account": "clerk"}),
        ("admin", {"what": "account_closed", "account": "clerk"}),
        ("admin", {"what": "password_removed", "account": "clerk"}),
        ("admin", {"what": "account_reopened", "account": "clerk"}),
    ]
    kept = [str(row) for row in log.select()]
    assert not any("ratchet" in one or "argon2" in one for one in kept)
    assert working.recompute().differences == ()


def test_a_change_of_access_is_entered_by_its_own_action_alone(town, admin):
    actions.open_account("clerk", as_account=admin, roles={"clerk"})
    (row,) = [one for one in queries.rows(adopting.town_id(), as_account=admin) if one.name == "access_changed"]
    said = {"what": "roles_given", "account": "clerk"}
    with pytest.raises(Refused, match="access_changed is entered by the action change_account"):
        actions.record("access_changed", adopting.town_id(), as_account=admin, at="2024-03-11", data=said)
    for undo in (actions.withdraw, actions.correct):
        with pytest.raises(Refused, match="neither corrected nor withdrawn: change the account again"):
            undo(row.id, as_account=admin, why="to hide it")


def test_a_change_of_access_works_nothing_out_anew(town, admin, yard, monkeypatch):
    worked: list[str] = []
    monkeypatch.setattr(working, "store", lambda concerned, *_: worked.extend(concerned))
    actions.open_account("clerk", as_account=admin, roles={"clerk"})
    assert worked == []
    assert not Thing.objects.filter(is_stale=True).exists()


def test_what_is_not_there_is_named(town, admin):
    with pytest.raises(NotFound, match="there is no thing 'y9'"):
        complain("y9", admin)
    with pytest.raises(NotFound, match="there is no row r9"):
        actions.withdraw("r9", as_account=admin, why="x")
    with pytest.raises(NotFound, match="give the type of a new one"):
        actions.set_facts("y9", {}, as_account=admin)
