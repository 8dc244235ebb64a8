"""The example town is made whole, stands where it should, and says nothing of real people."""

from __future__ import annotations

import re
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sewershed.ledger.errors import Refused
from sewershed.project.example import make_example
from sewershed.project.opening import open_town
from tests.examples.conftest import NOW

TAKE_OVER = "2022-07-05"  # reply, item 14
A_NUMBER = re.compile(r"(?<![\d-])(?:\d{3}-)?\d{3}-\d{4}(?!\d)")
A_MAIL = re.compile(r"[\w.]+@[\w.]+")


def data_files() -> list[Path]:
    from sewershed.ledger.example import SHELF

    found = [path for path in SHELF.rglob("*") if path.suffix in (".toml", ".md")]
    assert found, f"no data below {SHELF}"
    return found


def test_its_chain_is_sound_and_what_follows_is_what_the_log_gives(made, tmp_path, django_db_blocker):
    shutil.copytree(made, tmp_path / "copy")
    with django_db_blocker.unblock():
        open_town(tmp_path / "copy")
        from sewershed.ledger.verify import verify
        from sewershed.ledger.working import recompute

        assert verify().faults == ()
        assert recompute().differences == ()


def test_every_word_of_every_row_is_in_the_vocabulary(town):
    from sewershed.ledger import law, supplements

    assert supplements.unreadable(law.in_force().vocabulary) == []


def test_it_is_an_example_and_its_clock_stands_at_that_morning(town):
    real = datetime.now(UTC)
    assert town.is_example
    assert timedelta() <= real + town.clock_shift - NOW < timedelta(minutes=30)  # it has run since it was made


def test_rows_were_entered_in_order_of_time_from_the_take_over_to_that_morning(town):
    from sewershed.ledger import log

    rows = list(log.select())
    recorded = [row.recorded_at for row in rows]
    assert recorded == sorted(recorded)
    assert (recorded[0][:10], recorded[-1]) == (TAKE_OVER, "2023-10-17T15:05:00Z")  # the last promise, at 11:05
    happened = [(row.at or row.day)[:10] for row in rows if row.name in ("call", "spill_confirmed")]
    assert min(happened) > TAKE_OVER
    assert max(happened) == "2023-10-17"
    assert all((row.at or row.day) <= row.recorded_at for row in rows if row.kind == "event")


def test_there_are_the_six_stations_of_the_papers_two_with_generators(town, admin):
    from sewershed.ledger import queries

    stations = {one.label: one.id for one in queries.things("station", as_account=admin).items}
    generators = {
        label: {fact.name: fact.text for fact in queries.facts(station, as_account=admin)}["generator"]
        for label, station in stations.items()
    }
    # Contingency plan: on site at Country Inn and Montgomery, none at the four others.
    assert generators == {
        "Country Inn": "on_site", "Montgomery": "on_site", "US 64": "none", "Ryan Court": "none", "581 North": "none",
        "Premier": "none",
    }  # fmt: skip
    assert queries.thing("Ryans Ct", as_account=admin).label == "Ryan Court"


def test_one_promise_has_a_date_and_the_others_none(town, admin):
    from sewershed.ledger import queries

    promises = queries.things("commitment", as_account=admin).items
    by = {
        one.label.partition(":")[0]: {fact.name: fact.text for fact in queries.facts(one.id, as_account=admin)}.get(
            "by"
        )
        for one in promises
    }
    # The reply: item 2 by 4 December 2023; no date for the others.
    assert by == {
        "Item 2": "2023-12-04",
        "Item 4": None,
        "Item 9": None,
        "Item 13": None,
        "Item 14": None,
        "Item 15": None,
    }


def test_feet_cleaned_are_those_of_the_papers(town):
    from sewershed.ledger import canonical, log

    feet = [
        (row.day, int(canonical.read(row.data)["length_ft"]))
        for row in log.select("kind = 'event' AND name = %s", ["line_cleaned"])
    ]
    report = "2023-10-02"  # of the inspection
    # Reply, item 12: 2,200 feet before, 5,360 in all after.
    assert sum(ft for day, ft in feet if day < report) == 2200
    assert sum(ft for _, ft in feet) == 5360


def test_every_office_that_a_duty_falls_to_has_a_holder_but_those_of_the_state(town, admin):
    from sewershed.ledger import queries

    held = {one.office for one in queries.holders(as_account=admin) if one.persons}
    assert held >= {
        "orc", "backup_orc", "town_manager", "public_works_director", "supervisor", "town_hall", "dispatcher", "staff",
        "system", "permittee", "owner", "town", "mayor",
    }  # fmt: skip


def test_no_number_and_no_name_is_a_real_ones():
    text = "\n".join(path.read_text("utf-8") for path in data_files())
    numbers = {found for found in A_NUMBER.findall(text) if not re.fullmatch(r"(?:\d{3}-)?555-01\d\d", found)}
    assert numbers == set()
    assert A_MAIL.findall(text) == []


def test_the_guard_of_numbers_finds_a_planted_one():
    assert A_NUMBER.findall("252-478-1234, 555-0100 and 2023-10-17") == ["252-478-1234", "555-0100"]


def test_a_second_making_changes_nothing(made, django_db_blocker):
    with django_db_blocker.unblock():
        open_town(made)
        from sewershed.ledger import log

        before = log.head()
        make_example(made)
        assert log.head() == before


def test_a_town_of_somebodys_own_is_left_alone(tmp_path, django_db_blocker):
    from sewershed.project.founding import init

    with django_db_blocker.unblock():
        town = init("us.nc.spring_hope", tmp_path / "own")
        with pytest.raises(Refused, match="which is no example"):
            make_example(town.folder)


def test_a_row_that_cannot_be_entered_is_named_and_nothing_of_the_rest_is_kept(
    tmp_path, monkeypatch, django_db_blocker
):
    from sewershed.ledger import example

    shutil.copytree(example.SHELF, tmp_path / "shelf")
    monkeypatch.setattr(example, "SHELF", tmp_path / "shelf")
    rows = tmp_path / "shelf" / "spring_hope" / "z.toml"
    rows.write_text(
        '[[thing]]\ntype = "spill"\nid = "bad"\nday = "2023-10-17"\nfacts = { location = "Ash Street" }\n'
        'rows = [{ at = "11:10", event = "call", data = { wat = "smell" } }]\n'
    )
    with django_db_blocker.unblock():
        with pytest.raises(Refused, match=r"z\.toml: bad\.1: call has no 'wat'; did you mean 'what'\?"):
            make_example(tmp_path / "town")
        from sewershed.ledger import log

        assert log.head().position == example.FOUNDING_ROWS
        rows.unlink()
        make_example(tmp_path / "town")  # what was broken off is done
        assert log.head().position > 1000


def test_an_example_that_there_is_not_is_refused(tmp_path):
    with pytest.raises(Refused, match="there is no example 'nowhere'; there are spring_hope"):
        make_example(tmp_path / "town", "nowhere")
