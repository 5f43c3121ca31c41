"""The posts that were public in a period, with the records that a disclosure report is made of."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from blog_engine.actor import RecordedActor
from blog_engine.content.source_types import AI_SOURCE_TYPES
from blog_engine.enums import PolicyKind, PostStatus
from blog_engine.models import (
    Approval,
    ChainLink,
    Checkpoint,
    Image,
    Post,
    Publication,
    Revision,
    StatusChange,
)
from blog_engine.queries.checkpoints import newest_checkpoint
from blog_engine.queries.desk_lists import MOST_LISTED, DeskListPage
from blog_engine.queries.pagination import page_count
from blog_engine.queries.policies import find_policy_url
from blog_engine.rules.disclosure import (
    AIImage,
    DisclosedHistory,
    Period,
    PostDisclosure,
    VersionFacts,
    disclosed,
)

BATCH: Final = 100
_PAYLOADS: Final = 20
_IMAGES: Final = 500
_PER_PAGE: Final = 25
_COLUMNS: Final = ("slug", "title", "status", "provenance", "provenance_evidence", "baseline__source_system")


@dataclass(frozen=True, slots=True)
class DisclosurePremises:
    """The facts of the blog on which notices depend, as they are now."""

    party_url: str | None
    """The URL of the responsible party, if the blog names one."""
    checkpoint: Checkpoint | None
    """The newest one."""

    @classmethod
    def read(cls) -> "DisclosurePremises":
        """Return the present ones; at most two queries."""
        return cls(find_policy_url(PolicyKind.RESPONSIBLE_PARTY), newest_checkpoint())


def posts_public_in(period: Period) -> QuerySet[Post]:
    """Return the posts that readers saw at any moment of a period, by id.

    A post without a recorded withdrawal counts as public from its last publication on.
    """
    releases = Publication.objects.filter(post=OuterRef("pk"))
    withdrawals = StatusChange.objects.filter(post=OuterRef("pk"), from_status=PostStatus.PUBLISHED.value)
    inside = Exists(releases.filter(occurred_at__gte=period.start, occurred_at__lt=period.end))
    was_public = Q(released_before__isnull=False) & (
        Q(withdrawn_before__isnull=True) | Q(released_before__gte=F("withdrawn_before"))
    )
    posts = Post.objects.annotate(
        released_before=_last_before(releases, period), withdrawn_before=_last_before(withdrawals, period)
    )
    return posts.filter(inside | was_public).order_by("pk").select_related("baseline").only(*_COLUMNS)


def _last_before(records: QuerySet[Any], period: Period) -> Subquery:
    earlier = records.filter(occurred_at__lt=period.start).order_by("-occurred_at")
    return Subquery(earlier.values("occurred_at")[:1])


def disclosures(posts: QuerySet[Post], *, period: Period, premises: DisclosurePremises) -> Iterator[PostDisclosure]:
    """Yield what the report says of each of these posts; seven queries for each hundred."""
    stored = posts.iterator(BATCH)
    while batch := list(islice(stored, BATCH)):
        yield from disclosures_of(batch, period=period, premises=premises)


def disclosures_of(posts: Sequence[Post], *, period: Period, premises: DisclosurePremises) -> Iterator[PostDisclosure]:
    """Yield what the report says of each of these posts that was public in the period; six queries."""
    boundary = premises.checkpoint.boundary if premises.checkpoint else 0
    ids = [post.pk for post in posts]
    for history in _histories(posts, ids):
        found = disclosed(
            history,
            period=period,
            has_responsible_party=premises.party_url is not None,
            boundary=boundary,
        )
        if found.versions:
            yield found


@dataclass(frozen=True, slots=True)
class DisclosedPage(DeskListPage):
    """A page of the posts of a period."""

    found: list[PostDisclosure]
    total: int
    """All posts of the period, at most ``MOST_LISTED``."""
    has_more: bool
    """Whether there are more."""


def disclosed_page(period: Period, *, number: int) -> DisclosedPage:
    """Return a page of the posts of a period, or the last page; at most nine queries, however many posts there are."""
    posts = posts_public_in(period)
    counted = posts[: MOST_LISTED + 1].count()
    pages = page_count(min(counted, MOST_LISTED), per_page=_PER_PAGE)
    number = min(number, pages)
    start = (number - 1) * _PER_PAGE
    shown = list(posts[start : start + _PER_PAGE])
    # A list does not say what is proven.
    premises = DisclosurePremises(find_policy_url(PolicyKind.RESPONSIBLE_PARTY), checkpoint=None)
    found = list(disclosures_of(shown, period=period, premises=premises)) if shown else []
    return DisclosedPage(number, pages, found, min(counted, MOST_LISTED), counted > MOST_LISTED)


def _histories(posts: Sequence[Post], ids: list[int]) -> Sequence[DisclosedHistory]:
    found = {post.pk: DisclosedHistory(post) for post in posts}
    for release in _with_identifiers(Publication.objects.filter(post__in=ids).order_by("pk")):
        found[release.post_id].releases.append(release)
    ended = StatusChange.objects.filter(post__in=ids, from_status=PostStatus.PUBLISHED.value).order_by("pk")
    for change in ended:
        found[change.post_id].withdrawals.append(change)
    for approval in _with_identifiers(Approval.objects.filter(post__in=ids).select_related("signature").order_by("pk")):
        found[approval.post_id].approvals.append(approval)
    public = Publication.objects.filter(post__in=ids).values("revision")
    # A payload at a time: of the content only digests are kept.
    for revision in Revision.objects.filter(pk__in=public).iterator(_PAYLOADS):
        found[revision.post_id].revisions[revision.identifier] = VersionFacts.of(
            revision.payload,
            actor=RecordedActor(revision.actor, revision.actor_kind, revision.actor_id),
            made_by_ai=revision.made_by_ai,
        )
    ai_images = _ai_images(found.values())
    for history in found.values():
        history.ai_images = ai_images
    links = ChainLink.objects.filter(post__in=ids).order_by("post", "position")
    for post, kind, record, position, pk in links.values_list("post", "kind", "record", "position", "pk"):
        found[post].newest_link = pk
        if record is not None:
            found[post].links[kind, record] = position, pk
    return list(found.values())


def _ai_images(histories: Iterable[DisclosedHistory]) -> dict[str, AIImage]:
    """Return the images of all revisions that AI made, by their SHA-256; a query for each 500 images."""
    shown = sorted({digest for one in histories for facts in one.revisions.values() for digest in facts.images})
    images = Image.objects.filter(digital_source_type__in=sorted(AI_SOURCE_TYPES))
    found: dict[str, AIImage] = {}
    for start in range(0, len(shown), _IMAGES):
        some = images.filter(sha256__in=shown[start : start + _IMAGES])
        rows = some.values_list("sha256", "filename", "digital_source_type")
        found |= {sha256: AIImage(filename, term or "") for sha256, filename, term in rows}
    return found


def _with_identifiers(records: QuerySet[Any]) -> QuerySet[Any]:
    return records.select_related("revision").defer("revision__payload")
