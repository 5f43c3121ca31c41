"""Operations on categories, tags, series, authors, redirects and policy pages."""

from blog_engine import services
from blog_engine.actor import Call, Scope
from blog_engine.blog_urls import BlogURLs
from blog_engine.errors import ImageNotPermitted, NotFound, SlugReserved, ValidationFailed
from blog_engine.findings import findings_of_redirect
from blog_engine.inputs.records import (
    CreateAuthor,
    CreateCategory,
    CreateSeries,
    ListRedirects,
    PageRef,
    RedirectRef,
    SavePage,
    SaveRedirect,
    SaveRedirects,
    UpdateAuthor,
    UpdateCategory,
    UpdateSeries,
)
from blog_engine.inputs.reports import Paged
from blog_engine.operations.base import operation
from blog_engine.outputs.records import (
    AuthorList,
    AuthorObject,
    CategoryList,
    CategoryObject,
    PageList,
    PageObject,
    RedirectList,
    SavedRedirect,
    SavedRedirects,
    SeriesList,
    SeriesObject,
    TagList,
)
from blog_engine.queries.policies import policy_pages, read_page
from blog_engine.queries.records import all_series, authors, categories, page_of, row_of, tags
from blog_engine.queries.redirects import redirects


@operation(scope=Scope.READ)
def list_categories(data: Paged, call: Call) -> CategoryList:
    """List the categories, the oldest first."""
    return CategoryList.of(page_of(categories(), data))


@operation(scope=Scope.WRITE)
def create_category(data: CreateCategory, call: Call) -> CategoryObject:
    """Make a category."""
    category = services.create_category(data, actor=call.actor, now=call.now)
    return CategoryObject.from_attributes(row_of(categories(), category.pk))


@operation(scope=Scope.WRITE, refuses=[NotFound])
def update_category(data: UpdateCategory, call: Call) -> CategoryObject:
    """Edit a category; what is left out stays."""
    category = services.update_category(data, actor=call.actor, now=call.now)
    return CategoryObject.from_attributes(row_of(categories(), category.pk))


@operation(scope=Scope.READ)
def list_tags(data: Paged, call: Call) -> TagList:
    """List the tags, the oldest first; posts make them."""
    return TagList.of(page_of(tags(), data))


@operation(scope=Scope.READ)
def list_series(data: Paged, call: Call) -> SeriesList:
    """List the series with their posts in reading order, the oldest first."""
    return SeriesList.of(page_of(all_series(), data))


@operation(scope=Scope.WRITE)
def create_series(data: CreateSeries, call: Call) -> SeriesObject:
    """Make a series; posts are put into it by their own fields."""
    series = services.create_series(data, actor=call.actor, now=call.now)
    return SeriesObject.of(row_of(all_series(), series.pk))


@operation(scope=Scope.WRITE, refuses=[NotFound])
def update_series(data: UpdateSeries, call: Call) -> SeriesObject:
    """Edit a series; what is left out stays."""
    series = services.update_series(data, actor=call.actor, now=call.now)
    return SeriesObject.of(row_of(all_series(), series.pk))


@operation(scope=Scope.READ)
def list_authors(data: Paged, call: Call) -> AuthorList:
    """List the authors, the oldest first."""
    return AuthorList.of(page_of(authors(), data))


@operation(scope=Scope.WRITE, refuses=[NotFound, ImageNotPermitted])
def create_author(data: CreateAuthor, call: Call) -> AuthorObject:
    """Make an author."""
    author = services.create_author(data, actor=call.actor, now=call.now)
    return AuthorObject.from_attributes(row_of(authors(), author.pk))


@operation(scope=Scope.WRITE, refuses=[NotFound, ImageNotPermitted])
def update_author(data: UpdateAuthor, call: Call) -> AuthorObject:
    """Edit an author; stored posts keep their bylines."""
    author = services.update_author(data, actor=call.actor, now=call.now)
    return AuthorObject.from_attributes(row_of(authors(), author.pk))


@operation(scope=Scope.READ)
def list_redirects(data: ListRedirects, call: Call) -> RedirectList:
    """List the addresses that moved or were removed, the oldest first."""
    return RedirectList.of(page_of(redirects(old_path=data.old_path), data))


@operation(scope=Scope.PUBLISH, refuses=[NotFound, SlugReserved])
def save_redirect(data: SaveRedirects, call: Call) -> SavedRedirect | SavedRedirects:
    """Record that an address, or several, moved or were removed; an equal redirect is answered as it is."""
    own = data.model_fields_set - {"redirects"}
    if data.redirects is not None:
        if own:
            raise ValidationFailed(sorted(own), hint="Leave out what is beside redirects: each one has its own.")
        rows = services.add_redirects(data.redirects, actor=call.actor, now=call.now)
        return SavedRedirects(redirects=[SavedRedirect.of(row, findings_of_redirect(row)) for row in rows])
    if data.old_path is None:
        raise ValidationFailed(["old_path"], hint="Send old_path, or redirects with a list of redirects.")
    one = SaveRedirect.from_data(data.model_dump(mode="json", include=own))
    row = services.add_redirect(one, actor=call.actor, now=call.now)
    return SavedRedirect.of(row, findings_of_redirect(row))


@operation(scope=Scope.PUBLISH, refuses=[NotFound])
def delete_redirect(data: RedirectRef, call: Call) -> None:
    """Forget that an address moved or was removed."""
    services.delete_redirect(data, actor=call.actor)


@operation(scope=Scope.READ)
def list_pages(data: Paged, call: Call) -> PageList:
    """List the policy pages, drafts too."""
    return PageList.of(page_of(policy_pages(), data), BlogURLs.on(call.base_url))


@operation(scope=Scope.READ, refuses=[NotFound])
def get_page(data: PageRef, call: Call) -> PageObject:
    """Read one policy page, a draft too."""
    return PageObject.of(read_page(data.kind), BlogURLs.on(call.base_url))


@operation(scope=Scope.WRITE)
def save_page(data: SavePage, call: Call) -> PageObject:
    """Create or edit a policy page; publishing it, or changing a published one, needs publish too."""
    saved = services.save_page(data, actor=call.actor, now=call.now)
    return PageObject.of(saved.page, BlogURLs.on(call.base_url), created=saved.created)
