"""The Merkle trees are those of RFC 6962."""

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from blog_engine.queries.checkpoints import BLOCK
from blog_engine.rules.chain import tree_path, tree_root
from blog_engine.verify import root_of_path
from tests.requirements import requirement

KNOWN_LEAVES = [
    bytes.fromhex(leaf)
    for leaf in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
"""The leaves of the tests of Certificate Transparency."""
KNOWN_ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""Their roots, over the first leaf, the first two, and so on."""
KNOWN_PATH = [
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
]
"""The path of the sixth of the eight leaves."""


def leaf_of(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def naive_root(leaves: Sequence[bytes]) -> bytes:
    """The definition of RFC 6962, 2.1, over hashes of leaves."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = max(power for power in (1 << bit for bit in range(len(leaves).bit_length())) if power < len(leaves))
    return hashlib.sha256(b"\x01" + naive_root(leaves[:split]) + naive_root(leaves[split:])).digest()


def naive_path(index: int, leaves: Sequence[bytes]) -> list[bytes]:
    """The definition of RFC 6962, 2.1.1."""
    if len(leaves) == 1:
        return []
    split = max(power for power in (1 << bit for bit in range(len(leaves).bit_length())) if power < len(leaves))
    if index < split:
        return [*naive_path(index, leaves[:split]), naive_root(leaves[split:])]
    return [*naive_path(index - split, leaves[split:]), naive_root(leaves[:split])]


LEAVES = [leaf_of(number.to_bytes(4)) for number in range(3001)]
AROUND = sorted({size + shift for size in (1, 2, 4, 8, 64, 1024, 2048) for shift in (-1, 0, 1)} | {3000})


@requirement("proof.checkpoint.tree")
@pytest.mark.parametrize("size", range(1, 9))
def test_the_roots_are_those_of_certificate_transparency(size: int) -> None:
    assert tree_root(map(leaf_of, KNOWN_LEAVES[:size])).hex() == KNOWN_ROOTS[size - 1]


@requirement("proof.checkpoint.tree")
def test_the_path_is_that_of_certificate_transparency() -> None:
    path = tree_path([leaf_of(leaf) for leaf in KNOWN_LEAVES], 5)

    assert [one.hex() for one in path] == KNOWN_PATH
    root = root_of_path(leaf_of(KNOWN_LEAVES[5]), 5, 8, path)
    assert root is not None
    assert root.hex() == KNOWN_ROOTS[7]


def test_a_tree_without_leaves_has_the_root_of_nothing() -> None:
    assert tree_root([]) == naive_root([])


@requirement("proof.checkpoint.tree")
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(st.sampled_from(AROUND), st.integers(0, 3000)), st.data())
def test_root_and_path_are_those_of_the_definition(size: int, data: st.DataObject) -> None:
    leaves = LEAVES[:size]

    assert tree_root(leaves) == naive_root(leaves)
    if size:
        index = data.draw(st.integers(0, size - 1))
        path = tree_path(leaves, index)
        assert path == naive_path(index, leaves)
        assert root_of_path(leaves[index], index, size, path) == naive_root(leaves)


@requirement("proof.checkpoint.tree")
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(st.sampled_from([size for size in AROUND if size]), st.integers(1, 3000)), st.data())
def test_blocks_lead_to_the_same_root_and_path(size: int, data: st.DataObject) -> None:
    leaves, index = LEAVES[:size], data.draw(st.integers(0, size - 1))
    blocks = [leaves[start : start + BLOCK] for start in range(0, size, BLOCK)]
    roots = [tree_root(block) for block in blocks]
    number = index // BLOCK

    assert tree_root(roots) == naive_root(leaves)
    assert tree_path(blocks[number], index % BLOCK) + tree_path(roots, number) == naive_path(index, leaves)


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(1, 300), st.data())
def test_a_path_of_another_leaf_index_size_or_length_leads_elsewhere(size: int, data: st.DataObject) -> None:
    leaves, index = LEAVES[:size], data.draw(st.integers(0, size - 1))
    root, path = tree_root(leaves), tree_path(leaves, index)
    other = data.draw(st.integers(0, size + 3).filter(lambda one: one != index))

    assert root_of_path(LEAVES[-1], index, size, path) != root
    assert root_of_path(leaves[index], other, size, path) != root
    assert root_of_path(leaves[index], index, size, [*path, root]) != root
    if path:
        assert root_of_path(leaves[index], index, size, path[:-1]) != root


@pytest.mark.parametrize(("index", "size"), [(0, 0), (1, 1), (5, 3)])
def test_no_tree_has_a_leaf_beyond_its_size(index: int, size: int) -> None:
    assert root_of_path(LEAVES[0], index, size, []) is None
