"""The policy pages that the blog hosts."""

from typing import Any, NamedTuple

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.safestring import SafeString, mark_safe

from blog_engine.models import PolicyPage
from blog_engine.queries.policies import page_html, served_pages
from blog_engine.reader.page import INDEXED, Crumb, Page, PageKind, default_social_image, full_title, index_crumb
from blog_engine.reader.structured_data import web_page
from blog_engine.reader.view import ReaderView, queries_of


class Policy(NamedTuple):
    """A policy page: its title and its body as HTML."""

    title: str
    body: SafeString


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
