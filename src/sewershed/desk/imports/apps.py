"""The import plan as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class ImportsConfig(AppConfig):
    """Bringing in the lists that a town keeps."""

    name = "sewershed.desk.imports"
    label = "imports"
