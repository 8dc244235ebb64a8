"""The addresses of bringing in a list."""

from __future__ import annotations

from django.urls import path

from sewershed.desk.imports import views

urlpatterns = [
    path("imports/", views.imports, name="imports"),
    path("imports/<str:arrival>/what/", views.what, name="import_what"),
    path("imports/<str:arrival>/columns/", views.columns, name="import_columns"),
    path("imports/<str:arrival>/questions/", views.questions, name="import_questions"),
    path("imports/<str:arrival>/plan/", views.plan, name="import_plan"),
    path("imports/<str:arrival>/forget/", views.forget, name="import_forget"),
    path("imported/<str:batch>/", views.imported, name="imported"),
    path("imported/<str:batch>/undo/", views.undo, name="import_undo"),
    path("imported/<str:batch>/again/", views.again, name="import_again"),
    path("imported/<str:batch>/file", views.file, name="imported_file"),
    path("imported/<str:batch>/not-read.csv", views.not_read, name="imported_not_read"),
]
