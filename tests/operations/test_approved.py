"""``approved`` in the full post."""

import pytest

from blog_engine.operations import posts
from tests.requirements import requirement
from tests.support.clients import call_operation
from tests.support.factories import approve, publish, save, unpublish, update

pytestmark = pytest.mark.django_db


def is_approved() -> bool:
    approved: bool = call_operation(posts.get_post, id="frost")["approved"]
    return approved


@requirement("approvals.approved")
def test_it_tells_of_the_public_revision_only() -> None:
    post = save(slug="frost", body="One.").post
    approve(post)
    as_draft = is_approved()
    publish(post)
    as_public = is_approved()
    update(post, body="Two.", change="substantive")
    as_changed = is_approved()
    update(post, body="One.", change="substantive")
    as_before = is_approved()
    unpublish(post)

    assert [as_draft, as_public, as_changed, as_before, is_approved()] == [False, True, False, True, True]


@requirement("approvals.approved")
def test_an_approval_without_checked_facts_does_not_count() -> None:
    approve(save(slug="frost", publish=True).post, facts_checked=False)

    assert is_approved() is False
