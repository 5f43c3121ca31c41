"""Authors at the desk."""

from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse

from blog_engine import services
from blog_engine.admin._image_words import sentence_for_image
from blog_engine.admin.author_form import AuthorForm
from blog_engine.admin.images import shown_image, store_upload
from blog_engine.admin.taxonomy import SaveRecordView
from blog_engine.enums import ListKind
from blog_engine.errors import ImageNotPermitted, Refusal
from blog_engine.inputs.records import CreateAuthor, UpdateAuthor
from blog_engine.inputs.types import SHORT_TEXT
from blog_engine.queries.images import images_by_filename, images_with_ids
from blog_engine.queries.people import user_name_of, user_names

_OFFERED: Final = 11
"""Images of the library that the form offers at once."""


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
        user = user_name_of(self.record.user_id) if self.record.user_id is not None else ""
        return super().initial() | {"profile_urls": profiles, "avatar": self.record.avatar_id, "user": user}

    def suggestions(self) -> list[str]:
        """Return user names that complete the control."""
        return user_names()

    def save(self, form: forms.Form) -> Any:
        sent = self.sent(form)
        if "user" not in form.changed_data:
            return self.store(sent)
        return services.store_author_of_user(lambda: self.store(sent), user_pk=form.cleaned_data["user"])

    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        if "find" not in request.POST:
            return super().post(request, **kwargs)
        # The page comes back with other pictures to choose from, and with everything that was entered.
        return self.show(self.form_class(initial=request.POST.dict()))

    def sent(self, form: forms.Form) -> dict[str, Any]:
        sent = super().sent(form)
        sent.pop("user", None)
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
