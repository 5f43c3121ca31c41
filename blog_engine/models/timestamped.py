"""The two times of an ordinary row."""

from django.db import models
from django.utils import timezone

from blog_engine.models.reading import EngineManager


class Timestamped(models.Model):
    """When a row was made and last written; never shown to readers as dates (reader.md 15)."""

    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    objects = EngineManager()

    class Meta:
        abstract = True
        base_manager_name = "objects"
