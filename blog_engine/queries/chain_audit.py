"""Differences between the records, the chain and the checkpoints."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from blog_engine.enums import RecordKind
from blog_engine.models import ChainLink, Checkpoint, Post
from blog_engine.queries.chain import records_of_kind, unchained_posts
from blog_engine.queries.checkpoints import tree_up_to
from blog_engine.rules.chain import CHAINED_MODELS, canonical_record, described_link, hash_of_checkpoint
from blog_engine.verify import ADOPTED_KINDS, digest_of_json, link_hash

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
