"""The blog of a product: logo, fonts, links of the site, and a button."""

from pathlib import Path

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE, STATICFILES_DIRS, TEMPLATES

_FOLDER = Path(__file__).resolve().parent
_FIGTREE = {
    "family": "Figtree",
    "files": [{"path": "product_blog/figtree.woff2", "weight": "300 900"}],
    "fallback": "sans-serif",
}

STATICFILES_DIRS = [*STATICFILES_DIRS, _FOLDER / "static"]
TEMPLATES[0]["DIRS"].insert(0, _FOLDER / "templates")
BLOG_ENGINE |= {
    "site_name": "Loomwork",
    "publisher": {"name": "Loomwork GmbH"},
    "blog_tagline": "How we build the planner for small workshops.",
    "look": "product",
    "brand": {
        "logo_url": "/static/product_blog/logo.svg",
        "logo_dark_url": "/static/product_blog/logo-dark.svg",
        "icon_url": "/static/product_blog/logo.svg",
        "fonts": {"heading": _FIGTREE, "text": _FIGTREE},
        "stylesheets": ["product_blog/brand.css"],
        "navigation": [
            {"label": "Product", "url": "/"},
            {"label": "Pricing", "url": "/about/responsible-party/"},
            {"label": "Customers", "url": "/about/responsible-party/"},
            {"label": "Docs", "url": "https://docs.example.com/"},
            {"label": "Status", "url": "https://status.example.com/"},
            {"label": "Careers", "url": "https://careers.example.com/"},
        ],
        "footer_links": [
            {"label": "Terms", "url": "https://example.com/terms"},
            {"label": "Privacy", "url": "https://example.com/privacy"},
            {"label": "Imprint", "url": "/about/responsible-party/"},
        ],
        "social_links": [
            "https://github.com/example",
            "https://mastodon.example/@loomwork",
            "https://bsky.app/profile/loomwork.example",
            "https://www.linkedin.com/company/example",
            "https://www.youtube.com/@example",
        ],
    },
    "call_to_action": {
        "title": "Plan your next week in ten minutes",
        "text": "Free for workshops of up to three people.",
        "label": "Try Loomwork",
        "url": "/about/responsible-party/",
    },
    # The layout is the site's own, and shows everyone the same.
    "page_cache": {"enabled": True},
}
