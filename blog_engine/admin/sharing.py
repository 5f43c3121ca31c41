"""The link to a draft or a scheduled post for people who have no account."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse

from blog_engine.admin.base import ANY_OF_POSTS
from blog_engine.admin.post_page import PostPage
from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import PostStatus
from blog_engine.http.responses import keep_out_of_page_caches, never_stored
from blog_engine.models import Post
from blog_engine.queries.previews import preview_token
from blog_engine.queries.reviews import post_without_content


class SharePostView(PostPage):
    """The preview of the text that is stored now: leads there, or with ``?link`` returns the URL as JSON.

    Pages have the path of this view instead of the link, which ends when the text changes. A post that was published
    since is the article itself.
    """

    permissions = ANY_OF_POSTS

    def find(self, post_id: int) -> Post | None:
        return post_without_content(post_id)

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        keep_out_of_page_caches(request)
        post, urls = self.record, BlogURLs.on(self.base_url)
        token = preview_token(post, now=self.now)
        if token is None and post.status != PostStatus.PUBLISHED:
            raise Http404
        url = urls.preview_url(token.token) if token else urls.post_url(post.slug)
        return never_stored(JsonResponse({"url": url}) if "link" in request.GET else HttpResponseRedirect(url))
