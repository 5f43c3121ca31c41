"""Policy pages at the desk."""

from functools import cached_property
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from blog_engine import services
from blog_engine.admin.lists import POLICY_KINDS
from blog_engine.admin.records import (
    RecordFormView,
    RecordText,
    RecordView,
    day_field,
    name_field,
    slug_field,
)
from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.options import TooMuchMarkup
from blog_engine.enums import PolicyKind, PolicyStatus
from blog_engine.errors import Refusal, RevisionMismatch
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SavePage
from blog_engine.inputs.types import LONGEST_BODY, SHORT_TEXT
from blog_engine.models import PolicyPage
from blog_engine.queries.policies import policy_pages
from blog_engine.reader.policy import preview_policy
from blog_engine.rules.isolation import isolated


class PolicyForm(forms.Form):
    """The fields of a policy page."""

    kind = forms.ChoiceField(label=gettext_lazy("Policy"), choices=list(POLICY_KINDS.items()), widget=forms.RadioSelect)
    title = name_field(gettext_lazy("Title"))
    slug = slug_field(gettext_lazy("That of the policy when you leave it blank."))
    body = RecordText(
        label=pgettext_lazy("admin", "Text"),
        required=False,
        strip=False,
        max_length=LONGEST_BODY,
        widget=forms.Textarea(attrs={"rows": 24, "cols": 90, "class": "vLargeTextField"}),
        help_text=gettext_lazy("Markdown."),
    )
    status = forms.ChoiceField(
        label=gettext_lazy("Status"),
        choices=[
            (PolicyStatus.DRAFT.value, gettext_lazy("Draft: only the desk shows it")),
            (PolicyStatus.PUBLISHED.value, gettext_lazy("Published: readers see it, and each page links to it")),
        ],
        initial=PolicyStatus.DRAFT.value,
        widget=forms.RadioSelect,
    )
    approved_by = RecordText(
        label=gettext_lazy("Approved by"),
        required=False,
        max_length=SHORT_TEXT,
        help_text=gettext_lazy("The person who approved the text, if one did."),
    )
    approved_on = day_field(gettext_lazy("Approved on"), gettext_lazy("Today when you only enter a name."))
    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    """When the page that the user began with was saved."""

    def __init__(self, *args: Any, kinds: list[PolicyKind], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if kinds:
            self.fields["kind"].choices = [(kind.value, POLICY_KINDS[kind]) for kind in kinds]  # type: ignore[attr-defined]  # a ChoiceField
        else:
            del self.fields["kind"]


class SavePolicyView(RecordFormView):
    """The form of a policy page."""

    form_class = PolicyForm
    template = "policy_form.html"
    newer: PolicyPage | None = None
    """The page that somebody else saved in the meantime."""

    @cached_property
    def missing(self) -> list[PolicyKind]:
        """The kinds that have no page yet, on the page of a new one."""
        if self.record is not None:
            return []
        stored = set(policy_pages().values_list("kind", flat=True))
        return [kind for kind in PolicyKind if kind not in stored]

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        if self.record is None and not self.missing:
            return self.done(_("Each policy has its page already: choose the one to change."))
        return super().get(request, **kwargs)

    def make_form(self, data: Any = None, files: Any = None) -> forms.Form:
        return PolicyForm(data, initial=self.initial(), kinds=self.missing)

    def initial(self) -> dict[str, Any]:
        if self.record is None:
            return {"kind": next(iter(self.missing), "")}
        return super().initial() | {"seen": self.record.updated_at.isoformat()}

    def add_refusal(self, form: forms.Form, refusal: Refusal) -> None:
        if not isinstance(refusal, RevisionMismatch):
            super().add_refusal(form, refusal)
            return
        if self.record is None:
            form.add_error("kind", _("Somebody added a page for this policy in the meantime. Nothing was saved."))
            return
        self.newer = policy_pages().get(pk=self.record.pk)
        form.data = {**{name: form.data.get(name) for name in form.data}, "seen": self.newer.updated_at.isoformat()}
        form.add_error(
            None, _("Somebody saved this page in the meantime. Compare the texts; saving again replaces theirs.")
        )

    def save(self, form: forms.Form) -> Any:
        sent = {name: form.cleaned_data[name] for name in form.fields}
        seen, kind = sent.pop("seen"), sent.pop("kind", None)
        if self.record is not None:
            kind = self.record.kind
            sent = {name: value for name, value in sent.items() if name in form.changed_data}
        if sent.get("approved_on"):
            sent["approved_on"] = sent["approved_on"].isoformat()
        elif self.record is None:
            sent.pop("approved_on", None)
        data = parse(SavePage, sent, fixed={"kind": kind})
        return services.save_page(data, actor=self.actor, now=self.now, expected_updated_at=seen).page

    def answer(self, saved: Any) -> HttpResponse:
        self.log_saved(saved)
        if saved.status == PolicyStatus.PUBLISHED and (elsewhere := self.explanation()):
            messages.warning(self.request, elsewhere)
        return self.done(_("“%(name)s” was saved.") % isolated({"name": saved}), "change", saved.pk)

    def heading(self) -> str:
        if self.record is None:
            return _("Add a policy page")
        return str(POLICY_KINDS[self.record.kind])

    def explanation(self) -> str:
        """Return where the site has another page for the policy, if it has one."""
        elsewhere = None if self.record is None else get_settings().policy_urls.of(PolicyKind(self.record.kind))
        if not elsewhere:
            return ""
        names = isolated({"url": elsewhere})
        return _("The site has its own page for this policy, %(url)s: readers do not see this one.") % names

    def links(self) -> list[tuple[str, str]]:
        if self.record is None:
            return []
        shown = [(self.url("history", self.record.pk), pgettext("admin", "History"))]
        if self.record.status == PolicyStatus.PUBLISHED:
            shown.insert(0, (BlogURLs.on("").policy_path(self.record.slug), pgettext("admin", "View on site")))
        return shown

    def copy_key(self) -> str:
        """Return the key of the copy that a browser keeps of this user's unsaved text."""
        return f"{self.request.user.pk}:policy:{self.record.pk if self.record else 'new'}"

    def preview_url(self) -> str:
        """Return the URL to which a button sends the form for a preview."""
        return self.url("preview_new") if self.record is None else self.url("preview", self.record.pk)


class PreviewPolicyView(RecordView):
    """The text of the form, or a stored page, as readers would see it; nothing is stored."""

    is_once = False

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        if self.record is None:
            return HttpResponse(status=405, headers={"Allow": "POST"})
        return self._preview(self.record)

    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        stored = self.record or PolicyPage(kind=PolicyKind.EDITORIAL.value, slug="preview", title=_("Preview"))
        title = request.POST.get("title", "").strip()[:SHORT_TEXT] or stored.title
        body = request.POST.get("body", "").replace("\r\n", "\n")
        return self._preview(PolicyPage(kind=stored.kind, slug=stored.slug, title=title, body=body))

    def _preview(self, page: PolicyPage) -> HttpResponse:
        try:
            if len(page.body.encode()) > get_settings().max_body_bytes:
                raise TooMuchMarkup
            with translation.override(get_settings().catalogue):
                return preview_policy(self.request, page)
        except TooMuchMarkup:
            return HttpResponse(_("The text is too long to be shown."), content_type="text/plain; charset=utf-8")
