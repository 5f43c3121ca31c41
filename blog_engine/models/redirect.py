"""Addresses that moved or were removed."""

from typing import ClassVar

from django.db import models
from django.utils.translation import pgettext_lazy

from blog_engine.models.constraints import choices, one_of
from blog_engine.models.post import Post
from blog_engine.models.timestamped import Timestamped
from blog_engine.vocabulary import RedirectSource


class Redirect(Timestamped):
    """That ``old_path`` now leads to ``new_path``, or is gone when that is null.

    Paths are stored without ``SCRIPT_NAME``. The keys are digests of the paths in the form in which
    they are compared (percent-decoded, no trailing slash; decisions.md 9.15), so that long paths can be unique.
    """

    old_path = models.CharField(max_length=2048)
    old_key = models.CharField(max_length=64, unique=True)
    new_path = models.CharField(max_length=2048, null=True)
    new_key = models.CharField(max_length=64, null=True, db_index=True)
    source = models.CharField(max_length=20, choices=choices(RedirectSource))
    occurred_on = models.DateField()
    post = models.ForeignKey(Post, on_delete=models.PROTECT, null=True, related_name="redirects")

    is_new: bool
    """Whether a call of ``services.add_redirect`` stored the row; set on the rows that it returns."""

    class Meta(Timestamped.Meta):
        verbose_name = pgettext_lazy("blog", "redirect")
        verbose_name_plural = pgettext_lazy("blog", "redirects")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [one_of("source", RedirectSource, name="blog_engine_redirect_source")]

    def __str__(self) -> str:
        return self.old_path
