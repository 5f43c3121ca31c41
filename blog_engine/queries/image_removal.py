"""The posts, pages and records that keep an image of the library, and the drafts that would lose it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from blog_engine.models import Author, DraftVersion, EmbeddedImage, Image, PolicyPage, Post, RemovedDraft
from blog_engine.models.protection import posts_naming_image
from blog_engine.queries.image_uses import MOST_USES


@dataclass(frozen=True, slots=True)
class ImageKeepers:
    """The uses that keep an image from being removed, the newest first, at most ``MOST_USES`` of each kind."""

    posts: Sequence[Post]
    authors: Sequence[Author]
    pages: Sequence[PolicyPage]
    recorded: Sequence[Post]
    """Posts whose history names it."""

    @property
    def are_none(self) -> bool:
        """Whether the image can be removed."""
        return not any(self._kinds)

    @property
    def are_more(self) -> bool:
        """Whether there can be more of a kind than are named."""
        return any(len(rows) == MOST_USES for rows in self._kinds)

    @property
    def _kinds(self) -> tuple[Sequence[Any], ...]:
        return self.posts, self.authors, self.pages, self.recorded


@dataclass(frozen=True, slots=True)
class ImageLosers:
    """The numbers of versions of drafts and of removed drafts that name an image, and lose it with its removal."""

    versions: int
    binned: int


def keepers_of(image: Image) -> ImageKeepers:
    """Return what keeps an image; four queries, which read all texts of the blog."""
    posts = Post.objects.only("title", "status").order_by("-pk")
    return ImageKeepers(
        posts=_some(posts.filter(_uses(image))),
        authors=_some(Author.objects.filter(avatar=image).order_by("-pk")),
        pages=_some(PolicyPage.objects.filter(body__contains=image.sha256).only("title").order_by("-pk")),
        recorded=_some(posts.filter(posts_naming_image(image.sha256))),
    )


def losers_of(image: Image) -> ImageLosers:
    """Return what would lose an image; two queries."""
    binned = Q(fields__cover_image=image.pk) | Q(fields__social_image=image.pk)
    binned |= Q(fields__body__icontains=image.sha256)
    return ImageLosers(
        versions=DraftVersion.objects.filter(payload__contains=image.sha256).count(),
        binned=RemovedDraft.objects.filter(binned).count(),
    )


def _uses(image: Image) -> Q:
    """Return the condition for posts that show an image, or link to its file."""
    in_bodies = EmbeddedImage.objects.filter(image=image).values("post")
    shown = Q(cover_image=image) | Q(social_image=image) | Q(pk__in=in_bodies)
    return shown | Q(body__contains=image.sha256)


def _some(rows: QuerySet[Any]) -> list[Any]:
    return list(rows[:MOST_USES])
