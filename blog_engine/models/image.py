"""Images, the posts that embed them, and the right to upload one."""

from typing import ClassVar, Final

from django.db import models
from django.db.models import CheckConstraint, Q, QuerySet, Value
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from blog_engine.blog_urls import BlogURLs
from blog_engine.content.source_types import CREDIT_LENGTH
from blog_engine.enums import SourceTypeFrom
from blog_engine.models.base import AppendOnly, EngineModel, choices
from blog_engine.models.post import Post, when_public
from blog_engine.models.records import PolicyPage


class Image(AppendOnly):
    """An original image; its file is stored under its digest."""

    sha256 = models.CharField(max_length=64, unique=True)
    filename = models.CharField(max_length=255)
    content_type = models.CharField(max_length=100)
    byte_size = models.BigIntegerField()
    width = models.IntegerField()
    height = models.IntegerField()
    is_animated = models.BooleanField(default=False)
    has_location = models.BooleanField(default=False, help_text=_("The bytes carry GPS data."))
    source_url = models.CharField(max_length=2048, null=True)
    credit = models.CharField(max_length=CREDIT_LENGTH, default="", db_default="")
    digital_source_type = models.CharField(max_length=64, null=True)
    """The last part of the IPTC term; ``None`` when neither the file nor a caller named one."""
    source_type_from = models.CharField(max_length=10, null=True, choices=choices(SourceTypeFrom))
    source_type_in_file = models.CharField(max_length=64, null=True)
    """The term that the file names, whatever was sent."""
    shared_type = models.CharField(max_length=10, default="", db_default="")
    """The suffix of the copy for networks and feeds: ``jpg`` or ``png``.

    ``none`` for an image that is too large to draw, empty until the copy was drawn.
    """
    shared_width = models.IntegerField(default=0, db_default=0)
    shared_height = models.IntegerField(default=0, db_default=0)
    shared_bytes = models.IntegerField(default=0, db_default=0)
    uploaded_by = models.CharField(max_length=255, null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("image")
        verbose_name_plural = _("images")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            CheckConstraint(condition=Q(byte_size__gte=0), name="blog_engine_image_size"),
            CheckConstraint(condition=Q(width__gte=1, height__gte=1), name="blog_engine_image_dimensions"),
            CheckConstraint(
                condition=Q(source_type_from__isnull=True)
                | Q(source_type_from__in=[word.value for word in SourceTypeFrom]),
                name="blog_engine_image_source_type_from",
            ),
        ]

    def __str__(self) -> str:
        return self.filename

    @property
    def url(self) -> str:
        """The path of the original file, as browsers ask for it."""
        return BlogURLs.on("").media_path(self.sha256, self.filename)


def set_shared_copy(image_id: int, **shared: str | int) -> None:
    """Note the copy of an image for networks and feeds: the columns of ``SHARED_COLUMNS``, and no others."""
    QuerySet.update(Image.objects.filter(pk=image_id), **shared)


SHOWN_COLUMNS: Final = frozenset({"credit", "digital_source_type"})
"""What pages and feeds show of an origin."""


def set_origin(image: Image, **origin: str | None) -> None:
    """Change what is said of where an image comes from: the columns of ``ORIGIN_COLUMNS``, and no others.

    Renderings that show the image are outdated from then on, and feeds know of the change (``images.notes.changed``).
    A write that has rendered the image before holds it ``FOR SHARE``, so that it comes before, or sees the change.
    """
    if origin.keys().isdisjoint(SHOWN_COLUMNS):
        QuerySet.update(Image.objects.filter(pk=image.pk), **origin)
    else:
        _change_what_is_shown(image, origin)
    for name, value in origin.items():
        setattr(image, name, value)


def _change_what_is_shown(image: Image, origin: dict[str, str | None]) -> None:
    posts = Post.objects.filter(Q(cover_image=image) | Q(body_images__image=image)).order_by("pk")
    showing = posts.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True)
    pages = PolicyPage.objects.filter(body__contains=image.sha256)
    # Before the image, as writes of posts and pages lock them, and in one order.
    list(showing)
    list(pages.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))
    QuerySet.update(Image.objects.filter(pk=image.pk), **origin)
    # Again: a write that was not finished may show the image by now.
    ids = list(showing.all())
    # A cover is no part of what is rendered.
    QuerySet.update(Post.objects.filter(pk__in=ids, body_images__image=image), rendered_with="")
    QuerySet.update(Post.objects.filter(when_public(), pk__in=ids), updated_at=timezone.now())
    QuerySet.update(pages, rendered_with="")


class EmbeddedImage(EngineModel):
    """An image of the blog in the body of a post, so that the library finds the posts that show an image."""

    post = models.ForeignKey(Post, on_delete=models.CASCADE, related_name="body_images")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="in_bodies")

    class Meta(EngineModel.Meta):
        verbose_name = _("image in a body")
        verbose_name_plural = _("images in bodies")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["post", "image"], name="blog_engine_embedded_image_once")
        ]

    def __str__(self) -> str:
        return f"{self.post_id} {self.image_id}"


class UploadTicket(EngineModel):
    """The right to upload one announced image with a URL. The secret is in the URL; stored is its SHA-256."""

    secret_digest = models.CharField(max_length=64)
    filename = models.CharField(max_length=255)
    content_type = models.CharField(max_length=100)
    byte_size = models.BigIntegerField()
    sha256 = models.CharField(max_length=64, null=True)
    origin = models.JSONField(default=dict, db_default=Value({}, models.JSONField()))
    """What was sent of where the image comes from."""
    actor_name = models.CharField(max_length=255)
    actor_id = models.TextField()
    attempts = models.IntegerField(default=0)
    image = models.ForeignKey(Image, on_delete=models.PROTECT, null=True, related_name="+")
    """The image that was uploaded with the ticket; ``None`` until then."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(db_index=True)

    class Meta(EngineModel.Meta):
        verbose_name = _("upload ticket")
        verbose_name_plural = _("upload tickets")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [CheckConstraint(condition=Q(byte_size__gte=1), name="blog_engine_upload_ticket_size")]

    def __str__(self) -> str:
        return self.filename
