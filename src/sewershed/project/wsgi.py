"""What the web server runs: the desk of the town that SEWERSHED_TOWN names."""

from __future__ import annotations

import os
from contextlib import suppress

from django.core.wsgi import get_wsgi_application
from django.db import DatabaseError, connections

from sewershed.ledger import orphans
from sewershed.ledger.errors import LedgerError
from sewershed.rules.memory import pass_over
from sewershed.rules.problems import RulebookError

if "SEWERSHED_SERVED" in os.environ:  # by `sewershed serve`, not by a server of somebody's own
    orphans.end_with(os.getppid())
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sewershed.project.web")
application = get_wsgi_application()


def _read_the_books() -> None:
    """Reads the books before the first page is asked for, rather than in it; what is wrong with them that page says."""
    from sewershed.ledger import law  # its models want the apps ready

    with suppress(LedgerError, RulebookError, DatabaseError):
        law.in_force().library  # noqa: B018
    connections.close_all()
    pass_over()  # the books are a hundred thousand objects: walking them takes longer than making a page


if "SEWERSHED_TOWN" in os.environ:  # else there is no town whose books they could be
    _read_the_books()
