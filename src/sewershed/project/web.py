"""The settings of the web server and of the desk's tests: those of the record, with what a browser needs on top.

The command runs on `settings` alone, so that it starts at once. SEWERSHED_ADDRESS says under which address people reach
the desk; whether it begins with https decides what may go over the wire.
"""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from sewershed.project.settings import *  # noqa: F403  # a settings module is the names in it
from sewershed.project.settings import INSTALLED_APPS as RECORD_APPS

ADDRESS = urlsplit(os.environ.get("SEWERSHED_ADDRESS", "http://127.0.0.1:8000"))
IS_HTTPS = ADDRESS.scheme == "https"
LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"]

INSTALLED_APPS = [
    "sewershed.desk.shell",  # first: its templates come before those of allauth
    "sewershed.desk.today",
    "sewershed.desk.things",
    "sewershed.desk.api",
    "sewershed.desk.jobs",
    "sewershed.desk.mail",
    "sewershed.desk.spills",
    "sewershed.desk.documents",
    "sewershed.desk.town",
    "sewershed.desk.rulebook",
    "sewershed.desk.imports",
    *RECORD_APPS,
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_cotton.apps.SimpleAppConfig",
    "django_htmx",
    "django_tables2",
    "django_tasks_db",
]
MIDDLEWARE = [
    "sewershed.desk.shell.middleware.made_in_one_go",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",  # a view that nobody need sign in for says so
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "sewershed.desk.shell.middleware.readable",
    "sewershed.desk.shell.middleware.refused_in_words",
    "sewershed.desk.shell.middleware.read_by_account",
    "sewershed.desk.shell.middleware.looking_elsewhere",
    "sewershed.desk.shell.middleware.kept_private",
]
ROOT_URLCONF = "sewershed.project.urls"
WSGI_APPLICATION = "sewershed.project.wsgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["django_cotton.cotton_loader.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
            "builtins": ["django_cotton.templatetags.cotton", "sewershed.desk.shell.templatetags.desk"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "sewershed.desk.shell.context.desk",
            ],
        },
    }
]
DJANGO_TABLES2_TEMPLATE = "shell/table.html"

# Files of ours and of others, served from where they lie. What lies in a folder named by version never changes.
STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/vendor/[^/]+-[0-9.]+/"

# Signing in. Accounts are made by an administrator and have no mail address.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "sewershed.desk.shell.signing_in.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = "name"
ACCOUNT_USER_MODEL_EMAIL_FIELD = None
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_FORMS = {"login": "sewershed.desk.shell.forms.SignIn"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
ACCOUNT_RATE_LIMITS = {"login": "30/m/ip", "login_failed": "10/m/ip,5/5m/key", "change_password": "5/m/user"}
MFA_ADAPTER = "sewershed.desk.shell.signing_in.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not IS_HTTPS and ADDRESS.hostname == "localhost"
PASSWORD_RESET_TIMEOUT = int(timedelta(days=3).total_seconds())  # so long a one-time link can be used
SESSION_COOKIE_AGE = int(
    timedelta(days=14).total_seconds()
)  # where somebody asks to be remembered; else until the browser closes
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# Long work: in the town's own database, done by the worker of `sewershed serve`.
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

# What a browser is told it may do, and what goes over the wire.
ALLOWED_HOSTS = [ADDRESS.hostname or "", *LOOPBACK_NAMES]
CSRF_TRUSTED_ORIGINS = [f"{ADDRESS.scheme}://{ADDRESS.netloc}"]
CSRF_COOKIE_HTTPONLY = SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_SAMESITE = SESSION_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "sewershed.desk.shell.views.form_too_old"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if IS_HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_HTTPS else None
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if IS_HTTPS else 0  # https is the work of a proxy before us, which names the client
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": [
            "'self'",
            "data:",
            "blob:",
        ],  # the picture for an authenticator, and of a photograph before it is sent
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 2**20  # of a form; files are counted apart

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "loggers": {"django.request": {"handlers": ["console"], "level": "ERROR", "propagate": False}},
}
