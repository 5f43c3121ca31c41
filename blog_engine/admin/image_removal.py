"""Deleting an image that nothing uses, such as a private photo that was uploaded by mistake."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _

from blog_engine import services
from blog_engine.admin.base import Permission, may
from blog_engine.admin.records import DeleteRecordView
from blog_engine.admin.words import STATES
from blog_engine.blog_urls import BlogURLs
from blog_engine.errors import Refusal, ValidationFailed
from blog_engine.queries.image_removal import keepers_of, losers_of
from blog_engine.rendering.images import thumbnail_path


class DeleteImageView(DeleteRecordView):
    """The picture, and either the button that deletes it or what keeps it and what to do about that."""

    permissions = (Permission.PUBLISH,)
    grants = ()
    template = "image_delete.html"

    def delete(self, form: forms.Form) -> services.RemovedImage:
        return services.remove_image(self.record.pk, actor=self.actor)

    def answer(self, saved: services.RemovedImage) -> HttpResponse:
        if saved.files_left:
            text = _("Its file is still in the storage. Ask the person who runs the server to clean the storage.")
            messages.warning(self.request, text)
        return super().answer(saved)

    def add_refusal(self, form: forms.Form, refusal: Refusal) -> None:
        if isinstance(refusal, ValidationFailed):
            form.add_error(None, _("The image is in use. Nothing was deleted."))
        else:
            super().add_refusal(form, refusal)

    def show(self, form: forms.Form, **context: Any) -> HttpResponse:
        """Return the page with what keeps the image, or else what loses it."""
        image, site = self.record, self.model_admin.admin_site.name
        keepers = keepers_of(image)
        self.may_submit = keepers.are_none
        opens_records = may(self.request, Permission.MANAGE_SUPPORTING)
        return super().show(
            form,
            image=image,
            image_url=self.url("change", image.pk),
            thumbnail=thumbnail_path(image, urls=BlogURLs.on("")),
            keepers=keepers,
            using=[(post, STATES[post.status]) for post in keepers.posts],
            recorded=[(post, STATES[post.status]) for post in keepers.recorded],
            losers=losers_of(image) if keepers.are_none else None,
            post_change=f"{site}:blog_engine_post_change",
            post_history=f"{site}:blog_engine_post_history",
            author_change=f"{site}:blog_engine_author_change" if opens_records else "",
            page_change=f"{site}:blog_engine_policypage_change" if opens_records else "",
            **context,
        )
