"""A personal blog: one column, system fonts, posts as a list. No template is replaced."""

from pathlib import Path

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE, STATICFILES_DIRS

STATICFILES_DIRS = [*STATICFILES_DIRS, Path(__file__).resolve().parent / "static"]
BLOG_ENGINE |= {
    "site_name": "Noor Haddad",
    "publisher": {"name": "Noor Haddad"},
    "blog_title": "Writing",
    "blog_tagline": "Notes on compilers, bread and slow software.",
    "brand": {
        "accent": "#b3261e",
        "fonts": {
            "heading": {"family": "system-ui"},
            "text": {"family": "system-ui"},
        },
        "stylesheets": ["plain_list/brand.css"],
        "navigation": [{"label": "About", "url": "/about/responsible-party/"}],
        "social_links": ["https://mastodon.example/@noor", "https://github.com/example"],
        "cards": "list",
        "card_style": "plain",
        "sidebar": False,
    },
}
