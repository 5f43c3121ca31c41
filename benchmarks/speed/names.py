"""The names of the measured requests, without what measures them."""

from typing import Final

NOT_MODIFIED: Final = " 304"
"""Ends the name of a request by a client that has the page."""
KEPT: Final = ("article", "index", "deep index", "category", "feed", "JSON feed", "Markdown", "sitemap")
"""What the page cache may keep."""
PAGES: Final = tuple(name for kept in KEPT for name in (kept, kept + NOT_MODIFIED))
OTHERS: Final = (
    *("search", "404", "API list", "API post", "tools/list", "blog_get_post", "desk list", "desk form", "desk preview"),
)
WRITES: Final = ("publish", "publish with images", "update", "blog_update_post", "desk autosave", "upload")
ALL: Final = (*PAGES, *OTHERS, *WRITES)
SHORT: Final = ("article", "index", "feed", "API list")
PERSON: Final = "speed"
"""The user name of the person at the desk."""
SERVED: Final = ("article", "article 304", "index", "index 304", "feed")
"""What gunicorn serves for throughput."""
