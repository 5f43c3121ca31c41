"""The example site in production, with everything switched on that readers can see.

``BLOG_SITE`` is ``desk`` for the site with the admin, or ``hostile`` for one that only escaping protects, whose
settings hold payloads. ``BLOG_LOCALE`` is the language of the pages and of the desk.
"""

import os

from example_site.settings import *  # noqa: F403
from example_site.settings import BASE_DIR, BLOG_ENGINE, LANGUAGE_CODE, MIDDLEWARE, STATICFILES_DIRS, STORAGES
from tests.browser.payloads import PAYLOADS

_SITE = os.environ.get("BLOG_SITE")

STATIC_ROOT = os.environ["STATIC_ROOT"]
# Those of all examples, which serve the same contents.
STATICFILES_DIRS = [*STATICFILES_DIRS, *sorted(BASE_DIR.parent.glob("examples/*/static"))]
BLOG_ENGINE.update(
    {
        "blog_title": "Notes",
        "blog_tagline": "What we grew, mended and measured, week by week, with the mistakes left in.",
        "call_to_action": {
            "title": "Write to us",
            "text": "We answer every letter, and we correct what was wrong.",
            "label": "Send a letter",
            "url": "/about/responsible-party/",
        },
        "embeds": ["youtube"],
        "policy_urls": {},
        "popular_posts": {"enabled": True},
        "public_history": "full",
        "search_rate_limit": "1000000/m",
    }
)
if "BLOG_LOCALE" in os.environ:
    BLOG_ENGINE["locale"] = os.environ["BLOG_LOCALE"]
    LANGUAGE_CODE = os.environ["BLOG_LOCALE"].lower() if _SITE == "desk" else LANGUAGE_CODE
if _SITE == "desk":
    # Files with digests in their names, but not compressed.
    STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
if _SITE == "hostile":
    _UNKIND = {
        "example_site.middleware.content_security_policy",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    }
    _SOME = " ".join(payload for payload in PAYLOADS if payload.startswith(('"', "'", "</")))
    MIDDLEWARE = [name for name in MIDDLEWARE if name not in _UNKIND]
    BLOG_ENGINE.update(
        {
            "site_name": _SOME,
            "title_suffix": " — Journal",
            "blog_title": _SOME,
            "blog_tagline": "\n".join(PAYLOADS),
            "publisher": {"name": _SOME},
            "call_to_action": {"title": _SOME, "text": "\n".join(PAYLOADS), "label": _SOME, "url": "/about/"},
            "posts_per_page": 12,
        }
    )
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
