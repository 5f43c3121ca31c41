"""What can be done with categories, tags and series (service.md section 4.1)."""

from blog_engine import services
from blog_engine.actor import Call, Scope
from blog_engine.errors import NotFound
from blog_engine.inputs.records import CreateCategory, CreateSeries, UpdateCategory, UpdateSeries
from blog_engine.inputs.reports import Paged
from blog_engine.operations.base import operation
from blog_engine.outputs.taxonomy import CategoryList, CategoryObject, SeriesList, SeriesObject, TagList
from blog_engine.queries.paging import page_of
from blog_engine.queries.rows import row_of
from blog_engine.queries.taxonomy import all_series, categories, tags


@operation(scope=Scope.READ)
def list_categories(data: Paged, call: Call) -> CategoryList:
    """List the categories, the oldest first."""
    return CategoryList.of(page_of(categories(), data))


@operation(scope=Scope.WRITE)
def create_category(data: CreateCategory, call: Call) -> CategoryObject:
    """Make a category."""
    category = services.create_category(data, actor=call.actor, now=call.now)
    return CategoryObject.of(row_of(categories(), category.pk))


@operation(scope=Scope.WRITE, refuses=[NotFound])
def update_category(data: UpdateCategory, call: Call) -> CategoryObject:
    """Edit a category; what is left out stays."""
    category = services.update_category(data, actor=call.actor, now=call.now)
    return CategoryObject.of(row_of(categories(), category.pk))


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
