"""Categories, tags, series and authors, in pages."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Generic, TypeVar

from django.db.models import Count, F, IntegerField, Model, OuterRef, Prefetch, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from blog_engine.content.near_slugs import near_slugs
from blog_engine.content.text import fold
from blog_engine.errors import NotFound
from blog_engine.inputs.reports import Paged
from blog_engine.models import Author, Category, Coauthor, Post, PostTag, Series, Tag
from blog_engine.queries.compiled import among_texts
from blog_engine.queries.cursors import AskedPage, Place
from blog_engine.queries.database import engine_connection
from blog_engine.rules.slugs import slug_for_record

M = TypeVar("M", bound=Model)
R = TypeVar("R")


def row_of(rows: QuerySet[M], row_id: int) -> M:
    """Return the row with this id; raises ``NotFound``."""
    row = rows.filter(pk=row_id).first()
    if row is None:
        raise NotFound(hint=f"No {rows.model._meta.model_name} has that id. List them to find it.")
    return row


def _count_of(rows: QuerySet[M], *, by: str) -> Coalesce:
    """Return the number of ``rows`` whose foreign key ``by`` is the annotated row.

    A subquery instead of a join, so that only the rows of one page are counted.
    """
    counts = rows.order_by().filter(**{by: OuterRef("pk")}).values(by).annotate(total=Count("pk")).values("total")
    return Coalesce(Subquery(counts), 0)


def categories() -> QuerySet[Category]:
    """Return all categories with ``posts_count``: one query."""
    rows = Category.objects.order_by("id")
    return rows.annotate(posts_count=_count_of(Post.objects.all(), by="category"))  # type: ignore[no-redef]  # declared for readers


def tags() -> QuerySet[Tag]:
    """Return all tags with ``posts_count``: one query."""
    rows = Tag.objects.order_by("id")
    return rows.annotate(posts_count=_count_of(PostTag.objects.all(), by="tag"))  # type: ignore[no-redef]  # as above


def all_series() -> QuerySet[Series]:
    """Return all series with their posts of any status in reading order; two queries.

    Posts without a position come last.
    """
    in_order = Post.objects.order_by(F("series_position").asc(nulls_last=True), "id")
    brief = in_order.only("slug", "title", "series_id", "series_position")
    return Series.objects.order_by("id").prefetch_related(Prefetch("posts", brief))


def series_with_counts() -> QuerySet[Series]:
    """Return all series with ``posts_count``: one query."""
    rows = Series.objects.order_by("id")
    return rows.annotate(posts_count=_count_of(Post.objects.all(), by="series"))


def parts_of_series(series_id: int) -> QuerySet[Post]:
    """Return the posts of a series in any state, in reading order."""
    rows = Post.objects.filter(series=series_id).only("slug", "title", "status", "series_position", "author_name")
    return rows.order_by(F("series_position").asc(nulls_last=True), "id")


def authors() -> QuerySet[Author]:
    """Return all authors with their avatar and ``posts_count``: one query."""
    rows = Author.objects.select_related("avatar").order_by("id")
    own, further = (_count_of(model.objects.all(), by="author") for model in (Post, Coauthor))
    return rows.annotate(posts_count=own + further)  # type: ignore[no-redef]  # declared for readers


@dataclass(frozen=True, slots=True)
class Listed(Generic[R]):
    """The rows of one page, and its place in the list."""

    rows: Sequence[R]
    place: Place


def page_of(found: QuerySet[M], data: Paged) -> Listed[M]:
    """Return the requested page of rows in the order of ``id`` or ``-id``; past the end it has none. Two queries."""
    asked, read = AskedPage.of(data, found.model), found
    if asked.after:
        way = "lt" if found.query.order_by == ("-id",) else "gt"
        read = found.filter(**{f"pk__{way}": asked.after[0]})
    return Listed(*asked.cut(list(read[asked.rows]), key=lambda row: (row.pk,), total=found.count()))


def same_named(model: type[M], name: str) -> M | None:
    """Return the author, category or series with this name, or else the first one with the same name for people.

    That name differs only in case, character width or white space (taxonomy.names.same).

    One query, or three when no row has exactly this name: names that an index could compare are not stored, and a
    blog has few authors, categories and series.
    """
    rows: QuerySet[M] = model._default_manager.order_by("pk")
    if model is Author:
        rows = rows.select_related("avatar")
    exact = rows.filter(name=name).first()
    if exact is not None:
        return exact
    key, names = fold(name), rows.values_list("pk", "name")
    found = next((pk for pk, other in names.iterator() if fold(other) == key), None)
    return None if found is None else rows.filter(pk=found).first()


def authors_named(names: Collection[str]) -> dict[str, Author]:
    """Return the authors of those names that one has, as ``same_named`` finds them; at most two queries."""
    if not names:
        return {}
    exact, near = dict[str, int](), dict[str, int]()
    for pk, stored in Author.objects.order_by("pk").values_list("pk", "name").iterator():
        exact.setdefault(stored, pk)
        near.setdefault(fold(stored), pk)
    ids = {name: found for name in names if (found := exact.get(name) or near.get(fold(name)))}
    authors = Author.objects.select_related("avatar").in_bulk(ids.values()) if ids else {}
    return {name: authors[pk] for name, pk in ids.items() if pk in authors}


def lists_named(names: Mapping[type[Model], str]) -> dict[type[Model], Any]:
    """Return the category or series of each name, as ``same_named`` finds them, with name and slug; one query."""
    if not names:
        return {}
    models = list(names)
    columns = ("pk", "name", "slug")
    first, *others = (
        model._default_manager.annotate(kind=Value(number, IntegerField())).order_by().values_list("kind", *columns)
        for number, model in enumerate(models)
    )
    found: dict[type[Model], tuple[bool, int, Model]] = {}
    for number, *row in first.union(*others, all=True) if others else first:
        model = models[number]
        if fold(row[1]) == fold(names[model]):
            one = (row[1] != names[model], row[0], model.from_db(engine_connection().alias, ["id", *columns[1:]], row))
            found[model] = min(found.get(model, one), one, key=itemgetter(0, 1))
    return {model: one[2] for model, one in found.items()}


def other_of_name(model: type[M], name: str, *, than: Model | None) -> M | None:
    """Return another record than this one whose name is the same for people, or whose slug the name gives."""
    rows = model._default_manager.exclude(pk=than.pk if than else None)
    found = tags_named([name]).first() if model is Tag else same_named(model, name)
    if found is not None and found != than:
        return found  # type: ignore[return-value]  # a tag where the model is that of tags
    kind = str(model._meta.model_name)
    return rows.filter(slug=slug_for_record(name, kind=kind)).first()


def tags_named(names: Iterable[str]) -> QuerySet[Tag]:
    """Return the tags with these names; case, width and white space do not matter."""
    return Tag.objects.filter(key__in={fold(name) for name in names})


def names_beginning_with(model: type[Model], start: str, *, limit: int) -> list[str]:
    """Return the first names of authors, categories, series or tags that begin so, in whatever case; one query."""
    rows: QuerySet[Any] = model._default_manager.all()
    if model is Tag:
        rows = rows.filter(key__startswith=fold(start)).order_by("key")
    else:
        rows = rows.filter(name__istartswith=start).order_by("name")
    return list(rows.values_list("name", flat=True)[:limit])


def records_with_name_or_slug(model: type[M], sent: str, *, limit: int) -> list[M]:
    """Return the record with this slug, or else those with this name, or else one that is the same but for case."""
    name = Q(key=fold(sent)) if model is Tag else Q(name=sent)
    rows = list(model._default_manager.filter(name | Q(slug=sent))[:limit])
    if not rows and model is not Tag:
        rows = [row for row in [same_named(model, sent)] if row is not None]
    return [row for row in rows if getattr(row, "slug", None) == sent] or rows


def names_of_others(record: Model, *, limit: int) -> list[str]:
    """Return names of other records of the kind; of tags those with the most public posts. One query."""
    rows: QuerySet[Any] = type(record)._default_manager.exclude(pk=record.pk)
    if isinstance(record, Tag):
        # An index has their numbers.
        rows = rows.filter(list_count__isnull=False).order_by("-list_count__posts")
    return list(rows.values_list("name", flat=True)[:limit])


def near_names(model: type[Model], names: Sequence[str]) -> dict[str, str]:
    """Return for each name that of another record which is nearly the same, if there is one (taxonomy.names.near).

    One query, which an index answers however many records there are.
    """
    kind = str(model._meta.model_name)
    slugs = {name: slug_for_record(name, kind=kind) for name in names}
    near = {name: near_slugs(slug) for name, slug in slugs.items()}
    wanted = among_texts("slug", sorted(set[str]().union(*near.values())))
    rows = model._default_manager.filter(wanted).exclude(name__in=names).order_by("pk").values_list("slug", "name")
    found: dict[str, str] = {}
    for slug, other in rows:
        for name in names:
            if slug in near[name] and (name not in found or slug == slugs[name]):
                found[name] = other
    return found
