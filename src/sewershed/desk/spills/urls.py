"""The addresses of calls and spills."""

from __future__ import annotations

from django.urls import path

from sewershed.desk.spills import report_views, views

urlpatterns = [
    path("spills/", views.register, name="spills"),
    path("spills/call/", views.take_call, name="take_call"),
    path("spills/<str:thing>/", report_views.spill, name="spill"),
]
