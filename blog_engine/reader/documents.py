"""Small documents for machines: checkpoints, the key of IndexNow and Speculation Rules."""

import re
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.text import compact_json
from blog_engine.queries.checkpoints import checkpoint_with_number, newest_checkpoint
from blog_engine.reader.http import cacheable_response, conditional_response, mark_noindex
from blog_engine.reader.view import ReaderView, allows_prefetch
from blog_engine.rules.chain import described_checkpoint


class CheckpointView(ReaderView):
    """The checkpoint with a number, or the newest one."""

    def get(self, request: HttpRequest, *, number: str = "", **kwargs: Any) -> HttpResponseBase:
        checkpoint = checkpoint_with_number(int(number)) if number else newest_checkpoint()
        if checkpoint is None:
            return self.fallback()
        text = compact_json(described_checkpoint(checkpoint))
        response = HttpResponse(text, content_type="application/json")
        if not number:
            return mark_noindex(conditional_response(request, response))
        return mark_noindex(cacheable_response(request, response, modified=checkpoint.created_at))


class IndexNowKeyView(ReaderView):
    """The key file; any other key is not found."""

    def get(self, request: HttpRequest, *, key: str, **kwargs: Any) -> HttpResponseBase:
        if key != get_settings().notify.indexnow_key:
            return self.fallback()
        return mark_noindex(conditional_response(request, HttpResponse(key, content_type="text/plain; charset=utf-8")))


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
