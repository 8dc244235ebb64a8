"""Django's settings, made from the folder of the town that SEWERSHED_TOWN names.

Without a town there is no database: what needs one says so, and the checks of code run all the same.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from sewershed.ledger.town import Town, read_town

FOLDER = os.environ.get("SEWERSHED_TOWN", "")
TOWN: Town | None = read_town(Path(FOLDER)) if FOLDER else None

SECRET_KEY = TOWN.secret_key if TOWN else secrets.token_urlsafe(48)
DEBUG = False
DATABASES: dict[str, Any] = {"default": TOWN.database_settings()} if TOWN else {}
USE_TZ = True
TIME_ZONE = TOWN.time_zone if TOWN else "UTC"
USE_I18N = False
LANGUAGE_CODE = "en-us"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "sewershed.ledger",
]
AUTH_USER_MODEL = "ledger.Account"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
_RULES = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"{_RULES}.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": f"{_RULES}.UserAttributeSimilarityValidator", "OPTIONS": {"user_attributes": ["name"]}},
    {"NAME": f"{_RULES}.CommonPasswordValidator"},
]
