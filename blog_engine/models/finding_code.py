"""The codes of the findings of each post, for the lists that are filtered by them."""

from typing import ClassVar

from django.db import models
from django.db.models import UniqueConstraint
from django.utils.translation import gettext_lazy as _

from blog_engine.models.base import EngineModel


class FindingCode(EngineModel):
    """A code that a finding of a post had when the post was last written or checked (``posts.list.finding``).

    It names its post by the id alone, because the code of an earlier release deletes posts without knowing this table.
    """

    post = models.BigIntegerField()
    code = models.CharField(max_length=255)

    class Meta(EngineModel.Meta):
        verbose_name = _("finding of a post")
        verbose_name_plural = _("findings of posts")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [UniqueConstraint(fields=["code", "post"], name="blog_engine_finding_code_once")]
        indexes: ClassVar = [models.Index(fields=["post"], name="blog_engine_finding_code_post")]

    def __str__(self) -> str:
        return f"{self.post} {self.code}"
