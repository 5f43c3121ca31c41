"""Confirmation pages: what readers are going to see, in one sentence, and a form that does it."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from blog_engine.admin.base import Permission, add_refusal, may
from blog_engine.admin.post_page import PostPage
from blog_engine.admin.words import status_name
from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import PostStatus
from blog_engine.errors import Refusal, RevisionMismatch
from blog_engine.models import Post
from blog_engine.queries.versions import version_with
from blog_engine.rules.isolation import isolated
from blog_engine.services import Written


class ConfirmForm(forms.Form):
    """The state that the person saw, so that a change in the meantime is noticed."""

    expected_version = forms.IntegerField(min_value=1, max_value=2**62, widget=forms.HiddenInput)
    seen_status = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    seen_revision = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)


class ConfirmView(PostPage):
    """Base of the pages: GET shows the sentence and the form, POST does what the button says.

    A subclass names ``heading`` and ``button``, in a class attribute or a property.
    """

    permissions = (Permission.PUBLISH,)
    template: ClassVar[str] = "publish.html"
    form_class: ClassVar[type[ConfirmForm]] = ConfirmForm
    is_dangerous: ClassVar[bool] = False
    back_label: ClassVar[Any] = gettext_lazy("Back to the history")
    """The label of the link to ``back_url``."""

    @property
    def heading(self) -> Any:
        """The heading, which names the action."""
        raise NotImplementedError

    @property
    def button(self) -> Any:
        """The label of the button."""
        return self.heading

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return self.shown(self.make_form(initial=self.seen()))

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        before, form = self.record, self.make_form(request.POST)
        is_valid = form.is_valid()
        if str(before.version) != request.POST.get("expected_version"):
            return self._shown_as_changed(form.cleaned_data)
        if self.obstacle() or not is_valid:
            return self.shown(form)
        if preview := self.preview(form):
            return self.shown(form, checked=preview)
        try:
            written = self.act(form)
        except RevisionMismatch:
            return self._shown_as_changed(form.cleaned_data)
        except Refusal as refusal:
            self.read_again()
            add_refusal(form, refusal)
            objections = refusal.details if refusal.code == "refused_by_host" else []
            return self.shown(form, objections=objections, next_step=self.next_step(refusal))
        message = self.done(written, form)
        messages.success(request, message)
        if written.post.pk is None:
            self.model_admin.log_deletions(request, [before])
            return HttpResponseRedirect(self.url("changelist"))
        self.log(written.post, message)
        return HttpResponseRedirect(self.back_url)

    def sentence(self) -> str:
        """Return what readers are going to see."""
        raise NotImplementedError

    def obstacle(self) -> str:
        """Return why there is nothing to do for the post in its present state, else an empty text."""
        return ""

    def preview(self, form: ConfirmForm) -> str:
        """Return what would happen, if the button asks for that alone, else an empty text."""
        return ""

    def act(self, form: ConfirmForm) -> Written:
        """Call the service with a valid form."""
        raise NotImplementedError

    def done(self, written: Written, form: ConfirmForm) -> str:
        """Return what happened."""
        raise NotImplementedError

    def make_form(self, data: Any = None, initial: dict[str, Any] | None = None) -> ConfirmForm:
        """Return the form, filled in with what was sent or with initial values."""
        return self.form_class(data, initial=initial)

    def seen(self) -> dict[str, object]:
        """Return the values of the hidden fields for the post as it is."""
        post = self.record
        revision = post.current_revision_identifier
        return {"expected_version": post.version, "seen_status": post.status, "seen_revision": revision}

    def shown(self, form: ConfirmForm, **context: Any) -> HttpResponse:
        """Return the page."""
        return self.post_page(
            self.template,
            title=self.heading,
            form=form,
            sentence=self.sentence(),
            obstacle=self.obstacle(),
            button=self.button,
            is_dangerous=self.is_dangerous,
            back_url=self.back_url,
            back_label=self.back_label,
            **context,
        )

    @property
    def back_url(self) -> str:
        """The path of the page to which the person returns."""
        return self.url("history", self.record.pk)

    @property
    def path(self) -> str:
        """The path of the article on the site."""
        return BlogURLs.on(self.base_url).post_path(self.record.slug)

    def _shown_as_changed(self, sent: dict[str, Any]) -> HttpResponse:
        self.read_again()
        post = self.record
        seen = sent.get("seen_revision")
        compare_url = ""
        if seen and seen != post.current_revision_identifier and version_with(post, seen) is not None:
            compare_url = f"{self.url('compare', post.pk)}?from={seen}&to=draft"
        form = self.make_form(initial={**sent, **self.seen()})
        changes = list(changes_since(sent, post, planned=self.planned_time(post.publish_at)))
        return self.shown(form, changes=changes, compare_url=compare_url)

    def next_step(self, refusal: Refusal) -> tuple[str, str] | None:
        """Return the label and the path of a link that helps after a refusal, if there is one."""
        post_id = self.record.pk
        if refusal.code == "approval_required" and may(self.request, Permission.APPROVE):
            return _("Open the review"), self.url("review", post_id)
        if refusal.code == "refused_by_host":
            return _("Change the post"), self.url("change", post_id)
        return None


def changes_since(seen: Mapping[str, Any], post: Post, *, planned: str) -> Iterator[str]:
    """Yield what is different from the post that a person saw."""
    is_other = False
    if seen.get("seen_status") != post.status:
        is_other = True
        names = {"before": status_name(seen.get("seen_status", "")), "now": status_name(post.status)}
        yield _("Its state was “%(before)s” and is now “%(now)s”.") % names
    if seen.get("seen_revision") != post.current_revision_identifier:
        is_other = True
        by = post.unrecorded_actor
        yield _("%(name)s changed its content.") % isolated({"name": by}) if by else _("Its content was changed.")
    if post.status == PostStatus.SCHEDULED:
        yield _("It is going to be published on %(time)s.") % {"time": planned}
    if not is_other:
        yield _("Something else was changed, such as its tags, or a request for a review.")
