"""Pictures for the editor: uploads by drag-and-drop and paste, and the library to pick from."""

from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from blog_engine.admin.base import ANY_OF_POSTS, DeskView, Permission
from blog_engine.admin.editor import ShownImage, store_upload
from blog_engine.admin.words import sentence_for
from blog_engine.blog_urls import BlogURLs
from blog_engine.errors import Refusal
from blog_engine.models import Image
from blog_engine.rendering.images import thumbnail_path

_PER_PAGE: Final = 24


class UploadImageView(DeskView):
    """Stores a picture that was dropped, pasted or chosen, and answers with its number and path as JSON."""

    permissions = (Permission.WRITE,)

    def post(self, request: HttpRequest) -> HttpResponse:
        file = request.FILES.get("file")
        if file is None:
            return JsonResponse({"message": _("Choose an image.")}, status=422)
        try:
            image = store_upload(file, actor=self.actor, view=self)
        except Refusal as refusal:
            return JsonResponse({"message": sentence_for(refusal, "file")}, status=422)
        return JsonResponse(
            {
                "id": image.pk,
                "name": image.filename,
                "path": image.url,
                "thumbnail": thumbnail_path(image, urls=BlogURLs.on("")),
            },
            status=201,
        )


class PickImageView(DeskView):
    """A page of the library, newest first, with the number of each picture. Scripts show it in a dialog."""

    permissions = ANY_OF_POSTS

    def get(self, request: HttpRequest) -> HttpResponse:
        words = request.GET.get("q", "").replace("\0", "").strip()[:255]
        images = Image.objects.order_by("-pk")
        if words:
            images = images.filter(filename__icontains=words)
        number = _page_number(request.GET.get("p", ""))
        # One more tells whether there is a next page: counting a library takes as long as it is large.
        found = list(images[(number - 1) * _PER_PAGE : number * _PER_PAGE + 1])
        urls = BlogURLs.on("")
        return self.page(
            "pick_image.html",
            title=_("Images"),
            images=[ShownImage(image, thumbnail_path(image, urls=urls)) for image in found[:_PER_PAGE]],
            words=words,
            previous=number - 1,
            next=number + 1 if len(found) > _PER_PAGE else None,
            is_popup=True,
        )


def _page_number(sent: str) -> int:
    """Return the page number that was sent, or 1."""
    return int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 7 and int(sent) else 1
