"""The addresses of Today and its neighbors."""

from __future__ import annotations

from django.urls import path

from sewershed.desk.today import views

urlpatterns = [
    path("", views.today, name="today"),
    path("why/<path:key>", views.why, name="why"),
    path("decisions/", views.decisions, name="decisions"),
    path("decisions/<str:doubt>/", views.doubt, name="doubt"),
    path("thing/<str:thing>/decide/<slug:fact>/", views.decide, name="decide"),
    path("thing/<str:thing>/may/", views.may_choose, name="may_choose"),
    path("thing/<str:thing>/may/<slug:event>/", views.may, name="may"),
    path("calendar/", views.month, name="calendar"),
    path("calendar/address/", views.feed_address, name="feed_address"),
    path("calendar/<str:token>.ics", views.feed, name="feed"),
    path("find/", views.find, name="find"),
]
