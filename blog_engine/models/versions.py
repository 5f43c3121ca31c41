"""Versions of texts that no revision records, and removed drafts: for people who write, outside the history."""

from typing import ClassVar

from django.db import models
from django.db.models import UniqueConstraint
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from blog_engine.enums import BodyFormat
from blog_engine.models.base import EngineModel, choices


class DraftVersion(EngineModel):
    """The content of a post that is not public, as it was before a write took its place.

    It names its post by the id alone: the versions of a removed draft wait with it, and the code of an earlier release
    deletes posts without knowing this table.
    """

    post = models.BigIntegerField()
    slot = models.CharField(max_length=80)
    """What a later state of the same writer in the same ten minutes replaces; else the version of the post."""
    identifier = models.CharField(max_length=64)
    payload = models.TextField()
    """As that of a revision."""
    body_format = models.CharField(max_length=20, choices=choices(BodyFormat))
    actor = models.CharField(max_length=255, null=True)
    actor_kind = models.CharField(max_length=20, null=True)
    """Null until actors have a kind."""
    made_by_ai = models.BooleanField(null=True)
    saved_at = models.DateTimeField()
    """When the content was written."""
    is_listed = models.BooleanField(default=True, db_default=True)
    """Whether lists show it. Others are kept for a reviewer who may have read them."""

    class Meta(EngineModel.Meta):
        verbose_name = _("version of a draft")
        verbose_name_plural = _("versions of drafts")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [UniqueConstraint(fields=["post", "slot"], name="blog_engine_draft_version_slot")]
        indexes: ClassVar = [
            models.Index(fields=["post", "-saved_at", "-id"], name="blog_engine_version_newest"),
            models.Index(fields=["saved_at"], name="blog_engine_version_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.post} {self.identifier[:12]}"


class RemovedDraft(EngineModel):
    """A draft in the bin. Its row in the table of posts is gone, and with it the slug and the external id."""

    post = models.BigIntegerField(unique=True)
    """The id that the draft had, and gets again."""
    title = models.CharField(max_length=255)
    excerpt = models.TextField(default="")
    fields = models.JSONField()
    """Everything that was sent for the draft, as ``services.bin`` writes and reads it."""
    actor = models.CharField(max_length=255, null=True)
    actor_kind = models.CharField(max_length=20, null=True)
    removed_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta(EngineModel.Meta):
        verbose_name = _("removed draft")
        verbose_name_plural = _("removed drafts")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.title
