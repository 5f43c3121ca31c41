"""The site of ``site_settings`` with the admin: files with digests in their names, but not compressed."""

from tests.browser.site_settings import *  # noqa: F403
from tests.browser.site_settings import STORAGES

STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
