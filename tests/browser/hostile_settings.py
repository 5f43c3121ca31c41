"""The site without a Content-Security-Policy, so that only escaping protects it, and with hostile settings."""

from tests.browser.payloads import PAYLOADS
from tests.browser.site_settings import *  # noqa: F403
from tests.browser.site_settings import BLOG_ENGINE, MIDDLEWARE

_UNKIND = {"example_site.middleware.content_security_policy", "django.middleware.clickjacking.XFrameOptionsMiddleware"}
_ALL = "\n".join(PAYLOADS)
_SOME = " ".join(payload for payload in PAYLOADS if payload.startswith(('"', "'", "</")))

MIDDLEWARE = [name for name in MIDDLEWARE if name not in _UNKIND]
BLOG_ENGINE.update(
    {
        "site_name": _SOME,
        "title_suffix": " — Journal",
        "blog_title": _SOME,
        "blog_tagline": _ALL,
        "publisher": {"name": _SOME},
        "call_to_action": {"title": _SOME, "text": _ALL, "label": _SOME, "url": "/about/"},
        "posts_per_page": 12,
    }
)
