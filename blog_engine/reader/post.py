"""The article page and its Markdown twin (reader.md 4 and 5)."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from blog_engine.addresses import stored_post_path
from blog_engine.queries.articles import published_article
from blog_engine.reader.article_page import article_page
from blog_engine.reader.blog import describe_blog
from blog_engine.reader.counting import counted, shown
from blog_engine.reader.markdown import markdown_response
from blog_engine.reader.page import PageKind
from blog_engine.reader.view import ReaderView


class PostView(ReaderView):
    """A published article; where there is none, what became of the address."""

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Callable[..., HttpResponseBase]:
        """The view, with what people read counted once they have it."""
        return counted(super().as_view(**initkwargs))

    def get(self, request: HttpRequest, *, slug: str, **kwargs: Any) -> HttpResponseBase:
        if self.asks_for_other_format("md"):
            return self.not_found()
        if "md" in request.GET.getlist("format"):
            return _markdown(self, slug)
        post = published_article(slug)
        if post is None:
            return self.elsewhere(stored_post_path(slug))
        shown(request, post)
        blog = describe_blog(self.here, now=self.now)
        whole = article_page(post, blog=blog, here=self.here, now=self.now, kind=PageKind.POST)
        return self.revalidated_page("post", whole.page, blog=blog, article=whole.article)


class PostMarkdownView(ReaderView):
    """The Markdown text of a published article."""

    def get(self, request: HttpRequest, *, slug: str, **kwargs: Any) -> HttpResponseBase:
        return _markdown(self, slug)


def _markdown(view: ReaderView, slug: str) -> HttpResponseBase:
    post = published_article(slug)
    if post is None:
        return view.elsewhere(stored_post_path(slug), suffix=".md")
    return markdown_response(view.request, post, here=view.here, now=view.now)
