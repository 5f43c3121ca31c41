"""Withdrawing a post and removing it: a page of confirmation for each."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from blog_engine import services
from blog_engine.admin._confirming import ConfirmForm, ConfirmView
from blog_engine.admin._path_words import refuse_target
from blog_engine.enums import PostStatus
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import RemovePost, UnpublishPost
from blog_engine.queries.bin import BIN_DAYS
from blog_engine.queries.history import is_retained
from blog_engine.rules.isolation import isolated
from blog_engine.services import Written


class WithdrawPostView(ConfirmView):
    """Make a public or archived post a draft."""

    page_name = "withdraw"
    is_dangerous = True

    @property
    def _is_archived(self) -> bool:
        return self.record.status == PostStatus.ARCHIVED

    @property
    def heading(self) -> str:
        return _("Move back to the drafts") if self._is_archived else _("Withdraw")

    def sentence(self) -> str:
        names = isolated({"title": self.record.title, "path": self.path})
        if self._is_archived:
            return _("For readers nothing changes: “%(title)s” becomes a draft that you can publish again.") % names
        return (
            _(
                "Readers who open %(path)s learn that “%(title)s” has been removed, and it leaves lists and feeds; "
                "you keep it as a draft."
            )
            % names
        )

    def obstacle(self) -> str:
        if self.record.status == PostStatus.SCHEDULED:
            return _("This post is not public yet: cancel its schedule instead.")
        return _("This post is not public.") if self.record.status == PostStatus.DRAFT else ""

    def act(self, form: ConfirmForm) -> Written:
        data = UnpublishPost(id=str(self.record.pk), expected_version=form.cleaned_data["expected_version"])
        return services.unpublish_post(data, actor=self.actor, now=self.now)

    def done(self, written: Written, form: ConfirmForm) -> str:
        if self._is_archived:
            return _("“%(title)s” is a draft again.") % isolated({"title": written.post.title})
        return _("Withdrawn. Readers cannot see “%(title)s” any more.") % isolated({"title": written.post.title})


class RemoveForm(ConfirmForm):
    """The target of the URL of an archived post."""

    redirect_to = forms.CharField(
        label=gettext_lazy("Where its URL leads"),
        required=False,
        max_length=2048,
        help_text=gettext_lazy(
            "The last part of the URL of another post, a path such as /about, or a whole URL. "
            "Without one, readers learn that the page has been removed."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_redirect_to(self) -> str:
        """Return the target; raises ``ValidationError`` with what is wrong with it."""
        target: str = self.cleaned_data["redirect_to"].strip()
        if target:
            refuse_target(target)
        return target


class RemovePostView(ConfirmView):
    """Delete a post that left no record, or archive it; the page says which."""

    page_name = "delete"
    is_dangerous = True

    @property
    def _is_deleted(self) -> bool:
        post = self.record
        return post.status in (PostStatus.DRAFT, PostStatus.SCHEDULED) and not is_retained(post)

    @property
    def _is_archived(self) -> bool:
        return self.record.status == PostStatus.ARCHIVED

    @property
    def heading(self) -> str:
        if self._is_archived:
            return _("Change where its URL leads")
        return pgettext("admin", "Delete") if self._is_deleted else pgettext("admin", "Remove")

    @property
    def button(self) -> str:
        if self._is_archived:
            return _("Change the redirect")
        return _("Move to the bin") if self._is_deleted else _("Remove and keep in the archive")

    def sentence(self) -> str:
        names = isolated({"title": self.record.title, "path": self.path})
        if self._is_archived:
            return _("Readers who open %(path)s are sent to the page that you name.") % names
        if self._is_deleted:
            names["days"] = str(BIN_DAYS)
            return (
                _("Readers never saw “%(title)s”: it waits in the bin for %(days)s days, then it is deleted.") % names
            )
        if self.record.status == PostStatus.PUBLISHED:
            return (
                _(
                    "Readers who open %(path)s are sent to the page that you name, or learn that “%(title)s” has been "
                    "removed; you keep it with its history in the archive."
                )
                % names
            )
        return _("Readers cannot see “%(title)s” anyway; you keep it with its history in the archive.") % names

    def make_form(self, data: Any = None, initial: dict[str, Any] | None = None) -> ConfirmForm:
        if self._is_deleted:
            return ConfirmForm(data, initial=initial)
        form = RemoveForm(data, initial=initial)
        form.fields["redirect_to"].required = self._is_archived
        return form

    def act(self, form: ConfirmForm) -> Written:
        raw = {"redirect_to": form.cleaned_data.get("redirect_to") or None}
        expected = {"expected_version": form.cleaned_data["expected_version"]}
        data = parse(RemovePost, raw, fixed={"id": str(self.record.pk)} | expected)
        return services.remove_post(data, actor=self.actor, now=self.now)

    def done(self, written: Written, form: ConfirmForm) -> str:
        title = self.record.title
        if written.post.pk is None:
            return _("“%(title)s” is in the bin.") % isolated({"title": title})
        is_missing = any(finding.code == "redirect_target_missing" for finding in written.findings)
        if is_missing:
            return _("“%(title)s” is in the archive, but readers find no page at the target of its URL.") % isolated(
                {"title": title}
            )
        return _("“%(title)s” is in the archive.") % isolated({"title": title})
