"""The addresses of jobs."""

from __future__ import annotations

from django.urls import path

from sewershed.desk.jobs import views

urlpatterns = [
    path("jobs/", views.jobs, name="jobs"),
    path("jobs/day/", views.list_of_day, name="list_of_day"),
    path("jobs/<uuid:id>/", views.job, name="job"),
    path("jobs/<uuid:id>/stop/", views.stop, name="stop_job"),
]
