"""The objects inside a post (service.md section 2, embedded objects)."""

from blog_engine.addresses import Addresses
from blog_engine.models import Author, Category, Image, Post
from blog_engine.outputs.base import Output
from blog_engine.vocabulary import AuthorType


class EmbeddedAuthor(Output):
    """The author record as it is now; the byline of the post may be older (records.md 4)."""

    id: int
    name: str
    slug: str
    type: AuthorType
    url: str | None

    @classmethod
    def of(cls, author: Author) -> "EmbeddedAuthor":
        return cls(id=author.pk, name=author.name, slug=author.slug, type=AuthorType(author.type), url=author.url)


class EmbeddedCategory(Output):
    """The category a post is filed under."""

    id: int
    name: str
    slug: str

    @classmethod
    def of(cls, category: Category | None) -> "EmbeddedCategory | None":
        return cls(id=category.pk, name=category.name, slug=category.slug) if category else None


class EmbeddedSeries(Output):
    """The series of a post and its place there."""

    id: int
    name: str
    slug: str
    position: int | None

    @classmethod
    def of(cls, post: Post) -> "EmbeddedSeries | None":
        series = post.series
        if series is None:
            return None
        return cls(id=series.pk, name=series.name, slug=series.slug, position=post.series_position)


class ImageObject(Output):
    """A stored image; ``url`` is a path (records.md 7)."""

    image_id: int
    url: str
    sha256: str
    filename: str
    content_type: str
    byte_size: int
    width: int
    height: int

    @classmethod
    def of(cls, image: Image, addresses: Addresses) -> "ImageObject":
        return cls(
            image_id=image.pk,
            url=addresses.media_path(image.sha256, image.filename),
            sha256=image.sha256,
            filename=image.filename,
            content_type=image.content_type,
            byte_size=image.byte_size,
            width=image.width,
            height=image.height,
        )


class FaqObject(Output):
    """One question and answer, as stored."""

    question: str
    answer: str
