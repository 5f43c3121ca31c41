"""Merkle trees as RFC 6962 defines them: the root over the newest links of all posts, and the path of one of them."""

import hashlib
from collections.abc import Iterable, Sequence

from blog_engine.verify import node_hash


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
