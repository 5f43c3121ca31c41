"""Upload tickets: the right to upload one image with a URL."""

from typing import ClassVar

from django.db import models
from django.db.models import CheckConstraint, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from blog_engine.models.reading import EngineManager
from blog_engine.models.supporting import Image


class UploadTicket(models.Model):
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

    objects = EngineManager()

    class Meta:
        base_manager_name = "objects"
        verbose_name = _("upload ticket")
        verbose_name_plural = _("upload tickets")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [CheckConstraint(condition=Q(byte_size__gte=1), name="blog_engine_upload_ticket_size")]

    def __str__(self) -> str:
        return self.filename
