"""Operations on categories, tags, series, authors, redirects and policy pages."""

from blog_engine import services
from blog_engine.actor import Call, Scope
from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import PolicyKind, SitePage
from blog_engine.errors import (
    ImageNotPermitted,
    NotFound,
    PreconditionFailed,
    SlugReserved,
    ValidationFailed,
)
from blog_engine.findings import findings_of_redirects
from blog_engine.inputs.records import (
    ListRedirects,
    PageRef,
    SaveRedirect,
    SaveRedirects,
)
from blog_engine.inputs.reports import Paged
from blog_engine.models import Author, Category, Series
from blog_engine.operations.base import operation, operation_of
from blog_engine.outputs.posts import MadeRedirectObject
from blog_engine.outputs.records import (
    AuthorList,
    AuthorObject,
    CategoryList,
    CategoryObject,
    ChangedAuthor,
    ChangedCategory,
    ChangedSeries,
    PageList,
    PageObject,
    RedirectList,
    SavedRedirect,
    SavedRedirects,
    SeriesList,
    SeriesObject,
    TagList,
)
from blog_engine.queries.house_style import house_style_page
from blog_engine.queries.policies import policy_pages, read_page
from blog_engine.queries.records import all_series, authors, categories, page_of, row_of, tags
from blog_engine.queries.redirects import redirects


def _category(row: Category, call: Call) -> CategoryObject:
    return CategoryObject.from_attributes(row_of(categories(), row.pk))


def _series(row: Series, call: Call) -> SeriesObject:
    return SeriesObject.of(row_of(all_series(), row.pk))


def _author(row: Author, call: Call) -> AuthorObject:
    return AuthorObject.from_attributes(row_of(authors(), row.pk))


def _changed_category(row: Category, call: Call) -> ChangedCategory:
    return ChangedCategory.from_attributes(row_of(categories(), row.pk), redirects=_made(row))


def _changed_series(row: Series, call: Call) -> ChangedSeries:
    return ChangedSeries.of(row_of(all_series(), row.pk), redirects=_made(row))


def _changed_author(row: Author, call: Call) -> ChangedAuthor:
    return ChangedAuthor.from_attributes(row_of(authors(), row.pk), redirects=_made(row))


def _made(row: Author | Category | Series) -> list[MadeRedirectObject]:
    return [MadeRedirectObject(old_path=old, new_path=new) for old, new in row.redirected]


def _page(saved: services.SavedPage, call: Call) -> PageObject:
    return PageObject.of(saved.page, BlogURLs.on(call.base_url), created=saved.created)


def _nothing(outcome: None, call: Call) -> None:
    return None


@operation(scope=Scope.READ)
def list_categories(data: Paged, call: Call) -> CategoryList:
    """List the categories, the oldest first."""
    return CategoryList.of(page_of(categories(), data))


create_category = operation_of(
    services.create_category,
    _category,
    "Create a category.",
    scope=Scope.WRITE,
)
update_category = operation_of(
    services.update_category,
    _changed_category,
    "Edit a category; what is left out stays.",
    scope=Scope.WRITE,
    refuses=[NotFound],
)


@operation(scope=Scope.READ)
def list_tags(data: Paged, call: Call) -> TagList:
    """List the tags, the oldest first; posts create them."""
    return TagList.of(page_of(tags(), data))


@operation(scope=Scope.READ)
def list_series(data: Paged, call: Call) -> SeriesList:
    """List the series with their posts in reading order, the oldest first."""
    return SeriesList.of(page_of(all_series(), data))


create_series = operation_of(
    services.create_series,
    _series,
    "Create a series; posts join it by their own fields.",
    scope=Scope.WRITE,
)
update_series = operation_of(
    services.update_series,
    _changed_series,
    "Edit a series; what is left out stays.",
    scope=Scope.WRITE,
    refuses=[NotFound],
)


@operation(scope=Scope.READ)
def list_authors(data: Paged, call: Call) -> AuthorList:
    """List the authors, the oldest first."""
    return AuthorList.of(page_of(authors(), data))


create_author = operation_of(
    services.create_author,
    _author,
    "Create an author.",
    scope=Scope.WRITE,
    refuses=[NotFound, ImageNotPermitted],
)
update_author = operation_of(
    services.update_author,
    _changed_author,
    "Edit an author; stored posts keep their bylines.",
    scope=Scope.WRITE,
    refuses=[NotFound, ImageNotPermitted],
)


@operation(scope=Scope.READ)
def list_redirects(data: ListRedirects, call: Call) -> RedirectList:
    """List the paths that moved or were removed, the oldest first."""
    return RedirectList.of(page_of(redirects(old_path=data.old_path), data))


@operation(scope=Scope.PUBLISH, refuses=[NotFound, SlugReserved])
def save_redirect(data: SaveRedirects, call: Call) -> SavedRedirect | SavedRedirects:
    """Record that one or more paths moved or were removed; an equal redirect is returned as stored."""
    own = data.model_fields_set - {"redirects"}
    if data.redirects is not None:
        if own:
            raise ValidationFailed(
                sorted(own), hint="Leave out the fields beside redirects: each redirect has its own."
            )
        rows = services.add_redirects(data.redirects, actor=call.actor, now=call.now)
        findings = findings_of_redirects(rows, now=call.now)
        return SavedRedirects(redirects=list(map(SavedRedirect.of, rows, findings)))
    if data.old_path is None:
        raise ValidationFailed(["old_path"], hint="Send old_path, or redirects with a list of redirects.")
    one = SaveRedirect.from_data(data.model_dump(mode="json", include=own))
    row = services.add_redirect(one, actor=call.actor, now=call.now)
    (own_findings,) = findings_of_redirects([row], now=call.now)
    return SavedRedirect.of(row, own_findings)


delete_redirect = operation_of(
    services.delete_redirect,
    _nothing,
    "Delete a redirect.",
    scope=Scope.PUBLISH,
    refuses=[NotFound],
)


@operation(scope=Scope.READ)
def list_pages(data: Paged, call: Call) -> PageList:
    """List the policy pages, drafts included."""
    return PageList.of(page_of(policy_pages(), data), BlogURLs.on(call.base_url))


@operation(scope=Scope.READ, refuses=[NotFound])
def get_page(data: PageRef, call: Call) -> PageObject:
    """Read one policy page, also a draft; or, as kind house_style, the house style in words."""
    page = house_style_page() if data.kind == SitePage.HOUSE_STYLE else read_page(PolicyKind(data.kind))
    return PageObject.of(page, BlogURLs.on(call.base_url))


save_page = operation_of(
    services.save_page,
    _page,
    "Create or edit a policy page; publishing it, or changing a published one, also needs publish.",
    scope=Scope.WRITE,
    refuses=[PreconditionFailed],
)
