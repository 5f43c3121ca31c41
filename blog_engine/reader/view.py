"""The base of reader views: methods, faults, redirects and dead ends."""

import logging
import re
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, Final, cast

from django.contrib.auth.decorators import login_not_required
from django.db import Error, connections, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils import timezone, translation
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.generic import View
from django.views.generic.base import ContextMixin

from blog_engine.blog_urls import BlogURLs, public_path
from blog_engine.conf import get_settings, parent_controller
from blog_engine.content.text import with_allowed_characters
from blog_engine.errors import Refusal
from blog_engine.http.requests import origin_of
from blog_engine.http.responses import without_transaction
from blog_engine.models import Post
from blog_engine.models.reading import current_page, reading_a_page, reading_what_is_written
from blog_engine.queries.ended import read_ended
from blog_engine.queries.listings import newest_posts
from blog_engine.queries.redirects import redirect_at, requested_paths
from blog_engine.queries.remembered import content_version, next_changes
from blog_engine.reader.blog import describe_blog
from blog_engine.reader.cards import cards_of
from blog_engine.reader.counting import count_page_view
from blog_engine.reader.http import conditional_response, permanent_redirect, with_suffix, without_slash
from blog_engine.reader.page import HIDDEN, Page, PageKind, collection_page
from blog_engine.reader.page_cache import answer_page
from blog_engine.reader.unavailable import unavailable_response
from blog_engine.rules.rights import usage_fields

logger = logging.getLogger("blog_engine")

PAGE_QUERY: Final = "format=html|page=[1-9][0-9]{0,8}"


def queries_of(*queries: str) -> re.Pattern[str]:
    """Return a pattern of the query strings that are kept: none, or one of these patterns.

    All that a view does not know are left out, since clients can make up any number of them.
    """
    return re.compile("|".join(["", *queries]))


class ReaderView(ContextMixin, View):
    """Base of the blog's pages.

    A host's ``parent_controller`` may override ``dispatch`` and ``get_context_data``.
    """

    kept_queries: ClassVar[re.Pattern[str] | None] = None
    """The query strings of the pages that ``page_cache`` keeps; ``None`` keeps none."""

    http_method_names = ["get", "head"]  # noqa: RUF012 - Django's own declaration

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Set ``now`` and ``urls``, the time and the URLs of this response."""
        super().setup(request, *args, **kwargs)
        self.now = timezone.now()
        self.urls = BlogURLs.on(origin_of(request))

    def page_response(self, template: str, page: Page, *, status: int = 200, **context: Any) -> HttpResponse:
        """Return the page as HTML in the host's layout, without caching headers."""
        if "blog" not in context:
            context["blog"] = describe_blog(self.urls, now=self.now)
        whole = self.get_context_data(page=page, layout=get_settings().layout, **context)
        html = with_allowed_characters(render_to_string(f"blog_engine/{template}.html", whole, request=self.request))
        return HttpResponse(html, status=status, headers={"Content-Language": get_language() or ""})

    def conditional_page(self, template: str, page: Page, **context: Any) -> HttpResponseBase:
        """Return the page with its ``ETag``, or 304."""
        response = self.page_response(template, page, **context)
        if allows_prefetch():
            response.headers["Speculation-Rules"] = f'"{self.urls.speculation_path()}"'
        return conditional_response(self.request, response)

    def not_found(self) -> HttpResponseBase:
        """Return the 404 page."""
        return self._dead_end(PageKind.NOT_FOUND, title=pgettext("blog", "Page not found"), status=404)

    def gone(self) -> HttpResponseBase:
        """Return the 410 page of a removed article."""
        return self._dead_end(PageKind.GONE, title=_("This page has been removed"), status=410)

    def fallback(self, *page_path: str, suffix: str = "") -> HttpResponseBase:
        """Return the redirect, 410 or 404 page for a URL that serves nothing.

        ``page_path`` is the path, without ``SCRIPT_NAME``, of the page that the URL shows in another format, and
        ``suffix`` that format, such as ``.md``. A redirect of exactly the requested path and query wins over one of the
        page (``pages.moved.exact``).
        """
        asked = requested_paths(self.request.path_info, self.request.META.get("QUERY_STRING", ""))
        row = redirect_at(*asked, *page_path)
        if row is None:
            return self.not_found()
        if row.new_path is None:
            return self.gone()
        return permanent_redirect(public_path(with_suffix(row.new_path, suffix=suffix)))

    def query_redirect(self) -> HttpResponseBase | None:
        """Return the redirect or 410 page for this path and query, such as ``/?p=17``.

        One database query, and none for a request without a query string.
        """
        if not self.request.META.get("QUERY_STRING"):
            return None
        exact = requested_paths(self.request.path_info, self.request.META["QUERY_STRING"])[0]
        return None if redirect_at(exact) is None else self.fallback()

    def has_unknown_format(self, *served: str) -> bool:
        """Return whether ``format`` in the query string is unknown to this page."""
        return any(sent not in {"html", *served} for sent in self.request.GET.getlist("format"))

    def _dead_end(self, kind: PageKind, *, title: str, status: int) -> HttpResponseBase:
        cards = cards_of(newest_posts(), urls=self.urls, now=self.now)
        # The path as it was sent, so that it cannot become the canonical URL of another page.
        url = self.urls.origin + self.request.get_full_path().partition("?")[0]
        page = collection_page(
            kind, title=title, description=default_description(), url=url, robots=HIDDEN, cards=cards, urls=self.urls
        )
        response = self.page_response("error", page, status=status, title=title, cards=cards)
        return conditional_response(self.request, response)


def allows_prefetch() -> bool:
    """Return whether browsers may load pages before a reader opens them (``pages.prefetch``)."""
    wanted = get_settings().prefetch
    return parent_controller() is None if wanted is None else wanted


def default_description() -> str:
    """Return the description of pages that have none of their own."""
    return _("The blog of %(site)s.") % {"site": get_settings().site_name}


ViewFunction = Callable[..., HttpResponseBase]

_METHODS = ["GET", "HEAD"]
_DEAD_ENDS = {404, 410}
_WITH_CONTENT = {200, 206, 304}


def reader_page(view: type[View]) -> ViewFunction:
    """Return the view function of a page, combined with ``parent_controller``."""

    @cache
    def view_inheriting_from(parent: type | None) -> ViewFunction:
        combined: type[View] = type(view.__name__, (parent, view), {}) if parent else view
        return combined.as_view()

    return _serve(lambda: view_inheriting_from(parent_controller()), queries=getattr(view, "kept_queries", None))


def login_exempt_page(view: type[View]) -> ViewFunction:
    """Return the view function of a page that needs no login.

    It ignores ``parent_controller``. A signed link is the permission to see a preview (``previews.parent-class``), and
    the theme that previews use must load with it.
    """
    view_function = view.as_view()
    return login_not_required(
        _serve(lambda: view_function, queries=None, shows_posts=getattr(view, "shows_posts", True))
    )


def _serve(
    find_view: Callable[[], ViewFunction], *, queries: re.Pattern[str] | None, shows_posts: bool = True
) -> ViewFunction:
    # No page takes a form. Without the exemption a POST would be answered with 403 instead of 405.
    @csrf_exempt
    @without_transaction
    def view_function(request: HttpRequest, **kwargs: str) -> HttpResponseBase:
        if request.method not in _METHODS:
            return HttpResponseNotAllowed(_METHODS)
        _decode_query_as_utf8(request)

        def render() -> HttpResponseBase:
            if shows_posts:
                _withdraw_expired()
            with translation.override(get_settings().catalogue):
                return _in_host_transactions(find_view())(request, **kwargs)

        try:
            response = _read_from_replica(request, queries, render)
        except Error as fault:
            with translation.override(get_settings().catalogue):
                page = unavailable_response(request, fault)
            if page is None:
                raise
            return page
        if response.status_code in _WITH_CONTENT:
            # Beside kept pages, and on 304: caches take the fields of one for the content that they have.
            for name, value in usage_fields().items():
                response.headers[name] = value
        count_page_view(request, response)
        return response

    return cast(ViewFunction, view_function)


def _withdraw_expired() -> None:
    """Withdraw the posts whose end has come, so that the page that is about to be made has them nowhere.

    A page that cannot withdraw them, or whose replica lags, is shown without them: the task tries again.
    """
    page, now = current_page(), timezone.now()
    # Without a version nothing is remembered: each page would ask.
    if page is None or content_version() is None:
        return
    expiry = next_changes(now).expiry
    if expiry is None or expiry > now:
        return
    from blog_engine.services.expiry import expire_posts

    try:
        with reading_what_is_written():
            expire_posts(now=now)
    except (Error, Refusal):
        logger.exception("The posts that have expired could not be withdrawn.")
    page.versions.clear()
    page.ended = read_ended(now=now)
    # What is remembered of this content may have them.
    page.kept = {} if page.ended else None


def _read_from_replica(
    request: HttpRequest, queries: re.Pattern[str] | None, render: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """Answer from memory or a replica; for a dead end there, from the primary database."""
    with reading_a_page() as page:
        response = answer_page(request, page, queries=queries, render=render)
    if response.status_code in _DEAD_ENDS and page.may_lag(Post):
        return render()
    return response


def _in_host_transactions(view: ViewFunction) -> ViewFunction:
    """Return the view inside the transactions of ``ATOMIC_REQUESTS``.

    Django itself opens them outside the view, where a fault could not be answered with the 503 page.
    """
    for alias, settings in connections.settings.items():
        if settings["ATOMIC_REQUESTS"]:
            view = transaction.atomic(using=alias)(view)
    return view


def _decode_query_as_utf8(request: HttpRequest) -> None:
    # Django decodes the query string by the ``charset`` of the request's ``Content-Type``. Some of Python's codecs
    # produce lone surrogates, which no page can show.
    if request.encoding not in {None, "utf-8"}:
        request.encoding = "utf-8"


class FallbackView(ReaderView):
    """A URL that no other route serves: redirected, removed or unknown."""

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        if _is_page_with_trailing_slash(request):
            return permanent_redirect(without_slash(request))
        return self.fallback()


def _is_page_with_trailing_slash(request: HttpRequest) -> bool:
    path, match = request.path_info, request.resolver_match
    if match is None or not path.endswith("/"):
        return False
    try:
        found = resolve(path.removesuffix("/"), urlconf=getattr(request, "urlconf", None))
    except Resolver404:
        return False
    return found.namespace == "blog_engine" and found.route != match.route
