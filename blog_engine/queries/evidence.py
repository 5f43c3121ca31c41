"""Everything that proves the history of one post, read at one moment."""

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Sum, TextField
from django.db.models.functions import Cast, Coalesce, Length

from blog_engine.errors import NotFound, ValidationFailed
from blog_engine.models import (
    Approval,
    ApprovalSignature,
    ChainLink,
    Checkpoint,
    ConnectionDeclaration,
    Post,
    Proposal,
    ProposalEvent,
    Publication,
    Revision,
)
from blog_engine.queries.chain import records_of_kind
from blog_engine.queries.checkpoints import (
    LeafPlace,
    LeafPlaces,
    checkpoint_with_number,
    first_checkpoint_after,
    newest_checkpoint,
)
from blog_engine.rules.chain import (
    CHAINED_MODELS,
    CanonicalRecord,
    canonical_record,
    chained_moment,
    described_checkpoint,
    described_link,
)

_LONG_COLUMNS: Final = (
    *((Revision, "payload"), (Approval, "evidence"), (Publication, "note"), (Publication, "description")),
    *((ConnectionDeclaration, "connections"), (Proposal, "fields"), (Proposal, "base"), (ProposalEvent, "reason")),
    (ApprovalSignature, "client_data"),
)


@dataclass(frozen=True, slots=True)
class PostEvidence:
    """The history of a post with its proof; dictionaries are as evidence shows them."""

    payloads: list[dict[str, str]]
    records: list[dict[str, Any]]
    chain: list[dict[str, Any]]
    checkpoint: dict[str, Any] | None
    inclusion: LeafPlace | None
    since: dict[str, Any] | None


def length_of_history(*post_ids: int) -> int:
    """Return about how many characters the records of these posts have; one query for each long column."""
    total = 0
    for model, name in _LONG_COLUMNS:
        length = Coalesce(Sum(Length(Cast(name, TextField()))), 0)
        total += model._default_manager.filter(post__in=post_ids).aggregate(length=length)["length"]
    return total + 500 * ChainLink.objects.filter(post__in=post_ids).count()


def evidence_of(post: Post, *, number: int | None) -> PostEvidence:
    """Return the evidence of a post for the checkpoint with a number, default: the newest one that covers the post.

    Call it in ``one_snapshot``. Raises ``NotFound``, or ``ValidationFailed(["checkpoint"])`` for a checkpoint from
    before the post had a history.
    """
    checkpoint = newest_checkpoint() if number is None else checkpoint_with_number(number)
    if checkpoint is None and number is not None:
        raise NotFound(hint="There is no checkpoint with that number.")
    found = evidence_at(LeafPlaces(checkpoint) if checkpoint else None, post)
    if number is not None and found.inclusion is None:
        hint = "That checkpoint does not cover the post, which had no history then: name a later one."
        raise ValidationFailed(["checkpoint"], hint=hint)
    return found


def evidence_at(places: LeafPlaces | None, post: Post) -> PostEvidence:
    """Return the evidence of a post for a checkpoint, as far as it covers the post; call it in ``one_snapshot``."""
    links = list(ChainLink.objects.filter(post=post.pk).order_by("position"))
    checkpoint = places.checkpoint if places else None
    covered = [link for link in links if checkpoint is not None and link.pk <= checkpoint.boundary]
    first = first_checkpoint_after(covered[-1]) if covered else None
    return PostEvidence(
        # Once, although a proposal and the post may each have a revision of the same content.
        payloads=[
            {"identifier": identifier, "payload": payload}
            for identifier, payload in dict(
                Revision.objects.filter(post=post.pk).order_by("pk").values_list("identifier", "payload")
            ).items()
        ],
        records=_records(post, links),
        chain=[described_link(link) for link in links],
        checkpoint=described_checkpoint(checkpoint) if checkpoint and covered else None,
        inclusion=places.of(covered[-1]) if places and covered else None,
        since=since_checkpoint(first) if first else None,
    )


def since_checkpoint(checkpoint: Checkpoint) -> dict[str, Any]:
    """Return the checkpoint since which evidence proves as much, as evidence names it."""
    created_at = chained_moment(checkpoint.created_at)
    return {"number": checkpoint.number, "created_at": created_at, "hash": checkpoint.hash}


def _records(post: Post, links: list[ChainLink]) -> list[dict[str, Any]]:
    """Return the records in the order of their links, those without one last."""
    positions = {(link.kind, link.record): link.position for link in links}
    found: list[tuple[int | None, CanonicalRecord]] = [
        (positions.get((kind.value, record.pk)), canonical_record(record))
        for kind in CHAINED_MODELS
        for record in records_of_kind(kind).filter(post=post.pk)
    ]
    found.sort(key=lambda one: (one[0] is None, one[0] or 0))
    return [{"position": position, "record": record} for position, record in found]
