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


def read(folder, text):
    path = folder / "wells" / "vocabulary.toml"
    path.parent.mkdir()
    path.write_text(text, "utf-8")
    return read_vocabulary([path])


def problems(folder, text):
    with pytest.raises(RulebookError) as raised:
        read(folder, text)
    return [one.text for one in raised.value.problems]


def test_what_is_no_longer_entered_is_said(tmp_path):
    found = read(
        tmp_path,
        '[things.well]\nmeans = "A well"\nretired = true\nfacts.a = { type = "text", retired = true }\n'
        'facts.b = { type = "text" }\n[events.dug]\non = "well"\nretired = true\n[events.seen]\non = "well"\n',
    )
    well = found.things["well"]
    assert (well.retired, well.facts["a"].retired, well.facts["b"].retired) == (True, True, False)
    assert (found.events["dug"].retired, found.events["seen"].retired) == (True, False)


def test_a_thing_of_which_only_its_series_is_said_is_described(tmp_path):
    assert read(tmp_path, '[things.well]\nseries = "WELL"\n').things["well"].series == "WELL"


def test_a_ref_inside_a_list_of_records_points_somewhere(tmp_path):
    field = 'facts.parts = { type = "list", item = { a = { type = "ref", to = "%s" } } }\n'
    assert "parts" in read(tmp_path, f'[things.well]\nmeans = "A well"\n{field % "well"}').things["well"].facts


def test_a_ref_inside_a_list_of_records_that_points_nowhere(tmp_path):
    text = '[things.well]\nmeans = "A well"\nfacts.parts = { type = "list", item = { a = { type = "ref", to = "wel" } } }\n'
    assert problems(tmp_path, text) == ["well.parts: no thing 'wel'; did you mean 'well'?"]


def test_where_the_words_of_a_field_stand(tmp_path):
    text = (
        '[things.well]\nmeans = "A well"\nfacts.a = { type = "text", one_of = { roles = true } }\n'
        'facts.b = { type = "text", one_of = { books = true } }\nfacts.c = { type = "text", one_of = { event = "seen" } }\n'
        '[events.seen]\non = "well"\n'
    )
    facts = read(tmp_path, text).things["well"].facts
    assert {name: (one.one_of.source, one.one_of.name) for name, one in facts.items() if one.one_of} == {
        "a": ("roles", ""), "b": ("books", ""), "c": ("event", "seen"),
    }  # fmt: skip


def test_a_fact_that_two_programs_declare(tmp_path):
    files = []
    for name, text in (("wells", '[things.well]\nmeans = "A well"\n'), ("dug", "[things.well]\n")):
        files.append(tmp_path / name / "vocabulary.toml")
        files[-1].parent.mkdir()
        files[-1].write_text(f'{text}facts.a = {{ type = "text" }}\n', "utf-8")
    with pytest.raises(RulebookError) as raised:
        read_vocabulary(files)
    (problem,) = raised.value.problems
    assert problem.text.startswith("well.a is declared twice (also in ")


def test_an_event_says_what_it_is_about(tmp_path):
    assert problems(tmp_path, '[things.well]\nmeans = "A well"\n[events.seen]\nmeans = "Seen"\n') == [
        "events.seen: on = the thing it is about is missing"
    ]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            '[events.well_sealed]\non = "well"\nprecision = "hour"\n',
            "events.well_sealed: precision must be instant, day or either, not 'hour'",
        ),
        (
            '[things.field]\nmeans = "A field"\n[things.field.has]\nwells = { many = "well", by = "lies_in" }\n',
            "field.wells: well has no fact 'lies_in' that points to a field",
        ),
        (  # it is there, and points at something else
            '[things.field]\nmeans = "A field"\n[things.field.has]\nwells = { many = "well", by = "twin" }\n[things.well.facts]\ntwin = { type = "ref", to = "well" }\n',
            "field.wells: well has no fact 'twin' that points to a field",
        ),
    ],
)
def test_what_a_vocabulary_may_not_say(tmp_path, more, said):
    path = tmp_path / "vocabulary.toml"
    path.write_text(f"{THINGS}{more}", "utf-8")
    with pytest.raises(RulebookError) as caught:
        read_vocabulary([path])
    assert [problem.text for problem in caught.value.problems] == [said]
