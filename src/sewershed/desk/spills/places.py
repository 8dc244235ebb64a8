"""Where spills are: the places that the record knows, what the map shows of them, and the layers that the town laid beside it.

A map shows what the record and the town's own files hold, and nothing of another host. Whatever it shows stands in a list,
too, so that a place can be chosen without it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sewershed.ledger import canonical, clock, law, queries, rights
from sewershed.ledger.errors import NotFound
from sewershed.ledger.models import Account
from sewershed.ledger.wording import many
from sewershed.rules.vocabulary import ThingType

POINT, SPILL = "point", "spill"
Points = Mapping[str, tuple[float, float]]  # latitude and longitude, by thing
MOST_SUGGESTED = 12
MOST_LISTED = 40  # of a type, in the list beside the map
MOST_DRAWN = 5000  # of a type, on the map
MOST_LAYER_BYTES = 20 * 2**20
_ENDINGS = (".geojson", ".json")
_NAME = re.compile(r"[\w .()-]{1,80}\Z")
_EARTH_FT = 20_902_231  # mean radius, 6,371,008.8 m (IUGG) at 0.3048 m a foot
_SHAPES = frozenset(
    {"Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection"}
)
_SMALL = frozenset(
    {"a", "an", "and", "at", "behind", "by", "for", "from", "in", "near", "of", "off", "on", "the", "to"}
)


@dataclass(frozen=True, slots=True)
class Place:
    """A place that the record knows."""

    id: str
    type: str
    label: str
    lat: float | None = None
    lon: float | None = None

    @property
    def words(self) -> str:
        """Returns latitude and longitude as people write them, or nothing."""
        return "" if self.lat is None or self.lon is None else f"{self.lat:.6f}, {self.lon:.6f}"


@dataclass(frozen=True, slots=True)
class Group:
    """Places of one type, as the list beside the map has them."""

    title: str
    places: tuple[Place, ...]
    more: int


# ------------------------------------------------------------------------------------------------ what is known


def types_with_points(account: Account) -> tuple[str, ...]:
    """Returns the types of thing that stand at a point and that the account may see, those of a spill's own program last."""
    kinds = law.in_force().vocabulary.things.values()
    found = [
        kind.name
        for kind in kinds
        if not kind.retired
        and (fact := kind.facts.get(POINT)) is not None
        and fact.type.kind == "geometry"
        and rights.may(account, "see", kind.program)
    ]
    return tuple(sorted(found, key=lambda name: name == SPILL))


def places(type: str, account: Account, *, text: str = "", limit: int = MOST_LISTED) -> tuple[tuple[Place, ...], int]:
    """Returns the places of a type, the latest spills first, and how many there are.

    Args:
        type: the type.
        account: who asks.
        text: what their names must hold.
        limit: so many are returned.
    """
    order = "-began" if type == SPILL else ""
    page = queries.things(type, as_account=account, text=text, order=order, limit=limit)
    points = _points([one.id for one in page.items], type, account)
    found = (Place(one.id, type, one.label, *(points.get(one.id) or (None, None))) for one in page.items)
    return tuple(found), page.total


def _points(things: Sequence[str], type: str, account: Account) -> dict[str, tuple[float, float]]:
    """Returns where things of a type stand; a spill of which nobody said it stands where the manhole or station does."""
    facts = queries.facts_of(things, type, [POINT, *_standing_by(type)], as_account=account)
    return _points_of(facts, type, account)


def _points_of(facts: Mapping[str, Mapping[str, str]], type: str, account: Account) -> dict[str, tuple[float, float]]:
    kinds, refs = law.in_force().vocabulary.things, _standing_by(type)
    found = {one: at for one, said in facts.items() if (at := point_of(said.get(POINT, ""))) is not None}
    for name, to in refs.items():
        pointed = {one: said[name] for one, said in facts.items() if one not in found and said.get(name)}
        if not pointed or not rights.may(account, "see", kinds[to].program):
            continue
        theirs = queries.facts_of(sorted(set(pointed.values())), to, [POINT], as_account=account)
        for one, other in pointed.items():
            at = point_of(theirs[other].get(POINT, ""))
            if at is not None:
                found[one] = at
    return found


def _standing_by(type: str) -> dict[str, str]:
    """Returns the facts by which a thing without a point of its own stands where another does, each with the other's type."""
    kinds = law.in_force().vocabulary.things
    facts = kinds[type].facts.items() if type == SPILL else ()
    return {name: one.type.to for name, one in facts if one.type.kind == "ref" and POINT in kinds[one.type.to].facts}


def groups(account: Account) -> tuple[Group, ...]:
    """Returns what the list beside the map shows: the places of each type that have a point."""
    kinds, found = law.in_force().vocabulary.things, []
    for type_ in types_with_points(account):
        listed, total = places(type_, account)
        there = tuple(one for one in listed if one.lat is not None)
        if there:
            found.append(Group(many(kinds[type_]), there, total - len(listed)))
    return tuple(found)


def suggested(text: str, account: Account) -> tuple[Place, ...]:
    """Returns places whose name holds what was typed; the spills among them only where something was."""
    found: list[Place] = []
    for type_ in types_with_points(account):
        if text.strip() or type_ != SPILL:
            there, _ = places(type_, account, text=text.strip(), limit=MOST_SUGGESTED)
            found += there
    return tuple(found[:MOST_SUGGESTED])


def place_named(name: str, account: Account) -> Place | None:
    """Returns the place that somebody typed the whole name of, or None where there is none or are several.

    Edge: upper and lower case are alike.
    """
    wanted = name.strip().lower()
    if not wanted:
        return None
    found = [one for type_ in types_with_points(account) if type_ != SPILL
             for one in places(type_, account, text=name.strip(), limit=MOST_SUGGESTED)[0] if one.label.lower() == wanted]  # fmt: skip
    return found[0] if len(found) == 1 else None


def place(thing: str, account: Account) -> Place:
    """Returns a place by the id of its thing.

    Raises:
        NotFound: where there is none, or none of that kind.
        NotAllowed: for the account.
    """
    named = queries.thing(thing, as_account=account)
    if named.type not in types_with_points(account):
        raise NotFound(f"{named.label} is no place")
    lat, lon = _points([named.id], named.type, account).get(named.id) or (None, None)
    return Place(named.id, named.type, named.label, lat, lon)


# ------------------------------------------------------------------------------------------------ near


def point_of(said: Any) -> tuple[float, float] | None:
    """Returns latitude and longitude of a point as the record writes it, or None for what is none.

    Example:
        >>> point_of('{"coordinates":["-78.1","35.9"],"type":"Point"}')
        (35.9, -78.1)
        >>> point_of("")
    """
    shape = canonical.read(said) if isinstance(said, str) and said else said
    if not isinstance(shape, Mapping) or shape.get("type") != "Point":
        return None
    lon, lat = shape["coordinates"][:2]
    return float(lat), float(lon)


def distance_ft(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Returns how far two points lie apart, along the ground.

    Units: degrees in, feet out; good to a few parts in a thousand, which is enough to say what is near.

    Edge: a point is 0 feet from itself.

    Refuses: nothing.

    Source: the haversine formula on a sphere.

    Example:
        >>> round(distance_ft((35.0, -78.0), (36.0, -78.0)) / 5280, 1)  # a degree of latitude
        69.1
    """
    lat, lon, lat_too, lon_too = map(math.radians, (*one, *other))
    half = math.sin((lat_too - lat) / 2) ** 2 + math.cos(lat) * math.cos(lat_too) * math.sin((lon_too - lon) / 2) ** 2
    return 2 * _EARTH_FT * math.asin(min(1.0, math.sqrt(half)))


def shared_words(one: str, other: str) -> int:
    """Returns how many words two descriptions of a place share, small ones left out.

    Example:
        >>> shared_words("Branch Street, by the church", "behind the Church on Branch St")
        2
    """
    return len(_words(one) & _words(other))


def _words(text: str) -> set[str]:
    plain = {"street": "st", "avenue": "ave", "road": "rd", "lane": "ln", "court": "ct", "drive": "dr"}
    found = {plain.get(word, word) for word in re.findall(r"\w+", text.lower())}
    return found - _SMALL - set(plain.values())


# ------------------------------------------------------------------------------------------------ the map


def features(account: Account) -> Iterator[dict[str, Any]]:
    """Yields what the map draws of the record, as GeoJSON: stations, places, past spills, then what lies in the ground."""
    dots: dict[str, Points] = {}
    lines: list[tuple[ThingType, str]] = []
    for kind in law.in_force().vocabulary.things.values():
        shape = next((one.name for one in kind.facts.values() if one.type.kind == "geometry" and not one.private), "")
        if kind.retired or not shape or not rights.may(account, "see", kind.program):
            continue
        if shape != POINT:
            lines.append((kind, shape))
            continue
        wanted = [POINT, *_standing_by(kind.name)]
        named = queries.things_having(kind.name, wanted, as_account=account, limit=MOST_DRAWN)
        points = _points_of({one: facts for one, (_, facts) in named.items()}, kind.name, account)
        dots[kind.name] = points
        for one, (label, _) in named.items():
            if one in points:
                lat, lon = points[one]
                yield _feature(one, kind.name, label, {"type": "Point", "coordinates": [lon, lat]})
    for kind, shape in lines:
        yield from _lines(kind, shape, account, dots)


def _feature(id_: str, type: str, label: str, geometry: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Feature", "geometry": geometry, "properties": {"id": id_, "type": type, "label": label}}


def _lines(kind: ThingType, shape: str, account: Account, dots: Mapping[str, Points]) -> Iterator[dict[str, Any]]:
    """Yields things that are no points; what lies between two dots is drawn straight where nobody said how."""
    points = law.in_force().vocabulary.things
    ends = [one for one in kind.facts.values() if one.type.kind == "ref" and POINT in points[one.type.to].facts]
    to = ends[0].type.to if len(ends) == 2 and ends[0].type.to == ends[1].type.to else ""  # its two ends, or none
    at = dots.get(to, {})
    names = [one.name for one in ends if at]
    named = queries.things_having(kind.name, [shape, *names], as_account=account, limit=MOST_DRAWN)
    for one, (label, facts) in named.items():
        geometry = _geometry(facts.get(shape, ""))
        between = [at[end] for name in names if (end := facts.get(name, "")) in at]
        if geometry is None and len(between) == 2:
            geometry = {"type": "LineString", "coordinates": [[lon, lat] for lat, lon in between]}
        if geometry is not None:
            yield _feature(one, kind.name, label, geometry)


def _geometry(said: str) -> dict[str, Any] | None:
    if not said:
        return None
    shape = canonical.read(said)
    if not isinstance(shape, Mapping) or shape.get("type") not in _SHAPES or "coordinates" not in shape:
        return None
    return {"type": shape["type"], "coordinates": _numbers(shape["coordinates"])}


def _numbers(said: Any) -> Any:
    return [_numbers(one) for one in said] if isinstance(said, Sequence) and not isinstance(said, str) else float(said)


def layers() -> tuple[str, ...]:
    """Returns the names of the layers that the town laid into the folder `map` of its files, in their order."""
    folder = _folder()
    if not folder.is_dir():
        return ()
    found = (one for one in sorted(folder.iterdir()) if one.suffix in _ENDINGS and _NAME.match(one.stem))
    return tuple(one.name for one in found if one.is_file() and not one.is_symlink())


def layer(name: str) -> bytes:
    """Returns a layer as GeoJSON, read and written anew: what is no GeoJSON never leaves.

    Refuses: a file that is not among the layers, is too large, or is no GeoJSON.

    Raises:
        NotFound: naming the file and what is wrong with it.
    """
    if name not in layers():
        raise NotFound(f"there is no layer {name!r} in {_folder()}")
    path = _folder() / name
    if path.stat().st_size > MOST_LAYER_BYTES:
        raise NotFound(f"{path} has more than {MOST_LAYER_BYTES:,} bytes; make a simpler one")
    try:
        said = json.loads(path.read_text("utf-8"))
        shapes = list(_features(said))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise NotFound(f"{path} is no GeoJSON in longitude and latitude: {error}") from error
    return json.dumps({"type": "FeatureCollection", "features": shapes}).encode()


def _features(said: Any) -> Iterator[dict[str, Any]]:
    """Yields the features of a GeoJSON text, each with its name alone: what else a layer knows is not the desk's to show."""
    found = said["features"] if said["type"] == "FeatureCollection" else [said]
    for one in found:
        shape = one if one["type"] in _SHAPES else one["geometry"]
        if shape is None:
            continue
        if shape["type"] not in _SHAPES or shape["type"] == "GeometryCollection":
            raise ValueError(f"a shape of type {shape['type']!r}")
        known = (one.get("properties") or {}) if one is not shape else {}
        name = next((str(value) for key, value in known.items() if key.lower() in ("name", "label") and value), "")
        yield {"type": "Feature", "properties": {"label": name},
               "geometry": {"type": shape["type"], "coordinates": _on_earth(shape["coordinates"])}}  # fmt: skip


def _on_earth(said: Any) -> Any:
    if said and isinstance(said[0], int | float):
        lon, lat = float(said[0]), float(said[1])
        if not (-180 <= lon <= 180 and -90 <= lat <= 90):
            raise ValueError(f"{said[0]}, {said[1]} is no longitude and latitude")
        return [lon, lat]
    return [_on_earth(one) for one in said]


def _folder() -> Path:
    return clock.current_town().maps
