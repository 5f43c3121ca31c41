"""The conversation on the page of a review: sending back, remarks on passages, answers, and what is resolved."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Final

from django import forms
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from blog_engine import services
from blog_engine.actor import Actor, Scope
from blog_engine.admin.base import signed_in_actor
from blog_engine.admin.conversation import threads_of
from blog_engine.admin.post_fields import LinesField
from blog_engine.admin.reviews import SignaturePage
from blog_engine.admin.words import sentence_for
from blog_engine.enums import PostStatus, RemarkKind
from blog_engine.errors import Refusal, RevisionMismatch
from blog_engine.inputs.base import parse
from blog_engine.inputs.conversation import (
    LONGEST_PASSAGE,
    LONGEST_REMARK,
    AddRemark,
    AnswerRemark,
    ResolveRemark,
    ReturnReview,
)
from blog_engine.models import Post, Remark
from blog_engine.services import Written


class TalkForm(forms.Form):
    """One step of the conversation. A page has several of these forms, so that ids of controls begin with a name."""

    step: ClassVar[str]
    done: ClassVar[Promise]

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id=f"{self.step}_%s")

    def clean(self) -> dict[str, Any]:
        for name, text in list(self.cleaned_data.items()):
            if self.fields[name].required and isinstance(text, str) and not text.strip():
                self.add_error(name, self.fields[name].error_messages["required"])
        return self.cleaned_data

    def take(self, post: Post, *, actor: Actor, now: datetime) -> Written:
        """Call the service with a valid form."""
        raise NotImplementedError


class ReturnForm(TalkForm):
    """A post that is sent back, with what the writer should change."""

    step = "return"
    done = gettext_lazy("Sent back. The writer sees it on top of the text.")
    text = LinesField(
        gettext_lazy("What should change?"),
        gettext_lazy("The writer reads it on top of the text."),
        required=True,
        rows=3,
        max_length=LONGEST_REMARK,
    )

    def take(self, post: Post, *, actor: Actor, now: datetime) -> Written:
        # A form without it has seen no revision: no post has one of this name.
        seen = self.data.get("revision_identifier") or "unseen"
        sent = {"note": self.cleaned_data["text"], "expected_revision": seen}
        return services.return_review(parse(ReturnReview, sent, fixed={"id": str(post.pk)}), actor=actor, now=now)


class RemarkForm(TalkForm):
    """A remark, on a passage if one is quoted."""

    step = "remark"
    done = gettext_lazy("The remark is stored.")
    passage = LinesField(
        gettext_lazy("Passage"),
        gettext_lazy("The words of the article that you mean. Leave it empty for a remark on the whole."),
        rows=2,
        max_length=LONGEST_PASSAGE,
    )
    text = LinesField(gettext_lazy("Remark"), required=True, rows=3, max_length=LONGEST_REMARK)

    def take(self, post: Post, *, actor: Actor, now: datetime) -> Written:
        sent = {"text": self.cleaned_data["text"], "passage": self.cleaned_data["passage"].strip()}
        return services.add_remark(parse(AddRemark, sent, fixed={"id": str(post.pk)}), actor=actor, now=now)


class AnswerForm(TalkForm):
    """An answer to an entry."""

    step = "answer"
    done = gettext_lazy("The answer is stored.")
    remark = forms.IntegerField(min_value=1, max_value=2**62, widget=forms.HiddenInput)
    text = LinesField(gettext_lazy("Answer"), required=True, rows=2, max_length=LONGEST_REMARK)

    def take(self, post: Post, *, actor: Actor, now: datetime) -> Written:
        return services.answer_remark(
            parse(AnswerRemark, self.cleaned_data, fixed={"id": str(post.pk)}), actor=actor, now=now
        )


class ResolveForm(TalkForm):
    """A remark that is settled."""

    step = "resolve"
    done = gettext_lazy("The remark is resolved.")
    remark = forms.IntegerField(min_value=1, max_value=2**62, widget=forms.HiddenInput)

    def take(self, post: Post, *, actor: Actor, now: datetime) -> Written:
        return services.resolve_remark(
            parse(ResolveRemark, self.cleaned_data, fixed={"id": str(post.pk)}), actor=actor, now=now
        )


_STEPS: Final[Mapping[str, type[TalkForm]]] = {
    form.step: form for form in (ReturnForm, RemarkForm, AnswerForm, ResolveForm)
}
_REFUSALS: Final[Mapping[str, Promise]] = {
    "review.passage": gettext_lazy("The article does not have these words: copy them exactly."),
    "review.remark": gettext_lazy("This remark does not exist any more."),
}


class TalkPage(SignaturePage):
    """Base of a page of a review on which people talk about the post."""

    def step_form(self) -> TalkForm | None:
        """Return the step of the conversation that was sent, if it was one."""
        form_class = _STEPS.get(self.request.POST.get("step", ""))
        return form_class(self.request.POST) if form_class else None

    def take_step(self, form: TalkForm) -> HttpResponse:
        """Store a step and lead back to the page; what was written stays in the form if it is refused."""
        kept: dict[str, Any] = {f"{form.step}_form": form}
        if not form.is_valid():
            return self.shown(self.new_form(), **kept)
        actor = signed_in_actor(self.request, grants=(Scope.PUBLISH,))
        try:
            written = form.take(self.record, actor=actor, now=self.now)
        except RevisionMismatch:
            not_done = _("The post was changed while you were reading. Nothing was sent back.")
            return self.shown_as_changed(form, not_done=not_done, **kept)
        except Refusal as refusal:
            self.read_again()
            form.add_error(*_sentence(refusal, form))
            return self.shown(self.new_form(), **kept)
        messages.success(self.request, str(form.done))
        place = f"#remark-{written.remark.pk}" if written.remark else ""
        return HttpResponseRedirect(f"{self.request.path}{place}")

    def talk(self, remarks: list[Remark]) -> dict[str, Any]:
        """Return what the template shows of the conversation."""
        post, threads = self.record, threads_of(remarks)
        is_settled = post.status == PostStatus.ARCHIVED or post.is_reviewed
        asked = [one for one in remarks if one.kind == RemarkKind.REQUEST]
        return {
            "request_note": asked[-1].text if asked and post.review_requested_at else "",
            "open_threads": [one for one in threads if one.remark.is_open],
            "other_threads": [one for one in threads if not one.remark.is_open],
            "return_form": None if is_settled else ReturnForm(),
            "remark_form": RemarkForm(),
            "answer_form": AnswerForm(),
        }


def _sentence(refusal: Refusal, form: TalkForm) -> tuple[str | None, str]:
    """Return the field of a form that a refusal is about, and what to say there."""
    name = next((detail for detail in refusal.details if detail in _REFUSALS), "")
    if not name:
        return None, sentence_for(refusal, None)
    where = name.removeprefix("review.")
    return (where if where in form.fields and not form.fields[where].widget.is_hidden else None), str(_REFUSALS[name])
