"""Optional middleware: redirects from paths outside the mount (decisions.md 9.15)."""

from django.db import Error
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import NoReverseMatch
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin

from blog_engine.blog_urls import mount, public_path
from blog_engine.conf import get_settings
from blog_engine.queries.redirects import redirect_at, requested_paths
from blog_engine.reader.http import MUST_ASK_AGAIN, permanent_redirect
from blog_engine.reader.unavailable import unavailable_response

_READING = ("GET", "HEAD")


class RedirectMiddleware(MiddlewareMixin):
    """Answers 301 or 410 where the host found nothing and a redirect knows the path; the blog does so by itself.

    A redirect of the home page with a query, such as ``/?p=17``, comes before that page. Asks one query of the
    database, for a 404 and for the home page with a query only. It belongs after ``SecurityMiddleware`` and before
    ``CommonMiddleware``, which may still find the page by adding a slash. A gone path shows the host's own 404 page,
    under the status 410. While the database cannot be read, the answer is 503, as in the blog.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Replace a 404 whose path moved, or the home page whose query did; return any other answer as it came."""
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
    """Return the paths whose redirects may replace the response: for a 404 the path, and it with its query.

    Of a page that exists it is the home page with a query: there older systems had their articles (``/?p=17``).
    """
    asked = requested_paths(request.path_info, request.META.get("QUERY_STRING", ""))
    if response.status_code == 404:
        return asked
    return asked[:1] if request.path_info == "/" and len(asked) > 1 else []


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
