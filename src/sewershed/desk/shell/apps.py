"""The shell as a Django app: templates, static files, signing in."""

from __future__ import annotations

from django import forms
from django.apps import AppConfig
from django.core import validators


class ShellConfig(AppConfig):
    """What every page stands in."""

    name = "sewershed.desk.shell"
    label = "shell"

    def ready(self) -> None:
        """Says in our words that an answer is needed, or how much it may be, in every form of the desk."""
        validators.MinValueValidator.message = "Write %(limit_value)s or more."
        validators.MaxValueValidator.message = "Write %(limit_value)s or less."
        forms.Field.default_error_messages = {
            **forms.Field.default_error_messages,
            "required": "This answer is needed.",
        }
