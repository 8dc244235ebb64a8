"""Jobs as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Jobs, the worker, lists of another day."""

    name = "sewershed.desk.jobs"
    label = "jobs"
