"""A vocabulary and a form of a town's own: the page that says how, taken as it stands; and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

from sewershed.programs.spills.forms import FORMS
from tests.cli.test_your_town import everything_of_the_package, typed

PAGE = Path(__file__).parents[2] / "docs/howto/words-of-your-own.md"


def test_the_page_makes_a_town_that_speaks_its_own_words(tmp_path: Path):
    before, said = everything_of_the_package(), []
    for kind, text in re.findall(r"```(sh|toml)\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL):
        if kind == "sh":
            said.append(typed(text, tmp_path))
        else:
            name = re.match(r"# (\S+)\n", text)[1]
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, "utf-8")
    _, checked, used = said
    assert "2 books, " in checked
    assert "all sound" in checked
    assert "Look into each marked storm drain every 90 days" in used
    assert "Sun Apr 5" in used  # 5 January and 90 days: 26 + 28 + 31 + 5
    paper = json.loads(used[used.index("{") :])
    assert paper["paper"]["caption"] == "NOTICE OF A SEWER SPILL"
    assert everything_of_the_package() == before


def test_the_page_names_every_key_of_every_paper():
    text = PAGE.read_text("utf-8")
    for form in FORMS:
        (row,) = re.findall(rf"^\| `{form.paper}` \|(.*)\|$", text, flags=re.MULTILINE)
        assert set(re.findall(r"`(\w+)`", row)) == {key.name for key in form.keys}, form.paper


def test_a_program_of_a_name_that_there_is_or_a_name_twice_is_refused(run, tmp_path):
    run("rules", "new", "us.pine_hollow", "books/pine_hollow", "--parent", "us", "--zone", "America/Chicago")
    for program, text, status, said in (
        ("spills", '[things.drain]\nmeans = "A drain"\n', 3, "there are two programs called 'spills'; give books/programs/"),
        ("drains", '[things.spill]\nmeans = "Another"\n', 1, "thing spill is declared twice (also in spills/vocabulary"),
    ):  # fmt: skip
        path = tmp_path / "books/programs" / program / "vocabulary.toml"
        path.parent.mkdir(parents=True)
        path.write_text(text)
        result = run("rules", "check", "us.pine_hollow", "--books", "books", status=status)
        assert said in " ".join((result.stdout + result.stderr).split())
        path.unlink()
