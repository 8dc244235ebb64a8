"""Mail as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class MailConfig(AppConfig):
    """The morning digest."""

    name = "sewershed.desk.mail"
    label = "mail"

    def ready(self) -> None:
        """Has the worker ask for digests."""
        from sewershed.desk.jobs.worker import each_minute  # noqa: PLC0415  # models want the apps ready
        from sewershed.desk.mail.actions import ask_for_digests  # noqa: PLC0415  # as above

        each_minute(ask_for_digests)
