"""The authors of posts."""

from typing import ClassVar

from django.core.files.storage import Storage, storages
from django.db import models
from django.utils.functional import LazyObject
from django.utils.translation import gettext_lazy as _

from blog_engine.conf import get_settings
from blog_engine.enums import AuthorType
from blog_engine.models.base import Timestamped, choices, http_url, http_urls, one_of, slug_shaped


class _BlogStorage(LazyObject):  # type: ignore[type-arg]  # generic in the stubs only
    # FileField asks for the class while models are imported, when the settings must not be read yet.
    __class__ = property(lambda self: Storage)

    def _setup(self) -> None:
        self._wrapped = storages[get_settings().storage]


def blog_storage() -> Storage:
    """Return the storage of the setting ``storage``, looked up on first use."""
    storage: Storage = _BlogStorage()  # type: ignore[assignment]  # LazyObject behaves like what it wraps
    return storage


class Author(Timestamped):
    """A person or organization that posts name as their author."""

    name = models.CharField(max_length=255)
    slug = models.CharField(max_length=200, unique=True, validators=[slug_shaped])
    type = models.CharField(max_length=20, choices=choices(AuthorType), default=AuthorType.PERSON.value)
    bio = models.TextField(default="", blank=True)
    url = models.CharField(max_length=2048, null=True, blank=True, validators=[http_url])
    profile_urls = models.JSONField(default=list, blank=True, validators=[http_urls])
    host_reference = models.CharField(max_length=255, null=True, blank=True)
    avatar = models.ForeignKey(
        "blog_engine.Image", on_delete=models.PROTECT, null=True, blank=True, related_name="avatar_of"
    )
    avatar_file = models.FileField(
        upload_to="blog_engine/avatars/", storage=blog_storage, blank=True, help_text=_("The host's own upload.")
    )

    posts_count: int
    """Posts in any state; annotated by ``queries.records``."""

    class Meta(Timestamped.Meta):
        verbose_name = _("author")
        verbose_name_plural = _("authors")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [one_of("type", AuthorType, name="blog_engine_author_type")]

    def __str__(self) -> str:
        return self.name
