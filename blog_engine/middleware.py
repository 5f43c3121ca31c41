"""Optional middleware: redirects from paths outside the mount."""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.db import Error
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import NoReverseMatch
from django.utils import translation

from blog_engine.blog_urls import mount, public_path
from blog_engine.conf import get_settings
from blog_engine.queries.redirects import redirect_at, requested_paths
from blog_engine.reader.http import MUST_ASK_AGAIN, permanent_redirect
from blog_engine.reader.unavailable import unavailable_response

_READING = ("GET", "HEAD")


class RedirectMiddleware:
    """Answers 301 or 410 for a 404 of the host whose path has a redirect.

    A redirect from the home page with a query, such as ``/?p=17``, takes precedence over that page. One database query
    is made for a 404 and for the home page with a query, none for other responses. Place it after
    ``SecurityMiddleware`` and before ``CommonMiddleware``, which may still find the page by appending a slash.

    For a removal, the 404 page of the host is sent with the status 410. While the database cannot be read, the response
    is 503, as in the blog.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        """Return the response, under ASGI an awaitable of it."""
        if iscoroutinefunction(self):
            return self.__acall__(request)
        return self.process_response(request, self.get_response(request))

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response; the database is read in a thread."""
        response = await self.get_response(request)
        return await sync_to_async(self.process_response)(request, response)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the redirect for the request if there is one, else the response."""
        if request.method not in _READING or not _paths_to_look_up(request, response) or not _is_of_the_host(request):
            return response
        try:
            row = redirect_at(*_paths_to_look_up(request, response))
        except Error as fault:
            with translation.override(get_settings().catalogue):
                page = unavailable_response(request, fault)
            if page is None:
                raise
            return page
        if row is None:
            return response
        if row.new_path is not None:
            return permanent_redirect(public_path(row.new_path))
        response.status_code = 410
        response.headers.setdefault("Cache-Control", MUST_ASK_AGAIN)
        return response


def _paths_to_look_up(request: HttpRequest, response: HttpResponseBase) -> list[str]:
    """Return the paths whose redirects replace the response.

    For a 404 they are the path with and without its query. Of the pages that exist, only the home page with a query can
    be replaced: some older systems had articles there (``/?p=17``).
    """
    asked = requested_paths(request.path_info, request.META.get("QUERY_STRING", ""))
    if response.status_code == 404:
        return asked
    return asked[:1] if request.path_info == "/" and len(asked) > 1 else []


def _is_of_the_host(request: HttpRequest) -> bool:
    """Return whether a view of the host answered, on a site with the blog."""
    match = request.resolver_match
    if match is not None and "blog_engine" in match.app_names:
        return False
    try:
        mount()
    except NoReverseMatch:
        return False
    return True
