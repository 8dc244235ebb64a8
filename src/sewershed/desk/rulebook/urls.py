"""The addresses of the rulebook."""

from __future__ import annotations

from django.urls import path

from sewershed.desk.rulebook import views

urlpatterns = [
    path("rulebook/", views.contents, name="rulebook"),
    path("rulebook/entry/<str:entry>/", views.entry, name="rulebook_entry"),
]
