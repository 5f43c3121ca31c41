"""The answers to calls that a client may repeat, by their ``Idempotency-Key``."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from blog_engine.models.base import EngineModel


class IdempotencyKey(EngineModel):
    """The answer to a call, which is given again when the call is repeated within a day."""

    digest = models.CharField(max_length=64, primary_key=True)
    """The SHA-256 of the actor and the key."""
    actor_id = models.TextField()
    request = models.CharField(max_length=64)
    """The SHA-256 of method, path, conditions and input."""
    status = models.PositiveSmallIntegerField()
    etag = models.CharField(max_length=40, default="")
    answer = models.BinaryField(null=True)
    """The body, compressed by zlib; ``None`` for one that is too large to keep."""
    created_at = models.DateTimeField(db_index=True)

    class Meta(EngineModel.Meta):
        verbose_name = _("idempotency key")
        verbose_name_plural = _("idempotency keys")
        ordering: ClassVar = ["created_at"]

    def __str__(self) -> str:
        return self.digest
