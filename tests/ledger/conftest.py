"""Towns for the ledger's tests: each test has a town folder of its own, on SQLite and on PostgreSQL alike.

The first town on each database is made by `init`; the others are copies of it, which is quick. Rows are really committed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from sewershed.ledger.town import Town
from sewershed.project.founding import init
from sewershed.project.opening import open_town

PLACE = Path(__file__).parent / "place"
PROGRAMS = [PLACE / "programs" / "yard", Path(__file__).parents[2] / "src" / "sewershed" / "programs" / "town"]
BOOKS = [PLACE / "books" / "x", PLACE / "books" / "x_y"]
NOW = datetime(2024, 3, 11, 15, 0, tzinfo=UTC)  # a Monday, 11:00 in the town


def found(folder: Path, database: str, example_now: datetime | None = NOW) -> Town:
    return init("x.y", folder, programs=PROGRAMS, books=BOOKS, database=database, example_now=example_now)


def close() -> None:
    from django.db import connections

    connections.close_all()


def server_of(address: str, name: str) -> str:
    return address.rsplit("/", 1)[0] + f"/{name}"


@pytest.fixture(scope="session")
def first_town(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Makes the town that the others of a database are copies of, once."""
    made: dict[str, Path] = {}

    def first(address: str) -> Path:
        if address not in made:
            folder = tmp_path_factory.mktemp("first") / "town"
            found(folder, address)
            close()
            made[address] = folder
        return made[address]

    return first


@pytest.fixture(params=["sqlite", "postgresql"])
def town(
    request: pytest.FixtureRequest, tmp_path: Path, first_town: Callable[[str], Path], django_db_blocker
) -> Iterator[Town]:
    """An example town of this test's own, open, whose clock stands near NOW."""
    with django_db_blocker.unblock():
        yield from _town(request, tmp_path, first_town)


def _town(request: pytest.FixtureRequest, tmp_path: Path, first_town: Callable[[str], Path]) -> Iterator[Town]:
    folder = tmp_path / "town"
    if request.param == "sqlite":
        shutil.copytree(first_town("sqlite:town.db"), folder)
        yield open_town(folder)
        close()
        return
    server = request.getfixturevalue("postgres_url")
    template, name = server_of(server, "first_town"), f"town_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as maintenance:
        if not maintenance.execute("select 1 from pg_database where datname = 'first_town'").fetchone():
            maintenance.execute('create database "first_town"')
        source = first_town(template)
        maintenance.execute(f'create database "{name}" template "first_town"')
        shutil.copytree(source, folder)
        text = (folder / "town.toml").read_text().replace(template, server_of(server, name))
        (folder / "town.toml").write_text(text)
        yield open_town(folder)
        close()
        maintenance.execute(f'drop database "{name}" with (force)')


@pytest.fixture
def admin(town: Town):
    from sewershed.ledger import rights

    return rights.owner()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the PostgreSQL half of what runs on both databases."""
    for item in items:
        if "[postgresql" in item.nodeid or "-postgresql" in item.nodeid:
            item.add_marker(pytest.mark.postgres)
