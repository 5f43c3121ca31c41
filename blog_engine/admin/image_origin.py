"""The page on which people read and change the origin of an image."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.http import HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from blog_engine import services
from blog_engine.admin.base import Permission
from blog_engine.admin.records import RecordFormView
from blog_engine.content.source_types import CREDIT_LENGTH
from blog_engine.enums import SourceTypeFrom
from blog_engine.inputs.images import UpdateImage
from blog_engine.models import Image
from blog_engine.rules.isolation import isolated

SOURCE_TYPE_WORDS: Final[Mapping[str, Promise]] = {
    "digitalCapture": gettext_lazy("Photo"),
    "computationalCapture": gettext_lazy("Photo that the camera made of several shots"),
    "negativeFilm": gettext_lazy("Scan of a negative"),
    "positiveFilm": gettext_lazy("Scan of a slide"),
    "print": gettext_lazy("Scan of a print"),
    "humanEdits": gettext_lazy("Edited by people, without AI that makes pictures"),
    "algorithmicallyEnhanced": gettext_lazy("Changed by software, without AI that makes pictures"),
    "digitalCreation": gettext_lazy("Drawn or painted by people with software"),
    "dataDrivenMedia": gettext_lazy("Drawn from data, such as a chart"),
    "trainedAlgorithmicMedia": gettext_lazy("Made by AI"),
    "algorithmicMedia": gettext_lazy("Made by software without AI, such as a fractal"),
    "screenCapture": gettext_lazy("Screenshot"),
    "virtualRecording": gettext_lazy("Recording of a virtual event"),
    "composite": gettext_lazy("Put together from several pictures"),
    "compositeCapture": gettext_lazy("Put together from several photos"),
    "compositeSynthetic": gettext_lazy("Put together, with parts made by AI"),
    "compositeWithTrainedAlgorithmicMedia": gettext_lazy("Changed with AI"),
}
"""The terms that can be sent, in words for people."""


def origin_facts(image: Image) -> list[tuple[str, str]]:
    """Return what the page of an image says of where it comes from, each with its label."""
    term = image.digital_source_type
    made = str(SOURCE_TYPE_WORDS.get(term, term)) if term else _("not known")
    if image.source_type_from == SourceTypeFrom.FILE:
        made = _("%(made)s (the file says so)") % {"made": made}
    elif image.source_type_from == SourceTypeFrom.SENT:
        made = _("%(made)s (set by hand)") % {"made": made}
    facts = [(_("Credit"), image.credit or _("no one")), (_("How it was made"), made)]
    if image.source_type_in_file and image.source_type_in_file != term:
        in_file = str(SOURCE_TYPE_WORDS.get(image.source_type_in_file, image.source_type_in_file))
        facts.append((_("The file says"), in_file))
    return facts


class OriginForm(forms.Form):
    """Credit and source of an image."""

    credit = forms.CharField(
        label=gettext_lazy("Credit"),
        max_length=CREDIT_LENGTH,
        required=False,
        help_text=gettext_lazy("Who is to be named with the image, such as “Ann Lee / Quay Press”."),
    )
    digital_source_type = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stored = self.initial.get("digital_source_type")
        words: dict[str, Any] = {"": gettext_lazy("Not known"), **SOURCE_TYPE_WORDS}
        if stored:
            # A retired term, which only files have.
            words.setdefault(stored, stored)
        self.fields["digital_source_type"] = forms.ChoiceField(
            label=gettext_lazy("How it was made"),
            required=False,
            choices=list(words.items()),
            help_text=gettext_lazy("Readers are told when AI made or changed an image."),
        )


class ImageOriginView(RecordFormView):
    """Changes who is credited and how the image was made; only what a person changed is set by hand."""

    permissions = (Permission.WRITE,)
    grants = ()
    form_class = OriginForm

    def heading(self) -> str:
        return _("Where “%(name)s” comes from") % isolated({"name": self.record})

    def links(self) -> list[tuple[str, str]]:
        return [(self.url("change", self.record.pk), _("The image"))]

    def save(self, form: forms.Form) -> Image:
        changed = {name: form.cleaned_data[name] or None for name in form.changed_data}
        data = UpdateImage.from_data({"id": self.record.pk, **changed})
        return services.update_image(data, actor=self.actor, now=self.now)

    def answer(self, saved: Image) -> HttpResponse:
        self.log_saved(saved)
        return self.done(_("“%(name)s” was saved.") % isolated({"name": saved}), "change", saved.pk)
