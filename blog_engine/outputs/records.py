"""Outputs of categories, tags, series, authors, redirects and policy pages."""

from typing import Literal

from pydantic import Field

from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import AuthorType, PolicyKind, PolicyStatus, RedirectSource
from blog_engine.models import Author, Category, PolicyPage, Post, Redirect, Series, Tag
from blog_engine.outputs.base import Day, Instant, Output, day_or_none, to_seconds
from blog_engine.outputs.posts import FindingObject, ImageObject
from blog_engine.queries.findings import Finding
from blog_engine.queries.records import Listed


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


class AuthorObject(Output):
    """An author; an empty bio is ``""``, an absent address or reference null.

    ``avatar`` is an image of the blog; a file that the host attached itself is null until it is imported
    (decisions.md 9.24).
    """

    id: int
    name: str
    slug: str
    type: AuthorType
    bio: str
    url: str | None
    profile_urls: list[str]
    avatar: ImageObject | None
    host_reference: str | None
    posts_count: int

    @classmethod
    def of(cls, author: Author, addresses: BlogURLs) -> "AuthorObject":
        """Of an author read by ``queries.authors``."""
        return cls(
            id=author.pk,
            name=author.name,
            slug=author.slug,
            type=AuthorType(author.type),
            bio=author.bio,
            url=author.url,
            profile_urls=author.profile_urls,
            avatar=ImageObject.of(author.avatar, addresses) if author.avatar else None,
            host_reference=author.host_reference,
            posts_count=author.posts_count,
        )


class AuthorList(Output):
    """One page of authors."""

    authors: list[AuthorObject]
    page: int
    per_page: int
    total: int

    @classmethod
    def of(cls, listed: Listed[Author], addresses: BlogURLs) -> "AuthorList":
        return cls(authors=[AuthorObject.of(row, addresses) for row in listed.rows], **listed.place)


class RedirectObject(Output):
    """An address that moved, or is gone while ``new_path`` is null; both as stored, without ``SCRIPT_NAME``."""

    id: int
    old_path: str
    new_path: str | None
    source: RedirectSource
    occurred_on: Day
    post_id: int | None

    @classmethod
    def of(cls, row: Redirect) -> "RedirectObject":
        return cls(
            id=row.pk,
            old_path=row.old_path,
            new_path=row.new_path,
            source=RedirectSource(row.source),
            occurred_on=row.occurred_on.isoformat(),
            post_id=row.post_id,
        )


class RedirectRecords(Output):
    """What became of the redirect that was sent: ``new``, or ``same`` for one that was stored already."""

    redirect: Literal["new", "same"]


class SavedRedirect(RedirectObject):
    """A redirect that was asked for, with advice; as a rule there is none."""

    records: RedirectRecords
    findings: list[FindingObject]

    @property
    def created(self) -> bool:
        """Whether it is new."""
        return self.records.redirect == "new"

    @classmethod
    def of_write(cls, row: Redirect, findings: list[Finding]) -> "SavedRedirect":
        return cls(
            **RedirectObject.of(row).model_dump(),
            records=RedirectRecords(redirect="new" if row.is_new else "same"),
            findings=[FindingObject.of(finding) for finding in findings],
        )


class SavedRedirects(Output):
    """Many redirects that were asked for, in their order."""

    redirects: list[SavedRedirect]

    @property
    def created(self) -> bool:
        """Whether any of them is new."""
        return any(one.created for one in self.redirects)


class RedirectList(Output):
    """One page of redirects."""

    redirects: list[RedirectObject]
    page: int
    per_page: int
    total: int

    @classmethod
    def of(cls, listed: Listed[Redirect]) -> "RedirectList":
        return cls(redirects=[RedirectObject.of(row) for row in listed.rows], **listed.place)


class PageObject(Output):
    """A policy page. ``url`` is its address here, also of a draft and while the host has a page of its own.

    ``created`` is for the status of the answer only, and no part of it.
    """

    kind: PolicyKind
    slug: str
    url: str
    title: str
    body: str
    status: PolicyStatus
    approved_by: str | None
    approved_on: Day | None
    updated_at: Instant
    created: bool = Field(False, exclude=True)

    @classmethod
    def of(cls, page: PolicyPage, addresses: BlogURLs, *, created: bool = False) -> "PageObject":
        return cls(
            kind=PolicyKind(page.kind),
            slug=page.slug,
            url=addresses.absolute(addresses.policy_path(page.slug)),
            title=page.title,
            body=page.body,
            status=PolicyStatus(page.status),
            approved_by=page.approved_by,
            approved_on=day_or_none(page.approved_on),
            updated_at=to_seconds(page.updated_at),
            created=created,
        )


class PageList(Output):
    """One page of the list of policy pages."""

    pages: list[PageObject]
    page: int
    per_page: int
    total: int

    @classmethod
    def of(cls, listed: Listed[PolicyPage], addresses: BlogURLs) -> "PageList":
        return cls(pages=[PageObject.of(row, addresses) for row in listed.rows], **listed.place)
