"""Taking the text of a version from the public history, and showing it again: a page of confirmation."""

from functools import cached_property
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from blog_engine import services
from blog_engine.admin.base import Permission, add_refusal
from blog_engine.admin.post_page import PostPage
from blog_engine.conf import get_settings
from blog_engine.enums import PostStatus
from blog_engine.errors import Refusal
from blog_engine.inputs.base import parse
from blog_engine.inputs.history import LONGEST_REASON, PublicVersionRef, WithholdVersion
from blog_engine.models import Post
from blog_engine.queries.public_history import identifier_of, last_withholding, was_public
from blog_engine.queries.reviews import post_without_content


class _ShowForm(forms.Form):
    """The act of the button, as the person saw it."""

    act = forms.CharField(required=False, max_length=10, widget=forms.HiddenInput)


class _WithholdForm(_ShowForm):
    """The reason for which a version is withheld."""

    reason = forms.CharField(
        label=gettext_lazy("Why it is withheld"),
        max_length=LONGEST_REASON,
        help_text=gettext_lazy("Readers see this in place of the text, so it must not repeat it."),
    )


class WithholdVersionView(PostPage):
    """Withhold a version that was public, or show it again if it is withheld."""

    permissions = (Permission.PUBLISH,)

    def find(self, post_id: int) -> Post | None:
        post = post_without_content(post_id)
        return post if post and was_public(post.pk, self.kwargs["identifier"]) else None

    @cached_property
    def _is_withheld(self) -> bool:
        last = last_withholding(self.record.pk, self.kwargs["identifier"])
        return last is not None and last.is_withheld

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return self._shown(self._form(initial={"act": "show" if self._is_withheld else "withhold"}))

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        form, wanted = self._form(request.POST), request.POST.get("act")
        if wanted not in ("show", "withhold"):
            return self._shown(self._form(initial={"act": "show" if self._is_withheld else "withhold"}))
        if (wanted == "show") != self._is_withheld:
            messages.info(request, _("You have done this already."))
            return HttpResponseRedirect(self._back_url)
        if not form.is_valid():
            return self._shown(form)
        try:
            message = self._do(form)
        except Refusal as refusal:
            add_refusal(form, refusal)
            return self._shown(form)
        messages.success(request, message)
        self.log(self.record, message)
        return HttpResponseRedirect(self._back_url)

    def _do(self, form: forms.Form) -> str:
        named = {"id": str(self.record.pk), "identifier": self.kwargs["identifier"]}
        if self._is_withheld:
            services.show_version(PublicVersionRef(**named), actor=self.actor, now=self.now)
            return _("The text of this version is in the public history again.")
        data = parse(WithholdVersion, {"reason": form.cleaned_data["reason"]}, fixed=named)
        services.withhold_version(data, actor=self.actor, now=self.now)
        return _("The text of this version is withheld from readers.")

    def _form(self, data: Any = None, initial: dict[str, Any] | None = None) -> forms.Form:
        return (_ShowForm if self._is_withheld else _WithholdForm)(data, initial=initial)

    def _shown(self, form: forms.Form) -> HttpResponse:
        heading = _("Show this version again") if self._is_withheld else _("Withhold this version")
        return self.post_page(
            "publish.html",
            title=heading,
            form=form,
            sentence=self._sentence(),
            obstacle=self._obstacle(),
            button=heading,
            is_dangerous=not self._is_withheld,
            back_url=self._back_url,
            back_label=_("Back to the version"),
        )

    def _sentence(self) -> str:
        if self._is_withheld:
            return _("Readers can read the text of this version in the public history again.")
        sentence = _(
            "The page “How this article was made” goes on to name this version, with its time and identifier, but "
            "neither its text nor what changed in it. You can show it again."
        )
        if get_settings().public_history == "full":
            return sentence
        return sentence + " " + _("At present this blog does not show the texts of earlier versions to readers.")

    def _obstacle(self) -> str:
        post = self.record
        if not self._is_withheld and post.status == PostStatus.PUBLISHED and self._is_present(post):
            return _("Readers see this version now. Publish another version or withdraw the post first.")
        return ""

    def _is_present(self, post: Post) -> bool:
        return identifier_of(post) == str(self.kwargs["identifier"])

    @property
    def _back_url(self) -> str:
        return self.url("revision", self.record.pk, self.kwargs["identifier"])
