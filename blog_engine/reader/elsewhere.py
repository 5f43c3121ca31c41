"""Every path under the mount that nothing else serves (decisions.md 7.5)."""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

from blog_engine.reader.moved import moved_to, without_slash
from blog_engine.reader.view import ReaderView


class ElsewhereView(ReaderView):
    """A page's address with a slash too many, a moved or removed address, or nothing."""

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        if _is_page_with_slash(request):
            return moved_to(without_slash(request))
        return self.elsewhere()


def _is_page_with_slash(request: HttpRequest) -> bool:
    path, here = request.path_info, request.resolver_match
    if here is None or not path.endswith("/"):
        return False
    try:
        found = resolve(path.removesuffix("/"), urlconf=getattr(request, "urlconf", None))
    except Resolver404:
        return False
    return found.namespace == "blog_engine" and found.route != here.route
