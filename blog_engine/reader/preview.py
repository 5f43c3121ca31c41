"""Signed previews of content that is not public yet (reader.md 10)."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from blog_engine.http.exemptions import keep_out_of_page_caches
from blog_engine.models import Post
from blog_engine.queries.articles import stored_article
from blog_engine.queries.previews import PREVIEWABLE, previewed_post_id
from blog_engine.reader.article_page import article_page
from blog_engine.reader.blog import describe_blog
from blog_engine.reader.collection_page import collection_page
from blog_engine.reader.moved import moved_to, without_slash
from blog_engine.reader.page import HIDDEN, PageKind
from blog_engine.reader.view import ReaderView, blog_sentence
from blog_engine.vocabulary import PostStatus

_NEVER_KEPT = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
}


class PreviewView(ReaderView):
    """The article as it will be, for whoever holds the link; never kept, never 304."""

    def get(self, request: HttpRequest, *, token: str, **kwargs: Any) -> HttpResponse:
        keep_out_of_page_caches(request)
        response = moved_to(without_slash(request)) if request.path.endswith("/") else self._answer(token)
        for name, value in _NEVER_KEPT.items():
            response.headers[name] = value
        return response

    def _answer(self, token: str) -> HttpResponse:
        post = self._bound_post(token)
        if post is None or self.asks_for_other_format():
            return self._stopped()
        if post.status == PostStatus.PUBLISHED:
            return HttpResponseRedirect(self.here.post_path(post.slug))
        if post.status not in PREVIEWABLE:
            return self._stopped()
        blog = describe_blog(self.here, now=self.now)
        whole = article_page(post, blog=blog, here=self.here, now=self.now, kind=PageKind.PREVIEW)
        return self.page_response("preview", whole.page, blog=blog, article=whole.article)

    def _bound_post(self, token: str) -> Post | None:
        """The post in exactly the content that the token was made for."""
        bound = previewed_post_id(token, now=self.now)
        if bound is None:
            return None
        post_id, identifier = bound
        post = stored_article(post_id)
        return post if post and post.current_revision_identifier == identifier else None

    def _stopped(self) -> HttpResponse:
        title = _("This preview link has stopped working")
        # The address of the page itself would give the token away.
        url = self.here.absolute(self.here.index_path())
        page = collection_page(
            PageKind.PREVIEW_EXPIRED, title=title, description=blog_sentence(), url=url, robots=HIDDEN, here=self.here
        )
        return self.page_response("error", page, status=404, title=title, cards=())
