"""The rows of the towns that are measured are such as the ledger's own actions take."""

from __future__ import annotations

import pytest

from benchmarks import town as drawn
from sewershed.ledger import actions, canonical, clock, log, rights, working
from sewershed.ledger.log import Draft
from sewershed.ledger.verify import verify
from sewershed.project.founding import init
from tests.ledger.conftest import close

SIZE = drawn.Size(premises=12, assemblies=90, interceptors=2, stations=3, pipes=3, spills=12, station_days=40)


@pytest.fixture
def town(tmp_path, django_db_blocker):
    with django_db_blocker.unblock():
        yield init(drawn.BOOK, tmp_path / "town", example_now=drawn.NOW, founded_at=drawn.NOW, facts=drawn.TOWN_FACTS)
        close()


def enter(row: Draft, ids: dict[str, str]) -> str:
    """Enters what a drawn row says by the action that is made for it, and returns the id that it got there."""
    admin, data = rights.owner(), canonical.read(row.data)
    at = row.at or row.day
    if row.kind == "void":
        return actions.withdraw(ids[row.voids], as_account=admin, why=row.why).id
    if row.replaces:
        said = {name: ids.get(str(value), value) for name, value in data.items()}
        return actions.correct(ids[row.replaces], as_account=admin, why=row.why, data=said).id
    if row.kind == "facts":
        return actions.set_facts(row.thing, data, as_account=admin, type=row.name, day=row.day).id
    if row.name == "decided":
        value = {"true": True, "false": False}.get(data["value"], data["value"])
        return actions.decide(
            row.thing, as_account=admin, at=at, fact=data["fact"], value=value, because=data["because"]
        ).id
    contains = data.pop("contains", ())
    said = {name: ids.get(str(value), value) if name == "test" else value for name, value in data.items()}
    return actions.record(row.name, row.thing, as_account=admin, at=at, data=said, contains=contains).id


def test_every_drawn_row_is_one_that_the_actions_take(town):
    rows = list(drawn.rows(SIZE, drawn.Draw("admin", ""), "town"))
    assert {"void", "facts", "event"} == {row.kind for row in rows}
    assert any(row.replaces for row in rows)
    ids: dict[str, str] = {}
    with clock.at(drawn.NOW):
        with actions.together():  # worked out once, at the end
            for row in rows:
                ids[row.id] = enter(row, ids)
        entered = {one.id: one for one in log.select()}
        for row in rows:
            there = entered[ids[row.id]]
            assert (there.kind, there.name, there.thing, there.at, there.day) == (
                row.kind, row.name, row.thing, row.at, row.day
            )  # fmt: skip
        assert working.recompute().differences == ()
    assert verify().is_sound
