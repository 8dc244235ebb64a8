"""The list of what is due, as stored beside the log: exactly the engine's own, over the town and about every thing."""

from __future__ import annotations

from sewershed.ledger import queries


def test_the_stored_list_is_the_engines_own_for_every_thing(admin):
    world = queries.world(as_account=admin, is_whole=True)
    engine = [
        (line.first.key, line.state, line.due, line.count, line.word, line.asks, line.also, line.notes)
        for line in world.todo()
    ]
    stored = [
        (line.key, line.state, line.due, line.count, line.word, line.asks, line.also, line.notes)
        for line in queries.due(as_account=admin).items
    ]
    assert len(stored) > 40
    assert stored == engine
    page = queries.due(as_account=admin, limit=10)
    assert ([line.key for line in page.items], page.total) == ([line[0] for line in engine[:10]], len(engine))
    for thing in world.records.things():
        own = world.todo(world.obligations(thing))
        assert [line.key for line in queries.due(as_account=admin, thing=thing).items] == [
            line.first.key for line in own
        ]


def test_days_not_told_stand_as_late_and_the_stop_ends_the_chain(admin):
    # Spill 23-010 (s23-08): confirmed on 30 August at 8:10 pm and told at 8:30; nobody told the office on the 31st, somebody
    # did on 1 September; it stopped on the 2nd.
    every = queries.due(as_account=admin, thing="s23-08", is_all=True).items
    daily = {(str(line.due), line.state) for line in every if line.rule == "us.nc.spill.daily"}
    assert daily == {("2023-08-31", "met"), ("2023-08-31", "met_late"), ("2023-09-02", "closed")}
    assert "us.nc.spill.daily" not in {line.rule for line in queries.due(as_account=admin, thing="s23-08").items}
