"""What if: an entry is tried on a made-up record, from a worked case or from nothing; what comes out is what the engine says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.http import QueryDict

from sewershed.desk.rulebook import what_if
from sewershed.desk.rulebook.forms import WhatIf
from sewershed.desk.shell.looking import looking
from sewershed.ledger import clock, law, log, ordinance
from tests.desk.recorded import ROLES
from tests.desk.rulebook.test_rulebook import said_in

TELL = "us.nc.spring_hope.spill.tell"
LATE = "spills_c_telling told a minute late; in time from the confirmation"
ADDRESS = f"/rulebook/entry/{TELL}/what-if/"


@pytest.fixture
def running(town):
    return law.in_force()


def as_sent(form: WhatIf) -> QueryDict:
    """What a browser sends of a form as it is first shown: the answers of every control that is not empty."""
    sent = QueryDict(mutable=True)
    sent["ask"] = "1"
    if form.case is not None:
        sent["case"] = str(form.case)
    for name, value in _answers(form):
        sent.setlistdefault(name).append(value)
    return sent


def _answers(form: WhatIf) -> Iterator[tuple[str, str]]:
    for name in form.fields:
        bound = form[name]
        widget, value = bound.field.widget, bound.initial
        if hasattr(widget, "decompress"):
            for suffix, part in zip(widget.widgets_names, widget.decompress(value), strict=True):
                if part not in (None, "", False):
                    yield name + suffix, "on" if part is True else str(part)
        elif widget.template_name == "things/records.html":
            yield from (
                (f"{name}-{place}-{field}", str(one))
                for place, row in enumerate(value or ())
                for field, one in row.items()
            )
        elif isinstance(value, list | tuple):
            yield from ((name, str(one)) for one in value)
        elif value not in (None, ""):
            yield name, str(value)


def sent_of(running, entry: str, case: str = "") -> QueryDict:
    named = running.library.entries(running.book_id)[entry]
    found = [one for one in ordinance.worked(running)[entry] if str(one) == case]
    return as_sent(WhatIf(named, running, found[0] if found else None, {}, now="2024-03-11T11:00"))


def test_it_begins_with_the_record_of_a_case_and_shows_what_comes_out_of_it(town, signed_in):
    page = signed_in().get(ADDRESS, {"case": LATE})
    said = said_in(page)
    assert "Nothing here is recorded" in said
    assert "Met late Due Sat Nov 4, 2023, 7:05 am; met Sat Nov 4, 2023, 7:06 am" in said
    html = page.content.decode()
    assert 'value="Branch Street"' in html
    assert 'value="3000"' in html
    assert 'value="07:06"' in html


def test_a_minute_less_is_in_time_and_nothing_is_recorded(town, running, signed_in):
    """Called on 3 November at 07:05, so the limit is the 4th at 07:05: at that minute it is met, a minute later late."""
    before, sent = log.head(), sent_of(running, TELL, LATE)
    assert sent["e3_at_time"] == "07:06"
    sent["e3_at_time"] = "07:05"
    said = said_in(signed_in().get(ADDRESS, sent))
    assert "Met Due Sat Nov 4, 2023, 7:05 am; met Sat Nov 4, 2023, 7:05 am" in said
    assert "Within 24 hours of Fri Nov 3, 2023, 7:05 am due Sat Nov 4, 2023, 7:05 am" in said
    assert log.head() == before


def test_an_amount_under_the_line_that_was_contained_and_removed_is_not_reportable(town, running, signed_in):
    """1,000 gallons to the ground is the line of the plan (SORP III.A.3 and 4): 900, contained and removed, is below it."""
    sent = sent_of(running, TELL, LATE)
    sent["e2_d_ground_gal_0" if "e2_d_ground_gal_0" in sent else "e2_d_ground_gal"] = "900"
    sent["e2_d_contained"] = sent["e2_d_removed_quickly"] = "true"
    said = said_in(signed_in().get(ADDRESS, sent))
    assert "Not needed" in said or "Ended" in said or "Nothing comes out" in said


def test_a_doubt_is_read_the_other_way(town, running, signed_in):
    """From the confirmation at 08:20 the 24 hours are over on the 4th at 08:20, so that 07:06 is in time."""
    sent = sent_of(running, TELL, LATE)
    name = next(
        f"doubt{place}"
        for place, one in enumerate(ordinance.doubts_of(running.library.entries(running.book_id)[TELL]))
        if one == "D-SH-04"
    )
    sent[name] = "confirmation"
    said = said_in(signed_in().get(ADDRESS, sent))
    assert "Met Due Sat Nov 4, 2023, 8:20 am; met Sat Nov 4, 2023, 7:06 am" in said


def test_an_event_without_a_moment_did_not_happen(town, running, signed_in):
    sent = sent_of(running, TELL, LATE)
    del sent["e3_at_day"], sent["e3_at_time"]
    said = said_in(signed_in().get(ADDRESS, sent))
    assert "Overdue Due Sat Nov 4, 2023, 7:05 am" in said


def test_more_is_let_happen_and_a_further_one_is_offered(town, running, signed_in):
    """In an empty record a call and its size are enough: told within 24 hours of the call."""
    sent = sent_of(running, TELL)
    sent["as_of_day"], sent["as_of_time"] = "2024-03-11", "12:00"
    sent["x_call_0_at_day"], sent["x_call_0_at_time"] = "2024-03-11", "09:00"
    sent["x_spill_assessed_0_at_day"], sent["x_spill_assessed_0_at_time"] = "2024-03-11", "10:00"
    sent["x_spill_assessed_0_d_ground_gal"], sent["x_spill_assessed_0_d_reached_water"] = "1001", "false"
    page = signed_in().get(ADDRESS, sent)
    assert "Due soon Due Tue Mar 12, 2024, 9:00 am" in said_in(page)
    assert 'name="x_call_1_at_day"' in page.content.decode()


def test_what_is_refused_is_said_and_what_is_wrong_in_the_form_stands_beside_it(town, running, signed_in):
    sent = sent_of(running, TELL, LATE)
    sent["e2_d_ground_gal"] = "many"
    said = said_in(signed_in().get(ADDRESS, sent))
    assert "Refused: a: spill_assessed.ground_gal" in said
    assert "write a number with figures" in said
    sent = sent_of(running, TELL, LATE)
    sent["as_of_day"] = ""
    del sent["as_of_time"]
    answer = signed_in().get(ADDRESS, sent)
    assert answer.status_code == 422
    assert "Nothing was tried yet." in said_in(answer)


@pytest.mark.parametrize(
    ("called", "is_refused"),
    [("2014-03-11", False), ("2014-02-28", True), ("2034-03-11", False), ("2034-04-01", True), ("0001-01-01", True)],
)  # ten years before and after March 2024
def test_what_is_too_far_from_what_is_asked_about_is_not_worked_out(town, running, signed_in, called, is_refused):
    sent = sent_of(running, TELL)
    sent["as_of_day"], sent["as_of_time"], sent["x_call_0_at_day"] = "2024-03-11", "12:00", called
    said = said_in(signed_in().get(ADDRESS, sent))
    assert ("more than 10 years from 2024-03-11" in said) is is_refused
    assert ("Refused:" in said) is is_refused


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_at_the_ends_of_the_calendar_it_is_said_that_there_is_no_such_moment(town, running, signed_in, day):
    sent = sent_of(running, TELL)
    sent["as_of_day"], sent["as_of_time"], sent["x_call_0_at_day"] = day, "23:59", day
    assert signed_in().get(ADDRESS, sent).status_code == 200


def test_of_many_obligations_the_open_and_the_latest_are_shown(town, running, signed_in):
    """A kitchen that files each month from April 2014 on owes the 119 months to February 2024: a dozen are shown."""
    entry = "us.nc.spring_hope.fog.record"
    sent = sent_of(running, entry)
    sent["as_of_day"], sent["as_of_time"] = "2024-03-11", "12:00"
    sent["x_interceptor_started_0_at_day"] = "2014-04-01"
    said = said_in(signed_in().get(f"/rulebook/entry/{entry}/what-if/", sent))
    assert "The latest 12 of 119, what is open before what is over." in said


def test_an_empty_record_says_what_to_do_first(town, signed_in):
    said = said_in(signed_in().get(ADDRESS))
    assert "Say when something happened, and press Try it" in said


@pytest.mark.parametrize("role", ROLES)
def test_every_role_may_try(town, signed_in, role):
    assert signed_in(f"a.{role}", roles={role}).get(ADDRESS, {"case": LATE}).status_code == 200


def test_a_case_that_is_not_there_is_said_not_to_be(town, signed_in):
    assert signed_in().get(ADDRESS, {"case": "no such"}).status_code == 404
    assert signed_in().get("/rulebook/entry/us.nothing/what-if/").status_code == 404


def test_the_form_of_every_entry_sent_as_it_stands_gives_what_its_case_gives(town, admin, running):
    """The form leaves nothing of a record out and adds nothing: the first case of each entry, there and back."""
    here = looking({}, clock.now(), clock.current_town().zone)
    tried, wrong = 0, {}
    for entry in running.library.entries(running.book_id).values():
        assert what_if.what_if_shown(entry.id, "", {}, admin, here).got is None
        for case in [one for one in ordinance.worked(running).get(entry.id, ()) if "error" not in one.expect][:1]:
            first = what_if.what_if_shown(entry.id, str(case), {}, admin, here)
            sent = as_sent(WhatIf(entry, running, case, {}, now="2024-03-11T11:00"))
            again = what_if.what_if_shown(entry.id, str(case), sent, admin, here)
            tried += 1
            if again.got != first.got or again.refused or again.form.errors:
                wrong[entry.id] = (str(case), again.refused, again.form.errors.as_text())
    assert wrong == {}
    assert tried > 150
