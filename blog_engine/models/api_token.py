"""Bearer tokens, stored as digests."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from blog_engine.models.timestamped import Timestamped


class ApiToken(Timestamped):
    """A secret that was shown once; ``token_digest`` is its SHA-256 (records.md section 2)."""

    name = models.CharField(max_length=255)
    token_digest = models.CharField(max_length=64, unique=True)
    token_prefix = models.CharField(max_length=8, db_index=True)
    scopes = models.JSONField(default=list)
    last_used_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta(Timestamped.Meta):
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.token_prefix}… {self.name}"
