"""What the web server runs: the desk of the town that SEWERSHED_TOWN names."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

from sewershed.ledger import orphans

if "SEWERSHED_SERVED" in os.environ:  # by `sewershed serve`, not by a server of somebody's own
    orphans.end_with(os.getppid())
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sewershed.project.web")
application = get_wsgi_application()
