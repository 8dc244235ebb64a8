"""Calls and spills as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class SpillsConfig(AppConfig):
    """The journey of a spill, from the call to the filed report."""

    name = "sewershed.desk.spills"
    label = "spills"
