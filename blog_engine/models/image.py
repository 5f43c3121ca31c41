"""Images, known by the digest of their bytes."""

from typing import ClassVar

from django.db import models
from django.db.models import CheckConstraint, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from blog_engine.models.append_only import AppendOnly


class Image(AppendOnly):
    """An original image; the file is stored under its digest (records.md section 9)."""

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
