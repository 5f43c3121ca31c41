"""Authors at the desk."""

from typing import Any, Final

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from blog_engine import services
from blog_engine.admin._image_words import sentence_for_image
from blog_engine.admin.images import shown_image, store_upload
from blog_engine.admin.records import RecordText, long_text_field, name_field, slug_field
from blog_engine.admin.taxonomy import CountedAdmin, SaveRecordView
from blog_engine.enums import AuthorType, ListKind
from blog_engine.errors import ImageNotPermitted, Refusal
from blog_engine.inputs.records import CreateAuthor, UpdateAuthor
from blog_engine.inputs.types import LINK_LENGTH, LONGEST_LIST, SHORT_TEXT
from blog_engine.models import Author
from blog_engine.models.base import http_url
from blog_engine.queries.images import images_by_filename, images_with_ids
from blog_engine.queries.records import authors

_OFFERED: Final = 11
"""Images of the library that the form offers at once."""

_TYPES: Final = (
    (AuthorType.PERSON.value, gettext_lazy("A person")),
    (AuthorType.ORGANIZATION.value, gettext_lazy("An organization")),
)


class AuthorForm(forms.Form):
    """The fields of an author."""

    name = name_field(help_text=gettext_lazy("Posts that are already stored keep their byline."))
    slug = slug_field()
    type = forms.ChoiceField(
        label=pgettext_lazy("admin", "Type"), choices=_TYPES, widget=forms.RadioSelect, initial=AuthorType.PERSON.value
    )
    bio = long_text_field(
        gettext_lazy("About the author"), help_text=gettext_lazy("Readers see it on the author's page.")
    )
    url = RecordText(
        label=pgettext_lazy("admin", "URL"),
        required=False,
        max_length=LINK_LENGTH,
        validators=[http_url],
        widget=forms.URLInput(attrs={"class": "vURLField"}),
    )
    profile_urls = long_text_field(
        gettext_lazy("Profiles elsewhere"), rows=3, help_text=gettext_lazy("One URL in each line.")
    )
    host_reference = RecordText(
        label=gettext_lazy("Reference of the site"),
        required=False,
        max_length=SHORT_TEXT,
        help_text=gettext_lazy("What the site itself calls this author."),
    )
    avatar = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    avatar_upload = forms.FileField(
        label=gettext_lazy("Upload a new image"), required=False, widget=forms.FileInput(attrs={"accept": "image/*"})
    )

    def clean_url(self) -> str | None:
        """Return the URL, or ``None`` if it is blank."""
        return self.cleaned_data["url"] or None

    def clean_profile_urls(self) -> list[str]:
        """Return the URLs; raises ``ValidationError`` for a line that is none."""
        lines = [line.strip() for line in self.cleaned_data["profile_urls"].splitlines()]
        urls = [line for line in lines if line]
        for url in urls:
            http_url(url)
        if len(urls) > LONGEST_LIST:
            raise forms.ValidationError(_("At most %(most)s URLs."), params={"most": LONGEST_LIST})
        return urls


class SaveAuthorView(SaveRecordView):
    """The form of an author; the picture is uploaded or chosen from the library."""

    form_class = AuthorForm
    template = "author_form.html"
    create_input, update_input = CreateAuthor, UpdateAuthor
    create, update = staticmethod(services.create_author), staticmethod(services.update_author)
    kind = ListKind.AUTHOR

    own_pages = ()

    def initial(self) -> dict[str, Any]:
        if self.record is None:
            return {}
        profiles = "\n".join(self.record.profile_urls)
        return super().initial() | {"profile_urls": profiles, "avatar": self.record.avatar_id}

    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        if "find" not in request.POST:
            return super().post(request, **kwargs)
        # The page comes back with other pictures to choose from, and with everything that was entered.
        return self.show(self.form_class(initial=request.POST.dict()))

    def sent(self, form: forms.Form) -> dict[str, Any]:
        sent = super().sent(form)
        upload, chosen = sent.pop("avatar_upload", None), sent.pop("avatar", ...)
        if upload is not None:
            chosen = self._uploaded(form, upload)
        if chosen is not ...:
            sent["avatar"] = None if chosen is None else {"image_id": chosen}
        return sent

    def add_refusal(self, form: forms.Form, refusal: Refusal) -> None:
        if isinstance(refusal, ImageNotPermitted):
            form.add_error("avatar_upload", sentence_for_image(refusal, form.cleaned_data["avatar_upload"]))
        else:
            super().add_refusal(form, refusal)

    def show(self, form: forms.Form, **context: Any) -> HttpResponse:
        """Return the page with the newest images of the library, or those that were searched for, to choose from."""
        chosen, searched = form["avatar"].value(), self.request.POST.get("find_filename", "").strip()[:SHORT_TEXT]
        chosen_id = int(chosen) if str(chosen).isascii() and str(chosen).isdecimal() else None
        images = list(images_by_filename(searched)[:_OFFERED])
        if chosen_id is not None:
            others = [image for image in images if image.pk != chosen_id]
            images = [*images_with_ids([chosen_id]).values(), *others]
        return super().show(
            form, choices=[shown_image(one) for one in images], chosen=chosen_id, searched=searched, **context
        )

    def _uploaded(self, form: forms.Form, upload: Any) -> int:
        image = store_upload(upload, actor=self.actor, now=self.now)
        # If the author is refused, the picture is in the library, and the page comes back with it.
        form.data = {**form.data, "avatar": str(image.pk)}
        return image.pk


class AuthorAdmin(CountedAdmin):
    """Authors; they cannot be deleted."""

    list_display = ("name", "last_part", "type_name", "number_of_posts")
    records = staticmethod(authors)
    pages = (("add/", "add", SaveAuthorView), ("<int:object_id>/change/", "change", SaveAuthorView))

    @admin.display(description=gettext_lazy("type"), ordering="type")
    def type_name(self, author: Author) -> str:
        """Return the type in words."""
        return str(dict(_TYPES)[author.type])
