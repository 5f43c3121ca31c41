"""The file by which IndexNow knows that a key belongs to this blog (webhooks.indexnow.key)."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from blog_engine.conf import get_settings
from blog_engine.reader.http import conditional_response, mark_noindex
from blog_engine.reader.view import ReaderView


class IndexNowKeyView(ReaderView):
    """The key file; any other key is not found."""

    def get(self, request: HttpRequest, *, key: str, **kwargs: Any) -> HttpResponseBase:
        if key != get_settings().notify.indexnow_key:
            return self.fallback()
        return mark_noindex(conditional_response(request, HttpResponse(key, content_type="text/plain; charset=utf-8")))
