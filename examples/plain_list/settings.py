"""A personal blog: the look `plain` and nothing else. No template is replaced."""

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE

BLOG_ENGINE |= {
    "site_name": "Noor Haddad",
    "publisher": {"name": "Noor Haddad"},
    "blog_title": "Writing",
    "blog_tagline": "Notes on compilers, bread and slow software.",
    "look": "plain",
    "brand": {
        "navigation": [{"label": "About", "url": "/about/responsible-party/"}],
        "social_links": ["https://mastodon.example/@noor", "https://github.com/example"],
    },
}
