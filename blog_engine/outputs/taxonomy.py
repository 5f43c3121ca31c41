"""Categories, tags and series as the API and the tools answer them (service.md section 2)."""

from blog_engine.models import Category, Post, Series, Tag
from blog_engine.outputs.base import Output
from blog_engine.queries.paging import Listed


class CategoryObject(Output):
    """A category; an empty description is ``""``, like that of a post."""

    id: int
    name: str
    slug: str
    description: str
    position: int
    posts_count: int

    @classmethod
    def of(cls, category: Category) -> "CategoryObject":
        """Of a category read by ``queries.taxonomy``."""
        return cls(
            id=category.pk,
            name=category.name,
            slug=category.slug,
            description=category.description,
            position=category.position,
            posts_count=category.posts_count,
        )


class CategoryList(Output):
    """One page of categories."""

    categories: list[CategoryObject]
    page: int
    per_page: int
    total: int

    @classmethod
    def of(cls, listed: Listed[Category]) -> "CategoryList":
        return cls(categories=[CategoryObject.of(row) for row in listed.rows], **listed.place)


class TagObject(Output):
    """A tag."""

    id: int
    name: str
    slug: str
    posts_count: int

    @classmethod
    def of(cls, tag: Tag) -> "TagObject":
        """Of a tag read by ``queries.taxonomy``."""
        return cls(id=tag.pk, name=tag.name, slug=tag.slug, posts_count=tag.posts_count)


class TagList(Output):
    """One page of tags."""

    tags: list[TagObject]
    page: int
    per_page: int
    total: int

    @classmethod
    def of(cls, listed: Listed[Tag]) -> "TagList":
        return cls(tags=[TagObject.of(row) for row in listed.rows], **listed.place)


class SeriesPost(Output):
    """A post of a series, of whatever state."""

    id: int
    slug: str
    title: str
    position: int | None

    @classmethod
    def of(cls, post: Post) -> "SeriesPost":
        return cls(id=post.pk, slug=post.slug, title=post.title, position=post.series_position)


class SeriesObject(Output):
    """A series with its posts in reading order; an empty description is ``""``."""

    id: int
    name: str
    slug: str
    description: str
    posts: list[SeriesPost]

    @classmethod
    def of(cls, series: Series) -> "SeriesObject":
        """Of a series read by ``queries.taxonomy``."""
        return cls(
            id=series.pk,
            name=series.name,
            slug=series.slug,
            description=series.description,
            posts=[SeriesPost.of(post) for post in series.posts.all()],
        )


class SeriesList(Output):
    """One page of series."""

    series: list[SeriesObject]
    page: int
    per_page: int
    total: int

    @classmethod
    def of(cls, listed: Listed[Series]) -> "SeriesList":
        return cls(series=[SeriesObject.of(row) for row in listed.rows], **listed.place)
