"""Images, the posts that embed them, and the right to upload one."""

from typing import ClassVar

from django.db import models
from django.db.models import CheckConstraint, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from blog_engine.blog_urls import BlogURLs
from blog_engine.models.base import AppendOnly, EngineModel
from blog_engine.models.post import Post


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
    uploaded_by = models.CharField(max_length=255, null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("image")
        verbose_name_plural = _("images")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            CheckConstraint(condition=Q(byte_size__gte=0), name="blog_engine_image_size"),
            CheckConstraint(condition=Q(width__gte=1, height__gte=1), name="blog_engine_image_dimensions"),
        ]

    def __str__(self) -> str:
        return self.filename

    @property
    def url(self) -> str:
        """The path of the original file, as browsers ask for it."""
        return BlogURLs.on("").media_path(self.sha256, self.filename)


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
