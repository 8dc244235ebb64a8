"""What every test may use: databases, and what is left out where a machine lacks a program."""

from __future__ import annotations

import os
from collections.abc import Iterator
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings

from tests import browsers, postgres
from tests.trials import IS_SOAK

# A property's examples come from the test's own name, so that a run can be repeated; the soak looks further each time.
settings.register_profile("test", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("soak" if IS_SOAK else "test")

WITHOUT = frozenset(os.environ.get("WITHOUT", "").split())
CAN_BE_LEFT_OUT = {
    "postgres": lambda: postgres.find_programs() is not None,
    "browser": lambda: browsers.find_chromium() is not None,
}
POSTGRES_FIXTURES = {"postgres_url", "postgres_database"}


def pytest_sessionstart() -> None:
    """Lets programs that tests start find their own settings: the command's are not those of the tests."""
    os.environ.pop("DJANGO_SETTINGS_MODULE", None)
    # The browser's driver keeps an event loop in this process after its tests; Django then takes every test for async code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks what needs PostgreSQL; leaves out what WITHOUT names, and stops where a program is missing and not named."""
    unknown = WITHOUT - CAN_BE_LEFT_OUT.keys()
    if unknown:
        raise pytest.UsageError(f"WITHOUT names {', '.join(sorted(unknown))}; it may name {', '.join(CAN_BE_LEFT_OUT)}")
    for item in items:
        if POSTGRES_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.postgres)
    for word, is_here in CAN_BE_LEFT_OUT.items():
        wanting = [item for item in items if item.get_closest_marker(word)]
        if word in WITHOUT:
            for item in wanting:
                item.add_marker(pytest.mark.skip(reason=f"left out: WITHOUT names {word}"))
        elif wanting and not is_here():
            raise pytest.UsageError(
                f'{len(wanting)} tests need {word}. Run scripts/system-packages, or leave them out with WITHOUT="{word}".'
            )


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The address of the maintenance database of a PostgreSQL server made for this run."""
    with postgres.serve() as address:
        yield address


@pytest.fixture
def postgres_database(postgres_url: str) -> Iterator[str]:
    """The address of an empty PostgreSQL database of this test's own."""
    with postgres.new_database(postgres_url, f"town_{uuid4().hex[:12]}") as address:
        yield address
