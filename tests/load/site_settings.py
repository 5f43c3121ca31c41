"""Settings of the site under load: the example site as in docs/how-to/several-hosts.md, with its own limits."""

import os

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE, CACHES, DATABASES, MIDDLEWARE, STORAGES

DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1"]
MIDDLEWARE = [MIDDLEWARE[0], "blog_engine.middleware.RedirectMiddleware", *MIDDLEWARE[1:]]
STATIC_ROOT = os.environ["STATIC_ROOT"]

DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
CACHES["default"]["KEY_PREFIX"] = os.environ["KEY_PREFIX"]

STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
if "OBJECT_STORE" in os.environ:
    STORAGES["images"] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": "journal",
            "location": "media",
            "endpoint_url": os.environ["OBJECT_STORE"],
            "access_key": "key",
            "secret_key": "secret",
            "region_name": "us-east-1",
            "querystring_expire": 600,
        },
    }
    BLOG_ENGINE |= {"storage": "images", "image_delivery": "redirect"}

BLOG_ENGINE |= {
    "default_author": {"name": "Mina Holt"},
    "publisher": {"name": "The Harbour Press"},
    "site_name": "The Harbour Journal",
    "api_rate_limit": os.environ.get("CALLS", "1000000/m"),
    "search_rate_limit": os.environ.get("SEARCHES", "1000000/m"),
    # The pictures are on this machine.
    "image_fetch_policy": "open",
    "trusted_proxies": 1,
}

if "MAX_STALE" in os.environ:
    BLOG_ENGINE["page_cache"] = {"max_stale": int(os.environ["MAX_STALE"])}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
