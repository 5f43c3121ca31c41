"""Making checkpoints: the root of the tree over the newest record of every post."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from blog_engine.enums import RecordKind
from blog_engine.models import ChainLink, Checkpoint
from blog_engine.models.base import whole_milliseconds
from blog_engine.queries.chain import end_of_chain, kinds_of_links, unchained_posts, unchained_records
from blog_engine.queries.checkpoints import LinkTree, newest_checkpoint, settled_boundary, tree_up_to
from blog_engine.rules.chain import (
    CHAINED_MODELS,
    ChainEnd,
    hash_of_checkpoint,
    kind_of_record,
    link_of_replacement,
    links_after,
)
from blog_engine.services._transaction import lock_checkpoints, lock_post, write_transaction
from blog_engine.verify import replaced_record

UNCHANGED_FOR: Final = timedelta(hours=20)
"""How old the newest checkpoint is before another one of the same records is made: a daily run always makes one."""
_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class CheckpointRun:
    """The result of one run."""

    checkpoint: Checkpoint | None
    """The newest checkpoint; ``None`` for a blog without any history."""
    is_new: bool
    chained: int
    """How many records had no link before."""


def make_checkpoint(*, now: datetime) -> CheckpointRun:
    """Chain the records that have no link, and store a checkpoint over the newest link of every post.

    Nothing is stored when no record was added since the last checkpoint of the last hours, or when another process
    made one meanwhile. Writers wait only while the newest link is looked up.
    """
    chained = sum(_chain_late(kind, now=now) for kind in CHAINED_MODELS)
    last = newest_checkpoint()
    boundary = settled_boundary()
    is_same = last is not None and last.boundary == boundary and now - last.created_at < UNCHANGED_FOR
    if boundary is None or is_same:
        return CheckpointRun(last, is_new=False, chained=chained)
    made = _store(tree_up_to(boundary), last, boundary=boundary, now=now)
    return CheckpointRun(made or newest_checkpoint(), is_new=made is not None, chained=chained)


def _store(tree: LinkTree, last: Checkpoint | None, *, boundary: int, now: datetime) -> Checkpoint | None:
    """Store the checkpoint that follows the last one; ``None`` when another process was faster."""
    checkpoint = Checkpoint(
        number=last.number + 1 if last else 1,
        created_at=whole_milliseconds(now),
        boundary=boundary,
        size=tree.size,
        root=tree.root,
        blocks=tree.blocks,
        previous=last.hash if last else "",
    )
    checkpoint.hash = hash_of_checkpoint(checkpoint)
    with write_transaction():
        lock_checkpoints()
        if newest_checkpoint() != last:
            return None
        checkpoint.save()
    return checkpoint


def _chain_late(kind: RecordKind, *, now: datetime) -> int:
    """Chain what a previous version of the engine recorded since the migration; return how many records it was."""
    chained = last = 0
    while posts := unchained_posts(kind, after=last, most=_AT_ONCE):
        chained += sum(_chain_records(post, now=now) for post in posts)
        last = posts[-1]
    return chained


def _chain_records(post: int, *, now: datetime) -> int:
    with write_transaction():
        lock_post(post)
        records, end, links = unchained_records(post), end_of_chain(post), list[ChainLink]()
        kinds = kinds_of_links(post)
        named = dict(kinds)
        adopted = [at for at in replaced_record(kinds)["positions"] if named[at] == RecordKind.BASELINE]
        if adopted and any(kind_of_record(record) is RecordKind.BASELINE for record in records):
            # A post has one baseline, so the adoption that was chained has been replaced.
            links.append(link_of_replacement(end, kinds, post=post, now=now))
            end = ChainEnd.of(links[-1])
        links += links_after(end, records, post=post, now=now)
        ChainLink.objects.bulk_create(links, batch_size=_AT_ONCE)
    return len(records)
