"""The public posts for readers' agents: ``llms.txt`` (llmstxt.org), and ``llms-full.txt`` with the texts themselves."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.encoding import iri_to_uri
from django.utils.translation import gettext as _

from blog_engine.blog_urls import page_path
from blog_engine.conf import get_settings
from blog_engine.content.plain_text import escape_line
from blog_engine.enums import FeedFormat
from blog_engine.queries.articles import articles_markdown
from blog_engine.queries.listings import LinkedPost, linked_posts, public_ids
from blog_engine.reader.blog import describe_blog
from blog_engine.reader.http import cacheable_response
from blog_engine.reader.page import full_title, page_number
from blog_engine.reader.view import ReaderView, default_description, queries_of

LINKS_ON_PAGE: Final = 200
TEXTS_ON_PAGE: Final = 25
"""With bodies of 256 KiB, the default limit, a page has some 6 MiB."""

_QUERIES: Final = queries_of("page=[1-9][0-9]{0,8}")


class LlmsView(ReaderView):
    """Links to the Markdown texts of posts, newest first; on the first page also to policies and feeds."""

    kept_queries = _QUERIES

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        if not get_settings().serve_llms_txt:
            return self.fallback()
        number = page_number(request.GET.getlist("page"))
        found = public_ids(number, per_page=LINKS_ON_PAGE) if number else None
        if number is None or found is None:
            return self.not_found()
        ids, count = found
        sections = {
            _("Posts"): [self._post_link(post) for post in linked_posts(ids)],
            _("Policy pages"): [*self._policies()] if number == 1 else [],
            _("Feeds"): [*self._feeds()] if number == 1 else [],
            # A word of the format: agents that have little room can leave out these links.
            "Optional": [*self._around(number, count=count)],
        }
        parts = [*_introduction()]
        for heading, links in sections.items():
            if links:
                parts += [f"## {heading}", "\n".join(links)]
        return _text_response(request, parts)

    def _post_link(self, post: LinkedPost) -> str:
        return self._link(escape_line(post.title), self.urls.markdown_path(post.slug), about=post.summary)

    def _policies(self) -> Iterator[str]:
        blog = describe_blog(self.urls, now=self.now)
        return (self._link(str(policy.name), policy.url) for policy in blog.policies.values())

    def _feeds(self) -> Iterator[str]:
        yield self._link(_("Atom feed"), self.urls.feed_path(FeedFormat.ATOM))
        yield self._link(_("JSON feed"), self.urls.feed_path(FeedFormat.JSON))

    def _around(self, number: int, *, count: int) -> Iterator[str]:
        if number == 1:
            yield self._link("llms-full.txt", self.urls.llms_full_path())
        if number == 1 and get_settings().serve_sitemap:
            yield self._link("sitemap.xml", self.urls.sitemap_path())
        if number > 1:
            yield self._link(_("Previous page"), page_path(self.urls.llms_path(), number - 1))
        if number < count:
            yield self._link(_("Next page"), page_path(self.urls.llms_path(), number + 1))

    def _link(self, text: str, path: str, *, about: str = "") -> str:
        """Return the entry for a path; ``text`` is Markdown."""
        link = _link(text, self.urls.absolute(path))
        return f"- {link}: {escape_line(about)}" if about.strip() else f"- {link}"


class LlmsFullView(ReaderView):
    """The Markdown texts of posts, newest first."""

    kept_queries = _QUERIES

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        if not get_settings().serve_llms_txt:
            return self.fallback()
        number = page_number(request.GET.getlist("page"))
        found = public_ids(number, per_page=TEXTS_ON_PAGE) if number else None
        if number is None or found is None:
            return self.not_found()
        ids, count = found
        texts = [text.strip() for text in articles_markdown(ids, urls=self.urls, now=self.now)]
        parts = [*_introduction(), *(part for text in texts for part in (_RULE, text))]
        if number < count:
            url = self.urls.absolute(page_path(self.urls.llms_full_path(), number + 1))
            parts += [_RULE, _link(_("Next page"), url)]
        return _text_response(request, parts)


_RULE: Final = "---"


def _introduction() -> Iterator[str]:
    settings = get_settings()
    yield f"# {escape_line(full_title(settings.blog_title))}"
    yield f"> {escape_line((settings.blog_tagline or '').strip() or default_description())}"


def _link(text: str, url: str) -> str:
    # A parenthesis would end the URL.
    target = iri_to_uri(url).replace("(", "%28").replace(")", "%29")
    return f"[{text}]({target})"


def _text_response(request: HttpRequest, parts: Iterable[str]) -> HttpResponseBase:
    """Return the document, which search engines need not show beside the posts themselves, or 304.

    It has no date of its last change: what it shows can also change by a deletion, which leaves none.
    """
    headers = {"X-Robots-Tag": "noindex"}
    text = "\n\n".join(parts) + "\n"
    response = HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)
    return cacheable_response(request, response, modified=None)
