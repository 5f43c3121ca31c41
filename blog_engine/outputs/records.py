"""Outputs of categories, tags, series, authors, redirects and policy pages."""

from datetime import date
from typing import Any, Literal, Self

from pydantic import Field

from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import AuthorType, PolicyStatus, RedirectSource, SitePage
from blog_engine.findings import Finding
from blog_engine.models import PolicyPage, Redirect, Series
from blog_engine.outputs.base import ListOutput, Output, UTCSeconds
from blog_engine.outputs.posts import FindingObject, ImageObject, MadeRedirectObject
from blog_engine.queries.records import Listed


class CategoryObject(Output):
    """A category; an empty description is ``""``, like that of a post."""

    id: int
    name: str
    slug: str
    description: str
    position: int
    posts_count: int


class WithRedirects(Output):
    """A changed record, and the redirects from its list page and feeds that a new slug made."""

    redirects: list[MadeRedirectObject]


class ChangedCategory(WithRedirects, CategoryObject):
    """A category as a change left it."""


class CategoryList(ListOutput):
    """One page of categories."""

    categories: list[CategoryObject]
    page: int
    per_page: int
    total: int
    next_cursor: str | None


class TagObject(Output):
    """A tag."""

    id: int
    name: str
    slug: str
    posts_count: int


class TagList(ListOutput):
    """One page of tags."""

    tags: list[TagObject]
    page: int
    per_page: int
    total: int
    next_cursor: str | None


class SeriesPost(Output):
    """A post of a series, in any state."""

    id: int
    slug: str
    title: str
    position: int | None = Field(validation_alias="series_position")


class SeriesObject(Output):
    """A series with its posts in reading order; an empty description is ``""``."""

    id: int
    name: str
    slug: str
    description: str
    posts: list[SeriesPost]

    @classmethod
    def of(cls, series: Series, **values: Any) -> Self:
        """Return a series read by ``queries.records``; `values` are further fields."""
        return cls.from_attributes(series, posts=list(series.posts.all()), **values)


class ChangedSeries(WithRedirects, SeriesObject):
    """A series as a change left it."""


class SeriesList(Output):
    """One page of series."""

    series: list[SeriesObject]
    page: int
    per_page: int
    total: int
    next_cursor: str | None

    @classmethod
    def of(cls, listed: Listed[Series]) -> "SeriesList":
        """Return a page of series read by ``queries.records``."""
        return cls(series=[SeriesObject.of(row) for row in listed.rows], **listed.place)


class AuthorObject(Output):
    """An author; an empty bio is ``""``, a missing URL or reference is null.

    ``avatar`` is an image of the blog. A file that the host attached itself is null until it is imported.
    """

    id: int
    name: str
    slug: str
    type: AuthorType
    bio: str
    url: str | None
    profile_urls: list[str]
    fediverse: str
    avatar: ImageObject | None
    host_reference: str | None
    posts_count: int


class ChangedAuthor(WithRedirects, AuthorObject):
    """An author as a change left it."""


class AuthorList(ListOutput):
    """One page of authors."""

    authors: list[AuthorObject]
    page: int
    per_page: int
    total: int
    next_cursor: str | None


class RedirectObject(Output):
    """A path that moved, or is gone while ``new_path`` is null; both as stored, without ``SCRIPT_NAME``."""

    id: int
    old_path: str
    new_path: str | None
    source: RedirectSource
    occurred_on: date
    post_id: int | None


class RedirectRecords(Output):
    """The record of a saved redirect: ``new``, or the ``same`` as one that was stored before."""

    redirect: Literal["new", "same"]


class SavedRedirect(RedirectObject):
    """A saved redirect with advice, of which there is usually none."""

    records: RedirectRecords
    findings: list[FindingObject]

    @property
    def created(self) -> bool:
        """Whether the redirect is new."""
        return self.records.redirect == "new"

    @classmethod
    def of(cls, row: Redirect, findings: list[Finding]) -> "SavedRedirect":
        """Return a redirect that ``services`` saved."""
        records = RedirectRecords(redirect="new" if row.is_new else "same")
        return cls.from_attributes(row, records=records, findings=findings)


class SavedRedirects(Output):
    """Saved redirects, in the order in which they were sent."""

    redirects: list[SavedRedirect]

    @property
    def created(self) -> bool:
        """Whether any of them is new."""
        return any(one.created for one in self.redirects)


class RedirectList(ListOutput):
    """One page of redirects."""

    redirects: list[RedirectObject]
    page: int
    per_page: int
    total: int
    next_cursor: str | None


class PageObject(Output):
    """A policy page. ``url`` is its URL here, even for a draft and while the host has a page of its own.

    ``created`` decides the status of the answer and is not part of it.
    """

    kind: SitePage
    slug: str
    url: str
    title: str
    body: str
    status: PolicyStatus
    approved_by: str | None
    approved_on: date | None
    updated_at: UTCSeconds
    created: bool = Field(False, exclude=True)

    @classmethod
    def of(cls, page: PolicyPage, urls: BlogURLs, *, created: bool = False) -> "PageObject":
        """Return a policy page; `created` is whether the call created it."""
        return cls.from_attributes(page, url=urls.absolute(urls.policy_path(page.slug)), created=created)


class PageList(Output):
    """One page of the list of policy pages."""

    pages: list[PageObject]
    page: int
    per_page: int
    total: int
    next_cursor: str | None

    @classmethod
    def of(cls, listed: Listed[PolicyPage], urls: BlogURLs) -> "PageList":
        """Return a page of policy pages."""
        return cls(pages=[PageObject.of(row, urls) for row in listed.rows], **listed.place)
