"""The smallest host: the documented settings, and what Django itself requires."""

from pathlib import Path

SECRET_KEY = "only-for-this-test"
ALLOWED_HOSTS = ["127.0.0.1"]
INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth", "blog_engine"]
ROOT_URLCONF = "host.urls"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": Path(__file__).with_name("host.sqlite3")}}
MEDIA_ROOT = Path(__file__).with_name("media")
STATIC_URL = "static/"
USE_TZ = True
# One process serves it, so it can count requests in memory.
SILENCED_SYSTEM_CHECKS = ["blog_engine.W002"]

BLOG_ENGINE = {
    "site_name": "My Journal",
    "default_author": {"name": "Ada Example"},
    "publisher": {"name": "My Company"},
    "public_base_url": "https://example.com",
}
