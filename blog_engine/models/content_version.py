"""The version of everything that pages show."""

from typing import ClassVar

from django.db import models
from django.db.models import CheckConstraint, Q

from blog_engine.models.reading import EngineManager


class ContentVersion(models.Model):
    """One row whose text is another one after each transaction that wrote what a page can show.

    Triggers write it (``_version_triggers.py``). The texts are random, so no two states of the content share one.
    """

    id = models.SmallIntegerField(primary_key=True, default=1)
    version = models.CharField(max_length=36)

    objects = EngineManager()

    class Meta:
        base_manager_name = "objects"
        constraints: ClassVar = [CheckConstraint(condition=Q(id=1), name="blog_engine_content_version_one_row")]

    def __str__(self) -> str:
        return self.version
