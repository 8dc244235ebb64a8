"""Papers as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    """Drafts, issued papers, proof of service."""

    name = "sewershed.desk.documents"
    label = "documents"
