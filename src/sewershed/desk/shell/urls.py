"""The addresses of the shell: signing in, one's own account, who may do what, and the components."""

from __future__ import annotations

from allauth.account import views as signing_in
from django.urls import include, path

from sewershed.desk.shell import views

urlpatterns = [
    path("", views.start, name="start"),
    path("sign-in/", signing_in.login, name="account_login"),
    path("sign-in/first/<str:name>/<str:token>/", views.first_sign_in, name="first_sign_in"),
    path("sign-out/", signing_in.logout, name="account_logout"),
    path("account/", views.account, name="account"),
    path("account/closed/", signing_in.account_inactive, name="account_inactive"),
    path("account/confirm/", signing_in.reauthenticate, name="account_reauthenticate"),
    path("account/password/", signing_in.password_change, name="account_change_password"),
    path("account/password/set/", signing_in.password_set, name="account_set_password"),
    path("account/second-factor/", include("allauth.mfa.urls")),
    path("account/devices/", include("allauth.usersessions.urls")),
    path("account/views/", views.kept_views, name="kept_views"),
    path("account/views/keep/", views.keep_view, name="keep_view"),
    path("account/views/<int:key>/give-up/", views.forget_view, name="forget_view"),
    path("-/rights/", views.rights_table, name="rights"),
    path("-/components", views.components, name="components"),
    path("-/components/<slug:name>", views.component, name="component"),
]
