"""The rulebook's pages as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class RulebookConfig(AppConfig):
    """Contents, entries, search."""

    name = "sewershed.desk.rulebook"
    label = "rulebook"
