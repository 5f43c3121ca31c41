"""Settings of the example site, as a base for ``from example_site.settings import *``."""

import os
from pathlib import Path
from typing import Any

import dj_database_url

from example_site.environment import read_cache, read_list, read_secret_key, read_switch

BASE_DIR = Path(__file__).resolve().parent
VAR_DIR = BASE_DIR / "var"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or VAR_DIR / "static")
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
MEDIA_ROOT = Path(os.environ.get("MEDIA_ROOT") or VAR_DIR / "media")

DEBUG = read_switch("DEBUG", default=True)
SECRET_KEY = read_secret_key("SECRET_KEY", kept_in=VAR_DIR / "secret-key")
ALLOWED_HOSTS = read_list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
PUBLIC_BASE_URL = os.environ.get("PUBLIC_BASE_URL") or None

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "blog_engine",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "example_site.middleware.content_security_policy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "example_site.urls"
WSGI_APPLICATION = "example_site.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES: dict[str, Any] = {
    "default": dj_database_url.config(default=f"sqlite:///{VAR_DIR / 'db.sqlite3'}"),
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # On SQLite, a transaction that reads before it writes cannot wait for a lock: it would fail at once.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 5,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }

CACHES: dict[str, Any] = {"default": read_cache("CACHE_URL")}

STORAGES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage",
    },
}
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_URL = "media/"

# A line for each write, besides the log of Django.
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {"blog_engine": {"handlers": ["console"], "level": "INFO"}},
}

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

BLOG_ENGINE: dict[str, Any] = {
    "site_name": "The Example Journal",
    "default_author": {"name": "Ada Example"},
    "publisher": {"name": "Example Press"},
    "public_base_url": PUBLIC_BASE_URL,
    "policy_urls": {"responsible_party": "/about/responsible-party/"},
    "primary_list_type": "categories",
    "sign_in_destinations": ["/admin/"],
}
if not DEBUG:
    # The example has no web server in front that would serve MEDIA_URL.
    BLOG_ENGINE["image_delivery"] = "proxy"
