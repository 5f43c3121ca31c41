"""The pages in the sitemap."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import (
    BooleanField,
    Count,
    ExpressionWrapper,
    F,
    Func,
    Max,
    Min,
    Q,
    QuerySet,
    TextField,
    Value,
    Window,
)
from django.db.models.functions import RowNumber
from django.db.models.sql.compiler import SQLCompiler

from blog_engine.blog_urls import BlogURLs, origin_parts, page_path
from blog_engine.conf import get_settings
from blog_engine.enums import ListKind
from blog_engine.models import Category, PolicyPage, Post, Tag, Translation, before_end, when_public
from blog_engine.models.reading import page_changes_at
from blog_engine.queries.compiled import CompiledTuples, CompiledValues, Parameter, among
from blog_engine.queries.ended import number_of_ended
from blog_engine.queries.listings import number_on_index
from blog_engine.queries.pagination import page_count
from blog_engine.queries.policies import served_pages
from blog_engine.queries.translations import translation_groups

ENTRIES_OF_A_PART: Final = 50_000
"""The limit of the sitemap protocol. With the longest possible URLs a document stays below its other limit, 50 MB."""

_LAST_CHANGE_FIRST: Final = (F("modified_at").desc(nulls_last=True), F("id").desc())


class SitemapPage(NamedTuple):
    """The path of a page, as browsers request it, and when it last changed, if known."""

    path: str
    changed: str = ""
    """The time in UTC as databases write it, such as ``2026-11-21 12:00:00.5``, which thousands of pages need not
    convert; empty if it is not known."""
    versions: tuple[Translation, ...] = ()
    """The public versions of a post in all languages, itself first; empty for the only one."""

    @property
    def changed_at(self) -> datetime | None:
        """The moment of the last change, if known."""
        return _moment_of(self.changed) if self.changed else None


def written_in_utc(moment: datetime) -> str:
    """Return a moment as ``SitemapPage.changed`` has it."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(sep=" ")


def _moment_of(written: str) -> datetime:
    return datetime.fromisoformat(written).replace(tzinfo=UTC)


class _WrittenInUTC(Func):
    """A moment as the database writes it in UTC; drivers take ten times as long to make an object of it."""

    output_field = TextField()

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> Any:
        return self.as_sql(compiler, connection, template="((%(expressions)s) AT TIME ZONE 'UTC')::text")

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any) -> Any:
        # Stored so; by its name alone a column would be converted.
        return self.as_sql(compiler, connection, template="(%(expressions)s || '')")


class _Section(NamedTuple):
    """Entries of one kind."""

    length: int
    read: Callable[[int, int], Iterator[SitemapPage]]
    """Returns the entries from one place to another."""


class _Known(NamedTuple):
    """Facts about the posts before any is read."""

    changed_at: datetime | None
    """When one that is or was public was last written."""
    total: int
    """How many are in the sitemap."""
    future: int
    """How many of these have a date of change that has not come; they are the first ones."""
    next_date: datetime | None
    """The first such date of any public post."""
    on_site: list[int]
    """The ids of those that have a canonical URL, and are in the sitemap because it is on this site."""


class Sitemap:
    """The entries in their order: pages of the index, posts, policy pages and pages of primary lists.

    A part is found by its place, so that only its own posts are read. The places do not count the posts that are listed
    on another site; only a post with a canonical URL can be one, so these URLs are read first.
    """

    def __init__(self, urls: BlogURLs, *, now: datetime) -> None:
        self._urls, self._now = urls, now

    def changed_at(self) -> datetime | None:
        """Return when anything that is or was in the sitemap last changed; three queries.

        Read it first, so that a change during the reading of the entries is sent next time.
        """
        return max((moment for moment in (self._known.changed_at, *_LAST_CHANGES.all()) if moment), default=None)

    def entries(self) -> Iterator[SitemapPage]:
        """Return all entries; at most seven queries, and one if a post is in a translation group."""
        yield from self._index.read(0, self._index.length)
        yield from self._read_posts(0, None)
        yield from self._policies
        yield from self._lists.read(0, self._lists.length)

    @property
    def parts(self) -> int:
        """The number of documents; at most six queries."""
        return -(-sum(section.length for section in self._sections()) // ENTRIES_OF_A_PART)

    def part(self, number: int) -> Iterator[SitemapPage]:
        """Return the entries of a part; one query after those of ``parts``, and one for translation groups."""
        start = (number - 1) * ENTRIES_OF_A_PART
        stop = start + ENTRIES_OF_A_PART
        for length, read in self._sections():
            if start < length and stop > 0:
                yield from read(max(start, 0), min(stop, length))
            start, stop = start - length, stop - length

    def changes(self) -> list[datetime | None]:
        """Return the last known change of each part; one query after those of ``parts``."""
        posts = self._known
        if posts.next_date is not None:
            page_changes_at(posts.next_date)
        starts = [part * ENTRIES_OF_A_PART - self._index.length for part in range(self.parts)]
        # The posts come in the order of their changes, those with a date to come first.
        places = [max(start, posts.future) for start in starts]
        found = self._changes_of_posts([place for place in places if place < posts.total])
        last: list[datetime | None] = []
        for start, place in zip(starts, places, strict=True):
            stop = start + ENTRIES_OF_A_PART
            policies = self._policies[max(start - posts.total, 0) : max(stop - posts.total, 0)]
            moments = [found.get(place) if place < stop else None, *(page.changed_at for page in policies)]
            last.append(max((moment for moment in moments if moment), default=None))
        return last

    def _sections(self) -> tuple[_Section, ...]:
        policies = _Section(len(self._policies), lambda start, stop: iter(self._policies[start:stop]))
        return self._index, _Section(self._known.total, self._read_posts), policies, self._lists

    @cached_property
    def _index(self) -> _Section:
        return _section_of_lists([(self._urls.index_path(), number_on_index())])

    @cached_property
    def _policies(self) -> list[SitemapPage]:
        served = served_pages().values_list("slug", "updated_at")
        return [SitemapPage(self._urls.policy_path(slug), written_in_utc(changed)) for slug, changed in served]

    @cached_property
    def _lists(self) -> _Section:
        return _section_of_lists(_primary_lists(self._urls))

    @cached_property
    def _known(self) -> _Known:
        """Two queries; an index has what the first one counts."""
        changed_at, total, future, next_date = _COUNTED.first(now=self._now) or (None, 0, 0, None)
        on_site, moments, dates = list[int](), [changed_at], [next_date]
        is_public = ExpressionWrapper(_is_public(self._now), BooleanField())
        claimed = _once_public().exclude(_UNCLAIMED).annotate(is_public=is_public)
        columns = ("pk", "canonical_url", "updated_at", "modified_at", "is_public")
        for pk, url, written_at, date, is_shown in claimed.order_by().values_list(*columns):
            moments.append(written_at)
            is_listed = is_shown and is_on_site(url or "", urls=self._urls)
            if is_listed:
                on_site.append(pk)
            if is_shown and date and date > self._now:
                dates.append(date)
                future += is_listed
        return _Known(
            changed_at=max(filter(None, moments), default=None),
            total=total + len(on_site),
            future=future,
            next_date=min(filter(None, dates), default=None),
            on_site=on_site,
        )

    def _read_posts(self, start: int, stop: int | None) -> Iterator[SitemapPage]:
        on_site = self._known.on_site
        read = _rows(None if stop is None else stop - start, is_any_claimed=bool(on_site))
        rows = read.all(start, on_site=on_site, now=self._now)
        groups = translation_groups({group for _, _, group in rows if group})
        start_of_path, now = self._urls.post_path(""), written_in_utc(self._now)
        for slug, changed, group in rows:
            if changed and changed > now:
                page_changes_at(_moment_of(changed))
                changed = ""
            versions = groups[group].versions_of(slug) if group and group in groups else ()
            yield SitemapPage(start_of_path + slug, changed or "", versions)

    def _changes_of_posts(self, places: Sequence[int]) -> dict[int, datetime | None]:
        """Return the dates of change of the posts at these places."""
        listed = _listed(_UNCLAIMED | Q(among("pk", self._known.on_site)), self._now)
        numbered = listed.annotate(number=Window(RowNumber(), order_by=_LAST_CHANGE_FIRST))
        wanted = numbered.filter(number__in=[place + 1 for place in places]).order_by()
        return {number - 1: moment for number, moment in wanted.values_list("number", "modified_at")}


_UNCLAIMED: Final = Q(canonical_url__isnull=True)
"""The condition of nearly all posts, and of the index that has everything that the sitemap reads of a post."""
_LAST_CHANGES: Final = CompiledValues(
    lambda: _last_change(PolicyPage).union(_last_change(Category), all=True).order_by(), lambda moment: moment
)


def _last_change(model: type[Category | PolicyPage]) -> QuerySet[Any]:
    # Grouped by a constant, since a union takes no aggregate.
    rows = model._default_manager.order_by().annotate(all=Value(1)).values("all")
    return rows.annotate(last=Max("updated_at")).values_list("last")


def _is_public(now: Any) -> Q:
    """Return the condition that the sitemap has a post unless it belongs to another site."""
    return Q(when_public(), before_end(now), noindex=False)


def _counted() -> QuerySet[Any]:
    now = Parameter("now", Post._meta.get_field("expires_at"))
    public, future = _is_public(now), Q(_is_public(now), modified_at__gt=now)
    rows = _once_public().filter(_UNCLAIMED).order_by().annotate(all=Value(1)).values("all")
    return rows.annotate(
        changed_at=Max("updated_at"),
        total=Count("pk", filter=public),
        future=Count("pk", filter=future),
        next_date=Min("modified_at", filter=future),
    ).values_list("changed_at", "total", "future", "next_date")


_COUNTED: Final = CompiledValues(_counted, lambda *columns: columns)


def _once_public() -> QuerySet[Post]:
    """Return the posts that are or were public: a withdrawn one keeps its public revision."""
    return Post.objects.filter(public_revision__isnull=False)


def _listed(is_here: Q, now: Any) -> QuerySet[Post]:
    """Return the posts of the sitemap of which ``is_here`` says that they belong to this site."""
    # Each has a public revision, which the index asks for.
    return _once_public().filter(_is_public(now), is_here).order_by(*_LAST_CHANGE_FIRST)


@lru_cache(maxsize=8)
def _rows(number: int | None, *, is_any_claimed: bool) -> CompiledTuples[tuple[str, str | None, str | None]]:
    """Return the query for slugs, dates of change and groups of so many posts; the ORM takes twice as long for each."""
    is_here = _UNCLAIMED | Q(among("pk", "on_site")) if is_any_claimed else _UNCLAIMED
    now = Parameter("now", Post._meta.get_field("expires_at"))
    rows = _listed(is_here, now).values_list("slug", _WrittenInUTC("modified_at"), "translation_group")
    return CompiledTuples(lambda: rows[:number])


def is_on_site(url: str, *, urls: BlogURLs) -> bool:
    """Return whether a URL has the host and port of the site; those of http and https differ."""
    try:
        return origin_parts(url)[1:] == origin_parts(urls.origin)[1:]
    except ValueError:
        # Not a valid URL.
        return False


def _primary_lists(urls: BlogURLs) -> list[tuple[str, int]]:
    """Return the paths of the primary lists and their numbers of posts."""
    kind = get_settings().primary_list
    model: type[Category | Tag] = Tag if kind is ListKind.TAG else Category
    counted = model._default_manager.filter(list_count__posts__gt=0).order_by("id")
    stored = counted.values_list("slug", "list_count__posts")
    numbers = [(slug, total - number_of_ended(kind, slug)) for slug, total in stored]
    return [(urls.list_path(kind, slug), total) for slug, total in numbers if total]


def _section_of_lists(lists: Sequence[tuple[str, int]]) -> _Section:
    """Return the numbered pages of lists, each given by its path and its number of posts."""
    per_page = get_settings().posts_per_page
    counted = [(path, page_count(total, per_page=per_page)) for path, total in lists]

    def read(start: int, stop: int) -> Iterator[SitemapPage]:
        pages = (SitemapPage(page_path(path, number)) for path, count in counted for number in range(1, count + 1))
        return islice(pages, start, stop)

    return _Section(sum(count for _, count in counted), read)
