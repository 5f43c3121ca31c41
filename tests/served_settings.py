"""The example site as tests serve it, with limits that no test reaches.

``CHECKED`` holds each answer of the API against the OpenAPI document. With ``DIES`` workers kill themselves on request,
and files are not collected.
"""

import os

from blog_engine.oauth.provider import PROVIDER
from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE, DATABASES, INSTALLED_APPS, MIDDLEWARE, STORAGES

DEBUG = False
BLOG_ENGINE |= {"api_rate_limit": "1000000/m", "search_rate_limit": "1000000/m"}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
if "OAUTH" in os.environ:
    INSTALLED_APPS = [*INSTALLED_APPS, "oauth2_provider"]
    # In place of the network, which the site must not reach in a test.
    OAUTH2_PROVIDER = PROVIDER | {"CIMD_METADATA_FETCHER": "tests.oauth.canned.CannedFetcher"}
    SILENCED_SYSTEM_CHECKS = ["blog_engine.E016"]
    BLOG_ENGINE |= {"oauth": True}
if "CHECKED" in os.environ:
    MIDDLEWARE = [*MIDDLEWARE, "tests.support.clients.answers_are_documented"]
if "DIES" in os.environ:
    MIDDLEWARE = ["tests.faults.crowd.die_where_told", *MIDDLEWARE]
    STORAGES["default"] = {"BACKEND": "tests.faults.crowd.DyingStorage"}
    STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    DATABASES["default"]["CONN_MAX_AGE"] = int(os.environ.get("CONN_MAX_AGE", "0"))
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = bool(os.environ.get("CONN_HEALTH_CHECKS"))
    BLOG_ENGINE |= {"popular_posts": {"enabled": True}, "image_fetch_policy": "open"}
