"""Optional middleware: redirects from paths outside the mount (decisions.md 9.15)."""

from django.db import Error
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import NoReverseMatch
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin

from blog_engine.addresses import encoded_path, mount, public_path
from blog_engine.conf import get_settings
from blog_engine.queries.redirects import redirect_at
from blog_engine.reader.conditional import MUST_ASK_AGAIN
from blog_engine.reader.moved import moved_to
from blog_engine.reader.out_of_reach import out_of_reach

_READING = ("GET", "HEAD")


class RedirectMiddleware(MiddlewareMixin):
    """Answers 301 or 410 where the host found nothing and a redirect knows the path; the blog does so by itself.

    Asks one query, for a 404 only. It belongs after ``SecurityMiddleware`` and before ``CommonMiddleware``, which
    may still find the page by adding a slash. A gone address shows the host's own 404 page, under the status 410. While
    the database cannot be read, nobody knows whether the path moved, so it is 503 as in the blog.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Replace a 404 when the path moved; any other answer is returned as it came."""
        if response.status_code != 404 or request.method not in _READING or not _is_of_the_host(request):
            return response
        try:
            row = redirect_at(encoded_path(request.path_info))
        except Error as fault:
            with translation.override(get_settings().catalogue):
                page = out_of_reach(request, fault)
            if page is None:
                raise
            return page
        if row is None:
            return response
        if row.new_path is not None:
            return moved_to(public_path(row.new_path))
        response.status_code = 410
        response.headers.setdefault("Cache-Control", MUST_ASK_AGAIN)
        return response


def _is_of_the_host(request: HttpRequest) -> bool:
    """Whether something else than the blog answered, on the site that has the blog."""
    match = request.resolver_match
    if match is not None and "blog_engine" in match.app_names:
        return False
    try:
        mount()
    except NoReverseMatch:
        return False
    return True
