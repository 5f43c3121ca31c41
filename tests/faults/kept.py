"""Invariants of rows and files after a process died, a database went away or a disk was full."""

from collections import Counter
from typing import Any

from blog_engine.models import Approval, Image, Post, Publication, Revision
from blog_engine.models.protection import missing_protection
from blog_engine.queries.audit import audit_public_posts
from blog_engine.queries.database import engine_connection
from tests.contract.invariants import (
    assert_history_is_whole,
    assert_images_are_their_files,
    assert_posts_and_images_answer,
    assert_redirects_answer,
    assert_redirects_are_flat,
)
from tests.faults.crowd import Crowd
from tests.support.assertions import everything_stored


def assert_nothing_is_half(*, and_no_other_files: bool = True) -> None:
    """Check that no write is partial.

    Identifiers, dates and posts agree with the history, each image has its file, readers get all of it, and the
    database still refuses to change the history.
    """
    assert_history_is_whole()
    assert_images_are_their_files(and_nothing_else=and_no_other_files)
    assert_redirects_are_flat()
    assert_posts_and_images_answer()
    assert_redirects_answer()
    assert audit_public_posts(newest=None).differing == {}
    assert missing_protection(engine_connection()) == []


def assert_all_that_was_told_is_stored(crowd: Crowd) -> None:
    """Check that every record in an answer is stored.

    More records are stored only of writes without an answer: killed before it, or cut off during the commit.
    """
    published: Counter[int] = Counter()
    approved: Counter[int] = Counter()
    for told in crowd.written:
        post, records = told["post"], told["records"]
        assert Revision.objects.filter(post=post["id"], identifier=post["revision_identifier"]).exists() or (
            post["status"] == "draft"
        )
        published[post["id"]] += records["publication"] is not None
        approved[post["id"]] += records["approval"] is not None
    for post in Post.objects.all():
        assert Publication.objects.filter(post=post).count() >= published[post.pk]
        assert Approval.objects.filter(post=post).count() >= approved[post.pk]
    assert {told["post"]["id"] for told in crowd.written} <= set(Post.objects.values_list("id", flat=True))
    assert {told["sha256"] for told in crowd.uploaded} <= set(Image.objects.values_list("sha256", flat=True))
    stored = Publication.objects.count() + Approval.objects.count() + Image.objects.count()
    told_of = sum(published.values()) + sum(approved.values()) + len(crowd.uploaded)
    assert told_of <= stored <= told_of + crowd.in_doubt


def rows() -> dict[str, Any]:
    """Return every row that a write creates, without tokens, which record when they were used, and page views."""
    stored = everything_stored()
    del stored["ApiToken"], stored["PageView"], stored["files"]
    return stored
