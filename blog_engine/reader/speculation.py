"""Speculation Rules: the links that browsers may load before a reader opens them."""

import re
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from blog_engine.blog_urls import BlogURLs
from blog_engine.content.text import compact_json
from blog_engine.reader.view import ReaderView, allows_prefetch

_CONTENT_TYPE: Final = "application/speculationrules+json"
_FOR_A_DAY: Final = "max-age=86400, private"
_PARTS: Final = (
    *("card", "result", "row", "rows", "year", "months", "directory", "browse", "pagination"),
    *("breadcrumbs", "series", "sidebar", "related", "tags", "byline"),
)
"""The parts of pages whose links lead to pages of the blog. A link elsewhere may do something when it is loaded."""
_NOT_PAGES: Final = (
    *("/api/*", "/mcp", "/media/*", "/preview/*", "/search", "/search\\?*"),
    *("/*.md", "/*.xml", "/*.json", "/*.txt", "/*\\?*format=*"),
)
_SYNTAX: Final = re.compile(r"[\\*+?:{}()]")


class SpeculationView(ReaderView):
    """The rules that the header ``Speculation-Rules`` of pages names (``pages.prefetch``)."""

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        if not allows_prefetch():
            return self.fallback()
        headers = {"Cache-Control": _FOR_A_DAY}
        return HttpResponse(compact_json(speculation_rules(self.urls)), content_type=_CONTENT_TYPE, headers=headers)


def speculation_rules(urls: BlogURLs) -> dict[str, Any]:
    """Return the rules, with URL patterns below the mount."""
    prefix = _SYNTAX.sub(r"\\\g<0>", urls.prefix)
    links = ", ".join(f".blog-{part} a" for part in _PARTS)
    conditions = [
        {"href_matches": f"{prefix}/*"},
        {"not": {"href_matches": [f"{prefix}{path}" for path in _NOT_PAGES]}},
        {"selector_matches": links},
    ]
    return {"prefetch": [{"source": "document", "where": {"and": conditions}, "eagerness": "moderate"}]}
