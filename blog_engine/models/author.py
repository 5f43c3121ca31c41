"""Authors, each of whom can be a user of the host, and further authors of posts."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from blog_engine.enums import AuthorType
from blog_engine.models.base import (
    EngineModel,
    Timestamped,
    WithListPage,
    choices,
    http_url,
    http_urls,
    one_of,
    slug_shaped,
)
from blog_engine.models.people import forget_user
from blog_engine.models.taxonomy import blog_storage


class Author(WithListPage, Timestamped):
    """A person or organization that posts name as their author."""

    name = models.CharField(max_length=255)
    slug = models.CharField(max_length=200, unique=True, validators=[slug_shaped])
    type = models.CharField(max_length=20, choices=choices(AuthorType), default=AuthorType.PERSON.value)
    bio = models.TextField(default="", blank=True)
    url = models.CharField(max_length=2048, null=True, blank=True, validators=[http_url])
    profile_urls = models.JSONField(default=list, blank=True, validators=[http_urls])
    fediverse = models.CharField(
        max_length=255, default="", db_default="", blank=True, help_text=_("The handle, such as @name@example.social.")
    )
    host_reference = models.CharField(max_length=255, null=True, blank=True)
    # Without a constraint in the database: that of the users can be another one.
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=forget_user,
        null=True,
        blank=True,
        db_constraint=False,
        related_name="+",
        help_text=_("Who writes under this name at the desk."),
    )
    avatar = models.ForeignKey(
        "blog_engine.Image", on_delete=models.PROTECT, null=True, blank=True, related_name="avatar_of"
    )
    avatar_file = models.FileField(
        upload_to="blog_engine/avatars/", storage=blog_storage, blank=True, help_text=_("The host's own upload.")
    )

    posts_count: int

    class Meta(Timestamped.Meta):
        verbose_name = _("author")
        verbose_name_plural = _("authors")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [one_of("type", AuthorType, name="blog_engine_author_type")]

    def __str__(self) -> str:
        return self.name


class Coauthor(EngineModel):
    """A further author of a post, for lists; the post has the names and their order."""

    post = models.ForeignKey("blog_engine.Post", on_delete=models.CASCADE, related_name="coauthorships")
    author = models.ForeignKey(Author, on_delete=models.PROTECT, related_name="coauthorships")

    class Meta(EngineModel.Meta):
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["post", "author"], name="blog_engine_coauthor_once")]

    def __str__(self) -> str:
        return f"{self.post_id} {self.author_id}"
