"""Writers, checkpoints and evidence at once, in real transactions on PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connections

from blog_engine.models import ChainLink, Checkpoint, Post
from blog_engine.queries.chain_audit import faults_in_chains, faulty_checkpoints, posts_without_links
from blog_engine.queries.checkpoints import tree_up_to
from blog_engine.queries.database import one_snapshot
from blog_engine.queries.evidence import evidence_of
from blog_engine.services import make_checkpoint
from tests.concurrency.races import Held, race, slowly, together
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, approve, declare, publish, save, update

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def assert_all_is_chained() -> None:
    assert posts_without_links() == []
    assert faults_in_chains(newest_links=None) == {}
    assert faulty_checkpoints(recompute=True) == []


@requirement("proof.chain")
def test_two_writers_of_one_post_chain_one_after_the_other(held: Held) -> None:
    post = save(publish=True).post

    race(
        held,
        lambda: update(post, title="New title", change="substantive"),
        lambda: update(post, body="New body", change="maintenance"),
    )

    assert list(ChainLink.objects.order_by("id").values_list("position", flat=True)) == [1, 2, 3, 4, 5, 6]
    assert_all_is_chained()


@requirement("proof.chain")
def test_many_writers_of_one_post_leave_one_chain() -> None:
    post = save(publish=True).post

    together(*([lambda: declare(post)] * 4), *([lambda: approve(post)] * 4))

    assert ChainLink.objects.filter(post=post.pk).count() == 10
    assert_all_is_chained()


@requirement("proof.checkpoint.at-once")
def test_a_checkpoint_waits_for_a_writer_with_a_smaller_link(held: Held) -> None:
    first, second = save(title="First").post, save(title="Second").post

    _, run = race(held, slowly(held, lambda: declare(first)), lambda: make_checkpoint(now=LATER))
    publish(second)

    checkpoint = Checkpoint.objects.get()
    assert (run.checkpoint, checkpoint.size) == (checkpoint, 1)
    assert tree_up_to(checkpoint.boundary).root == checkpoint.root
    assert_all_is_chained()


@requirement("proof.checkpoint.at-once")
def test_checkpoints_at_once_make_one_for_each_number() -> None:
    save(publish=True)

    together(*[lambda: make_checkpoint(now=LATER).is_new] * 4)

    assert list(Checkpoint.objects.values_list("number", flat=True)) == [1]
    assert_all_is_chained()


@requirement("proof.checkpoint.at-once")
def test_checkpoints_among_writers_are_right_about_what_they_cover() -> None:
    posts = [save(title=f"Post {number}", publish=True).post for number in range(4)]

    for round_ in range(4):
        together(
            *[lambda post=post: declare(post) for post in posts],
            lambda: make_checkpoint(now=LATER),
            lambda: make_checkpoint(now=LATER),
        )
        assert Checkpoint.objects.count() >= round_ // 2
        assert_all_is_chained()

    for checkpoint in Checkpoint.objects.all():
        assert tree_up_to(checkpoint.boundary).root == checkpoint.root


@requirement("proof.evidence.snapshot")
def test_evidence_is_read_at_one_moment() -> None:
    post = Post.objects.get(pk=save(publish=True).post.pk)
    make_checkpoint(now=NOW)
    began, written = Event(), Event()

    def read() -> list[int]:
        try:
            with one_snapshot():
                before = len(evidence_of(post, number=None).chain)
                began.set()
                assert written.wait(20)
                found = evidence_of(post, number=None)
                return [before, len(found.chain), len(found.records)]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=1) as pool:
        reader = pool.submit(read)
        assert began.wait(20)
        declare(post)
        written.set()
        assert reader.result(20) == [2, 2, 2]
    assert len(evidence_of(post, number=None).chain) == 3
