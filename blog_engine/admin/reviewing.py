"""The queue of posts that wait for a review, and the requests for one."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from blog_engine import services
from blog_engine.admin._post_page import PostPage
from blog_engine.admin.base import ANY_OF_POSTS, DeskView, Permission, may
from blog_engine.admin.states import reason_name
from blog_engine.enums import ReviewReason
from blog_engine.errors import Refusal
from blog_engine.inputs.posts import PostRef
from blog_engine.models import Post
from blog_engine.queries.proposals import number_waiting
from blog_engine.queries.reviews import waiting_counts, waiting_posts
from blog_engine.reader.page import page_number


class ReviewQueueView(DeskView):
    """The posts that wait for a review, by reason, the oldest first."""

    permissions = ANY_OF_POSTS

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        counts = waiting_counts()
        reason = self._reason(counts)
        number = page_number(request.GET.getlist("page"))
        if number is None:
            raise Http404
        url = self.url("queue")
        return self.page(
            "queue.html",
            title=_("Waiting for a review"),
            reasons=[
                (reason_name(one), count, f"{url}?reason={one.value}", one is reason) for one, count in counts.items()
            ],
            reason=reason.value,
            queue=waiting_posts(reason, number=number, total=counts[reason]),
            may_approve=may(request, Permission.APPROVE),
            proposals_url=self.url("proposals"),
            proposals=number_waiting(),
        )

    def _reason(self, counts: dict[ReviewReason, int]) -> ReviewReason:
        """Return the reason that was asked for, or else the most urgent one for which a post waits."""
        sent = self.request.GET.get("reason", "")
        if sent in set(ReviewReason):
            return ReviewReason(sent)
        return next((reason for reason, count in counts.items() if count), ReviewReason.REQUESTED)


class RequestReviewView(PostPage):
    """Ask for a review of a post, or take the request back."""

    permissions = (Permission.WRITE,)

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        ref, is_wanted = PostRef(id=str(self.record.pk)), request.POST.get("wanted") != "no"
        verb = services.request_review if is_wanted else services.cancel_review_request
        try:
            post = verb(ref, actor=self.actor, now=self.now).post
        except Refusal as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(self.url("history", self.record.pk))
        if not is_wanted:
            self._tell(post, _("The request for a review is taken back."))
        elif post.review_requested_at is None:
            messages.warning(request, _("Nothing to review: this version is approved, or the post is removed."))
        else:
            self._tell(post, _("A review is requested. The post is in the queue."))
        return HttpResponseRedirect(self.url("history", post.pk))

    def _tell(self, post: Post, message: str) -> None:
        self.log(post, message)
        messages.success(self.request, message)
