"""In which office somebody did or decided something: it counts where they held it that day (DESIGN 4.4, RULEBOOK 7.5 and 7.9).

The inspector decides whether a yard is sound; only the supervisor clears one (tests/ledger/place). The answers follow by hand
from who held which office when.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from sewershed.ledger import accounts, actions, clock, queries, working
from sewershed.rules.unknown import Unknown

CLEARED = "x.y.clear"


@pytest.fixture
def yard(town, admin) -> str:
    for one in ("ann", "bob"):
        actions.set_facts(one, {"name": one.capitalize()}, as_account=admin, type="person")
    return actions.set_facts("y1", {"address": "1 Main Street"}, as_account=admin, type="yard").thing


def hold(person, office, admin, **data):
    return actions.record(
        "office_held", person, as_account=admin, at="2024-03-08", data={"office": office, "from": "2024-03-01", **data}
    )


def decide(yard, account, at="2024-03-05", **who):
    return actions.decide(yard, fact="sound", value=True, because="walked it", at=at, as_account=account, **who)


def sound(yard, admin):
    """What the books say of it, or what is wanting; what is stored says the same."""
    answer = queries.answer("yard.sound", as_account=admin, thing=yard)
    stored = {one.name: one.text for one in queries.facts(yard, as_account=admin)}
    assert ("sound" in stored) is not isinstance(answer, Unknown)
    assert working.recompute().differences == ()
    return [str(one) for one in answer.wants] if isinstance(answer, Unknown) else answer


def test_a_decision_counts_by_the_holder_whoever_enters_it(town, admin, yard):
    hold("ann", "inspector", admin)
    decide(yard, admin, performed_by="ann")
    assert sound(yard, admin) is True


@pytest.mark.parametrize(
    ("who", "wanting"),
    [
        ({"performed_by": "bob", "office": "inspector"}, "bob did not hold inspector on 2024-03-05"),
        ({"performed_by": "bob"}, "bob did not hold inspector on 2024-03-05"),
        ({"performed_by": "ann", "office": "supervisor"}, "ann did not hold supervisor on 2024-03-05"),
        ({"office": "inspector"}, "nobody is named who did it as inspector"),
        ({}, "nobody is named who did it as inspector"),
    ],
)
def test_by_anybody_else_it_stays_entered_and_decides_nothing(town, admin, yard, who, wanting):
    hold("ann", "inspector", admin)
    row = decide(yard, admin, **who)
    assert sound(yard, admin) == ["yard.sound, to be decided by inspector", wanting]
    assert queries.row(row.id, as_account=admin).data["value"] == "true"
    assert [str(one) for one in queries.unheld(yard, as_account=admin)[row.id]] == [wanting]


def test_the_first_and_the_last_day_belong_to_the_office(town, admin, yard):
    hold("ann", "inspector", admin, until="2024-03-05")
    for day, counts in (("2024-02-29", False), ("2024-03-06", False), ("2024-03-01", True)):
        decide(yard, admin, at=day, performed_by="ann")
        assert (sound(yard, admin) is True) is counts, day
    actions.withdraw(queries.rows(yard, as_account=admin)[-1].id, as_account=admin, why="entered for another yard")
    assert sound(yard, admin) != [True]
    decide(yard, admin, at="2024-03-05", performed_by="ann")
    assert sound(yard, admin) is True


def test_an_office_recorded_later_from_an_earlier_day_makes_it_count_and_withdrawn_it_does_not(town, admin, yard):
    decide(yard, admin, performed_by="ann")
    before = clock.now()
    assert isinstance(sound(yard, admin), list)
    with clock.at(before + timedelta(hours=1)):
        held = hold("ann", "inspector", admin)
    assert sound(yard, admin) is True
    asked = queries.world(as_account=admin, known_at=before).answer("yard.sound", yard)
    assert isinstance(asked, Unknown)  # as was known then
    actions.withdraw(held.id, as_account=admin, why="it was Bob")
    assert isinstance(sound(yard, admin), list)
    actions.correct(held.id, as_account=admin, why="it was Ann after all")
    assert sound(yard, admin) is True
    actions.correct(held.id, as_account=admin, why="it was Bob", thing="bob")
    assert isinstance(sound(yard, admin), list)


def test_what_somebody_enters_through_their_own_account_is_theirs(town, admin, yard):
    hold("ann", "inspector", admin)
    own = accounts.open_account("ann", as_account=admin, roles=["manager"], person="ann")
    assert queries.row(decide(yard, own).id, as_account=admin).performed_by == "ann"
    assert sound(yard, admin) is True


def test_an_act_in_an_office_that_was_not_held_cannot_be_told(town, admin, yard):
    actions.record("complaint", yard, as_account=admin, at="2024-03-08T15:40")
    row = actions.record(
        "yard_cleared", yard, as_account=admin, at="2024-03-08", performed_by="bob", office="supervisor"
    )

    def found():
        (one,) = [one for one in queries.findings(as_account=admin, thing=yard) if one.rule == CLEARED]
        return one.outcome, [str(want) for want in one.asks]

    assert found() == ("CANNOT_TELL", ["bob did not hold supervisor on 2024-03-08"])
    assert list(queries.unheld(yard, as_account=admin)) == [row.id]
    hold("bob", "supervisor", admin)
    assert found() == ("MET", [])
    assert queries.unheld(yard, as_account=admin) == {}
    then = queries.unheld(yard, as_account=admin, known_at=datetime(2024, 3, 1, tzinfo=UTC))
    assert then == {}  # nothing was recorded yet
