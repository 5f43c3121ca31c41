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
from blog_engine.admin.base import ANY_OF_POSTS, DeskView, Permission, add_refusal, may, signed_in_actor
from blog_engine.admin.post_page import PostPage
from blog_engine.admin.signature import answer_sent, sentence_about_signature
from blog_engine.admin.words import REVIEW_REASONS
from blog_engine.conf import get_settings
from blog_engine.conf.extras import CAN_SIGN
from blog_engine.enums import ReviewReason
from blog_engine.errors import Refusal, RevisionMismatch
from blog_engine.http.responses import keep_out_of_page_caches, never_stored
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import ApproveRevision
from blog_engine.models import Post
from blog_engine.queries.articles import Surroundings, stored_article
from blog_engine.queries.people import posts_concerning
from blog_engine.queries.proposals import number_waiting
from blog_engine.queries.reviews import waiting_counts, waiting_posts
from blog_engine.reader.article import article_page
from blog_engine.reader.blog import describe_blog
from blog_engine.reader.page import PageKind, page_number
from blog_engine.reader.view import ReaderView
from blog_engine.rules.approvals import only_people_approve

_LONGEST_NAME: Final = 255


class ReviewQueueView(DeskView):
    """The posts that wait for a review, by reason, the oldest first."""

    permissions = ANY_OF_POSTS

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        is_mine = request.GET.get("mine") == "yes"
        posts, kept = (posts_concerning(request.user.pk), "&mine=yes") if is_mine else (None, "")
        counts = waiting_counts(posts)
        reason = self._reason(counts)
        number = page_number(request.GET.getlist("page"))
        if number is None:
            raise Http404
        url = self.url("queue")
        return self.page(
            "queue.html",
            title=_("Waiting for a review"),
            reasons=[
                (REVIEW_REASONS[one], count, f"{url}?reason={one.value}{kept}", one is reason)
                for one, count in counts.items()
            ],
            reason=reason.value,
            queue=waiting_posts(reason, number=number, total=counts[reason], posts=posts),
            is_mine=is_mine,
            kept=kept,
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

    def __init__(self, data: Any = None, *, account: str, initial: dict[str, Any] | None = None) -> None:
        """``account`` is the name of the signed-in user, which cannot be changed where only people approve."""
        super().__init__(data, initial={"name": account} | (initial or {}))
        if only_people_approve():
            self.initial["name"] = account
            name = self.fields["name"]
            name.disabled = True
            name.help_text = _("The name of your account. The history keeps it with this version.")

    def approval_of(self, post_id: int) -> ApproveRevision:
        """Return what a valid signature sends for this post; raises ``ValidationFailed``."""
        return parse(ApproveRevision, self.signature(), fixed={"id": str(post_id)})

    def signature(self) -> dict[str, Any]:
        """Return what a valid signature says, and of which revision."""
        sent = self.cleaned_data
        names = {"revision_identifier": sent["revision_identifier"], "name": sent["name"]}
        return names | {"facts_checked": sent["facts_checked"] == "yes"}

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

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return self.shown(self.new_form())

    def new_form(self, name: str = "") -> SignatureForm:
        """Return a form about the present content, with the name of the user or another one."""
        return SignatureForm(account=self.actor.name, initial=self.initial(name))

    def initial(self, name: str) -> dict[str, Any]:
        """Return the values of a form about the present content."""
        return {"revision_identifier": self.signed_identifier(), "name": name or self.actor.name}

    def passkey_urls(self) -> dict[str, str]:
        """Return what the template needs so that a passkey can sign; nothing without the extra ``passkeys``."""
        if not CAN_SIGN:
            return {}
        return {"challenge_url": self.url("challenge", self.record.pk), "passkeys_url": self.url("passkeys")}

    def name_in(self, form: forms.Form) -> str:
        """Return the name that was sent, whatever it is."""
        return str(form.data.get("name", ""))[:_LONGEST_NAME]

    def sign(self, form: SignatureForm) -> HttpResponse:
        """Store a valid signature, and lead back to the page; a refusal is an error of the form."""
        actor = signed_in_actor(self.request, grants=(Scope.PUBLISH,))
        try:
            data, signed = form.approval_of(self.record.pk), answer_sent(self.request, actor)
            written = services.sign_revision(data, actor=actor, now=self.now, signed=signed)
        except RevisionMismatch:
            return self.shown_as_changed(form)
        except Refusal as refusal:
            self.read_again()
            self.add_fault(form, refusal)
            return self.shown(form)
        if written.records.approval is not None:
            self.log(written.post, form.message())
        messages.success(self.request, form.message())
        return HttpResponseRedirect(self.request.path)

    def add_fault(self, form: SignatureForm, refusal: Refusal) -> None:
        """Show a refusal as an error of the form, one of the passkey in the words for it."""
        sentence = sentence_about_signature(refusal)
        if sentence:
            form.add_error(None, sentence)
        else:
            add_refusal(form, refusal)

    def shown_as_changed(self, form: forms.Form, **context: Any) -> HttpResponse:
        """Return the page with the present content and a form of a signature without a tick."""
        self.read_again()
        return self.shown(self.new_form(self.name_in(form)), is_changed=True, **context)


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
