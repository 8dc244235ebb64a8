"""The addresses of mail."""

from __future__ import annotations

from django.urls import path

from sewershed.desk.mail import views

urlpatterns = [
    path("account/digest/", views.digest, name="digest"),
    path("account/digest/<int:mailing>/again/", views.again, name="digest_again"),
]
