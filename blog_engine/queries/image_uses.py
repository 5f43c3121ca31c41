"""Where the images of the blog are used."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, QuerySet

from blog_engine.models import Author, EmbeddedImage, Image, Post

MOST_USES: Final = 50
"""Posts that are named for each way to use an image."""

_NAMED: Final = ("title", "status")


@dataclass(frozen=True, slots=True)
class ImageUses:
    """The posts and authors that use one image, the newest ones first, at most ``MOST_USES`` of each kind."""

    covers: Sequence[Post]
    socials: Sequence[Post]
    bodies: Sequence[Post]
    avatars: Sequence[Author]

    @property
    def is_unused(self) -> bool:
        """Whether nothing uses the image."""
        return not (self.covers or self.socials or self.bodies or self.avatars)


def images_with_uses() -> QuerySet[Image]:
    """Return all images with ``is_cover``, ``is_social``, ``is_in_bodies`` and ``is_avatar``: one query.

    An index finds one use of each kind, however many there are.
    """
    this = OuterRef("pk")
    return Image.objects.annotate(
        is_cover=Exists(Post.objects.filter(cover_image=this)),
        is_social=Exists(Post.objects.filter(social_image=this)),
        is_in_bodies=Exists(EmbeddedImage.objects.filter(image=this)),
        is_avatar=Exists(Author.objects.filter(avatar=this)),
    )


def uses_of_image(image: Image) -> ImageUses:
    """Return what uses an image; four queries."""
    posts = Post.objects.only(*_NAMED).order_by("-id")
    return ImageUses(
        covers=list(posts.filter(cover_image=image)[:MOST_USES]),
        socials=list(posts.filter(social_image=image)[:MOST_USES]),
        bodies=list(posts.filter(body_images__image=image)[:MOST_USES]),
        avatars=list(Author.objects.filter(avatar=image).order_by("-id")[:MOST_USES]),
    )
