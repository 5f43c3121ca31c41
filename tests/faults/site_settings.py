"""Settings of the example site whose workers die on request."""

import os

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE, DATABASES, MIDDLEWARE, STORAGES

DEBUG = False
MIDDLEWARE = ["tests.faults.crowd.die_where_told", *MIDDLEWARE]
STORAGES["default"] = {"BACKEND": "tests.faults.crowd.DyingStorage"}
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
DATABASES["default"]["CONN_MAX_AGE"] = int(os.environ.get("CONN_MAX_AGE", "0"))
DATABASES["default"]["CONN_HEALTH_CHECKS"] = bool(os.environ.get("CONN_HEALTH_CHECKS"))
BLOG_ENGINE |= {
    "api_rate_limit": "1000000/m",
    "search_rate_limit": "1000000/m",
    "popular_posts": {"enabled": True},
    "image_fetch_policy": "open",
}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
