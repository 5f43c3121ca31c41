"""The base of reader views: methods, errors, redirects and 404 pages."""

from collections.abc import Callable
from functools import cache
from typing import Any, cast

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
from blog_engine.http.exemptions import without_transaction
from blog_engine.models import Post
from blog_engine.models.reading import reading_a_page
from blog_engine.queries.listings import newest_posts
from blog_engine.queries.redirects import asked_paths, redirect_at
from blog_engine.reader.blog import describe_blog
from blog_engine.reader.cards import card_of
from blog_engine.reader.http import moved_to, origin_of, revalidated, with_suffix, without_slash
from blog_engine.reader.page import HIDDEN, Page, PageKind, collection_page
from blog_engine.reader.unavailable import out_of_reach


class ReaderView(ContextMixin, View):
    """A page of the blog. A host's ``parent_controller`` may override ``dispatch`` and ``get_context_data``."""

    http_method_names = ["get", "head"]  # noqa: RUF012 - Django's own declaration

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Fix the moment and the origin of this answer."""
        super().setup(request, *args, **kwargs)
        self.now = timezone.now()
        self.urls = BlogURLs.on(origin_of(request))

    def page_response(self, template: str, page: Page, *, status: int = 200, **context: Any) -> HttpResponse:
        """The page as HTML in the host's layout, without any caching header."""
        if "blog" not in context:
            context["blog"] = describe_blog(self.urls, now=self.now)
        whole = self.get_context_data(page=page, layout=get_settings().layout, **context)
        html = with_allowed_characters(render_to_string(f"blog_engine/{template}.html", whole, request=self.request))
        return HttpResponse(html, status=status, headers={"Content-Language": get_language() or ""})

    def revalidated_page(self, template: str, page: Page, **context: Any) -> HttpResponseBase:
        """The page with its ``ETag``, or 304."""
        return revalidated(self.request, self.page_response(template, page, **context))

    def not_found(self) -> HttpResponseBase:
        """The page for an address that leads nowhere (reader.md 12)."""
        return self._dead_end(PageKind.NOT_FOUND, title=pgettext("blog", "Page not found"), status=404)

    def gone(self) -> HttpResponseBase:
        """The page for an article that was removed (reader.md 12)."""
        return self._dead_end(PageKind.GONE, title=_("This page has been removed"), status=410)

    def elsewhere(self, *page_path: str, suffix: str = "") -> HttpResponseBase:
        """What became of an address that serves nothing: 301, 410 or 404 (reader.md 4.1).

        ``page_path``, without ``SCRIPT_NAME``, is that of the page which the address shows in some format, ``suffix``
        the format. A row for exactly what was asked for comes before one for the page.
        """
        asked = asked_paths(self.request.path_info, self.request.META.get("QUERY_STRING", ""))
        row = redirect_at(*asked, *page_path)
        if row is None:
            return self.not_found()
        if row.new_path is None:
            return self.gone()
        return moved_to(public_path(with_suffix(row.new_path, suffix=suffix)))

    def moved_by_query(self) -> HttpResponseBase | None:
        """Return where a redirect leads whose old path is this one with its query, such as ``/?p=17``.

        Asks one query of the database, and none for a request without a query.
        """
        if not self.request.META.get("QUERY_STRING"):
            return None
        exact = asked_paths(self.request.path_info, self.request.META["QUERY_STRING"])[0]
        return None if redirect_at(exact) is None else self.elsewhere()

    def asks_for_other_format(self, *served: str) -> bool:
        """Whether the query string names a format that this address does not have (reader.md 1.2)."""
        return any(sent not in {"html", *served} for sent in self.request.GET.getlist("format"))

    def _dead_end(self, kind: PageKind, *, title: str, status: int) -> HttpResponseBase:
        cards = tuple(card_of(post, urls=self.urls, now=self.now) for post in newest_posts())
        # The path as it came: whatever was asked for cannot become another page's address.
        url = self.urls.origin + self.request.get_full_path().partition("?")[0]
        page = collection_page(
            kind, title=title, description=blog_sentence(), url=url, robots=HIDDEN, cards=cards, urls=self.urls
        )
        return revalidated(self.request, self.page_response("error", page, status=status, title=title, cards=cards))


def blog_sentence() -> str:
    """What the blog is, for pages that have nothing of their own to say."""
    return _("The blog of %(site)s.") % {"site": get_settings().site_name}


ReaderAnswer = Callable[..., HttpResponseBase]

_METHODS = ["GET", "HEAD"]
_DEAD_ENDS = {404, 410}


def reader_page(view: type[View]) -> ReaderAnswer:
    """Serve a page of the blog, through the host's ``parent_controller`` where there is one."""

    @cache
    def behind(parent: type | None) -> ReaderAnswer:
        mixed: type[View] = type(view.__name__, (parent, view), {}) if parent else view
        return mixed.as_view()

    return _serve(lambda: behind(parent_controller()))


def open_page(view: type[View]) -> ReaderAnswer:
    """Serve what everybody may have, whatever login wall the host has.

    A preview is opened by its signed link (reader.md 10); the host's colours are no secret and belong to it, too.
    """
    plain = view.as_view()
    return login_not_required(_serve(lambda: plain))


def _serve(find_view: Callable[[], ReaderAnswer]) -> ReaderAnswer:
    # Nothing here takes a form: without the exemption a POST would be 403 before it can be 405.
    @csrf_exempt
    @without_transaction
    def answer(request: HttpRequest, **kwargs: str) -> HttpResponseBase:
        if request.method not in _METHODS:
            return HttpResponseNotAllowed(_METHODS)
        _read_address_as_utf8(request)
        with translation.override(get_settings().catalogue):
            try:
                return _from_where_it_is_stored(_with_transactions_of_host(find_view()), request, **kwargs)
            except Error as fault:
                page = out_of_reach(request, fault)
                if page is None:
                    raise
                return page

    return cast(ReaderAnswer, answer)


def _from_where_it_is_stored(view: ReaderAnswer, request: HttpRequest, **kwargs: str) -> HttpResponseBase:
    """Answer from a replica where the host has one, unless the replica does not know the URL yet."""
    with reading_a_page() as page:
        response = view(request, **kwargs)
    if response.status_code in _DEAD_ENDS and page.may_lag(Post):
        return view(request, **kwargs)
    return response


def _with_transactions_of_host(view: ReaderAnswer) -> ReaderAnswer:
    """The view as ``ATOMIC_REQUESTS`` wants it; Django would open the transaction where no page of ours can say so."""
    for alias, settings in connections.settings.items():
        if settings["ATOMIC_REQUESTS"]:
            view = transaction.atomic(using=alias)(view)
    return view


def _read_address_as_utf8(request: HttpRequest) -> None:
    # Django decodes the query string, too, by the ``charset`` that the visitor names: some of Python's codecs give
    # lone surrogates, which no page can show.
    if request.encoding not in {None, "utf-8"}:
        request.encoding = "utf-8"


class ElsewhereView(ReaderView):
    """A page's address with a slash too many, a moved or removed address, or nothing."""

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        if _is_page_with_slash(request):
            return moved_to(without_slash(request))
        return self.elsewhere()


def _is_page_with_slash(request: HttpRequest) -> bool:
    path, match = request.path_info, request.resolver_match
    if match is None or not path.endswith("/"):
        return False
    try:
        found = resolve(path.removesuffix("/"), urlconf=getattr(request, "urlconf", None))
    except Resolver404:
        return False
    return found.namespace == "blog_engine" and found.route != match.route
