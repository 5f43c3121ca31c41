"""The release of scheduled posts as a task of Django 6, in its immediate backend (docs/how-to/operate.md)."""

from typing import Any

import pytest

from blog_engine import tasks
from blog_engine.models import Post
from tests.management.test_publish_due_posts import schedule
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.web import mailbox, telling

pytestmark = pytest.mark.django_db(transaction=True)


@requirement("posts.release.task")
def test_the_task_releases_what_is_due() -> None:
    schedule("p")

    result = tasks.publish_due_posts.enqueue()

    assert (str(result.status), result.return_value) == ("SUCCESSFUL", ["p"])
    assert Post.objects.get().status == "published"


@requirement("posts.release.task")
def test_a_task_that_left_a_post_has_failed_after_trying_all(settings: Any) -> None:
    schedule("one")
    schedule("two")
    settings.BLOG_ENGINE = blog_settings(
        before_publish=lambda post, context: ["Not this one."] if post.slug == "one" else None
    )

    result = tasks.publish_due_posts.enqueue()

    assert str(result.status) == "FAILED"
    assert result.errors[0].exception_class is tasks.DuePostsLeft
    assert "one (refused_by_host)" in result.errors[0].traceback
    assert Post.objects.get(slug="two").status == "published"


@requirement("proof.task")
def test_the_other_task_makes_a_checkpoint() -> None:
    before = tasks.make_checkpoint.enqueue()
    save(publish=True)

    result = tasks.make_checkpoint.enqueue()

    assert (before.return_value, result.return_value) == (None, 1)


@requirement("webhooks.task")
def test_the_task_for_webhooks_sends_what_is_due_and_fails_when_an_event_is_given_up(settings: Any) -> None:
    with mailbox() as box:
        settings.BLOG_ENGINE = telling(box)
        save(slug="a", publish=True)
        sent = tasks.deliver_webhooks.enqueue()
        box.status = 410
        save(slug="b", publish=True)
        given_up = tasks.deliver_webhooks.enqueue()

    assert (str(sent.status), sent.return_value) == ("SUCCESSFUL", 1)
    assert str(given_up.status) == "FAILED"
    assert given_up.errors[0].exception_class is tasks.EventsGivenUp
