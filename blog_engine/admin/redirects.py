"""Redirects at the desk: listed, added and deleted."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from blog_engine import services
from blog_engine.admin._path_words import refuse_path, refuse_target
from blog_engine.admin.lists import REDIRECT_SOURCES
from blog_engine.admin.records import DeleteRecordView, RecordFormView, RecordText, RecordView, day_field
from blog_engine.errors import Refusal, SlugReserved
from blog_engine.findings import findings_of_redirects
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import RedirectRef, SaveRedirect
from blog_engine.inputs.types import LINK_LENGTH
from blog_engine.models import Redirect
from blog_engine.queries.redirects import redirect_at
from blog_engine.rules.isolation import isolated


class RedirectForm(forms.Form):
    """The fields of a redirect."""

    old_path = RecordText(
        label=gettext_lazy("Old path"),
        max_length=LINK_LENGTH,
        help_text=gettext_lazy("From the root of the site, such as /old-page or /blog/old-post."),
        widget=forms.TextInput(attrs={"class": "vTextField", "spellcheck": "false"}),
    )
    new_path = RecordText(
        label=gettext_lazy("New path"),
        required=False,
        max_length=LINK_LENGTH,
        help_text=gettext_lazy(
            "The last part of a post's URL, a path of this site, or a whole URL. "
            "Leave it blank for a page that is gone (410)."
        ),
        widget=forms.TextInput(attrs={"class": "vTextField", "spellcheck": "false"}),
    )
    occurred_on = day_field(gettext_lazy("Date of the move"), gettext_lazy("Today when you leave it blank."))

    def clean_old_path(self) -> str:
        """Return the path; raises ``ValidationError`` with what is wrong with it."""
        path: str = self.cleaned_data["old_path"]
        refuse_path(path)
        return path

    def clean_new_path(self) -> str:
        """Return the target, as ``clean_old_path`` does."""
        target: str = self.cleaned_data["new_path"]
        if target:
            refuse_target(target)
        return target


class AddRedirectView(RecordFormView):
    """The form of a new redirect."""

    form_class = RedirectForm

    def save(self, form: forms.Form) -> Any:
        sent = {name: value for name, value in form.cleaned_data.items() if value}
        if day := sent.get("occurred_on"):
            sent["occurred_on"] = day.isoformat()
        return services.add_redirect(parse(SaveRedirect, sent), actor=self.actor, now=self.now)

    def add_refusal(self, form: forms.Form, refusal: Refusal) -> None:
        if isinstance(refusal, SlugReserved):
            form.add_error("old_path", _("A post has this path: remove that post with a redirect instead."))
        elif "old_path" in refusal.details and (other := redirect_at(form.cleaned_data["old_path"])):
            link = format_html('<a href="{}">{}</a>', self.url("change", other.pk), other.old_path)
            words = _("This path has a redirect already. Delete it first: %(link)s.")
            form.add_error("old_path", format_html(words.replace("%(link)s", "{}"), link))
        else:
            super().add_refusal(form, refusal)

    def answer(self, saved: Any) -> HttpResponse:
        (findings,) = findings_of_redirects([saved], now=self.now)
        if not saved.is_new:
            return self.done(_("The blog already had this redirect."), findings=findings)
        self.model_admin.log_addition(self.request, saved, [{"added": {}}])
        names = isolated({"old": saved.old_path, "new": saved.new_path})
        if findings:
            return self.done(_("The redirect from “%(old)s” was stored.") % names, findings=findings)
        if saved.new_path is None:
            return self.done(_("“%(old)s” is gone (410) now.") % names)
        return self.done(_("“%(old)s” redirects to “%(new)s” now.") % names)


class RedirectView(RecordView):
    """A redirect; to change it, delete it and add another one."""

    grants = ()

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        row: Redirect = self.record
        post = f"{self.model_admin.admin_site.name}:blog_engine_post_change"
        return self.page(
            "redirect.html",
            title=_("Redirect from “%(path)s”") % isolated({"path": row.old_path}),
            redirect=row,
            source=REDIRECT_SOURCES[row.source],
            post_url=reverse(post, args=[row.post_id]) if row.post_id else "",
            delete_url=self.url("delete", row.pk),
            history_url=self.url("history", row.pk),
        )


class DeleteRedirectView(DeleteRecordView):
    """Ask whether a redirect is to be deleted."""

    def heading(self) -> str:
        return _("Delete the redirect from “%(path)s”") % isolated({"path": self.record.old_path})

    def explanation(self) -> str:
        """Return what the deletion changes for readers."""
        if self.record.new_path is None:
            return _("Readers of this path are told that the page is gone (410). Afterwards it is unknown (404).")
        return _(
            "Readers of this path are sent to “%(path)s”. Afterwards it is unknown (404), and a new post can have it."
        ) % isolated({"path": self.record.new_path})

    def delete(self, form: forms.Form) -> None:
        services.delete_redirect(RedirectRef(id=self.record.pk), actor=self.actor)

    def answer(self, saved: Any) -> HttpResponse:
        return self.done(_("The redirect from “%(path)s” was deleted.") % isolated({"path": self.record.old_path}))
