"""The example town, made once for all tests of this folder, which only read it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sewershed.ledger.town import Town
from sewershed.project.example import make_example
from sewershed.project.opening import open_town

NOW = datetime(2023, 10, 17, 15, 20, tzinfo=UTC)  # 11:20 in the town, where it stands when it is made


def close() -> None:
    from django.db import connections

    connections.close_all()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, django_db_blocker) -> Path:
    """The folder of the example town."""
    folder = tmp_path_factory.mktemp("example") / "town"
    with django_db_blocker.unblock():
        make_example(folder)
        close()
    return folder


@pytest.fixture
def town(made: Path, django_db_blocker) -> Iterator[Town]:
    """The example town, open, at the instant at which it stands."""
    with django_db_blocker.unblock():
        opened = open_town(made)
        from sewershed.ledger import clock

        with clock.at(NOW):
            yield opened
        close()


@pytest.fixture
def admin(town: Town):
    from sewershed.ledger import rights

    return rights.owner()
