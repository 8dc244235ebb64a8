"""Places: what the map draws, what the town laid beside the record, and which names lead to a thing."""

from __future__ import annotations

import json

import pytest

from sewershed.desk.spills import places
from sewershed.ledger import actions, clock
from sewershed.ledger.errors import NotFound

CREEK = {"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"NAME": "Creek", "owner": "somebody"}, "geometry": {"type": "LineString", "coordinates": [[-78.1, 35.9], [-78.2, 35.95, 12]]}},
    {"type": "Feature", "properties": None, "geometry": None},
]}  # fmt: skip


@pytest.fixture
def known(town, admin) -> None:
    def point(lon: str, lat: str) -> dict:
        return {"type": "Point", "coordinates": [lon, lat]}

    actions.set_facts("mh1", {"name": "MH-1", "point": point("-78.1034", "35.9451")}, as_account=admin, type="manhole")
    actions.set_facts(
        "c1", {"name": "Main at First", "point": point("-78.1040", "35.9455")}, as_account=admin, type="place"
    )
    actions.set_facts("s1", {"location": "Elm Street", "manhole": "mh1"}, as_account=admin, type="spill")
    actions.set_facts("s2", {"location": "Nowhere"}, as_account=admin, type="spill")


def lay(name: str, text: str) -> None:
    folder = clock.current_town().maps
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, "utf-8")


def test_the_map_draws_what_has_a_place_and_a_spill_where_its_manhole_is(known, signed_in):
    answer = signed_in("auditor").get("/spills/map/")
    assert answer["Content-Type"] == "application/geo+json"
    found = {one["properties"]["id"]: one["geometry"]["coordinates"] for one in json.loads(answer.content)["features"]}
    assert found == {"mh1": [-78.1034, 35.9451], "c1": [-78.104, 35.9455], "s1": [-78.1034, 35.9451]}


def test_a_pipe_without_a_line_of_its_own_is_drawn_straight_between_its_manholes(known, admin, signed_in):
    there = {"type": "Point", "coordinates": ["-78.1050", "35.9460"]}
    actions.set_facts("mh2", {"name": "MH-2", "point": there}, as_account=admin, type="manhole")
    ends = {"town": "town", "from_manhole": "mh1", "to_manhole": "mh2"}
    actions.set_facts("p1", {"name": "P-1", **ends}, as_account=admin, type="pipe")
    line = {"type": "LineString", "coordinates": [["-78.1", "35.9"], ["-78.2", "35.9"]]}
    actions.set_facts("p2", {"name": "P-2", **ends, "line": line}, as_account=admin, type="pipe")
    actions.set_facts("p3", {"name": "P-3", "town": "town", "from_manhole": "mh1"}, as_account=admin, type="pipe")
    answer = json.loads(signed_in().get("/spills/map/").content)
    found = {one["properties"]["id"]: one["geometry"]["coordinates"] for one in answer["features"] if one["properties"]["type"] == "pipe"}  # fmt: skip
    assert found == {"p1": [[-78.1034, 35.9451], [-78.105, 35.946]], "p2": [[-78.1, 35.9], [-78.2, 35.9]]}


def test_the_list_beside_the_map_has_the_same_places(known, admin):
    assert {one.title: [each.id for each in one.places] for one in places.groups(admin)} == {
        "Manholes": ["mh1"], "Places": ["c1"], "Spills": ["s1"],
    }  # fmt: skip


def test_a_name_leads_to_its_place_only_where_it_is_the_whole_name_of_one(known, admin):
    assert places.place_named(" main AT first ", admin).id == "c1"
    assert places.place_named("main at", admin) is None
    assert places.place_named("", admin) is None
    actions.set_facts("c2", {"name": "Main at First"}, as_account=admin, type="place")
    assert places.place_named("Main at First", admin) is None  # which of the two?
    with pytest.raises(NotFound):
        places.place("town", admin)


def test_names_are_suggested_as_they_are_typed(known, signed_in):
    assert b'value="Main at First"' in signed_in().get("/spills/call/places/", {"where": "main"}).content
    assert b"option" not in signed_in().get("/spills/call/places/", {"where": "zzz"}).content


def test_a_layer_of_the_town_goes_out_with_shapes_and_names_alone(known, signed_in):
    lay("creeks.geojson", json.dumps(CREEK))
    client = signed_in()
    assert places.layers() == ("creeks.geojson",)
    assert 'data-layer-1="/spills/map/creeks.geojson"' in client.get("/spills/call/").content.decode()
    answer = client.get("/spills/map/creeks.geojson")
    assert answer["X-Content-Type-Options"] == "nosniff"
    (feature,) = json.loads(answer.content)["features"]
    assert feature == {
        "type": "Feature", "properties": {"label": "Creek"},
        "geometry": {"type": "LineString", "coordinates": [[-78.1, 35.9], [-78.2, 35.95]]},
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "no JSON", "[]", '{"type": "FeatureCollection"}', '{"type": "Topology"}', '{"features": []}',
        '{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Circle", "coordinates": []}}]}',
        '{"type": "Point", "coordinates": [2100000, 800000]}',  # feet of a state plane, not degrees
        '{"type": "Point", "coordinates": ["a", "b"]}',
    ],
)  # fmt: skip
def test_a_file_that_is_no_map_is_not_handed_out(known, signed_in, text):
    lay("bad.geojson", text)
    assert signed_in().get("/spills/map/bad.geojson").status_code == 404


def test_only_layers_are_handed_out(known, signed_in, tmp_path):
    lay("notes.txt", "private")
    lay("<b>.json", "{}")
    (tmp_path / "secret.json").write_text('{"type": "Point", "coordinates": [0, 0]}')
    (clock.current_town().maps / "link.json").symlink_to(tmp_path / "secret.json")
    assert places.layers() == ()
    client = signed_in()
    for name in ("notes.txt", "link.json", "..%2Ftown.db", "../town.toml", "nothing.json"):
        assert client.get(f"/spills/map/{name}").status_code == 404, name


def test_distances_are_those_of_the_sphere():
    """A degree of longitude on the equator: 6,371,008.8 m x pi / 180 = 111,195.08 m = 364,813 ft, by hand."""
    assert places.distance_ft((0.0, 0.0), (0.0, 1.0)) == pytest.approx(364_813, abs=2)
    assert places.distance_ft((35.0, -78.0), (35.0, -78.0)) == 0
