"""The files that the desk serves and the templates that it is made of: all our own, all there, none leading outside."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

import sewershed
from sewershed.desk.shell.marks import MARKS
from sewershed.rules import todo

DESK = Path(sewershed.__file__).parent / "desk"
STATIC = DESK / "shell" / "static"
CSS = (STATIC / "desk.css").read_text("utf-8")
OUTSIDE = re.compile(r"""(?:https?:)?//(?=[\w-]+(?:\.[\w-]+)+)[^\s"'`)>]+""")
NAMESPACES = ("http://www.w3.org/", "https://www.w3.org/")
# What the map's library says in a message, calls a name, or would link to from a control that we leave out. None of it is
# ever asked for: the browser's tests keep count of that.
NAMED = {
    "https://github.com/mapbox/mapbox-gl-js/issues/2907", "https://maplibre.invalid/", "https://maplibre.org/",
    "https://wiki.openstreetmap.org/wiki/This_map_requires_WebGL",
}  # fmt: skip
COMMENT = re.compile(r"/\*.*?\*/|\{#.*?#\}|<!--.*?-->", re.DOTALL)


def served() -> list[Path]:
    kinds = {".html", ".css", ".js", ".svg", ".txt", ".mjs"}
    found = [path for path in DESK.rglob("*") if path.suffix in kinds and path.is_file()]
    assert len(found) > 50, f"hardly a file below {DESK}: this guard looks at nothing"
    return found


def outside(text: str) -> list[str]:
    """Returns the addresses outside that a browser would ask for; a comment asks for nothing, a namespace is a name."""
    return [one for one in OUTSIDE.findall(COMMENT.sub("", text)) if not one.startswith(NAMESPACES)]


def test_the_guard_of_addresses_finds_planted_ones():
    text = """<script src="https://cdn.example/x.js"></script> <img src="//pictures.example/a.png">
    url(http://fonts.example/f.woff2) <svg xmlns="http://www.w3.org/2000/svg"/> {# see https://docs.example/ #} a // b"""
    assert outside(text) == ["https://cdn.example/x.js", "//pictures.example/a.png", "http://fonts.example/f.woff2"]


def test_nothing_that_is_served_leads_outside():
    found = {str(path.relative_to(DESK)): outside(path.read_text("utf-8")) for path in served()}
    maps = {path for path in found if "/maplibre-gl-" in path}
    assert maps
    found |= {path: [one for one in found[path] if one not in NAMED] for path in maps}
    assert {path: addresses for path, addresses in found.items() if addresses} == {}


def test_every_file_that_our_style_sheet_asks_for_is_there():
    asked = re.findall(r'url\("?([^")]+)"?\)', CSS)
    assert asked
    assert [one for one in asked if not (STATIC / one).is_file()] == []


def test_no_template_holds_a_script_or_a_style_of_its_own():
    inline = re.compile(r"<style|\sstyle=|\son\w+=|<script(?![^>]*(?:\bsrc=|application/json))")
    assert inline.search('<p onclick="x()">')
    assert inline.search("<script>x()</script>")
    assert inline.search('<p style="color: red">')
    found = [
        str(path.relative_to(DESK))
        for path in served()
        if path.suffix == ".html" and inline.search(path.read_text("utf-8"))
    ]
    assert found == []


def test_no_comment_of_a_template_runs_over_its_line():
    """Django knows a comment only within a line: another one would be shown to everybody."""
    open_comment = re.compile(r"\{#(?!.*#\})")
    assert open_comment.search("{# one\ntwo #}")
    assert not open_comment.search("{# one #}")
    assert [
        str(path) for path in served() if path.suffix == ".html" and open_comment.search(path.read_text("utf-8"))
    ] == []


@pytest.mark.parametrize("packed", sorted(STATIC.rglob("*.gz")), ids=lambda path: path.name)
def test_what_is_packed_is_what_lies_beside_it(packed):
    assert gzip.decompress(packed.read_bytes()) == packed.with_suffix("").read_bytes()


def test_files_of_others_lie_by_version_with_their_license():
    folders = [path for path in (STATIC / "vendor").iterdir() if path.is_dir()]
    assert folders
    for folder in folders:
        assert re.fullmatch(r"[a-z-]+-\d+(\.\d+)+", folder.name), folder.name
        assert list(folder.glob("LICENSE*")), folder.name


# ------------------------------------------------------------------------------------------------ marks


def test_every_word_of_the_engine_has_a_mark():
    import inspect

    words = set(re.findall(r'"([A-Z][a-z]+(?: [a-z]+)*)"', inspect.getsource(todo.word_of)))
    assert {"Overdue", "Due soon", "Cannot tell", "Not needed"} <= words
    assert words - MARKS.keys() == set()


def test_every_mark_has_its_shape_and_its_color():
    sprite = (DESK / "shell" / "templates" / "shell" / "sprite.html").read_text("utf-8")
    assert [one.word for one in MARKS.values() if f'id="s-{one.shape}"' not in sprite] == []
    assert [one.word for one in MARKS.values() if not re.search(rf"\.is-{one.color}\b[^{{]*{{ color:", CSS)] == []


def test_marks_of_one_shape_and_color_differ_by_their_word_alone_only_where_nothing_is_to_do():
    seen: dict[tuple[str, str], list[str]] = {}
    for one in MARKS.values():
        seen.setdefault((one.shape, one.color), []).append(one.word)
    alike = {look: words for look, words in seen.items() if len(words) > 1}
    assert alike == {
        ("ended", "rest"): ["Not needed", "Ended", "Replaced", "Withdrawn", "Not regulated"],
        ("overdue", "overdue"): ["Overdue", "Not met"],  # a duty and a finding
    }


def luminance(color: str) -> float:
    """Returns the relative luminance of a color (WCAG 2.1)."""
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_counted_as_wcag_counts_it():
    assert contrast("#000000", "#ffffff") == 21
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48  # the well-known gray that just fails


def test_words_of_states_stand_out_from_paper():
    """The mock's own measure: at least 6.6 to 1, where AA asks for 4.5."""
    tokens = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", CSS))
    states = ("overdue", "soon", "decide", "unknown", "met", "late", "rest")
    assert [
        (name, contrast(tokens[name], "#ffffff")) for name in states if contrast(tokens[name], "#ffffff") < 6.6
    ] == []
    for name, wash in (
        ("overdue", "overdue-wash"),
        ("soon", "soon-wash"),
        ("decide", "decide-wash"),
        ("accent-dark", "accent-wash"),
        ("ink-soft", "shade"),
    ):
        assert contrast(tokens[name], tokens[wash]) >= 4.5, name
