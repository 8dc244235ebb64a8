"""A newer supplement: what it would change is said first; what cannot be read under it keeps it out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sewershed.ledger import actions, adopting, clock, queries, supplements, working
from sewershed.ledger.errors import NotAllowed, Refused
from sewershed.ledger.models import Obligation
from tests.ledger.conftest import BOOKS, PROGRAMS

LOOK = "books/x.y/yards.toml"
WORDS = "programs/yard/vocabulary.toml"


@pytest.fixture
def parts(town) -> dict[str, bytes]:
    return supplements.gather("x.y", PROGRAMS, BOOKS)


@pytest.fixture
def owed(town, admin) -> str:
    with clock.at(datetime(2024, 3, 8, 21, 0, tzinfo=UTC)):
        yard = actions.set_facts(
            "y1", {"address": "1 Main Street", "is_paved": True}, as_account=admin, type="yard"
        ).thing
        actions.record("complaint", yard, as_account=admin, at="2024-03-08T15:40")
    return yard


def other(parts, path, old, new) -> dict[str, bytes]:
    assert old.encode() in parts[path]
    return parts | {path: parts[path].replace(old.encode(), new.encode())}


def test_the_plan_says_in_sentences_what_changes(town, admin, parts, owed):
    newer = other(parts, LOOK, 'within = "24 hours"', 'within = "48 hours"')
    with clock.at(datetime(2024, 3, 9, 12, 0, tzinfo=UTC)):
        plan = adopting.plan(newer, as_account=admin)
        assert plan.entries == ("duty x.y.look: due.within was 24 hours, is 48 hours",)
        assert plan.consequences == (
            "x.y.look on yard Y24-001: 1 Main Street: is due 2024-03-09T15:40-05:00; would be due 2024-03-10T16:40-04:00",
        )
        before = Obligation.objects.get(rule="x.y.look").due_by
        assert adopting.plan(newer, as_account=admin).hash == plan.hash  # and nothing has changed
        actions.adopt(plan, as_account=admin, number="2")
        (line,) = queries.due(as_account=admin, thing=owed).items
        assert (line.due, before) == (
            datetime(2024, 3, 10, 20, 40, tzinfo=UTC),
            datetime(2024, 3, 9, 20, 40, tzinfo=UTC),
        )
        working.tick()
        assert working.recompute().differences == ()


def test_as_known_before_the_adoption_the_old_law_judges(town, admin, parts, owed):
    newer = other(parts, LOOK, 'within = "24 hours"', 'within = "48 hours"')
    with clock.at(datetime(2024, 3, 12, 12, 0, tzinfo=UTC)):  # the town's own record began on the 11th
        actions.adopt(adopting.plan(newer, as_account=admin), as_account=admin)
        then = queries.due(as_account=admin, thing=owed, known_at=datetime(2024, 3, 12, 11, 59, tzinfo=UTC)).items[0]
        now = queries.due(as_account=admin, thing=owed, known_at=datetime(2024, 3, 12, 12, 0, tzinfo=UTC)).items[0]
    assert (then.due, now.due) == (
        datetime(2024, 3, 9, 20, 40, tzinfo=UTC),
        datetime(2024, 3, 10, 20, 40, tzinfo=UTC),
    )


def test_a_supplement_under_which_a_row_cannot_be_read_is_refused(town, admin, parts, owed):
    newer = other(parts, WORDS, 'is_paved = { type = "bool", was = ["paved"]', 'has_paving = { type = "bool"')
    newer = other(newer, LOOK, "yard.is_paved", "yard.has_paving")
    plan = adopting.plan(newer, as_account=admin)
    (fault,) = plan.unreadable
    assert "facts of a yard on y1" in fault
    assert fault.endswith("yard has no 'is_paved'")
    with pytest.raises(Refused) as refused:
        actions.adopt(plan, as_account=admin)
    assert refused.value.reasons == ("the record cannot be read under this supplement:", fault)


def test_a_unit_or_a_type_never_changes_under_a_name(town, admin, parts):
    for old, new, message in (
        (
            'area_ft2 = { type = "number", unit = "ft2"',
            'area_ft2 = { type = "number", unit = "m2"',
            "was number in ft2, is number in m2",
        ),
        ('data.passed = { type = "bool"', 'data.passed = { type = "text"', "was true/false, is text"),
    ):
        newer = other(parts, WORDS, old, new)
        if "area_ft2" in old:
            newer = other(newer, LOOK, "yard.area_ft2 > 1000", "yard.area_ft2 > 100")
        else:
            newer = other(newer, LOOK, 'when = "event.passed"', "when = \"event.passed == 'yes'\"")
        plan = adopting.plan(newer, as_account=admin)
        assert [fault for fault in plan.unreadable if message in fault]
        with pytest.raises(Refused, match="never changes under a name"):
            actions.adopt(plan, as_account=admin)
    more_words = other(parts, WORDS, 'of = ["shop", "home"]', 'of = ["shop", "home", "barn"]')
    assert adopting.plan(more_words, as_account=admin).unreadable == ()


def test_a_renamed_fact_is_read_under_its_new_name(town, admin, parts, owed):
    newer = other(
        parts, WORDS, 'is_paved = { type = "bool", was = ["paved"]', 'has_paving = { type = "bool", was = ["is_paved"]'
    )
    newer = other(newer, LOOK, "yard.is_paved", "yard.has_paving")
    plan = adopting.plan(newer, as_account=admin)
    assert plan.unreadable == ()
    assert 'vocabulary things.yard: facts.has_paving.was is new: ["is_paved"]' in plan.entries
    actions.adopt(plan, as_account=admin)
    assert {fact.name: fact.text for fact in queries.facts(owed, as_account=admin)}["has_paving"] == "true"
    with pytest.raises(Refused, match="yard has no 'is_paved'"):
        actions.set_facts(owed, {"is_paved": False}, as_account=admin)
    working.tick()
    assert working.recompute().differences == ()


def test_adopting_takes_an_administrator_and_a_plan_of_today(town, admin, parts, owed):
    newer = other(parts, LOOK, 'within = "24 hours"', 'within = "48 hours"')
    clerk = actions.open_account("clerk", as_account=admin, roles={"clerk"})
    with pytest.raises(NotAllowed, match="may not administer"):
        adopting.plan(newer, as_account=clerk)
    plan = adopting.plan(newer, as_account=admin)
    actions.adopt(plan, as_account=admin)
    with pytest.raises(Refused, match="another supplement was adopted since"):
        actions.adopt(plan, as_account=admin)
    with pytest.raises(Refused, match="runs already"):
        actions.adopt(adopting.plan(newer, as_account=admin), as_account=admin)


def test_a_supplement_is_kept_whole_under_its_hash(town, parts):
    digest = supplements.keep(parts)
    assert digest == supplements.adopted()  # the one with which the town began
    assert supplements.parts_of(digest) == parts
    assert sorted(parts) == [
        "books/x.y/rulebook.toml",
        "books/x.y/yards.toml",
        "books/x/rulebook.toml",
        "programs/town/vocabulary.toml",
        "programs/yard/vocabulary.toml",
    ]
    with pytest.raises(Refused, match=r"there is no rulebook 'x\.z'; there are x, x\.y"):
        supplements.gather("x.z", PROGRAMS, BOOKS)
