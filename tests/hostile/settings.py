"""The settings of the tests with those of an unfriendly host."""

from tests.settings import *  # noqa: F403
from tests.settings import DATABASES, MIDDLEWARE

_POLICIES = "tests.hostile.policies"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [f"{_POLICIES}.RefuseEverything"],
    "DEFAULT_PERMISSION_CLASSES": [f"{_POLICIES}.RefuseEverything"],
    "DEFAULT_THROTTLE_CLASSES": [f"{_POLICIES}.RefuseEverything"],
    "DEFAULT_PARSER_CLASSES": [f"{_POLICIES}.RefuseEverything"],
    "DEFAULT_RENDERER_CLASSES": [f"{_POLICIES}.PigLatin", "rest_framework.renderers.BrowsableAPIRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": f"{_POLICIES}.OnlyPigLatin",
    "DEFAULT_METADATA_CLASS": f"{_POLICIES}.RefuseEverything",
    "DEFAULT_VERSIONING_CLASS": f"{_POLICIES}.RefuseEverything",
    "DEFAULT_SCHEMA_CLASS": "rest_framework.schemas.coreapi.AutoSchema",
    "EXCEPTION_HANDLER": f"{_POLICIES}.teapot",
    "UNAUTHENTICATED_USER": f"{_POLICIES}.Nobody",
    "URL_FORMAT_OVERRIDE": "text",
    "FORMAT_SUFFIX_KWARG": "id",
    "COMPACT_JSON": False,
    "UNICODE_JSON": False,
}

for _database in DATABASES.values():
    _database["ATOMIC_REQUESTS"] = True

MIDDLEWARE = [
    "django.middleware.cache.UpdateCacheMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    *MIDDLEWARE,
    "django.middleware.locale.LocaleMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    f"{_POLICIES}.read_everything",
    "django.middleware.cache.FetchFromCacheMiddleware",
]
CACHE_MIDDLEWARE_ALIAS = "memory"
APPEND_SLASH = True
CACHE_MIDDLEWARE_SECONDS = 600
# The fields of a form fit, because the middleware above has Django read them; a body of an article may not.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2000
LANGUAGE_CODE = "de"
SESSION_SAVE_EVERY_REQUEST = True
USE_THOUSAND_SEPARATOR = True
TIME_ZONE = "Asia/Kathmandu"
