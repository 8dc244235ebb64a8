"""Today as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class TodayConfig(AppConfig):
    """Today, Why, May I?, decisions, calendar."""

    name = "sewershed.desk.today"
    label = "today"
