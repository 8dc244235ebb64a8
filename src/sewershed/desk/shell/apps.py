"""The shell as a Django app: templates, static files, signing in."""

from __future__ import annotations

from django.apps import AppConfig


class ShellConfig(AppConfig):
    """What every page stands in."""

    name = "sewershed.desk.shell"
    label = "shell"
