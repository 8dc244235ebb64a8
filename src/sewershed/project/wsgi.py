"""What the web server runs: the desk of the town that SEWERSHED_TOWN names."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sewershed.project.web")
application = get_wsgi_application()
