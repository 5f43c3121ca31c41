"""A journal of essays: a serif with a real italic, a centred masthead, cards without boxes."""

from pathlib import Path

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE, STATICFILES_DIRS, TEMPLATES

_FOLDER = Path(__file__).resolve().parent
_NEWSREADER = {
    "family": "Newsreader",
    "files": [
        {"path": "editorial_serif/newsreader.woff2", "weight": "200 800"},
        {"path": "editorial_serif/newsreader-italic.woff2", "style": "italic"},
    ],
    "fallback": "serif",
}

STATICFILES_DIRS = [*STATICFILES_DIRS, _FOLDER / "static"]
TEMPLATES[0]["DIRS"].insert(0, _FOLDER / "templates")
BLOG_ENGINE |= {
    "site_name": "The Tidewater Review",
    "publisher": {"name": "Tidewater Press"},
    "blog_title": "Essays",
    "blog_tagline": "Long reading about coasts, craft and the people between.",
    "look": "editorial",
    "brand": {
        "fonts": {"heading": _NEWSREADER, "text": _NEWSREADER, "ui": {"family": "system-ui"}},
        "stylesheets": ["editorial_serif/brand.css"],
        "navigation": [
            {"label": "About", "url": "/about/responsible-party/"},
            {"label": "Archive", "url": "https://archive.example.com/"},
        ],
        "footer_links": [{"label": "Write for us", "url": "https://example.com/write"}],
        "social_links": ["https://bsky.app/profile/tidewater.example", "https://www.instagram.com/example"],
    },
    # The layout is the site's own, and shows everyone the same.
    "page_cache": {"enabled": True},
}
