"""Uses of the images of the blog, and public posts that have none."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from blog_engine.enums import ImageUseKind
from blog_engine.inputs.images import ListImages
from blog_engine.models import Author, EmbeddedImage, Image, Post, when_public
from blog_engine.queries.records import Listed, page_of

MOST_USES: Final = 50
"""Posts that are named for each way to use an image."""
MOST_LISTED_USES: Final = 10
"""Uses that a list names of each image."""


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
    posts = Post.objects.only("title", "status").order_by("-id")
    return ImageUses(
        covers=list(posts.filter(cover_image=image)[:MOST_USES]),
        socials=list(posts.filter(social_image=image)[:MOST_USES]),
        bodies=list(posts.filter(body_images__image=image)[:MOST_USES]),
        avatars=list(Author.objects.filter(avatar=image).order_by("-id")[:MOST_USES]),
    )


def listed_images(data: ListImages) -> Listed[Image]:
    """Return a page of images, newest first; two queries."""
    unused = dict.fromkeys(("is_cover", "is_social", "is_in_bodies", "is_avatar"), False)
    images = images_with_uses().filter(**unused) if data.unused else Image.objects.all()
    if data.q is not None:
        images = images.filter(filename__icontains=data.q)
    return page_of(images.order_by("-id"), data)


class NamedUse(NamedTuple):
    """A use of an image: by a post, or as the avatar of an author, whose name is the title."""

    kind: ImageUseKind
    post_id: int | None
    author_id: int | None
    slug: str
    title: str
    status: str | None


@dataclass(slots=True)
class UsesInList:
    """The uses of an image in a list, and how many there are; a post can use it in several ways."""

    newest: list[NamedUse] = field(default_factory=list)
    count: int = 0


def uses_of_images(images: Iterable[Image]) -> Mapping[int, UsesInList]:
    """Return the uses of images by their ids, at most ``MOST_LISTED_USES`` of each; four queries."""
    found = {image.pk: UsesInList() for image in images}
    for kind, rows, by, names in _WAYS:
        for image_id, total, is_first, *named in _newest(rows(), by, found).values_list(by, "total", "place", *names):
            uses = found[image_id]
            uses.count += total if is_first == 1 else 0
            if len(uses.newest) < MOST_LISTED_USES:
                row_id, slug, title, *status = named
                post_id, author_id = (None, row_id) if kind is ImageUseKind.AVATAR else (row_id, None)
                uses.newest.append(NamedUse(kind, post_id, author_id, slug, title, next(iter(status), None)))
    return found


_OF_POST: Final = ("pk", "slug", "title", "status")
_OF_BODY: Final = ("post", "post__slug", "post__title", "post__status")
_OF_AUTHOR: Final = ("pk", "slug", "name")

_WAYS: Final[Sequence[tuple[ImageUseKind, Callable[[], QuerySet[Any]], str, tuple[str, ...]]]] = (
    (ImageUseKind.COVER_IMAGE, Post.objects.all, "cover_image", _OF_POST),
    (ImageUseKind.SOCIAL_IMAGE, Post.objects.all, "social_image", _OF_POST),
    (ImageUseKind.BODY, EmbeddedImage.objects.all, "image", _OF_BODY),
    (ImageUseKind.AVATAR, Author.objects.all, "avatar", _OF_AUTHOR),
)
"""How an image is used: the rows, the reference of a row to the image, and what names the use."""


def _newest(rows: QuerySet[Any], by: str, image_ids: Iterable[int]) -> QuerySet[Any]:
    of_one: dict[str, Any] = {"partition_by": F(by)}
    newest_first = [F(_OF_BODY[0] if by == "image" else "pk").desc()]
    found: QuerySet[Any] = (
        rows.filter(**{f"{by}__in": list(image_ids)})
        .annotate(total=Window(Count("pk"), **of_one), place=Window(RowNumber(), **of_one, order_by=newest_first))
        .filter(place__lte=MOST_LISTED_USES)
        .order_by(by, "place")
    )
    return found


_DRAWN: Final = ("title", "author_name", "coauthor_names", "language")
_HAS_NO_IMAGE: Final = Q(cover_image=None, social_image=None)


def post_without_image(slug: str) -> Post | None:
    """Return what is drawn of the public post with a slug, or ``None`` if it has an image; one query."""
    return Post.objects.filter(when_public(), _HAS_NO_IMAGE, slug=slug).only(*_DRAWN).first()


def ids_without_image(ids: Collection[int]) -> set[int]:
    """Return those of some posts that are public and have no image; one query for each 500 of them."""
    wanted = iter(ids)
    found = set[int]()
    while batch := list(islice(wanted, 500)):
        found.update(Post.objects.filter(when_public(), _HAS_NO_IMAGE, pk__in=batch).values_list("pk", flat=True))
    return found


def newest_without_image(limit: int) -> list[Post]:
    """Return what is drawn of the newest public posts that have no image; one query."""
    posts = Post.objects.filter(when_public(), _HAS_NO_IMAGE).only(*_DRAWN, "status", "cover_image", "social_image")
    return list(posts.order_by("-pk")[:limit])
