"""The page on which a reviewer reads a post and signs exactly the revision that it shows."""

from datetime import datetime
from typing import Any

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
from blog_engine.admin._history_words import approval_sentence, authorship, provenance_name
from blog_engine.admin._post_page import PostPage
from blog_engine.admin.base import ANY_OF_POSTS, DeskView, Permission, add_refusal
from blog_engine.conf import get_settings
from blog_engine.enums import PolicyKind, PostStatus
from blog_engine.errors import Refusal, RevisionMismatch
from blog_engine.findings.checks import findings_of
from blog_engine.http.responses import keep_out_of_page_caches, never_stored
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import ApproveRevision
from blog_engine.models import Post
from blog_engine.queries.articles import Surroundings, stored_article
from blog_engine.queries.policies import find_policy_url
from blog_engine.queries.reviews import reviewed_content, revision_with
from blog_engine.queries.versions import present_payload
from blog_engine.reader.article import article_page
from blog_engine.reader.blog import describe_blog
from blog_engine.reader.page import PageKind
from blog_engine.reader.view import ReaderView


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


def signed_message(form: SignatureForm) -> str:
    """Return what a valid signature says."""
    if form.cleaned_data["facts_checked"] == "yes":
        return _("Signed: the facts of this version are checked.")
    return _("Signed: this version was read; its facts are not checked.")


class ReviewPostView(PostPage):
    """A post as a reviewer needs to see it, and the form that signs its present content."""

    permissions = (Permission.APPROVE,)
    grants = (Scope.PUBLISH,)
    page_name = "review"

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return self._shown(self._new_form())

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        form = SignatureForm(request.POST)
        if not form.is_valid():
            is_stale = form.data.get("revision_identifier") != _signed_identifier(self.record)
            return self._shown_as_changed(form) if is_stale else self._shown(form)
        try:
            written = self._sign(form)
        except RevisionMismatch:
            return self._shown_as_changed(form)
        except Refusal as refusal:
            add_refusal(form, refusal)
            return self._shown(form)
        message = signed_message(form)
        self.log(written.post, message)
        messages.success(request, message)
        return HttpResponseRedirect(self.url("review", written.post.pk))

    def _sign(self, form: SignatureForm) -> services.Written:
        data = form.approval_of(self.record.pk)
        return services.approve_revision(data, actor=self.actor, now=self.now)

    def _new_form(self, name: str = "") -> SignatureForm:
        initial = {"revision_identifier": _signed_identifier(self.record), "name": name or self.actor.name}
        return SignatureForm(initial=initial)

    def _shown_as_changed(self, form: SignatureForm) -> HttpResponse:
        self.read_again()
        seen = form.data.get("revision_identifier", "")[:64]
        is_stored = bool(seen) and revision_with(self.record, seen) is not None
        compare_url = f"{self.url('compare', self.record.pk)}?from={seen}&to=draft" if is_stored else ""
        fresh = self._new_form(str(form.data.get("name", ""))[:255])
        return self._shown(fresh, is_changed=True, compare_url=compare_url)

    def _shown(self, form: SignatureForm, **context: Any) -> HttpResponse:
        post = self.record
        reviewed = reviewed_content(post)
        compared, recorded = reviewed.compared, reviewed.recorded
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
            authorship=(
                authorship(recorded.actor, recorded.made_by_ai)
                if recorded
                else authorship(post.unrecorded_actor, post.unrecorded_made_by_ai)
            ),
            provenance=provenance_name(post.provenance),
            identifier=_signed_identifier(post),
            **context,
        )


def _signed_identifier(post: Post) -> str:
    """Return the revision that a signature covers: of a public post the public one, else the present content."""
    if post.status == PostStatus.PUBLISHED and post.public_revision is not None:
        return post.public_revision.identifier
    return post.current_revision_identifier


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
        return framed_article(request, post, now=self.now)


def framed_article(
    request: HttpRequest, post: Post, *, now: datetime, around: Surroundings | None = None
) -> HttpResponse:
    """Return the article page of a post that need not be public or stored, for a frame of the desk."""
    reader = ReaderView()
    reader.setup(request)
    with override(get_settings().catalogue):
        blog = describe_blog(reader.urls, now=now)
        whole = article_page(post, blog=blog, urls=reader.urls, now=now, kind=PageKind.PREVIEW, around=around)
        response = reader.page_response("post", whole.page, blog=blog, article=whole.article)
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return never_stored(response)
