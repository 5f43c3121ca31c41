"""Check that posts agree with their history, and that no record of it is missing."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Count, Exists, Model, OuterRef, Prefetch, Q, QuerySet, Subquery

from blog_engine.content.faq import FaqPair
from blog_engine.enums import ApprovalKind, EntryType
from blog_engine.models import (
    Approval,
    Baseline,
    ConnectionDeclaration,
    Faq,
    Post,
    Proposal,
    ProposalEvent,
    Publication,
    Revision,
    SearchEntry,
    when_public,
)
from blog_engine.models.search import listed_of
from blog_engine.queries.listings import SUBJECTS
from blog_engine.rules.dates import PublicDates, dates_of
from blog_engine.rules.revision import content_of, revision_identifier, revision_payload

BATCH = 100
"""Posts that are loaded at a time."""

_NOT_RECORDED = (
    *("body_html", "outline", "body_facts", "excerpt"),
    *("indexed_title", "indexed_description", "indexed_faq", "indexed_body"),
)


class Deviation(StrEnum):
    """A difference between a public post and its history, in the words of the doctor."""

    NO_REVISION = "has no public revision"
    CONTENT = "the content is not that of its public revision"
    PAYLOAD = "the stored text of its public revision does not belong to its identifier"
    IDENTIFIER = "current_revision_identifier is not that of the content"
    PUBLISHED_AT = "published_at is not what the history says"
    MODIFIED_AT = "modified_at is not what the history says"
    LISTED_AT = "listed_at is not what the history says"


class Gap(StrEnum):
    """A missing record, in the words of the doctor."""

    POST = "records without their post"
    REVISION = "an approval, a publication or a baseline without its revision"
    USE = "a revision without an approval, a publication or a proposal"
    PUBLICATION = "no publication of the public revision"
    BEGINNING = "publications without a first or adopted one"
    ADOPTED = "a baseline without the publication of its revision"
    BASELINE = "records of an adoption without a baseline"


@dataclass(frozen=True, slots=True)
class Audit:
    """The result of ``audit_public_posts``."""

    checked: int
    """Public posts that were checked."""
    public: int
    """Public posts in all."""
    differing: dict[int, list[Deviation]]
    """What is wrong, by post id."""


def audit_public_posts(*, newest: int | None = None) -> Audit:
    """Recompute identifiers and dates of public posts, and compare the stored ones.

    ``newest`` limits the check to that many most recently changed posts. Four queries for each batch.
    """
    checked = 0
    differing: dict[int, list[Deviation]] = {}
    for ids in _every_batch() if newest is None else _newest_batches(newest):
        checked += len(ids)
        # A write between two queries looks like a difference, but not at a second look.
        if suspects := _differences(ids):
            differing |= _differences(list(suspects))
    return Audit(checked=checked, public=_public().count(), differing=differing)


def gaps_in_histories() -> dict[int, list[Gap]]:
    """Return the missing records by post id; one query for each kind and table.

    Only a deletion by other means than this app leaves a gap.
    """
    found: dict[int, list[Gap]] = defaultdict(list)
    for gap, posts in _gaps():
        for post_id in posts.order_by().distinct():
            if gap not in found[post_id]:
                found[post_id].append(gap)
    return dict(sorted(found.items()))


def _gaps() -> Iterator[tuple[Gap, QuerySet[Model, int]]]:
    same_post = {"post": OuterRef("post")}
    for model in (Revision, Approval, Publication, Baseline, ConnectionDeclaration):
        yield Gap.POST, _posts_of(model.objects.exclude(Exists(Post.objects.filter(pk=OuterRef("post")))))
    for model, name in ((Approval, "revision"), (Publication, "revision"), (Baseline, "adopted_revision")):
        theirs = Revision.objects.filter(pk=OuterRef(name), **same_post)
        yield Gap.REVISION, _posts_of(model.objects.exclude(Exists(theirs)))
    names = ((Approval, "revision"), (Publication, "revision"), (Proposal, "revision"), (Proposal, "base_revision"))
    uses = [Q(Exists(model._default_manager.filter(**{name: OuterRef("pk")}))) for model, name in names]
    uses.append(Q(Exists(ProposalEvent.objects.filter(revision=OuterRef("pk")))))
    yield Gap.USE, _posts_of(Revision.objects.exclude(reduce(or_, uses)))
    released = Exists(Publication.objects.filter(post=OuterRef("pk"), revision=OuterRef("public_revision")))
    yield (
        Gap.PUBLICATION,
        Post.objects.filter(public_revision__isnull=False).exclude(released).values_list("pk", flat=True),
    )
    beginnings = Publication.objects.filter(entry_type__in=[EntryType.FIRST.value, EntryType.ADOPTED.value])
    yield Gap.BEGINNING, _posts_of(Publication.objects.exclude(Exists(beginnings.filter(**same_post))))
    adopted = Publication.objects.filter(entry_type=EntryType.ADOPTED.value)
    its_own = adopted.filter(revision=OuterRef("adopted_revision"), **same_post)
    yield Gap.ADOPTED, _posts_of(Baseline.objects.exclude(Exists(its_own)))
    earlier = Approval.objects.exclude(kind=ApprovalKind.SENT.value)
    baseline = Exists(Baseline.objects.filter(**same_post))
    yield Gap.BASELINE, _posts_of(adopted.exclude(baseline))
    yield Gap.BASELINE, _posts_of(earlier.exclude(baseline))


def _posts_of(records: QuerySet[Model]) -> QuerySet[Model, int]:
    return records.values_list("post_id", flat=True)


def _public() -> QuerySet[Post]:
    return Post.objects.filter(when_public())


def _every_batch() -> Iterator[Sequence[int]]:
    last = 0
    while ids := list(_public().filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        yield ids
        last = ids[-1]


def _newest_batches(number: int) -> Iterator[Sequence[int]]:
    ids = list(_public().order_by("-updated_at", "-pk").values_list("pk", flat=True)[:number])
    for start in range(0, len(ids), BATCH):
        yield ids[start : start + BATCH]


def _differences(ids: Sequence[int]) -> dict[int, list[Deviation]]:
    dates = _dates_of(ids)
    faqs = Prefetch("faqs", Faq.objects.order_by("position"))
    posts = (
        _public()
        .filter(pk__in=ids)
        .select_related("cover_image", "social_image", "public_revision")
        .prefetch_related(faqs)
        .defer(*_NOT_RECORDED)
        .order_by("pk")
    )
    return {post.pk: found for post in posts if (found := list(_deviations_of(post, dates[post.pk])))}


def _dates_of(ids: Sequence[int]) -> dict[int, PublicDates]:
    entries: dict[int, list[Publication]] = {post_id: [] for post_id in ids}
    for entry in Publication.objects.filter(post__in=ids).only("post", "entry_type", "occurred_at").order_by("id"):
        entries[entry.post_id].append(entry)
    baselines = {baseline.post_id: baseline for baseline in Baseline.objects.filter(post__in=ids)}
    return {post_id: dates_of(entries[post_id], baselines.get(post_id)) for post_id in ids}


def _deviations_of(post: Post, dates: PublicDates) -> Iterator[Deviation]:
    revision = post.public_revision
    if revision is None:
        yield Deviation.NO_REVISION
        return
    faq = [FaqPair(question=entry.question, answer=entry.answer) for entry in post.faqs.all()]
    identifier = revision_identifier(revision_payload(content_of(post, faq=faq)))
    if identifier != revision.identifier:
        yield Deviation.CONTENT
    if revision_identifier(revision.payload) != revision.identifier:
        yield Deviation.PAYLOAD
    if post.current_revision_identifier != identifier:
        yield Deviation.IDENTIFIER
    if post.published_at != dates.published_at:
        yield Deviation.PUBLISHED_AT
    if post.modified_at != dates.modified_at:
        yield Deviation.MODIFIED_AT
    if post.listed_at != dates.listed_at:
        yield Deviation.LISTED_AT


def wrong_list_counts() -> list[str]:
    """Return each list whose stored number of posts is wrong, with both numbers; one query for each kind of list."""
    return list(_wrong_list_counts())


def _wrong_list_counts() -> Iterator[str]:
    public = Count("posts", filter=when_public("posts__"))
    for kind, model in SUBJECTS.items():
        counted: QuerySet[Any, Any] = model._default_manager.annotate(total=public).order_by("pk")
        for slug, stored, total in counted.values_list("slug", "list_count__posts", "total"):
            if (stored or 0) != total:
                yield f"{kind} {slug}: {stored or 0} instead of {total}"


def wrongly_listed_posts() -> list[int]:
    """Return the ids of the posts that the search index lists at another date, or although they are not public."""
    entry = SearchEntry.objects.filter(post=OuterRef("pk")).values("listed")[:1]
    posts = Post.objects.annotate(stored=Subquery(entry)).filter(stored__isnull=False).order_by("pk")
    return [post.pk for post in posts.only("status", "listed_at") if post.stored != listed_of(post)]
