"""The library: images, where they are used, uploads, and pictures for the editor."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.admin._image_words import sentence_for_image
from blog_engine.admin.base import ANY_OF_POSTS, DeskView, Permission, may
from blog_engine.admin.image_origin import origin_facts
from blog_engine.admin.records import RecordFormView, RecordView
from blog_engine.admin.words import STATES
from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.source_types import is_ai_source
from blog_engine.errors import Refusal
from blog_engine.inputs.images import ImageBytes, UploadImage
from blog_engine.models import Image
from blog_engine.queries.database import refusal_of_database
from blog_engine.queries.image_uses import uses_of_image
from blog_engine.queries.images import images_by_filename
from blog_engine.rendering.images import thumbnail_path
from blog_engine.rules.isolation import isolated

MOST_FILES: Final = 20
"""Files of one upload."""
_PER_PAGE: Final = 24
"""Pictures that the editor offers at once."""


class FilesInput(forms.FileInput):
    """A control for several files."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files; which of them are images is checked when they are stored."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        """Return the files; raises ``ValidationError`` for none or too many."""
        sent = list(data or [])
        if not sent:
            raise forms.ValidationError(_("Choose at least one file."))
        if len(sent) > MOST_FILES:
            raise forms.ValidationError(_("At most %(most)s files at once."), params={"most": MOST_FILES})
        return sent


class UploadForm(forms.Form):
    """The files of an upload."""

    images = FilesField(label=gettext_lazy("Image files"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        accepted = get_settings().image_content_types
        self.fields["images"].widget.attrs["accept"] = ",".join(accepted)
        words = {
            "types": ", ".join(one.removeprefix("image/").upper() for one in accepted),
            "size": filesizeformat(get_settings().max_image_bytes),
            "most": MOST_FILES,
        }
        self.fields["images"].help_text = _("%(types)s, each at most %(size)s; at most %(most)s at once.") % words


@dataclass(frozen=True, slots=True)
class ShownImage:
    """An image with the path of its thumbnail."""

    image: Image
    thumbnail: str


def shown_image(image: Image) -> ShownImage:
    """Return an image with its thumbnail."""
    return ShownImage(image, thumbnail_path(image, urls=BlogURLs.on("")))


@dataclass(frozen=True, slots=True)
class Upload:
    """The result of uploading one file."""

    filename: str
    image: Image | None = None
    is_new: bool = False
    error: str = ""


class UploadImagesView(RecordFormView):
    """Store several files; each is stored or refused by itself."""

    permissions = (Permission.WRITE,)
    grants = ()
    form_class = UploadForm
    template = "image_upload.html"
    submit_label = gettext_lazy("Upload")

    def heading(self) -> str:
        return _("Upload images")

    def save(self, form: forms.Form) -> list[Upload]:
        return [self._stored(file) for file in form.cleaned_data["images"]]

    def answer(self, saved: Any) -> HttpResponse:
        uploads: list[Upload] = saved
        for upload in uploads:
            if upload.is_new:
                self.model_admin.log_addition(self.request, upload.image, [{"added": {}}])
        images = [upload.image for upload in uploads if upload.image]
        if located := [image.filename for image in images if image.has_location]:
            words = _("Readers can learn from the file where this photo was taken: %(names)s.")
            messages.warning(self.request, words % isolated({"names": ", ".join(located)}))
        if by_ai := [image.filename for image in images if is_ai_source(image.source_type_in_file)]:
            words = _("The file says that AI made or changed this image: %(names)s.")
            messages.info(self.request, words % isolated({"names": ", ".join(by_ai)}))
        if len(images) < len(uploads):
            # The page names each file that was refused, and why.
            shown = [(upload, shown_image(upload.image).thumbnail if upload.image else "") for upload in uploads]
            return self.show(self.make_form(), uploads=shown)
        if len(images) == 1:
            text = _("The image was stored.") if uploads[0].is_new else _("The blog already had this image.")
            return self.done(text, "change", images[0].pk)
        number = len(images)
        text = ngettext("%(number)s image was stored.", "%(number)s images were stored.", number)
        return self.done(text % {"number": number})

    def _stored(self, file: UploadedFile) -> Upload:
        name = str(file.name)
        try:
            image = store_upload(file, actor=self.actor, now=self.now)
        except (Refusal, Error) as fault:
            refusal = refusal_of_database(fault)
            if refusal is None:
                raise
            return Upload(name, error=sentence_for_image(refusal, file))
        return Upload(name, image, is_new=image.created_at == self.now)


def store_upload(file: UploadedFile, *, actor: Actor, now: datetime) -> Image:
    """Store an uploaded file; raises what ``store_image`` raises. No more is read than the largest image may have.

    The type is that of the bytes: browsers make the declared one of the ending of the name.
    """
    content = file.read(get_settings().max_image_bytes + 1)
    sent = ImageBytes(content, filename=file.name or "image", content_type=None)
    return services.store_image(UploadImage(file=sent), actor=actor, now=now)


class ImageView(RecordView):
    """An image with its metadata, its URL and Markdown to copy, and where it is used."""

    permissions = ANY_OF_POSTS
    grants = ()

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        image: Image = self.record
        uses, site = uses_of_image(image), self.model_admin.admin_site.name
        may_open_authors = may(request, Permission.MANAGE_SUPPORTING)
        titles = {
            "covers": _("As the cover of"),
            "socials": _("As the image for social media of"),
            "bodies": _("In the text of"),
        }
        return self.page(
            "image.html",
            title=image.filename,
            image=image,
            copies=[
                ("image-url", pgettext("admin", "URL"), f"{self.base_url}{image.url}"),
                ("image-markdown", _("Markdown"), f"![]({image.url})"),
            ],
            uses=uses,
            posts=[
                (text, [(post, STATES[post.status]) for post in getattr(uses, name)])
                for name, text in titles.items()
                if getattr(uses, name)
            ],
            post_change=f"{site}:blog_engine_post_change",
            author_change=f"{site}:blog_engine_author_change" if may_open_authors else "",
            origin=origin_facts(image),
            origin_url=self.url("origin", image.pk) if may(request, Permission.WRITE) else "",
            history_url=self.url("history", image.pk),
            delete_url=self.url("delete", image.pk) if may(request, Permission.PUBLISH) else "",
        )


class UploadImageView(DeskView):
    """Stores a picture that was dropped, pasted or chosen in the editor, and answers with its id and path as JSON."""

    permissions = (Permission.WRITE,)
    is_once = False

    def post(self, request: HttpRequest) -> HttpResponse:
        file = request.FILES.get("file")
        if file is None:
            return JsonResponse({"message": _("Choose an image.")}, status=422)
        try:
            image = store_upload(file, actor=self.actor, now=self.now)
        except (Refusal, Error) as fault:
            refusal = refusal_of_database(fault)
            if refusal is None:
                raise
            return JsonResponse({"message": sentence_for_image(refusal, file)}, status=422)
        stored = {"id": image.pk, "name": image.filename, "path": image.url}
        return JsonResponse(stored | {"thumbnail": shown_image(image).thumbnail}, status=201)


class PickImageView(DeskView):
    """A page of the library, newest first, with the id of each picture. Scripts show it in a dialog of the editor."""

    permissions = ANY_OF_POSTS

    def get(self, request: HttpRequest) -> HttpResponse:
        words = request.GET.get("q", "").replace("\0", "").strip()[:255]
        sent = request.GET.get("p", "")
        number = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 7 and int(sent) else 1
        # One more tells whether there is a next page: counting a library takes as long as it is large.
        found = list(images_by_filename(words)[(number - 1) * _PER_PAGE : number * _PER_PAGE + 1])
        return self.page(
            "pick_image.html",
            title=_("Images"),
            images=[shown_image(image) for image in found[:_PER_PAGE]],
            words=words,
            previous=number - 1,
            next=number + 1 if len(found) > _PER_PAGE else None,
            is_popup=True,
        )
