"""The addresses of things: plain, and the same for any type."""

from __future__ import annotations

from django.urls import path

from sewershed.desk.things import views

urlpatterns = [
    path("programs/", views.programs, name="programs"),
    path("things/<slug:type>/", views.register, name="register"),
    path("things/<slug:type>/new/", views.begin, name="begin"),
    path("thing/<str:thing>/", views.page, name="thing"),
    path("thing/<str:thing>/rows/", views.history, name="history"),
    path("thing/<str:thing>/export.<str:kind>", views.export, name="export"),
    path("thing/<str:thing>/file/", views.file, name="file"),
    path("thing/<str:thing>/facts/", views.set_facts, name="set_facts"),
    path("thing/<str:thing>/record/", views.choose, name="choose"),
    path("thing/<str:thing>/record/<slug:event>/", views.record, name="record"),
    path("row/<str:row>/", views.row, name="row"),
    path("row/<str:row>/correct/", views.correct, name="correct"),
    path("row/<str:row>/withdraw/", views.withdraw, name="withdraw"),
]
