"""Writers of one post at once: lists know the findings of the content that stays, in real transactions."""

import pytest

from blog_engine.findings import findings_of, lasting_codes
from blog_engine.models import FindingCode, Post
from blog_engine.queries.posts import read_post
from blog_engine.services import check_posts
from tests.concurrency.races import Held, race, slowly, together
from tests.requirements import requirement
from tests.support.factories import LATER, save, update

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

BODIES = ["# Top", "## Second\n\n#### Deep", "Text", "", "[gone](/blog/gone)"]


def noted(post: Post) -> set[str]:
    return set(FindingCode.objects.filter(post=post.pk).values_list("code", flat=True))


def found(post: Post) -> set[str]:
    return set(lasting_codes(findings_of(read_post(post.pk), has_responsible_party=True, now=LATER)))


@requirement("posts.list.finding")
def test_of_many_writes_at_once_the_findings_of_the_last_stay() -> None:
    post = save(slug="first", body="Text").post

    for _round in range(4):
        together(*(lambda body=body: update(post, body=body) for body in BODIES))  # type: ignore[misc]

        assert noted(post) == found(post)


@requirement("posts.list.finding")
def test_a_check_of_all_posts_leaves_a_post_that_is_being_written_to_its_writer() -> None:
    post = save(slug="first", body="Text").post
    FindingCode.objects.all().delete()
    held = Held()

    race(held, slowly(held, lambda: update(post, body="# Top")), lambda: check_posts(now=LATER))

    assert noted(post) == found(post)
    assert "heading_h1_in_body" in noted(post)
