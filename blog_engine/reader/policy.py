"""The policy pages that the blog hosts."""

from dataclasses import replace
from typing import Any, Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.safestring import SafeString, mark_safe

from blog_engine.models import PolicyPage
from blog_engine.queries.policies import served_pages
from blog_engine.reader.page import (
    HIDDEN,
    INDEXED,
    Crumb,
    Page,
    PageKind,
    default_social_image,
    full_title,
    index_crumb,
    scripts_of,
)
from blog_engine.reader.structured_data import web_page
from blog_engine.reader.view import ReaderView, queries_of
from blog_engine.rendering.stored import new_page_html, page_html


class Policy(NamedTuple):
    """A policy page: its title and its body as HTML."""

    title: str
    body: SafeString

    @property
    def scripts(self) -> tuple[str, ...]:
        """The URLs of the scripts that this body needs."""
        return scripts_of(self.body)


class PolicyView(ReaderView):
    """A published policy page, unless ``policy_urls`` names another page of its kind."""

    kept_queries = queries_of("format=html")

    def get(self, request: HttpRequest, *, slug: str, **kwargs: Any) -> HttpResponseBase:
        if self.has_unknown_format():
            return self.not_found()
        stored = served_pages().filter(slug=slug).first()
        if stored is None:
            return self.fallback()
        body = mark_safe(page_html(stored))  # noqa: S308 - the renderer's output went through its allow list
        return self.conditional_page("policy", self._head(stored), policy=Policy(stored.title, body))

    def _head(self, stored: PolicyPage) -> Page:
        path = self.urls.policy_path(stored.slug)
        url = self.urls.absolute(path)
        return Page(
            kind=PageKind.POLICY,
            title=full_title(stored.title),
            description=stored.title,
            canonical=url,
            robots=INDEXED,
            social_image=default_social_image(self.urls),
            crumbs=(index_crumb(self.urls), Crumb(stored.title, path)),
            main_entity=web_page(name=stored.title, url=url, modified=stored.updated_at),
            urls=self.urls,
        )


_NOT_KEPT: Final = {"Cache-Control": "private, no-store", "X-Robots-Tag": "noindex, nofollow"}


def preview_policy(request: HttpRequest, page: PolicyPage) -> HttpResponse:
    """Return a page, which need not be stored, as readers would see it, in the active language.

    Raises ``TooMuchMarkup`` for a text that would be refused. As with previews of posts, ``parent_controller`` has no
    part in it.
    """
    body = mark_safe(new_page_html(page))  # noqa: S308 - as above
    view = PolicyView()
    view.setup(request)
    head = replace(view._head(page), robots=HIDDEN)
    response = view.page_response("policy", head, policy=Policy(page.title, body))
    for name, value in _NOT_KEPT.items():
        response.headers[name] = value
    return response
