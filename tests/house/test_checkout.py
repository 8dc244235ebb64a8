"""What is committed installs anywhere and leads nowhere wrong: locks, paths, links."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

HOUSE = Path(__file__).parents[2]
A_PATH_OF_SOMEBODY = re.compile(r"(?<![\w./~$}])/(?:home|root|Users|work)/\w")
LINK = re.compile(r"\]\(([^)\s]+)\)")
PARTS_OF_A_DECISION = ("**Question.**", "**Decision.**", "**Because.**", "**Costs.**")


def committed(*patterns: str) -> list[Path]:
    """Returns the files that git keeps, those of the patterns where some are given."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *patterns], cwd=HOUSE, capture_output=True, text=True, check=True
    ).stdout
    found = [path for name in listed.split("\0") if name and (path := HOUSE / name).is_file()]
    assert found, f"git keeps no file like {patterns}: this guard looks at nothing"
    return found


def locked(text: str) -> dict[str, int]:
    """Returns the packages of a requirements file, each with its number of hashes."""
    parts = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)
    return {part.split("==")[0].split("[")[0]: part.count("--hash=sha256:") for part in parts if "==" in part}


def test_locks_carry_hashes_and_no_addresses() -> None:
    for path in committed("requirements*.txt"):
        text = path.read_text()
        packages = locked(text)
        assert packages, path.name
        assert [name for name, hashes in packages.items() if not hashes] == [], path.name
        assert "://" not in text, path.name
        assert not re.search(r"^\s*-[^-]|^\s*--(?!hash=)", text, flags=re.MULTILINE), path.name


def test_the_guard_of_locks_finds_a_package_without_a_hash() -> None:
    assert locked("click==8.5.1 \\\n    --hash=sha256:00\ndjango==5.2.19\n") == {"click": 1, "django": 0}


def test_what_is_declared_is_locked() -> None:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text())
    for file, wanted in (
        ("requirements.txt", project["project"]["dependencies"]),
        ("requirements-dev.txt", project["project"]["dependencies"] + project["dependency-groups"]["dev"]),
        ("requirements-bench.txt", project["dependency-groups"]["bench"]),
    ):
        names = {re.split(r"[\[<>=!~ ]", requirement)[0] for requirement in wanted}
        assert names - locked((HOUSE / file).read_text()).keys() == set(), f"{file}: run `make lock`"


def test_the_guard_of_paths_finds_a_planted_one() -> None:
    assert A_PATH_OF_SOMEBODY.search("see " + "/home" + "/clerk/town.db")
    assert not A_PATH_OF_SOMEBODY.search("https://example.org/work/orders and docs/home/page")


def test_no_file_names_a_path_of_somebodys_machine() -> None:
    offences = [
        f"{path.relative_to(HOUSE)}:{number}"
        for path in committed()
        if path.suffix not in {".pdf", ".png", ".woff2", ".db"}
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1)
        if A_PATH_OF_SOMEBODY.search(line)
    ]
    assert offences == []


def dead_links(path: Path, text: str) -> list[str]:
    targets = [link.split("#")[0] for link in LINK.findall(text) if "://" not in link and not link.startswith("#")]
    return [target for target in targets if target and not (path.parent / target).exists()]


def test_the_guard_of_links_finds_a_planted_one() -> None:
    text = "[here](GLOSSARY.md#words) [there](nowhere.md) [out](https://example.org) [below](#x)"
    assert dead_links(HOUSE / "README.md", text) == ["nowhere.md"]


def test_links_between_pages_lead_somewhere() -> None:
    pages = [page for page in committed("*.md") if "vendor" not in page.parts[:-2]]  # those of others are as published
    assert {
        str(page.relative_to(HOUSE)): dead for page in pages if (dead := dead_links(page, page.read_text("utf-8")))
    } == {}


def test_a_decision_has_its_four_parts_and_stands_in_the_list() -> None:
    listed = (HOUSE / "docs/decisions/README.md").read_text()
    for page in committed("docs/decisions/2*.md"):
        text = page.read_text()
        assert re.match(r"\d{4}-\d\d-\d\d-[a-z0-9-]+\.md$", page.name), page.name
        assert [part for part in PARTS_OF_A_DECISION if part not in text] == [], page.name
        assert f"({page.name})" in listed, f"{page.name} is missing in docs/decisions/README.md"
