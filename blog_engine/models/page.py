"""The blog's policy pages."""

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from blog_engine.models.constraints import choices, one_of
from blog_engine.models.reading import EngineManager
from blog_engine.vocabulary import PolicyKind, PolicyStatus


class PolicyPage(models.Model):
    """The page of one policy kind (records.md section 11)."""

    kind = models.CharField(max_length=30, choices=choices(PolicyKind), unique=True)
    slug = models.CharField(max_length=200, unique=True)
    title = models.CharField(max_length=255)
    body = models.TextField(default="")
    body_html = models.TextField(default="")
    rendered_with = models.CharField(max_length=64, default="")
    status = models.CharField(max_length=20, choices=choices(PolicyStatus), default=PolicyStatus.DRAFT.value)
    approved_by = models.CharField(max_length=255, null=True)
    approved_on = models.DateField(null=True)
    updated_at = models.DateTimeField(default=timezone.now)

    objects = EngineManager()

    class Meta:
        base_manager_name = "objects"
        verbose_name = _("policy page")
        verbose_name_plural = _("policy pages")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            one_of("kind", PolicyKind, name="blog_engine_policy_page_kind"),
            one_of("status", PolicyStatus, name="blog_engine_policy_page_status"),
        ]

    def __str__(self) -> str:
        return self.title
