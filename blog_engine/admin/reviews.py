"""Reviews: the queue of posts that wait for one, the requests, and the signature under exactly one revision."""

from datetime import datetime
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override
from django.views.decorators.clickjacking import xframe_options_sameorigin

from blog_engine import services
from blog_engine.actor import Scope
from blog_engine.admin._comparison import differences_between
from blog_engine.admin._history_words import approval_sentence, authorship, evidence_in_words, provenance_name
from blog_engine.admin.base import ANY_OF_POSTS, DeskView, Permission, add_refusal, may, signed_in_actor
from blog_engine.admin.post_page import PostPage
from blog_engine.admin.words import REVIEW_REASONS
from blog_engine.conf import get_settings
from blog_engine.enums import PolicyKind, PostStatus, ReviewReason
from blog_engine.errors import Refusal, RevisionMismatch
from blog_engine.findings.checks import findings_of
from blog_engine.http.responses import keep_out_of_page_caches, never_stored
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import ApproveRevision, PostRef
from blog_engine.models import Post
from blog_engine.queries.articles import Surroundings, stored_article
from blog_engine.queries.policies import find_policy_url
from blog_engine.queries.proposals import number_waiting
from blog_engine.queries.reviews import reviewed_content, revision_with, waiting_counts, waiting_posts
from blog_engine.queries.versions import present_payload
from blog_engine.reader.article import article_page
from blog_engine.reader.blog import describe_blog
from blog_engine.reader.page import PageKind, page_number
from blog_engine.reader.view import ReaderView

_LONGEST_NAME: Final = 255


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
                (REVIEW_REASONS[one], count, f"{url}?reason={one.value}", one is reason)
                for one, count in counts.items()
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
            self._done(post, _("The request for a review is taken back."))
        elif post.review_requested_at is None:
            messages.warning(request, _("Nothing to review: this version is approved, or the post is removed."))
        else:
            self._done(post, _("A review is requested. The post is in the queue."))
        return HttpResponseRedirect(self.url("history", post.pk))

    def _done(self, post: Post, message: str) -> None:
        self.log(post, message)
        messages.success(self.request, message)


class SignatureForm(forms.Form):
    """The signature of a reviewer under exactly one revision."""

    revision_identifier = forms.CharField(max_length=64, widget=forms.HiddenInput)
    facts_checked = forms.ChoiceField(
        label=gettext_lazy("What did you do?"),
        choices=[
            ("yes", gettext_lazy("I checked the facts of exactly this version.")),
            ("no", gettext_lazy("I read it, but I did not check the facts.")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Say whether you checked the facts.")},
    )
    name = forms.CharField(
        label=gettext_lazy("Your name"),
        max_length=255,
        help_text=gettext_lazy("The history keeps it with this version."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )

    def approval_of(self, post_id: int) -> ApproveRevision:
        """Return what a valid signature sends for this post; raises ``ValidationFailed``."""
        sent = self.cleaned_data | {"facts_checked": self.cleaned_data["facts_checked"] == "yes"}
        return parse(ApproveRevision, sent, fixed={"id": str(post_id)})

    def message(self) -> str:
        """Return what a valid signature says."""
        if self.cleaned_data["facts_checked"] == "yes":
            return _("Signed: the facts of this version are checked.")
        return _("Signed: this version was read; its facts are not checked.")


class SignaturePage(PostPage):
    """Base of the pages with the form of a signature, which covers the content that the page showed."""

    def signed_identifier(self) -> str:
        """Return the identifier of the revision that a signature covers."""
        raise NotImplementedError

    def shown(self, form: SignatureForm, **context: Any) -> HttpResponse:
        """Return the page."""
        raise NotImplementedError

    def compare_url(self, seen: str) -> str:
        """Return the path of the comparison with a revision that was read before, if there is one."""
        return ""

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return self.shown(self.new_form())

    def new_form(self, name: str = "") -> SignatureForm:
        """Return a form about the present content, with the name of the user or another one."""
        initial = {"revision_identifier": self.signed_identifier(), "name": name or self.actor.name}
        return SignatureForm(initial=initial)

    def sign(self, form: SignatureForm) -> HttpResponse:
        """Store a valid signature, and lead back to the page; a refusal is an error of the form."""
        actor = signed_in_actor(self.request, grants=(Scope.PUBLISH,))
        try:
            written = services.approve_revision(form.approval_of(self.record.pk), actor=actor, now=self.now)
        except RevisionMismatch:
            return self.shown_as_changed(form)
        except Refusal as refusal:
            self.read_again()
            add_refusal(form, refusal)
            return self.shown(form)
        self.log(written.post, form.message())
        messages.success(self.request, form.message())
        return HttpResponseRedirect(self.request.path)

    def shown_as_changed(self, form: SignatureForm) -> HttpResponse:
        """Return the page with the present content and a form without a tick."""
        self.read_again()
        compare_url = self.compare_url(str(form.data.get("revision_identifier", "")))
        fresh = self.new_form(str(form.data.get("name", ""))[:_LONGEST_NAME])
        return self.shown(fresh, is_changed=True, compare_url=compare_url)


class ReviewPostView(SignaturePage):
    """A post as a reviewer needs to see it, and the form that signs its present content."""

    permissions = (Permission.APPROVE,)
    page_name = "review"

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        form = SignatureForm(request.POST)
        if form.is_valid():
            return self.sign(form)
        is_stale = form.data.get("revision_identifier") != self.signed_identifier()
        return self.shown_as_changed(form) if is_stale else self.shown(form)

    def signed_identifier(self) -> str:
        post = self.record
        if post.status == PostStatus.PUBLISHED and post.public_revision is not None:
            return post.public_revision.identifier
        return post.current_revision_identifier

    def compare_url(self, seen: str) -> str:
        seen = seen[:64]
        is_stored = bool(seen) and revision_with(self.record, seen) is not None
        return f"{self.url('compare', self.record.pk)}?from={seen}&to=draft" if is_stored else ""

    def shown(self, form: SignatureForm, **context: Any) -> HttpResponse:
        post = self.record
        reviewed = reviewed_content(post)
        compared, recorded = reviewed.compared, reviewed.recorded
        writer = (
            (recorded.actor, recorded.made_by_ai) if recorded else (post.unrecorded_actor, post.unrecorded_made_by_ai)
        )
        has_responsible_party = find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
        return self.post_page(
            "review.html",
            title=_("Review"),
            form=form,
            article_url=f"{self.url('article', post.pk)}?revision={post.current_revision_identifier}",
            compared=compared,
            is_public_compared=compared is not None and compared.pk == post.public_revision_id,
            differences=differences_between(compared.payload if compared else None, present_payload(post)),
            approvals=[(approval_sentence(approval), approval.approved_at) for approval in reviewed.approvals],
            findings=findings_of(post, has_responsible_party=has_responsible_party, now=self.now),
            authorship=authorship(*writer),
            provenance=provenance_name(post.provenance),
            evidence=evidence_in_words(post.provenance_evidence or ""),
            identifier=self.signed_identifier(),
            **context,
        )


@method_decorator(xframe_options_sameorigin, name="dispatch")
class StoredArticleView(DeskView):
    """The article page of a stored post, whatever its status, for a frame of the review page.

    With the identifier of another revision than the present one, it says that the post was changed.
    """

    permissions = ANY_OF_POSTS

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        keep_out_of_page_caches(request)
        post = stored_article(self.kwargs["post_id"])
        if post is None:
            raise Http404
        if request.GET.get("revision", post.current_revision_identifier) != post.current_revision_identifier:
            return never_stored(HttpResponse(_("This post was changed. Load the review again."), status=409))
        return article_preview(request, post, now=self.now)


def article_preview(
    request: HttpRequest, post: Post, *, now: datetime, around: Surroundings | None = None
) -> HttpResponse:
    """Return the article page of a post that need not be public or stored."""
    reader = ReaderView()
    reader.setup(request)
    with override(get_settings().catalogue):
        blog = describe_blog(reader.urls, now=now)
        whole = article_page(post, blog=blog, urls=reader.urls, now=now, kind=PageKind.PREVIEW, around=around)
        return unlisted(reader.page_response("post", whole.page, blog=blog, article=whole.article))


def unlisted(response: HttpResponse) -> HttpResponse:
    """Mark a response for no cache and no search engine, and return it."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return never_stored(response)
