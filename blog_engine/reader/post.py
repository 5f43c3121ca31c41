"""A post as an article page, a preview or Markdown."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.encoding import iri_to_uri
from django.utils.translation import gettext as _

from blog_engine.blog_urls import stored_post_path
from blog_engine.conf import get_settings
from blog_engine.content.plain_text import escape_line
from blog_engine.enums import PostStatus
from blog_engine.http.responses import keep_out_of_page_caches
from blog_engine.models import Post
from blog_engine.models.reading import page_changes_at
from blog_engine.queries.articles import (
    article_markdown,
    canonical_url,
    published_article,
    published_text,
    stored_article,
    surroundings_of_proposal,
)
from blog_engine.queries.previews import PREVIEWABLE, PreviewedProposal, previewed_post_id, previewed_proposal
from blog_engine.reader.article import article_page
from blog_engine.reader.blog import describe_blog
from blog_engine.reader.counting import mark_as_shown
from blog_engine.reader.http import conditional_response, permanent_redirect, without_slash
from blog_engine.reader.page import HIDDEN, PageKind, collection_page
from blog_engine.reader.view import ReaderView, default_description, queries_of


class PostView(ReaderView):
    """The page of a public post."""

    kept_queries = queries_of("format=html|format=md")

    def get(self, request: HttpRequest, *, slug: str, **kwargs: Any) -> HttpResponseBase:
        if self.has_unknown_format("md"):
            return self.not_found()
        if "md" in request.GET.getlist("format"):
            return _markdown(self, slug)
        return public_article(self, slug) or self.fallback(stored_post_path(slug))


def has_expired(post: Post, *, now: datetime) -> bool:
    """Return whether the end of a post has come, and keep its page no longer than until then."""
    if post.expires_at is None:
        return False
    page_changes_at(post.expires_at)
    return post.expires_at <= now


def public_article(view: ReaderView, slug: str) -> HttpResponseBase | None:
    """Return the page of the public post with a slug, or ``None``."""
    post = published_article(slug)
    if post is None:
        return None
    if has_expired(post, now=view.now):
        return view.gone()
    mark_as_shown(view.request, post)
    blog = describe_blog(view.urls, now=view.now)
    whole = article_page(post, blog=blog, urls=view.urls, now=view.now, kind=PageKind.POST)
    return view.conditional_page("post", whole.page, blog=blog, article=whole.article)


class PostMarkdownView(ReaderView):
    """The Markdown text of a public post."""

    kept_queries = queries_of()

    def get(self, request: HttpRequest, *, slug: str, **kwargs: Any) -> HttpResponseBase:
        return _markdown(self, slug)


def _markdown(view: ReaderView, slug: str) -> HttpResponseBase:
    """Return the Markdown text with a ``Link`` to the canonical page, or 304."""
    post = published_text(slug)
    if post is None:
        return view.fallback(stored_post_path(slug), suffix=".md")
    if has_expired(post, now=view.now):
        return view.gone()
    # Headers are ASCII, so a URL with other characters is sent as a URI.
    canonical = iri_to_uri(canonical_url(post, urls=view.urls))
    headers = {"X-Robots-Tag": "noindex", "Link": f'<{canonical}>; rel="canonical"'}
    text = article_markdown(post, urls=view.urls, now=view.now)
    if get_settings().has_public_history:
        how = _("How this article was made")
        text += f"\n[{escape_line(how)}]({view.urls.absolute(view.urls.history_path(post.slug))})\n"
    response = HttpResponse(text, content_type="text/markdown; charset=utf-8", headers=headers)
    return conditional_response(view.request, response)


_NEVER_CACHED = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
}


class PreviewView(ReaderView):
    """A post or proposal that is not public, for holders of a signed link. Never cached."""

    def get(self, request: HttpRequest, *, token: str, **kwargs: Any) -> HttpResponse:
        keep_out_of_page_caches(request)
        response = permanent_redirect(without_slash(request)) if request.path.endswith("/") else self._preview(token)
        for name, value in _NEVER_CACHED.items():
            response.headers[name] = value
        return response

    def _preview(self, token: str) -> HttpResponse:
        bound = previewed_proposal(token, now=self.now)
        if bound is not None:
            return self._proposal(bound)
        post = self._previewed_post(token)
        if post is None or self.has_unknown_format():
            return self._expired()
        if post.status == PostStatus.PUBLISHED:
            return HttpResponseRedirect(self.urls.post_path(post.slug))
        if post.status not in PREVIEWABLE:
            return self._expired()
        blog = describe_blog(self.urls, now=self.now)
        whole = article_page(post, blog=blog, urls=self.urls, now=self.now, kind=PageKind.PREVIEW)
        return self.page_response("preview", whole.page, blog=blog, article=whole.article)

    def _proposal(self, bound: PreviewedProposal) -> HttpResponse:
        """Return what a proposal makes of its post, or 410 when the link has expired or the proposal is decided."""
        from blog_engine.services import preview_proposal

        content = preview_proposal(bound, now=self.now)
        if content is None or self.has_unknown_format():
            return self._expired(status=410)
        post, around = content.post, surroundings_of_proposal(content.post, now=self.now)
        blog = describe_blog(self.urls, now=self.now)
        whole = article_page(post, blog=blog, urls=self.urls, now=self.now, kind=PageKind.PREVIEW, around=around)
        return self.page_response("preview", whole.page, blog=blog, article=whole.article, is_proposal=True)

    def _previewed_post(self, token: str) -> Post | None:
        """Return the post, if its content is still the one that the token was made for."""
        bound = previewed_post_id(token, now=self.now)
        if bound is None:
            return None
        post_id, identifier = bound
        post = stored_article(post_id)
        return post if post and post.current_revision_identifier == identifier else None

    def _expired(self, *, status: int = 404) -> HttpResponse:
        title = _("This preview link has stopped working")
        # The canonical URL of the preview would reveal the token.
        url = self.urls.absolute(self.urls.index_path())
        page = collection_page(
            PageKind.PREVIEW_EXPIRED,
            title=title,
            description=default_description(),
            url=url,
            robots=HIDDEN,
            urls=self.urls,
        )
        return self.page_response("error", page, status=status, title=title, cards=())
