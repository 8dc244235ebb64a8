"""The addresses of the desk."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("sewershed.desk.today.urls")),
    path("", include("sewershed.desk.things.urls")),
    path("", include("sewershed.desk.api.urls")),
    path("", include("sewershed.desk.jobs.urls")),
    path("", include("sewershed.desk.mail.urls")),
    path("", include("sewershed.desk.spills.urls")),
    path("", include("sewershed.desk.spills.report_urls")),
    path("", include("sewershed.desk.documents.urls")),
    path("", include("sewershed.desk.town.urls")),
    path("", include("sewershed.desk.rulebook.urls")),
    path("", include("sewershed.desk.imports.urls")),
    path("", include("sewershed.desk.shell.urls")),
]

handler400 = "sewershed.desk.shell.views.bad_request"
handler403 = "sewershed.desk.shell.views.not_allowed"
handler404 = "sewershed.desk.shell.views.not_found"
handler500 = "sewershed.desk.shell.views.broken"
