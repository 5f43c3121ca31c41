"""The evidence of what was public of a post: its whole chain, with the records that readers may see.

The records that are left out keep their links, so that the chain and the path to the checkpoint verify without them
(public-history.evidence).
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, Q, Sum
from django.db.models.functions import Length

from blog_engine.enums import ApprovalKind
from blog_engine.models import Approval, ApprovalKey, ApprovalSignature, ChainLink, Post, Publication, Revision
from blog_engine.queries.checkpoints import LeafPlaces, first_checkpoint_after, newest_checkpoint
from blog_engine.queries.evidence import PostEvidence, since_checkpoint
from blog_engine.queries.public_history import public_revisions, withdrawals
from blog_engine.rules.chain import (
    ChainedRecord,
    canonical_record,
    described_checkpoint,
    described_link,
    kind_of_record,
)

MOST_CHARACTERS: Final = 2_000_000
"""The longest evidence that is served, about: its texts, and 500 characters for each link."""
_OF_A_LINK: Final = 500


def is_provable(post: Post, *, now: datetime) -> bool:
    """Return whether the evidence of a post is short enough to be served; three queries."""
    length = public_revisions(post, now=now).aggregate(length=Sum(Length("payload")))["length"] or 0
    links = ChainLink.objects.filter(post=post.pk).aggregate(number=Count("pk"))["number"]
    return bool(length + _OF_A_LINK * links <= MOST_CHARACTERS)


def public_evidence_of(post: Post, *, now: datetime) -> PostEvidence:
    """Return the evidence of the public records of a post. Call it in ``one_snapshot``.

    Public are the revisions that were made public and are not withheld, their publications, those of their approvals
    that were sent to this blog with their signatures, and the withdrawals of the post.
    """
    links = list(ChainLink.objects.filter(post=post.pk).order_by("position"))
    checkpoint = newest_checkpoint()
    covered = [link for link in links if checkpoint is not None and link.pk <= checkpoint.boundary]
    first = first_checkpoint_after(covered[-1]) if covered else None
    revisions = list(public_revisions(post, now=now))
    positions = {(link.kind, link.record): link.position for link in links}
    return PostEvidence(
        payloads=[{"identifier": one.identifier, "payload": one.payload} for one in revisions],
        records=_described(_public_records(post, revisions, now=now), positions),
        chain=[described_link(link) for link in links],
        checkpoint=described_checkpoint(checkpoint) if checkpoint and covered else None,
        inclusion=LeafPlaces(checkpoint).of(covered[-1]) if checkpoint and covered else None,
        since=since_checkpoint(first) if first else None,
    )


def _public_records(post: Post, revisions: list[Revision], *, now: datetime) -> Iterable[ChainedRecord]:
    yield from revisions
    publications = Publication.objects.filter(post=post.pk, revision__in=revisions, occurred_at__lte=now)
    # Of those that were imported, notes say how they are known; a declared one is about somewhere else.
    sent = Approval.objects.filter(
        Q(evidence__isnull=True, confirmed_by__isnull=True, declared_by__isnull=True),
        post=post.pk,
        kind=ApprovalKind.SENT.value,
        revision__identifier__in=[one.identifier for one in revisions],
    )
    for rows in (publications, sent):
        yield from rows.select_related("revision").defer("revision__payload")
    signatures = ApprovalSignature.objects.filter(approval__in=sent)
    yield from ApprovalKey.objects.filter(signatures__in=signatures).distinct()
    yield from signatures.select_related("approval__revision", "key").defer("approval__revision__payload")
    yield from withdrawals().filter(post=post.pk, occurred_at__lte=now)


def _described(records: Iterable[ChainedRecord], positions: dict[tuple[str, int | None], int]) -> list[dict[str, Any]]:
    """Return the records that have a link, in the order of their links."""
    found = {
        position: canonical_record(record)
        for record in records
        if (position := positions.get((kind_of_record(record).value, record.pk))) is not None
    }
    return [{"position": position, "record": found[position]} for position in sorted(found)]
