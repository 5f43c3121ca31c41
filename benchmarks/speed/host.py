"""The smallest site that includes the blog: what ``startproject`` writes, and the three lines of the README."""

from pathlib import Path
from typing import Final

_SETTINGS: Final = """
import os
from pathlib import Path

FOLDER = Path(__file__).parent
SECRET_KEY = "only-for-measurements-of-a-minimal-site-0123456789"
ALLOWED_HOSTS = ["*"]
HAS_BLOG = os.environ.get("WITHOUT_BLOG") is None
INSTALLED_APPS = [
    *("django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes"),
    *("django.contrib.sessions", "django.contrib.messages", "django.contrib.staticfiles"),
    *(["blog_engine"] if HAS_BLOG else []),
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "host_urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": FOLDER / "db.sqlite3"}}
if os.environ.get("HOST_DATABASE"):
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": os.environ["HOST_DATABASE"],
            "USER": "postgres",
            "HOST": "127.0.0.1",
        }
    }
CACHES = {"default": {"BACKEND": "django.core.cache.backends.filebased.FileBasedCache", "LOCATION": FOLDER / "cache"}}
USE_TZ = True
STATIC_URL = "static/"
MEDIA_ROOT = FOLDER / "media"
BLOG_ENGINE = {
    "site_name": "My Journal",
    "default_author": {"name": "Ada Example"},
    "publisher": {"name": "My Company"},
    "public_base_url": "https://journal.example",
    "api_rate_limit": "100000/m",
}
SILENCED_SYSTEM_CHECKS = ["blog_engine.W002"]
"""
_URLS: Final = """
from django.conf import settings
from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    *([path("blog/", include("blog_engine.urls"))] if settings.HAS_BLOG else []),
]
"""
_WSGI: Final = """
import os

from django.core.wsgi import get_wsgi_application

os.environ["DJANGO_SETTINGS_MODULE"] = "host_settings"
application = get_wsgi_application()
"""
_MANAGE: Final = """
import os
import sys

from django.core.management import execute_from_command_line

os.environ["DJANGO_SETTINGS_MODULE"] = "host_settings"
execute_from_command_line(sys.argv)
"""
_SHARING: Final = """
preload_app = True


def when_ready(server):
    import gc

    try:
        from blog_engine.public import preload
    except ImportError:  # an earlier version
        import host_urls
    else:
        preload()
    gc.freeze()
"""


def write_host(folder: Path) -> Path:
    """Write the site into a folder, and return its ``manage.py``."""
    for name, text in {
        "host_settings.py": _SETTINGS,
        "host_urls.py": _URLS,
        "host_wsgi.py": _WSGI,
        "manage.py": _MANAGE,
        "sharing.py": _SHARING,
    }.items():
        (folder / name).write_text(text.lstrip(), "utf-8")
    return folder / "manage.py"
