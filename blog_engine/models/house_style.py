"""The house style of the blog."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import CheckConstraint, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from blog_engine.models.base import EngineModel


class HouseStyle(EngineModel):
    """One row with the rules of the blog for its posts; without it, or without a rule in it, there are none."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    rules: "models.JSONField[Any, Any]" = models.JSONField(default=dict)
    """The fields of ``inputs.house_style.SaveHouseStyle``."""
    version = models.CharField(max_length=64, default="")
    """The digest of the rules, by which a process knows that those it keeps are the present ones; empty for none."""
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta(EngineModel.Meta):
        verbose_name = _("house style")
        verbose_name_plural = _("house style")
        constraints: ClassVar = [CheckConstraint(condition=Q(id=1), name="blog_engine_house_style_one_row")]

    def __str__(self) -> str:
        return str(_("House style"))
