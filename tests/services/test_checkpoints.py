"""Checkpoints over the newest record of every post."""

import hashlib
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine.models import ChainLink, Checkpoint, Post
from blog_engine.queries import checkpoints as tree
from blog_engine.queries.chain_audit import faults_in_chains, faulty_checkpoints, posts_without_links
from blog_engine.queries.checkpoints import LeafPlaces, tree_up_to
from blog_engine.services import make_checkpoint
from blog_engine.verify import canonical_json, digest_of_json, root_of_path
from tests.requirements import requirement
from tests.rules.test_trees import naive_root
from tests.support.factories import ARTICLE, LATER, NOW, adopt, approve, declare, publish, save, update
from tests.support.integrity import past_the_engine
from tests.support.tables import execute, new_approval, new_publication, new_revision, stored

pytestmark = pytest.mark.django_db


@requirement("proof.checkpoint", "proof.checkpoint.tree", "proof.checkpoint.hash")
def test_a_checkpoint_is_the_root_over_the_newest_link_of_every_post() -> None:
    posts = [save(title=f"Post {number}", publish=True).post for number in range(5)]
    update(posts[2], body="New.", change="substantive")
    save(title="Without history")

    run = make_checkpoint(now=LATER)

    newest = [ChainLink.objects.filter(post=post.pk).order_by("position").last() for post in posts]
    leaves = [{"post": link.post, "position": link.position, "hash": link.hash} for link in newest if link]
    root = naive_root([hashlib.sha256(b"\x00" + canonical_json(leaf)).digest() for leaf in leaves]).hex()
    checkpoint = Checkpoint.objects.get()
    assert (run.checkpoint, run.is_new, run.chained) == (checkpoint, True, 0)
    assert [leaf["position"] for leaf in leaves] == [2, 2, 4, 2, 2]
    assert (checkpoint.number, checkpoint.size, checkpoint.root, checkpoint.previous) == (1, 5, root, "")
    assert checkpoint.boundary == ChainLink.objects.order_by("pk").last().pk
    described = {"number": 1, "created_at": "2026-11-21T13:00:00.711000Z", "boundary": checkpoint.boundary, "size": 5}
    assert checkpoint.hash == digest_of_json(described | {"root": root, "previous": ""})


@requirement("proof.checkpoint")
def test_checkpoints_are_chained() -> None:
    post = save(publish=True).post
    make_checkpoint(now=NOW)
    update(post, body="New.", change="substantive")
    make_checkpoint(now=LATER)

    first, second = Checkpoint.objects.order_by("number")
    assert (second.number, second.previous) == (2, first.hash)
    assert first.root != second.root
    assert faulty_checkpoints(recompute=True) == []


@requirement("proof.checkpoint.repeated")
def test_nothing_new_makes_a_checkpoint_once_a_day() -> None:
    assert make_checkpoint(now=NOW).checkpoint is None
    save(publish=True)

    made = [make_checkpoint(now=NOW + timedelta(hours=hours)).is_new for hours in (0, 1, 19, 20, 21)]

    assert made == [True, False, False, True, False]
    first, second = Checkpoint.objects.order_by("number")
    assert (first.root, first.boundary) == (second.root, second.boundary)
    assert first.hash != second.hash


def test_a_post_without_history_changes_no_checkpoint() -> None:
    save(publish=True)
    make_checkpoint(now=NOW)
    save(title="A draft")

    assert make_checkpoint(now=LATER).is_new is False


@requirement("proof.checkpoint.tree")
def test_an_earlier_tree_is_found_again_after_later_writes() -> None:
    posts = [save(title=f"Post {number}", publish=True).post for number in range(3)]
    make_checkpoint(now=NOW)
    for post in posts:
        declare(post, now=LATER)
    save(title="Later", publish=True)

    checkpoint = Checkpoint.objects.get()
    assert tree_up_to(checkpoint.boundary).root == checkpoint.root


@requirement("proof.checkpoint.memory")
@pytest.mark.parametrize("posts", [1, 7, 8, 9, 25])
def test_every_post_has_a_path_in_blocks(monkeypatch: pytest.MonkeyPatch, posts: int) -> None:
    monkeypatch.setattr(tree, "BLOCK", 4)
    for number in range(posts):
        declare(save(title=f"Post {number}").post)
    make_checkpoint(now=NOW)
    checkpoint = Checkpoint.objects.get()

    assert len(checkpoint.blocks) == -(-posts // 4)
    shared = LeafPlaces(checkpoint)
    for index, link in enumerate(ChainLink.objects.order_by("post")):
        with CaptureQueriesContext(connection) as queries:
            place = LeafPlaces(checkpoint).of(link)
        leaf = hashlib.sha256(
            b"\x00" + canonical_json({"post": link.post, "position": link.position, "hash": link.hash})
        ).digest()
        root = root_of_path(leaf, place.index, checkpoint.size, map(bytes.fromhex, place.path))
        assert (place.index, root and root.hex()) == (index, checkpoint.root)
        assert len(queries.captured_queries) == 2
        assert place == shared.of(link)


def without_links(post: Post) -> None:
    """Remove the chain of a post, as if the previous version of the engine had made its records."""
    with past_the_engine():
        execute("DELETE FROM blog_engine_chainlink WHERE post = %s", post.pk)


@requirement("proof.chain.late", "proof.doctor")
def test_records_of_the_previous_version_are_chained_with_the_time_of_the_checkpoint() -> None:
    post = save(publish=True).post
    revision = stored(new_revision(post, created_at=LATER))
    stored(new_approval(post, revision, created_at=LATER))
    stored(new_publication(post, revision, entry_type="substantive", created_at=LATER))
    assert posts_without_links() == [post.pk]

    run = make_checkpoint(now=LATER + timedelta(minutes=9))

    links = list(ChainLink.objects.order_by("position"))
    assert (run.chained, run.is_new) == (3, True)
    assert [link.kind for link in links] == ["revision", "publication", "revision", "approval", "publication"]
    assert [link.chained_at - NOW for link in links] == [timedelta()] * 2 + [timedelta(minutes=69)] * 3
    assert (posts_without_links(), faults_in_chains(newest_links=None)) == ([], {})
    assert make_checkpoint(now=LATER + timedelta(minutes=10)).chained == 0


@requirement("proof.chain.late")
def test_a_post_whose_records_all_have_no_link_is_chained() -> None:
    post = save(publish=True).post
    approve(post)
    without_links(post)

    assert make_checkpoint(now=LATER).chained == 3
    assert faults_in_chains(newest_links=None) == {}


@requirement("proof.chain.late", "proof.chain.replaced")
def test_an_adoption_that_the_previous_version_replaced_is_named_as_replaced() -> None:
    post = adopt(ARTICLE).post
    adopt(ARTICLE, body="Another text.", now=LATER)
    with past_the_engine():
        execute("DELETE FROM blog_engine_chainlink WHERE position > 3")

    run = make_checkpoint(now=LATER)

    kinds = list(ChainLink.objects.filter(post=post.pk).order_by("position").values_list("kind", flat=True))
    assert run.chained == 3
    assert kinds == [*["revision", "baseline", "publication"], "replaced", *["revision", "baseline", "publication"]]
    assert faults_in_chains(newest_links=None) == {}


def test_a_scheduled_draft_is_covered_until_it_is_published() -> None:
    post = save(publish=True, publish_at="2026-12-01T10:00:00Z").post
    make_checkpoint(now=NOW)
    publish(post)

    assert Checkpoint.objects.get().size == 1
    assert make_checkpoint(now=LATER).is_new
