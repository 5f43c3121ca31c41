"""Asking for a review, and the conversation about a post: its page, and its part of the editor."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from blog_engine import services
from blog_engine.actor import Scope
from blog_engine.admin.base import ANY_OF_POSTS, Permission, may, signed_in_actor
from blog_engine.admin.post_page import PostPage
from blog_engine.admin.words import sentence_for
from blog_engine.enums import RemarkKind
from blog_engine.errors import Refusal
from blog_engine.inputs.base import parse
from blog_engine.inputs.conversation import LONGEST_REMARK, AddRemark, AnswerRemark, RequestReview, ResolveRemark
from blog_engine.models import Post, Remark
from blog_engine.queries.conversation import conversation_of
from blog_engine.queries.reviewers import reviewers

TALKERS: Final = (Permission.WRITE, Permission.PUBLISH, Permission.APPROVE)
"""Each of them answers and resolves."""


class AskForm(forms.Form):
    """A note for a reviewer, and who that is."""

    note = forms.CharField(
        label=gettext_lazy("What should the reviewer know?"),
        required=False,
        max_length=LONGEST_REMARK,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )
    person = forms.ChoiceField(label=gettext_lazy("Who is asked"), required=False)

    def __init__(self, sent: Any = None) -> None:
        super().__init__(sent, label_suffix="")
        people = [(one.id, one.name) for one in reviewers()]
        self.fields["person"].choices = [("", _("Anyone who reviews")), *people]  # type: ignore[attr-defined]

    def clean_note(self) -> str:
        """Return the note with the line ends that other clients send."""
        return with_line_feeds(self.cleaned_data["note"])


def with_line_feeds(text: str) -> str:
    """Return a text of a form, whose lines browsers end with two characters."""
    return text.replace("\r\n", "\n")


class RequestReviewView(PostPage):
    """Ask for a review of a post with a note, or take the request back."""

    permissions = (Permission.WRITE,)
    page_name = "request_review"

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return self._shown(AskForm())

    def _shown(self, form: AskForm) -> HttpResponse:
        return self.post_page("ask_review.html", title=_("Ask for a review"), form=form)

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if request.POST.get("wanted") == "no":
            return self._take_back()
        form = AskForm(request.POST)
        if not form.is_valid():
            return self._shown(form)
        try:
            data = parse(RequestReview, form.cleaned_data, fixed={"id": str(self.record.pk)})
            post = services.request_review(data, actor=self.actor, now=self.now).post
        except Refusal as refusal:
            form.add_error(None, review_refusal(refusal))
            return self._shown(form)
        if post.review_requested_at is None:
            messages.warning(request, _("Nothing to review: this version is approved, or the post is removed."))
        else:
            self._done(post, _("A review is requested. The post is in the queue."))
        return HttpResponseRedirect(self.url("history", post.pk))

    def _take_back(self) -> HttpResponse:
        data = RequestReview(id=str(self.record.pk))
        try:
            post = services.cancel_review_request(data, actor=self.actor, now=self.now).post
        except Refusal as refusal:
            messages.error(self.request, review_refusal(refusal))
        else:
            self._done(post, _("The request for a review is taken back."))
        return HttpResponseRedirect(self.url("history", self.record.pk))

    def _done(self, post: Post, message: str) -> None:
        self.log(post, message)
        messages.success(self.request, message)


def review_refusal(refusal: Refusal) -> str:
    """Return what a page says about the refusal of a step of a review."""
    return sentence_for(refusal, next(iter(refusal.details), None))


@dataclass(frozen=True, slots=True)
class Thread:
    """An entry of a conversation with its answers."""

    remark: Remark
    answers: list[Remark]

    @property
    def is_gone(self) -> bool:
        """Whether the passage is not in the text any more."""
        return self.remark.in_text is False


def threads_of(remarks: Iterable[Remark]) -> list[Thread]:
    """Return the entries that began something, in their order, each with its answers."""
    answers: defaultdict[int | None, list[Remark]] = defaultdict(list)
    begun = []
    for remark in remarks:
        answers[remark.in_reply_to_id].append(remark)
        if remark.kind != RemarkKind.ANSWER:
            begun.append(remark)
    return [Thread(remark, answers[remark.pk]) for remark in begun]


def conversation_on_top(post: Post, request: HttpRequest, url: Callable[..., str]) -> dict[str, Any]:
    """Return what the editor shows of the conversation above its form: nothing, unless something waits for writers.

    One query for a post that was sent back or has open remarks, which must be read with its body.
    """
    if not post.open_remarks and post.review_returned_at is None:
        return {}
    threads = threads_of(conversation_of(post))
    returns = [one for one in threads if one.remark.kind == RemarkKind.RETURN]
    return {
        "sent_back": returns[-1] if returns and post.review_returned_at is not None else None,
        "open_threads": [one for one in threads if one.remark.is_open],
        "conversation_url": url("conversation", post.pk),
        "may_talk": may(request, *TALKERS),
        "most_characters": LONGEST_REMARK,
    }


class ConversationView(PostPage):
    """The conversation about a post, where it is answered; scripts of the editor get its part of the page as JSON."""

    permissions = ANY_OF_POSTS
    page_name = "conversation"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "POST" and not may(request, *TALKERS):
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        post = self.record
        threads = threads_of(conversation_of(post))
        return self.post_page(
            "conversation.html",
            title=_("Conversation"),
            open_threads=[one for one in threads if one.remark.is_open],
            earlier=[one for one in reversed(threads) if not one.remark.is_open],
            conversation_url=request.path,
            may_talk=may(request, *TALKERS),
            most_characters=LONGEST_REMARK,
        )

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        message, is_done = self._step()
        if request.POST.get("as") == "json":
            self.read_again()
            shown = {**conversation_on_top(self.record, request, self.url), "message": message}
            html = render_to_string("admin/blog_engine/_conversation.html", shown, request)
            return JsonResponse({"html": html, "message": message, "done": is_done}, status=200 if is_done else 422)
        (messages.success if is_done else messages.error)(request, message)
        return HttpResponseRedirect(request.path)

    def _step(self) -> tuple[str, bool]:
        """Take the step that was sent; return a sentence about it, and whether it is done."""
        sent, actor = self.request.POST, signed_in_actor(self.request, grants=(Scope.WRITE,))
        post = {"id": str(self.record.pk)}
        remark = sent.get("remark", "")
        text = with_line_feeds(sent.get("text", ""))
        if sent.get("step") != "resolve" and not text.strip():
            return _("Write something first."), False
        try:
            match sent.get("step"):
                case "resolve":
                    resolved = parse(ResolveRemark, {"remark": remark}, fixed=post)
                    services.resolve_remark(resolved, actor=actor, now=self.now)
                    return _("Resolved."), True
                case "answer":
                    answer = parse(AnswerRemark, {"remark": remark, "text": text}, fixed=post)
                    services.answer_remark(answer, actor=actor, now=self.now)
                    return _("Your answer is sent."), True
                case _:
                    services.add_remark(parse(AddRemark, {"text": text}, fixed=post), actor=actor, now=self.now)
                    return _("Your remark is sent."), True
        except Refusal as refusal:
            return review_refusal(refusal), False
