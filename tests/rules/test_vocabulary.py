"""What a vocabulary may say of an ask that keeps records; each mistake with its message whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from sewershed.rules.problems import RulebookError
from sewershed.rules.types import Type
from sewershed.rules.vocabulary import Kept, read_type, read_vocabulary

THINGS = '[things.well]\nmeans = "A well"\n[events.well_looked_at]\non = "well"\nmeans = "Somebody looked"\n'


def written(folder: Path, ask: str) -> Path:
    path = folder / "wells" / "vocabulary.toml"
    path.parent.mkdir()
    path.write_text(f"[asks]\nkept_years = {ask}\n{THINGS}", "utf-8")
    return path


@pytest.mark.parametrize(
    ("keeps", "kept"),
    [
        ('{ thing = "well" }', Kept("kept_years", "Wells", "well")),
        ('{ events = ["well_looked_at"] }', Kept("kept_years", "Wells", "", ("well_looked_at",))),
    ],
)
def test_an_ask_says_which_records_it_keeps(tmp_path, keeps, kept):
    ask = f'{{ type = "number", unit = "years", means = "Wells", keeps = {keeps} }}'
    assert read_vocabulary([written(tmp_path, ask)]).kept == {"kept_years": kept}


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (
            '{ type = "number", unit = "years", keeps = { things = "well" } }',
            "ask kept_years: keeps is written { thing = … } or { events = [ … ] }",
        ),
        (
            '{ type = "number", unit = "days", keeps = { thing = "well" } }',
            "ask kept_years: how long records are kept is a number in years, not number in days",
        ),
        ('{ type = "number", unit = "years", keeps = { thing = "wel" } }', "ask kept_years: no thing 'wel'; did you mean 'well'?"),
        (
            '{ type = "number", unit = "years", keeps = { events = ["well_looked_on"] } }',
            "ask kept_years: no event 'well_looked_on'; did you mean 'well_looked_at'?",
        ),
    ],
)  # fmt: skip
def test_a_mistake_in_it_is_named(tmp_path, ask, said):
    with pytest.raises(RulebookError) as caught:
        read_vocabulary([written(tmp_path, ask)])
    assert [str(one) for one in caught.value.problems] == [f"wells/vocabulary.toml: {said}"]


def test_money_may_be_for_each_of_a_unit():
    assert read_type({"type": "money", "unit": "ft"}) == Type("money", unit="ft")
    assert read_type({"type": "money"}) == Type("money")


def test_a_key_that_no_thing_has_is_named(tmp_path):
    path = tmp_path / "wells" / "vocabulary.toml"
    path.parent.mkdir()
    path.write_text('[things.well]\nmeans = "A well"\nlable = "well"\n', "utf-8")
    with pytest.raises(RulebookError) as raised:
        read_vocabulary([path])
    assert [one.text for one in raised.value.problems] == ["things.well: unknown key 'lable'; did you mean 'label'?"]
