"""The addresses of the rulebook."""

from __future__ import annotations

from django.urls import path

from sewershed.desk.rulebook import views

urlpatterns = [
    path("rulebook/", views.contents, name="rulebook"),
    path("rulebook/runs/", views.ordinance, name="ordinance"),
    path("rulebook/runs/how-it-runs.pdf", views.ordinance_file, name="ordinance_file"),
    path("rulebook/clause/<path:clause>/", views.clause, name="rulebook_clause"),
    path("rulebook/entry/<str:entry>/", views.entry, name="rulebook_entry"),
    path("rulebook/entry/<str:entry>/case/<path:case>/", views.case, name="rulebook_case"),
    path("rulebook/entry/<str:entry>/what-if/", views.what_if, name="what_if"),
]
