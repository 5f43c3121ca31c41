"""Categories, tags, series, and the numbers of posts in lists."""

from typing import ClassVar

from django.core.files.storage import Storage, storages
from django.db import models
from django.utils import timezone
from django.utils.functional import LazyObject
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from blog_engine.conf import get_settings
from blog_engine.models.base import EngineModel, Timestamped, WithListPage, slug_shaped


class Category(WithListPage, Timestamped):
    """The main subject of a post."""

    name = models.CharField(max_length=255, unique=True)
    slug = models.CharField(max_length=200, unique=True, validators=[slug_shaped])
    description = models.TextField(default="", blank=True)
    position = models.IntegerField(default=0)

    posts_count: int
    """Posts in any state; annotated by ``queries.records``, like those of ``Tag`` and ``Author``."""

    class Meta(Timestamped.Meta):
        verbose_name = _("category")
        verbose_name_plural = _("categories")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.name


class Series(WithListPage, Timestamped):
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


class Tag(WithListPage, EngineModel):
    """A word that posts share. ``key`` is the case-folded name, which is unique."""

    name = models.CharField(max_length=255)
    key = models.CharField(max_length=1020, unique=True)
    slug = models.CharField(max_length=200, unique=True, validators=[slug_shaped])
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    posts_count: int

    class Meta(EngineModel.Meta):
        verbose_name = _("tag")
        verbose_name_plural = _("tags")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.name


class PostTag(EngineModel):
    """A tag of a post; the order of the rows is that in which the tags were sent."""

    post = models.ForeignKey("blog_engine.Post", on_delete=models.CASCADE, related_name="taggings")
    tag = models.ForeignKey(Tag, on_delete=models.CASCADE, related_name="taggings")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta(EngineModel.Meta):
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["post", "tag"], name="blog_engine_post_tag_once")]

    def __str__(self) -> str:
        return f"{self.post_id} {self.tag_id}"


class _BlogStorage(LazyObject):  # type: ignore[type-arg]  # generic in the stubs only
    # FileField asks for the class while models are imported, when the settings must not be read yet.
    __class__ = property(lambda self: Storage)

    def _setup(self) -> None:
        self._wrapped = storages[get_settings().storage]


def blog_storage() -> Storage:
    """Return the storage of the setting ``storage``, looked up on first use."""
    return _BlogStorage()  # type: ignore[return-value]  # LazyObject behaves like what it wraps


class ListCount(EngineModel):
    """The number of public posts in the list of one category, tag, series or author.

    Services change it in the transaction of each write, so that no page counts posts. The sum of ``posts`` over the
    authors is the number of all public posts, because every post has one first author.
    """

    category = models.OneToOneField(Category, on_delete=models.CASCADE, null=True, related_name="list_count")
    tag = models.OneToOneField(Tag, on_delete=models.CASCADE, null=True, related_name="list_count")
    series = models.OneToOneField(Series, on_delete=models.CASCADE, null=True, related_name="list_count")
    author = models.OneToOneField("blog_engine.Author", on_delete=models.CASCADE, null=True, related_name="list_count")
    posts = models.BigIntegerField()
    coauthored = models.BigIntegerField(default=0, db_default=0)
    """The posts that name an author as a further one."""

    class Meta(EngineModel.Meta):
        verbose_name = _("number of posts")
        verbose_name_plural = _("numbers of posts")
        indexes: ClassVar = [
            models.Index(fields=["-posts"], condition=models.Q(tag__isnull=False), name="blog_engine_list_count_tags")
        ]

    def __str__(self) -> str:
        return str(self.length)

    @property
    def length(self) -> int:
        """The number of posts in the list."""
        return self.posts + self.coauthored
