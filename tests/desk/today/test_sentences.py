"""Steps of the engine as they are read: sentences of the vocabulary, with the rule's own words beside them.

The steps are written as rules/conditions/explain.py and the engine write them; the words are those of the vocabulary.
"""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote

import pytest

from sewershed.ledger import queries, steps
from sewershed.ledger.wording import words_of
from tests.desk.recorded import spill
from tests.desk.spills.confirmed import confirmed


@pytest.mark.parametrize(
    ("line", "text", "result"),
    [
        ("spill.reached_water: true", "Reached water", "Yes"),
        ("spill.is_prolonged: false", "The spill goes on so long that more must be done to contain it", "No"),
        ("last('spill_assessed').reached_water: true", "Spill assessed: some of it reached surface water", "Yes"),
        ("last('spill_assessed').contained: ?, missing: spill_assessed", "Spill assessed: it was fully contained", "Cannot tell"),
        ("last('spill_assessed').ground_gal: 1000 > 1000", "Spill assessed: gallons that went to the ground and not into surface water: 1,000 gallons. Asked: more than 1,000 gallons", "No"),
        ("last('spill_assessed').ground_gal: 1000.1 > 1000", "Spill assessed: gallons that went to the ground and not into surface water: 1,000.1 gallons. Asked: more than 1,000 gallons", "Yes"),
        ("last('spill_assessed').ground_gal: ? > 1000, missing: spill_assessed", "Spill assessed: gallons that went to the ground and not into surface water: more than 1,000 gallons", "Cannot tell"),
        ("town.average_flow_gpd: 200000 >= 200000", "Town: average flow of the year: 200,000 gpd. Asked: at least 200,000 gpd", "Yes"),
        ("event.channel: 'telephone' in ['own_staff', 'alarm']", "How the report came: Telephone. Asked: one of Own staff, Alarm", "No"),
        ("event.channel: 'alarm' in ['own_staff', 'alarm']", "How the report came: Alarm. Asked: one of Own staff, Alarm", "Yes"),
        ("known(event.reporter): true", "It is on record: the caller's name", "Yes"),
        ("known(spill.is_prolonged): false", "It is on record: the spill goes on so long that more must be done to contain it", "No"),
        ("no spill_stopped", "Recorded as spill stopped", "Nothing"),
        ("no found_to_be_none or joined with it.at >= trigger.at (of 2)", "Recorded as found to be none or joined that fits the rule", "Nothing"),
        ("last crew_arrived: c1 (2024-03-08T14:40-05:00)", "Crew arrived, the last", "Fri Mar 8, 2:40 pm"),
        ("spill.reportable = 'yes' by SORP III.A.3", "Reportable (SORP III.A.3)", "Yes"),
        ("spill.reportable = ? (spill_assessed) by SORP III.A.3", "Reportable (SORP III.A.3)", "Cannot tell"),
        ("within 24 hours of 2024-03-08T14:10-05:00: due 2024-03-09T14:10-05:00", "Within 24 hours of Fri Mar 8, 2:10 pm", "due Sat Mar 9, 2:10 pm"),
        ("crew_arrived of 2024-03-08T14:40-05:00 against 2024-03-08T16:10-05:00: in time", "Crew arrived, Fri Mar 8, 2:40 pm against Fri Mar 8, 4:10 pm: in time", ""),
        ("size(premises.interceptors): 0 > 0", "How many: interceptors of the premises: 0. Asked: more than 0", "No"),
        ("does not hold: size(premises.interceptors) > 0", "How many: interceptors of the premises: more than 0", "No"),
    ],
)  # fmt: skip
def test_a_step_is_a_sentence_with_the_rules_own_words_beside_it(town, line, text, result):
    found = steps.said(f"    {line}", words_of([]), "spill")
    assert (found.text, found.result, found.depth) == (text, result, 2)
    is_language = not line.startswith("within ")
    assert found.raw == (line if is_language else "")


@pytest.mark.parametrize("line", ["count('call'): 3 > 2", "sum of item.length_ft over 2 of town.pipes: 400", "a + b: 3 == c"])  # fmt: skip
def test_what_has_no_sentence_stands_as_the_engine_wrote_it(town, line):
    found = steps.said(line, words_of([]), "spill")
    assert f"{found.text}: {found.result}".lower().startswith(line.partition(":")[0].lower())


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("event.channel in ['own_staff', 'alarm']", "How the report came: one of Own staff, Alarm"),
        ("event.call == trigger.id && event.way in ['visit']", "Call: the one that opened it; Way: one of Visit"),
        ("!known(event.spoken_to)", "It is not on record: spoken to"),
        (
            "event.way == 'person' && known(event.spoken_to) || event.way == 'fax'",
            "Way: Person and it is on record: spoken to; or way: Fax",
        ),
        ("(event.way == 'fax' || event.wet) && event.wet", "(event.way == 'fax' || event.wet) && event.wet"),
        ("spill.is_prolonged", "The spill goes on so long that more must be done to contain it: Yes"),
        ("!spill.is_prolonged", "The spill goes on so long that more must be done to contain it: No"),
    ],
)
def test_a_condition_is_said_where_each_part_of_it_can_be(town, condition, said):
    assert steps.condition(condition, words_of([]), "spill") == said


def shown_and_folded(page: str, begins: str) -> tuple[str, str]:
    """Returns the steps of a page as they are read, and what is folded away below them."""
    part = page.partition(begins)[2]
    shown, _, rest = part.partition("<details")
    return unescape(re.sub(r"<[^>]+>", " ", shown)), unescape(rest.partition("</details>")[0])


def test_why_speaks_in_sentences_and_keeps_the_rules_words_folded_away(town, admin, signed_in):
    branch = confirmed(admin)
    (due,) = [one for one in queries.due(as_account=admin, thing=branch, is_all=True).items if one.rule == "us.nc.spill.daily"][:1]  # fmt: skip
    page = signed_in("manager").get(f"/why/{quote(due.key)}").content.decode()
    shown, folded = shown_and_folded(page, "<h2>The steps</h2>")
    assert "Spill assessed: it was fully contained Cannot tell" in re.sub(r"\s+", " ", shown)
    for raw in ("last(", "&&", "known(", "missing:", "==", "spill."):
        assert raw not in shown, raw
    assert "last('spill_assessed').contained: ?, missing: spill_assessed" in folded


def test_may_i_speaks_in_sentences_too(town, admin, signed_in):
    oak = spill(admin)
    asked = {"ask": "1", "row_at_day": "2024-03-11", "row_at_time": "10:30", "way": "voice_mail"}
    page = signed_in("manager").get(f"/thing/{oak}/may/state_told/", asked).content.decode()
    shown, folded = shown_and_folded(page, 'class="panel why" id="answer"')
    for raw in ("event.", "==", "&&", "'", "_"):
        assert raw not in shown, raw
    assert "event.way" in folded
