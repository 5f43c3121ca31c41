"""Categories, tags and series."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from blog_engine.models.base import Timestamped, slug_shaped
from blog_engine.models.reading import EngineManager


class Category(Timestamped):
    """The main subject of a post."""

    name = models.CharField(max_length=255, unique=True)
    slug = models.CharField(max_length=200, unique=True, validators=[slug_shaped])
    description = models.TextField(default="", blank=True)
    position = models.IntegerField(default=0)

    posts_count: int
    """Posts in any state; annotated by ``queries.records``, like that of ``Tag``."""

    class Meta(Timestamped.Meta):
        verbose_name = _("category")
        verbose_name_plural = _("categories")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.name


class Series(Timestamped):
    """Posts to be read in an order."""

    name = models.CharField(max_length=255)
    slug = models.CharField(max_length=200, unique=True, validators=[slug_shaped])
    description = models.TextField(default="", blank=True)

    class Meta(Timestamped.Meta):
        verbose_name = _("series")
        verbose_name_plural = pgettext_lazy("plural", "series")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.name


class Tag(models.Model):
    """A word that posts share. ``key`` is the case-folded name, which is unique."""

    name = models.CharField(max_length=255)
    key = models.CharField(max_length=1020, unique=True)
    slug = models.CharField(max_length=200, unique=True, validators=[slug_shaped])
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    posts_count: int

    objects = EngineManager()

    class Meta:
        base_manager_name = "objects"
        verbose_name = _("tag")
        verbose_name_plural = _("tags")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.name


class PostTag(models.Model):
    """A tag of a post; the order of the rows is that in which the tags were sent."""

    post = models.ForeignKey("blog_engine.Post", on_delete=models.CASCADE, related_name="taggings")
    tag = models.ForeignKey(Tag, on_delete=models.CASCADE, related_name="taggings")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = EngineManager()

    class Meta:
        base_manager_name = "objects"
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["post", "tag"], name="blog_engine_post_tag_once")]

    def __str__(self) -> str:
        return f"{self.post_id} {self.tag_id}"


class ListCount(models.Model):
    """The number of public posts in the list of one category, tag, series or author.

    Services change it in the transaction of each write, so that no page counts posts. The sum over the authors is the
    number of all public posts, because every post has one author.
    """

    category = models.OneToOneField(Category, on_delete=models.CASCADE, null=True, related_name="list_count")
    tag = models.OneToOneField(Tag, on_delete=models.CASCADE, null=True, related_name="list_count")
    series = models.OneToOneField(Series, on_delete=models.CASCADE, null=True, related_name="list_count")
    author = models.OneToOneField("blog_engine.Author", on_delete=models.CASCADE, null=True, related_name="list_count")
    posts = models.BigIntegerField()

    objects = EngineManager()

    class Meta:
        base_manager_name = "objects"
        verbose_name = _("number of posts")
        verbose_name_plural = _("numbers of posts")
        indexes: ClassVar = [
            models.Index(fields=["-posts"], condition=Q(tag__isnull=False), name="blog_engine_list_count_tags")
        ]

    def __str__(self) -> str:
        return str(self.posts)
