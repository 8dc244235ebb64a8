"""A third town without Python: the page that says how to put in an ordinance, taken as it stands, in a folder of its own."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import sewershed
from sewershed.rules.loading.kinds import KEYS

PAGE = Path(__file__).parents[2] / "docs/howto/your-town.md"
REGISTER = "otter-bend/rulebooks/otter_bend/register.tsv"
PACKAGE = Path(sewershed.__file__).parent


def blocks() -> list[tuple[str, str]]:
    return re.findall(r"```(sh|toml|tsv)\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)


def typed(line: str, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euc", line], check=False, cwd=folder, capture_output=True, text=True, timeout=300,
        env={**os.environ, "PATH": path, "COLUMNS": "100", "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    changes = line.rstrip().endswith("--plan")  # which ends with 1 where something would change
    assert done.returncode == (1 if changes else 0), f"{line}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def worked(own: int, *parents: str) -> str:
    """What a check says of so many cases of one's own and those that ship with the books above."""
    files = [one for place in parents for one in (PACKAGE / "rulebooks" / place / "cases").glob("*.toml")]
    count = own + sum(path.read_text("utf-8").count("[[case]]") for path in files)
    return f"{count} worked case{'' if count == 1 else 's'}: all sound."


def everything_of_the_package() -> str:
    whole = hashlib.sha256()
    for path in sorted(one for one in PACKAGE.rglob("*") if one.is_file() and one.suffix != ".pyc"):
        whole.update(f"{path} ".encode() + path.read_bytes())
    return whole.hexdigest()


def test_the_page_makes_a_town_that_runs(tmp_path: Path):
    before, said = everything_of_the_package(), []
    for kind, text in blocks():
        if kind == "sh":
            said.append(typed(text, tmp_path))
        else:
            name = REGISTER if kind == "tsv" else re.match(r"# (\S+)\n", text)[1]
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, "utf-8")
    begun, words, checked, running, adopting = said
    assert "The rulebook us.otter_bend is begun:" in begun
    assert re.search(r"^ +ph +standard_unit$", words, flags=re.MULTILINE)
    assert worked(8, "us") in checked
    assert "13 clauses, 1 unread; 0 rows and entries not accounted for." in checked
    assert "Empty the interceptor every 60 days" in running
    assert "nobody on record" not in running
    assert "  - book us.otter_bend: edition was 2026-01, is 2027-01\n" in adopting
    assert everything_of_the_package() == before  # no file outside its folder changed


def test_the_page_shows_every_kind_of_entry_and_two_doubts():
    text = "\n".join(text for kind, text in blocks() if kind == "toml")
    kinds = {*KEYS, "doubt"}
    assert {kind for kind in kinds if f"[[{kind}]]" in text} == kinds
    assert text.count("[[doubt]]") == 2


def test_what_the_page_says_how_to_write_stands_in_a_town_that_is_sound(run):
    """Each piece of the table of clauses, as it is written there, is a piece of a book whose cases hold."""
    book = Path(__file__).parent / "alder_falls"
    said = " ".join(" ".join(path.read_text("utf-8") for path in sorted(book.rglob("*.toml"))).split())
    _, table = PAGE.read_text("utf-8").split("| the text says | you write |\n|---|---|\n")
    pieces = re.findall(r"`([^`]* = [^`]*)`", table.split("\n\n")[0])
    assert len(pieces) > 15
    assert [piece for piece in pieces if piece not in said] == []
    checked = run("rules", "check", "us.alder_falls", "--cases", "--books", str(book)).stdout
    assert worked(20, "us") in checked
    counted = run("rules", "coverage", "us.alder_falls", "--books", str(book)).stdout
    assert "17 clauses, 0 unread; 0 rows and entries not accounted for." in counted


def test_a_folder_or_a_unit_that_is_not_right_is_said_in_sentences(run, tmp_path):
    run("rules", "new", "us.nc.pine_hollow", "pine")
    limit = '[[limit]]\nid = "us.nc.pine_hollow.grease"\ncites = ["1"]\nmeans = "Little grease"\nparameter = "oil_grease"\nmax = 100\n'
    (tmp_path / "pine/rules.toml").write_text(f'{limit}unit = "mg/l"\n')
    said = run("rules", "check", "--books", "pine", status=1).stdout
    assert "unit: unknown unit 'l' in 'mg/l'; did you mean 'L'?; oil_grease is" in said
    said = run("rules", "check", "us.nc.pine_hollow", status=3).stderr
    assert said.endswith("for one that does not ship say --books FOLDER, the folder that it lies in\n")
    (tmp_path / "town.toml").write_text("")
    said = run("rules", "check", "us.nc.pine_hollow", "--books", ".", status=3).stderr
    assert said == ". is the folder of a town; say --books rulebooks\n"


def test_what_is_begun_loads_and_its_comments_are_right(tmp_path: Path):
    """Whoever takes the signs of comment away has an entry and a case that hold."""
    typed("sewershed rules new us.nc.pine_hollow books/pine_hollow", tmp_path)
    assert "no entry; 0 doubts" in typed("sewershed rules check us.nc.pine_hollow --books books", tmp_path)
    for name in ("rules.toml", "cases/rules.toml"):
        path = tmp_path / "books/pine_hollow" / name
        lines = path.read_text("utf-8").splitlines()
        start = next(number for number, line in enumerate(lines) if line == "#")
        path.write_text("\n".join(line.removeprefix("#").removeprefix(" ") for line in lines[start:]), "utf-8")
    row = "UO-3-1\tUO 3-1\tspills\tdeadline\tfull\tLook within three hours\trule\tus.nc.pine_hollow.spill.look\n"
    with (tmp_path / "books/pine_hollow/register.tsv").open("a") as register:
        register.write(row)
    assert worked(1, "us", "us/nc") in typed("sewershed rules check us.nc.pine_hollow --cases --books books", tmp_path)


def test_nothing_is_overwritten_and_no_book_twice(run, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there/kept.txt").write_text("kept")
    assert "so that nothing is overwritten" in run("rules", "new", "us.nc.pine", "there", status=3).stderr
    assert [one.name for one in (tmp_path / "there").iterdir()] == ["kept.txt"]
    assert "there is a rulebook us.nc already" in run("rules", "new", "us.nc", "new", "--parent", "us", status=3).stderr
    assert "there is no rulebook 'us.zz' above us.zz.pine" in run("rules", "new", "us.zz.pine", "new", status=3).stderr
    assert "'US.Pine' cannot be the id of a book" in run("rules", "new", "US.Pine", "new", status=3).stderr
    assert (
        "'Mars/Base' is no time zone"
        in run("rules", "new", "us.nc.pine", "new", "--zone", "Mars/Base", status=3).stderr
    )
    assert not (tmp_path / "new").exists()


def test_two_editions_differ_in_what_they_say(run, tmp_path):
    old = tmp_path / "old"
    run("rules", "new", "us.nc.pine_hollow", "old")
    entry = (
        '[[value]]\nid = "us.nc.pine_hollow.kept"\ncites = ["1"]\nmeans = "Kept"\nas = "manning_n"\ntype = "number"\n'
    )
    (old / "rules.toml").write_text(entry + "is = 0.013\n")
    new = tmp_path / "new"
    run("rules", "new", "us.nc.pine_hollow", "new")
    (new / "rules.toml").write_text(entry + "is = 0.015 # rough\n")
    (line,) = map(json.loads, run("rules", "diff", "old", "new", "--json").stdout.splitlines())
    assert (line["entry"], line["old"], line["new"]) == ("value kept", "0.013", "0.015")
    assert "1 entry differs." in run("rules", "diff", "old", "new").stdout
    (new / "rules.toml").write_text("# written otherwise\n" + entry + "is = 0.013\n")
    assert run("rules", "diff", "old", "new").stdout.strip() == "They say the same."
