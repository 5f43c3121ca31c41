"""The settings of the example site, changed for speed, separate databases and quiet logs."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from blog_engine.oauth.provider import PROVIDER
from example_site.settings import *  # noqa: F403
from example_site.settings import BASE_DIR, BLOG_ENGINE, CACHES, DATABASES, INSTALLED_APPS, MIDDLEWARE, STORAGES

_SCRATCH = Path(tempfile.mkdtemp(prefix="blog_engine_tests_"))
atexit.register(shutil.rmtree, _SCRATCH, ignore_errors=True)

DEBUG = False
SECRET_KEY = "only-for-tests"
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost", "example.com"]
MIDDLEWARE = [*MIDDLEWARE, "tests.support.clients.answers_are_documented"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
MEDIA_ROOT = _SCRATCH / "media"

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, because threads that share a database in memory do not wait for each other's locks.
    DATABASES["default"]["TEST"] = {"NAME": str(_SCRATCH / "test.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
elif "PREPARED_STATEMENTS" in os.environ:
    # As docs/how-to/one-server.md recommends.
    DATABASES["default"]["OPTIONS"] = {"server_side_binding": True, "prepare_threshold": 2}

# Picked with RATELIMIT_USE_CACHE: another CACHES in a test would drop the open sockets of the one before it.
_IN_MEMORY = "django.core.cache.backends.locmem.LocMemCache"
CACHES["memory"] = {"BACKEND": _IN_MEMORY, "LOCATION": "memory"}
CACHES["uncounting"] = {"BACKEND": "tests.support.hosts.UncountingCache", "LOCATION": "uncounting"}
CACHES["patient"] = {**CACHES["default"], "BACKEND": "tests.support.hosts.PatientRedisCache"}
CACHES["dead"] = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}

STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
STATICFILES_DIRS = [BASE_DIR / "static"]
# From the root, because Django caches the URL of the first request of a process.
STATIC_URL = "/static/"
WHITENOISE_AUTOREFRESH = True

INSTALLED_APPS = [*INSTALLED_APPS, "oauth2_provider"]
OAUTH2_PROVIDER = PROVIDER
BLOG_ENGINE["public_base_url"] = "https://example.com"
# Tests read what they counted; those of the buffer set it themselves.
BLOG_ENGINE["view_counting"] = "immediate"
