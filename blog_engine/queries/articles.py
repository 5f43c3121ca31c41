"""Posts with everything that their pages show."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import DateTimeField, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from blog_engine.blog_urls import BlogURLs
from blog_engine.content.corrections import DatedNote
from blog_engine.content.faq import FaqPair
from blog_engine.content.image_notes import NotedImage
from blog_engine.content.options import ImageOrigin
from blog_engine.content.plain_text import MarkdownDocument, markdown_text
from blog_engine.enums import BodyFormat, EntryType, PolicyKind
from blog_engine.models import (
    ConnectionDeclaration,
    EmbeddedImage,
    Faq,
    Post,
    PostTag,
    Publication,
    Translation,
    when_public,
)
from blog_engine.queries.compiled import CompiledModels, CompiledRows, CompiledValues, Parameter, among
from blog_engine.queries.nearby import NearbyPosts, SeriesAround, nearby_posts, series_around
from blog_engine.queries.policies import find_policy_url
from blog_engine.queries.posts import public_identifier, reviewed, translations_of
from blog_engine.queries.remembered import before_their_end, with_authors, with_categories
from blog_engine.rendering.images import image_origin
from blog_engine.rules.dates import known_dates, long_date
from blog_engine.rules.label import image_note, label_of, notices_of

_NOT_SHOWN: Final = (
    *(
        "body_facts",
        "body_image_manifest",
        "body_image_source_digest",
        "search_text",
        "description_key",
        "indexed_with",
    ),
    *("indexed_title", "indexed_description", "indexed_faq", "indexed_body", "external_id", "feed_id", "featured"),
    *("provenance_evidence", "unrecorded_actor", "unrecorded_by", "unrecorded_made_by_ai", "publish_at", "created_at"),
    *("updated_at", "version", "recent_writes", "created_by", "own_findings", "open_remarks", "approval_missing"),
    *("review_reason", "review_requested_by", "review_requested_at", "review_asked", "review_asked_name"),
    *("review_requester", "review_returned_by", "review_returned_at", "cover_image__byte_size"),
    "cover_image__source_url",
    *("cover_image__has_location", "cover_image__uploaded_by", "cover_image__created_at"),
    "cover_image__source_type_in_file",
)
_NOT_ON_THE_PAGE: Final = (*_NOT_SHOWN, "body")
"""The page shows the stored rendering; an outdated one is made again from the body, which then takes one more query."""
_NOT_IN_MARKDOWN: Final = (*_NOT_SHOWN, "body_html", "outline")


class PublishedCorrection(NamedTuple):
    """A correction that readers see."""

    occurred_at: datetime
    note: str | None


class BodyImageOrigin(NamedTuple):
    """A stored image of a body, and what is said of where it comes from."""

    sha256: str
    filename: str
    origin: ImageOrigin


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The content of an article from other rows than its own."""

    tags: tuple[tuple[str, str], ...]
    """Names and slugs."""
    faq: tuple[FaqPair, ...]
    corrections: tuple[PublishedCorrection, ...]
    """The oldest first."""
    declaration: ConnectionDeclaration | None
    series: SeriesAround | None
    nearby: NearbyPosts
    translations: tuple[Translation, ...] = ()
    """The public versions in other languages, by id."""
    images: tuple[BodyImageOrigin, ...] = ()
    """The stored images of the body of whose origin something is said, in the order in which they were stored."""


_IS_CORRECTION: Final = Q(entry_type=EntryType.CORRECTION.value)
_PUBLISHED: Final[CompiledModels[Post]] = CompiledModels(
    lambda: _articles(_NOT_ON_THE_PAGE).filter(when_public(), slug=Parameter("slug"))[:1]
)
_PUBLISHED_TEXT: Final[CompiledModels[Post]] = CompiledModels(
    lambda: _articles(_NOT_IN_MARKDOWN).filter(when_public(), slug=Parameter("slug"))[:1]
)


def published_article(slug: str) -> Post | None:
    """Return the published post with a slug for its page, or ``None``; at most three queries."""
    return _with_author_and_category(_PUBLISHED.first(slug=slug))


def published_text(slug: str) -> Post | None:
    """Return the published post with a slug for ``article_markdown``, or ``None``; at most three queries."""
    return _with_author_and_category(_PUBLISHED_TEXT.first(slug=slug))


def stored_article(post_id: int) -> Post | None:
    """Return the post with an id, whatever its status, or ``None``; at most three queries."""
    return _with_author_and_category(_articles(_NOT_SHOWN).filter(pk=post_id).first())


def stored_article_at(slug: str) -> Post | None:
    """Return the post with a slug, whatever its status, or ``None``; at most three queries."""
    return _with_author_and_category(_articles(_NOT_SHOWN).filter(slug=slug).first())


def _articles(left_out: Sequence[str]) -> QuerySet[Post]:
    # The other relations are read apart: see ``with_authors``.
    posts = Post.objects.select_related("cover_image").defer(*left_out).order_by()
    # Few posts have any: the page of the others needs no query for them.
    return posts.annotate(  # type: ignore[no-redef]  # Post declares them for readers
        is_reviewed=reviewed(),
        public_identifier=public_identifier(),
        has_declaration=Exists(ConnectionDeclaration.objects.filter(post=OuterRef("pk"))),
    )


def _with_author_and_category(post: Post | None) -> Post | None:
    return next(iter(with_categories(with_authors([] if post is None else [post]))), None)


def canonical_url(post: Post, *, urls: BlogURLs) -> str:
    """Return the canonical URL stored with the post, or else the URL of the post."""
    return post.canonical_url or urls.post_url(post.slug)


_TAG, _PAIR, _IMAGE, _NOTE = range(4)
"""The kinds of the rows of a union."""


def _tags_and_more() -> QuerySet[Any]:
    """Return the names and slugs of the tags of a post, its FAQ and corrections, and the origins of its images.

    In one statement.
    """
    columns = ("kind", "occurred_at", "place", "first", "second", "third", "fourth")
    tags = PostTag.objects.annotate(place=F("id"), first=F("tag__name"), second=F("tag__slug"), **_empty(_TAG))
    faq = Faq.objects.annotate(place=F("position"), first=F("question"), second=F("answer"), **_empty(_PAIR))
    others = (tags.annotate(occurred_at=_NO_DATE), _published_notes(), faq.annotate(occurred_at=_NO_DATE))
    kinds: list[QuerySet[Any]] = [*others, _images_with_origin().annotate(occurred_at=_NO_DATE)]
    first, *more = (rows.filter(post=Parameter("post")).order_by().values_list(*columns) for rows in kinds)
    return first.union(*more, all=True).order_by("kind", "occurred_at", "place")


_NO_DATE: Final = Value(None, output_field=DateTimeField())
"""A column of a union has the type of its first two: a date must be among these."""


def _published_notes() -> QuerySet[Publication]:
    """Return the corrections that were published until ``now``, with the columns of a union."""
    published = Publication.objects.filter(_IS_CORRECTION, occurred_at__lte=Parameter("now", DateTimeField()))
    return published.annotate(place=F("id"), first=F("note"), second=Value(""), **_empty(_NOTE))


def _empty(kind: int) -> dict[str, Value]:
    return {"kind": Value(kind), "third": Value(""), "fourth": Value("")}


def _images_with_origin() -> QuerySet[EmbeddedImage]:
    """Return the stored images of bodies of whose origin something is said, with the columns of a union."""
    nothing = Q(image__credit="", image__digital_source_type__isnull=True)
    return EmbeddedImage.objects.exclude(nothing).annotate(
        kind=Value(_IMAGE),
        place=F("id"),
        first=F("image__sha256"),
        second=F("image__filename"),
        third=F("image__credit"),
        fourth=Coalesce("image__digital_source_type", Value("")),
    )


def _image_of(sha256: str, filename: str, credit: str, source_type: str) -> BodyImageOrigin:
    return BodyImageOrigin(sha256, filename, ImageOrigin(credit, source_type or None))


def origins_of_bodies(ids: Sequence[int], *, alias: str) -> list[tuple[int, BodyImageOrigin]]:
    """Return the stored images of bodies of whose origin something is said, with the ids of the posts; one query."""
    columns = ("post_id", "first", "second", "third", "fourth")
    rows = _images_with_origin().using(alias).filter(post__in=ids).order_by("id").values_list(*columns)
    return [(post_id, _image_of(*texts)) for post_id, *texts in rows]


_TAGS_AND_MORE: Final = CompiledValues(_tags_and_more, lambda kind, moment, place, *texts: (kind, moment, texts))
_CORRECTIONS: Final = CompiledValues(
    lambda: (
        Publication.objects.filter(
            _IS_CORRECTION,
            post=Parameter("post"),
            occurred_at__lte=Parameter("now", DateTimeField()),
        )
        .order_by("occurred_at", "id")
        .values_list("occurred_at", "note")
    ),
    PublishedCorrection,
)
_DECLARATIONS: Final[CompiledModels[ConnectionDeclaration]] = CompiledModels(
    lambda: ConnectionDeclaration.objects.filter(among("post_id", "ids")).order_by("id")
)


def surroundings_of(post: Post, *, now: datetime) -> Surroundings:
    """Return the parts around an article at ``now``; at most seven queries."""
    rows = _TAGS_AND_MORE.all(post=post.pk, now=now)
    return _surroundings(
        post,
        tags=tuple((texts[0], texts[1]) for kind, _, texts in rows if kind == _TAG),
        faq=tuple(FaqPair(question=texts[0], answer=texts[1]) for kind, _, texts in rows if kind == _PAIR),
        corrections=tuple(PublishedCorrection(moment, texts[0]) for kind, moment, texts in rows if kind == _NOTE),
        images=tuple(_image_of(*texts) for kind, _, texts in rows if kind == _IMAGE),
    )


def surroundings_of_proposal(post: Post, publications: Iterable[Publication], *, now: datetime) -> Surroundings:
    """Return the parts around the article of a proposed content with loaded FAQ and tags; at most six queries.

    ``publications`` are those of the post.
    """
    corrections = (one for one in publications if one.entry_type == EntryType.CORRECTION and one.occurred_at <= now)
    return _surroundings(
        post,
        tags=tuple((tagging.tag.name, tagging.tag.slug) for tagging in post.taggings.all()),
        faq=tuple(post.faq),
        corrections=tuple(
            PublishedCorrection(one.occurred_at, one.note) for one in sorted(corrections, key=_date_and_place)
        ),
    )


def _date_and_place(publication: Publication) -> tuple[datetime, int]:
    return publication.occurred_at, publication.pk


def _surroundings(
    post: Post,
    *,
    tags: tuple[tuple[str, str], ...],
    faq: tuple[FaqPair, ...],
    corrections: tuple[PublishedCorrection, ...],
    images: tuple[BodyImageOrigin, ...] = (),
) -> Surroundings:
    series, translations = series_around(post), public_translations_of(post)
    return Surroundings(
        tags=tags,
        faq=faq,
        corrections=corrections,
        declaration=latest_declaration(post) if post.has_declaration else None,
        series=series,
        nearby=nearby_posts(post, series=series, versions={one.slug for one in translations}),
        translations=translations,
        images=images,
    )


def public_translations_of(post: Post) -> tuple[Translation, ...]:
    """Return the public versions of a post in other languages, by id; one query if it is in a translation group."""
    found = translations_of(post) if post.translation_group else ()
    return tuple(other for other in found if other.is_shown)


def corrections_of(post: Post, *, now: datetime) -> tuple[PublishedCorrection, ...]:
    """Return the corrections of a post that were published until ``now``, the oldest first; one query."""
    return tuple(_CORRECTIONS.all(post=post.pk, now=now))


def latest_declaration(post: Post) -> ConnectionDeclaration | None:
    """Return the last recorded declaration, whatever its date, or ``None``; one query."""
    return next(reversed(_DECLARATIONS.all(ids=[post.pk])), None)


def is_published(slug: str) -> bool:
    """Return whether a published post has this slug."""
    return Post.objects.filter(when_public(), slug=slug).exists()


def article_markdown(post: Post, *, urls: BlogURLs, now: datetime) -> str:
    """Return a post read by this module in Markdown with byline and notices; at most three queries."""
    return next(_markdown_of([post], urls=urls, now=now))


_TEXTS: Final = CompiledRows(lambda: _articles(_NOT_IN_MARKDOWN).filter(when_public()))


def articles_markdown(ids: Sequence[int], *, urls: BlogURLs, now: datetime) -> Iterator[str]:
    """Return public posts in Markdown as ``article_markdown`` does, in the order of ``ids``; at most four queries."""
    posts = _TEXTS.by_id(ids)
    shown = list(before_their_end(posts[pk] for pk in ids if pk in posts))
    return _markdown_of(shown, urls=urls, now=now)


def _faq_and_corrections() -> QuerySet[Any]:
    """Return the FAQ, the corrections and the origins of the images of posts in one statement."""
    columns = ("post_id", "kind", "occurred_at", "place", "first", "second", "third", "fourth")
    faq = Faq.objects.annotate(
        occurred_at=_NO_DATE, place=F("position"), first=F("question"), second=F("answer"), **_empty(_PAIR)
    )
    kinds: list[QuerySet[Any]] = [faq, _published_notes(), _images_with_origin().annotate(occurred_at=_NO_DATE)]
    first, *others = (rows.filter(among("post_id", "ids")).order_by().values_list(*columns) for rows in kinds)
    return first.union(*others, all=True).order_by("occurred_at", "place")


_FAQ_AND_CORRECTIONS: Final = CompiledValues(_faq_and_corrections, lambda *row: row)


def _markdown_of(posts: Sequence[Post], *, urls: BlogURLs, now: datetime) -> Iterator[str]:
    has_responsible_party = find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
    faq: defaultdict[int, list[FaqPair]] = defaultdict(list)
    corrections: defaultdict[int, list[DatedNote]] = defaultdict(list)
    images: defaultdict[int, list[BodyImageOrigin]] = defaultdict(list)
    for post_id, kind, occurred_at, _place, *texts in _FAQ_AND_CORRECTIONS.all(
        ids=[post.pk for post in posts], now=now
    ):
        if kind == _PAIR:
            faq[post_id].append(FaqPair(question=texts[0], answer=texts[1]))
        elif kind == _NOTE:
            corrections[post_id].append(DatedNote(long_date(occurred_at), texts[0]))
        else:
            images[post_id].append(_image_of(*texts))
    declared = [post.pk for post in posts if post.has_declaration]
    # The last one of each post.
    declarations = {found.post_id: found for found in _DECLARATIONS.all(ids=declared)} if declared else {}
    for post in posts:
        label = label_of(post, has_responsible_party=has_responsible_party)
        notices = notices_of(label, declarations.get(post.pk))
        yield markdown_document(
            post,
            notices=notices,
            images=images[post.pk],
            corrections=tuple(corrections[post.pk]),
            faq=tuple(faq[post.pk]),
            urls=urls,
            now=now,
        )


def markdown_document(
    post: Post,
    *,
    notices: tuple[str, ...],
    images: Sequence[BodyImageOrigin],
    corrections: tuple[DatedNote, ...],
    faq: tuple[FaqPair, ...],
    urls: BlogURLs,
    now: datetime,
) -> str:
    """Return a post and what is around it in Markdown, as ``article_markdown`` does; no query."""
    return markdown_text(
        MarkdownDocument(
            title=post.title,
            byline=tuple(_byline(post, now=now)),
            notices=notices,
            body=post.body,
            body_format=BodyFormat(post.body_format),
            images=tuple(_noted(post, images, urls=urls)),
            images_heading=_("Images"),
            corrections=corrections,
            corrections_heading=_("Corrections"),
            faq=faq,
            faq_heading=_("Frequently asked questions"),
            canonical_url=canonical_url(post, urls=urls),
        )
    )


def _noted(post: Post, images: Sequence[BodyImageOrigin], *, urls: BlogURLs) -> Iterator[NotedImage]:
    """Yield the images of whose origin readers learn, the cover first."""
    cover = post.cover_image
    covers = [BodyImageOrigin(cover.sha256, cover.filename, image_origin(cover))] if cover else []
    for image in dict.fromkeys([*covers, *images]):
        if note := image_note(image.origin):
            url = urls.absolute(urls.media_path(image.sha256, image.filename))
            yield NotedImage(image.filename, url, note)


def _byline(post: Post, *, now: datetime) -> Iterator[str]:
    dates = known_dates(post, now=now)
    yield ", ".join(post.byline)
    if dates.published:
        yield _("Published %(date)s") % {"date": long_date(dates.published)}
    if dates.updated:
        yield _("Updated %(date)s") % {"date": long_date(dates.updated)}
