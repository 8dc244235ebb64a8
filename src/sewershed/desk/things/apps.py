"""The things as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class ThingsConfig(AppConfig):
    """Register, page and forms of any thing."""

    name = "sewershed.desk.things"
    label = "things"
