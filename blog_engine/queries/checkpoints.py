"""The checkpoints, and the trees of which they are the roots."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import Max

from blog_engine.models import ChainLink, Checkpoint
from blog_engine.queries.database import engine_connection
from blog_engine.rules.chain import tree_path, tree_root
from blog_engine.verify import leaf_hash

BLOCK: Final = 1024
"""How many leaves have one root in the row of a checkpoint; a power of two."""


def newest_checkpoint() -> Checkpoint | None:
    """Return the newest checkpoint without the roots of its blocks; one query."""
    return Checkpoint.objects.defer("blocks").order_by("-number").first()


def checkpoint_with_number(number: int) -> Checkpoint | None:
    """Return the checkpoint with this number without the roots of its blocks; one query."""
    return Checkpoint.objects.defer("blocks").filter(number=number).first()


def first_checkpoint_after(link: ChainLink) -> Checkpoint | None:
    """Return the first checkpoint that covers a link; one query."""
    return Checkpoint.objects.defer("blocks").filter(boundary__gte=link.pk).order_by("number").first()


def settled_boundary() -> int | None:
    """Return the id of the newest link, once no smaller id can be committed any more; ``None`` without links.

    On PostgreSQL it waits for the writers that have links to commit, and new ones wait for this one statement. On
    SQLite ids are committed in their order.
    """
    connection = engine_connection()
    with transaction.atomic(using=connection.alias):
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {ChainLink._meta.db_table} IN SHARE ROW EXCLUSIVE MODE")
        found = ChainLink.objects.aggregate(newest=Max("pk"))
    newest: int | None = found["newest"]
    return newest


@dataclass(frozen=True, slots=True)
class LinkTree:
    """The tree over the newest links of all posts up to a boundary."""

    size: int
    root: str
    blocks: list[tuple[int, str]]
    """The first post and the root of each block."""


def tree_up_to(boundary: int) -> LinkTree:
    """Return the tree over the links up to a boundary; reads the leaves of one block after the other."""
    size, blocks = 0, list[tuple[int, str]]()
    for leaves in _each_block(boundary):
        size += len(leaves)
        blocks.append((leaves[0][0], tree_root(one for _, one in leaves).hex()))
    return LinkTree(size, tree_root(bytes.fromhex(root) for _, root in blocks).hex(), blocks)


@dataclass(frozen=True, slots=True)
class LeafPlace:
    """The place of the newest link of a post in the tree of a checkpoint."""

    position: int
    """The position of that link in the chain of the post."""
    index: int
    path: list[str]


class LeafPlaces:
    """The places of posts in the tree of a checkpoint; keeps the leaves of one block for the next post.

    Its rows never change. In a chain that was tampered with, a place may be wrong: only the path proves it.
    """

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint
        self._number = -1
        self._leaves: list[tuple[int, bytes]] = []

    def of(self, link: ChainLink) -> LeafPlace:
        """Return the place of the newest link that the checkpoint covers of a post; reads the leaves of one block."""
        blocks = self.checkpoint.blocks
        roots = [bytes.fromhex(root) for _, root in blocks]
        number = max(0, bisect_right([first for first, _ in blocks], link.post) - 1)
        if number != self._number:
            self._leaves = _leaves(self.checkpoint.boundary, first=blocks[number][0]) if blocks else []
            self._number = number
        posts = [post for post, _ in self._leaves]
        index = min(bisect_right(posts, link.post), len(posts)) - 1
        inside = tree_path([one for _, one in self._leaves], index) if index >= 0 else []
        path = inside + tree_path(roots, number)
        return LeafPlace(link.position, number * BLOCK + max(0, index), [one.hex() for one in path])


def _each_block(boundary: int) -> Iterator[list[tuple[int, bytes]]]:
    first = 0
    while leaves := _leaves(boundary, first=first):
        yield leaves
        first = leaves[-1][0] + 1


def _leaves(boundary: int, *, first: int) -> list[tuple[int, bytes]]:
    """Return post and leaf of at most a block of posts from this one on."""
    newest = (
        ChainLink.objects.filter(pk__lte=boundary, post__gte=first)
        .order_by("post")
        .values("post")
        .annotate(newest=Max("pk"))[:BLOCK]
    )
    links = ChainLink.objects.filter(pk__in=[row["newest"] for row in newest]).order_by("post")
    return [(post, leaf_hash(post, at, hash)) for post, at, hash in links.values_list("post", "position", "hash")]
