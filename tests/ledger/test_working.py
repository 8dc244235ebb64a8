"""What follows from the record: stored with the write, worked out on reading, and the same when built anew.

The duty of the tests' book: look at a yard within 24 hours of a complaint. Dates below are counted by hand.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from sewershed.ledger import actions, clock, working
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import CurrentFact, Finding, Obligation, Reader, Thing
from sewershed.ledger.projections import state_at

LOOK = "x.y.look"


@pytest.fixture
def yard(town, admin) -> str:
    return actions.set_facts("y1", {"address": "1 Main Street"}, as_account=admin, type="yard").thing


def look(yard: str) -> Obligation:
    return Obligation.objects.get(rule=LOOK, thing=yard)


def at(day: int, hour: int, minute: int = 0) -> datetime:
    """An instant of March 2024, local time of the town (five hours behind UTC before the 10th, four after)."""
    return datetime(2024, 3, day, hour, minute, tzinfo=UTC) + timedelta(hours=5 if day < 10 else 4)


def check_anew() -> None:
    assert working.recompute().differences == ()


def test_an_obligation_is_stored_in_the_write_that_opens_it(town, admin, yard):
    with clock.at(at(8, 16)):
        call = actions.record("complaint", yard, as_account=admin, at="2024-03-08T15:40")
    owed = look(yard)
    assert (owed.state, owed.due_by, owed.due_is_day, owed.opened_by, owed.office, owed.program) == (
        "open",
        at(9, 15, 40),
        False,
        call.id,
        "supervisor",
        "yard",
    )
    assert state_at(owed.state, owed.due_by, owed.missed_from, at(9, 15, 40)) == "due"
    assert state_at(owed.state, owed.due_by, owed.missed_from, at(9, 15, 40) + timedelta(seconds=1)) == "overdue"
    with clock.at(at(9, 15)):
        look_at_it = actions.record("yard_inspected", yard, as_account=admin, at="2024-03-09T14:59")
    assert (look(yard).state, look(yard).met_by) == ("met", look_at_it.id)
    actions.withdraw(look_at_it.id, as_account=admin, why="that was another yard")
    assert (look(yard).state, look(yard).met_by) == ("open", "")
    check_anew()


def test_a_correction_moves_what_it_must(town, admin, yard):
    call = actions.record("complaint", yard, as_account=admin, at="2024-03-08T15:40")
    key = look(yard).key
    actions.correct(call.id, as_account=admin, why="the clock was wrong", at="2024-03-08T15:00")
    assert (look(yard).key, look(yard).due_by) == (key, at(9, 15, 0))
    actions.correct(call.id, as_account=admin, why="another yard", thing=actions.set_facts(
        "y2", {}, as_account=admin, type="yard").thing)  # fmt: skip
    assert not Obligation.objects.filter(rule=LOOK, thing="y1").exists()
    assert look("y2").due_by == at(9, 15, 0)
    check_anew()


def test_a_thing_that_was_read_takes_its_readers_along(town, admin, yard):
    """A yard of over 1,000 square feet needs a gate at least 10 feet wide."""
    actions.set_facts(yard, {"area_ft2": "1001"}, as_account=admin)
    gate = actions.set_facts("g1", {"yard": yard}, as_account=admin, type="gate").thing
    assert Finding.objects.get(rule="x.y.width").outcome == "CANNOT_TELL"
    row = actions.set_facts(gate, {"width_ft": "10"}, as_account=admin)
    assert Finding.objects.get(rule="x.y.width").outcome == "MET"
    assert Reader.objects.filter(thing=gate, reader=yard).exists()
    actions.correct(row.id, as_account=admin, why="measured again", data={"width_ft": "9.99"})
    assert Finding.objects.get(rule="x.y.width").outcome == "NOT_MET"
    actions.set_facts("g2", {"yard": yard, "width_ft": "12"}, as_account=admin, type="gate")
    assert Finding.objects.get(rule="x.y.width").outcome == "MET"
    check_anew()


def test_current_facts_can_be_sorted_and_say_their_row(town, admin, yard):
    first = actions.set_facts(yard, {"area_ft2": "9.50"}, as_account=admin, day="2024-01-01")
    actions.set_facts("y2", {"area_ft2": "10"}, as_account=admin, type="yard")
    actions.set_facts(yard, {"area_ft2": "12"}, as_account=admin, day="2999-01-01")  # a plan: it does not hold yet
    facts = list(CurrentFact.objects.filter(name="area_ft2").order_by("number"))
    assert [(fact.thing, fact.text) for fact in facts] == [("y1", "9.50"), ("y2", "10")]
    assert (facts[0].row, facts[0].from_day) == (first.id, "2024-01-01")
    check_anew()


def test_what_lies_ahead_takes_effect_when_its_day_comes(town, admin, yard):
    with clock.at(at(11, 12)):
        actions.set_facts(yard, {"use": "home"}, as_account=admin)
        actions.set_facts(yard, {"use": "shop"}, as_account=admin, day="2024-03-12")
        assert CurrentFact.objects.get(thing=yard, name="use").text == "home"
    with clock.at(at(12, 0) - timedelta(seconds=1)):
        assert working.freshen([yard]) == 0
        assert CurrentFact.objects.get(thing=yard, name="use").text == "home"
    with clock.at(at(12, 0)):  # its first instant
        assert working.freshen([yard]) == 0
        assert CurrentFact.objects.get(thing=yard, name="use").text == "shop"
        check_anew()


def test_more_than_two_hundred_things_are_left_stale(town, admin):
    with actions.together():
        for number in range(201):
            actions.set_facts(f"y{number}", {}, as_account=admin, type="yard")
    assert Thing.objects.filter(is_stale=True).count() == 201
    assert working.freshen() == 201  # too many to work out while somebody waits
    assert working.freshen([f"y{number}" for number in range(200)]) == 0
    assert Thing.objects.filter(is_stale=True).count() == 1
    assert working.tick() == 1
    check_anew()


def test_two_hundred_things_are_worked_out_at_once(town, admin):
    with actions.together():
        for number in range(200):
            actions.set_facts(f"y{number}", {}, as_account=admin, type="yard")
    assert not Thing.objects.filter(is_stale=True).exists()


def test_time_alone_changes_what_it_must(town, admin, yard):
    """Looked at on 1 March 2023; due again each year: by the end of 1 March 2024."""
    with clock.at(datetime(2023, 3, 1, 12, tzinfo=UTC)):
        actions.set_facts(yard, {"opened_on": "2022-03-01", "is_paved": True}, as_account=admin)
        actions.record("yard_inspected", yard, as_account=admin, at="2023-03-01", data={"passed": True})
    for day in (
        datetime(2024, 2, 29, 12, tzinfo=UTC),
        datetime(2024, 3, 1, 12, tzinfo=UTC),
        datetime(2025, 3, 2, 12, tzinfo=UTC),
    ):
        with clock.at(day):
            working.tick()
            check_anew()


def test_recompute_says_where_what_was_stored_was_wrong(town, admin, yard):
    actions.record("complaint", yard, as_account=admin, at="2024-03-08T15:40")
    Obligation.objects.filter(rule=LOOK).update(state="met")
    found = working.recompute()
    assert len(found.differences) == 2
    assert found.differences[0].startswith("obligation: stored but not built anew")
    assert look(yard).state == "open"
    check_anew()


def test_two_do_not_recompute_at_once(town):
    with working._alone(), pytest.raises(Refused, match="is running"):
        working.recompute()
    check_anew()


def test_an_assignment_names_the_person_while_it_runs(town, admin, yard):
    person = actions.set_facts("p1", {"name": "crew leader"}, as_account=admin, type="person").thing
    with clock.at(at(11, 12)):
        actions.record("complaint", yard, as_account=admin, at="2024-03-11T08:00")
        assert look(yard).person == ""
        actions.record("assigned", yard, as_account=admin, at="2024-03-11", data={"to": person, "until": "2024-03-12"})
        assert look(yard).person == person
    with clock.at(at(13, 0) - timedelta(seconds=1)):
        working.freshen([yard])
        assert look(yard).person == person
    with clock.at(at(13, 0)):
        working.freshen([yard])
        assert look(yard).person == ""
        check_anew()


def test_an_office_counts_only_for_who_held_it_that_day(town, admin, yard):
    person = actions.set_facts("p1", {"name": "somebody"}, as_account=admin, type="person").thing

    def cleared() -> str:
        return Finding.objects.get(rule="x.y.clear").outcome

    held = {"office": "supervisor", "from": "2024-03-01", "until": "2024-03-08"}
    how = {"as_account": admin, "performed_by": person, "office": "supervisor"}
    done = actions.record("yard_cleared", yard, at="2024-03-08", **how)
    assert cleared() == "CANNOT_TELL"
    taken = actions.record("office_held", person, as_account=admin, at="2024-03-01", data=held)
    assert cleared() == "MET"
    actions.correct(done.id, as_account=admin, why="a day later", at="2024-03-09")
    assert cleared() == "CANNOT_TELL"
    longer = actions.correct(taken.id, as_account=admin, why="a day longer", data={"until": "2024-03-09"})
    assert cleared() == "MET"
    check_anew()
    actions.withdraw(longer.id, as_account=admin, why="never appointed")
    assert cleared() == "CANNOT_TELL"
    actions.correct(done.id, as_account=admin, why="nobody is named", office="inspector", performed_by="")
    assert cleared() == "CANNOT_TELL"
    inspects = {"office": "inspector", "from": "2024-03-01"}
    actions.record("office_held", person, as_account=admin, at="2024-03-01", data=inspects)
    actions.correct(done.id, as_account=admin, why="another office", office="inspector", performed_by=person)
    assert cleared() == "NOT_MET"
    check_anew()


def test_one_worker_keeps_a_town_to_itself(town):
    with clock.at(at(11, 12)):
        assert working.beat("one")
        assert working.beat("one")
        assert not working.beat("two")
    with clock.at(at(11, 12, 5)):
        assert not working.beat("two")
    with clock.at(at(11, 12, 5) + timedelta(seconds=1)):
        assert working.beat("two")
        assert not working.beat("one")


def test_a_snow_day_moves_what_counts_business_days_everywhere(town, admin, yard):
    other = actions.set_facts("y2", {}, as_account=admin, type="yard").thing
    done = actions.record("offices_closed", "town", as_account=admin, at="2024-03-08", data={"because": "snow"})
    assert Thing.objects.filter(is_stale=True, id__in=[yard, other]).count() == 2
    working.tick()
    actions.withdraw(done.id, as_account=admin, why="only the library")
    assert Thing.objects.filter(is_stale=True, id__in=[yard, other]).count() == 2
    working.tick()
    check_anew()


def test_rows_entered_while_it_recomputes_are_not_lost(town, admin, yard):
    def meanwhile(doing: str) -> None:
        if doing == "writing":
            actions.record("complaint", yard, as_account=admin, at="2024-03-08T15:40")
            actions.set_facts("y9", {"address": "new"}, as_account=admin, type="yard", aliases=["the late one"])

    assert working.recompute(progress=meanwhile).differences == ()
    assert look(yard).state == "open"
    assert Thing.objects.get(id="y9").label == "yard Y24-002: new"
    assert not Thing.objects.filter(is_stale=True).exists()
    check_anew()
