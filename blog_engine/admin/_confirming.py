"""Confirmation pages: what readers are going to see, in one sentence, and a form that does it."""

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from blog_engine.admin._post_page import PostPage
from blog_engine.admin.base import Permission, add_refusal, may
from blog_engine.admin.states import shown_moment, status_name
from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import PostStatus
from blog_engine.errors import Refusal, RevisionMismatch
from blog_engine.models import Post, Revision
from blog_engine.services import Written


class ConfirmForm(forms.Form):
    """The state that the person saw, so that a change in the meantime is noticed."""

    expected_version = forms.IntegerField(min_value=1, max_value=2**62, widget=forms.HiddenInput)
    seen_status = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    seen_revision = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)


def what_was_seen(post: Post) -> dict[str, object]:
    """Return the values of the hidden fields for a post as it is."""
    return {
        "expected_version": post.version,
        "seen_status": post.status,
        "seen_revision": post.current_revision_identifier,
    }


class RefusalLink(NamedTuple):
    """A link that helps after a refusal."""

    label: str
    url: str


class ConfirmView(PostPage):
    """Base of the pages: GET shows the sentence and the form, POST does what the button says."""

    permissions = (Permission.PUBLISH,)
    template: ClassVar[str] = "publish.html"
    is_dangerous: ClassVar[bool] = False

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return self.shown(self.new_form())

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        before, form = self.record, self.make_form(request.POST)
        is_stale = str(before.version) != request.POST.get("expected_version")
        is_valid = form.is_valid()
        if is_stale:
            return self._shown_as_changed(form.cleaned_data)
        if self.obstacle():
            return self.shown(form)
        early = self.before_act(form) if is_valid else self.shown(form)
        if early is not None:
            return early
        try:
            written = self.act(form)
        except RevisionMismatch:
            return self._shown_as_changed(form.cleaned_data)
        except Refusal as refusal:
            self.read_again()
            add_refusal(form, refusal)
            return self.shown(form, objections=_objections(refusal), next_step=self.next_step(refusal))
        message = self.done(written, form)
        if written.post.pk is not None:
            self.log(written.post, message)
        else:
            self.model_admin.log_deletions(request, [before])
        messages.success(request, message)
        return HttpResponseRedirect(self.url("changelist") if written.post.pk is None else self.back_url)

    def heading(self) -> str:
        """Return the heading, which names the action."""
        raise NotImplementedError

    def button(self) -> str:
        """Return the label of the button."""
        raise NotImplementedError

    def sentence(self) -> str:
        """Return what readers are going to see."""
        raise NotImplementedError

    def obstacle(self) -> str:
        """Return why there is nothing to do for the post in its present state, else an empty text."""
        return ""

    def before_act(self, form: ConfirmForm) -> HttpResponse | None:
        """Return a page to show instead of calling the service, or ``None``."""
        return None

    def act(self, form: ConfirmForm) -> Written:
        """Call the service with a valid form."""
        raise NotImplementedError

    def done(self, written: Written, form: ConfirmForm) -> str:
        """Return what happened."""
        raise NotImplementedError

    def make_form(self, data: Any = None, initial: dict[str, Any] | None = None) -> ConfirmForm:
        """Return the form, filled in with what was sent or with initial values."""
        return ConfirmForm(data, initial=initial)

    def new_form(self, sent: dict[str, Any] | None = None) -> ConfirmForm:
        """Return a form about the post as it is, with what a person entered before."""
        return self.make_form(initial={**(sent or {}), **self.seen()})

    def seen(self) -> dict[str, object]:
        """Return the values of the hidden fields."""
        return what_was_seen(self.record)

    def shown(self, form: ConfirmForm, **context: Any) -> HttpResponse:
        """Return the page."""
        return self.post_page(
            self.template,
            title=self.heading(),
            form=form,
            sentence=self.sentence(),
            obstacle=self.obstacle(),
            button=self.button(),
            is_dangerous=self.is_dangerous,
            back_url=self.back_url,
            back_label=self.back_label(),
            **context,
        )

    @property
    def back_url(self) -> str:
        """The path of the page to which the person returns."""
        return self.url("history", self.record.pk)

    def back_label(self) -> str:
        """Return the label of the link to that page."""
        return _("Back to the history")

    @property
    def path(self) -> str:
        """The path of the article on the site."""
        return BlogURLs.on(self.base_url).post_path(self.record.slug)

    def _shown_as_changed(self, sent: dict[str, Any]) -> HttpResponse:
        self.read_again()
        post = self.record
        seen = sent.get("seen_revision")
        compare_url = ""
        if seen != post.current_revision_identifier and Revision.objects.filter(post=post, identifier=seen).exists():
            compare_url = f"{self.url('compare', post.pk)}?from={seen}&to=draft"
        return self.shown(self.new_form(sent), changes=list(_changes(sent, post)), compare_url=compare_url)

    def next_step(self, refusal: Refusal) -> RefusalLink | None:
        """Return a link that helps after a refusal, if there is one."""
        post_id = self.record.pk
        if refusal.code == "approval_required" and may(self.request, Permission.APPROVE):
            return RefusalLink(_("Open the review"), self.url("review", post_id))
        if refusal.code == "refused_by_host":
            return RefusalLink(_("Change the post"), self.url("change", post_id))
        return None


def _objections(refusal: Refusal) -> list[str]:
    return refusal.details if refusal.code == "refused_by_host" else []


def _changes(seen: dict[str, Any], post: Post) -> Iterator[str]:
    """Yield what is different from the post that a person saw."""
    is_other = False
    if seen.get("seen_status") != post.status:
        is_other = True
        names = {"before": status_name(seen.get("seen_status", "")), "now": status_name(post.status)}
        yield _("Its state was “%(before)s” and is now “%(now)s”.") % names
    if seen.get("seen_revision") != post.current_revision_identifier:
        is_other = True
        by = post.unrecorded_actor
        yield _("%(name)s changed its content.") % {"name": by} if by else _("Its content was changed.")
    if post.status == PostStatus.SCHEDULED:
        yield _("It is going to be published on %(time)s.") % {"time": shown_moment(post.publish_at)}
    if not is_other:
        yield _("Something else was changed, such as its tags, or a request for a review.")
