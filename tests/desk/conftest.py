"""Towns and browsers for the desk's tests: Django's test client, signed in by name, in front of a town of its own."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client

from sewershed.ledger.town import Town
from sewershed.project.founding import init
from sewershed.project.opening import open_town

HOST = "localhost"
NOW = datetime(2024, 3, 11, 15, 0, tzinfo=UTC)  # a Monday, 11:00 in the town
SINCE_MADE = timedelta(seconds=20)
PASSWORD = "sluice gate ratchet nine"
As = Callable[..., Client]


@pytest.fixture(scope="session")
def first_folder(tmp_path_factory: pytest.TempPathFactory, django_db_blocker) -> Path:
    """An example town as `init` makes it under the web server's settings, of which each test gets a copy."""
    from django.db import connections

    folder = tmp_path_factory.mktemp("first") / "town"
    with django_db_blocker.unblock():
        init("us.nc.spring_hope", folder, facts={"county": "Nash"}, example_now=NOW)
        connections.close_all()
    return folder


@pytest.fixture
def town(tmp_path: Path, first_folder: Path, django_db_blocker) -> Iterator[Town]:
    """An example town of this test's own, open; its clock begins anew, so that what is due soon is so in a slow run, too."""
    from django.db import connections

    folder = tmp_path / "town"
    shutil.copytree(first_folder, folder)
    said, shift = (folder / "town.toml").read_text("utf-8"), NOW + SINCE_MADE - datetime.now(UTC)
    anew = f"clock_shift_seconds = {int(shift.total_seconds())}"
    (folder / "town.toml").write_text(re.sub(r"clock_shift_seconds = -?\d+", anew, said), "utf-8")
    cache.clear()  # rate limits are counted there
    with django_db_blocker.unblock():
        yield open_town(folder)
        connections.close_all()


@pytest.fixture
def admin(town: Town):
    from sewershed.ledger import rights

    return rights.owner()


@pytest.fixture
def nobody(town: Town) -> Client:
    """A browser in which nobody is signed in; it keeps its promises about forms, as browsers do."""
    return Client(HTTP_HOST=HOST)


@pytest.fixture
def signed_in(town: Town, admin) -> As:
    """Returns a browser in which an account is signed in; one with roles is opened for it where there is none."""
    from sewershed.ledger import actions
    from sewershed.ledger.models import Account

    def signed_in(name: str = "admin", *, roles: set[str] | None = None, **settings: object) -> Client:
        account = Account.objects.filter(name=name).first()
        if account is None:
            account = actions.open_account(name, as_account=admin, roles=roles or {name})
        client = Client(HTTP_HOST=HOST, **settings)
        client.force_login(account)
        return client

    return signed_in
