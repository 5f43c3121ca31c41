"""Posts for the API, the scheduler and the surface report."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from django.db.models import Count, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce
from django.db.models.lookups import IsNull

from blog_engine.blog_urls import hiding_slugs
from blog_engine.content.faq import FaqPair
from blog_engine.content.text import in_utc, is_slug
from blog_engine.enums import PostStatus
from blog_engine.errors import NotFound
from blog_engine.models import (
    Approval,
    Author,
    Baseline,
    ConnectionDeclaration,
    Faq,
    Image,
    Post,
    PostTag,
    Publication,
    Revision,
    Series,
    Translation,
    when_public,
)
from blog_engine.queries.compiled import CompiledModels, CompiledValues, Parameter, among
from blog_engine.queries.pagination import page_count
from blog_engine.queries.post_names import no_such_post
from blog_engine.queries.remembered import named_authors
from blog_engine.rules.approvals import checked_facts
from blog_engine.rules.content_fields import CONTENT_FIELDS
from blog_engine.rules.revision import content_of, revision_payload, revision_text

_NOT_SHOWN: Final = (
    *("recent_writes", "body_html", "outline", "search_text", "own_findings", "public_revision__payload"),
    *("indexed_title", "indexed_description", "indexed_faq", "indexed_body"),
)

_LONGEST_ID = 18
"""A longer number cannot be an id, and some databases refuse to compare with one."""


def _id_where(**condition: object) -> Subquery:
    return Subquery(Post.objects.order_by().filter(**condition).values("pk")[:1])


def _compiled(build: Callable[[], QuerySet[Post]], post_id: Combinable) -> CompiledModels[Post]:
    return CompiledModels(lambda: build().filter(pk=post_id))


class PostByKey:
    """A query for one post, compiled once for each kind of key."""

    def __init__(self, build: Callable[[], QuerySet[Post]]) -> None:
        by_id, by_slug = _id_where(pk=Parameter("id")), _id_where(slug=Parameter("slug"))
        self._with_id = _compiled(build, Parameter("id"))
        self._with_slug = _compiled(build, by_slug)
        self._with_either = _compiled(build, Coalesce(by_id, by_slug))

    def first(self, key: int | str) -> Post | None:
        """Return the post with this id, or of a text with this id or else slug."""
        if isinstance(key, int):
            return self._with_id.first(id=key) if key < 10**_LONGEST_ID else None
        if _may_be_id(key):
            return self._with_either.first(id=int(key), slug=key)
        return self._with_slug.first(slug=key)


def _may_be_id(key: str) -> bool:
    return key.isascii() and key.isdigit() and len(key) <= _LONGEST_ID


def post_id_of(key: str) -> int:
    """Return the id of the post with this id or else slug; raises ``NotFound``."""
    post = _IDS.first(key)
    if post is None:
        raise NotFound(hint=no_such_post(key))
    return post.pk


_IDS: Final = PostByKey(lambda: Post.objects.only("pk").order_by())
_VERSIONS: Final = PostByKey(lambda: Post.objects.only("version").order_by())


def post_to_hand_over(key: object) -> Post | None:
    """Return the post of an id or slug that was not checked, as far as its preview needs it; at most one query."""
    name = str(key) if isinstance(key, str | int) else ""
    return _PREVIEWED.first(name) if _may_be_id(name) or is_slug(name) else None


_PREVIEWED: Final = PostByKey(lambda: Post.objects.only("pk", "status", "current_revision_identifier").order_by())


def read_post(post_id: int) -> Post:
    """Return a post with its relations; raises ``NotFound``.

    Three queries, and one each for its series, its images and its translations if it has any.
    """
    return _found(_WHOLE_POSTS.first(post_id), post_id)


def post_with_key(key: str) -> Post:
    """Return the post with this id or else slug, as ``read_post``; raises ``NotFound``."""
    return _found(_WHOLE_POSTS.first(key), key)


def version_of_post(key: str) -> int | None:
    """Return the version of the post with this id or else slug, or ``None``; one query."""
    post = _VERSIONS.first(key)
    return None if post is None else post.version


def _found(post: Post | None, key: str | int) -> Post:
    if post is None:
        raise NotFound(hint=no_such_post(key))
    return with_related_rows(post, taggings=taggings_of(post.pk), faq=faq_rows(post.pk))


def with_related_rows(post: Post, *, faq: list[Faq], taggings: list[PostTag]) -> Post:
    """Keep FAQ and tags with a post; read its coauthors, translations and images, as far as it has any."""
    keep_related(post, "taggings", taggings)
    keep_related(post, "faqs", faq)
    post.translations = translations_of(post)
    if len(post.coauthors) != len(post.coauthor_ids):
        post.coauthors = named_authors(post, Author.objects.in_bulk(post.coauthor_ids))
    if post.series_id is not None and not Post._meta.get_field("series").is_cached(post):
        post.series = _SERIES.first(series=post.series_id)
    cover, social = post.cover_image_id, post.social_image_id
    if cover or social:
        images = {image.pk: image for image in _IMAGES.all(cover=cover or social, social=social or cover)}
        # No key leads to a missing image, which is protected.
        post.cover_image = images[cover] if cover else None
        post.social_image = images[social] if social else None
    return post


def keep_related(post: Post, name: str, rows: list[Any]) -> None:
    """Keep related rows with a post, as ``prefetch_related()`` does, but read with a compiled statement."""
    related = getattr(post, name).all()
    related._result_cache, related._prefetch_done = rows, True
    vars(post).setdefault("_prefetched_objects_cache", {})[name] = related


def translations_of(post: Post) -> list[Translation]:
    """Return the other posts of the translation group of a post, by id; one query if it has one."""
    if post.translation_group is None:
        return []
    return [other for other in _TRANSLATIONS.all(group=post.translation_group) if other.id != post.pk]


_TRANSLATIONS: Final = CompiledValues(
    lambda: Post.objects.filter(translation_group=Parameter("group")).order_by("pk").values_list(*Translation._fields),
    Translation,
)


def _whole_posts() -> QuerySet[Post]:
    posts = Post.objects.select_related("author", "category").order_by()
    # Images and series are not joined: planning a statement of so many joins takes longer than running another one.
    return with_review(posts).defer(*_NOT_SHOWN)


_WHOLE_POSTS: Final = PostByKey(_whole_posts)
_TAGGINGS: Final[CompiledModels[PostTag]] = CompiledModels(
    lambda: PostTag.objects.select_related("tag").filter(post_id=Parameter("post")).order_by("id")
)
_FAQS: Final[CompiledModels[Faq]] = CompiledModels(lambda: Faq.objects.filter(post_id=Parameter("post")))
_SERIES: Final[CompiledModels[Series]] = CompiledModels(
    lambda: Series.objects.filter(pk=Parameter("series")).order_by()
)
_IMAGES: Final[CompiledModels[Image]] = CompiledModels(
    lambda: Image.objects.filter(pk__in=[Parameter("cover"), Parameter("social")]).order_by()
)


def faq_rows(post_id: int) -> list[Faq]:
    """Return the FAQ of a post in its order; one query."""
    return _FAQS.all(post=post_id)


_TAG_NAMES: Final = CompiledValues(
    lambda: PostTag.objects.filter(among("post_id", "ids")).order_by("id").values_list("post_id", "tag__name"),
    lambda post_id, name: (post_id, name),
)


def tag_names_of(ids: Iterable[int]) -> defaultdict[int, list[str]]:
    """Return the names of the tags of posts, by post in the order sent; one query."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    for post_id, name in _TAG_NAMES.all(ids=list(ids)):
        found[post_id].append(name)
    return found


def taggings_of(post_id: int) -> list[PostTag]:
    """Return the taggings of a post with their tags, in the order sent; one query."""
    return _TAGGINGS.all(post=post_id)


def tag_names(post: Post) -> list[str]:
    """Return the names of the loaded tags of a post in the order sent."""
    return [tagging.tag.name for tagging in post.taggings.all()]


_DESCRIBED: Final = frozenset({"series_position", "featured", "canonical_url", "noindex"})
_FURTHER_LINES: Final = tuple(
    one.name for one in CONTENT_FIELDS if one.is_stored_as_sent and not one.is_revised and one.name not in _DESCRIBED
)


def described_post(post: Post) -> str:
    """Return a post of ``read_post`` as text, with a line for each field, for a difference."""
    series = f"{post.series.name}, {post.series_position or 'no position'}" if post.series else ""
    fields = {
        "status": post.status,
        "publish at": in_utc(post.publish_at, "seconds") if post.publish_at else "",
        "slug": post.slug,
        "category": post.category.name if post.category else "",
        "tags": ", ".join(tag_names(post)),
        "series": series,
        "featured": "yes" if post.featured else "no",
        "canonical URL": post.canonical_url,
        "noindex": "yes" if post.noindex else "",
        "expires at": in_utc(post.expires_at, "seconds") if post.expires_at else "",
        "external id": post.external_id,
        "translations": ", ".join(other.slug for other in post.translations),
        "provenance": post.provenance,
        "provenance evidence": post.provenance_evidence,
        "body format": post.body_format,
        **{name.replace("_", " "): getattr(post, name) for name in _FURTHER_LINES},
    }
    head = "".join(f"{name}: {value}\n" for name, value in fields.items() if value)
    faq = [FaqPair(question=entry.question, answer=entry.answer) for entry in post.faqs.all()]
    return head + revision_text(revision_payload(content_of(post, faq=faq)))


def with_review(posts: QuerySet[Post]) -> QuerySet[Post]:
    """Annotate what the label and ``approved`` need, without a further query per post.

    ``is_reviewed``: a facts-checked approval of exactly the current content exists.
    ``is_approved``: one exists for the public revision.
    """
    return posts.select_related("public_revision").annotate(  # type: ignore[no-redef]  # Post declares them for readers
        is_reviewed=reviewed(),
        is_approved=is_there(_checks().filter(revision__identifier=OuterRef("public_revision__identifier"))),
    )


def public_identifier() -> Subquery:
    """Return the identifier of the public revision, as an annotation: databases plan it faster than another join."""
    return Subquery(Revision.objects.filter(pk=OuterRef("public_revision")).order_by().values("identifier"))


def reviewed() -> IsNull:
    """Return the expression for ``is_reviewed`` of a post."""
    return is_there(_checks().filter(revision__identifier=OuterRef("current_revision_identifier")))


def is_there(rows: QuerySet[Any]) -> IsNull:
    """Return whether a post has such a row, as an expression.

    Not ``Exists``, for which PostgreSQL may read the approvals of all posts if it expects a long list.
    """
    return IsNull(Subquery(rows.values("pk")[:1]), False)


def _checks() -> QuerySet[Approval]:
    return fact_checks().filter(post=OuterRef("pk"))


def fact_checks() -> QuerySet[Approval]:
    """Return the approvals that count as a check of the facts."""
    return Approval.objects.filter(checked_facts())


def is_content_reviewed(post_id: int, identifier: str) -> bool:
    """Return whether a facts-checked approval of a content of a post counts; one query."""
    return fact_checks().filter(post=post_id, revision__identifier=identifier).exists()


def hidden_posts() -> list[str]:
    """Return the slugs of posts whose paths the blog itself uses; one query."""
    taken = Post.objects.filter(slug__in=hiding_slugs())
    return list(taken.order_by("slug").values_list("slug", flat=True))


@dataclass(frozen=True, slots=True)
class Scheduled:
    """The number of scheduled and of due posts, and when the first one was due."""

    number: int
    due: int
    earliest_due: datetime | None


def scheduled_posts(*, due_before: datetime) -> Scheduled:
    """Count the scheduled posts, and those that were due before a moment; one query."""
    is_due = Q(publish_at__lt=due_before)
    found = Post.objects.filter(status=PostStatus.SCHEDULED.value).aggregate(
        number=Count("pk"), due=Count("pk", filter=is_due), earliest_due=Min("publish_at", filter=is_due)
    )
    return Scheduled(**found)


R = TypeVar("R", Faq, Publication, Approval, ConnectionDeclaration)


@dataclass(frozen=True, slots=True)
class ReportedPost:
    """A published post and its records, in the order in which they were recorded.

    The post has its author, category, series, images and public revision loaded. ``declaration`` is the last one.
    """

    post: Post
    faq: tuple[FaqPair, ...]
    publications: tuple[Publication, ...]
    approvals: tuple[Approval, ...]
    baseline: Baseline | None
    declaration: ConnectionDeclaration | None


@dataclass(frozen=True, slots=True)
class ReportedPage:
    """A page of published posts by id, and the number of all of them."""

    posts: tuple[ReportedPost, ...]
    page: int
    per_page: int
    total: int

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return page_count(self.total, per_page=self.per_page)


def reported_page(number: int, *, per_page: int) -> ReportedPage:
    """Return a page of all published posts, empty past the end. Seven queries."""
    found = _published().order_by("pk")
    start = (number - 1) * per_page
    return ReportedPage(_with_records(found[start : start + per_page]), number, per_page, found.count())


def reported_post(key: str) -> ReportedPage:
    """Return a page with the published post of this id or slug; raises ``NotFound``."""
    posts = _with_records(_published().filter(pk=post_id_of(key)))
    if not posts:
        raise NotFound(hint="Only published posts have a report: read the post to see its status.")
    return ReportedPage(posts, page=1, per_page=1, total=1)


def _published() -> QuerySet[Post]:
    relations = ("author__avatar", "category", "series", "cover_image", "social_image")
    posts = Post.objects.filter(when_public()).select_related(*relations)
    return with_review(posts)


def _with_records(found: Iterable[Post]) -> tuple[ReportedPost, ...]:
    posts = list(found)
    ids = [post.pk for post in posts]
    faqs = _by_post(Faq.objects.filter(post__in=ids).order_by("position"))
    publications = _by_post(Publication.objects.filter(post__in=ids).order_by("id"))
    approvals = _by_post(
        Approval.objects.filter(post__in=ids)
        .select_related("revision", "signature")
        .defer("revision__payload")
        .order_by("id")
    )
    declarations = _by_post(ConnectionDeclaration.objects.filter(post__in=ids).order_by("id"))
    baselines = {baseline.post_id: baseline for baseline in Baseline.objects.filter(post__in=ids)}
    return tuple(
        ReportedPost(
            post=post,
            faq=tuple(FaqPair(question=entry.question, answer=entry.answer) for entry in faqs[post.pk]),
            publications=tuple(publications[post.pk]),
            approvals=tuple(approvals[post.pk]),
            baseline=baselines.get(post.pk),
            declaration=next(reversed(declarations[post.pk]), None),
        )
        for post in posts
    )


def _by_post(rows: Iterable[R]) -> defaultdict[int, list[R]]:
    found: defaultdict[int, list[R]] = defaultdict(list)
    for row in rows:
        found[row.post_id].append(row)
    return found


def is_slug_in_use(slug: str) -> bool:
    """Return whether a post of any status has this slug; one query."""
    return Post.objects.filter(slug=slug).exists()
