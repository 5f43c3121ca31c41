"""The canonical records of the history, the links that chain them, and the trees over links.

Contract: proof.records and proof.chain. The Merkle trees are those of RFC 6962: the root over the newest links of all
posts, and the path of one of them.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final, TypeAlias

from blog_engine.enums import RecordKind
from blog_engine.models import (
    Approval,
    Baseline,
    ChainLink,
    Checkpoint,
    ConnectionDeclaration,
    Proposal,
    ProposalEvent,
    Publication,
    Revision,
    StatusChange,
)
from blog_engine.models.base import whole_milliseconds
from blog_engine.verify import CHECKPOINT_FORMAT, checkpoint_hash, digest_of_json, link_hash, node_hash, replaced_record

ChainedRecord: TypeAlias = (
    Revision | Baseline | ConnectionDeclaration | Approval | StatusChange | Publication | Proposal | ProposalEvent
)
CanonicalRecord: TypeAlias = dict[str, Any]

CHAINED_MODELS: Final[Mapping[RecordKind, type[ChainedRecord]]] = {
    RecordKind.REVISION: Revision,
    RecordKind.BASELINE: Baseline,
    RecordKind.DECLARATION: ConnectionDeclaration,
    RecordKind.APPROVAL: Approval,
    RecordKind.STATUS: StatusChange,
    RecordKind.PUBLICATION: Publication,
    RecordKind.PROPOSAL: Proposal,
    RecordKind.PROPOSAL_EVENT: ProposalEvent,
}
"""The model of each kind that has one, in the order in which records of one time are chained afterwards."""

_KINDS: Final = {model: kind for kind, model in CHAINED_MODELS.items()}
_COLUMNS: Final[Mapping[RecordKind, tuple[str, ...]]] = {
    RecordKind.REVISION: ("identifier", "actor", "made_by_ai", "created_at"),
    RecordKind.BASELINE: (
        *("adopted_at", "provenance", "provenance_evidence", "first_published_at", "first_published_evidence"),
        *("declared_first_published_at", "last_modified_at", "last_modified_evidence", "source_system", "source_id"),
        *("source_body_sha256", "adopted_by", "created_at"),
    ),
    RecordKind.DECLARATION: (
        *("connections", "third_party_paid", "declared_by", "declared_on", "recorded_by", "created_at"),
    ),
    RecordKind.APPROVAL: (
        *("reviewer_name", "facts_checked", "approved_at", "declared_on", "declared_by", "confirmed_by", "evidence"),
        *("recorded_by", "created_at"),
    ),
    RecordKind.STATUS: (
        *("from_status", "to_status", "publish_at", "redirect_to", "actor", "occurred_at", "created_at"),
    ),
    RecordKind.PUBLICATION: ("entry_type", "occurred_at", "released_by", "description", "note", "created_at"),
    RecordKind.PROPOSAL: ("base_version", "fields", "base", "actor", "made_by_ai", "created_at"),
    RecordKind.PROPOSAL_EVENT: ("publish_at", "reason", "actor", "occurred_at", "created_at"),
}
"""The columns of each record that are read as they are."""


def kind_of_record(record: ChainedRecord) -> RecordKind:
    """Return the kind of a row of the history."""
    return _KINDS[type(record)]


def canonical_record(record: ChainedRecord) -> CanonicalRecord:
    """Return a row of the history as the chain covers it; revisions are named by their identifiers.

    A proposal and the publication that it made are named by their ids, because nothing else tells one from another. A
    record without the kind of its actor is of version 1, as all were before there was the column.
    """
    kind = kind_of_record(record)
    found = {name: _plain(getattr(record, name)) for name in _COLUMNS[kind]}
    match record:
        case Revision(is_proposed=True):
            # Absent otherwise, as in records from before there was the column.
            found["is_proposed"] = True
        case Approval():
            found |= {"approval_kind": str(record.kind), "revision": record.revision.identifier}
        case Publication():
            found["revision"] = record.revision.identifier
        case Baseline():
            found["revision"] = record.adopted_revision.identifier
        case Proposal():
            found |= {"proposal": record.pk, "revision": record.revision.identifier}
            found["base_revision"] = record.base_revision.identifier
        case ProposalEvent():
            found |= {"proposal": record.proposal_id, "event": str(record.kind), "publication": record.publication_id}
            found["revision"] = record.revision.identifier
    if record.actor_kind is not None:
        found |= {"version": 2, "actor_kind": record.actor_kind, "actor_id": record.actor_id}
    return {"kind": kind.value, "post": record.post_id} | found


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return chained_moment(value)
    return value.isoformat() if isinstance(value, date) else value


def chained_moment(time: datetime) -> str:
    """Return a time in UTC with microseconds, such as ``2026-10-03T20:59:05.711000Z``."""
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class ChainEnd:
    """The newest link of a post; without one, what the first link follows."""

    position: int = 0
    hash: str = ""

    @classmethod
    def of(cls, link: ChainLink) -> "ChainEnd":
        """Return the end of a chain whose newest link this is."""
        return cls(link.position, link.hash)


def links_after(end: ChainEnd, records: Iterable[ChainedRecord], *, post: int, now: datetime) -> list[ChainLink]:
    """Return the links of these records of a post, which follow its newest one."""
    links = []
    for record in records:
        link = _link(end, kind_of_record(record), canonical_record(record), post=post, now=now)
        link.record = record.pk
        links.append(link)
        end = ChainEnd.of(link)
    return links


def link_of_replacement(end: ChainEnd, kinds: Iterable[tuple[int, str]], *, post: int, now: datetime) -> ChainLink:
    """Return the link by which an adoption replaces the records of an earlier one.

    ``kinds`` are the positions and kinds of all links of the post.
    """
    return _link(end, RecordKind.REPLACED, replaced_record(kinds), post=post, now=now)


def _link(end: ChainEnd, kind: RecordKind, record: CanonicalRecord, *, post: int, now: datetime) -> ChainLink:
    link = ChainLink(
        post=post,
        position=end.position + 1,
        kind=kind.value,
        digest=digest_of_json(record),
        previous=end.hash,
        chained_at=whole_milliseconds(now),
    )
    link.hash = link_hash(described_link(link), post=post)
    return link


def described_link(link: ChainLink) -> dict[str, Any]:
    """Return a link as evidence shows it."""
    return {
        "position": link.position,
        "kind": str(link.kind),
        "digest": link.digest,
        "chained_at": chained_moment(link.chained_at),
        "previous": link.previous,
        "hash": link.hash,
    }


def described_checkpoint(checkpoint: Checkpoint) -> dict[str, Any]:
    """Return a checkpoint as it is published."""
    return {
        "format": CHECKPOINT_FORMAT,
        "number": checkpoint.number,
        "created_at": chained_moment(checkpoint.created_at),
        "boundary": checkpoint.boundary,
        "size": checkpoint.size,
        "root": checkpoint.root,
        "previous": checkpoint.previous,
        "hash": checkpoint.hash,
    }


def hash_of_checkpoint(checkpoint: Checkpoint) -> str:
    """Return the hash that a checkpoint has by its content."""
    return checkpoint_hash(described_checkpoint(checkpoint))


def tree_root(hashes: Iterable[bytes]) -> bytes:
    """Return the root of a tree over hashes of leaves, or of subtrees of one size, with memory for one path."""
    whole: list[tuple[int, bytes]] = []
    for one in hashes:
        size = 1
        while whole and whole[-1][0] == size:
            one, size = node_hash(whole.pop()[1], one), 2 * size
        whole.append((size, one))
    if not whole:
        return hashlib.sha256(b"").digest()
    root = whole.pop()[1]
    while whole:
        root = node_hash(whole.pop()[1], root)
    return root


def tree_path(hashes: Sequence[bytes], index: int) -> list[bytes]:
    """Return the hashes that lead from one of these hashes to their root (RFC 6962, 2.1.1)."""
    path, start, end = [], 0, len(hashes)
    while end - start > 1:
        middle = start + (1 << (end - start - 1).bit_length() - 1)
        if index < middle:
            path.append(tree_root(hashes[middle:end]))
            end = middle
        else:
            path.append(tree_root(hashes[start:middle]))
            start = middle
    return path[::-1]
