"""The only way out: what is shown, to whom, as of when."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from sewershed.ledger import actions, clock, log, queries, working
from sewershed.ledger.errors import NotAllowed, NotFound, Refused
from sewershed.ledger.models import Thing

LOOK = "x.y.look"
NOON = datetime(2024, 3, 11, 16, 0, tzinfo=UTC)  # an hour after the town was made
CALLED = datetime(2024, 3, 8, 20, 40, tzinfo=UTC)  # 15:40 in the town


@pytest.fixture
def yard(town, admin) -> str:
    actions.set_facts("p1", {"name": "A. Person"}, as_account=admin, type="person")
    return actions.set_facts(
        "y1",
        {"address": "1 Main Street", "gate_code": "1234", "debt_usd": "5", "owner": "p1"},
        as_account=admin,
        type="yard",
    ).thing


@pytest.fixture
def auditor(town, admin):
    return actions.open_account("auditor", as_account=admin, roles={"auditor"})


def call(admin, yard, at: str = "2024-03-08T15:40"):
    return actions.record("complaint", yard, as_account=admin, at=at)


def test_a_line_says_clause_thing_whose_and_when(town, admin, yard):
    with clock.at(CALLED + timedelta(minutes=20)):
        opened = call(admin, yard)
        (line,) = queries.due(as_account=admin, thing=yard).items
    assert (line.rule, line.cites, line.thing_label, line.who, line.who_note, line.state, line.due, line.opened_by) == (
        LOOK,
        ("1-1",),
        "yard Y24-001: 1 Main Street",
        "supervisor",
        "supervisor: nobody found",
        "due",
        CALLED + timedelta(hours=24),
        opened.id,
    )
    assert line.edition == "Yardley 2024-01"


def test_due_is_read_from_the_limit_at_the_instant_of_reading(town, admin, yard):
    with clock.at(CALLED):
        call(admin, yard)
    for minutes, state in ((24 * 60, "due"), (24 * 60 + 1, "overdue")):
        with clock.at(CALLED + timedelta(minutes=minutes)):
            assert [line.state for line in queries.due(as_account=admin).items] == [state]


def test_as_of_and_as_known(town, admin, yard):
    with clock.at(CALLED + timedelta(hours=1)):
        first = call(admin, yard)
    with clock.at(CALLED + timedelta(days=1)):
        actions.correct(first.id, as_account=admin, why="an hour earlier", at="2024-03-08T14:40")
        now = queries.due(as_account=admin, thing=yard).items[0]
        then = queries.due(as_account=admin, thing=yard, known_at=CALLED + timedelta(hours=2)).items[0]
        before = queries.due(as_account=admin, thing=yard, as_of=CALLED - timedelta(hours=2)).items
    assert now.due == CALLED + timedelta(hours=23)
    assert then.due == CALLED + timedelta(hours=24)
    assert before == ()
    assert now.key == then.key


def test_the_holder_of_the_office_is_the_person(town, admin, yard):
    actions.set_facts("p2", {"name": "B. Backup"}, as_account=admin, type="person")
    held = {"office": "supervisor", "from": "2024-01-01", "until": "2024-03-08"}
    actions.record("office_held", "p1", as_account=admin, at="2024-01-01", data=held)
    actions.record(
        "office_held", "p2", as_account=admin, at="2024-01-01", data={"office": "supervisor", "as": "backup"}
    )
    with clock.at(CALLED + timedelta(minutes=1)):
        call(admin, yard)
        (line,) = queries.due(as_account=admin, person="p1").items
        assert line.persons == ("p1", "p2")  # the principal first
        assert queries.who(line.key, as_account=admin).how == "holder"
    with clock.at(CALLED + timedelta(hours=9)):  # the day after, in the town
        assert queries.due(as_account=admin, person="p1").items == ()
        (line,) = queries.due(as_account=admin, person="p2").items
        assert line.persons == ("p2",)
    offices = {one.office: one.persons for one in queries.holders(as_account=admin, day=date(2024, 3, 8))}
    assert offices["supervisor"] == (("p1", "A. Person"), ("p2", "B. Backup"))
    assert offices["town_manager"] == ()


def test_why_shows_the_steps_and_may_asks_ahead(town, admin, yard):
    call(admin, yard)
    (line,) = queries.due(as_account=admin, thing=yard).items
    why = queries.why(line.key, as_account=admin)
    assert (why.cites, why.means) == (("1-1",), "Look at a yard within 24 hours of a complaint")
    assert why.steps
    with pytest.raises(NotFound, match="there is nothing under the key"):
        queries.why("x.y.look|y1|nothing|", as_account=admin)
    head = log.head()
    assert queries.may("yard_inspected", yard, as_account=admin, data={"passed": "true"}) == []
    with pytest.raises(Refused, match="yard_inspected has no 'colour'"):
        queries.may("yard_inspected", yard, as_account=admin, data={"colour": "red"})
    assert log.head() == head


def test_things_are_found_by_any_of_their_names(town, admin, yard):
    actions.set_facts("y2", {"address": "2 Elm Street"}, as_account=admin, type="yard", aliases=["the old yard"])
    for name in ("y2", "Y24-002", "the old yard", "yard Y24-002: 2 Elm Street"):
        assert queries.thing(name, as_account=admin).id == "y2"
    with pytest.raises(NotFound):
        queries.thing("the new yard", as_account=admin)
    actions.set_facts("y3", {}, as_account=admin, type="yard", aliases=["the old yard"])
    with pytest.raises(Refused, match="names several things"):
        queries.thing("the old yard", as_account=admin)


def test_a_number_of_an_event_names_the_thing_on_which_it_stands(town, admin, yard):
    """The second complaint of the year is C24-002: the yard of these tests has one of its own."""
    actions.set_facts("y2", {"address": "2 Elm Street"}, as_account=admin, type="yard")
    recorded = actions.record("complaint", "y2", as_account=admin, at=clock.now(), data={"what": "noise"})
    number = recorded.number
    assert [one.id for one in queries.called(number.lower(), as_account=admin)] == ["y2"]
    assert [one.id for one in queries.find(number, as_account=admin).items] == ["y2"]
    batch = actions.join("y2", yard, as_account=admin, why="one yard")
    assert queries.thing(number, as_account=admin).id == yard
    assert working.recompute().differences == ()
    actions.undo_batch(batch, as_account=admin, why="two after all")
    assert queries.thing(number, as_account=admin).id == "y2"
    actions.withdraw(recorded.id, as_account=admin, why="in error")
    assert queries.called(number, as_account=admin) == ()


def test_lists_filter_sort_and_page(town, admin):
    for number, area in enumerate(("9.5", "10", "100", "1000.5")):
        actions.set_facts(
            f"y{number}", {"area_ft2": area, "use": "shop" if number % 2 else "home"}, as_account=admin, type="yard"
        )

    def ids(**how):
        return [one.id for one in queries.things("yard", as_account=admin, **how).items]

    assert ids(order="area_ft2") == ["y0", "y1", "y2", "y3"]
    assert ids(order="-area_ft2", limit=2) == ["y3", "y2"]
    actions.set_facts("y9", {"use": "home"}, as_account=admin, type="yard")  # how large is not known: last, either way
    assert ids(order="area_ft2")[-1] == ids(order="-area_ft2")[-1] == ids(order="area_ft2", offset=4)[0] == "y9"
    assert ids(order="-label") == ids()[::-1]
    assert ids(order="-began")[:2] == ["y9", "y3"]
    assert ids(order="began", within=["y3", "y1", "unheard of"]) == ["y1", "y3"]
    assert ids(within=[]) == []
    with pytest.raises(Refused, match="yard has no 'colour' to order by"):
        ids(order="colour")
    actions.withdraw(queries.rows("y9", as_account=admin)[0].id, as_account=admin, why="no such yard")
    assert ids(where=[("area_ft2", ">=", "10"), ("use", "=", "shop")]) == ["y1", "y3"]
    assert ids(where=[("area_ft2", "<", "10")]) == ["y0"]
    page = queries.things("yard", as_account=admin, text="Y24-00", offset=1, limit=2)
    assert (page.total, [one.id for one in page.items]) == (4, ["y1", "y2"])
    for wrong, message in (
        ([("colour", "=", "red")], "yard has no 'colour' to look for"),
        ([("area_ft2", "~", "1")], "compares nothing"),
        ([("area_ft2", "=", "large")], "cannot be compared"),
    ):
        with pytest.raises(Refused, match=message):
            ids(where=wrong)


def test_private_and_confidential_values_are_left_out(town, admin, auditor, yard):
    def seen(account):
        return {fact.name: fact.text for fact in queries.facts(yard, as_account=account)}

    assert (seen(admin)["gate_code"], seen(admin)["debt_usd"]) == ("1234", "5.00")
    assert (seen(auditor)["gate_code"], seen(auditor)["debt_usd"]) == ("(private)", "(private)")
    assert seen(auditor)["address"] == "1 Main Street"
    assert queries.rows(yard, as_account=auditor)[0].data["gate_code"] == "(private)"
    with pytest.raises(Refused, match="has no 'gate_code' to look for"):
        queries.things("yard", as_account=auditor, where=[("gate_code", "=", "1234")])
    with pytest.raises(Refused, match="needs a reason"):
        actions.ask_private(yard, as_account=auditor, because="")
    shown = actions.ask_private(yard, as_account=auditor, because="the audit of 2024")
    assert shown == {"gate_code": "1234"}
    assert [row.name for row in log.select("name = 'private_values_asked'")] == ["private_values_asked"]


def test_the_history_says_what_became_of_each_row(town, admin, yard):
    first = call(admin, yard)
    actions.correct(first.id, as_account=admin, why="a slip", at="2024-03-08T15:30")
    second = call(admin, yard, at="2024-03-09T10:00")
    actions.withdraw(second.id, as_account=admin, why="another yard")
    shown = [(row.name, row.stands) for row in queries.rows(yard, as_account=admin)]
    assert shown == [
        ("yard", "stands"),
        ("complaint", "corrected"),
        ("complaint", "stands"),
        ("complaint", "withdrawn"),
        ("", "withdrawal"),
    ]
    assert queries.row(second.id, as_account=admin).number == "C24-002"


def test_a_closed_account_sees_nothing(town, admin, auditor, yard):
    auditor = actions.change_account("auditor", as_account=admin, is_active=False)
    for ask in (
        lambda: queries.thing(yard, as_account=auditor),
        lambda: queries.facts(yard, as_account=auditor),
        lambda: queries.world(as_account=auditor),
        lambda: queries.head(as_account=auditor),
    ):
        with pytest.raises(NotAllowed):
            ask()
    assert queries.due(as_account=auditor).items == ()


def test_what_cannot_be_brought_up_to_now_is_counted(town, admin, yard):
    call(admin, yard)
    with actions.together():
        for number in range(201):
            actions.set_facts(f"z{number}", {}, as_account=admin, type="yard")
    assert queries.due(as_account=admin).left_stale == 201
    assert queries.due(as_account=admin, thing=yard).left_stale == 0
    working.tick()
    assert queries.due(as_account=admin).left_stale == 0
    assert not Thing.objects.filter(is_stale=True).exists()


def test_papers_and_files_are_listed_with_what_they_are_about(town, admin, yard):
    paper = actions.issue(
        "notice", yard, lambda _: actions.Paper(b"%PDF-1", b"{}"), as_account=admin, template="notice@1"
    )
    photo = actions.attach(yard, b"\x89PNG\r\n\x1a\nx", as_account=admin, name="a.png", mime="image/png")
    (shown,) = queries.documents(as_account=admin, about=yard)
    assert (shown["id"], shown["kind"], shown["number"], shown["label"]) == (
        paper.thing,
        "notice",
        "24-001",
        "notice 24-001",
    )
    (kept,) = queries.attachments(yard, as_account=admin)
    assert (kept["id"], kept["name"], kept["size_bytes"]) == (photo.thing, "a.png", "9")
    assert queries.file(kept["file"], as_account=admin) == b"\x89PNG\r\n\x1a\nx"


def test_a_part_of_the_list_is_that_part_of_the_whole(town, admin):
    """Every state that the tests' book can give, in dates that are past, near, far, equal and none."""
    with actions.together():
        for number in range(40):
            name = f"y{number:02}"
            facts = {"opened_on": f"20{18 + number % 7}-03-{1 + number % 20:02}"} if number % 3 else {}
            paved = {"is_paved": number % 2 == 0} if number % 5 else {}
            actions.set_facts(name, {**facts, **paved}, as_account=admin, type="yard")
            for day in range(2, 2 - number % 4, -1):
                call(admin, name, at=f"2024-03-{8 + day:02}T{12 + number % 3:02}:00")
    working.tick()
    whole = queries.due(as_account=admin).items
    assert {line.state for line in whole} >= {"overdue", "due", "cannot_tell"}
    assert len(whole) > 40
    parts = [queries.due(as_account=admin, offset=start, limit=7) for start in range(0, len(whole) + 7, 7)]
    assert tuple(line for part in parts for line in part.items) == whole
    assert {part.total for part in parts} == {len(whole)}


def test_facts_and_findings_are_told_of_another_day(town, admin, yard):
    later = NOON + timedelta(days=2)
    with clock.at(later):
        actions.set_facts(yard, {"use": "shop"}, as_account=admin, day="2024-03-12", why="the shop opened")

        def use(**when):
            return {one.name: one.text for one in queries.facts(yard, as_account=admin, **when)}.get("use")

        assert use() == "shop"
        assert use(as_of=NOON) != "shop"
        assert use(as_of=later) == "shop"
        assert use(as_of=later, known_at=NOON + timedelta(hours=1)) != "shop"  # it was recorded on the 13th
        assert queries.facts(yard, as_account=admin, as_of=NOON - timedelta(days=900)) is not None
        assert len(queries.rows(yard, as_account=admin, known_at=NOON + timedelta(hours=1))) + 1 == len(
            queries.rows(yard, as_account=admin)
        )


def test_anything_is_found_by_a_part_of_its_name(town, admin, yard):
    found = queries.find("main str", as_account=admin)
    assert (found.total, [one.id for one in found.items]) == (1, [yard])
    assert queries.find("  ", as_account=admin).items == ()
    assert queries.find(yard, as_account=admin).items[0].id == yard


def test_facts_of_many_things_are_read_at_once(town, admin, yard, django_assert_num_queries):
    actions.set_facts("y2", {"use": "shop", "area_ft2": "12"}, as_account=admin, type="yard")
    with django_assert_num_queries(2):  # which supplement runs, and the facts
        found = queries.facts_of([yard, "y2"], "yard", ["use", "area_ft2"], as_account=admin)
    assert found["y2"] == {"use": "shop", "area_ft2": "12"}
    assert set(found) == {yard, "y2"}


def test_what_happened_on_many_things_is_read_at_once(town, admin, auditor, yard, django_assert_max_num_queries):
    actions.set_facts("y2", {"use": "shop"}, as_account=admin, type="yard")
    later = call(admin, yard, "2024-03-08T15:40")
    first = call(admin, yard, "2024-03-08T15:00")
    taken_back = call(admin, "y2")
    actions.withdraw(taken_back.id, as_account=admin, why="the wrong yard")
    with django_assert_max_num_queries(6):
        found = queries.happened({"complaint"}, [yard, "y2"], as_account=admin)
    assert {thing: [one.id for one in rows] for thing, rows in found.items()} == {yard: [first.id, later.id], "y2": []}
    assert queries.happened({"yard_inspected"}, [yard], as_account=auditor) == {yard: ()}


def test_the_last_word_on_each_thing_is_what_stands_of_it(town, admin, yard):
    for at, depth in (("2024-03-08T15:00", "3"), ("2024-03-08T16:00", "5")):
        actions.record("complaint", yard, as_account=admin, at=at, data={"depth_in": depth})
    last = queries.rows(yard, as_account=admin)[-1]
    assert queries.last_said("complaint", "depth_in", as_account=admin) == {yard: "5"}
    actions.correct(last.id, as_account=admin, why="misread", data={"depth_in": "4"})
    assert queries.last_said("complaint", "depth_in", as_account=admin) == {yard: "4"}
    actions.withdraw(last.id, as_account=admin, why="another yard")
    assert queries.last_said("complaint", "depth_in", as_account=admin) == {yard: "3"}


def test_lines_among_some_things_are_those_of_each(town, admin, yard):
    actions.set_facts("y2", {"use": "shop"}, as_account=admin, type="yard")
    with clock.at(CALLED):
        call(admin, yard)
        call(admin, "y2")
        assert {one.thing for one in queries.due(as_account=admin, among=["y2"]).items} == {"y2"}
        assert queries.due(as_account=admin, among=[]).items == ()
