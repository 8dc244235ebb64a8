"""The addresses of a spill from its estimate to the filed report. A record that has a page of its own answers as `record_<event>`."""

from __future__ import annotations

from django.urls import path

from sewershed.desk.spills import report_views as views

_PAPERS = {"spill_form_sent": "spill_report", "press_release": "press_release", "public_notice": "public_notice"}
urlpatterns = [
    path("spills/<str:thing>/volume/", views.volumes, name="record_volume_estimated"),
    path("spills/<str:thing>/volume/<slug:method>/", views.volume_by, name="volume_by"),
    path("spills/<str:thing>/assess/", views.assess, name="record_spill_assessed"),
    path("spills/<str:thing>/assess/", views.assess, name="record_volume_chosen"),
    path("spills/<str:thing>/assess/", views.assess, name="record_volume_recovered"),
    path("spills/<str:thing>/telling/", views.tellings, name="telling"),
    path("spills/<str:thing>/telling/state/", views.tell_state, name="record_state_told"),
    path("spills/<str:thing>/telling/callers/", views.follow_up, name="record_caller_followed_up"),
    path("spills/<str:thing>/answers/", views.answers, name="record_form_answered"),
    path("spills/<str:thing>/join/", views.join, name="join_spill"),
    path("spills/<str:thing>/join/<str:batch>/undo/", views.undo_joining, name="undo_joining"),
    *(
        path(f"spills/<str:thing>/telling/{event}/", views.paper_of, {"kind": kind}, name=f"record_{event}")
        for event, kind in _PAPERS.items()
    ),
]
