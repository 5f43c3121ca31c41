"""Settings of the measured site: the example site as in production, with the eight usual middleware."""

import os
from pathlib import Path

from benchmarks.speed.variants import PAGE_CACHE, page_cache_setting
from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE, CACHES, DATABASES, MIDDLEWARE, STORAGES

_FOLDER = Path(os.environ["SPEED_FOLDER"])

DEBUG = False
SECRET_KEY = "only-for-benchmarks"  # noqa: S105
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "benchmarks.speed.urls"
MIDDLEWARE = [name for name in MIDDLEWARE if not name.startswith("example_site.")]

MEDIA_ROOT = _FOLDER / "media"
STATIC_ROOT = _FOLDER / "static"
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}

DATABASES["default"] |= {"CONN_MAX_AGE": None}
if DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    # Parallel workers would be processes of their own, whose time is not that of the connection.
    one_process = {"application_name": os.environ["SPEED_NAME"], "options": "-c max_parallel_workers_per_gather=0"}
    DATABASES["default"].setdefault("OPTIONS", {}).update(one_process)
    if os.environ.get("SPEED_PREPARED"):
        DATABASES["default"]["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": 2}
CACHES["default"]["KEY_PREFIX"] = os.environ["SPEED_NAME"]

BLOG_ENGINE |= {"api_rate_limit": "100000000/m", "search_rate_limit": "100000000/m", "feed_content": "full"}
BLOG_ENGINE |= page_cache_setting(os.environ.get(PAGE_CACHE, ""))

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "ERROR"},
    # A line for each 404 and each write.
    "loggers": {"django.request": {"level": "CRITICAL"}, "blog_engine": {"level": "ERROR"}},
}
