"""The addresses of calls and spills, from the call to the finding. A record that has a page of its own answers as `record_<event>`."""

from __future__ import annotations

from django.urls import path

from sewershed.desk.spills import report_views, views
from sewershed.desk.spills.queries import INDOORS, STEPS

_ON_SITE = [event for _, events in (INDOORS, *STEPS) for event in events]

urlpatterns = [
    path("spills/", views.register, name="spills"),
    path("spills/call/", views.take_call, name="take_call"),
    path("spills/call/beside/", views.beside_call, name="beside_call"),
    path("spills/call/places/", views.suggest, name="suggest_places"),
    path("spills/map/", views.drawn, name="spill_map"),
    path("spills/map/<str:name>", views.layer, name="spill_map_layer"),
    path("spills/<str:thing>/", report_views.spill, name="spill"),
    path("spills/<str:thing>/dispatch/", views.dispatch, name="dispatch"),
    path("spills/<str:thing>/dispatch/confirm/", views.confirm, name="dispatch_confirm"),
    path("spills/<str:thing>/on-site/", views.on_site, name="on_site"),
    path("spills/<str:thing>/on-site/found/", views.found, name="found"),
    path("spills/<str:thing>/on-site/<slug:event>/", views.site_step, name="site_step"),
    path("spills/<str:thing>/dispatch/", views.dispatch, name="record_dispatched"),
    path("spills/<str:thing>/dispatch/", views.dispatch, name="record_dispatch_confirmed"),
    path("spills/<str:thing>/on-site/", views.on_site, name="record_crew_arrived"),
    path("spills/<str:thing>/on-site/found/", views.found, name="record_spill_confirmed"),
    *(
        path(f"spills/<str:thing>/on-site/{event}/", views.site_step, {"event": event}, name=f"record_{event}")
        for event in _ON_SITE
    ),
]
