"""How often articles were read, per day, with nothing about the reader."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from blog_engine.models.post import Post
from blog_engine.models.reading import EngineManager


class PageView(models.Model):
    """The views of one post on one UTC day (records.md section 17)."""

    post = models.ForeignKey(Post, on_delete=models.CASCADE, related_name="page_views")
    day = models.DateField()
    views = models.IntegerField(default=0)

    objects = EngineManager()

    class Meta:
        base_manager_name = "objects"
        verbose_name = _("page view total")
        verbose_name_plural = _("page view totals")
        ordering: ClassVar = ["day", "id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["post", "day"], name="blog_engine_page_view_day")]
        indexes: ClassVar = [models.Index(fields=["day"], name="blog_engine_page_view_by_day")]

    def __str__(self) -> str:
        return f"{self.post_id} {self.day}: {self.views}"
