"""The town's own pages as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class TownConfig(AppConfig):
    """Settings, log, doctor, backups, the law that runs, the spill response plan."""

    name = "sewershed.desk.town"
    label = "town"
