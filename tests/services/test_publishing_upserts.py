"""``POST /posts`` with ``publish: true`` when it names a stored post."""

from datetime import timedelta

import pytest

from blog_engine.enums import EntryType
from blog_engine.errors import ChangeTypeRequired, ScopeRequired
from blog_engine.models import Post
from blog_engine.services import Recorded
from tests.requirements import requirement
from tests.support.factories import AGENT, LATER, NOW, remove, save
from tests.support.tables import refused

pytestmark = pytest.mark.django_db

TOMORROW = (NOW + timedelta(days=1)).isoformat()


@requirement("posts.upsert.publish")
def test_a_draft_is_released() -> None:
    draft = save(external_id="a-1", title="Frost").post

    written = save(external_id="a-1", body="It is cold.", publish=True, now=LATER)

    assert (written.created, written.post.pk, written.post.status) == (False, draft.pk, "published")
    assert written.records == Recorded(revision="new", publication=EntryType.FIRST)
    assert Post.objects.count() == 1


@requirement("posts.upsert.publish")
def test_a_draft_is_scheduled() -> None:
    save(slug="frost")

    written = save(slug="frost", publish=True, publish_at=TOMORROW)

    assert (written.created, written.post.status, written.records) == (False, "scheduled", Recorded())


@requirement("posts.upsert.publish", "posts.change.required")
def test_a_public_post_is_edited_as_what_the_editor_says() -> None:
    save(slug="frost", body="One.", publish=True)

    with refused(ChangeTypeRequired, []):
        save(slug="frost", body="Two.", publish=True)
    written = save(slug="frost", body="Two.", publish=True, change="substantive")

    assert written.records == Recorded(revision="new", publication=EntryType.SUBSTANTIVE)


@requirement("posts.upsert.publish")
def test_an_archived_post_returns() -> None:
    remove(save(slug="frost", publish=True).post)

    written = save(slug="frost", publish=True)

    assert (written.post.status, written.records.publication) == ("published", EntryType.MAINTENANCE)


@requirement("access.scopes.create")
@pytest.mark.parametrize("fields", [{}, {"publish": True}, {"publish": True, "publish_at": TOMORROW}])
def test_reaching_a_scheduled_post_needs_publish(fields: dict[str, object]) -> None:
    save(slug="frost", publish=True, publish_at=TOMORROW)

    with refused(ScopeRequired, ["publish"]):
        save(actor=AGENT, slug="frost", **fields)
