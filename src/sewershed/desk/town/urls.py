"""The addresses of the town's own pages."""

from __future__ import annotations

from django.urls import path

from sewershed.desk.town import views

urlpatterns = [
    path("town/", views.town, name="town"),
    path("town/people/", views.people, name="town_people"),
    path("town/people/offices/", views.office_held, name="office_held"),
    path("town/people/offices/<str:row>/end/", views.office_ended, name="office_ended"),
    path("town/closed/", views.closed, name="town_closed"),
    path("town/accounts/", views.accounts, name="accounts"),
    path("town/accounts/new/", views.invite, name="invite"),
    path("town/accounts/<str:name>/", views.account, name="account_of"),
    path("town/law/", views.law_in_force, name="town_law"),
    path("town/law/newer/", views.newer_law, name="newer_law"),
    path("town/doctor/", views.doctor, name="doctor"),
    path("town/backups/", views.backups, name="backups"),
    path("town/backups/restore/", views.restore, name="restore"),
    path("town/backups/<str:name>", views.backup_file, name="backup_file"),
    path("town/plan/", views.response_plan, name="response_plan"),
    path("town/plan/instructed/", views.plan_instruct, name="plan_instruct"),
    path("log/", views.log, name="log"),
    path("log/verify/", views.verify, name="verify"),
]
