"""The API as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The API, its tokens and its documentation."""

    name = "sewershed.desk.api"
    label = "api"
