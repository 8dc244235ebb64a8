"""What every benchmark may use: towns on either database, and the table at the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from benchmarks import measured, towns
from tests import postgres

collect_ignore = ["peer.py"]  # it runs in an environment of its own
DATABASES = ("sqlite", "postgresql")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the table; a bound that is not kept in red."""
    if not measured.LINES:
        return
    terminalreporter.section("what things cost, beside the bounds we keep")
    terminalreporter.write_line(measured.machine())
    terminalreporter.write_line("")
    for line in measured.table():
        is_loud = "NOT KEPT" in line
        terminalreporter.write_line(line, red=is_loud, bold=is_loud)


@pytest.fixture(scope="session", autouse=True)
def _unblocked(django_db_blocker) -> Iterator[None]:
    """Lets benchmarks reach the databases of their own towns."""
    with django_db_blocker.unblock():
        yield
        towns.close()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The address of the maintenance database of a PostgreSQL server made for this run."""
    with postgres.serve() as address:
        yield address


@pytest.fixture(scope="session", params=DATABASES)
def new_database(request: pytest.FixtureRequest) -> Callable[[], str]:
    """Makes the address of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return lambda: "sqlite:town.db"
    if "postgres" in os.environ.get("WITHOUT", "").split():
        pytest.skip("left out: WITHOUT names postgres")
    server = request.getfixturevalue("postgres_url")

    def make() -> str:
        name = f"town_{uuid4().hex[:12]}"
        with psycopg.connect(server, autocommit=True) as maintenance:
            maintenance.execute(f'create database "{name}"')
        return server.rsplit("/", 1)[0] + f"/{name}"

    return make


@pytest.fixture(scope="session")
def database(new_database: Callable[[], str]) -> str:
    """The kind of database, for the words of a line."""
    return "SQLite" if new_database().startswith("sqlite") else "PostgreSQL"


@pytest.fixture(scope="session")
def large_town(new_database: Callable[[], str], tmp_path_factory: pytest.TempPathFactory) -> towns.Made:
    """A town with 50,000 things and 300,000 obligations; on SQLite it is kept from run to run."""
    return towns.large(new_database(), tmp_path_factory.mktemp("large"))


@pytest.fixture(scope="session")
def worked_out_town(large_town: towns.Made) -> towns.Made:
    """The large town with all that follows from its log, worked out by the present code."""
    towns.work_out(large_town)
    return large_town


@pytest.fixture(scope="session")
def small_town(new_database: Callable[[], str], tmp_path_factory: pytest.TempPathFactory) -> towns.Made:
    """A town with one kitchen, and stations that were visited each day for one year and for ten."""
    return towns.small(new_database(), tmp_path_factory.mktemp("small") / "town")


@pytest.fixture(scope="session")
def five_books() -> list[Path]:
    """The folders of the books that are shipped."""
    return towns.shipped_books()
