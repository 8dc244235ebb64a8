"""The addresses of papers."""

from __future__ import annotations

from django.urls import path

from sewershed.desk.documents import views

urlpatterns = [
    path("documents/", views.register, name="documents"),
    path("documents/write/", views.write, name="write"),
    path("documents/<slug:kind>/of/<str:thing>/", views.paper_for, name="paper_for"),
    path("documents/<slug:kind>/draft/<str:thing>/", views.draft, name="draft"),
    path("documents/<slug:kind>/draft/<str:thing>/paper.pdf", views.draft_file, name="draft_file"),
    path("documents/<str:document>/", views.paper, name="document"),
    path("documents/<str:document>/paper.pdf", views.paper_file, name="document_file"),
    path("documents/<str:document>/sent/", views.sent, name="record_document_served"),
    path("documents/<str:document>/withdraw/", views.withdraw, name="record_document_withdrawn"),
]
