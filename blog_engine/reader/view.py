"""What all reader views share."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _
from django.views.generic import View
from django.views.generic.base import ContextMixin

from blog_engine.addresses import Addresses, public_path
from blog_engine.conf import get_settings
from blog_engine.content.text import with_allowed_characters
from blog_engine.queries.listings import newest_posts
from blog_engine.queries.redirects import asked_paths, redirect_at
from blog_engine.reader.blog import describe_blog
from blog_engine.reader.cards import card_of
from blog_engine.reader.collection_page import collection_page
from blog_engine.reader.conditional import revalidated
from blog_engine.reader.links import origin_of
from blog_engine.reader.moved import moved_to, with_suffix
from blog_engine.reader.page import HIDDEN, Page, PageKind


class ReaderView(ContextMixin, View):
    """A page of the blog. A host's ``parent_controller`` may override ``dispatch`` and ``get_context_data``."""

    http_method_names = ["get", "head"]  # noqa: RUF012 - Django's own declaration

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Fix the moment and the origin of this answer."""
        super().setup(request, *args, **kwargs)
        self.now = timezone.now()
        self.here = Addresses.on(origin_of(request))

    def page_response(self, template: str, page: Page, *, status: int = 200, **context: Any) -> HttpResponse:
        """The page as HTML in the host's layout, without any caching header."""
        if "blog" not in context:
            context["blog"] = describe_blog(self.here, now=self.now)
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
        cards = tuple(card_of(post, here=self.here, now=self.now) for post in newest_posts())
        # The path as it came: whatever was asked for cannot become another page's address.
        url = self.here.origin + self.request.get_full_path().partition("?")[0]
        page = collection_page(
            kind, title=title, description=blog_sentence(), url=url, robots=HIDDEN, cards=cards, here=self.here
        )
        return revalidated(self.request, self.page_response("error", page, status=status, title=title, cards=cards))


def blog_sentence() -> str:
    """What the blog is, for pages that have nothing of their own to say."""
    return _("The blog of %(site)s.") % {"site": get_settings().site_name}
