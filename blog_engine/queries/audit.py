"""Checks of stored data: posts against their history, chains and checkpoints, and what earlier versions wrote."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any, Final

from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Count, Exists, F, Model, OuterRef, Prefetch, Q, QuerySet, Subquery

from blog_engine.conf import get_settings
from blog_engine.content.faq import FaqPair
from blog_engine.enums import ApprovalKind, EntryType, RecordKind
from blog_engine.models import (
    Approval,
    Baseline,
    ChainLink,
    Checkpoint,
    ConnectionDeclaration,
    EmbeddedImage,
    Faq,
    Image,
    Post,
    Proposal,
    ProposalEvent,
    Publication,
    Revision,
    SearchEntry,
    when_public,
)
from blog_engine.models.search import listed_of
from blog_engine.queries.chain import records_of_kind, unchained_posts
from blog_engine.queries.checkpoints import tree_up_to
from blog_engine.queries.compiled import among
from blog_engine.queries.database import engine_connection
from blog_engine.queries.listings import SUBJECTS
from blog_engine.rules.chain import CHAINED_MODELS, canonical_record, described_link, hash_of_checkpoint
from blog_engine.rules.dates import PublicDates, dates_of
from blog_engine.rules.revision import content_of, revision_identifier, revision_payload
from blog_engine.verify import ADOPTED_KINDS, digest_of_json, link_hash

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


MOST_NAMED: Final = 1000
"""Posts that one check names at most."""
_BATCH: Final = 500


class ChainFault(StrEnum):
    """A difference between the chain of a post and its records, in the words of the doctor."""

    RECORD = "a record is not the one that was chained"
    REMOVED = "a chained record is missing"
    LINK = "a link was changed"
    ORDER = "a link does not follow the one before it"


def posts_without_links() -> list[int]:
    """Return the ids of posts with records that have no link; one query for each kind."""
    return sorted({post for kind in CHAINED_MODELS for post in unchained_posts(kind, most=MOST_NAMED)})


def faults_in_chains(*, newest_links: int | None) -> dict[int, list[ChainFault]]:
    """Return for each post how its chain differs; records are compared for this many links, default: for all."""
    found: defaultdict[int, set[ChainFault]] = defaultdict(set)
    for fault, posts in ((ChainFault.REMOVED, _removed()), (ChainFault.ORDER, _out_of_order())):
        for post in posts.order_by("post").values_list("post", flat=True).distinct()[:MOST_NAMED]:
            found[post].add(fault)
    for links in _batches(newest_links):
        for post, fault in _changed(links):
            if post in found or len(found) < MOST_NAMED:
                found[post].add(fault)
    return {post: [fault for fault in ChainFault if fault in faults] for post, faults in sorted(found.items())}


def _removed() -> QuerySet[ChainLink]:
    """Return the links whose record is gone, except those of a replaced adoption and of a deleted draft."""
    there = Q(kind=RecordKind.REPLACED.value)
    for kind, model in CHAINED_MODELS.items():
        there |= Q(Exists(model._default_manager.filter(pk=OuterRef("record"))), kind=kind.value)
    of_post = ChainLink.objects.filter(post=OuterRef("post"))
    later = of_post.filter(kind=RecordKind.REPLACED.value, position__gt=OuterRef("position"))
    others = of_post.exclude(kind=RecordKind.STATUS.value)
    is_replaced = Q(Exists(later), kind__in=ADOPTED_KINDS)
    is_discarded = Q(~Exists(Post.objects.filter(pk=OuterRef("post"))), ~Exists(others), kind=RecordKind.STATUS.value)
    return ChainLink.objects.exclude(there | is_replaced | is_discarded)


def _out_of_order() -> QuerySet[ChainLink]:
    before = ChainLink.objects.filter(
        post=OuterRef("post"), position=OuterRef("position") - 1, hash=OuterRef("previous"), pk__lt=OuterRef("pk")
    )
    is_first = Q(position=1, previous="")
    return ChainLink.objects.exclude(is_first | Q(Exists(before), position__gt=1))


def _batches(newest: int | None) -> Iterator[Sequence[ChainLink]]:
    """Yield the links, or only the newest ones, some at a time."""
    last, left = None, newest
    while left is None or left > 0:
        links = ChainLink.objects.order_by("-pk")
        batch = list((links if last is None else links.filter(pk__lt=last))[: min(_BATCH, left or _BATCH)])
        if not batch:
            return
        yield batch
        last = batch[-1].pk
        left = None if left is None else left - len(batch)


def _changed(links: Sequence[ChainLink]) -> Iterator[tuple[int, ChainFault]]:
    digests = _digests(links)
    for link in links:
        if link_hash(described_link(link), post=link.post) != link.hash:
            yield link.post, ChainFault.LINK
        if digests.get((link.kind, link.record), link.digest) != link.digest:
            yield link.post, ChainFault.RECORD


def _digests(links: Iterable[ChainLink]) -> dict[tuple[str, Any], str]:
    """Return the digests that the records of these links have now; one query for each kind."""
    ids: defaultdict[str, list[int | None]] = defaultdict(list)
    for link in links:
        ids[link.kind].append(link.record)
    return {
        (kind.value, record.pk): digest_of_json(canonical_record(record))
        for kind in CHAINED_MODELS
        if ids[kind.value]
        for record in records_of_kind(kind).filter(pk__in=ids[kind.value])
    }


def faulty_checkpoints(*, recompute: bool) -> list[int]:
    """Return the numbers of checkpoints that differ from their hash or do not follow the one before.

    ``recompute`` makes the tree of the newest one again from the links.
    """
    found, previous, number = [], "", 0
    for checkpoint in Checkpoint.objects.defer("blocks").order_by("number").iterator(chunk_size=_BATCH):
        is_next = (checkpoint.number, checkpoint.previous) == (number + 1, previous)
        if not is_next or checkpoint.hash != hash_of_checkpoint(checkpoint):
            found.append(checkpoint.number)
        number, previous = checkpoint.number, checkpoint.hash
    newest = Checkpoint.objects.order_by("-number").first() if recompute else None
    if newest is not None and newest.number not in found:
        tree = tree_up_to(newest.boundary)
        if (tree.size, tree.root, [list(block) for block in tree.blocks]) != (newest.size, newest.root, newest.blocks):
            found.append(newest.number)
    return found


_INDEXED: Final = "0010_fill_search_index"
"""The migration after which an earlier version leaves the search index as it is."""
_CLOCKS: Final = timedelta(hours=1)
"""How much the clocks of hosts may differ."""


def posts_without_feed_id() -> list[int]:
    """Return the ids of posts that were public and have no permanent feed id; none while no origin is known."""
    if not get_settings().public_base_url:
        return []
    posts = Post.objects.filter(feed_id__isnull=True, publications__isnull=False)
    return list(posts.order_by("pk").values_list("pk", flat=True).distinct())


def posts_changed_before_published() -> list[int]:
    """Return the ids of posts published here whose date of change is earlier: its host had a slow clock."""
    published_here = {"publications__entry_type": EntryType.FIRST.value}
    posts = Post.objects.filter(modified_at__lt=F("published_at"), **published_here)
    return list(posts.order_by("pk").values_list("pk", flat=True))


def posts_without_body_images() -> list[int]:
    """Return the ids of posts whose uses of images are not those of their bodies; three queries for each batch."""
    posts = Post.objects.filter(~Q(body_image_manifest=[]) | Q(body_images__isnull=False))
    ids = posts.order_by("pk").values_list("pk", flat=True).distinct().iterator(chunk_size=_BATCH)
    batches = iter(lambda: list(islice(ids, _BATCH)), [])
    return [post for batch in batches for post in _wrongly_noted(batch)]


def _wrongly_noted(posts: list[int]) -> Iterator[int]:
    manifests = dict(Post.objects.filter(among("pk", posts)).values_list("pk", "body_image_manifest"))
    digests = {post: _image_digests(manifest) for post, manifest in manifests.items()}
    wanted = set[str]().union(*digests.values())
    known = dict(Image.objects.filter(sha256__in=wanted).values_list("sha256", "pk")) if wanted else {}
    noted: dict[int, set[int]] = {post: set() for post in posts}
    for post, image in EmbeddedImage.objects.filter(among("post", posts)).values_list("post_id", "image_id"):
        noted[post].add(image)
    for post, found in digests.items():
        if noted[post] != {known[digest] for digest in found if digest in known}:
            yield post


def _image_digests(manifest: Iterable[dict[str, str]]) -> set[str]:
    return {entry["sha256"] for entry in manifest if entry["sha256"]}


def posts_of_earlier_version() -> list[int]:
    """Return the ids of posts whose present content no write of this version made since the tables are its own."""
    recorder = MigrationRecorder(engine_connection())
    migrated = recorder.migration_qs.filter(app="blog_engine", name=_INDEXED).values_list("applied", flat=True).first()
    if migrated is None:
        return []
    posts = Post.objects.filter(updated_at__gte=migrated - _CLOCKS).order_by("pk")
    notes = posts.values_list("pk", "recent_writes", "current_revision_identifier").iterator(chunk_size=_BATCH)
    return [post for post, writes, present in notes if not writes or writes[-1]["revision"] != present]
