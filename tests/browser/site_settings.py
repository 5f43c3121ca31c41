"""The example site in production, with everything switched on that readers can see."""

import os

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE

STATIC_ROOT = os.environ["STATIC_ROOT"]
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
        "search_rate_limit": "1000000/m",
    }
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
