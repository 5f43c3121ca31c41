"""The forms of the desk that were sent in the last day."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from blog_engine.models.base import EngineModel


class SentForm(EngineModel):
    """A form of the desk that a person sent. A second click sends the same, which is not done again."""

    key = models.CharField(max_length=64, primary_key=True)
    """The SHA-256 of the person, the page and all that was sent."""
    sent_at = models.DateTimeField(db_index=True)
    leads_to = models.TextField(default="")
    """The path of the page that followed; empty while the first request is still at work."""

    class Meta(EngineModel.Meta):
        verbose_name = _("sent form")
        verbose_name_plural = _("sent forms")
        ordering: ClassVar = ["sent_at"]

    def __str__(self) -> str:
        return self.key
