"""Base of the pages about one post."""

from functools import cached_property
from typing import Any

from django.http import Http404, HttpResponse

from blog_engine.admin.base import DeskView
from blog_engine.admin.states import PostState, state_of
from blog_engine.errors import NotFound
from blog_engine.models import Post, Proposal
from blog_engine.queries.posts import read_post
from blog_engine.queries.proposals import waiting_for


class PostPage(DeskView):
    """A page about the post that the path names; 404 if there is none."""

    page_name = ""
    """The name of the route, which the navigation marks."""

    @cached_property
    def record(self) -> Post:
        """The post as it is stored."""
        post = self.find(self.kwargs["post_id"])
        if post is None:
            raise Http404
        return post

    def find(self, post_id: int) -> Post | None:
        """Read the post with all that belongs to it; pages that need less read less."""
        try:
            return read_post(post_id)
        except NotFound:
            return None

    def read_again(self) -> None:
        """Forget the post, because it was changed."""
        del self.record

    def post_page(self, template: str, *, title: str, **context: Any) -> HttpResponse:
        """Return a page with the state of the post at its head."""
        post = self.record
        shown = {
            "post": post,
            "post_id": post.pk,
            "post_title": post.title,
            "state": self.state_for_head(),
            **context,
        }
        if "waiting_proposals" not in shown:
            shown["waiting_proposals"] = self.waiting_proposals()
        return self.page(template, title=title, **shown)

    def state_for_head(self) -> PostState:
        """Return the state of the post, with the pages about it and what the user can do."""
        return state_of(self.record, self.request, self.url, current=self.page_name)

    def waiting_proposals(self) -> list[Proposal]:
        """Return the undecided proposals of the post, which the head names; one query."""
        return waiting_for(self.record.pk)
